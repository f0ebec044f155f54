/* SPDX-License-Identifier: MIT
 *
 * check_spacing.c: whether two instances are closer than a spacing. The cell's own go one by one
 * into a table of squares as wide as the spacing: while none fails, a square holds at most four, so
 * the first pair ends the search and the work is linear whatever the points are. Only when all of
 * them pass are the strips around the cell evaluated, one after the other, and their points held
 * against the cell's: pairs of two neighbours are the neighbours' matter.
 */
#include "core/check/check.h"

#include "core/base/cancel.h"
#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/base/try.h"

/* Some hundred microseconds of work. */
enum { POINTS_BETWEEN_POLLS = 4096 };

/* The cell's points that were taken in so far. */
typedef struct spacing_table {
    const loam_points *points;
    int64_t spacing;
    uint32_t mask;
    uint32_t *heads; /* by hash of a square: a row and one, 0 ends */
    uint32_t *next;  /* by row */
} spacing_table;

/* The nearest of those that are too near. */
typedef struct spacing_match {
    uint32_t row; /* CHECK_NO_ROW: none */
    uint64_t squared;
} spacing_match;

static uint32_t square_hash(const spacing_table *table, int64_t column, int64_t row) {
    return (uint32_t)mix_pair((uint64_t)column, (uint64_t)row) & table->mask;
}

static loam_status table_init(spacing_table *table, const check_call *call) {
    uint32_t buckets = 16;
    while (buckets < call->points->count) {
        buckets *= 2;
    }
    table->points = call->points;
    table->spacing = call->check->spacing;
    table->mask = buckets - 1;
    table->heads = loam_arena_take_zero(call->run->arena, buckets, sizeof *table->heads);
    table->next =
        loam_arena_take(call->run->arena, (size_t)call->points->count + 1, sizeof *table->next);
    LOAM_TRY_MEMORY(table->heads, call->error);
    LOAM_TRY_MEMORY(table->next, call->error);
    return LOAM_OK;
}

static void table_add(spacing_table *table, uint32_t row) {
    uint32_t *head = &table->heads[square_hash(table, table->points->x[row] / table->spacing,
                                               table->points->z[row] / table->spacing)];
    table->next[row] = *head;
    *head = row + 1;
}

/* Squares of other places may share a list: a distance tells. */
static void search_square(const spacing_table *table, int64_t column, int64_t row, int64_t x,
                          int64_t z, spacing_match *match) {
    for (uint32_t at = table->heads[square_hash(table, column, row)]; at != 0;
         at = table->next[at - 1]) {
        int64_t dx = table->points->x[at - 1] - x;
        int64_t dz = table->points->z[at - 1] - z;
        uint64_t squared = (uint64_t)(dx * dx + dz * dz);
        if (squared < match->squared ||
            (squared == match->squared && at - 1 < match->row && match->row != CHECK_NO_ROW)) {
            *match = (spacing_match){at - 1, squared};
        }
    }
}

/* x and z from the corner of the cell, outside it too. */
static spacing_match table_search(const spacing_table *table, int64_t x, int64_t z) {
    spacing_match match = {CHECK_NO_ROW, (uint64_t)(table->spacing * table->spacing)};
    int64_t column = floor_divide(x, table->spacing);
    int64_t row = floor_divide(z, table->spacing);
    for (int64_t r = row - 1; r <= row + 1; r++) {
        for (int64_t c = column - 1; c <= column + 1; c++) {
            search_square(table, c, r, x, z, &match);
        }
    }
    return match;
}

static void note_pair(check_call *call, spacing_match match, uint64_t other) {
    check_note(
        call,
        (loam_check_reason){.kind = LOAM_CHECK_SPACING,
                            .failures = 1,
                            .id_count = 2,
                            .ids = {0, other},
                            .measured = true,
                            .scale_bits = CHECK_LENGTH_BITS,
                            .value = (int64_t)integer_root(match.squared << CHECK_LENGTH_BITS),
                            .limit = call->check->spacing * CHECK_LENGTH_PER_UNIT},
        match.row);
}

