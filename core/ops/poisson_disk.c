/* SPDX-License-Identifier: MIT
 *
 * poisson_disk.c: poisson.disk, dense blue noise on one rectangle of the world: around points that
 * are there new ones are tried until none finds room. A keyed stage: the rectangle is filled as a
 * whole, the same for every cell, and then clipped.
 *
 * Source: Bridson, "Fast Poisson Disk Sampling in Arbitrary Dimensions" (2007); in integers, the
 * ring around a point taken from the square around it by refusal.
 */
#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/operation.h"

#include <string.h>

enum {
    DISK_ORIGIN_X,
    DISK_ORIGIN_Z,
    DISK_WIDTH,
    DISK_DEPTH,
    DISK_RADIUS,
    DISK_ATTEMPTS,
    DISK_MAX_POINTS,
};

/* x, z, y, a, b, and its place among the active. */
enum { DISK_BYTES_EACH = 24 };
enum { ATTEMPTS_MAX = 256 };
/* A draw of the square lies in the ring with 0.59: sixteen miss it once in 1.6 million. */
enum { REFUSALS_MAX = 16 };
/* Buckets that a conflict can be in: two each way. */
enum { BUCKETS_AROUND = 2 };

#define POINTS_DEFAULT 100000
#define DISK_RADIUS_MAX ((int64_t)1 << 18)

static const loam_param_schema disk_params[] = {
    PARAM("origin_x_m", "Origin x", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0,
          -POSITION_UNITS_MAX, POSITION_UNITS_MAX, 256, "West side of the rectangle."),
    PARAM("origin_z_m", "Origin z", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0,
          -POSITION_UNITS_MAX, POSITION_UNITS_MAX, 256, "South side of the rectangle."),
    PARAM("width_m", "Width", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED | LOAM_PARAM_NONZERO, 0,
          1, RECT_SIDE_UNITS_MAX, 256, "Length of the rectangle eastwards."),
    PARAM("depth_m", "Depth", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED | LOAM_PARAM_NONZERO, 0,
          1, RECT_SIDE_UNITS_MAX, 256, "Length of the rectangle northwards."),
    PARAM("radius_m", "Radius", "m", FLOAT, BITS_UNITS,
          LOAM_PARAM_REQUIRED | LOAM_PARAM_ROUND_UP | LOAM_PARAM_NONZERO, 0, 1, DISK_RADIUS_MAX, 16,
          "No two points are closer than this."),
    PARAM("attempts", "Attempts", "", INT, 0, LOAM_PARAM_ADVANCED, 30, 1, ATTEMPTS_MAX, 1,
          "How often room is looked for around a point before it is given up."),
    PARAM("max_points", "Most points", "", INT, 0, 0, POINTS_DEFAULT, 1,
          (int64_t)CANDIDATES_PER_NODE_MAX, 1000, "There are no more points than this."),
};

static loam_rect disk_rect(const loam_node *node) {
    int64_t x = param_integer(node, DISK_ORIGIN_X), z = param_integer(node, DISK_ORIGIN_Z);
    return (loam_rect){x, z, x + param_integer(node, DISK_WIDTH),
                       z + param_integer(node, DISK_DEPTH)};
}

/* Buckets so small that two points in one would conflict: (side - 1)^2 * 2 < radius^2. */
static int64_t bucket_side(int64_t radius) {
    return (int64_t)integer_root((uint64_t)(radius * radius - 1) / 2) + 1;
}

static uint64_t bucket_count(const loam_node *node) {
    int64_t side = bucket_side(param_integer(node, DISK_RADIUS));
    uint64_t columns = (uint64_t)(param_integer(node, DISK_WIDTH) - 1) / (uint64_t)side + 1;
    uint64_t rows = (uint64_t)(param_integer(node, DISK_DEPTH) - 1) / (uint64_t)side + 1;
    return columns * rows;
}

static loam_status disk_check(const loam_node *node, const char *pointer, loam_error *error) {
    uint64_t buckets = bucket_count(node);
    if (buckets > CANDIDATES_PER_NODE_MAX) {
        return loam_fail(error, LOAM_BUDGET_EXCEEDED, pointer,
                         "the rectangle has room for %llu points, more than %llu; use a larger "
                         "radius or a smaller rectangle",
                         (unsigned long long)buckets, (unsigned long long)CANDIDATES_PER_NODE_MAX);
    }
    return LOAM_OK;
}

