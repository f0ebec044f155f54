/* SPDX-License-Identifier: MIT
 *
 * rule_call.c: see rule_call.h.
 */
#include "core/content/rule_call.h"

#include "core/base/try.h"
#include "core/content/spawn_places.h"

#include <string.h>

/* ---- Spacing -------------------------------------------------------------------------------- */

static uint32_t bucket_of(const rule_call *call, loam_spot at) {
    uint32_t side = (uint32_t)call->rule->spacing;
    return ((uint32_t)at.y / side + 1) * call->bucket_columns + (uint32_t)at.x / side + 1;
}

loam_status rule_call_space(rule_call *call) {
    const content_map *map = &call->work->map;
    uint32_t side = (uint32_t)call->rule->spacing;
    if (side <= 1) {
        return LOAM_OK;
    }
    call->bucket_columns = (uint32_t)(map->width - 1) / side + 3;
    size_t count = (size_t)call->bucket_columns * ((uint32_t)(map->height - 1) / side + 3);
    call->buckets = loam_arena_take(call->work->arena, count, sizeof *call->buckets);
    call->next = loam_arena_take(call->work->arena, call->work->placed_max, sizeof *call->next);
    LOAM_TRY_MEMORY(call->buckets, call->work->error);
    LOAM_TRY_MEMORY(call->next, call->work->error);
    memset(call->buckets, 0xff, count * sizeof *call->buckets);
    return LOAM_OK;
}

/* A bucket is as wide as the spacing, so it holds few, and only those around it matter. */
static bool is_spaced(const rule_call *call, uint32_t cell) {
    if (call->buckets == NULL) {
        return true;
    }
    const content_map *map = &call->work->map;
    loam_spot at = map_spot(map, cell);
    int64_t wanted = (int64_t)call->rule->spacing * call->rule->spacing;
    uint32_t middle = bucket_of(call, at) - call->bucket_columns - 1;
    for (uint32_t i = 0; i < 9; i++) {
        uint32_t bucket = middle + i / 3 * call->bucket_columns + i % 3;
        for (uint32_t p = call->buckets[bucket]; p != UINT32_MAX; p = call->next[p]) {
            loam_spot other = map_spot(map, call->work->placed[p].cell);
            int64_t dx = other.x - at.x, dy = other.y - at.y;
            if (dx * dx + dy * dy < wanted) {
                return false;
            }
        }
    }
    return true;
}

/* ---- One cell ------------------------------------------------------------------------------- */

static bool is_small_room(const content_map *map, uint32_t room) {
    return room != LOAM_ROOM_NONE && box_area(map->layout->rooms[room].box) <= SMALL_CELLS_MAX;
}

bool rule_call_may_take(const rule_call *call, uint32_t cell) {
    const content_map *map = &call->work->map;
    const content_rule *rule = call->rule;
    if (map->classes[cell] == 0 || map->steps[cell] < rule->distance_min ||
        (call->room != LOAM_ROOM_NONE && map->room[cell] != call->room)) {
        return false;
    }
    bool nest = rule->thing == RULE_SPAWN + LOAM_SPAWN_NEST;
    return (!nest || is_small_room(map, map->room[cell])) &&
           (!rule->blocking || (map->flags[cell] & CELL_BEFORE_DOOR) == 0);
}

bool rule_call_is_floor_full(const rule_call *call) {
    const content_work *work = call->work;
    return work->placed_count >= work->placed_max ||
           (rule_is_spawn(call->rule) &&
            work->placed_count - work->object_count >= CONTENT_SPAWNS_MAX);
}

bool rule_call_is_full(const rule_call *call) {
    return call->work->placed_count - call->first >= call->rule->total_max ||
           rule_call_is_floor_full(call);
}

bool rule_call_is_room_full(const rule_call *call, uint32_t room) {
    return room != LOAM_ROOM_NONE && call->room_counts[room] >= call->rule->per_room_max;
}

void rule_call_put(rule_call *call, uint32_t cell, loam_spot guards) {
    content_work *work = call->work;
    uint32_t index = work->placed_count++, room = work->map.room[cell];
    work->placed[index] = (placement){cell, call->index, guards};
    work->map.flags[cell] |= CELL_TAKEN;
    if (room != LOAM_ROOM_NONE) {
        call->room_counts[room]++;
    }
    if (call->rule->blocking) {
        walk_guard_block(&work->guard, cell);
    }
    if (call->buckets != NULL) {
        uint32_t bucket = bucket_of(call, map_spot(&work->map, cell));
        call->next[index] = call->buckets[bucket];
        call->buckets[bucket] = index;
    }
}

bool rule_call_try(rule_call *call, uint32_t cell) {
    content_work *work = call->work;
    const content_map *map = &work->map;
    loam_spot guards = {-1, -1};
    call->candidates++;
    if ((map->flags[cell] & CELL_TAKEN) != 0 || !is_spaced(call, cell) ||
        (call->rule->blocking && !walk_guard_allows(&work->guard, cell))) {
        return false;
    }
    if (call->rule->thing == RULE_SPAWN + LOAM_SPAWN_AMBUSH) {
        guards = ambush_guards(map, cell);
        if (!sight_is_hidden(map, guards, map_spot(map, cell))) {
            return false;
        }
    }
    rule_call_put(call, cell, guards);
    return true;
}
