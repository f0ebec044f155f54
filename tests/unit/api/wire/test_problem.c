/* SPDX-License-Identifier: MIT
 *
 * test_problem.c: every status has an answer, and the problem document has its fields.
 */
#include "api/wire/problem.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

static int http_of(loam_status status, const char *pointer) {
    loam_error error = {.status = status};
    strcpy(error.pointer, pointer);
    return problem_http_status(&error);
}

Test(problem, every_status_has_a_number_with_a_reason) {
#define CHECK(name, number, code, text)                                                            \
    cr_assert_str_neq(problem_reason(http_of(LOAM_##name, "")), "Unknown", code);
    LOAM_STATUS_TABLE(CHECK)
#undef CHECK
}

Test(problem, the_contract_s_numbers_hold) {
    cr_assert_eq(http_of(LOAM_MALFORMED, ""), 400);
    cr_assert_eq(http_of(LOAM_SEED_OUT_OF_RANGE, "/seed"), 422);
    cr_assert_eq(http_of(LOAM_NOT_GENERATED, ""), 404);
    cr_assert_eq(http_of(LOAM_OUTSIDE_WORLD, ""), 404);
    cr_assert_eq(http_of(LOAM_IN_USE, ""), 409);
    cr_assert_eq(http_of(LOAM_VERSION_UNAVAILABLE, ""), 409);
    cr_assert_eq(http_of(LOAM_CHECK_FAILED, ""), 424);
    cr_assert_eq(http_of(LOAM_OVERLOADED, ""), 503);
    cr_assert_eq(http_of(LOAM_IO, ""), 503);
    cr_assert_eq(http_of(LOAM_STORAGE_FULL, ""), 507);
    cr_assert_eq(http_of(LOAM_TOO_LARGE, ""), 413);
    cr_assert_eq(http_of(LOAM_MISDIRECTED, ""), 421);
}

Test(problem, what_a_body_names_is_unprocessable_and_not_missing) {
    cr_assert_eq(http_of(LOAM_NOT_FOUND, ""), 404);
    cr_assert_eq(http_of(LOAM_NOT_FOUND, "/slots/terrain"), 422);
    cr_assert_eq(http_of(LOAM_NOT_IMPLEMENTED, ""), 501);
    cr_assert_eq(http_of(LOAM_NOT_IMPLEMENTED, "/checks"), 422);
}

static json_t *write(const loam_error *error) {
    text_buffer buffer;
    buffer_init(&buffer, PROBLEM_BYTES_MAX);
    problem_write(error, &buffer);
    cr_assert_eq(buffer_status(&buffer), LOAM_OK);
    json_t *root = json_loadb(buffer.bytes, buffer.size, 0, NULL);
    buffer_fini(&buffer);
    cr_assert_not_null(root);
    return root;
}

static const char *text_of(json_t *root, const char *key) {
    return json_string_value(json_object_get(root, key));
}

Test(problem, the_document_has_the_fields_of_rfc_9457_and_ours) {
    loam_error error = {0};
    (void)loam_fail(&error, LOAM_UNKNOWN_FIELD, "/a~1b", "no \"%s\" here", "x\ny");
    json_t *root = write(&error);
    cr_assert_str_eq(text_of(root, "type"), "about:blank");
    cr_assert_str_eq(text_of(root, "title"), "Unprocessable Content");
    cr_assert_str_eq(text_of(root, "code"), "unknown-field");
    cr_assert_str_eq(text_of(root, "pointer"), "/a~1b");
    cr_assert_str_eq(text_of(root, "detail"), "no \"x\ny\" here");
    cr_assert_eq(json_integer_value(json_object_get(root, "status")), 422);
    json_decref(root);
}

Test(problem, without_a_place_there_is_no_pointer) {
    loam_error error = {.status = LOAM_NOT_FOUND};
    json_t *root = write(&error);
    cr_assert_null(json_object_get(root, "pointer"));
    cr_assert_str_eq(text_of(root, "detail"), loam_status_text(LOAM_NOT_FOUND));
    json_decref(root);
}

Test(problem, the_largest_error_fits) {
    loam_error error = {.status = LOAM_UNKNOWN_FIELD};
    memset(error.pointer, 1, sizeof error.pointer - 1);
    memset(error.text, 1, sizeof error.text - 1);
    json_decref(write(&error));
}

Test(problem, a_line_for_a_terminal_names_code_place_and_text) {
    loam_error error = {0};
    text_buffer buffer;
    buffer_init(&buffer, PROBLEM_BYTES_MAX);
    (void)loam_fail(&error, LOAM_CYCLE, "/nodes/a", "a feeds itself");
    problem_write_line(&error, &buffer);
    cr_assert(
        loam_text_equal(buffer_view(&buffer), loam_text_of("cycle at /nodes/a: a feeds itself\n")));
    buffer_fini(&buffer);
}
