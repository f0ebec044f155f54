/* SPDX-License-Identifier: MIT
 *
 * content_result.c: see content_result.h.
 */
#include "core/content/content_result.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/content/spawn_places.h"
#include "core/grid/draw.h"
#include "core/grid/key_sort.h"

/* Of a nest: how many at once, and seconds between two. */
enum {
    NEST_LEAST = 2,
    NEST_MOST = 8,
    NEST_CELLS_EACH = 4,
    INTERVAL_LEAST = 10,
    INTERVAL_MOST = 60
};

static loam_object object_of(const content_work *work, uint32_t cell, uint32_t rule) {
    const content_rule *from = &work->rules->rules[rule];
    return (loam_object){.kind = (loam_object_kind)from->thing,
                         .at = map_spot(&work->map, cell),
                         .room = work->map.room[cell],
                         .rule = rule,
                         .blocking = from->blocking};
}

static loam_object object_of_key(const content_call *call, const placed_key *key) {
    const content_work *work = call->work;
    return (loam_object){.kind = LOAM_OBJECT_KEY,
                         .at = map_spot(&work->map, key->cell),
                         .room = work->map.room[key->cell],
                         .rule = key->rule,
                         .key = call->out->locks[key->lock].name};
}

static loam_place_kind place_of(const loam_layout *layout, const loam_spawn *spawn) {
    if (spawn->room != LOAM_ROOM_NONE && layout->rooms[spawn->room].kind == LOAM_ROOM_BOSS) {
        return LOAM_PLACE_BOSS;
    }
    if (spawn->kind == LOAM_SPAWN_PATROL) {
        return spawn->room == LOAM_ROOM_NONE ? LOAM_PLACE_CORRIDOR : LOAM_PLACE_ROOM;
    }
    return spawn->kind == LOAM_SPAWN_AMBUSH ? LOAM_PLACE_AMBUSH : LOAM_PLACE_NEST;
}

static void fill_nest(const content_call *call, uint64_t key, loam_spawn *spawn) {
    const loam_layout *layout = call->work->map.layout;
    int64_t area = box_area(layout->rooms[spawn->room].box) / NEST_CELLS_EACH;
    int32_t most = area < NEST_LEAST ? NEST_LEAST : area > NEST_MOST ? NEST_MOST : (int32_t)area;
    uint64_t capacity = draw_at(key, 0), interval = draw_at(key, 1);
    spawn->capacity = (uint32_t)draw_between(capacity, NEST_LEAST, most);
    spawn->interval_s = (uint32_t)draw_between(interval, INTERVAL_LEAST, INTERVAL_MOST);
}

static loam_status fill_route(const content_call *call, uint32_t cell, uint64_t key,
                              loam_spawn *spawn) {
    loam_spot route[PATROL_ROUTE_MAX];
    uint32_t count = patrol_route(&call->work->map, cell, key, route);
    loam_spot *kept = loam_arena_take(call->run->arena, count, sizeof *kept);
    LOAM_TRY_MEMORY(kept, call->error);
    for (uint32_t i = 0; i < count; i++) {
        kept[i] = route[i];
    }
    spawn->route = kept;
    spawn->route_count = count;
    return LOAM_OK;
}

static loam_status fill_spawn(const content_call *call, const placement *from, uint32_t index,
                              loam_spawn *spawn) {
    const content_work *work = call->work;
    const content_rule *rule = &work->rules->rules[from->rule];
    uint64_t entity = mix_pair(rule->hash, map_number(&work->map, from->cell));
    uint64_t key = draw_for(work->draw.sub, STAGE_SPAWN, entity, work->draw.attempt);
    *spawn = (loam_spawn){.id = call->out->number << 16 | index,
                          .kind = (loam_spawn_kind)(rule->thing - RULE_SPAWN),
                          .at = map_spot(&work->map, from->cell),
                          .room = work->map.room[from->cell],
                          .rule = from->rule,
                          .guards = from->guards};
    spawn->place = place_of(work->map.layout, spawn);
    if (spawn->kind == LOAM_SPAWN_NEST) {
        fill_nest(call, key, spawn);
    }
    return spawn->kind == LOAM_SPAWN_PATROL ? fill_route(call, from->cell, key, spawn) : LOAM_OK;
}

/* Things in the order of their cells: from `first`, `count` placements, then keys. */
static loam_status sort_things(const content_call *call, uint32_t first, uint32_t count,
                               uint32_t key_count, keyed_index **sorted) {
    content_work *work = call->work;
    keyed_index *items = loam_arena_take(work->arena, count + key_count, sizeof *items);
    keyed_index *spare = loam_arena_take(work->arena, count + key_count, sizeof *spare);
    LOAM_TRY_MEMORY(items, call->error);
    LOAM_TRY_MEMORY(spare, call->error);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (keyed_index){work->placed[first + i].cell, first + i};
    }
    for (uint32_t k = 0; k < key_count; k++) {
        items[count + k] = (keyed_index){work->locks.keys[k].cell, work->placed_count + k};
    }
    key_sort(items, spare, count + key_count);
    *sorted = items;
    return LOAM_OK;
}

