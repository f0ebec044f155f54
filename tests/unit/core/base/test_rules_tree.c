/* SPDX-License-Identifier: MIT */
#include "core/base/limits.h"
#include "core/base/rules_tree.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>
#include <string.h>

static const char document[] = "{\"b\":[1,-2.5,0,1e300,5e-324],\"a\":{\"x\":\"text\",\"\":null},"
                               "\"c\":[true,false,[]],\"d\":{}}";

enum { BYTES_MAX = 1024 };

static size_t write_tree(const loam_rules *rules, unsigned char *to) {
    byte_buffer buffer = {0};
    byte_writer writer;
    writer_init(&writer, buffer_sink(&buffer));
    rules_tree_write(&writer, rules);
    writer_flush(&writer);
    cr_assert_leq(buffer.size, BYTES_MAX);
    memcpy(to, buffer.bytes, buffer.size);
    return buffer.size;
}

static loam_status read_tree(const unsigned char *bytes, size_t size, loam_arena *arena,
                             loam_rules *rules) {
    byte_reader reader;
    reader_init(&reader, bytes, size);
    loam_status status = rules_tree_read(&reader, arena, rules);
    return status == LOAM_OK && reader.left > 0 ? LOAM_DAMAGED : status;
}

Test(rules_tree, what_is_written_is_read_and_written_again_the_same) {
    loam_arena arena = arena_of(4 << 20);
    unsigned char first[BYTES_MAX], second[BYTES_MAX];
    loam_rules read;
    size_t size = write_tree(rules_of_text(document, &arena), first);
    cr_assert_eq(read_tree(first, size, &arena, &read), LOAM_OK);
    cr_assert_eq(write_tree(&read, second), size);
    cr_expect_arr_eq(first, second, size);
    cr_expect_eq(read.count, 4);
    cr_expect_eq(read.items[1].items[1].mantissa, -5);
    cr_expect_eq(read.items[1].items[1].exponent, -1);
}

Test(rules_tree, every_cut_is_refused) {
    loam_arena arena = arena_of(4 << 20);
    unsigned char bytes[BYTES_MAX];
    loam_rules read;
    size_t size = write_tree(rules_of_text(document, &arena), bytes);
    for (size_t cut = 0; cut < size; cut++) {
        loam_arena scratch = arena_of(1 << 16);
        cr_expect_eq(read_tree(bytes, cut, &scratch, &read), LOAM_DAMAGED, "%zu", cut);
    }
}

Test(rules_tree, a_changed_byte_is_refused_or_is_another_document) {
    loam_arena arena = arena_of(4 << 20);
    unsigned char bytes[BYTES_MAX], again[BYTES_MAX];
    size_t size = write_tree(rules_of_text(document, &arena), bytes);
    for (size_t at = 0; at < size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            loam_rules read;
            size_t mark = loam_arena_mark(&arena);
            bytes[at] ^= (unsigned char)(1 << bit);
            if (read_tree(bytes, size, &arena, &read) == LOAM_OK) {
                cr_assert_eq(write_tree(&read, again), size);
                cr_assert_arr_eq(bytes, again, size);
            }
            bytes[at] ^= (unsigned char)(1 << bit);
            loam_arena_reset(&arena, mark);
        }
    }
}

Test(rules_tree, keys_that_do_not_rise_and_even_mantissas_are_refused) {
    loam_arena arena = arena_of(1 << 20);
    const loam_text twice[] = {{"a", 1}, {"a", 1}};
    const loam_rules items[2] = {{.kind = LOAM_RULES_NULL}, {.kind = LOAM_RULES_NULL}};
    const loam_rules object = {
        .kind = LOAM_RULES_OBJECT, .keys = twice, .items = items, .count = 2};
    const loam_rules even = {.kind = LOAM_RULES_NUMBER, .mantissa = 2, .exponent = 0};
    unsigned char bytes[BYTES_MAX];
    loam_rules read;
    size_t size = write_tree(&object, bytes);
    cr_expect_eq(read_tree(bytes, size, &arena, &read), LOAM_DAMAGED);
    size = write_tree(&even, bytes);
    cr_expect_eq(read_tree(bytes, size, &arena, &read), LOAM_DAMAGED);
}

Test(rules_tree, nesting_ends_at_its_limit) {
    loam_arena arena = arena_of(1 << 20);
    loam_rules lists[RULES_DEPTH_MAX + 1];
    unsigned char bytes[BYTES_MAX];
    loam_rules read;
    for (uint32_t i = 0; i <= RULES_DEPTH_MAX; i++) {
        lists[i] = (loam_rules){.kind = LOAM_RULES_LIST,
                                .items = i < RULES_DEPTH_MAX ? &lists[i + 1] : NULL,
                                .count = i < RULES_DEPTH_MAX};
    }
    size_t size = write_tree(&lists[1], bytes);
    cr_expect_eq(read_tree(bytes, size, &arena, &read), LOAM_OK);
    size = write_tree(&lists[0], bytes);
    cr_expect_eq(read_tree(bytes, size, &arena, &read), LOAM_DAMAGED);
}
