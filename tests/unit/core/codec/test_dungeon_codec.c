/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_codec.c: what was written comes back; nothing else is believed: every truncation,
 * every flipped byte, every second spelling of the same dungeon.
 */
#include "core/base/bytes.h"
#include "tests/support/dungeon_text.h"
#include "tests/unit/core/codec/format_fixture.h"

enum { ARENA_BYTES = 8 << 20 };

static _Alignas(64) unsigned char memory[ARENA_BYTES];

static loam_status decode(const void *bytes, size_t size, loam_dungeon *dungeon,
                          loam_error *error) {
    loam_arena arena;
    *error = (loam_error){0};
    loam_arena_init(&arena, memory, sizeof memory);
    return loam_dungeon_decode(bytes, size, &arena, dungeon, error);
}

static byte_buffer encode(const loam_dungeon *dungeon) {
    byte_buffer bytes = {0};
    loam_dungeon_encode(dungeon, buffer_sink(&bytes));
    return bytes;
}

/* A dungeon with something of everything: two floors, reasons, rooms, a corridor, texts. */
static byte_buffer encode_rich(loam_dungeon *into, dungeon_made *made) {
    static loam_room rooms[2];
    static loam_room_edge edge;
    static loam_corridor corridor;
    static loam_spot path[3];
    static loam_box leaf;
    dungeon_build_text(made, (dungeon_text){.recipe = "maze",
                                            .seed = 3,
                                            .params = "{\"width\": 9, \"height\": 9, \"floors\": "
                                                      "2, \"max_attempts\": 2, \"checks\": "
                                                      "{\"min_loops\": 50}}"});
    cr_assert_eq(made->status, LOAM_OK, "%s", made->error.text);
    *into = made->dungeon;
    loam_layout *layout = &((loam_dungeon_floor *)into->floors)[0].layout;
    rooms[0] = (loam_room){.id = 0, .kind = LOAM_ROOM_BOSS, .box = {1, 1, 2, 2}};
    rooms[1] = (loam_room){.id = 1, .box = {5, 5, 2, 2}, .name = loam_text_of("hall")};
    edge = (loam_room_edge){0, 1, LOAM_EDGE_LOOP, 128, loam_text_of("k1")};
    path[0] = (loam_spot){1, 1};
    path[1] = (loam_spot){1, 2};
    path[2] = (loam_spot){1, 3};
    corridor = (loam_corridor){0, 1, 1, path, 3};
    leaf = (loam_box){0, 0, 9, 9};
    layout->rooms = rooms;
    layout->room_count = layout->rooms_wanted = 2;
    layout->edges = &edge;
    layout->edge_count = 1;
    layout->corridors = &corridor;
    layout->corridor_count = 1;
    layout->leaves = &leaf;
    layout->leaf_count = 1;
    return encode(into);
}

Test(dungeon_codec, what_was_written_comes_back) {
    dungeon_made made;
    loam_dungeon rich, read;
    loam_error error;
    byte_buffer bytes = encode_rich(&rich, &made);
    cr_assert_eq(decode(bytes.bytes, bytes.size, &read, &error), LOAM_OK, "%s", error.text);
    cr_expect(loam_text_equal(read.recipe, loam_text_of("maze")));
    cr_expect_eq(read.version, 1);
    cr_expect_eq(read.seed, 3);
    cr_expect_eq(read.cell_size_units, 512);
    cr_expect_not(read.outside_open);
    cr_expect_eq(read.status, LOAM_DUNGEON_DEGRADED);
    cr_assert_eq(read.floor_count, 2);
    const loam_dungeon_floor *floor = &read.floors[0];
    cr_assert_eq(floor->attempt_count, 2);
    cr_expect(loam_text_equal(floor->attempts[1].reasons[0].code, loam_text_of("loops")));
    cr_expect_eq(memcmp(&floor->metrics, &rich.floors[0].metrics, sizeof floor->metrics), 0);
    cr_expect(loam_text_equal(floor->layout.rooms[1].name, loam_text_of("hall")));
    cr_expect(loam_text_equal(floor->layout.edges[0].lock, loam_text_of("k1")));
    cr_expect_eq(floor->layout.corridors[0].path[2].y, 3);
    cr_expect_eq(floor->assembly.batch_count, rich.floors[0].assembly.batch_count);
    cr_expect_eq(floor->assembly.unmatched, 0);
    byte_buffer again = encode(&read);
    cr_expect(buffer_equal(&bytes, &again));
    buffer_fini(&again);
    buffer_fini(&bytes);
    dungeon_made_fini(&made);
}

Test(dungeon_codec, a_stage_is_a_piece_of_the_whole) {
    dungeon_made made;
    dungeon_build_text(&made, (dungeon_text){.recipe = "maze", .seed = 1});
    cr_assert_eq(made.status, LOAM_OK);
    byte_buffer whole = encode(&made.dungeon), layout = {0}, assembly = {0};
    loam_stage_encode(&made.dungeon, 0, LOAM_STAGE_LAYOUT, buffer_sink(&layout));
    loam_stage_encode(&made.dungeon, 0, LOAM_STAGE_ASSEMBLY, buffer_sink(&assembly));
    cr_assert_gt(whole.size, layout.size + assembly.size);
    size_t at = whole.size - assembly.size;
    cr_expect_eq(memcmp(whole.bytes + at, assembly.bytes, assembly.size), 0);
    cr_expect_eq(memcmp(whole.bytes + at - layout.size, layout.bytes, layout.size), 0);
    cr_expect_eq(memcmp(layout.bytes, "LOAMLAYT", 8), 0);
    cr_expect_eq(memcmp(assembly.bytes, "LOAMASMB", 8), 0);
    buffer_fini(&whole);
    buffer_fini(&layout);
    buffer_fini(&assembly);
    dungeon_made_fini(&made);
}

