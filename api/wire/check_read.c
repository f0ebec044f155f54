/* SPDX-License-Identifier: MIT
 *
 * check_read.c: `checks` from JSON; see check_document.h. Numbers become integers by the schemas
 * below, as parameters of operations do: a spacing is rounded up, other lengths to nearest.
 */
#include "api/wire/check_document.h"

#include "api/wire/document.h"
#include "api/wire/value.h"
#include "core/base/limits.h"
#include "core/base/try.h"

#define NUMBER(key_, unit_, kind_, bits_, flags_, min_, max_)                                      \
    {                                                                                              \
        .key = key_, .unit = unit_, .kind = LOAM_PARAM_##kind_, .scale_bits = bits_,               \
        .flags = flags_, .initial = LOAM_UNSET, .min = min_, .max = max_                           \
    }

enum { COUNT_BITS = 8, UNITS_BITS = 8 };

static const loam_param_schema count_min =
    NUMBER("min", "", FLOAT, COUNT_BITS, 0, 0, LOAM_CHECK_COUNT_MAX);
static const loam_param_schema count_max =
    NUMBER("max", "", FLOAT, COUNT_BITS, 0, 0, LOAM_CHECK_COUNT_MAX);
static const loam_param_schema spacing =
    NUMBER("spacing_m", "m", FLOAT, UNITS_BITS, LOAM_PARAM_ROUND_UP | LOAM_PARAM_NONZERO, 0,
           CHECK_SPACING_UNITS_MAX);
static const loam_param_schema width =
    NUMBER("width_m", "m", FLOAT, UNITS_BITS, 0, 0, ZONE_MARGIN_UNITS_MAX);
static const loam_param_schema floating =
    NUMBER("floating_m", "m", FLOAT, UNITS_BITS, 0, 0, POINT_Y_UNITS_MAX);
static const loam_param_schema samples = NUMBER("samples", "", INT, 0, 0, 1, CHECK_SAMPLES_MAX);

/* One output being read. */
typedef struct check_reader {
    const loam_graph *graph;
    loam_check *to;
} check_reader;

static void ask(const check_reader *reader, loam_check_kind kind) {
    reader->to->kinds |= 1u << kind;
}

/* Leaves `value` as it is when the item is absent. */
static loam_status read_number(const item *at, const loam_param_schema *schema, int64_t *value) {
    loam_value read;
    if (item_present(at)) {
        LOAM_TRY(value_read(at, schema, NULL, &read));
        *value = read.integer;
    }
    return LOAM_OK;
}

/* A slot of the graph by its name, of one kind. */
static loam_status read_slot(const check_reader *reader, const item *at, loam_port_kind kind,
                             uint32_t *slot) {
    loam_text name;
    LOAM_TRY(item_text(at, &name));
    int32_t found = loam_graph_find_slot(reader->graph, name);
    if (found < 0) {
        return item_fail(at, LOAM_UNKNOWN_SLOT, "the graph has no slot \"%.*s\"",
                         name.size > NAME_BYTES_MAX ? NAME_BYTES_MAX : (int)name.size, name.bytes);
    }
    loam_port_kind is = reader->graph->slots[found].kind;
    *slot = (uint32_t)found;
    return is == kind ? LOAM_OK
                      : item_fail(at, LOAM_SLOT_MISMATCH, "the check wants %s, the slot takes %s",
                                  loam_port_kind_name(kind), loam_port_kind_name(is));
}

/* ---- Each check ----------------------------------------------------------------------------- */

static loam_status read_count(const check_reader *reader, const item *at) {
    static const char *const fields[] = {"min", "max", NULL};
    loam_check *to = reader->to;
    if (!item_present(at)) {
        return LOAM_OK;
    }
    LOAM_TRY(item_fields(at, fields));
    item min = item_field(at, "min");
    item max = item_field(at, "max");
    if (!item_present(&min) && !item_present(&max)) {
        return item_fail(at, LOAM_MISSING_FIELD, "min or max is required here");
    }
    to->count_max = LOAM_CHECK_COUNT_MAX;
    LOAM_TRY(read_number(&min, &count_min, &to->count_min));
    LOAM_TRY(read_number(&max, &count_max, &to->count_max));
    if (to->count_min > to->count_max) {
        return item_fail(&max, LOAM_OUT_OF_RANGE, "max must not be less than min");
    }
    ask(reader, LOAM_CHECK_COUNT);
    return LOAM_OK;
}

static loam_status read_spacing(const check_reader *reader, const item *at) {
    LOAM_TRY(read_number(at, &spacing, &reader->to->spacing));
    if (item_present(at)) {
        ask(reader, LOAM_CHECK_SPACING);
    }
    return LOAM_OK;
}

