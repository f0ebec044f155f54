/* SPDX-License-Identifier: MIT
 *
 * check_key.c: the bytes that, with an artifact's digest, name a verdict: the check's numbers and
 * what can be seen from the cell of zones, ground and neighbours, to the grain of build keys.
 * Moving a zone makes only cells in its reach be judged again.
 */
#include "core/check/check.h"

#include "core/base/try.h"
#include "core/space/areas.h"
#include "core/space/heightfield.h"

static const char check_domain[] = "loam-check/1";

loam_status check_slots(const loam_check *check, const loam_query *query, loam_error *error) {
    bool zones = !loam_check_asks(check, LOAM_CHECK_RING) ||
                 query->slots[check->zones].kind == LOAM_PORT_AREAS;
    bool surface = !loam_check_asks(check, LOAM_CHECK_FLOATING) ||
                   query->slots[check->surface].kind == LOAM_PORT_HEIGHTFIELD;
    return zones && surface ? LOAM_OK
                            : loam_fail(error, LOAM_SLOT_MISMATCH, NULL, "%s",
                                        loam_status_text(LOAM_SLOT_MISMATCH));
}

static void write_numbers(byte_writer *writer, const loam_check *check) {
    write_u32(writer, check->kinds);
    if (loam_check_asks(check, LOAM_CHECK_COUNT)) {
        write_i64(writer, check->count_min);
        write_i64(writer, check->count_max);
    }
    if (loam_check_asks(check, LOAM_CHECK_FLOATING)) {
        write_i64(writer, check->floating);
        write_u32(writer, check->samples);
    }
}

/* Neighbours by the build keys of the strips that they come from. */
static loam_status write_neighbours(const loam_check *check, const loam_query *query,
                                    loam_sink sink, loam_arena *scratch, loam_error *error) {
    loam_rect strips[LOAM_CHECK_STRIPS];
    uint32_t count = loam_check_strips(check, query->rect, strips);
    for (uint32_t i = 0; i < count; i++) {
        loam_query strip = *query;
        strip.rect = strips[i];
        LOAM_TRY(loam_cell_key(&strip, sink, scratch, error));
    }
    return LOAM_OK;
}

loam_status loam_check_key(const loam_check *check, const loam_query *query, loam_sink sink,
                           loam_arena *scratch, loam_error *error) {
    byte_writer writer;
    LOAM_TRY(check_slots(check, query, error));
    writer_init(&writer, sink);
    write_bytes(&writer, check_domain, sizeof check_domain - 1);
    write_numbers(&writer, check);
    if (loam_check_asks(check, LOAM_CHECK_RING)) {
        const areas_view view = {.margin_units = check->ring};
        write_i64(&writer, check->ring);
        loam_status status = areas_key_write(&writer, query->slots[check->zones].areas, &view,
                                             query->rect, false, scratch);
        if (status != LOAM_OK) {
            return loam_fail(error, status, NULL, "%s", loam_status_text(status));
        }
    }
    if (loam_check_asks(check, LOAM_CHECK_FLOATING)) {
        heightfield_see(query->slots[check->surface].heightfield, query->rect, &writer);
    }
    if (loam_check_asks(check, LOAM_CHECK_SPACING)) {
        write_i64(&writer, check->spacing);
        writer_flush(&writer);
        return write_neighbours(check, query, sink, scratch, error);
    }
    writer_flush(&writer);
    return LOAM_OK;
}
