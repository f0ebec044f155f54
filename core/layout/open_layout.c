/* SPDX-License-Identifier: MIT
 *
 * open_layout.c: see open_layout.h.
 */
#include "core/layout/open_layout.h"

#include "core/base/cancel.h"
#include "core/base/try.h"
#include "core/grid/region_join.h"
#include "core/grid/walk_field.h"

#include <stdarg.h>
#include <stdio.h>

void layout_give_up(layout_call *call, const char *word, const char *format, ...) {
    if (call->fault.word == NULL) {
        call->fault.word = word;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(call->fault.text, sizeof call->fault.text, format, arguments);
        va_end(arguments);
    }
}

bool layout_count(layout_call *call, uint64_t steps) {
    call->steps += steps;
    if (call->steps <= call->steps_max) {
        return true;
    }
    layout_give_up(call, "budget", "more than %llu steps", (unsigned long long)call->steps_max);
    return false;
}

loam_status layout_poll(const layout_call *call) {
    return is_cancelled(call->cancel) ? loam_fail(call->error, LOAM_CANCELLED, NULL, "%s",
                                                  loam_status_text(LOAM_CANCELLED))
                                      : LOAM_OK;
}

/* The grid; regions twice: before joining and after; joining and walking. */
uint64_t open_layout_bytes(layout_size size) {
    uint64_t join = region_join_bytes(size.width, size.height);
    uint64_t walk = walk_field_bytes(size.width, size.height, 0);
    uint64_t find =
        bit_rows_bytes(size.width, size.height) + regions_bytes(size.width, size.height);
    return (uint64_t)size.width * (uint64_t)size.height + BITS_A_WORD + 2 * find + join + walk;
}

/* Joining looks at each cell once and at meetings on two of its sides; two walks at each cell. */
uint64_t open_layout_steps(layout_size size) {
    return (uint64_t)size.width * (uint64_t)size.height * 8 + 8;
}

loam_status open_layout_begin(layout_call *call, loam_box box, cell_grid *cells) {
    *cells = (cell_grid){.width = box.width, .height = box.height};
    cells->cells = loam_arena_take_zero(call->arena, grid_count(cells), 1);
    LOAM_TRY_MEMORY(cells->cells, call->error);
    loam_layout *out = call->out;
    out->width = box.width;
    out->height = box.height;
    out->cells = cells->cells;
    const loam_spot nowhere = {-1, -1};
    out->entrance = out->exit = out->stairs_up = out->stairs_down = nowhere;
    return LOAM_OK;
}

static loam_status find_regions(layout_call *call, const cell_grid *cells, grid_regions *regions) {
    bit_rows rows;
    LOAM_TRY(bit_rows_take(cells->width, cells->height, call->arena, &rows, call->error));
    bit_rows_of_cells(cells, &rows);
    return regions_find(&rows, call->arena, regions, call->error);
}

/* Twice to the farthest cell: the second walk is about as long as any. */
static void pick_ends(layout_call *call, const cell_grid *cells, loam_spot from, bool two) {
    walk_field *field = &call->walk;
    walk_field_open(field, cells);
    walk_field_fill(field, from);
    call->out->entrance = field->farthest;
    walk_field_open(field, cells);
    walk_field_fill(field, field->farthest);
    call->out->exit = field->farthest;
    if (two && field->reached == 1) {
        layout_give_up(call, "too-small", "there is a single cell to walk on");
    }
    (void)layout_count(call, 2 * (uint64_t)field->reached);
}

loam_status open_layout_end(layout_call *call, cell_grid *cells, int32_t join_width) {
    grid_regions regions;
    walk_field walk;
    LOAM_TRY(walk_field_take(cells, 0, call->arena, &walk, call->error));
    size_t mark = loam_arena_mark(call->arena);
    LOAM_TRY(find_regions(call, cells, &regions));
    if (regions.count == 0) {
        layout_give_up(call, "no-floor", "there is no cell to walk on");
        return LOAM_OK;
    }
    loam_spot from = regions_first_cell(&regions, regions_largest(&regions));
    if (join_width > 0 && regions.count > 1) {
        join_options options = {
            .within = layout_inside(call->size), .width = join_width, .value = LOAM_CELL_FLOOR};
        uint64_t steps = 0;
        LOAM_TRY(region_join(cells, &regions, options, call->arena, &steps, call->error));
        (void)layout_count(call, steps);
    }
    LOAM_TRY(layout_poll(call));
    call->walk = walk;
    pick_ends(call, cells, from, join_width > 0);
    loam_arena_reset(call->arena, mark);
    return LOAM_OK;
}
