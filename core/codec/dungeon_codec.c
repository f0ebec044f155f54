/* SPDX-License-Identifier: MIT
 *
 * dungeon_codec.c: canonical bytes of a whole dungeon, out and in (FORMAT.md, "Dungeons"). What was
 * decoded is encoded again and compared, so that one dungeon has one spelling.
 */
#include "core/base/rules_tree.h"
#include "core/base/try.h"
#include "core/codec/dungeon_form.h"
#include "core/codec/format.h"
#include "core/layout/layout.h"

#include <string.h>

enum { FLOOR_BYTES_MIN = 64, ATTEMPT_BYTES_MIN = 17, REASON_BYTES_MIN = 8 };

static void write_attempts(byte_writer *writer, const loam_dungeon_floor *floor) {
    write_u32(writer, floor->attempt_count);
    for (uint32_t i = 0; i < floor->attempt_count; i++) {
        const loam_attempt *attempt = &floor->attempts[i];
        write_u8(writer, (uint8_t)attempt->verdict);
        write_u64(writer, attempt->steps);
        write_u32(writer, attempt->reason_count);
        for (uint32_t r = 0; r < attempt->reason_count; r++) {
            write_text(writer, attempt->reasons[r].code);
            write_text(writer, attempt->reasons[r].text);
        }
    }
    write_u32(writer, floor->chosen);
}

static void write_floor(byte_writer *writer, const loam_dungeon *dungeon,
                        const loam_dungeon_floor *floor) {
    write_u32(writer, floor->number);
    write_u8(writer, (uint8_t)floor->status);
    write_attempts(writer, floor);
#define WRITE_METRIC(name_, text_) write_i64(writer, floor->metrics.name_);
    LOAM_METRICS(WRITE_METRIC)
#undef WRITE_METRIC
    layout_write(writer, &floor->layout);
    assembly_write(writer, &floor->layout, &floor->assembly, dungeon->outside_open);
}

void loam_dungeon_encode(const loam_dungeon *dungeon, loam_sink sink) {
    byte_writer writer;
    writer_init(&writer, sink);
    write_bytes(&writer, DUNGEON_MAGIC, MAGIC_BYTES);
    write_u16(&writer, DUNGEON_FORMAT_VERSION);
    write_text(&writer, dungeon->recipe);
    write_u16(&writer, dungeon->version);
    write_u64(&writer, dungeon->seed);
    write_u8(&writer, (uint8_t)dungeon->policy);
    rules_tree_write(&writer, dungeon->params);
    write_u32(&writer, dungeon->floor_count);
    for (uint32_t i = 0; i < dungeon->floor_count; i++) {
        write_floor(&writer, dungeon, &dungeon->floors[i]);
    }
    writer_flush(&writer);
}

void loam_stage_encode(const loam_dungeon *dungeon, uint32_t floor, loam_dungeon_stage stage,
                       loam_sink sink) {
    byte_writer writer;
    writer_init(&writer, sink);
    const loam_dungeon_floor *from = &dungeon->floors[floor];
    if (stage == LOAM_STAGE_LAYOUT) {
        layout_write(&writer, &from->layout);
    } else {
        assembly_write(&writer, &from->layout, &from->assembly, dungeon->outside_open);
    }
    writer_flush(&writer);
}

static loam_status read_reasons(dungeon_reader *reader, loam_attempt *attempt) {
    LOAM_TRY(read_count(reader, REASON_BYTES_MIN, &attempt->reason_count));
    loam_reason *reasons = loam_arena_take(reader->arena, attempt->reason_count, sizeof *reasons);
    LOAM_TRY_MEMORY(reasons, reader->error);
    for (uint32_t i = 0; i < attempt->reason_count; i++) {
        reasons[i].code = read_text(&reader->from);
        reasons[i].text = read_text(&reader->from);
    }
    attempt->reasons = reasons;
    return LOAM_OK;
}

static loam_status read_attempts(dungeon_reader *reader, loam_dungeon_floor *floor) {
    LOAM_TRY(read_count(reader, ATTEMPT_BYTES_MIN - 4, &floor->attempt_count));
    loam_attempt *attempts = loam_arena_take(reader->arena, floor->attempt_count, sizeof *attempts);
    LOAM_TRY_MEMORY(attempts, reader->error);
    for (uint32_t i = 0; i < floor->attempt_count; i++) {
        uint8_t verdict = read_u8(&reader->from);
        attempts[i] = (loam_attempt){.attempt = i, .verdict = (loam_attempt_verdict)verdict};
        attempts[i].steps = read_u64(&reader->from);
        if (verdict > LOAM_VERDICT_FAILED) {
            return dungeon_damaged(reader->error, "a verdict is of no known kind");
        }
        LOAM_TRY(read_reasons(reader, &attempts[i]));
    }
    floor->attempts = attempts;
    floor->chosen = read_u32(&reader->from);
    bool fallback = floor->status == LOAM_DUNGEON_FALLBACK;
    bool legal =
        fallback ? floor->chosen == floor->attempt_count : floor->chosen < floor->attempt_count;
    return legal ? LOAM_OK : dungeon_damaged(reader->error, "no attempt was chosen");
}

