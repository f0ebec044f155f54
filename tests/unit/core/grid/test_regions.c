/* SPDX-License-Identifier: MIT
 *
 * test_regions.c: what hangs together, against a plain flood, and how it is joined.
 */
#include "core/grid/regions.h"

#include "core/base/mix.h"
#include "core/grid/region_join.h"
#include "core/grid/walk_field.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>

static uint8_t bytes[1 << 18];
static uint32_t marks[1 << 18];

static void rows_of_text(const char *const *lines, cell_grid *cells) {
    *cells = (cell_grid){.width = (int32_t)strlen(lines[0]), .cells = bytes};
    for (; lines[cells->height] != NULL; cells->height++) {
        for (int32_t x = 0; x < cells->width; x++) {
            bytes[cells->height * cells->width + x] = lines[cells->height][x] == '.';
        }
    }
}

static grid_regions find(const cell_grid *cells, loam_arena *arena) {
    bit_rows rows;
    grid_regions regions;
    cr_assert_eq(bit_rows_take(cells->width, cells->height, arena, &rows, NULL), LOAM_OK);
    bit_rows_of_cells(cells, &rows);
    cr_assert_eq(regions_find(&rows, arena, &regions, NULL), LOAM_OK);
    return regions;
}

/* Marks of a plain flood, 0 for rock; regions in the order in which they are met. */
static uint32_t flood_marks(const cell_grid *cells) {
    static uint32_t stack[1 << 18];
    uint32_t count = 0;
    memset(marks, 0, sizeof marks);
    for (size_t start = 0; start < grid_count(cells); start++) {
        if (cells->cells[start] == 0 || marks[start] != 0) {
            continue;
        }
        size_t waiting = 0;
        stack[waiting++] = (uint32_t)start;
        marks[start] = ++count;
        while (waiting > 0) {
            size_t at = stack[--waiting], width = (size_t)cells->width;
            for (uint32_t way = 0; way < WAY_COUNT; way++) {
                loam_spot to =
                    spot_step((loam_spot){(int32_t)(at % width), (int32_t)(at / width)}, way);
                size_t side = grid_index(cells, to.x, to.y);
                if (grid_get(cells, to.x, to.y, 0) != 0 && marks[side] == 0) {
                    marks[side] = count;
                    stack[waiting++] = (uint32_t)side;
                }
            }
        }
    }
    return count;
}

static void random_cells(cell_grid *cells, int32_t width, int32_t height, uint64_t seed,
                         uint64_t open_percent, int32_t border) {
    *cells = (cell_grid){width, height, bytes};
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            bool inside = x >= border && y >= border && x < width - border && y < height - border;
            bool open = mix64(seed * 1000003 + (uint64_t)(y * width + x)) % 100 < open_percent;
            bytes[y * width + x] = inside && open;
        }
    }
}

static const int32_t sides[][2] = {{1, 1}, {8, 8}, {64, 3}, {65, 40}, {200, 100}, {3, 130}};

Test(regions, are_those_of_a_plain_flood_in_the_same_order) {
    loam_arena arena = arena_of(1 << 22);
    for (uint64_t i = 0; i < 60; i++) {
        cell_grid cells;
        const int32_t *side = sides[i % (sizeof sides / sizeof *sides)];
        random_cells(&cells, side[0], side[1], i, 20 + i, 0);
        loam_arena_reset(&arena, 0);
        grid_regions regions = find(&cells, &arena);
        cr_assert_eq(regions.count, flood_marks(&cells));
        for (int32_t y = 0; y < cells.height; y++) {
            for (int32_t x = 0; x < cells.width; x++) {
                uint32_t mark = marks[grid_index(&cells, x, y)];
                cr_assert_eq(regions_at(&regions, (loam_spot){x, y}) + 1, mark);
            }
        }
        cr_assert_leq(arena.used,
                      regions_bytes(side[0], side[1]) + bit_rows_bytes(side[0], side[1]));
    }
}

