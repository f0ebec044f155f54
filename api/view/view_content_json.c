/* SPDX-License-Identifier: MIT
 *
 * view_content_json.c: see view_content_json.h.
 */
#include "api/view/view_content_json.h"

#include "api/view/dungeon_view.h"

/* ---- Parts ----------------------------------------------------------------------------------- */

static void write_name(text_buffer *to, const char *key, loam_text name) {
    buffer_key(to, key);
    buffer_string_text(to, name);
}

static void write_place(text_buffer *to, loam_spot at, uint32_t room) {
    buffer_field_integer(to, "x", at.x);
    buffer_field_integer(to, "y", at.y);
    buffer_key(to, "room");
    if (room == LOAM_ROOM_NONE) {
        buffer_null(to);
    } else {
        buffer_unsigned(to, room);
    }
}

/* The rule that asked for it; null where none did. */
static void write_rule(text_buffer *to, const loam_content *content, uint32_t rule) {
    buffer_key(to, "rule");
    if (rule < content->rule_count) {
        buffer_string_text(to, content->rules[rule]);
    } else {
        buffer_null(to);
    }
}

/* ---- Objects --------------------------------------------------------------------------------- */

static void write_object(text_buffer *to, const loam_content *content, const loam_object *object) {
    buffer_open_object(to);
    buffer_field_string(to, "kind", loam_object_kind_name(object->kind));
    write_place(to, object->at, object->room);
    write_rule(to, content, object->rule);
    buffer_key(to, "blocking");
    buffer_bool(to, object->blocking);
    if (object->key.size > 0) {
        write_name(to, "lock", object->key);
    }
    buffer_close_object(to);
}

/* Keys and traps are what a server asks for most: each stands in a list of its own. */
static bool belongs(const loam_object *object, loam_object_kind list) {
    bool apart = object->kind == LOAM_OBJECT_KEY || object->kind == LOAM_OBJECT_TRAP;
    return list == LOAM_OBJECT_KINDS ? !apart : object->kind == list;
}

/* LOAM_OBJECT_KINDS: all the others. */
static void write_objects(text_buffer *to, const loam_content *content,
                          const loam_content_floor *floor, const char *key, loam_object_kind list) {
    buffer_key(to, key);
    buffer_open_array(to);
    for (uint32_t i = 0; i < floor->object_count; i++) {
        if (belongs(&floor->objects[i], list)) {
            write_object(to, content, &floor->objects[i]);
        }
    }
    buffer_close_array(to);
}

