/* SPDX-License-Identifier: MIT
 *
 * content_place.c: see content_place.h.
 */
#include "core/content/content_place.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/content/spawn_places.h"
#include "core/grid/draw.h"
#include "core/grid/key_sort.h"

#include <string.h>

/* Rooms by area, as their kinds are. */
enum { SMALL_CELLS_MAX = 36, MEDIUM_CELLS_MAX = 100 };
/* Without a room around it, what is near an entrance or an exit. */
enum { ENDS_NEAR_CELLS = 4 };
/* Parts of a rule's key: what is drawn for a place, apart from what is drawn for its cells. */
#define PLACE_PART 0x706c616365u
#define CHANCE_PART 0x6368616e6365u

/* A rule on its way through the floor. */
typedef struct rule_call {
    content_work *work;
    const content_rule *rule;
    uint32_t index;
    uint32_t room; /* the only one, or LOAM_ROOM_NONE */
    uint64_t key, chance_key;
    uint32_t first;             /* of its placements */
    keyed_index *cells, *spare; /* as many as the floor has reached cells and rooms */
    uint32_t cell_count;
    uint32_t candidates; /* cells that were tried */
    uint32_t *room_counts;
    uint32_t *buckets, *next; /* of its placements, by place: for spacing */
    uint32_t bucket_columns;
} rule_call;

static loam_status drop_rule(content_work *work, uint32_t rule, const char *code, const char *text,
                             bool hopeless) {
    work->hopeless = work->hopeless && hopeless;
    work->dropped[work->dropped_count++] =
        (loam_dropped_rule){rule, {loam_text_of(code), loam_text_of(text)}};
    return LOAM_OK;
}

/* ---- Spacing -------------------------------------------------------------------------------- */

static uint32_t bucket_of(const rule_call *call, loam_spot at) {
    uint32_t side = (uint32_t)call->rule->spacing;
    return ((uint32_t)at.y / side + 1) * call->bucket_columns + (uint32_t)at.x / side + 1;
}

