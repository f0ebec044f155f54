/* SPDX-License-Identifier: MIT
 *
 * content_encode.c: canonical bytes of content (FORMAT.md, "Content"). The order of things is that
 * of their cells, so equal content gives equal bytes.
 */
#include "core/base/bytes.h"
#include "core/codec/format.h"
#include "core/loam_dungeon.h"

static void write_spot(byte_writer *writer, loam_spot at) {
    write_i32(writer, at.x);
    write_i32(writer, at.y);
}

static void write_locks(byte_writer *writer, const loam_content_floor *floor) {
    write_u32(writer, floor->lock_count);
    for (uint32_t i = 0; i < floor->lock_count; i++) {
        const loam_lock *lock = &floor->locks[i];
        write_text(writer, lock->name);
        write_u8(writer, lock->consumable);
        write_u32(writer, lock->door_count);
        for (uint32_t d = 0; d < lock->door_count; d++) {
            write_u32(writer, lock->doors[d]);
        }
    }
}

static void write_objects(byte_writer *writer, const loam_content_floor *floor) {
    write_u32(writer, floor->object_count);
    for (uint32_t i = 0; i < floor->object_count; i++) {
        const loam_object *object = &floor->objects[i];
        write_u8(writer, (uint8_t)object->kind);
        write_spot(writer, object->at);
        write_u32(writer, object->room);
        write_u32(writer, object->rule);
        write_u8(writer, object->blocking);
        if (object->kind == LOAM_OBJECT_KEY) {
            write_text(writer, object->key);
        }
    }
}

static void write_route(byte_writer *writer, const loam_spawn *spawn) {
    write_u32(writer, spawn->route_count);
    for (uint32_t i = 0; i < spawn->route_count; i++) {
        write_spot(writer, spawn->route[i]);
    }
}

static void write_spawns(byte_writer *writer, const loam_content_floor *floor) {
    write_u32(writer, floor->spawn_count);
    for (uint32_t i = 0; i < floor->spawn_count; i++) {
        const loam_spawn *spawn = &floor->spawns[i];
        write_u8(writer, (uint8_t)spawn->kind);
        write_u8(writer, (uint8_t)spawn->place);
        write_spot(writer, spawn->at);
        write_u32(writer, spawn->room);
        write_u32(writer, spawn->rule);
        if (spawn->kind == LOAM_SPAWN_PATROL) {
            write_route(writer, spawn);
        } else if (spawn->kind == LOAM_SPAWN_AMBUSH) {
            write_spot(writer, spawn->guards);
        } else {
            write_u32(writer, spawn->capacity);
            write_u32(writer, spawn->interval_s);
        }
    }
}

static void write_walk(byte_writer *writer, const loam_content_floor *floor) {
    write_u32(writer, floor->walk_count);
    for (uint32_t i = 0; i < floor->walk_count; i++) {
        const loam_walk_step *step = &floor->walk[i];
        write_u8(writer, (uint8_t)step->act);
        write_spot(writer, step->at);
        write_u32(writer, step->lock);
        write_u32(writer, step->steps);
        write_u8(writer, step->critical);
    }
}

static void write_dropped(byte_writer *writer, const loam_content_floor *floor) {
    write_u32(writer, floor->dropped_count);
    for (uint32_t i = 0; i < floor->dropped_count; i++) {
        write_u32(writer, floor->dropped[i].rule);
        write_text(writer, floor->dropped[i].reason.code);
        write_text(writer, floor->dropped[i].reason.text);
    }
}

static void write_content_floor(byte_writer *writer, const loam_content_floor *floor) {
    write_u32(writer, floor->number);
    write_i32(writer, floor->width);
    write_i32(writer, floor->height);
    write_locks(writer, floor);
    write_objects(writer, floor);
    write_spawns(writer, floor);
    write_walk(writer, floor);
    write_dropped(writer, floor);
#define WRITE_METRIC(name_, text_) write_i64(writer, floor->metrics.name_);
    LOAM_CONTENT_METRICS(WRITE_METRIC)
#undef WRITE_METRIC
}

void loam_content_encode(const loam_content *content, loam_sink sink) {
    byte_writer writer;
    writer_init(&writer, sink);
    write_bytes(&writer, CONTENT_MAGIC, MAGIC_BYTES);
    write_u16(&writer, CONTENT_FORMAT_VERSION);
    write_u32(&writer, content->rule_count);
    for (uint32_t i = 0; i < content->rule_count; i++) {
        write_text(&writer, content->rules[i]);
    }
    write_u32(&writer, content->floor_count);
    for (uint32_t i = 0; i < content->floor_count; i++) {
        write_content_floor(&writer, &content->floors[i]);
    }
    writer_flush(&writer);
}