static loam_status take_objects(const content_call *call) {
    const content_work *work = call->work;
    uint32_t key_count = work->locks.key_count, count = work->object_count + key_count;
    keyed_index *sorted = NULL;
    loam_object *objects = loam_arena_take(call->run->arena, count, sizeof *objects);
    LOAM_TRY_MEMORY(objects, call->error);
    LOAM_TRY(sort_things(call, 0, work->object_count, key_count, &sorted));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = sorted[i].index;
        objects[i] = index >= work->placed_count
                         ? object_of_key(call, &work->locks.keys[index - work->placed_count])
                         : object_of(work, work->placed[index].cell, work->placed[index].rule);
        call->out->metrics.blocking += objects[i].blocking;
    }
    call->out->objects = objects;
    call->out->object_count = count;
    return LOAM_OK;
}

static loam_status take_spawns(const content_call *call) {
    const content_work *work = call->work;
    uint32_t count = work->placed_count - work->object_count;
    keyed_index *sorted = NULL;
    loam_spawn *spawns = loam_arena_take(call->run->arena, count, sizeof *spawns);
    LOAM_TRY_MEMORY(spawns, call->error);
    LOAM_TRY(sort_things(call, work->object_count, count, 0, &sorted));
    for (uint32_t i = 0; i < count; i++) {
        LOAM_TRY(fill_spawn(call, &work->placed[sorted[i].index], i, &spawns[i]));
    }
    call->out->spawns = spawns;
    call->out->spawn_count = count;
    return LOAM_OK;
}

static loam_status take_locks(const content_call *call) {
    const lock_set *set = &call->work->locks;
    const loam_layout *layout = call->work->map.layout;
    loam_lock *locks = loam_arena_take(call->run->arena, set->count, sizeof *locks);
    LOAM_TRY_MEMORY(locks, call->error);
    for (uint32_t lock = 0; lock < set->count; lock++) {
        uint32_t count = 0;
        for (uint32_t d = 0; d < layout->door_count; d++) {
            count += set->door_locks[d] == lock;
        }
        uint32_t *doors = loam_arena_take(call->run->arena, count, sizeof *doors);
        LOAM_TRY_MEMORY(doors, call->error);
        count = 0;
        for (uint32_t d = 0; d < layout->door_count; d++) {
            if (set->door_locks[d] == lock) {
                doors[count++] = d;
            }
        }
        locks[lock] = (loam_lock){.consumable = (set->graph.consumable >> lock & 1) != 0,
                                  .doors = doors,
                                  .door_count = count};
        if (text_copy(set->names[lock], call->run->arena, &locks[lock].name) != LOAM_OK) {
            return loam_fail(call->error, LOAM_ARENA_FULL, NULL, "%s",
                             loam_status_text(LOAM_ARENA_FULL));
        }
    }
    call->out->locks = locks;
    call->out->lock_count = set->count;
    return LOAM_OK;
}

static loam_status take_walk(const content_call *call) {
    content_work *work = call->work;
    loam_content_metrics *metrics = &call->out->metrics;
    lock_walk walk;
    LOAM_TRY(lock_walk_find(&work->locks, &work->map, work->arena, &walk, call->error));
    loam_walk_step *steps = loam_arena_take(call->run->arena, walk.count, sizeof *steps);
    LOAM_TRY_MEMORY(steps, call->error);
    for (uint32_t i = 0; i < walk.count; i++) {
        steps[i] = walk.steps[i];
    }
    call->out->walk = steps;
    call->out->walk_count = walk.count;
    metrics->walk_steps = (int64_t)walk.walk_steps;
    metrics->critical_steps = (int64_t)walk.critical_steps;
    metrics->backtrack_steps = (int64_t)walk.backtrack_steps;
    loam_spot out = work->map.layout->exit;
    if (work->locks.count == 0 && out.x >= 0) {
        uint32_t straight = work->map.steps[map_cell(&work->map, out)];
        metrics->walk_steps = metrics->critical_steps = straight == STEPS_FAR ? 0 : straight;
    }
    return LOAM_OK;
}

static loam_status take_dropped(const content_call *call) {
    const content_work *work = call->work;
    loam_dropped_rule *dropped =
        loam_arena_take(call->run->arena, work->dropped_count, sizeof *dropped);
    LOAM_TRY_MEMORY(dropped, call->error);
    for (uint32_t i = 0; i < work->dropped_count; i++) {
        uint32_t at = i;
        for (; at > 0 && dropped[at - 1].rule > work->dropped[i].rule; at--) {
            dropped[at] = dropped[at - 1];
        }
        dropped[at] = work->dropped[i];
    }
    call->out->dropped = dropped;
    call->out->dropped_count = work->dropped_count;
    return LOAM_OK;
}

static void fill_metrics(const content_call *call) {
    const content_work *work = call->work;
    loam_content_floor *out = call->out;
    out->metrics.objects = out->object_count;
    out->metrics.spawns = out->spawn_count;
    out->metrics.spawn_density =
        work->map.reached == 0 ? 0 : (int64_t)out->spawn_count * 10000 / work->map.reached;
    out->metrics.locks = work->locks.count;
    out->metrics.keys = work->locks.key_count;
    out->metrics.solvable = work->locks.solvable;
    out->metrics.dropped = out->dropped_count;
}

loam_status content_result_take(const content_call *call) {
    LOAM_TRY(take_locks(call));
    LOAM_TRY(take_objects(call));
    LOAM_TRY(take_spawns(call));
    LOAM_TRY(take_walk(call));
    LOAM_TRY(take_dropped(call));
    fill_metrics(call);
    return LOAM_OK;
}
