/* SPDX-License-Identifier: MIT
 *
 * room_links.c: see room_links.h.
 */
#include "core/layout/room_links.h"

#include "core/base/try.h"
#include "core/grid/region_join.h"
#include "core/layout/corridor_trim.h"
#include "core/layout/open_layout.h"

enum { SCRATCH_A_ROOM = 512 };

typedef struct linking {
    room_plan *plan;
    room_links_options options;
    link_list list;
    uint32_t *parents;
    bool *used;     /* links that are corridors */
    uint32_t apart; /* parts that hang together */
} linking;

uint64_t room_links_bytes(uint32_t rooms) {
    return (uint64_t)rooms * SCRATCH_A_ROOM + 4096;
}

uint64_t room_links_joins(uint32_t rooms) {
    return (uint64_t)rooms * LINKS_A_ROOM * (FORCE_ROOMS + 2);
}

static loam_status triangulate(linking *run) {
    room_plan *plan = run->plan;
    loam_arena *arena = plan->call->arena;
    loam_error *error = plan->call->error;
    loam_spot *centers = loam_arena_take(arena, plan->room_count, sizeof *centers);
    run->parents = loam_arena_take(arena, plan->room_count, sizeof *run->parents);
    LOAM_TRY_MEMORY(centers, error);
    LOAM_TRY_MEMORY(run->parents, error);
    for (uint32_t i = 0; i < plan->room_count; i++) {
        centers[i] = box_center2(plan->rooms[i].box);
        run->parents[i] = i;
    }
    run->apart = plan->room_count;
    LOAM_TRY(links_triangulate(centers, plan->room_count, arena, &run->list, error));
    run->used = loam_arena_take_zero(arena, run->list.count, sizeof *run->used);
    LOAM_TRY_MEMORY(run->used, error);
    return LOAM_OK;
}

/* What is joined already: those links are no loops any more. */
static void note_edges(linking *run) {
    const room_plan *plan = run->plan;
    for (uint32_t i = 0; i < plan->edge_count; i++) {
        run->apart -= union_join(run->parents, plan->edges[i].a, plan->edges[i].b);
    }
    for (uint32_t k = 0; k < run->list.count && plan->edge_count > 0; k++) {
        const point_link *link = &run->list.links[k];
        for (uint32_t i = 0; i < plan->edge_count; i++) {
            run->used[k] |= link->a == plan->edges[i].a && link->b == plan->edges[i].b;
        }
    }
}

static loam_status join(linking *run, uint32_t index, corridor_force force, loam_edge_role role,
                        bool *joined) {
    const point_link *link = &run->list.links[index];
    corridor_request request = {
        .a = link->a, .b = link->b, .style = run->options.style, .force = force};
    LOAM_TRY(corridor_join(run->plan, request, role, joined));
    run->used[index] |= *joined;
    return LOAM_OK;
}

static loam_status join_tree(linking *run, corridor_force force) {
    for (uint32_t i = 0; i < run->list.count && run->apart > 1; i++) {
        const point_link *link = &run->list.links[i];
        bool joined = false;
        if (union_root(run->parents, link->a) != union_root(run->parents, link->b)) {
            LOAM_TRY(join(run, i, force, LOAM_EDGE_TREE, &joined));
        }
        if (joined) {
            (void)union_join(run->parents, link->a, link->b);
            run->apart--;
        }
    }
    return LOAM_OK;
}

static loam_status join_loops(linking *run) {
    layout_call *call = run->plan->call;
    uint32_t *order, count, done = 0;
    LOAM_TRY(
        links_shuffle(&run->list, run->used, call->seed, call->arena, &order, &count, call->error));
    uint32_t wanted = links_share(count, run->options.loops_percent);
    for (uint32_t i = 0; i < count && done < wanted; i++) {
        bool joined = false;
        LOAM_TRY(join(run, order[i], FORCE_NONE, LOAM_EDGE_LOOP, &joined));
        done += joined;
    }
    if (done < wanted) {
        layout_give_up(call, "loops-missing", "%u of %u loops have a way", done, wanted);
    }
    return LOAM_OK;
}

/* What no corridor joins is joined by plain passages, through walls of drawn rooms if need be: the
 * attempt is no good, but all of it can be walked. */
static loam_status join_regions(room_plan *plan) {
    layout_call *call = plan->call;
    size_t mark = loam_arena_mark(call->arena);
    bit_rows rows;
    grid_regions regions;
    uint64_t steps = 0;
    LOAM_TRY(bit_rows_take(plan->cells.width, plan->cells.height, call->arena, &rows, call->error));
    bit_rows_of_cells(&plan->cells, &rows);
    LOAM_TRY(regions_find(&rows, call->arena, &regions, call->error));
    if (regions.count > 1) {
        join_options options = {.within = plan->inside, .width = 1, .value = LOAM_CELL_FLOOR};
        LOAM_TRY(region_join(&plan->cells, &regions, options, call->arena, &steps, call->error));
    }
    call->steps += steps;
    loam_arena_reset(call->arena, mark);
    return LOAM_OK;
}

loam_status room_links_join(room_plan *plan, room_links_options options) {
    linking run = {.plan = plan, .options = options};
    LOAM_TRY(triangulate(&run));
    note_edges(&run);
    for (corridor_force force = FORCE_NONE; force <= FORCE_ROOMS; force++) {
        LOAM_TRY(join_tree(&run, force));
    }
    if (run.apart > 1) {
        layout_give_up(plan->call, "no-path", "%u rooms or groups of rooms have no way out",
                       run.apart - 1);
    }
    LOAM_TRY(join_loops(&run));
    LOAM_TRY(corridor_trim(plan, 100 - options.trim_percent));
    return run.apart > 1 ? join_regions(plan) : LOAM_OK;
}