Test(regions, know_their_areas_and_their_first_cells) {
    static const char *const lines[] = {"..#.", "###.", ".#..", "..##", NULL};
    loam_arena arena = arena_of(1 << 16);
    cell_grid cells;
    rows_of_text(lines, &cells);
    grid_regions regions = find(&cells, &arena);
    cr_assert_eq(regions.count, 3);
    cr_expect_eq(regions.areas[0], 2);
    cr_expect_eq(regions.areas[1], 4);
    cr_expect_eq(regions.areas[2], 3);
    cr_expect_eq(regions_largest(&regions), 1);
    loam_spot first = regions_first_cell(&regions, 2);
    cr_expect(first.x == 0 && first.y == 2);
}

Test(regions, of_rock_alone_are_none) {
    static const char *const lines[] = {"###", "###", NULL};
    loam_arena arena = arena_of(1 << 16);
    cell_grid cells;
    rows_of_text(lines, &cells);
    cr_assert_eq(find(&cells, &arena).count, 0);
}

static void join(cell_grid *cells, int32_t border, int32_t width, loam_arena *arena) {
    uint64_t steps = 0;
    grid_regions regions = find(cells, arena);
    join_options options = {
        .within = {border, border, cells->width - 2 * border, cells->height - 2 * border},
        .width = width,
        .value = 1};
    size_t mark = loam_arena_mark(arena);
    arena->peak = mark;
    cr_assert_eq(region_join(cells, &regions, options, arena, &steps, NULL), LOAM_OK);
    cr_assert_leq(arena->peak - mark, region_join_bytes(cells->width, cells->height));
    cr_assert_eq(loam_arena_mark(arena), mark);
}

Test(region_join, digs_the_shortest_passage_between_two_halls) {
    static const char *const lines[] = {"#########", "#..###..#", "#..####.#", "#########", NULL};
    static const char *const wanted[] = {"#########", "#.......#", "#..####.#", "#########"};
    loam_arena arena = arena_of(1 << 16);
    cell_grid cells;
    rows_of_text(lines, &cells);
    join(&cells, 1, 1, &arena);
    for (int32_t y = 0; y < cells.height; y++) {
        for (int32_t x = 0; x < cells.width; x++) {
            cr_expect_eq(cells.cells[grid_index(&cells, x, y)], wanted[y][x] == '.', "%d,%d", x, y);
        }
    }
}

Test(region_join, leaves_exactly_one_region_and_never_digs_in_the_border) {
    loam_arena arena = arena_of(1 << 24);
    for (uint64_t i = 0; i < 80; i++) {
        cell_grid cells;
        int32_t border = (int32_t)(i % 3), width = 1 + (int32_t)(i % 4);
        random_cells(&cells, 9 + (int32_t)(i * 7 % 150), 9 + (int32_t)(i * 13 % 90), i, 5 + i / 2,
                     border);
        loam_arena_reset(&arena, 0);
        bool any = flood_marks(&cells) > 0;
        join(&cells, border, width, &arena);
        cr_assert_eq(flood_marks(&cells), any);
        for (int32_t x = 0; x < cells.width && border > 0; x++) {
            cr_assert_eq(grid_get(&cells, x, 0, 1), 0);
            cr_assert_eq(grid_get(&cells, x, cells.height - 1, 1), 0);
        }
    }
}

Test(walk_field, counts_steps_and_finds_the_farthest_cell) {
    static const char *const lines[] = {".#...", ".#.#.", "...#.", NULL};
    loam_arena arena = arena_of(1 << 16);
    cell_grid cells;
    walk_field field;
    rows_of_text(lines, &cells);
    cr_assert_eq(walk_field_take(&cells, 1, &arena, &field, NULL), LOAM_OK);
    walk_field_open(&field, &cells);
    walk_field_ask(&field, (loam_spot){3, 0});
    walk_field_ask(&field, (loam_spot){1, 0});
    walk_field_fill(&field, (loam_spot){0, 0});
    cr_expect(field.farthest.x == 4 && field.farthest.y == 2);
    cr_expect_eq(walk_field_at(&field, field.farthest), 10);
    cr_expect_eq(walk_field_at(&field, (loam_spot){3, 0}), 7);
    cr_expect_eq(walk_field_at(&field, (loam_spot){1, 0}), WALK_CLOSED);
    cr_expect_eq(walk_field_at(&field, (loam_spot){2, 0}), WALK_CLOSED, "not asked for");
    cr_expect_eq(field.reached, 11);
    cr_expect_leq(arena.used, walk_field_bytes(cells.width, cells.height, 1));
}