static loam_status read_ring(const check_reader *reader, const item *at) {
    static const char *const fields[] = {"zones", "width_m", NULL};
    if (!item_present(at)) {
        return LOAM_OK;
    }
    LOAM_TRY(item_fields(at, fields));
    item zones = item_field(at, "zones");
    item width_item = item_field(at, "width_m");
    loam_value read;
    loam_status slot = read_slot(reader, &zones, LOAM_PORT_AREAS, &reader->to->zones);
    LOAM_TRY(value_read(&width_item, &width, NULL, &read));
    LOAM_TRY(slot);
    reader->to->ring = read.integer;
    ask(reader, LOAM_CHECK_RING);
    return LOAM_OK;
}

/* The one heightfield of a graph; where there are several, the world says which. */
static loam_status find_ground(const check_reader *reader, const item *at, const item *surface) {
    uint32_t count = 0;
    if (item_present(surface)) {
        return read_slot(reader, surface, LOAM_PORT_HEIGHTFIELD, &reader->to->surface);
    }
    for (uint32_t i = 0; i < reader->graph->slot_count; i++) {
        if (reader->graph->slots[i].kind == LOAM_PORT_HEIGHTFIELD) {
            reader->to->surface = i;
            count++;
        }
    }
    if (count == 0) {
        return item_fail(at, LOAM_UNKNOWN_SLOT, "the graph has no heightfield to stand on");
    }
    return count == 1 ? LOAM_OK
                      : item_fail(surface, LOAM_MISSING_FIELD,
                                  "the graph has %u heightfields: name the slot of the ground",
                                  (unsigned)count);
}

static loam_status read_floating(const check_reader *reader, const item *output) {
    item at = item_field(output, "floating_m");
    item samples_item = item_field(output, "samples");
    item surface = item_field(output, "surface");
    int64_t count = CHECK_SAMPLES_DEFAULT;
    LOAM_TRY(read_number(&samples_item, &samples, &count));
    LOAM_TRY(read_number(&at, &floating, &reader->to->floating));
    reader->to->samples = (uint32_t)count;
    if (!item_present(&at)) {
        const item *alone = item_present(&samples_item) ? &samples_item : &surface;
        return item_present(alone)
                   ? item_fail(&at, LOAM_MISSING_FIELD,
                               "\"%s\" is for floating_m, which is missing", alone->key)
                   : LOAM_OK;
    }
    LOAM_TRY(find_ground(reader, &at, &surface));
    ask(reader, LOAM_CHECK_FLOATING);
    return LOAM_OK;
}

/* ---- The whole ------------------------------------------------------------------------------ */

static void read_output(const item *at, world *to) {
    static const char *const fields[] = {"count",   "spacing_m", "ring", "floating_m",
                                         "samples", "surface",   NULL};
    int32_t output = loam_graph_find_output(&to->graph, loam_text_of(at->key));
    if (output < 0) {
        item_fail(at, LOAM_UNKNOWN_OUTPUT, "the graph has no output \"%.64s\"", at->key);
        return;
    }
    if (item_object(at) != LOAM_OK) {
        return;
    }
    check_reader reader = {&to->graph, &to->checks[output]};
    item count = item_field(at, "count");
    item spacing_item = item_field(at, "spacing_m");
    item ring = item_field(at, "ring");
    loam_status each[] = {item_fields(at, fields), read_count(&reader, &count),
                          read_spacing(&reader, &spacing_item), read_ring(&reader, &ring),
                          read_floating(&reader, at)};
    (void)each; /* every fault is noted */
}

static void bound_neighbours(world *to) {
    const int64_t metre = LOAM_UNITS_PER_METRE;
    for (uint32_t i = 0; i < to->graph.output_count; i++) {
        to->checks[i].bounded = to->bounded;
        to->checks[i].bounds = (loam_rect){to->min_m[0] * metre, to->min_m[1] * metre,
                                           to->max_m[0] * metre, to->max_m[1] * metre};
    }
}

static loam_status read_mode(const item *at, bool *warns) {
    static const char *const modes[] = {"fail", "warn", NULL};
    static const loam_param_schema mode = {
        .key = "mode", .kind = LOAM_PARAM_CHOICE, .choices = modes, .max = 1};
    loam_value value = {0};
    if (item_present(at)) {
        LOAM_TRY(value_read(at, &mode, NULL, &value));
    }
    *warns = value.integer != 0;
    return LOAM_OK;
}

loam_status checks_read(const item *at, loam_arena *arena, world *to) {
    static const char *const fields[] = {"mode", "outputs", NULL};
    if (!item_present(at)) {
        return LOAM_OK;
    }
    LOAM_TRY(item_object(at));
    item_fields(at, fields);
    item mode = item_field(at, "mode");
    item outputs = item_field(at, "outputs");
    loam_status mode_status = read_mode(&mode, &to->check_warns);
    LOAM_TRY(item_object(&outputs));
    to->checks = loam_arena_take_zero(arena, to->graph.output_count, sizeof *to->checks);
    if (to->checks == NULL) {
        return item_fail_memory(at);
    }
    bound_neighbours(to);
    item child;
    for (void *i = item_next(&outputs, NULL, &child); i != NULL;
         i = item_next(&outputs, i, &child)) {
        read_output(&child, to);
    }
    return mode_status;
}
