/* SPDX-License-Identifier: MIT
 *
 * view_dungeon_json.c: see view_dungeon_json.h.
 */
#include "api/view/view_dungeon_json.h"

#include "api/view/dungeon_view.h"
#include "api/wire/rules_document.h"

static void hash_stage(const loam_dungeon *dungeon, loam_dungeon_stage stage, digest *to) {
    digest_stream stream;
    digest_begin(&stream);
    for (uint32_t i = 0; i < dungeon->floor_count; i++) {
        loam_stage_encode(dungeon, i, stage, digest_sink(&stream));
    }
    *to = digest_end(&stream);
}

dungeon_digests dungeon_digests_of(const loam_dungeon *dungeon, const digest *build_key) {
    dungeon_digests digests = {.build_key = *build_key};
    hash_stage(dungeon, LOAM_STAGE_LAYOUT, &digests.layout);
    hash_stage(dungeon, LOAM_STAGE_ASSEMBLY, &digests.assembly);
    return digests;
}

static void write_request(text_buffer *to, const loam_dungeon *dungeon) {
    buffer_key(to, "recipe");
    buffer_string_text(to, dungeon->recipe);
    buffer_key(to, "version");
    buffer_unsigned(to, dungeon->version);
    buffer_key(to, "seed");
    buffer_unsigned_string(to, dungeon->seed);
    buffer_key(to, "params");
    rules_document_write(to, dungeon->params);
    buffer_key(to, "policy");
    buffer_string(to, loam_policy_name(dungeon->policy));
    buffer_key(to, "status");
    buffer_string(to, loam_dungeon_status_name(dungeon->status));
}

static void write_attempts(text_buffer *to, const loam_dungeon_floor *floor) {
    buffer_key(to, "attempts");
    buffer_open_array(to);
    for (uint32_t i = 0; i < floor->attempt_count; i++) {
        const loam_attempt *attempt = &floor->attempts[i];
        buffer_open_object(to);
        buffer_key(to, "attempt");
        buffer_unsigned(to, attempt->attempt);
        buffer_key(to, "verdict");
        buffer_string(to, loam_attempt_verdict_name(attempt->verdict));
        buffer_key(to, "reasons");
        buffer_open_array(to);
        for (uint32_t k = 0; k < attempt->reason_count; k++) {
            buffer_open_object(to);
            buffer_key(to, "code");
            buffer_string_text(to, attempt->reasons[k].code);
            buffer_key(to, "detail");
            buffer_string_text(to, attempt->reasons[k].text);
            buffer_close_object(to);
        }
        buffer_close_array(to);
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

static void write_metrics(text_buffer *to, const loam_metrics *metrics) {
    buffer_key(to, "metrics");
    buffer_open_object(to);
#define WRITE_METRIC(name_, text_)                                                                 \
    buffer_key(to, #name_);                                                                        \
    buffer_integer(to, metrics->name_);
    LOAM_METRICS(WRITE_METRIC)
#undef WRITE_METRIC
    buffer_close_object(to);
}

static void write_floor(text_buffer *to, const loam_dungeon_floor *floor) {
    write_attempts(to, floor);
    dungeon_write_layout(to, &floor->layout);
    dungeon_write_assembly(to, &floor->layout, &floor->assembly);
    write_metrics(to, &floor->metrics);
}

/* Of several floors each is an object of its own, under its number. */
static void write_floors(text_buffer *to, const loam_dungeon *dungeon) {
    buffer_key(to, "floors");
    buffer_open_array(to);
    for (uint32_t i = 0; i < dungeon->floor_count; i++) {
        const loam_dungeon_floor *floor = &dungeon->floors[i];
        buffer_open_object(to);
        buffer_key(to, "floor");
        buffer_unsigned(to, floor->number);
        buffer_key(to, "status");
        buffer_string(to, loam_dungeon_status_name(floor->status));
        write_floor(to, floor);
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

static void write_stages(text_buffer *to, const dungeon_digests *digests) {
    buffer_key(to, "stages");
    buffer_open_object(to);
    buffer_key(to, "layout");
    buffer_digest(to, &digests->layout);
    buffer_key(to, "assembly");
    buffer_digest(to, &digests->assembly);
    buffer_close_object(to);
}

loam_status view_dungeon_json(const loam_dungeon *dungeon, const dungeon_digests *digests,
                              text_buffer *to) {
    buffer_open_object(to);
    buffer_key(to, "build_key");
    buffer_digest(to, &digests->build_key);
    write_request(to, dungeon);
    buffer_key(to, "cell_size_m");
    buffer_decimal(to, dungeon->cell_size_units, 8);
    write_stages(to, digests);
    if (dungeon->floor_count == 1) {
        write_floor(to, &dungeon->floors[0]);
    } else {
        write_floors(to, dungeon);
    }
    buffer_close_object(to);
    return buffer_status(to);
}

static void write_stage(text_buffer *to, const loam_dungeon_floor *floor,
                        loam_dungeon_stage stage) {
    if (stage == LOAM_STAGE_LAYOUT) {
        dungeon_write_layout(to, &floor->layout);
    } else {
        dungeon_write_assembly(to, &floor->layout, &floor->assembly);
    }
}

static void write_stage_floors(text_buffer *to, const loam_dungeon *dungeon,
                               loam_dungeon_stage stage) {
    buffer_key(to, "floors");
    buffer_open_array(to);
    for (uint32_t i = 0; i < dungeon->floor_count; i++) {
        buffer_open_object(to);
        buffer_key(to, "floor");
        buffer_unsigned(to, dungeon->floors[i].number);
        write_stage(to, &dungeon->floors[i], stage);
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

loam_status view_dungeon_stage_json(const loam_dungeon *dungeon, const dungeon_digests *digests,
                                    loam_dungeon_stage stage, text_buffer *to) {
    const bool layout = stage == LOAM_STAGE_LAYOUT;
    buffer_open_object(to);
    buffer_key(to, "build_key");
    buffer_digest(to, &digests->build_key);
    buffer_key(to, "stage");
    buffer_string(to, layout ? "layout" : "assembly");
    buffer_key(to, "digest");
    buffer_digest(to, layout ? &digests->layout : &digests->assembly);
    if (dungeon->floor_count == 1) {
        write_stage(to, &dungeon->floors[0], stage);
    } else {
        write_stage_floors(to, dungeon, stage);
    }
    buffer_close_object(to);
    return buffer_status(to);
}
