/* SPDX-License-Identifier: MIT
 *
 * test_document.c: which bytes are a document, and where faults are said to be.
 */
#include "api/wire/document.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fault_list faults;

static loam_status read_sized(const char *json, size_t size) {
    json_t *root = NULL;
    fault_clear(&faults);
    loam_status status = document_read((loam_text){json, size}, &root, &faults);
    json_decref(root);
    return status;
}

static loam_status read_text_of(const char *json) {
    return read_sized(json, strlen(json));
}

Test(document, the_kernel_gives_a_seed_for_the_hash_of_names) {
    loam_error error = {0};
    cr_assert_eq(wire_init(&error), LOAM_OK, "%s", error.text);
}

Test(document, legal_json_is_read) {
    cr_assert_eq(read_text_of("{\"a\":[1,2.5,\"\xc3\xa4\",null,true]}"), LOAM_OK);
    cr_assert_eq(read_text_of("0"), LOAM_OK);
    cr_assert_eq(read_text_of("99999999999999999999999999"), LOAM_OK);
}

Test(document, what_is_no_json_is_malformed_with_its_line) {
    static const char *const bad[] = {"",
                                      "{",
                                      "[1,",
                                      "{\"a\":NaN}",
                                      "[Infinity]",
                                      "[-Infinity]",
                                      "[nan]",
                                      "{'a':1}",
                                      "[1] x",
                                      "[1,]",
                                      "{\"a\":}",
                                      "[01]",
                                      "[+1]",
                                      "[1.]",
                                      "[.5]",
                                      "[\"\xff\"]",
                                      "[\"\n\"]",
                                      "{\"a\":1,\"a\":2}",
                                      "\"\\u0\"",
                                      "[\"\\ud800\"]",
                                      "\xef\xbb\xbf[]",
                                      "[1e]",
                                      "tru"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_eq(read_text_of(bad[i]), LOAM_MALFORMED, "%s", bad[i]);
        cr_assert_not_null(strstr(faults.items[0].text, "line 1, column"), "%s", bad[i]);
    }
}

Test(document, a_body_cut_anywhere_is_malformed) {
    static const char whole[] = "{\"a\":[1,\"b\",{\"c\":true}]}";
    for (size_t size = 0; size + 1 < sizeof whole; size++) {
        cr_assert_eq(read_sized(whole, size), LOAM_MALFORMED, "%zu bytes", size);
    }
    cr_assert_eq(read_sized(whole, sizeof whole), LOAM_MALFORMED, "with the zero at its end");
}

Test(document, a_number_beyond_binary64_is_out_of_range) {
    cr_assert_eq(read_text_of("[1e999]"), LOAM_OUT_OF_RANGE);
    cr_assert_not_null(strstr(faults.items[0].text, "line 1"));
}

Test(document, two_megabytes_are_too_large_and_one_is_not) {
    size_t size = 2 << 20;
    char *json = malloc(size);
    memset(json, ' ', size);
    json[0] = '0';
    cr_assert_eq(read_sized(json, size), LOAM_TOO_LARGE);
    cr_assert_eq(read_sized(json, JSON_BYTES_MAX + 1), LOAM_TOO_LARGE);
    cr_assert_eq(read_sized(json, JSON_BYTES_MAX), LOAM_OK);
    free(json);
}

static void nest(char *json, size_t depth) {
    memset(json, '[', depth);
    memset(json + depth, ']', depth);
}

Test(document, nesting_is_allowed_to_64_and_refused_beyond) {
    static char json[200000];
    nest(json, 64);
    cr_assert_eq(read_sized(json, 128), LOAM_OK);
    nest(json, 65);
    cr_assert_eq(read_sized(json, 130), LOAM_MALFORMED);
    nest(json, 100000);
    cr_assert_eq(read_sized(json, 200000), LOAM_MALFORMED);
    cr_assert_str_eq(faults.items[0].text, "nested deeper than 64");
}

Test(document, values_are_allowed_to_20000_and_refused_beyond) {
    static char json[40004];
    json[0] = '[';
    for (size_t i = 0; i < 20000; i++) {
        memcpy(json + 1 + 2 * i, "0,", 2);
    }
    size_t size = 1 + 2 * 19999;
    json[size - 1] = ']';
    cr_assert_eq(read_sized(json, size), LOAM_OK);
    json[size - 1] = ',';
    json[size + 1] = ']';
    cr_assert_eq(read_sized(json, size + 2), LOAM_TOO_MANY);
}

Test(document, a_pointer_escapes_tilde_and_slash) {
    json_t *root = NULL;
    fault_clear(&faults);
    cr_assert_eq(document_read(loam_text_of("{\"a/b~c\":[0,{\"d\":1}]}"), &root, &faults), LOAM_OK);
    item document = document_item(root, &faults);
    item list = item_field(&document, "a/b~c");
    item second = item_at(&list, 1);
    item leaf = item_field(&second, "d");
    char pointer[64];
    item_pointer(&leaf, pointer, sizeof pointer);
    cr_assert_str_eq(pointer, "/a~1b~0c/1/d");
    item_pointer(&document, pointer, sizeof pointer);
    cr_assert_str_eq(pointer, "");
    item_pointer(&leaf, pointer, 12);
    cr_assert_str_eq(pointer, "/a~1b~0c/1", "only whole segments");
    json_decref(root);
}