static loam_status read_floor(dungeon_reader *reader, loam_dungeon *dungeon,
                              loam_dungeon_floor *floor) {
    floor->number = read_u32(&reader->from);
    uint8_t status = read_u8(&reader->from);
    floor->status = (loam_dungeon_status)status;
    if (status > LOAM_DUNGEON_FALLBACK || floor->number >= LAYOUT_FLOORS_LIMIT) {
        return dungeon_damaged(reader->error, "a floor is out of range");
    }
    LOAM_TRY(read_attempts(reader, floor));
#define READ_METRIC(name_, text_) floor->metrics.name_ = read_i64(&reader->from);
    LOAM_METRICS(READ_METRIC)
#undef READ_METRIC
    LOAM_TRY(layout_read(reader, &floor->layout));
    LOAM_TRY(assembly_read(reader, &floor->layout, dungeon->outside_open, &floor->assembly));
    dungeon->status = floor->status > dungeon->status ? floor->status : dungeon->status;
    return LOAM_OK;
}

static const loam_rules *param_of(const loam_rules *params, const char *key) {
    for (uint32_t i = 0; i < params->count; i++) {
        if (loam_text_equal(params->keys[i], loam_text_of(key))) {
            return &params->items[i];
        }
    }
    return NULL;
}

/* What the head says by its parameters. */
static loam_status read_params(dungeon_reader *reader, loam_dungeon *dungeon) {
    loam_rules *params = loam_arena_take(reader->arena, 1, sizeof *params);
    LOAM_TRY_MEMORY(params, reader->error);
    loam_status status = rules_tree_read(&reader->from, reader->arena, params);
    if (status == LOAM_ARENA_FULL) {
        return loam_fail(reader->error, status, NULL, "%s", loam_status_text(status));
    }
    if (status != LOAM_OK || params->kind != LOAM_RULES_OBJECT) {
        return dungeon_damaged(reader->error, "the parameters are no document");
    }
    dungeon->params = params;
    const loam_rules *outside = param_of(params, "outside"),
                     *size = param_of(params, "cell_size_m");
    dungeon->outside_open = outside != NULL && outside->kind == LOAM_RULES_TEXT &&
                            loam_text_equal(outside->text, loam_text_of("open"));
    int32_t shift = size == NULL ? 0 : size->exponent + BITS_UNITS;
    if (size == NULL || size->kind != LOAM_RULES_NUMBER || shift < 0 || shift > 24 ||
        size->mantissa < 1 || size->mantissa > INT32_MAX) {
        return dungeon_damaged(reader->error, "cells have no size");
    }
    dungeon->cell_size_units = size->mantissa << shift;
    return LOAM_OK;
}

static loam_status read_head(dungeon_reader *reader, loam_dungeon *dungeon) {
    const unsigned char *magic = read_bytes(&reader->from, MAGIC_BYTES);
    uint16_t version = read_u16(&reader->from);
    if (reader->from.failed || memcmp(magic, DUNGEON_MAGIC, MAGIC_BYTES) != 0 ||
        version != DUNGEON_FORMAT_VERSION) {
        return dungeon_damaged(reader->error, "it begins otherwise");
    }
    dungeon->recipe = read_text(&reader->from);
    dungeon->version = read_u16(&reader->from);
    dungeon->seed = read_u64(&reader->from);
    uint8_t policy = read_u8(&reader->from);
    dungeon->policy = (loam_policy)policy;
    if (reader->from.failed || policy > LOAM_POLICY_FALLBACK) {
        return dungeon_damaged(reader->error, "the policy is of no known kind");
    }
    return read_params(reader, dungeon);
}

static loam_status read_floors(dungeon_reader *reader, loam_dungeon *dungeon) {
    LOAM_TRY(read_count(reader, FLOOR_BYTES_MIN, &dungeon->floor_count));
    if (dungeon->floor_count == 0 || dungeon->floor_count > LAYOUT_FLOORS_LIMIT) {
        return dungeon_damaged(reader->error, "the count of floors is out of range");
    }
    loam_dungeon_floor *floors =
        loam_arena_take_zero(reader->arena, dungeon->floor_count, sizeof *floors);
    LOAM_TRY_MEMORY(floors, reader->error);
    dungeon->floors = floors;
    for (uint32_t i = 0; i < dungeon->floor_count; i++) {
        LOAM_TRY(read_floor(reader, dungeon, &floors[i]));
        if (i > 0 && floors[i].number != floors[i - 1].number + 1) {
            return dungeon_damaged(reader->error, "floors are out of order");
        }
    }
    return LOAM_OK;
}

loam_status loam_dungeon_decode(const void *bytes, size_t size, loam_arena *arena,
                                loam_dungeon *dungeon, loam_error *error) {
    dungeon_reader reader = {.arena = arena, .error = error};
    reader_init(&reader.from, bytes, size);
    *dungeon = (loam_dungeon){0};
    LOAM_TRY(read_head(&reader, dungeon));
    LOAM_TRY(read_floors(&reader, dungeon));
    if (reader.from.failed || reader.from.left != 0) {
        return dungeon_damaged(error, "it does not end where it should");
    }
    byte_comparison with = {bytes, size, false};
    loam_dungeon_encode(dungeon, (loam_sink){compare_bytes, &with});
    if (with.differs || with.left != 0) {
        return dungeon_damaged(error, "it is not written in the one way");
    }
    return LOAM_OK;
}
