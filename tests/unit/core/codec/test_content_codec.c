/* SPDX-License-Identifier: MIT
 *
 * test_content_codec.c: content to bytes and back, and that damage is never read as something else.
 */
#include "tests/unit/core/base/byte_buffer.h"
#include "tests/unit/core/content/content_fixture.h"

static const char *const rows[] = {"########################",
                                   "#@.........#...........#",
                                   "#..........#...........#",
                                   "#..........1...........#",
                                   "#..........#...........#",
                                   "#..........#...........#",
                                   "#####+########2#########",
                                   "#........#.............#",
                                   "#........#.............#",
                                   "#........+.............#",
                                   "#........#............>#",
                                   "########################",
                                   NULL};
static const loam_box rooms[] = {{1, 1, 10, 5}, {12, 1, 11, 5}, {1, 7, 8, 4}, {10, 7, 13, 4}};
static const char rules[] =
    "{\"rules\":[{\"name\":\"a\",\"object\":\"chest\",\"chance_permille\":90},"
    "{\"name\":\"b\",\"object\":\"spawn_patrol\",\"total_max\":2},"
    "{\"name\":\"c\",\"object\":\"spawn_ambush\",\"total_max\":2},"
    "{\"name\":\"d\",\"object\":\"spawn_nest\",\"total_max\":2,\"distance_from_entrance_min\":0},"
    "{\"name\":\"e\",\"object\":\"trap\",\"room\":\"none\"}]}";

static byte_buffer encode(const loam_content *content) {
    byte_buffer buffer = {0};
    loam_content_encode(content, buffer_sink(&buffer));
    return buffer;
}

static byte_buffer make_bytes(content_made *made) {
    static drawn_floor drawn;
    draw_floor(&drawn, rows, rooms, 4);
    (void)make_content(made, &drawn.layout, rules, 11, LOAM_POLICY_DEGRADED);
    cr_assert_eq(made->status, LOAM_OK, "%s", made->error.text);
    return encode(&made->content);
}

static loam_status decode(const byte_buffer *bytes, size_t size, loam_content *content) {
    static loam_arena arena;
    if (arena.memory == NULL) {
        arena = arena_of(4 << 20);
    }
    loam_arena_reset(&arena, 0);
    loam_error error = {0};
    loam_status status = loam_content_decode(bytes->bytes, size, &arena, content, &error);
    cr_expect_eq(error.status, status);
    return status;
}

Test(content_codec, what_is_read_is_what_was_written) {
    content_made made;
    loam_content read;
    byte_buffer bytes = make_bytes(&made);
    const loam_content_floor *from = &made.content.floors[0];
    cr_assert_eq(from->lock_count, 2);
    cr_assert_geq(from->spawn_count, 3);
    cr_assert_gt(from->object_count, 4);
    cr_assert_eq(from->dropped_count, 1);
    cr_assert_eq(decode(&bytes, bytes.size, &read), LOAM_OK);
    cr_expect_eq(read.rule_count, 5);
    cr_expect_eq(read.floors[0].object_count, from->object_count);
    cr_expect_eq(read.floors[0].spawns[1].id, 1);
    cr_expect_eq(read.floors[0].metrics.critical_steps, from->metrics.critical_steps);
    byte_buffer again = encode(&read);
    cr_assert_eq(again.size, bytes.size);
    cr_expect_arr_eq(again.bytes, bytes.bytes, bytes.size);
    buffer_fini(&again);
    buffer_fini(&bytes);
}

Test(content_codec, bytes_that_are_cut_are_refused) {
    content_made made;
    loam_content read;
    byte_buffer bytes = make_bytes(&made);
    for (size_t size = 0; size < bytes.size; size++) {
        cr_assert_eq(decode(&bytes, size, &read), LOAM_DAMAGED, "%zu", size);
    }
    buffer_fini(&bytes);
}

/* A byte that is changed either gives other content that is written just so, or is refused. */
Test(content_codec, no_content_has_a_second_spelling) {
    content_made made;
    loam_content read;
    byte_buffer bytes = make_bytes(&made);
    uint32_t refused = 0;
    for (size_t i = 0; i < bytes.size; i++) {
        bytes.bytes[i] ^= 0x55;
        if (decode(&bytes, bytes.size, &read) == LOAM_OK) {
            byte_buffer again = encode(&read);
            cr_assert_eq(again.size, bytes.size);
            cr_assert_arr_eq(again.bytes, bytes.bytes, bytes.size);
            buffer_fini(&again);
        } else {
            refused++;
        }
        bytes.bytes[i] ^= 0x55;
    }
    cr_expect_gt(refused, bytes.size / 4);
    buffer_fini(&bytes);
}
