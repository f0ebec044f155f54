/* SPDX-License-Identifier: MIT
 *
 * check_write.c: `checks` in their canonical form, which is a part of the revision, and reasons of
 * verdicts; see check_document.h.
 */
#include "api/wire/check_document.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COUNT_BITS = 8, UNITS_BITS = 8 };

static bool asks(const loam_check *check, loam_check_kind kind) {
    return (check->kinds >> kind & 1u) != 0;
}

const loam_check *checks_of(const world *of, uint32_t output) {
    return of->checks == NULL || of->checks[output].kinds == 0 ? NULL : &of->checks[output];
}

/* ---- Canonical ------------------------------------------------------------------------------ */

static void write_decimal(text_buffer *buffer, const char *key, int64_t value, unsigned bits) {
    buffer_key(buffer, key);
    buffer_decimal(buffer, value, bits);
}

static void write_slot(text_buffer *buffer, const char *key, const world *of, uint32_t slot) {
    buffer_key(buffer, key);
    buffer_string_text(buffer, of->graph.slots[slot].name);
}

static void write_count(text_buffer *buffer, const loam_check *check) {
    buffer_key(buffer, "count");
    buffer_open_object(buffer);
    write_decimal(buffer, "max", check->count_max, COUNT_BITS);
    write_decimal(buffer, "min", check->count_min, COUNT_BITS);
    buffer_close_object(buffer);
}

static void write_ring(text_buffer *buffer, const world *of, const loam_check *check) {
    buffer_key(buffer, "ring");
    buffer_open_object(buffer);
    write_decimal(buffer, "width_m", check->ring, UNITS_BITS);
    write_slot(buffer, "zones", of, check->zones);
    buffer_close_object(buffer);
}

/* Names in order. */
static void write_check(text_buffer *buffer, const world *of, const loam_check *check) {
    bool floats = asks(check, LOAM_CHECK_FLOATING);
    buffer_open_object(buffer);
    if (asks(check, LOAM_CHECK_COUNT)) {
        write_count(buffer, check);
    }
    if (floats) {
        write_decimal(buffer, "floating_m", check->floating, UNITS_BITS);
    }
    if (asks(check, LOAM_CHECK_RING)) {
        write_ring(buffer, of, check);
    }
    if (floats) {
        buffer_key(buffer, "samples");
        buffer_unsigned(buffer, check->samples);
    }
    if (asks(check, LOAM_CHECK_SPACING)) {
        write_decimal(buffer, "spacing_m", check->spacing, UNITS_BITS);
    }
    if (floats) {
        write_slot(buffer, "surface", of, check->surface);
    }
    buffer_close_object(buffer);
}

/* An output that is asked for nothing is left out, and so is what holds no other. */
void checks_write(text_buffer *buffer, const world *of) {
    bool open = false;
    for (uint32_t i = 0; i < of->graph.output_count; i++) {
        const loam_check *check = checks_of(of, i);
        if (check == NULL) {
            continue;
        }
        if (!open) {
            buffer_key(buffer, "checks");
            buffer_open_object(buffer);
            buffer_key(buffer, "mode");
            buffer_string(buffer, of->check_warns ? "warn" : "fail");
            buffer_key(buffer, "outputs");
            buffer_open_object(buffer);
            open = true;
        }
        buffer_key_text(buffer, of->graph.outputs[i].name);
        write_check(buffer, of, check);
    }
    if (open) {
        buffer_close_object(buffer);
        buffer_close_object(buffer);
    }
}

loam_status checks_key(const loam_check *check, const loam_query *query, loam_arena *scratch,
                       digest *key, loam_error *error) {
    digest_stream stream;
    digest_begin(&stream);
    loam_status status = loam_check_key(check, query, digest_sink(&stream), scratch, error);
    *key = digest_end(&stream);
    return status;
}

/* ---- Reasons -------------------------------------------------------------------------------- */

static void write_place(text_buffer *buffer, const loam_check_reason *reason) {
    const int64_t place[] = {reason->x, reason->y, reason->z};
    buffer_key(buffer, "ids");
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < reason->id_count; i++) {
        buffer_unsigned_string(buffer, reason->ids[i]);
    }
    buffer_close_array(buffer);
    buffer_key(buffer, "position_m");
    buffer_open_array(buffer);
    for (size_t i = 0; i < 3; i++) {
        buffer_decimal(buffer, place[i], UNITS_BITS);
    }
    buffer_close_array(buffer);
}

