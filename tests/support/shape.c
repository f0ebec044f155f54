/* SPDX-License-Identifier: MIT
 *
 * shape.c: see shape.h. Edges lie in lists: by square of 32 m that they come near, for distances,
 * and by row of 32 m that they cross, for what is inside.
 */
#include "tests/support/shape.h"

#include "core/loam.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

enum { SQUARES = 512, SQUARE_M = 32, NONE = -1 };

typedef struct shape_link {
    uint32_t edge;
    int32_t next;
} shape_link;

struct shape {
    shape_edge *edges;
    uint32_t edge_count, edge_capacity;
    shape_link *links;
    uint32_t link_count, link_capacity;
    int32_t squares[SQUARES * SQUARES], rows[SQUARES];
    uint32_t parts;
    uint8_t *parity; /* of each part; all 0 between calls */
};

static int square_of(double place_m) {
    double square = floor(place_m / SQUARE_M);
    return square < 0 ? 0 : square > SQUARES - 1 ? SQUARES - 1 : (int)square;
}

static void link_to(shape *of, int32_t *head, uint32_t edge) {
    if (of->link_count == of->link_capacity) {
        of->link_capacity = 2 * of->link_capacity + 1024;
        of->links = realloc(of->links, of->link_capacity * sizeof *of->links);
    }
    of->links[of->link_count] = (shape_link){edge, *head};
    *head = (int32_t)of->link_count++;
}

static void add_edge(shape *of, shape_edge edge) {
    if (of->edge_count == of->edge_capacity) {
        of->edge_capacity = 2 * of->edge_capacity + 1024;
        of->edges = realloc(of->edges, of->edge_capacity * sizeof *of->edges);
    }
    uint32_t number = of->edge_count++;
    of->edges[number] = edge;
    int low_x = square_of(fmin(edge.x0, edge.x1) - SHAPE_DISTANCE_MAX);
    int high_x = square_of(fmax(edge.x0, edge.x1) + SHAPE_DISTANCE_MAX);
    int low_z = square_of(fmin(edge.z0, edge.z1) - SHAPE_DISTANCE_MAX);
    int high_z = square_of(fmax(edge.z0, edge.z1) + SHAPE_DISTANCE_MAX);
    for (int z = low_z; z <= high_z; z++) {
        for (int x = low_x; x <= high_x; x++) {
            link_to(of, &of->squares[z * SQUARES + x], number);
        }
        link_to(of, &of->rows[z], number);
    }
}

static bool is_place(const json_t *value) {
    return json_is_number(json_array_get(value, 0));
}

/* Places are of the world's grid, so that a test and the world see one border. */
static double coordinate(const json_t *place, size_t axis) {
    double metres = json_number_value(json_array_get(place, axis));
    return floor(metres * LOAM_UNITS_PER_METRE + 0.5) / LOAM_UNITS_PER_METRE;
}

/* A list of places is a line or a ring; of lists, polygons count their rings as one part. */
static void add_places(shape *of, const json_t *places, uint32_t part) {
    for (size_t i = 1; i < json_array_size(places); i++) {
        const json_t *from = json_array_get(places, i - 1), *to = json_array_get(places, i);
        add_edge(of, (shape_edge){coordinate(from, 0), coordinate(from, 1), coordinate(to, 0),
                                  coordinate(to, 1), part});
    }
}

static void add_lists(shape *of, const json_t *lists) {
    const json_t *first = json_array_get(lists, 0);
    if (is_place(first)) {
        add_places(of, lists, of->parts++);
    } else if (is_place(json_array_get(first, 0))) {
        for (size_t i = 0; i < json_array_size(lists); i++) {
            add_places(of, json_array_get(lists, i), of->parts);
        }
        of->parts++;
    } else {
        for (size_t i = 0; i < json_array_size(lists); i++) {
            add_lists(of, json_array_get(lists, i));
        }
    }
}

shape *shape_read(const char *path) {
    json_error_t fault;
    json_t *root = json_load_file(path, 0, &fault);
    cr_assert_not_null(root, "%s: %s", path, fault.text);
    shape *made = calloc(1, sizeof *made);
    for (int i = 0; i < SQUARES * SQUARES; i++) {
        made->squares[i] = NONE;
        made->rows[i % SQUARES] = NONE;
    }
    const json_t *features = json_object_get(root, "features");
    for (size_t i = 0; i < json_array_size(features); i++) {
        const json_t *geometry = json_object_get(json_array_get(features, i), "geometry");
        add_lists(made, json_object_get(geometry, "coordinates"));
    }
    made->parity = calloc(made->parts + 1, 1);
    json_decref(root);
    cr_assert_gt(made->edge_count, 0, "%s", path);
    return made;
}

void shape_free(shape *of) {
    free(of->edges);
    free(of->links);
    free(of->parity);
    free(of);
}

bool shape_holds(const shape *of, double x_m, double z_m) {
    int inside = 0;
    for (int pass = 0; pass < 2; pass++) {
        /* The second time every parity comes back to 0. */
        for (int32_t at = of->rows[square_of(z_m)]; at != NONE; at = of->links[at].next) {
            const shape_edge *edge = &of->edges[of->links[at].edge];
            if ((edge->z0 > z_m) == (edge->z1 > z_m)) {
                continue;
            }
            double cut =
                edge->x0 + (edge->x1 - edge->x0) * (z_m - edge->z0) / (edge->z1 - edge->z0);
            if (cut > x_m) {
                of->parity[edge->part] ^= 1;
                inside += pass > 0 ? 0 : of->parity[edge->part] != 0 ? 1 : -1;
            }
        }
    }
    return inside > 0;
}

static double edge_distance(const shape_edge *edge, double x_m, double z_m) {
    double dx = edge->x1 - edge->x0, dz = edge->z1 - edge->z0;
    double px = x_m - edge->x0, pz = z_m - edge->z0;
    double length2 = dx * dx + dz * dz;
    double along = length2 == 0 ? 0 : fmax(0, fmin(1, (px * dx + pz * dz) / length2));
    px -= along * dx;
    pz -= along * dz;
    return sqrt(px * px + pz * pz);
}

double shape_distance(const shape *of, double x_m, double z_m) {
    double nearest = SHAPE_DISTANCE_MAX;
    int32_t at = of->squares[square_of(z_m) * SQUARES + square_of(x_m)];
    for (; at != NONE; at = of->links[at].next) {
        nearest = fmin(nearest, edge_distance(&of->edges[of->links[at].edge], x_m, z_m));
    }
    return nearest;
}
