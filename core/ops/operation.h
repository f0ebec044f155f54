/* SPDX-License-Identifier: MIT
 *
 * operation.h: what an operation is to the rest of core. Its schema is public (loam_operation); its
 * code is a row of functions. Both stand in one table (operation_table.c), so that a new operation
 * is a new file and a line there.
 */
#ifndef LOAM_OPS_OPERATION_H
#define LOAM_OPS_OPERATION_H

#include "core/base/bytes.h"
#include "core/base/limits.h"
#include "core/points/name_table.h"
#include "core/points/point_set.h"
#include "core/schema/schema.h"
#include "core/space/volume.h"

/* One evaluation of one node. The operation fills in `out` and nothing else. */
typedef struct node_call {
    const loam_node *node;
    const char *pointer;                 /* "/nodes/name", for errors */
    uint64_t seed;                       /* the node's */
    loam_rect rect;                      /* what is asked: every point in it, and none outside */
    const point_set *inputs[PORTS_MAX];  /* of ports that a node's points feed; else NULL */
    const volume *volumes[PORTS_MAX];    /* of ports that a node's spatial value feeds; else NULL */
    const loam_asset *assets[PORTS_MAX]; /* of ports that a slot feeds; else NULL */
    const uint32_t *text_params;         /* per parameter: index of its text in `names` */
    name_table *names;                   /* what string columns and assets are indices of */
    const loam_run *run;
    loam_arena *arena;
    loam_error *error;
    point_set *out;            /* points; side #true of a branch */
    point_set *out_false;      /* side #false of a branch */
    const volume **out_volume; /* of an operation that gives a spatial value */
    const char *path;          /* which code path was taken; static */
    const void *explained;     /* what explain keeps from one point to the next */
} node_call;

/* Why an operation dropped a point: a word, and what was compared where something was. */
typedef struct node_reason {
    const char *word;
    bool measured;
    uint8_t scale_bits;
    int64_t value, limit;
} node_reason;

/* Where all points of a node are, or its spatial value, seen from above, whatever is asked of it.
 * Bounded with an empty rectangle: there are none, or only an asset that is not known yet tells. */
typedef struct node_domain {
    bool bounded;
    loam_rect rect;
} node_domain;

/* Bounds of one node over one rectangle, in saturating 64-bit arithmetic. */
typedef struct node_cost {
    uint64_t candidates; /* rows of the result */
    uint64_t fresh;      /* of them, rows that no input had: what a cell's budget counts */
    uint64_t tests;      /* neighbour or segment tests */
    uint64_t bytes;      /* of the arena */
    /* Points in any disc of radius r number at most crowd sites of a lattice this fine. */
    int64_t spacing_min; /* units; of the finest sampler above */
    uint64_t crowd;      /* how many samplers' points can share a site */
    /* Of a spatial value: its parts, tests that one point takes, and where it ends. */
    uint64_t parts;
    uint64_t point_tests;
    volume_extent extent; /* at a staged port: of all its points */
} node_cost;

typedef struct operation_code {
    /* Rules between parameters; NULL when there are none. */
    loam_status (*check)(const loam_node *node, const char *pointer, loam_error *error);
    /* Rules between parameters and spatial inputs, whose costs tell what they are; or NULL. */
    loam_status (*check_inputs)(const loam_node *node, const node_cost *inputs, const char *pointer,
                                loam_error *error);
    /* Rules in the document at the port of rules, as read by the schema (one value a field); an
     * error's pointer is into the document. NULL when there are none. */
    loam_status (*check_rules)(const loam_node *node, const loam_value *rules, loam_error *error);
    /* How far it looks sideways, in units, at most; NULL is 0. */
    int64_t (*reach)(const loam_node *node);
    /* What it asks of a port to fill a rectangle; NULL is the rectangle grown by the reach. */
    loam_rect (*ask)(const loam_node *node, uint32_t port, loam_rect rect);
    /* Of a node without inputs: the rectangle that it fills as a whole, the same for every cell. It
     * is evaluated for all of that where any of it is asked, and kept as a stage. NULL: none. */
    loam_rect (*whole)(const loam_node *node);
    /* Ports (bit 1 << port) whose source is asked for all its points, wherever they are: it must be
     * bounded. */
    uint8_t staged;
    /* Where all its points are, from where those of its inputs are; `assets` of ports that slots
     * feed, NULL where unknown. NULL: nowhere beyond those of its first port of points, and without
     * one it has no bounds. */
    node_domain (*domain)(const loam_node *node, const node_domain *inputs,
                          const loam_asset *const *assets);
    /* The reach of a node with a staged port, from where its inputs' points are; NULL: `reach`. */
    int64_t (*reach_from)(const loam_node *node, const node_domain *inputs);
    /* Bounds of the cost; `inputs` per points port. */
    void (*cost)(const loam_node *node, loam_rect rect, const node_cost *inputs, node_cost *cost);
    /* Writes what a cell can see of the asset at a port; NULL when no port takes an asset. */
    loam_status (*see)(const loam_node *node, uint32_t port, loam_rect rect,
                       const loam_asset *asset, byte_writer *writer, loam_arena *scratch);
    loam_status (*evaluate)(node_call *call);
    /* Why row `row` of the points at a port is not in the result; NULL: only that it is not. Called
     * right after evaluate. */
    void (*explain)(node_call *call, uint32_t port, uint32_t row, node_reason *reason);
    /* How far around a point its reason is looked for, in units; NULL is 0. */
    int64_t (*explain_reach)(const loam_node *node);
    /* The id that a point of a port has in the result; NULL: the same. */
    uint64_t (*rename)(const node_call *call, uint32_t port, uint64_t id);
} operation_code;