static node_domain disk_domain(const loam_node *node, const node_domain *inputs,
                               const loam_asset *const *assets) {
    (void)inputs;
    (void)assets;
    return (node_domain){true, disk_rect(node)};
}

static void disk_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                      node_cost *cost) {
    enum { TESTS_EACH = (2 * BUCKETS_AROUND + 1) * (2 * BUCKETS_AROUND + 1) };
    (void)inputs;
    *cost = (node_cost){.spacing_min = bucket_side(param_integer(node, DISK_RADIUS)), .crowd = 1};
    if (!rects_meet(rect, disk_rect(node))) {
        return;
    }
    uint64_t buckets = bucket_count(node), most = (uint64_t)param_integer(node, DISK_MAX_POINTS);
    cost->candidates = buckets < most ? buckets : most;
    cost->fresh = cost->candidates;
    cost->bytes = add_saturated(multiply_saturated(buckets, sizeof(uint32_t)),
                                multiply_saturated(cost->candidates, 2 * DISK_BYTES_EACH));
    uint64_t tries =
        multiply_saturated(cost->candidates, (uint64_t)param_integer(node, DISK_ATTEMPTS));
    cost->tests = multiply_saturated(tries, TESTS_EACH);
}

/* The rectangle while it is filled. */
typedef struct disk_field {
    int32_t width, depth, radius, side;
    int32_t columns, rows;
    uint32_t *buckets; /* point + 1, 0 is free */
    int32_t *x, *z;
    uint32_t count, most;
    uint32_t *active;
    uint32_t active_count;
    uint64_t key;
    uint64_t draws;
} disk_field;

/* In [0, span); each draw of the stage has a number. */
static uint32_t draw_below(disk_field *field, uint32_t span) {
    uint64_t bits = mix_pair(field->key, field->draws++) >> 32;
    return (uint32_t)(bits * span >> 32);
}

static bool has_room(const disk_field *field, int32_t x, int32_t z) {
    int32_t column = x / field->side, row = z / field->side;
    int32_t west = column > BUCKETS_AROUND ? column - BUCKETS_AROUND : 0;
    int32_t south = row > BUCKETS_AROUND ? row - BUCKETS_AROUND : 0;
    int64_t squared = (int64_t)field->radius * field->radius;
    for (int32_t r = south; r <= row + BUCKETS_AROUND && r < field->rows; r++) {
        const uint32_t *bucket = field->buckets + (size_t)r * (size_t)field->columns;
        for (int32_t c = west; c <= column + BUCKETS_AROUND && c < field->columns; c++) {
            if (bucket[c] == 0) {
                continue;
            }
            int64_t dx = field->x[bucket[c] - 1] - x, dz = field->z[bucket[c] - 1] - z;
            if (dx * dx + dz * dz < squared) {
                return false;
            }
        }
    }
    return true;
}

static void put_point(disk_field *field, int32_t x, int32_t z) {
    size_t row = (size_t)(z / field->side);
    field->x[field->count] = x;
    field->z[field->count] = z;
    field->active[field->active_count++] = field->count++;
    field->buckets[row * (size_t)field->columns + (size_t)(x / field->side)] = field->count;
}

/* A place at least the radius and less than two of it away; false when none was drawn. */
static bool draw_ring(disk_field *field, int64_t *dx, int64_t *dz) {
    int64_t radius = field->radius, far = 2 * radius - 1;
    for (int i = 0; i < REFUSALS_MAX; i++) {
        *dx = (int64_t)draw_below(field, (uint32_t)(2 * far + 1)) - far;
        *dz = (int64_t)draw_below(field, (uint32_t)(2 * far + 1)) - far;
        int64_t squared = *dx * *dx + *dz * *dz;
        if (squared >= radius * radius && squared < 4 * radius * radius) {
            return true;
        }
    }
    return false;
}

/* Tries to put a point around point `from`. */
static bool try_around(disk_field *field, uint32_t from) {
    int64_t dx, dz;
    if (!draw_ring(field, &dx, &dz)) {
        return false;
    }
    int64_t x = field->x[from] + dx, z = field->z[from] + dz;
    if (x < 0 || z < 0 || x >= field->width || z >= field->depth ||
        !has_room(field, (int32_t)x, (int32_t)z)) {
        return false;
    }
    put_point(field, (int32_t)x, (int32_t)z);
    return true;
}

