/* SPDX-License-Identifier: MIT
 *
 * content_decode.c: canonical bytes of content, read back. Counts are held against what is left,
 * numbers against what they count, cells against the floor; at last what was read is encoded and
 * compared.
 */
#include "core/base/try.h"
#include "core/codec/dungeon_form.h"
#include "core/codec/format.h"

#include <string.h>

/* The least bytes of one of each. */
enum {
    RULE_NAME_BYTES = 4,
    CONTENT_FLOOR_BYTES = 12 + 5 * 4,
    LOCK_BYTES = 9,
    OBJECT_BYTES = 18,
    SPAWN_BYTES = 22,
    STEP_BYTES = 18,
    DROPPED_BYTES = 12,
};
/* Numbers of floors are the upper half of a spawn's id; spawns of a floor are the lower. */
enum { FLOOR_NUMBER_MAX = 0xffff, FLOOR_SPAWNS_MAX = 0x10000 };

typedef struct content_reader {
    dungeon_reader base;
    uint32_t rule_count;
} content_reader;

static loam_status damaged(const content_reader *reader, const char *what) {
    return loam_fail(reader->base.error, LOAM_DAMAGED, NULL,
                     "not the canonical bytes of content: %s", what);
}

static byte_reader *from(content_reader *reader) {
    return &reader->base.from;
}

static loam_status take_list(content_reader *reader, uint32_t bytes_min, size_t item_bytes,
                             uint32_t *count, void **list) {
    LOAM_TRY(read_count(&reader->base, bytes_min, count));
    *list = loam_arena_take_zero(reader->base.arena, *count, item_bytes);
    LOAM_TRY_MEMORY(*list, reader->base.error);
    return LOAM_OK;
}

static loam_spot read_spot(content_reader *reader) {
    int32_t x = read_i32(from(reader));
    int32_t y = read_i32(from(reader));
    return (loam_spot){x, y};
}

static bool is_inside(const loam_content_floor *floor, loam_spot at) {
    return at.x >= 0 && at.y >= 0 && at.x < floor->width && at.y < floor->height;
}

static bool is_after(loam_spot at, loam_spot before) {
    return at.y > before.y || (at.y == before.y && at.x >= before.x);
}

static loam_status read_lock(content_reader *reader, loam_lock *lock) {
    lock->name = read_text(from(reader));
    lock->consumable = read_u8(from(reader)) != 0;
    void *list;
    LOAM_TRY(take_list(reader, sizeof(uint32_t), sizeof(uint32_t), &lock->door_count, &list));
    uint32_t *doors = list;
    for (uint32_t d = 0; d < lock->door_count; d++) {
        doors[d] = read_u32(from(reader));
        if (d > 0 && doors[d] <= doors[d - 1]) {
            return damaged(reader, "doors of a lock are out of order");
        }
    }
    lock->doors = doors;
    return LOAM_OK;
}

static loam_status read_locks(content_reader *reader, loam_content_floor *floor) {
    void *list;
    LOAM_TRY(take_list(reader, LOCK_BYTES, sizeof(loam_lock), &floor->lock_count, &list));
    loam_lock *locks = list;
    for (uint32_t i = 0; i < floor->lock_count; i++) {
        LOAM_TRY(read_lock(reader, &locks[i]));
        if (i > 0 && loam_text_compare(locks[i - 1].name, locks[i].name) >= 0) {
            return damaged(reader, "locks are out of order");
        }
    }
    floor->locks = locks;
    return LOAM_OK;
}

static bool is_lock(const loam_content_floor *floor, loam_text name) {
    for (uint32_t i = 0; i < floor->lock_count; i++) {
        if (loam_text_equal(floor->locks[i].name, name)) {
            return true;
        }
    }
    return false;
}

static loam_status read_object(content_reader *reader, const loam_content_floor *floor,
                               loam_object *object) {
    uint8_t kind = read_u8(from(reader));
    object->kind = (loam_object_kind)kind;
    object->at = read_spot(reader);
    object->room = read_u32(from(reader));
    object->rule = read_u32(from(reader));
    object->blocking = read_u8(from(reader)) != 0;
    bool key = kind == LOAM_OBJECT_KEY;
    if (key) {
        object->key = read_text(from(reader));
    }
    bool ruled = object->rule < reader->rule_count || (key && object->rule == LOAM_RULE_NONE);
    if (kind >= LOAM_OBJECT_KINDS || !is_inside(floor, object->at) || !ruled ||
        (key && !is_lock(floor, object->key))) {
        return damaged(reader, "an object is out of range");
    }
    return LOAM_OK;
}