static inline bool rect_is_empty(loam_rect rect) {
    return rect.x0 >= rect.x1 || rect.z0 >= rect.z1;
}

/* Index of a parameter or port of an operation, or -1. */
int32_t operation_param(const loam_operation *operation, loam_text key);
int32_t operation_port(const loam_operation *operation, loam_text name);

static inline bool rects_meet(loam_rect a, loam_rect b) {
    return a.x0 < b.x1 && b.x0 < a.x1 && a.z0 < b.z1 && b.z0 < a.z1;
}

/* The code of an operation of the table. */
const operation_code *operation_code_of(const loam_operation *operation);

/* Whether a points port is only looked at, and its points never come out: `against`, `to`. */
static inline bool port_is_other(const loam_node *node, uint32_t port) {
    return loam_node_input_port(node, port)->aside;
}

/* Parameters by index; the plan has checked kinds and ranges. */
static inline int64_t param_integer(const loam_node *node, uint32_t index) {
    return node->params[index].integer;
}

static inline uint64_t add_saturated(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t multiply_saturated(uint64_t a, uint64_t b) {
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* The cost of an operation that makes `bytes_each` of columns per row of its only input. */
void cost_of_columns(const node_cost *input, uint64_t bytes_each, node_cost *cost);

/* The live column of a set, made when all its points live. NULL when the arena is full. */
const uint32_t *live_column(node_call *call, const point_set *set);

/* The density column of a set, made when all its points share one. NULL when the arena is full. */
const uint32_t *density_column(node_call *call, const point_set *set);

/* Looks at run->cancel: LOAM_CANCELLED when it is set. */
loam_status poll_cancel(const node_call *call);

#define LOAM_OPERATIONS(X)                                                                         \
    X(grid_sample)                                                                                 \
    X(surface_sample)                                                                              \
    X(spatial_box)                                                                                 \
    X(spatial_sphere)                                                                              \
    X(spatial_tube)                                                                                \
    X(spatial_prism)                                                                               \
    X(spatial_points)                                                                              \
    X(spatial_union)                                                                               \
    X(spatial_intersection)                                                                        \
    X(spatial_difference)                                                                          \
    X(spatial_sample)                                                                              \
    X(area_sample)                                                                                 \
    X(poisson_sample)                                                                              \
    X(poisson_disk)                                                                                \
    X(filter_spatial)                                                                              \
    X(line_sample)                                                                                 \
    X(points_input)                                                                                \
    X(filter_line_distance)                                                                        \
    X(biome_generate)                                                                              \
    X(grammar_generate)                                                                            \
    X(density_noise)                                                                               \
    X(density_cull)                                                                                \
    X(filter_slope)                                                                                \
    X(filter_height)                                                                               \
    X(filter_density)                                                                              \
    X(self_prune)                                                                                  \
    X(bounds_prune)                                                                                \
    X(zone_exclude)                                                                                \
    X(merge)                                                                                       \
    X(copy_points)                                                                                 \
    X(density_remap)                                                                               \
    X(density_distance)                                                                            \
    X(density_raster)                                                                              \
    X(normal_to_density)                                                                           \
    X(attribute_set_float)                                                                         \
    X(attribute_set_int)                                                                           \
    X(attribute_set_string)                                                                        \
    X(attribute_math_float)                                                                        \
    X(attribute_noise)                                                                             \
    X(attribute_distance)                                                                          \
    X(project)                                                                                     \
    X(filter_box)                                                                                  \
    X(filter_radius)                                                                               \
    X(filter_polygon)                                                                              \
    X(filter_float)                                                                                \
    X(filter_int)                                                                                  \
    X(filter_string)                                                                               \
    X(branch)                                                                                      \
    X(transform)                                                                                   \
    X(jitter)                                                                                      \
    X(spawn)                                                                                       \
    X(zone_buffer)                                                                                 \
    X(transform_scatter)

#define OPERATION_DECLARE(name)                                                                    \
    extern const loam_operation name##_operation;                                                  \
    extern const operation_code name##_code;
LOAM_OPERATIONS(OPERATION_DECLARE)
#undef OPERATION_DECLARE

#define PARAM_INVERT                                                                               \
    PARAM("invert", "Invert", "", BOOL, 0, 0, 0, 0, 1, 1, "Keep what would be dropped.")

#endif