static loam_status fill_field(node_call *call, disk_field *field) {
    uint32_t attempts = (uint32_t)param_integer(call->node, DISK_ATTEMPTS);
    /* One draw a line: arguments of one call are evaluated in any order. */
    const int32_t z = (int32_t)draw_below(field, (uint32_t)field->depth);
    const int32_t x = (int32_t)draw_below(field, (uint32_t)field->width);
    put_point(field, x, z);
    while (field->active_count > 0 && field->count < field->most) {
        uint32_t at = draw_below(field, field->active_count);
        uint32_t from = field->active[at];
        bool found = false;
        for (uint32_t i = 0; i < attempts && !found; i++) {
            found = try_around(field, from);
        }
        if (!found) {
            field->active[at] = field->active[--field->active_count];
        }
        LOAM_TRY(poll_cancel(call));
    }
    return LOAM_OK;
}

static loam_status field_init(node_call *call, disk_field *field) {
    const loam_node *node = call->node;
    const uint32_t buckets = (uint32_t)bucket_count(node);
    uint32_t most = (uint32_t)param_integer(node, DISK_MAX_POINTS);
    most = buckets < most ? buckets : most;
    *field = (disk_field){
        .width = (int32_t)param_integer(node, DISK_WIDTH),
        .depth = (int32_t)param_integer(node, DISK_DEPTH),
        .radius = (int32_t)param_integer(node, DISK_RADIUS),
        .side = (int32_t)bucket_side(param_integer(node, DISK_RADIUS)),
        .buckets = loam_arena_take_zero(call->arena, buckets, sizeof(uint32_t)),
        .x = COLUMN_TAKE(call->arena, most, int32_t),
        .z = COLUMN_TAKE(call->arena, most, int32_t),
        .active = COLUMN_TAKE(call->arena, most, uint32_t),
        .most = most,
        .key = draw_key(call->seed, DRAW_DISK),
    };
    field->columns = (field->width - 1) / field->side + 1;
    field->rows = (field->depth - 1) / field->side + 1;
    LOAM_TRY_MEMORY(field->buckets, call->error);
    LOAM_TRY_MEMORY(field->x, call->error);
    LOAM_TRY_MEMORY(field->z, call->error);
    LOAM_TRY_MEMORY(field->active, call->error);
    return LOAM_OK;
}

/* The origin of a point is its number. */
static loam_status give_field(node_call *call, const disk_field *field) {
    uint32_t *a = COLUMN_TAKE(call->arena, field->count, uint32_t);
    int32_t *zero = loam_arena_take_zero(call->arena, column_size(field->count), sizeof *zero);
    LOAM_TRY_MEMORY(a, call->error);
    LOAM_TRY_MEMORY(zero, call->error);
    for (uint32_t i = 0; i < field->count; i++) {
        a[i] = i;
    }
    *call->out = (point_set){
        .count = field->count,
        .base_x = call->rect.x0,
        .base_z = call->rect.z0,
        .x = field->x,
        .z = field->z,
        .y = zero,
        .a = a,
        .b = (const uint32_t *)zero,
        .id_key = draw_key(call->seed, DRAW_ID),
        .density_all = LOAM_DENSITY_ONE,
        .asset_all = ASSET_NONE,
    };
    return LOAM_OK;
}

/* Asked for all of the rectangle, or for none of it. */
static loam_status disk_evaluate(node_call *call) {
    disk_field field = {0};
    if (!rects_meet(disk_rect(call->node), call->rect)) {
        call->path = "outside";
        field.x = field.z = COLUMN_TAKE(call->arena, 0, int32_t);
        return give_field(call, &field);
    }
    LOAM_TRY(field_init(call, &field));
    LOAM_TRY(fill_field(call, &field));
    call->path = "whole";
    return give_field(call, &field);
}

const loam_operation poisson_disk_operation = {
    .name = "poisson.disk",
    .version = 1,
    .category = "sampling",
    .title = "Poisson disk",
    .description = "Fills one rectangle of the world with points that are never closer than the "
                   "radius, as densely as its attempts find room.",
    .reach = "0; the rectangle is filled as a whole",
    .params = disk_params,
    .param_count = COUNT_OF(disk_params),
    .seeded = true,
};
const operation_code poisson_disk_code = {.check = disk_check,
                                          .domain = disk_domain,
                                          .whole = disk_rect,
                                          .cost = disk_cost,
                                          .evaluate = disk_evaluate};
