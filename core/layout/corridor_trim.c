/* SPDX-License-Identifier: MIT
 *
 * corridor_trim.c: see corridor_trim.h. A cell without ways is one that was cut. Which cells go
 * depends on the set of dead ends that go, never on their order: a place where lines meet becomes a
 * dead end when all that lies beyond it is cut, and then goes too.
 */
#include "core/layout/corridor_trim.h"

#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/grid/key_sort.h"
#include "core/grid/links.h"

#include <string.h>

static uint8_t *ways_of(const room_plan *plan, loam_spot at) {
    return &plan->ways.cells[grid_index(&plan->ways, at.x, at.y)];
}

static bool has_one_way(const room_plan *plan, loam_spot at) {
    uint8_t ways = *ways_of(plan, at);
    return (ways & (ways - 1)) == 0 && ways != 0;
}

static bool is_in_room(const room_plan *plan, loam_spot at) {
    return grid_get(&plan->zones, at.x, at.y, ZONE_ROOM) == ZONE_ROOM;
}

static bool is_dead_end(const room_plan *plan, loam_spot at) {
    return has_one_way(plan, at) && !is_in_room(plan, at);
}

/* A middle line passes through its dead end once, so each is met once for each line: cells that
 * were counted are told by the mark. */
enum { COUNTED = 0x80 };

static uint32_t count_dead_ends(const room_plan *plan) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->path_count; i++) {
        if (is_dead_end(plan, plan->path[i])) {
            *ways_of(plan, plan->path[i]) |= COUNTED;
            count++;
        }
    }
    return count;
}

/* All of them, in hash order; takes the marks away. */
static void list_dead_ends(const room_plan *plan, keyed_index *ends) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->path_count; i++) {
        uint8_t *ways = ways_of(plan, plan->path[i]);
        if ((*ways & COUNTED) != 0) {
            uint32_t place = (uint32_t)(ways - plan->ways.cells);
            *ways &= (uint8_t)~COUNTED;
            ends[count++] = (keyed_index){draw_for(plan->call->seed, STAGE_TRIM, place, 0), place};
        }
    }
}

/* From a dead end back to where there is more than one way on. A line that turned round to go
 * through its own room is cut in there too, up to the wall: the gate leads into the room as before.
 */
static void cut(room_plan *plan, uint32_t place) {
    loam_spot at = {(int32_t)place % plan->ways.width, (int32_t)place / plan->ways.width};
    while (has_one_way(plan, at)) {
        uint32_t way = WAY_NORTH;
        while (*ways_of(plan, at) != 1u << way) {
            way++;
        }
        loam_spot next = spot_step(at, way);
        *ways_of(plan, at) = 0;
        plan->call->steps++;
        if (is_in_room(plan, at) && !is_in_room(plan, next)) {
            return;
        }
        *ways_of(plan, next) &= (uint8_t) ~(1u << ((way + 2u) & 3u));
        at = next;
    }
}

/* A line that went into what was cut came back to the same cell, which stays once. */
static uint32_t keep_uncut(room_plan *plan, const loam_corridor *corridor, loam_spot *to) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < corridor->path_count; i++) {
        loam_spot at = corridor->path[i];
        bool again = count > 0 && to[count - 1].x == at.x && to[count - 1].y == at.y;
        if (*ways_of(plan, at) != 0 && !again) {
            to[count++] = at;
        }
    }
    return count;
}

/* From the last cell of its first room to the first cell of the other, these left out. */
static void shorten(room_plan *plan, loam_corridor *corridor, loam_spot *to) {
    loam_box a = plan->rooms[corridor->a].box, b = plan->rooms[corridor->b].box;
    uint32_t first = 0, end = keep_uncut(plan, corridor, to);
    while (box_has(a, to[first].x, to[first].y)) {
        first++;
    }
    while (box_has(b, to[end - 1].x, to[end - 1].y)) {
        end--;
    }
    memmove(to, to + first, (end - first) * sizeof *to);
    corridor->path = to;
    corridor->path_count = end - first;
}

static void shorten_all(room_plan *plan) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->edge_count; i++) {
        shorten(plan, &plan->corridors[i], &plan->path[count]);
        count += plan->corridors[i].path_count;
    }
    plan->path_count = count;
}

loam_status corridor_trim(room_plan *plan, int64_t keep_percent) {
    layout_call *call = plan->call;
    if (keep_percent >= 100) {
        return LOAM_OK;
    }
    uint32_t count = count_dead_ends(plan), kept = links_share(count, keep_percent);
    /* Less than joining regions takes later, in the same memory. */
    size_t mark = loam_arena_mark(call->arena);
    keyed_index *ends = loam_arena_take(call->arena, count, sizeof *ends);
    keyed_index *spare = loam_arena_take(call->arena, count, sizeof *spare);
    LOAM_TRY_MEMORY(ends, call->error);
    LOAM_TRY_MEMORY(spare, call->error);
    list_dead_ends(plan, ends);
    key_sort(ends, spare, count);
    for (uint32_t i = kept; i < count; i++) {
        cut(plan, ends[i].index);
    }
    loam_arena_reset(call->arena, mark);
    if (kept < count) {
        shorten_all(plan);
        room_plan_lay_again(plan);
    }
    return LOAM_OK;
}