static void write_locks(text_buffer *to, const loam_content_floor *floor) {
    buffer_key(to, "locks");
    buffer_open_array(to);
    for (uint32_t i = 0; i < floor->lock_count; i++) {
        const loam_lock *lock = &floor->locks[i];
        buffer_open_object(to);
        write_name(to, "name", lock->name);
        buffer_key(to, "consumable");
        buffer_bool(to, lock->consumable);
        buffer_key(to, "doors");
        buffer_open_array(to);
        for (uint32_t j = 0; j < lock->door_count; j++) {
            buffer_unsigned(to, lock->doors[j]);
        }
        buffer_close_array(to);
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

/* ---- Proof ----------------------------------------------------------------------------------- */

static void write_validation(text_buffer *to, const loam_content *content,
                             const loam_content_floor *floor) {
    buffer_key(to, "validation");
    buffer_open_object(to);
    buffer_key(to, "solvable");
    buffer_bool(to, floor->metrics.solvable != 0);
    buffer_key(to, "dropped");
    buffer_open_array(to);
    for (uint32_t i = 0; i < floor->dropped_count; i++) {
        buffer_open_object(to);
        write_rule(to, content, floor->dropped[i].rule);
        write_name(to, "code", floor->dropped[i].reason.code);
        write_name(to, "text", floor->dropped[i].reason.text);
        buffer_close_object(to);
    }
    buffer_close_array(to);
    buffer_close_object(to);
}

static void write_walk(text_buffer *to, const loam_content_floor *floor) {
    buffer_key(to, "walkthrough");
    buffer_open_array(to);
    for (uint32_t i = 0; i < floor->walk_count; i++) {
        const loam_walk_step *step = &floor->walk[i];
        buffer_open_object(to);
        buffer_field_string(to, "act", loam_act_name(step->act));
        buffer_field_integer(to, "x", step->at.x);
        buffer_field_integer(to, "y", step->at.y);
        if (step->act != LOAM_ACT_EXIT) {
            write_name(to, "lock", floor->locks[step->lock].name);
        }
        buffer_field_integer(to, "steps", step->steps);
        buffer_key(to, "critical");
        buffer_bool(to, step->critical);
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

static void write_metrics(text_buffer *to, const loam_content_metrics *metrics) {
    buffer_key(to, "metrics");
    buffer_open_object(to);
#define WRITE_METRIC(name_, text_) buffer_field_integer(to, #name_, metrics->name_);
    LOAM_CONTENT_METRICS(WRITE_METRIC)
#undef WRITE_METRIC
    buffer_close_object(to);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void write_floor(text_buffer *to, const loam_content *content,
                        const loam_content_floor *floor) {
    write_objects(to, content, floor, "objects", LOAM_OBJECT_KINDS);
    write_objects(to, content, floor, "keys", LOAM_OBJECT_KEY);
    write_objects(to, content, floor, "traps", LOAM_OBJECT_TRAP);
    write_locks(to, floor);
    write_validation(to, content, floor);
    write_walk(to, floor);
    write_metrics(to, &floor->metrics);
}

static void write_floors(text_buffer *to, const loam_content *content) {
    buffer_key(to, "floors");
    buffer_open_array(to);
    for (uint32_t i = 0; i < content->floor_count; i++) {
        buffer_open_object(to);
        buffer_field_integer(to, "floor", content->floors[i].number);
        write_floor(to, content, &content->floors[i]);
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

digest content_digest_of(const loam_content *content) {
    digest_stream stream;
    digest_begin(&stream);
    loam_content_encode(content, digest_sink(&stream));
    return digest_end(&stream);
}

loam_status view_content_json(const loam_content *content, const content_keys *keys,
                              text_buffer *to) {
    buffer_open_object(to);
    buffer_key(to, "build_key");
    buffer_digest(to, &keys->build_key);
    buffer_key(to, "content_key");
    buffer_digest(to, &keys->content_key);
    buffer_key(to, "rules_digest");
    buffer_digest(to, &keys->rules);
    buffer_key(to, "digest");
    buffer_digest(to, &keys->content);
    if (content->floor_count == 1) {
        write_floor(to, content, &content->floors[0]);
    } else {
        write_floors(to, content);
    }
    buffer_close_object(to);
    return buffer_status(to);
}

/* ---- Spawns ---------------------------------------------------------------------------------- */

static void write_route(text_buffer *to, const loam_spawn *spawn) {
    buffer_key(to, "route");
    buffer_open_array(to);
    for (uint32_t i = 0; i < spawn->route_count; i++) {
        dungeon_write_spot(to, spawn->route[i]);
    }
    buffer_close_array(to);
}

static void write_spawn(text_buffer *to, const loam_content *content,
                        const loam_content_floor *floor, const loam_spawn *spawn) {
    buffer_open_object(to);
    buffer_key(to, "id");
    buffer_unsigned_string(to, spawn->id);
    buffer_field_string(to, "kind", loam_spawn_kind_name(spawn->kind));
    if (content->floor_count > 1) {
        buffer_field_integer(to, "floor", floor->number);
    }
    write_place(to, spawn->at, spawn->room);
    buffer_field_string(to, "place", loam_place_kind_name(spawn->place));
    write_rule(to, content, spawn->rule);
    if (spawn->kind == LOAM_SPAWN_PATROL) {
        write_route(to, spawn);
    } else if (spawn->kind == LOAM_SPAWN_AMBUSH) {
        buffer_key(to, "guards");
        dungeon_write_spot(to, spawn->guards);
    } else {
        buffer_field_integer(to, "capacity", spawn->capacity);
        buffer_field_integer(to, "interval_s", spawn->interval_s);
    }
    buffer_close_object(to);
}

loam_status view_spawns_json(const loam_content *content, text_buffer *to) {
    buffer_open_array(to);
    for (uint32_t i = 0; i < content->floor_count; i++) {
        const loam_content_floor *floor = &content->floors[i];
        for (uint32_t j = 0; j < floor->spawn_count; j++) {
            write_spawn(to, content, floor, &floor->spawns[j]);
        }
    }
    buffer_close_array(to);
    return buffer_status(to);
}