Test(dungeon_codec, the_head_is_what_the_page_says) {
    dungeon_made made;
    dungeon_build_text(
        &made, (dungeon_text){.recipe = "maze", .seed = UINT64_MAX, .policy = LOAM_POLICY_STRICT});
    cr_assert_eq(made.status, LOAM_OK, "%s", made.error.text);
    byte_buffer bytes = encode(&made.dungeon), want = {0};
    put_raw(&want, "LOAMDUNG");
    put_number(&want, 2, 1);
    put_string(&want, "maze");
    put_number(&want, 2, 1);
    put_number(&want, 8, -1);
    put_number(&want, 1, 1);
    put_number(&want, 1, LOAM_RULES_OBJECT);
    cr_assert_gt(bytes.size, want.size);
    cr_expect_eq(memcmp(bytes.bytes, want.bytes, want.size), 0);
    buffer_fini(&bytes);
    buffer_fini(&want);
    dungeon_made_fini(&made);
}

Test(dungeon_codec, every_truncation_is_refused) {
    dungeon_made made;
    loam_dungeon rich, read;
    loam_error error;
    byte_buffer bytes = encode_rich(&rich, &made);
    for (size_t size = 0; size < bytes.size; size++) {
        unsigned char *exact = malloc(size == 0 ? 1 : size);
        memcpy(exact, bytes.bytes, size);
        cr_assert_eq(decode(exact, size, &read, &error), LOAM_DAMAGED, "%zu bytes", size);
        free(exact);
    }
    buffer_take_bytes(&bytes, "", 1);
    cr_expect_eq(decode(bytes.bytes, bytes.size, &read, &error), LOAM_DAMAGED);
    buffer_fini(&bytes);
    dungeon_made_fini(&made);
}

/* A flipped byte is refused, or it was a value of its own and comes back as it is. */
Test(dungeon_codec, every_flipped_byte_is_refused_or_comes_back) {
    dungeon_made made;
    loam_dungeon rich, read;
    loam_error error;
    byte_buffer bytes = encode_rich(&rich, &made);
    uint32_t taken = 0;
    for (size_t i = 0; i < bytes.size; i++) {
        for (unsigned bit = 0; bit < 8; bit += 3) {
            bytes.bytes[i] ^= (unsigned char)(1u << bit);
            loam_status status = decode(bytes.bytes, bytes.size, &read, &error);
            cr_assert(status == LOAM_OK || status == LOAM_DAMAGED, "byte %zu", i);
            if (status == LOAM_OK) {
                byte_buffer again = encode(&read);
                cr_assert(buffer_equal(&bytes, &again), "byte %zu", i);
                buffer_fini(&again);
                taken++;
            }
            bytes.bytes[i] ^= (unsigned char)(1u << bit);
        }
    }
    cr_expect_lt(taken * 2, bytes.size * 3, "most of three flips a byte are refused");
    buffer_fini(&bytes);
    dungeon_made_fini(&made);
}

/* What follows from the cells is not believed: a mask, a collider, a bit to walk on. */
Test(dungeon_codec, what_contradicts_the_cells_is_refused) {
    dungeon_made made;
    loam_dungeon read;
    loam_error error;
    dungeon_build_text(&made, (dungeon_text){.recipe = "maze", .seed = 1});
    cr_assert_eq(made.status, LOAM_OK);
    byte_buffer bytes = encode(&made.dungeon);
    uint32_t colliders = made.dungeon.floors[0].assembly.collider_count;
    size_t walk = 64 * 8, boxes = 4 + 16 * (size_t)colliders, cells = 64 * 64;
    size_t places[] = {bytes.size - 1, bytes.size - walk - boxes + 4, bytes.size - walk - boxes - 1,
                       bytes.size - walk - boxes - cells - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        bytes.bytes[places[i]] ^= 1;
        cr_expect_eq(decode(bytes.bytes, bytes.size, &read, &error), LOAM_DAMAGED, "place %zu", i);
        bytes.bytes[places[i]] ^= 1;
    }
    cr_expect_eq(decode(bytes.bytes, bytes.size, &read, &error), LOAM_OK);
    buffer_fini(&bytes);
    dungeon_made_fini(&made);
}

Test(dungeon_codec, every_arena_that_is_too_small_is_told) {
    dungeon_made made;
    loam_dungeon rich, read;
    byte_buffer bytes = encode_rich(&rich, &made);
    for (size_t room = 0;; room += 64) {
        loam_arena arena;
        loam_error error = {0};
        cr_assert_lt(room, sizeof memory);
        loam_arena_init(&arena, memory, room);
        loam_status status = loam_dungeon_decode(bytes.bytes, bytes.size, &arena, &read, &error);
        if (status == LOAM_OK) {
            break;
        }
        cr_assert_eq(status, LOAM_ARENA_FULL);
    }
    buffer_fini(&bytes);
    dungeon_made_fini(&made);
}