static void write_reason(text_buffer *buffer, const loam_check_reason *reason) {
    buffer_open_object(buffer);
    buffer_key(buffer, "check");
    buffer_string(buffer, loam_check_name(reason->kind));
    if (reason->id_count > 0) {
        write_place(buffer, reason);
    }
    if (reason->kind == LOAM_CHECK_RING) {
        buffer_key(buffer, "inside");
        buffer_bool(buffer, reason->inside);
    }
    buffer_key(buffer, "failures");
    buffer_unsigned(buffer, reason->failures);
    buffer_key(buffer, "value");
    if (reason->measured) {
        buffer_decimal(buffer, reason->value, reason->scale_bits);
    } else {
        buffer_null(buffer);
    }
    write_decimal(buffer, "limit", reason->limit, reason->scale_bits);
    buffer_key(buffer, "unit");
    buffer_string(buffer, reason->kind == LOAM_CHECK_COUNT ? "1/km2" : "m");
    buffer_close_object(buffer);
}

void reasons_write(text_buffer *buffer, const loam_verdict *verdict) {
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < verdict->reason_count; i++) {
        write_reason(buffer, &verdict->reasons[i]);
    }
    buffer_close_array(buffer);
}

/* ---- In words ------------------------------------------------------------------------------- */

/* Thousandths, rounded down: the exact number stands in the reasons. */
enum { SHORT_BYTES = 32, WORDS_BYTES = 200 };
static const char *shortly(int64_t value, unsigned bits, char text[SHORT_BYTES]) {
    int64_t fraction = (value & (((int64_t)1 << bits) - 1)) * 1000 >> bits;
    snprintf(text, SHORT_BYTES, "%" PRId64 ".%03" PRId64, value >> bits, fraction);
    return text;
}

static void tell_count(const loam_check_reason *reason, const char *value, const char *limit,
                       char *words) {
    snprintf(words, WORDS_BYTES, "count: %s instances per km2, at %s %s wanted", value,
             reason->value < reason->limit ? "least" : "most", limit);
}

static void tell_ring(const loam_check_reason *reason, const char *value, const char *limit,
                      char *words) {
    if (reason->inside) {
        snprintf(words, WORDS_BYTES, "ring: %u instances, first %" PRIu64 ", which is in a zone",
                 reason->failures, reason->ids[0]);
    } else {
        snprintf(words, WORDS_BYTES,
                 "ring: %u instances, first %" PRIu64 ", %s m from a zone, %s m wanted",
                 reason->failures, reason->ids[0], value, limit);
    }
}

static void tell_floating(const loam_check_reason *reason, const char *value, const char *limit,
                          char *words) {
    if (reason->measured) {
        snprintf(words, WORDS_BYTES,
                 "floating: %u samples, first %" PRIu64
                 ", %s m off the ground, at most %s m wanted",
                 reason->failures, reason->ids[0], value, limit);
    } else {
        snprintf(words, WORDS_BYTES,
                 "floating: %u samples, first %" PRIu64 ", below which is no ground",
                 reason->failures, reason->ids[0]);
    }
}

static void tell_reason(const loam_check_reason *reason, char words[WORDS_BYTES]) {
    char value[SHORT_BYTES];
    char limit[SHORT_BYTES];
    shortly(reason->value, reason->scale_bits, value);
    shortly(reason->limit, reason->scale_bits, limit);
    switch (reason->kind) {
    case LOAM_CHECK_COUNT:
        tell_count(reason, value, limit, words);
        return;
    case LOAM_CHECK_SPACING:
        snprintf(words, WORDS_BYTES,
                 "spacing: instances %" PRIu64 " and %" PRIu64 " are %s m apart, %s m wanted",
                 reason->ids[0], reason->ids[1], value, limit);
        return;
    case LOAM_CHECK_RING:
        tell_ring(reason, value, limit, words);
        return;
    case LOAM_CHECK_FLOATING:
        tell_floating(reason, value, limit, words);
        return;
    case LOAM_CHECK_KINDS:
        words[0] = 0;
    }
}

void reasons_tell(const loam_verdict *verdict, char text[LOAM_ERROR_TEXT_BYTES]) {
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < verdict->reason_count; i++) {
        char words[WORDS_BYTES];
        tell_reason(&verdict->reasons[i], words);
        int size =
            snprintf(text + used, LOAM_ERROR_TEXT_BYTES - used, "%s%s", i == 0 ? "" : "; ", words);
        used += (size_t)size;
        if (used >= LOAM_ERROR_TEXT_BYTES) {
            return;
        }
    }
}