static loam_status poll(const check_call *call) {
    const int *cancel = call->run->cancel;
    bool cancelled = is_cancelled(cancel);
    return cancelled ? loam_fail(call->error, LOAM_CANCELLED, NULL, "%s",
                                 loam_status_text(LOAM_CANCELLED))
                     : LOAM_OK;
}

static loam_status search_cell(check_call *call, spacing_table *table, bool *found) {
    const loam_points *points = call->points;
    for (uint32_t row = 0; row < points->count && !*found; row++) {
        spacing_match match = table_search(table, points->x[row], points->z[row]);
        if (match.row != CHECK_NO_ROW) {
            note_pair(call, match, points->id[row]);
            *found = true;
        }
        table_add(table, row);
        if (row % POINTS_BETWEEN_POLLS == 0) {
            LOAM_TRY(poll(call));
        }
    }
    return LOAM_OK;
}

static loam_status search_strip(check_call *call, const spacing_table *table, loam_rect rect,
                                bool *found) {
    size_t mark = loam_arena_mark(call->run->arena);
    loam_query query = *call->query;
    loam_run run = *call->run;
    loam_points strip;
    query.rect = rect;
    run.trace = NULL;
    LOAM_TRY(loam_cell_build(&query, &run, &strip, call->error));
    int64_t shift_x = rect.x0 - call->points->rect.x0;
    int64_t shift_z = rect.z0 - call->points->rect.z0;
    for (uint32_t i = 0; i < strip.count && !*found; i++) {
        spacing_match match = table_search(table, strip.x[i] + shift_x, strip.z[i] + shift_z);
        if (match.row != CHECK_NO_ROW) {
            note_pair(call, match, strip.id[i]);
            *found = true;
        }
    }
    loam_arena_reset(call->run->arena, mark);
    return LOAM_OK;
}

loam_status check_spacing(check_call *call) {
    spacing_table table;
    loam_rect strips[LOAM_CHECK_STRIPS];
    bool found = false;
    LOAM_TRY(table_init(&table, call));
    LOAM_TRY(search_cell(call, &table, &found));
    uint32_t count =
        call->points->count == 0 ? 0 : loam_check_strips(call->check, call->points->rect, strips);
    for (uint32_t i = 0; i < count && !found; i++) {
        LOAM_TRY(search_strip(call, &table, strips[i], &found));
    }
    return LOAM_OK;
}

/* ---- Strips --------------------------------------------------------------------------------- */

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static loam_rect cut(loam_rect rect, loam_rect bounds) {
    return (loam_rect){larger(rect.x0, bounds.x0), larger(rect.z0, bounds.z0),
                       smaller(rect.x1, bounds.x1), smaller(rect.z1, bounds.z1)};
}

/* Each strip takes one corner: west the south-west one, and on clockwise. */
uint32_t loam_check_strips(const loam_check *check, loam_rect cell,
                           loam_rect strips[LOAM_CHECK_STRIPS]) {
    int64_t wide = check->spacing;
    const loam_rect around[LOAM_CHECK_STRIPS] = {
        {cell.x0 - wide, cell.z0 - wide, cell.x0, cell.z1},
        {cell.x0 - wide, cell.z1, cell.x1, cell.z1 + wide},
        {cell.x1, cell.z0, cell.x1 + wide, cell.z1 + wide},
        {cell.x0, cell.z0 - wide, cell.x1 + wide, cell.z0},
    };
    uint32_t count = 0;
    for (uint32_t i = 0; i < LOAM_CHECK_STRIPS; i++) {
        loam_rect strip = check->bounded ? cut(around[i], check->bounds) : around[i];
        if (strip.x0 < strip.x1 && strip.z0 < strip.z1) {
            strips[count++] = strip;
        }
    }
    return count;
}