static loam_status buckets_init(rule_call *call) {
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

/* What holds of a cell whatever is placed: only such cells are listed. */
static bool is_candidate(const rule_call *call, uint32_t cell) {
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

static bool is_floor_full(const rule_call *call) {
    const content_work *work = call->work;
    return work->placed_count >= work->placed_max ||
           (rule_is_spawn(call->rule) &&
            work->placed_count - work->object_count >= CONTENT_SPAWNS_MAX);
}

static bool is_full(const rule_call *call) {
    return call->work->placed_count - call->first >= call->rule->total_max || is_floor_full(call);
}

static bool is_room_full(const rule_call *call, uint32_t room) {
    return room != LOAM_ROOM_NONE && call->room_counts[room] >= call->rule->per_room_max;
}

static void put(rule_call *call, uint32_t cell, loam_spot guards) {
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

static bool try_cell(rule_call *call, uint32_t cell) {
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
    put(call, cell, guards);
    return true;
}

/* ---- Places --------------------------------------------------------------------------------- */

static void list_cell(rule_call *call, uint32_t cell) {
    if (is_candidate(call, cell)) {
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
    for (uint32_t i = 0; i < call->cell_count && slots > 0 && !is_full(call); i++) {
        slots -= try_cell(call, call->cells[i].index);
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
    for (uint32_t i = 0; i < count && !is_full(call); i++) {
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
        put(call, cell, (loam_spot){-1, -1});
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
    for (uint32_t i = 0; i < call->cell_count && !is_full(call); i++) {
        if (!is_room_full(call, map->room[call->cells[i].index])) {
            (void)try_cell(call, call->cells[i].index);
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
    return buckets_init(call);
}

/* A rule that was certain and did nothing has failed. */
static loam_status judge_rule(const rule_call *call) {
    content_work *work = call->work;
    if (is_floor_full(call) && work->placed_count - call->first < call->rule->total_max &&
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

static loam_status run_rule(rule_call *call, uint32_t index) {
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

static loam_status run_key_rule(rule_call *call, uint32_t index) {
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

/* ---- A floor -------------------------------------------------------------------------------- */

typedef enum rule_turn { TURN_KEYS, TURN_OBJECTS, TURN_SPAWNS } rule_turn;

static rule_turn turn_of(const content_rule *rule) {
    return rule->thing == LOAM_OBJECT_KEY ? TURN_KEYS
           : rule_is_spawn(rule)          ? TURN_SPAWNS
                                          : TURN_OBJECTS;
}

static loam_status run_turn(rule_call *call, rule_turn turn) {
    content_work *work = call->work;
    for (uint32_t i = 0; i < work->rules->count; i++) {
        if (work->cancel != NULL && *work->cancel != 0) {
            return loam_fail(work->error, LOAM_CANCELLED, NULL, "%s",
                             loam_status_text(LOAM_CANCELLED));
        }
        if (turn_of(&work->rules->rules[i]) == turn) {
            size_t mark = loam_arena_mark(work->arena);
            LOAM_TRY(turn == TURN_KEYS ? run_key_rule(call, i) : run_rule(call, i));
            loam_arena_reset(work->arena, mark);
        }
    }
    return LOAM_OK;
}

static loam_status take_lists(content_work *work, rule_call *call) {
    uint32_t room_count = work->map.layout->room_count;
    uint32_t most = work->map.reached > room_count ? work->map.reached : room_count;
    call->cells = loam_arena_take(work->arena, most, sizeof *call->cells);
    call->spare = loam_arena_take(work->arena, most, sizeof *call->spare);
    call->room_counts = loam_arena_take(work->arena, room_count, sizeof *call->room_counts);
    LOAM_TRY_MEMORY(call->cells, work->error);
    LOAM_TRY_MEMORY(call->spare, work->error);
    LOAM_TRY_MEMORY(call->room_counts, work->error);
    return LOAM_OK;
}

static bool any_blocks(const content_rules *rules) {
    bool blocks = false;
    for (uint32_t i = 0; i < rules->count; i++) {
        blocks = blocks || rules->rules[i].blocking;
    }
    return blocks;
}

/* The floor before anything stands on it. */
static loam_status prepare(content_work *work, const loam_layout *layout) {
    work->placed_count = work->dropped_count = 0;
    work->hopeless = true;
    work->guard.parents = NULL;
    LOAM_TRY(content_map_build(layout, work->arena, &work->map, work->error));
    work->placed_max =
        work->map.reached < CONTENT_PLACED_MAX ? work->map.reached : CONTENT_PLACED_MAX;
    work->placed = loam_arena_take(work->arena, work->placed_max, sizeof *work->placed);
    work->dropped = loam_arena_take(work->arena, work->rules->count, sizeof *work->dropped);
    LOAM_TRY_MEMORY(work->placed, work->error);
    LOAM_TRY_MEMORY(work->dropped, work->error);
    return lock_set_build(&work->locks, &work->map, work->rules, work->draw, work->arena,
                          work->error);
}

loam_status content_place(content_work *work, const loam_layout *layout) {
    LOAM_TRY(prepare(work, layout));
    size_t mark = loam_arena_mark(work->arena);
    rule_call call = {.work = work};
    LOAM_TRY(take_lists(work, &call));
    LOAM_TRY(run_turn(&call, TURN_KEYS));
    LOAM_TRY(lock_place_keys(&work->locks, &work->map, work->draw, work->arena, work->error));
    if (any_blocks(work->rules)) {
        LOAM_TRY(walk_guard_init(&work->guard, &work->map, work->arena, work->error));
    }
    LOAM_TRY(run_turn(&call, TURN_OBJECTS));
    work->object_count = work->placed_count;
    LOAM_TRY(run_turn(&call, TURN_SPAWNS));
    loam_arena_reset(work->arena, mark);
    return LOAM_OK;
}