static loam_status read_objects(content_reader *reader, loam_content_floor *floor) {
    void *list;
    LOAM_TRY(take_list(reader, OBJECT_BYTES, sizeof(loam_object), &floor->object_count, &list));
    loam_object *objects = list;
    for (uint32_t i = 0; i < floor->object_count; i++) {
        LOAM_TRY(read_object(reader, floor, &objects[i]));
        if (i > 0 && !is_after(objects[i].at, objects[i - 1].at)) {
            return damaged(reader, "objects are out of order");
        }
    }
    floor->objects = objects;
    return LOAM_OK;
}

static bool is_step(loam_spot a, loam_spot b) {
    int32_t dx = a.x < b.x ? b.x - a.x : a.x - b.x;
    int32_t dy = a.y < b.y ? b.y - a.y : a.y - b.y;
    return dx + dy == 1;
}

/* It begins at the spawn, goes step by step and comes back. */
static loam_status read_route(content_reader *reader, const loam_content_floor *floor,
                              loam_spawn *spawn) {
    void *list;
    LOAM_TRY(take_list(reader, sizeof(loam_spot), sizeof(loam_spot), &spawn->route_count, &list));
    loam_spot *route = list;
    uint32_t count = spawn->route_count;
    bool whole = count > 0;
    for (uint32_t i = 0; i < count && whole; i++) {
        route[i] = read_spot(reader);
        whole = is_inside(floor, route[i]) && (i == 0 || is_step(route[i - 1], route[i]));
    }
    whole = whole && route[0].x == spawn->at.x && route[0].y == spawn->at.y;
    if (!whole || (count > 1 && !is_step(route[count - 1], route[0]))) {
        return damaged(reader, "a route is no closed walk");
    }
    spawn->route = route;
    return LOAM_OK;
}

static loam_status read_spawn(content_reader *reader, const loam_content_floor *floor,
                              loam_spawn *spawn) {
    uint8_t kind = read_u8(from(reader)), place = read_u8(from(reader));
    spawn->kind = (loam_spawn_kind)kind;
    spawn->place = (loam_place_kind)place;
    spawn->at = read_spot(reader);
    spawn->room = read_u32(from(reader));
    spawn->rule = read_u32(from(reader));
    spawn->guards = (loam_spot){-1, -1};
    if (kind >= LOAM_SPAWN_KINDS || place >= LOAM_PLACE_KINDS || !is_inside(floor, spawn->at) ||
        spawn->rule >= reader->rule_count) {
        return damaged(reader, "a spawn is out of range");
    }
    if (kind == LOAM_SPAWN_PATROL) {
        return read_route(reader, floor, spawn);
    }
    if (kind == LOAM_SPAWN_AMBUSH) {
        spawn->guards = read_spot(reader);
        return is_inside(floor, spawn->guards) ? LOAM_OK
                                               : damaged(reader, "a spawn guards no cell");
    }
    spawn->capacity = read_u32(from(reader));
    spawn->interval_s = read_u32(from(reader));
    return LOAM_OK;
}

static loam_status read_spawns(content_reader *reader, loam_content_floor *floor) {
    void *list;
    LOAM_TRY(take_list(reader, SPAWN_BYTES, sizeof(loam_spawn), &floor->spawn_count, &list));
    loam_spawn *spawns = list;
    for (uint32_t i = 0; i < floor->spawn_count; i++) {
        LOAM_TRY(read_spawn(reader, floor, &spawns[i]));
        spawns[i].id = floor->number << 16 | (i & 0xffff);
        if (i > 0 && !is_after(spawns[i].at, spawns[i - 1].at)) {
            return damaged(reader, "spawns are out of order");
        }
    }
    floor->spawns = spawns;
    return floor->spawn_count <= FLOOR_SPAWNS_MAX ? LOAM_OK : damaged(reader, "too many spawns");
}

static loam_status read_walk(content_reader *reader, loam_content_floor *floor) {
    void *list;
    LOAM_TRY(take_list(reader, STEP_BYTES, sizeof(loam_walk_step), &floor->walk_count, &list));
    loam_walk_step *steps = list;
    for (uint32_t i = 0; i < floor->walk_count; i++) {
        uint8_t act = read_u8(from(reader));
        steps[i] = (loam_walk_step){.act = (loam_act)act, .at = read_spot(reader)};
        steps[i].lock = read_u32(from(reader));
        steps[i].steps = read_u32(from(reader));
        steps[i].critical = read_u8(from(reader)) != 0;
        bool exit = act == LOAM_ACT_EXIT;
        if (act >= LOAM_ACTS || !is_inside(floor, steps[i].at) ||
            (exit ? steps[i].lock != 0 : steps[i].lock >= floor->lock_count)) {
            return damaged(reader, "a step of the walk is out of range");
        }
    }
    floor->walk = steps;
    return LOAM_OK;
}

