/* SPDX-License-Identifier: MIT
 *
 * rule_run.c: see rule_run.h.
 */
#include "core/content/rule_run.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/grid/draw.h"

#include <string.h>

/* Without a room around it, what is near an entrance or an exit. */
enum { ENDS_NEAR_CELLS = 4 };
/* Parts of a rule's key: what is drawn for a place, apart from what is drawn for its cells. */
#define PLACE_PART 0x706c616365u
#define CHANCE_PART 0x6368616e6365u

static loam_status drop_rule(content_work *work, uint32_t rule, const char *code, const char *text,
                             bool hopeless) {
    work->hopeless = work->hopeless && hopeless;
    work->dropped[work->dropped_count++] =
        (loam_dropped_rule){rule, {loam_text_of(code), loam_text_of(text)}};
    return LOAM_OK;
}

/* ---- Places --------------------------------------------------------------------------------- */

static void list_cell(rule_call *call, uint32_t cell) {
    if (rule_call_may_take(call, cell)) {
        uint32_t number = map_number(&call->work->map, cell);
        call->cells[call->cell_count++] = (keyed_index){draw_at(call->key, number), cell};
    }
}

/* The cells of a box that are of a room, or any where room is LOAM_ROOM_NONE. */
static void list_box(rule_call *call, loam_box box, uint32_t room) {
    const content_map *map = &call->work->map;
    loam_box in = box_common(box, (loam_box){0, 0, map->width, map->height});
    call->cell_count = 0;
    for (int32_t y = in.y; y < in.y + in.height; y++) {
        uint32_t cell = map_cell(map, (loam_spot){in.x, y});
        for (int32_t x = 0; x < in.width; x++, cell++) {
            if (room == LOAM_ROOM_NONE || map->room[cell] == room) {
                list_cell(call, cell);
            }
        }
    }
    key_sort(call->cells, call->spare, call->cell_count);
}

/* How many things a place holds: each is drawn for. */
static uint32_t draw_slots(const rule_call *call, uint64_t place, uint32_t most) {
    uint64_t key = mix_pair(call->chance_key ^ PLACE_PART, place);
    uint32_t count = 0;
    for (uint32_t i = 0; i < most; i++) {
        uint64_t bits = draw_at(key, i);
        count += draw_below(bits, 1000) < call->rule->chance_permille;
    }
    return count;
}

static void fill_place(rule_call *call, loam_box box, uint32_t room) {
    list_box(call, box, room);
    uint32_t most =
        call->cell_count < call->rule->per_room_max ? call->cell_count : call->rule->per_room_max;
    uint32_t slots = draw_slots(call, room, most);
    for (uint32_t i = 0; i < call->cell_count && slots > 0 && !rule_call_is_full(call); i++) {
        slots -= rule_call_try(call, call->cells[i].index);
    }
}

static bool is_of_class(loam_box box, content_where where) {
    int64_t area = box_area(box);
    content_where class = area <= SMALL_CELLS_MAX    ? WHERE_ROOM_SMALL
                          : area <= MEDIUM_CELLS_MAX ? WHERE_ROOM_MEDIUM
                                                     : WHERE_ROOM_LARGE;
    return class == where;
}

/* Rooms in hash order, so that total_max does not favour the first. */
static loam_status fill_rooms(rule_call *call) {
    content_work *work = call->work;
    const loam_layout *layout = work->map.layout;
    keyed_index *rooms = loam_arena_take(work->arena, layout->room_count, sizeof *rooms);
    LOAM_TRY_MEMORY(rooms, work->error);
    uint32_t count = 0;
    for (uint32_t r = 0; r < layout->room_count; r++) {
        if (is_of_class(layout->rooms[r].box, call->rule->where) &&
            (call->room == LOAM_ROOM_NONE || call->room == r)) {
            rooms[count++] = (keyed_index){draw_at(call->key ^ PLACE_PART, r), r};
        }
    }
    key_sort(rooms, call->spare, count);
    for (uint32_t i = 0; i < count && !rule_call_is_full(call); i++) {
        fill_place(call, layout->rooms[rooms[i].index].box, rooms[i].index);
    }
    return LOAM_OK;
}

