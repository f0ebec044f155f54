/* SPDX-License-Identifier: MIT
 *
 * layout_run.c: see layout_run.h.
 */
#include "tests/support/layout_run.h"

#include "core/base/try.h"
#include "core/schema/schema.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"

#include <stdlib.h>

enum { VALUES_BYTES = 8 << 20, ALIGNMENT = 64 };

void layout_run_init(layout_run *run, size_t bytes) {
    *run = (layout_run){.values = arena_of(VALUES_BYTES), .memory = arena_of(bytes)};
}

loam_status layout_run_make(layout_run *run, const loam_recipe *recipe, const recipe_code *code,
                            const char *params, uint64_t seed) {
    loam_arena_reset(&run->values, 0);
    run->error = (loam_error){0};
    run->layout = (loam_layout){0};
    const loam_rules *document = rules_of_text(params, &run->values);
    const loam_value *values = NULL;
    LOAM_TRY(rules_read(document, recipe->params, recipe->param_count, "/params", &run->values,
                        &values, &run->error));
    layout_size size = {(int32_t)values[LAYOUT_WIDTH].integer,
                        (int32_t)values[LAYOUT_HEIGHT].integer,
                        (int32_t)values[LAYOUT_BORDER].integer};
    if (code->check != NULL) {
        LOAM_TRY(code->check(values, size, &run->error));
    }
    run->bytes = code->bytes(values, size);
    LOAM_ASSERT(run->bytes + ALIGNMENT <= run->memory.size);
    loam_arena arena;
    loam_arena_init(&arena, run->memory.memory, (size_t)run->bytes + ALIGNMENT);
    run->call = (layout_call){.params = values,
                              .size = size,
                              .seed = seed,
                              .reserved = run->reserved,
                              .reserved_count = run->reserved_count,
                              .steps_max = code->steps(values, size),
                              .cancel = run->cancel,
                              .arena = &arena,
                              .error = &run->error,
                              .out = &run->layout};
    loam_status status = code->make(&run->call);
    run->call.arena = NULL;
    LOAM_ASSERT(run->call.steps <= run->call.steps_max || run->call.fault.word != NULL);
    return status;
}

cell_grid layout_run_cells(const layout_run *run) {
    return (cell_grid){run->layout.width, run->layout.height, run->layout.cells};
}

/* Floods from a cell that was not seen. */
static void flood(const cell_grid *cells, uint8_t *seen, loam_spot *spots, loam_spot from) {
    uint32_t count = 0;
    spots[count++] = from;
    seen[grid_index(cells, from.x, from.y)] = 1;
    while (count > 0) {
        loam_spot at = spots[--count];
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            loam_spot to = spot_step(at, way);
            if (grid_get(cells, to.x, to.y, 0) != 0 && seen[grid_index(cells, to.x, to.y)] == 0) {
                seen[grid_index(cells, to.x, to.y)] = 1;
                spots[count++] = to;
            }
        }
    }
}

uint32_t layout_run_regions(const layout_run *run) {
    cell_grid cells = layout_run_cells(run);
    uint8_t *seen = calloc(grid_count(&cells), 1);
    loam_spot *spots = calloc(grid_count(&cells), sizeof *spots);
    uint32_t count = 0;
    for (int32_t y = 0; y < cells.height; y++) {
        for (int32_t x = 0; x < cells.width; x++) {
            size_t at = grid_index(&cells, x, y);
            if (cells.cells[at] != 0 && seen[at] == 0) {
                flood(&cells, seen, spots, (loam_spot){x, y});
                count++;
            }
        }
    }
    free(seen);
    free(spots);
    return count;
}

uint32_t layout_run_open(const layout_run *run) {
    cell_grid cells = layout_run_cells(run);
    uint32_t count = 0;
    for (size_t i = 0; i < grid_count(&cells); i++) {
        count += cells.cells[i] != 0;
    }
    return count;
}

bool layout_run_has_ends(const layout_run *run) {
    cell_grid cells = layout_run_cells(run);
    loam_spot in = run->layout.entrance, out = run->layout.exit;
    return grid_get(&cells, in.x, in.y, 0) != 0 && grid_get(&cells, out.x, out.y, 0) != 0 &&
           (in.x != out.x || in.y != out.y);
}

const char *layout_run_text(const layout_run *run) {
    static char text[1 << 20];
    cell_grid cells = layout_run_cells(run);
    size_t size = 0;
    LOAM_ASSERT(grid_count(&cells) + (size_t)cells.height < sizeof text);
    for (int32_t y = 0; y < cells.height; y++) {
        for (int32_t x = 0; x < cells.width; x++) {
            text[size++] = "#.+"[cells.cells[grid_index(&cells, x, y)]];
        }
        text[size++] = '\n';
    }
    text[size] = 0;
    return text;
}
