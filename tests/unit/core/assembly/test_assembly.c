/* SPDX-License-Identifier: MIT
 *
 * test_assembly.c: what an engine gets for a layout: tiles, batches, pieces, colliders, the grid to
 * walk on.
 */
#include "core/assembly/assembly.h"
#include "tests/support/layout_rows.h"
#include "tests/support/rules_text.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>

static char memory[8 << 20];
static loam_arena arena;

static loam_assembly assemble(const loam_layout *layout, const char *map_json, uint64_t seed) {
    const tile_map *map;
    loam_assembly made;
    loam_error error = {0};
    const loam_rules *rules = map_json == NULL ? NULL : rules_of_text(map_json, &arena);
    cr_assert_eq(tile_map_read(rules, "", &arena, &map, &error), LOAM_OK, "%s", error.text);
    assembly_input input = {layout, map, false, seed};
    uint64_t most = assembly_bytes(layout->width, layout->height,
                                   layout->door_count + layout->junction_count, map);
    void *own = malloc(most);
    loam_arena tight;
    loam_arena_init(&tight, own, most);
    cr_assert_eq(assembly_make(&input, &tight, &made, &error), LOAM_OK, "%s", error.text);
    free(own);
    cr_assert_eq(assembly_make(&input, &arena, &made, &error), LOAM_OK, "%s", error.text);
    return made;
}

static loam_layout begin(const char *rows) {
    loam_arena_init(&arena, memory, sizeof memory);
    return layout_of_rows(rows, &arena);
}

static loam_layout random_layout(uint64_t seed, int32_t width, int32_t height) {
    test_random random = {seed};
    loam_arena_init(&arena, memory, sizeof memory);
    loam_layout layout = {.width = width, .height = height};
    layout.cells = loam_arena_take(&arena, (size_t)width, (size_t)height);
    for (int32_t i = 0; i < width * height; i++) {
        layout.cells[i] = random_between(&random, 0, 9) < (int64_t)(seed % 8) + 1;
    }
    return layout;
}

static const loam_tile *tile_at(const loam_layout *layout, const loam_assembly *assembly, int32_t x,
                                int32_t y) {
    uint16_t tile = assembly->grid[y * layout->width + x];
    return tile == LOAM_TILE_NONE ? NULL : &assembly->tiles[tile];
}

Test(assembly, cells_show_what_the_rules_say) {
    loam_layout layout = begin("#####\n#...#\n#...#\n#####\n");
    loam_assembly made = assemble(&layout, NULL, 1);
    cr_expect(loam_text_equal(tile_at(&layout, &made, 0, 0)->asset, loam_text_of("wall_inner")));
    cr_expect_eq(tile_at(&layout, &made, 0, 0)->turn, 1);
    cr_expect(loam_text_equal(tile_at(&layout, &made, 2, 0)->asset, loam_text_of("wall")));
    cr_expect_eq(tile_at(&layout, &made, 2, 0)->turn, 2);
    cr_expect(loam_text_equal(tile_at(&layout, &made, 2, 1)->asset, loam_text_of("floor")));
    cr_expect_eq(made.unmatched, 0);
    cr_expect_eq(made.mask[1 * 5 + 1], 28);
    cr_expect_eq(made.blob[1 * 5 + 1], 10);
}

Test(assembly, a_cell_that_no_rule_fits_is_reported) {
    loam_layout layout = begin("###\n#.#\n###\n");
    loam_assembly made =
        assemble(&layout, "{\"rules\": [{\"kind\": \"floor\", \"care\": 0, \"asset\": \"f\"}]}", 1);
    cr_expect_eq(made.unmatched, 8);
    cr_expect_eq(made.tile_count, 1);
    cr_expect_null(tile_at(&layout, &made, 0, 0));
    cr_expect_eq(made.batch_count, 1);
    cr_expect_eq(made.batches[0].instance_count, 1);
}

Test(assembly, batches_hold_every_floor_and_wall_once) {
    for (uint64_t seed = 1; seed < 30; seed++) {
        loam_layout layout = random_layout(seed, 37, 21);
        loam_assembly made = assemble(&layout, NULL, seed);
        bool seen[37 * 21] = {0};
        uint32_t count = 0;
        for (uint32_t b = 0; b < made.batch_count; b++) {
            const loam_batch *batch = &made.batches[b];
            for (uint32_t i = 0; i < batch->instance_count; i++, count++) {
                loam_spot at = batch->instances[i].at;
                const loam_tile *tile = tile_at(&layout, &made, at.x, at.y);
                cr_assert_not(seen[at.y * 37 + at.x]);
                seen[at.y * 37 + at.x] = true;
                cr_expect(loam_text_equal(tile->asset, batch->asset));
                cr_expect_eq(tile->variant, batch->variant);
                cr_expect_eq(tile->turn, batch->instances[i].turn);
            }
        }
        cr_expect_eq(count, 37 * 21);
    }
}

