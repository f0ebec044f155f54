/* SPDX-License-Identifier: MIT
 *
 * check.c: a cell against what its world expects of it; spacing has a file of its own. Pure: the
 * same artifact, check and surroundings give the same verdict, whoever judges and when. Samples are
 * drawn by id, so that a cell's are the same ones each time.
 */
#include "core/check/check.h"

#include "core/base/fixed_math.h"
#include "core/base/limits.h"
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/space/areas.h"
#include "core/space/heightfield.h"

__extension__ typedef unsigned __int128 check_wide;

#define SQUARE_METRES_PER_KM2 1000000
#define SQUARE_UNITS_PER_METRE ((int64_t)LOAM_UNITS_PER_METRE * LOAM_UNITS_PER_METRE)

const char *loam_check_name(loam_check_kind kind) {
    static const char *const names[LOAM_CHECK_KINDS] = {"count", "spacing", "ring", "floating"};
    return names[kind];
}

void check_note(check_call *call, loam_check_reason reason, uint32_t row) {
    loam_check_reason *to = &call->verdict->reasons[call->verdict->reason_count++];
    *to = reason;
    if (row != CHECK_NO_ROW) {
        const loam_points *points = call->points;
        to->ids[0] = points->id[row];
        to->id_count = reason.id_count > 1 ? reason.id_count : 1;
        to->x = points->rect.x0 + points->x[row];
        to->y = points->y[row];
        to->z = points->rect.z0 + points->z[row];
    }
}

/* ---- Count ---------------------------------------------------------------------------------- */

/* count / area >= bound and so on, multiplied out. */
static void check_count(check_call *call) {
    const loam_check *check = call->check;
    loam_rect rect = call->points->rect;
    check_wide area = (check_wide)(rect.x1 - rect.x0) * (check_wide)(rect.z1 - rect.z0);
    check_wide count =
        (check_wide)call->points->count * SQUARE_METRES_PER_KM2 * SQUARE_UNITS_PER_METRE
        << CHECK_COUNT_BITS;
    bool few = count < (check_wide)check->count_min * area;
    bool many = count > (check_wide)check->count_max * area;
    if (few || many) {
        check_note(call,
                   (loam_check_reason){.kind = LOAM_CHECK_COUNT,
                                       .failures = 1,
                                       .measured = true,
                                       .scale_bits = CHECK_COUNT_BITS,
                                       .value = (int64_t)(count / area),
                                       .limit = few ? check->count_min : check->count_max},
                   CHECK_NO_ROW);
    }
}

/* ---- Ring ----------------------------------------------------------------------------------- */

static loam_status ring_budget(check_call *call, const loam_areas *areas, const areas_view *view) {
    uint64_t tests =
        (uint64_t)areas_edge_count(areas, view, call->points->rect) * call->points->count;
    if (tests > TESTS_PER_CELL_MAX) {
        return loam_fail(call->error, LOAM_BUDGET_EXCEEDED, NULL,
                         "%llu segment tests of a check are more than %llu",
                         (unsigned long long)tests, (unsigned long long)TESTS_PER_CELL_MAX);
    }
    return LOAM_OK;
}

/* How far the instance that fails stands from the border. */
static loam_status ring_measure(check_call *call, const loam_areas *areas, uint32_t row,
                                loam_check_reason *reason) {
    const loam_points *points = call->points;
    const areas_points one = {points->rect.x0, points->rect.z0, &points->x[row], &points->z[row],
                              1};
    uint8_t inside = 0;
    uint64_t squared = AREA_DISTANCE2_NONE;
    LOAM_TRY(areas_nearest(areas, call->check->ring, &one, &inside, &squared, call->run->arena));
    reason->inside = inside != 0;
    reason->value =
        inside != 0 || squared == AREA_DISTANCE2_NONE ? 0 : (int64_t)integer_root(squared);
    return LOAM_OK;
}

static loam_status check_ring(check_call *call) {
    const loam_areas *areas = call->query->slots[call->check->zones].areas;
    const loam_points *points = call->points;
    const areas_view view = {.margin_units = call->check->ring};
    const areas_points all = {points->rect.x0, points->rect.z0, points->x, points->z,
                              points->count};
    loam_check_reason reason = {.kind = LOAM_CHECK_RING,
                                .measured = true,
                                .scale_bits = CHECK_LENGTH_BITS,
                                .limit = call->check->ring * CHECK_LENGTH_PER_UNIT};
    uint32_t first = CHECK_NO_ROW;
    LOAM_TRY(ring_budget(call, areas, &view));
    uint8_t *inside = loam_arena_take_zero(call->run->arena, (size_t)points->count + 1, 1);
    LOAM_TRY_MEMORY(inside, call->error);
    LOAM_TRY(areas_veto(areas, &view, &all, inside, call->run->arena));
    for (uint32_t i = 0; i < points->count; i++) {
        first = inside[i] != 0 && first == CHECK_NO_ROW ? i : first;
        reason.failures += inside[i] != 0;
    }
    if (first != CHECK_NO_ROW) {
        LOAM_TRY(ring_measure(call, areas, first, &reason));
        check_note(call, reason, first);
    }
    return LOAM_OK;
}