Test(walk_field, says_where_no_way_leads) {
    static const char *const lines[] = {".#.", NULL};
    loam_arena arena = arena_of(1 << 16);
    cell_grid cells;
    walk_field field;
    rows_of_text(lines, &cells);
    cr_assert_eq(walk_field_take(&cells, 1, &arena, &field, NULL), LOAM_OK);
    walk_field_open(&field, &cells);
    walk_field_ask(&field, (loam_spot){2, 0});
    walk_field_fill(&field, (loam_spot){0, 0});
    cr_expect_eq(walk_field_at(&field, (loam_spot){2, 0}), WALK_UNREACHED);
    cr_expect_eq(field.reached, 1);
}

/* Steps by a plain search, UINT32_MAX where none lead; into `marks`. */
static void plain_steps(const cell_grid *cells, loam_spot from) {
    static uint32_t queue[1 << 18];
    size_t reached = 0, width = (size_t)cells->width;
    memset(marks, 0xff, sizeof marks);
    marks[grid_index(cells, from.x, from.y)] = 0;
    queue[reached++] = (uint32_t)grid_index(cells, from.x, from.y);
    for (size_t at = 0; at < reached; at++) {
        loam_spot here = {(int32_t)(queue[at] % width), (int32_t)(queue[at] / width)};
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            loam_spot to = spot_step(here, way);
            size_t side = grid_index(cells, to.x, to.y);
            if (grid_get(cells, to.x, to.y, 0) != 0 && marks[side] == UINT32_MAX) {
                marks[side] = marks[queue[at]] + 1;
                queue[reached++] = (uint32_t)side;
            }
        }
    }
}

/* Every cell asked for, against the plain search; the farthest is the first of the most steps. */
static void expect_steps(const cell_grid *cells, walk_field *field, loam_spot from) {
    uint32_t most = 0;
    size_t first = 0;
    walk_field_open(field, cells);
    for (int32_t i = 0; i < cells->width * cells->height; i++) {
        walk_field_ask(field, (loam_spot){i % cells->width, i / cells->width});
    }
    walk_field_fill(field, from);
    plain_steps(cells, from);
    for (size_t i = 0; i < grid_count(cells); i++) {
        loam_spot at = {(int32_t)i % cells->width, (int32_t)i / cells->width};
        uint32_t steps = cells->cells[i] == 0     ? WALK_CLOSED
                         : marks[i] == UINT32_MAX ? WALK_UNREACHED
                                                  : marks[i];
        cr_assert_eq(walk_field_at(field, at), steps);
        if (steps < WALK_UNREACHED && steps > most) {
            most = steps;
            first = i;
        }
    }
    cr_assert_eq(field->farthest_steps, most);
    cr_assert(most == 0 || grid_index(cells, field->farthest.x, field->farthest.y) == first);
}

Test(walk_field, counts_as_a_plain_search_does_on_grids_of_any_size) {
    loam_arena arena = arena_of(1 << 20);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t bits = mix64(seed);
        cell_grid cells = {(int32_t)(bits % 70) + 1, (int32_t)(bits >> 33) % 40 + 1, bytes};
        walk_field field;
        loam_arena_reset(&arena, 0);
        for (size_t i = 0; i < grid_count(&cells); i++) {
            bytes[i] = (uint8_t)(mix_pair(seed, i) % 100 < 50 + seed % 50 ? 1 + i % 2 : 0);
        }
        loam_spot from = {(int32_t)(bits >> 16 & 255) % cells.width, cells.height / 2};
        bytes[grid_index(&cells, from.x, from.y)] = 1;
        cr_assert_eq(walk_field_take(&cells, (uint32_t)grid_count(&cells), &arena, &field, NULL),
                     LOAM_OK);
        expect_steps(&cells, &field, from);
    }
}
