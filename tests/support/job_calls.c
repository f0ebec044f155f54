/* SPDX-License-Identifier: MIT
 *
 * job_calls.c: see job_calls.h.
 */
#include "tests/support/job_calls.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

void job_post(const test_daemon *daemon, const char *document, char id[JOB_ID_TEXT_BYTES]) {
    answer made = ask_json(daemon, "POST", document, "/v1/jobs");
    cr_assert_eq(made.status, 202, "%s", made.body);
    json_t *root = answer_json(&made);
    snprintf(id, JOB_ID_TEXT_BYTES, "%s", json_string_value(json_object_get(root, "id")));
    json_decref(root);
    answer_free(&made);
}

json_t *job_get(const test_daemon *daemon, const char *id) {
    answer of = ask_get(daemon, "/v1/jobs/%s", id);
    cr_assert_eq(of.status, 200, "%s", of.body);
    json_t *root = answer_json(&of);
    answer_free(&of);
    return root;
}

bool job_is(const test_daemon *daemon, const char *id, const char *state) {
    json_t *root = job_get(daemon, id);
    bool is = strcmp(json_string_value(json_object_get(root, "state")), state) == 0;
    json_decref(root);
    return is;
}

json_int_t job_count(const test_daemon *daemon, const char *id, const char *key) {
    json_t *root = job_get(daemon, id);
    json_int_t count = json_integer_value(json_object_get(root, key));
    json_decref(root);
    return count;
}