/* Stairs stand on the cell itself, anything else is near it. */
static void fill_end(rule_call *call, loam_spot at) {
    content_map *map = &call->work->map;
    if (at.x < 0 || map->steps[map_cell(map, at)] == STEPS_FAR) {
        return;
    }
    uint32_t cell = map_cell(map, at), room = map->room[cell];
    if (call->rule->thing != LOAM_OBJECT_STAIRS) {
        loam_box near = box_grown((loam_box){at.x, at.y, 1, 1}, ENDS_NEAR_CELLS);
        fill_place(call, room == LOAM_ROOM_NONE ? near : map->layout->rooms[room].box, room);
    } else if ((map->flags[cell] & CELL_STAIRS) == 0 && draw_slots(call, room, 1) > 0) {
        call->candidates++;
        map->flags[cell] |= CELL_STAIRS;
        rule_call_put(call, cell, (loam_spot){-1, -1});
    }
}

static bool draw_cell(const rule_call *call, uint32_t cell) {
    uint64_t bits = draw_at(call->chance_key, map_number(&call->work->map, cell));
    return draw_below(bits, 1000) < call->rule->chance_permille;
}

static void fill_cells(rule_call *call) {
    const content_map *map = &call->work->map;
    call->cell_count = 0;
    for (uint32_t cell = 0; cell < map->cell_count; cell++) {
        if ((map->classes[cell] >> call->rule->where & 1) != 0 && draw_cell(call, cell)) {
            list_cell(call, cell);
        }
    }
    key_sort(call->cells, call->spare, call->cell_count);
    for (uint32_t i = 0; i < call->cell_count && !rule_call_is_full(call); i++) {
        if (!rule_call_is_room_full(call, map->room[call->cells[i].index])) {
            (void)rule_call_try(call, call->cells[i].index);
        }
    }
}

/* ---- Rules ---------------------------------------------------------------------------------- */

/* A room by its name, else by its number. */
static bool find_room(const loam_layout *layout, loam_text name, uint32_t *room) {
    for (uint32_t r = 0; r < layout->room_count; r++) {
        if (layout->rooms[r].name.size > 0 && loam_text_equal(layout->rooms[r].name, name)) {
            *room = r;
            return true;
        }
    }
    uint64_t number = 0;
    for (size_t i = 0; i < name.size; i++) {
        bool digit = name.bytes[i] >= '0' && name.bytes[i] <= '9';
        if (!digit || i > 9) {
            return false;
        }
        number = number * 10 + (uint64_t)(name.bytes[i] - '0');
    }
    *room = (uint32_t)number;
    return name.size > 0 && number < layout->room_count;
}

static loam_status rule_call_init(rule_call *call, content_work *work, uint32_t index) {
    const content_rule *rule = &work->rules->rules[index];
    draw_stage stage = rule_is_spawn(rule) ? STAGE_SPAWN : STAGE_CONTENT;
    call->rule = rule;
    call->index = index;
    call->room = LOAM_ROOM_NONE;
    call->key = draw_for(work->draw.sub, stage, rule->hash, work->draw.attempt);
    call->chance_key = mix_pair(call->key, CHANCE_PART);
    call->first = work->placed_count;
    call->candidates = call->cell_count = 0;
    call->buckets = NULL;
    memset(call->room_counts, 0, work->map.layout->room_count * sizeof *call->room_counts);
    return rule_call_space(call);
}

/* A rule that was certain and did nothing has failed. */
static loam_status judge_rule(const rule_call *call) {
    content_work *work = call->work;
    if (rule_call_is_floor_full(call) && work->placed_count - call->first < call->rule->total_max &&
        work->placed_count < work->map.reached) {
        return drop_rule(work, call->index, "too-many", "the floor holds no more", true);
    }
    if (call->rule->chance_permille < 1000 || work->placed_count > call->first) {
        return LOAM_OK;
    }
    return call->candidates == 0
               ? drop_rule(work, call->index, "no-cell", "no cell is as the rule asks", true)
               : drop_rule(work, call->index, "no-room", "no cell that is left can take it", false);
}