static loam_status read_dropped(content_reader *reader, loam_content_floor *floor) {
    void *list;
    LOAM_TRY(
        take_list(reader, DROPPED_BYTES, sizeof(loam_dropped_rule), &floor->dropped_count, &list));
    loam_dropped_rule *dropped = list;
    for (uint32_t i = 0; i < floor->dropped_count; i++) {
        dropped[i].rule = read_u32(from(reader));
        dropped[i].reason.code = read_text(from(reader));
        dropped[i].reason.text = read_text(from(reader));
        if (dropped[i].rule >= reader->rule_count ||
            (i > 0 && dropped[i].rule <= dropped[i - 1].rule)) {
            return damaged(reader, "dropped rules are out of order");
        }
    }
    floor->dropped = dropped;
    return LOAM_OK;
}

static loam_status read_floor(content_reader *reader, loam_content_floor *floor) {
    floor->number = read_u32(from(reader));
    floor->width = read_i32(from(reader));
    floor->height = read_i32(from(reader));
    if (floor->number > FLOOR_NUMBER_MAX || floor->width < 1 || floor->height < 1 ||
        floor->width > LOAM_DUNGEON_SIDE_MAX || floor->height > LOAM_DUNGEON_SIDE_MAX) {
        return damaged(reader, "a floor is out of range");
    }
    LOAM_TRY(read_locks(reader, floor));
    LOAM_TRY(read_objects(reader, floor));
    LOAM_TRY(read_spawns(reader, floor));
    LOAM_TRY(read_walk(reader, floor));
    LOAM_TRY(read_dropped(reader, floor));
#define READ_METRIC(name_, text_) floor->metrics.name_ = read_i64(from(reader));
    LOAM_CONTENT_METRICS(READ_METRIC)
#undef READ_METRIC
    return LOAM_OK;
}

static loam_status read_head(content_reader *reader, loam_content *content) {
    const unsigned char *magic = read_bytes(from(reader), MAGIC_BYTES);
    uint16_t version = read_u16(from(reader));
    if (from(reader)->failed || memcmp(magic, CONTENT_MAGIC, MAGIC_BYTES) != 0 ||
        version != CONTENT_FORMAT_VERSION) {
        return damaged(reader, "it begins otherwise");
    }
    void *list;
    LOAM_TRY(take_list(reader, RULE_NAME_BYTES, sizeof(loam_text), &content->rule_count, &list));
    loam_text *rules = list;
    for (uint32_t i = 0; i < content->rule_count; i++) {
        rules[i] = read_text(from(reader));
    }
    content->rules = rules;
    reader->rule_count = content->rule_count;
    return LOAM_OK;
}

static loam_status read_floors(content_reader *reader, loam_content *content) {
    void *list;
    LOAM_TRY(take_list(reader, CONTENT_FLOOR_BYTES, sizeof(loam_content_floor),
                       &content->floor_count, &list));
    loam_content_floor *floors = list;
    for (uint32_t i = 0; i < content->floor_count; i++) {
        LOAM_TRY(read_floor(reader, &floors[i]));
        if (i > 0 && floors[i].number <= floors[i - 1].number) {
            return damaged(reader, "floors are out of order");
        }
    }
    content->floors = floors;
    return LOAM_OK;
}

loam_status loam_content_decode(const void *bytes, size_t size, loam_arena *arena,
                                loam_content *content, loam_error *error) {
    content_reader reader = {.base = {.arena = arena, .error = error}};
    reader_init(from(&reader), bytes, size);
    *content = (loam_content){0};
    LOAM_TRY(read_head(&reader, content));
    LOAM_TRY(read_floors(&reader, content));
    if (from(&reader)->failed || from(&reader)->left != 0) {
        return damaged(&reader, "it does not end where it should");
    }
    byte_comparison with = {bytes, size, false};
    loam_content_encode(content, (loam_sink){compare_bytes, &with});
    return with.differs || with.left != 0 ? damaged(&reader, "it is not written in the one way")
                                          : LOAM_OK;
}