Test(assembly, colliders_cover_exactly_the_walls_and_none_twice) {
    for (uint64_t seed = 1; seed < 200; seed++) {
        int32_t width = 1 + (int32_t)(seed * 7 % 41), height = 1 + (int32_t)(seed * 5 % 23);
        loam_layout layout = random_layout(seed, width, height);
        loam_assembly made = assemble(&layout, NULL, seed);
        uint8_t covered[64 * 64] = {0};
        for (uint32_t i = 0; i < made.collider_count; i++) {
            loam_box box = made.colliders[i];
            for (int32_t y = box.y; y < box.y + box.height; y++) {
                for (int32_t x = box.x; x < box.x + box.width; x++) {
                    covered[y * width + x]++;
                }
            }
        }
        for (int32_t i = 0; i < width * height; i++) {
            cr_expect_eq(covered[i], layout.cells[i] == LOAM_CELL_WALL);
        }
    }
}

Test(assembly, walls_without_a_hole_are_one_box) {
    loam_layout layout = begin("####\n####\n####\n");
    loam_assembly made = assemble(&layout, NULL, 1);
    cr_assert_eq(made.collider_count, 1);
    cr_expect_eq(made.colliders[0].width, 4);
    cr_expect_eq(made.colliders[0].height, 3);
    layout = begin("....\n....\n");
    made = assemble(&layout, NULL, 1);
    cr_expect_eq(made.collider_count, 0);
}

Test(assembly, the_grid_to_walk_on_has_a_bit_for_every_cell) {
    loam_layout layout = begin("#########.\n+.#.......\n");
    loam_assembly made = assemble(&layout, NULL, 1);
    cr_expect_eq(loam_walk_stride(10), 2);
    cr_expect_eq(made.walk[0], 0);
    cr_expect_eq(made.walk[1], 2);
    cr_expect_eq(made.walk[2], 0xfb);
    cr_expect_eq(made.walk[3], 3);
}

Test(assembly, doors_and_junctions_stand_alone) {
    loam_layout layout = begin("#######\n#..+..#\n#..+..#\n###.###\n###.###\n");
    loam_door door = {.at = {3, 1}, .width = 2, .axis = LOAM_AXIS_Y};
    loam_junction junction = {{3, 3}, 1, LOAM_JUNCTION_STRAIGHT, 1 | 4};
    layout.doors = &door;
    layout.door_count = 1;
    layout.junctions = &junction;
    layout.junction_count = 1;
    loam_assembly made = assemble(&layout, NULL, 1);
    cr_assert_eq(made.actor_count, 2);
    cr_expect_eq(made.actors[0].kind, LOAM_TILE_DOOR);
    cr_expect_eq(made.tiles[made.actors[0].tile].turn, 1);
    cr_expect_eq(made.actors[0].width, 2);
    cr_expect_eq(tile_at(&layout, &made, 3, 2), &made.tiles[made.actors[0].tile]);
    cr_expect(
        loam_text_equal(made.tiles[made.actors[1].tile].asset, loam_text_of("corridor_straight")));
    cr_expect_eq(made.tiles[made.actors[1].tile].turn, 0);
    for (uint32_t i = 0; i < made.batch_count; i++) {
        cr_expect_leq(made.batches[i].kind, LOAM_TILE_WALL);
    }
}

Test(assembly, a_detail_layer_says_which_variant_a_floor_has) {
    loam_layout layout = begin("....\n");
    uint8_t detail[] = {0, 2, 3, 100};
    layout.detail = detail;
    loam_assembly made = assemble(&layout, NULL, 1);
    cr_expect_eq(tile_at(&layout, &made, 1, 0)->variant, 1);
    cr_expect_eq(tile_at(&layout, &made, 2, 0)->variant, 2);
}

Test(assembly, another_seed_changes_tiles_alone) {
    loam_layout layout = random_layout(5, 30, 20);
    loam_assembly a = assemble(&layout, NULL, 1), b = assemble(&layout, NULL, 2);
    loam_assembly again = assemble(&layout, NULL, 1);
    cr_expect_neq(memcmp(a.grid, b.grid, 30 * 20 * sizeof *a.grid), 0);
    cr_expect_eq(memcmp(a.grid, again.grid, 30 * 20 * sizeof *a.grid), 0);
    cr_expect_eq(memcmp(a.mask, b.mask, 30 * 20), 0);
    cr_expect_eq(a.collider_count, b.collider_count);
}

Test(assembly, every_arena_that_is_too_small_is_told) {
    loam_layout layout = random_layout(3, 20, 12);
    const tile_map *map;
    loam_error error = {0};
    cr_assert_eq(tile_map_read(NULL, "", &arena, &map, &error), LOAM_OK);
    assembly_input input = {&layout, map, false, 1};
    size_t from = loam_arena_mark(&arena);
    loam_assembly made;
    for (size_t room = 0;; room += 64) {
        loam_arena_reset(&arena, from);
        loam_arena small = arena;
        small.size = from + room;
        loam_status status = assembly_make(&input, &small, &made, &error);
        if (status == LOAM_OK) {
            cr_expect_gt(room, 1000);
            return;
        }
        cr_assert_eq(status, LOAM_ARENA_FULL);
    }
}