loam_status rule_run(rule_call *call, uint32_t index) {
    content_work *work = call->work;
    const loam_layout *layout = work->map.layout;
    LOAM_TRY(rule_call_init(call, work, index));
    if (call->rule->in_room && !find_room(layout, call->rule->room, &call->room)) {
        return drop_rule(work, index, "unknown-room", "the floor has no such room", true);
    }
    if (where_is_room(call->rule->where)) {
        LOAM_TRY(fill_rooms(call));
    } else if (call->rule->where == WHERE_ENTRANCE || call->rule->where == WHERE_EXIT) {
        fill_end(call, call->rule->where == WHERE_EXIT ? layout->exit : layout->entrance);
    } else {
        fill_cells(call);
    }
    return judge_rule(call);
}

/* ---- Keys ----------------------------------------------------------------------------------- */

/* Every cell that the rule of a key allows, whatever its class of places means for others. */
static void list_key_cells(rule_call *call) {
    const content_map *map = &call->work->map;
    const loam_layout *layout = map->layout;
    content_where where = call->rule->where;
    call->cell_count = 0;
    for (uint32_t cell = 0; cell < map->cell_count; cell++) {
        uint32_t room = map->room[cell];
        bool fits = (map->classes[cell] >> where & 1) != 0;
        if (where_is_room(where)) {
            fits = room != LOAM_ROOM_NONE && is_of_class(layout->rooms[room].box, where);
        } else if (where_is_place(where)) {
            loam_spot end = where == WHERE_EXIT ? layout->exit : layout->entrance;
            uint32_t of = end.x >= 0 ? map->room[map_cell(map, end)] : LOAM_ROOM_NONE;
            fits = room != LOAM_ROOM_NONE && room == of;
        }
        if (fits && (map->flags[cell] & CELL_TAKEN) == 0) {
            list_cell(call, cell);
        }
    }
    key_sort(call->cells, call->spare, call->cell_count);
}

/* The first cell that keeps everything solvable. Cells of one node are alike: each is asked once.
 */
static loam_status put_key_of_rule(rule_call *call, uint32_t lock, bool *left, bool *placed) {
    content_work *work = call->work;
    lock_set *locks = &work->locks;
    uint8_t *asked = loam_arena_take_zero(work->arena, locks->graph.node_count, sizeof *asked);
    LOAM_TRY_MEMORY(asked, work->error);
    *left = true;
    *placed = false;
    for (uint32_t i = 0; i < call->cell_count && *left && !*placed; i++) {
        uint32_t cell = call->cells[i].index, node = locks->cell_nodes[cell];
        if (asked[node] == 0) {
            asked[node] = 1;
            LOAM_TRY(lock_try_key(locks, lock, cell, call->index, work->arena, left, placed,
                                  work->error));
            work->map.flags[cell] |= *placed ? CELL_TAKEN : 0;
        }
    }
    return LOAM_OK;
}

loam_status rule_run_key(rule_call *call, uint32_t index) {
    content_work *work = call->work;
    LOAM_TRY(rule_call_init(call, work, index));
    uint32_t lock = lock_find(&work->locks, call->rule->key);
    if (lock == LOCK_NONE) {
        return drop_rule(work, index, "unknown-lock", "the floor has no such lock", true);
    }
    if (call->rule->in_room && !find_room(work->map.layout, call->rule->room, &call->room)) {
        return drop_rule(work, index, "unknown-room", "the floor has no such room", true);
    }
    if (draw_slots(call, 0, 1) == 0) {
        return LOAM_OK;
    }
    bool left, placed;
    list_key_cells(call);
    LOAM_TRY(put_key_of_rule(call, lock, &left, &placed));
    if (call->cell_count == 0) {
        return drop_rule(work, index, "no-cell", "no cell is as the rule asks", true);
    }
    if (!left) {
        return drop_rule(work, index, "no-key-left", "all keys of the lock lie elsewhere", true);
    }
    return placed ? LOAM_OK
                  : drop_rule(work, index, "infeasible",
                              "the key could come to lie behind its own lock", false);
}