/* ---- Floating ------------------------------------------------------------------------------- */

/* One of each of `samples` equal runs of the canonical order, drawn by the ids at its start: spread
 * over the cell, and the same ones whenever the cell is the same. */
static uint32_t sample_row(const loam_points *points, uint32_t samples, uint32_t number) {
    if (samples >= points->count) {
        return number;
    }
    uint64_t first = (uint64_t)number * points->count / samples;
    uint64_t end = (uint64_t)(number + 1) * points->count / samples;
    return (uint32_t)(first + mix_pair(points->id[first], number) % (end - first));
}

/* The distance to the ground, both in units as y is; false where there is none. */
static bool measure_height(const check_call *call, uint32_t row, int64_t *distance) {
    const loam_points *points = call->points;
    const loam_heightfield *field = call->query->slots[call->check->surface].heightfield;
    int64_t value = 0;
    if (!heightfield_value(field, points->rect.x0 + points->x[row],
                           points->rect.z0 + points->z[row], &value)) {
        return false;
    }
    int64_t ground = floor_divide(value + CHECK_LENGTH_PER_UNIT / 2, CHECK_LENGTH_PER_UNIT);
    *distance = points->y[row] > ground ? points->y[row] - ground : ground - points->y[row];
    return true;
}

static void check_floating(check_call *call) {
    const loam_points *points = call->points;
    uint32_t samples = call->check->samples;
    loam_check_reason reason = {.kind = LOAM_CHECK_FLOATING,
                                .scale_bits = CHECK_LENGTH_BITS,
                                .limit = call->check->floating * CHECK_LENGTH_PER_UNIT};
    uint32_t first = CHECK_NO_ROW;
    for (uint32_t i = 0; i < samples && i < points->count; i++) {
        uint32_t row = sample_row(points, samples, i);
        int64_t distance = 0;
        bool ground = measure_height(call, row, &distance);
        if (ground && distance <= call->check->floating) {
            continue;
        }
        if (reason.failures++ == 0) {
            first = row;
            reason.measured = ground;
            reason.value = distance * CHECK_LENGTH_PER_UNIT;
        }
    }
    if (first != CHECK_NO_ROW) {
        check_note(call, reason, first);
    }
}

/* ---- All ------------------------------------------------------------------------------------ */

static loam_status check_legal(check_call *call) {
    const loam_rect *a = &call->query->rect;
    const loam_rect *b = &call->points->rect;
    if (a->x0 != b->x0 || a->z0 != b->z0 || a->x1 != b->x1 || a->z1 != b->z1) {
        return loam_fail(call->error, LOAM_SIZE_MISMATCH, NULL,
                         "the points are of another rectangle");
    }
    return LOAM_OK;
}

static loam_status judge(check_call *call) {
    const loam_check *check = call->check;
    LOAM_TRY(check_legal(call));
    if (loam_check_asks(check, LOAM_CHECK_COUNT)) {
        check_count(call);
    }
    if (loam_check_asks(check, LOAM_CHECK_SPACING)) {
        LOAM_TRY(check_spacing(call));
    }
    if (loam_check_asks(check, LOAM_CHECK_RING)) {
        LOAM_TRY(check_ring(call));
    }
    if (loam_check_asks(check, LOAM_CHECK_FLOATING)) {
        check_floating(call);
    }
    return LOAM_OK;
}

loam_status loam_check_cell(const loam_check *check, const loam_query *query,
                            const loam_points *points, const loam_run *run, loam_verdict *verdict,
                            loam_error *error) {
    check_call call = {check, query, points, run, verdict, error};
    size_t mark = loam_arena_mark(run->arena);
    *verdict = (loam_verdict){0};
    loam_status status = check_slots(check, query, error);
    if (status == LOAM_OK) {
        status = judge(&call);
    }
    loam_arena_reset(run->arena, mark);
    return status == LOAM_OK ? LOAM_OK
                             : loam_fail(error, status, NULL, "%s", loam_status_text(status));
}
