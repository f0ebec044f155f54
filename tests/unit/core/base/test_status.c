/* SPDX-License-Identifier: MIT
 *
 * test_status.c: statuses are unique and pinned, and the first error wins.
 */
#include "core/loam.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct status_row {
    const char *name;
    int number;
    const char *code;
    const char *text;
} status_row;

static const status_row rows[] = {
#define ROW(name, number, code, text) {#name, number, code, text},
    LOAM_STATUS_TABLE(ROW)
#undef ROW
};
enum { ROWS = sizeof rows / sizeof rows[0] };

Test(status, numbers_and_codes_are_unique) {
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = i + 1; j < ROWS; j++) {
            cr_expect_neq(rows[i].number, rows[j].number, "%s %s", rows[i].name, rows[j].name);
            cr_expect_str_neq(rows[i].code, rows[j].code);
        }
    }
}

/* "ARENA_FULL" is "arena-full". */
Test(status, codes_are_the_names_in_lower_case_with_hyphens) {
    for (size_t i = 0; i < ROWS; i++) {
        cr_assert_eq(strlen(rows[i].name), strlen(rows[i].code));
        for (size_t k = 0; rows[i].name[k] != 0; k++) {
            char want = rows[i].name[k] == '_' ? '-' : (char)(rows[i].name[k] | 0x20);
            cr_expect_eq(rows[i].code[k], want, "%s", rows[i].code);
        }
    }
}

Test(status, codes_and_texts_are_found_by_number) {
    for (size_t i = 0; i < ROWS; i++) {
        cr_expect_str_eq(loam_status_code((loam_status)rows[i].number), rows[i].code);
        cr_expect_str_eq(loam_status_text((loam_status)rows[i].number), rows[i].text);
        cr_expect_lt(strlen(rows[i].text), LOAM_ERROR_TEXT_BYTES);
    }
}

Test(status, a_number_that_is_none_is_an_internal_fault) {
    cr_expect_str_eq(loam_status_code((loam_status)9999), "internal");
    cr_expect_str_eq(loam_status_text((loam_status)9999), "an internal fault");
}

Test(status, numbers_are_pinned) {
    cr_expect_eq(LOAM_OK, 0);
    cr_expect_eq(LOAM_ARENA_FULL, 2);
    cr_expect_eq(LOAM_CYCLE, 19);
    cr_expect_eq(LOAM_BUDGET_EXCEEDED, 29);
    cr_expect_eq(LOAM_DAMAGED, 48);
    cr_expect_eq(LOAM_NOT_FOUND, 60);
    cr_expect_eq(LOAM_BAD_STATE, 81);
    cr_expect_eq(LOAM_UNBOUNDED_SOURCE, 82);
    cr_expect_eq(LOAM_INFEASIBLE, 83);
    cr_expect_eq(LOAM_NOT_ACHIEVED, 84);
    cr_expect_eq(LOAM_RANGE_UNSATISFIABLE, 87);
}

Test(status, the_first_error_wins) {
    loam_error error = {0};
    cr_expect_eq(loam_fail(&error, LOAM_CYCLE, "/nodes/a", "%s %d", "round", 1), LOAM_CYCLE);
    cr_expect_eq(loam_fail(&error, LOAM_TOO_MANY, "/nodes/b", "later"), LOAM_TOO_MANY);
    cr_expect_eq(error.status, LOAM_CYCLE);
    cr_expect_str_eq(error.pointer, "/nodes/a");
    cr_expect_str_eq(error.text, "round 1");
}

Test(status, an_error_needs_no_pointer_and_no_place_to_be_noted) {
    loam_error error = {0};
    cr_expect_eq(loam_fail(NULL, LOAM_DAMAGED, NULL, "x"), LOAM_DAMAGED);
    cr_expect_eq(loam_fail(&error, LOAM_DAMAGED, NULL, "x"), LOAM_DAMAGED);
    cr_expect_str_eq(error.pointer, "");
}

Test(status, long_texts_and_pointers_are_cut_and_terminated) {
    loam_error error = {0};
    char text[1000];
    memset(text, 'y', sizeof text);
    text[999] = 0;
    (void)loam_fail(&error, LOAM_MALFORMED, text, "%s", text);
    cr_expect_eq(strlen(error.pointer), LOAM_POINTER_BYTES - 1);
    cr_expect_eq(strlen(error.text), LOAM_ERROR_TEXT_BYTES - 1);
}
