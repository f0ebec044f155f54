/* SPDX-License-Identifier: MIT
 *
 * project.c: project puts points on a heightfield: its height and its slope.
 */
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/sample.h"
#include "core/space/heightfield.h"

#include <string.h>

enum { PROJECT_POINTS, PROJECT_ONTO };
enum { PROJECT_OUTSIDE };
enum { OUTSIDE_KEEP, OUTSIDE_DROP };

/* Beside the rows: y, both gradients, and whether on the field. */
enum { PROJECT_BYTES_EACH = ASKED_BYTES_EACH + 16 };

static const char *const outside_choices[] = {"keep", "drop", NULL};
static const loam_port_schema project_ports[] = {
    {"points", LOAM_PORT_POINTS, true, 0, false},
    {"onto", LOAM_PORT_HEIGHTFIELD, true, 0, false},
};

static const loam_param_schema project_params[] = {
    PARAM_CHOICE("outside", "Outside", OUTSIDE_DROP, outside_choices, 2,
                 "What becomes of points beyond the heightfield: kept as they are, or dropped."),
};

static void project_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                         node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[PROJECT_POINTS], PROJECT_BYTES_EACH, cost);
}

static loam_status sample_surface(node_call *call, const point_set *set, surface_columns *surface) {
    *surface = (surface_columns){
        .y = COLUMN_TAKE(call->arena, set->count, int32_t),
        .gradient_x = COLUMN_TAKE(call->arena, set->count, int32_t),
        .gradient_z = COLUMN_TAKE(call->arena, set->count, int32_t),
        .live = COLUMN_TAKE(call->arena, set->count, uint32_t),
    };
    LOAM_TRY_MEMORY(surface->y, call->error);
    LOAM_TRY_MEMORY(surface->gradient_x, call->error);
    LOAM_TRY_MEMORY(surface->gradient_z, call->error);
    LOAM_TRY_MEMORY(surface->live, call->error);
    memset(surface->live, 0xff, set->count * sizeof *surface->live);
    call->path = heightfield_sample(call->assets[PROJECT_ONTO]->heightfield, call->run->level,
                                    call->run->general_path, set->base_x, set->base_z, set->x,
                                    set->z, set->count, *surface);
    return LOAM_OK;
}

/* What is beyond the field stays as it was. */
static void restore_outside(const point_set *set, surface_columns *surface) {
    for (uint32_t i = 0; i < set->count; i++) {
        if (surface->live[i] == 0) {
            surface->y[i] = set->y[i];
            surface->gradient_x[i] = set->gradient_x == NULL ? 0 : set->gradient_x[i];
            surface->gradient_z[i] = set->gradient_z == NULL ? 0 : set->gradient_z[i];
        }
    }
}

static loam_status project_evaluate(node_call *call) {
    asked_points asked;
    surface_columns surface;
    LOAM_TRY(asked_take(call, PROJECT_POINTS, &asked));
    const point_set *set = &asked.set;
    LOAM_TRY(sample_surface(call, set, &surface));
    *call->out = *set;
    if (param_integer(call->node, PROJECT_OUTSIDE) == OUTSIDE_KEEP) {
        restore_outside(set, &surface);
    } else {
        for (uint32_t i = 0; set->live != NULL && i < set->count; i++) {
            surface.live[i] &= set->live[i];
        }
        call->out->live = surface.live;
    }
    call->out->y = surface.y;
    call->out->gradient_x = surface.gradient_x;
    call->out->gradient_z = surface.gradient_z;
    return poll_cancel(call);
}

static void project_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    (void)call;
    (void)port;
    (void)row;
    reason->word = "outside";
}

const loam_operation project_operation = {
    .name = "project",
    .version = 1,
    .category = "attributes",
    .title = "Project",
    .description = "Puts points on a heightfield, with its height and slope.",
    .reach = "0",
    .ports = project_ports,
    .port_count = COUNT_OF(project_ports),
    .params = project_params,
    .param_count = COUNT_OF(project_params),
};
const operation_code project_code = {.cost = project_cost,
                                     .see = surface_see,
                                     .evaluate = project_evaluate,
                                     .explain = project_explain};
