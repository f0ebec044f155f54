/* SPDX-License-Identifier: MIT
 *
 * test_text.c: texts, their order, and what is a name.
 */
#include "core/base/text.h"

#include <criterion/criterion.h>
#include <string.h>

static bool is_name(const char *text) {
    return text_is_name(loam_text_of(text));
}

Test(text, names_are_lower_case_digits_and_three_signs_inside) {
    cr_expect(is_name("a"));
    cr_expect(is_name("7"));
    cr_expect(is_name("pine.tall_2-x"));
    cr_expect(!is_name(""));
    cr_expect(!is_name("A"));
    cr_expect(!is_name(".a"));
    cr_expect(!is_name("-a"));
    cr_expect(!is_name("_a"));
    cr_expect(!is_name("a b"));
    cr_expect(!is_name("a/b"));
    cr_expect(!is_name("a\xc3\xa9"));
    cr_expect(!text_is_name((loam_text){"a\0b", 3}));
}

Test(text, names_have_at_most_64_bytes) {
    char name[NAME_BYTES_MAX + 2];
    memset(name, 'x', sizeof name);
    cr_expect(text_is_name((loam_text){name, NAME_BYTES_MAX}));
    cr_expect(!text_is_name((loam_text){name, NAME_BYTES_MAX + 1}));
}

Test(text, every_byte_is_in_a_name_or_not_as_the_rule_says) {
    static const char first[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (int byte = 1; byte < 256; byte++) {
        const char alone[] = {(char)byte, 0};
        const char second[] = {'a', (char)byte, 0};
        cr_expect_eq(is_name(alone), strchr(first, byte) != NULL, "byte %d", byte);
        cr_expect_eq(is_name(second), strchr(first, byte) != NULL || strchr("._-", byte) != NULL);
    }
}

Test(text, a_nodes_name_has_no_dot) {
    cr_expect(text_is_node_name(loam_text_of("sites-2")));
    cr_expect(!text_is_node_name(loam_text_of("sites.2")));
}

Test(text, a_path_is_names_of_nodes_with_dots_between) {
    cr_expect(text_is_node_path(loam_text_of("sites")));
    cr_expect(text_is_node_path(loam_text_of("forest.sites")));
    cr_expect(text_is_node_path(loam_text_of("a.b.c.d.e.f.g.h.i")), "eight graphs around it");
    cr_expect(!text_is_node_path(loam_text_of("a.b.c.d.e.f.g.h.i.j")));
    cr_expect(!text_is_node_path(loam_text_of("")));
    cr_expect(!text_is_node_path(loam_text_of(".a")));
    cr_expect(!text_is_node_path(loam_text_of("a.")));
    cr_expect(!text_is_node_path(loam_text_of("a..b")));
    cr_expect(!text_is_node_path(loam_text_of("a.B")));
    char name[2 * NAME_BYTES_MAX + 2];
    memset(name, 'x', sizeof name);
    name[NAME_BYTES_MAX] = '.';
    cr_expect(text_is_node_path((loam_text){name, 2 * NAME_BYTES_MAX + 1}));
    cr_expect(!text_is_node_path((loam_text){name, 2 * NAME_BYTES_MAX + 2}));
}

Test(text, order_is_bytewise_and_shorter_first) {
    const char *const rising[] = {"", "a", "aa", "ab", "b", "\xc3\xa9", "\xff"};
    for (size_t i = 0; i < 7; i++) {
        for (size_t j = 0; j < 7; j++) {
            int order = loam_text_compare(loam_text_of(rising[i]), loam_text_of(rising[j]));
            cr_expect_eq((order > 0) - (order < 0), (i > j) - (i < j));
            cr_expect_eq(loam_text_equal(loam_text_of(rising[i]), loam_text_of(rising[j])), i == j);
        }
    }
}

Test(text, an_empty_text_needs_no_bytes) {
    loam_text none = {NULL, 0};
    cr_expect(loam_text_equal(none, loam_text_of("")));
    cr_expect_eq(loam_text_compare(none, loam_text_of("a")), -1);
}

Test(text, a_copy_is_terminated_and_its_own) {
    _Alignas(64) unsigned char memory[128];
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    char source[] = "pine";
    loam_text copy;
    cr_assert_eq(text_copy(loam_text_of(source), &arena, &copy), LOAM_OK);
    source[0] = 'w';
    cr_expect_str_eq(copy.bytes, "pine");
    cr_expect_eq(copy.size, 4);
    cr_expect_eq(text_copy((loam_text){NULL, 0}, &arena, &copy), LOAM_OK);
    cr_expect_str_eq(copy.bytes, "");
    cr_expect_eq(text_copy(loam_text_of("x"), &arena, &copy), LOAM_ARENA_FULL);
}
