/* SPDX-License-Identifier: MIT
 *
 * test_document_scan.c: counts of nesting and values, which must be right on every legal document.
 */
#include "api/wire/document.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void assert_extent(const char *json, size_t depth, size_t values) {
    json_extent got = json_scan(loam_text_of(json), 64, 1000);
    cr_assert_eq(got.depth, depth, "%s: depth %zu", json, got.depth);
    cr_assert_eq(got.values, values, "%s: values %zu", json, got.values);
}

Test(document_scan, values_are_counted_and_names_are_not) {
    assert_extent("1", 0, 1);
    assert_extent("[]", 1, 1);
    assert_extent("[1,2,3]", 1, 4);
    assert_extent("{\"a\":1}", 1, 2);
    assert_extent("{\"a\":\"x\",\"b\":[\"y\",{\"c\":null}]}", 3, 6);
    assert_extent(" [ true , \"a,b:{[\" , -1.5e3 ] ", 1, 4);
}

Test(document_scan, brackets_and_quotes_inside_strings_do_not_count) {
    assert_extent("[\"[[[[\\\"[[\",\"\\\\\",\"]\"]", 1, 4);
}

Test(document_scan, texts_cut_anywhere_end_the_scan) {
    static const char whole[] = "{\"a\\\"b\":[1,\"c\\\\\",{\"d\":true}]}";
    for (size_t size = 0; size < sizeof whole; size++) {
        char *exact = malloc(size + 1);
        memcpy(exact, whole, size);
        json_extent got = json_scan((loam_text){exact, size}, 64, 1000);
        cr_assert_leq(got.depth, 3);
        free(exact);
    }
}

Test(document_scan, it_stops_at_the_first_limit) {
    static char deep[100000];
    memset(deep, '[', sizeof deep);
    json_extent got = json_scan((loam_text){deep, sizeof deep}, 64, 1000);
    cr_assert_eq(got.depth, 65);
    static char wide[100000];
    memset(wide, ',', sizeof wide);
    for (size_t i = 0; i < sizeof wide; i += 2) {
        wide[i] = '0';
    }
    got = json_scan((loam_text){wide, sizeof wide}, 64, 1000);
    cr_assert_eq(got.values, 1001);
}
