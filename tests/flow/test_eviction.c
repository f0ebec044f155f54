/* SPDX-License-Identifier: MIT
 *
 * test_eviction.c: a cache that is too small for a job: the job ends well, and who asks for it
 * again gets what was lost built anew.
 */
#include "tests/support/daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char world[] =
    "{\"seed\": \"1\", \"graph\": {\"loam_graph\": 1, \"nodes\": {\"g\": {\"op\": \"grid.sample\", "
    "\"params\": {\"spacing_m\": 0.75}}}, \"outputs\": {\"g\": {\"node\": \"g\", \"level\": 0}}}, "
    "\"grid\": {\"levels\": [{\"cell_size_m\": 256}], \"bounds_m\": {\"min\": [0, 0], "
    "\"max\": [1024, 1024]}}}";

static const char job[] =
    "{\"world\": \"wide\", \"outputs\": [\"g\"], \"cells\": \"all\", \"keep\": false}";

static answer job_end(const test_daemon *server, const answer *posted) {
    json_t *root = answer_json(posted);
    const char *patient[] = {"Prefer: wait=30", NULL};
    answer of = ask(server, "GET", &(ask_options){.headers = patient}, "/v1/jobs/%s",
                    json_string_value(json_object_get(root, "id")));
    json_decref(root);
    return of;
}

Test(eviction, a_job_that_lost_results_is_run_again_when_it_is_asked_for_again) {
    test_daemon server = daemon_start(NULL, (const char *const[]){"--cache-bytes", "16M", NULL});
    answer put = ask_json(&server, "PUT", world, "/v1/worlds/wide");
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer made = ask_json(&server, "POST", job, "/v1/jobs");
    cr_assert_eq(made.status, 202, "%s", made.body);
    answer ended = job_end(&server, &made);
    cr_expect(strstr(ended.body, "\"state\":\"succeeded\"") != NULL, "%s", ended.body);
    cr_expect(strstr(ended.body, "\"done\":16,") != NULL, "%s", ended.body);
    cr_expect(strstr(ended.body, "\"evicted\":0,") == NULL, "%s", ended.body);
    cr_expect_lt(daemon_metric(&server, "loam_store_bytes"), 17 << 20);
    cr_expect_lt(daemon_metric(&server, "loam_store_blobs"), 16, "nothing had to go");
    answer again = ask_json(&server, "POST", job, "/v1/jobs");
    cr_expect_eq(again.status, 202, "%d %s", again.status, again.body);
    cr_expect(strstr(again.body, "\"evicted\":0,") == NULL, "%s", again.body);
    answer rebuilt = job_end(&server, &again);
    cr_expect(strstr(rebuilt.body, "\"state\":\"succeeded\"") != NULL, "%s", rebuilt.body);
    cr_expect(strstr(rebuilt.body, "\"done\":16,") != NULL, "%s", rebuilt.body);
    answer results = ask_get(&server, "/v1/jobs%s/results", answer_header(&made, "Location") + 8);
    int lines = 0;
    for (const char *at = results.body; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    cr_expect_eq(lines, 16, "a cell that was built twice is listed once");
    answer_free(&put);
    answer_free(&made);
    answer_free(&ended);
    answer_free(&again);
    answer_free(&rebuilt);
    answer_free(&results);
    cr_expect_eq(daemon_end(&server), 0);
    daemon_remove_folder(&server);
}
