/* SPDX-License-Identifier: MIT
 *
 * test_fetch_batch.c: many cells by one request of a fetcher: each is verified, kept and told of by
 * itself; what is wrong with one is not wrong with another.
 */
#include "api/client/loam_client.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/key/key.h"
#include "core/base/bytes.h"
#include "tests/support/program.h"
#include "tests/unit/api/client/script_server.h"

#define CLOSED "Connection: close\r\n"
#define REFUSAL(line, more) "HTTP/1.1 " line "\r\n" CLOSED more "Content-Length: 0\r\n\r\n"

enum { CELLS = 3, ANSWER_BYTES = 4096, LONG_MS = 10000, STEP_MS = 50, POLL_US = 1 };

/* ---- What the daemon says -------------------------------------------------------------------- */

typedef struct batch_answer {
    char bytes[ANSWER_BYTES];
    size_t size;
} batch_answer;

static void put(batch_answer *to, const void *bytes, size_t size) {
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void put_head(batch_answer *to, uint32_t count) {
    static const char head[] =
        "HTTP/1.1 200 OK\r\n" CLOSED "Content-Type: application/vnd.loam.batch\r\n\r\n";
    unsigned char numbers[16] = "LOAMBTCH\1";
    put_u32(numbers + 12, count);
    to->size = 0;
    put(to, head, sizeof head - 1);
    put(to, numbers, sizeof numbers);
}

/* What comes of the cell x; its bytes hash to what is said of them unless `damaged`. */
static void put_entry(batch_answer *to, uint64_t x, uint32_t status, const char *text,
                      bool damaged) {
    unsigned char entry[96] = {0};
    static const char zeros[8];
    size_t size = strlen(text);
    digest id = digest_of(text, size);
    id.bytes[0] ^= damaged;
    put_u64(entry, x);
    put_u64(entry + 8, 5);
    put_u32(entry + 16, 1);
    put_u32(entry + 20, status);
    entry[24] = (unsigned char)(x + 1); /* of the build key */
    memcpy(entry + 56, id.bytes, sizeof id.bytes);
    put_u64(entry + 88, status == 304 ? 0 : size);
    put(to, entry, sizeof entry);
    if (status != 304) {
        put(to, text, size);
        put(to, zeros, (8 - size % 8) % 8);
    }
}

static batch_answer good_answer(void) {
    batch_answer of;
    put_head(&of, CELLS);
    put_entry(&of, 0, 200, "abc", false);
    put_entry(&of, 1, 200, "twelve bytes", false);
    put_entry(&of, 2, 200, "12345678", false);
    return of;
}

/* ---- What is asked ----------------------------------------------------------------------------*/

TestSuite(fetch_batch, .init = program_folder_begin, .fini = program_folder_end, .timeout = 60);

static loam_fetcher *fetcher_of(const char *url, const char *cache) {
    loam_fetcher_options options = {
        .client = {.base_url = url, .timeout_ms = 5000, .retries_max = 3, .cache_folder = cache},
        .in_flight_max = 1,
        .poll_us = POLL_US, /* piece by piece */
        .batch_max = 16};
    loam_error error = {0};
    loam_fetcher *fetcher = loam_fetcher_create(&options, &error);
    cr_assert_not_null(fetcher, "%s", error.text);
    return fetcher;
}

static loam_fetch_id ask(loam_fetcher *fetcher, loam_client_cell cell, int32_t priority) {
    loam_error error = {0};
    loam_fetch_id id = 0;
    cr_assert_eq(loam_fetcher_ask(fetcher, &cell, priority, NULL, &id, &error), LOAM_OK);
    return id;
}

static const loam_client_cell plain = {.world = "forest", .output = "trees", .level = 1, .z = 5};

static loam_fetch_id ask_cell(loam_fetcher *fetcher, int64_t x) {
    loam_client_cell cell = plain;
    cell.x = x;
    return ask(fetcher, cell, (int32_t)x);
}

/* Waits for all of them; `results` has a place for each, in the order of asking. */
static void take_all(loam_fetcher *fetcher, const loam_fetch_id *ids, loam_fetch_result *results,
                     size_t count) {
    loam_fetch_result result;
    size_t taken = 0;
    for (int waited = 0; taken < count; waited++) {
        cr_assert_lt(waited, LONG_MS, "%zu of %zu came", taken, count);
        (void)loam_fetcher_wait(fetcher, STEP_MS);
        while (loam_fetcher_take(fetcher, &result)) {
            for (size_t i = 0; i < count; i++) {
                results[i] = ids[i] == result.id ? result : results[i];
            }
            taken++;
        }
    }
    cr_expect_eq(loam_fetcher_count(fetcher), 0);
}

static void answers_start(script_server *server, const batch_answer *answers, size_t count) {
    static const char *texts[SCRIPT_ANSWERS_MAX + 1];
    static size_t sizes[SCRIPT_ANSWERS_MAX];
    memset(texts, 0, sizeof texts);
    for (size_t i = 0; i < count; i++) {
        texts[i] = answers[i].bytes;
        sizes[i] = answers[i].size;
    }
    script_start_sized(server, texts, sizes);
}

static void round_fetch(loam_fetcher *fetcher, loam_fetch_result results[CELLS]) {
    loam_fetch_id ids[CELLS];
    for (int64_t x = 0; x < CELLS; x++) {
        ids[x] = ask_cell(fetcher, x);
    }
    take_all(fetcher, ids, results, CELLS);
}

/* CELLS cells through these answers. */
static void fetch_cells(const batch_answer *answers, size_t answer_count,
                        loam_fetch_result results[CELLS], script_server *server) {
    answers_start(server, answers, answer_count);
    loam_fetcher *fetcher = fetcher_of(server->url, NULL);
    round_fetch(fetcher, results);
    loam_fetcher_destroy(fetcher);
    script_join(server);
}

static void expect_bytes(const loam_fetch_result *result, const char *text) {
    digest id = digest_of(text, strlen(text));
    char named[DIGEST_TEXT_BYTES];
    digest_text(&id, named);
    cr_assert_eq(result->error.status, LOAM_OK, "%s", result->error.text);
    cr_expect_eq(result->http_status, 200);
    cr_assert_eq(result->size, strlen(text));
    cr_expect_eq(memcmp(result->bytes, text, result->size), 0);
    cr_expect_str_eq(result->digest, named);
}

static void results_free(loam_fetch_result *results) {
    for (size_t i = 0; i < CELLS; i++) {
        loam_fetch_result_fini(&results[i]);
    }
}

Test(fetch_batch, three_cells_come_by_one_request) {
    loam_fetch_result results[CELLS];
    script_server server;
    batch_answer answer = good_answer();
    fetch_cells(&answer, 1, results, &server);
    cr_expect_eq(strncmp(server.requests[0], "POST /v1/worlds/forest/cell-batches ", 36), 0);
    cr_expect_not_null(strstr(server.requests[0], "Accept: application/vnd.loam.batch\r\n"));
    cr_expect_not_null(
        strstr(server.requests[0],
               "\r\n\r\n{\"output\":\"trees\",\"cells\":[[1,0,5],[1,1,5],[1,2,5]],\"have\":{}}"));
    expect_bytes(&results[0], "abc");
    expect_bytes(&results[1], "twelve bytes");
    expect_bytes(&results[2], "12345678");
    cr_expect_eq(strncmp(results[1].build_key, "sha256-0200", 11), 0);
    results_free(results);
}

Test(fetch_batch, one_damaged_cell_is_damage_to_no_other) {
    loam_fetch_result results[CELLS];
    script_server server;
    batch_answer answer;
    put_head(&answer, CELLS);
    put_entry(&answer, 0, 200, "abc", false);
    put_entry(&answer, 1, 200, "twelve bytes", true);
    put_entry(&answer, 2, 200, "12345678", false);
    fetch_cells(&answer, 1, results, &server);
    expect_bytes(&results[0], "abc");
    cr_expect_eq(results[1].error.status, LOAM_DAMAGED);
    cr_expect_null(results[1].bytes);
    expect_bytes(&results[2], "12345678");
    results_free(results);
}

Test(fetch_batch, what_the_daemon_says_of_one_is_told_of_it) {
    static const char outside[] = "{\"code\": \"outside-world\", \"detail\": \"too far\"}";
    loam_fetch_result results[CELLS];
    script_server server;
    batch_answer answers[3] = {{.size = 0}};
    static const char alone[] =
        "HTTP/1.1 200 OK\r\n" CLOSED "Content-Type: application/vnd.loam.cell\r\nLoam-Digest: "
        "sha256-ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f2"
        "0015ad\r\n\r\nabc";
    put_head(&answers[0], CELLS);
    put_entry(&answers[0], 0, 202, "", false);
    put_entry(&answers[0], 1, 404, outside, false);
    put_entry(&answers[0], 2, 413, "{}", false);
    put(&answers[1], alone, sizeof alone - 1);
    put(&answers[2], alone, sizeof alone - 1);
    fetch_cells(answers, 3, results, &server);
    expect_bytes(&results[0], "abc");
    cr_expect_eq(results[1].error.status, LOAM_OUTSIDE_WORLD);
    cr_expect_eq(results[1].http_status, 404);
    cr_expect_str_eq(results[1].error.text, "too far");
    expect_bytes(&results[2], "abc");
    cr_expect_not_null(strstr(server.requests[1], "GET /v1/worlds/forest/cells/1/2/5/trees"),
                       "what did not fit is asked for alone, and at once");
    cr_expect_not_null(strstr(server.requests[2], "GET /v1/worlds/forest/cells/1/0/5/trees"));
    results_free(results);
}

Test(fetch_batch, what_is_turned_away_or_lost_is_asked_again_together) {
    loam_fetch_result results[CELLS];
    script_server server;
    batch_answer answers[4] = {{.size = 0}};
    static const char busy[] = REFUSAL("503 Service Unavailable", "Retry-After: 1\r\n");
    put(&answers[0], busy, sizeof busy - 1);
    answers[2] = good_answer();
    answers[2].size -= 20; /* within the last cell */
    static const char alone[] = REFUSAL("404 Not Found", "");
    put(&answers[3], alone, sizeof alone - 1);
    fetch_cells(answers, 4, results, &server);
    for (int i = 0; i < 3; i++) {
        cr_expect_not_null(strstr(server.requests[i], "[[1,0,5],[1,1,5],[1,2,5]]"), "%d: %s", i,
                           server.requests[i]);
    }
    expect_bytes(&results[0], "abc");
    expect_bytes(&results[1], "twelve bytes");
    cr_expect_eq(results[2].error.status, LOAM_NOT_FOUND, "the two that came are not asked for");
    cr_expect_null(results[2].bytes);
    results_free(results);
}

Test(fetch_batch, a_refusal_of_the_batch_is_told_of_all) {
    static const char none[] =
        "HTTP/1.1 404 Not Found\r\n" CLOSED "Content-Type: application/problem+json\r\n\r\n"
        "{\"code\": \"not-found\", \"detail\": \"no such world\"}";
    loam_fetch_result results[CELLS];
    script_server server;
    batch_answer answer = {.size = 0};
    put(&answer, none, sizeof none - 1);
    fetch_cells(&answer, 1, results, &server);
    for (int i = 0; i < CELLS; i++) {
        cr_expect_eq(results[i].error.status, LOAM_NOT_FOUND);
        cr_expect_str_eq(results[i].error.text, "no such world");
    }
}

/* Answers that are not what was asked: of another place, too many, too few, of no known form. */
Test(fetch_batch, an_answer_of_something_else_is_malformed) {
    batch_answer wrong[5];
    for (size_t i = 0; i < 5; i++) {
        wrong[i] = good_answer();
    }
    char *head = strstr(wrong[0].bytes, "LOAMBTCH");
    size_t before = (size_t)(head - wrong[0].bytes);
    wrong[0].bytes[before] = 'l';
    wrong[1].bytes[before + 12] = 2;
    wrong[2].bytes[before + 16] = 7;                    /* x of the first cell */
    put(&wrong[3], "more", 4);                          /* behind the last */
    memset(wrong[4].bytes + before + 16 + 88, 0x7f, 8); /* larger than anything */
    for (size_t i = 0; i < 5; i++) {
        loam_fetch_result results[CELLS];
        script_server server;
        fetch_cells(&wrong[i], 1, results, &server);
        loam_status expected = i == 3 ? LOAM_OK : LOAM_MALFORMED; /* all had come before */
        cr_expect_eq(results[0].error.status, expected, "%zu: %s", i, results[0].error.text);
        cr_expect_eq(results[2].error.status, expected, "%zu: %s", i, results[2].error.text);
        results_free(results);
    }
}

Test(fetch_batch, what_the_disk_has_is_named_and_read_from_it) {
    loam_fetch_result results[CELLS];
    script_server server;
    static const char have[] = "\"have\":{\"1/0/5\":\"sha256-ba7816bf";
    batch_answer answers[2] = {good_answer()};
    put_head(&answers[1], CELLS);
    put_entry(&answers[1], 0, 304, "abc", false);
    put_entry(&answers[1], 1, 200, "new", false);
    put_entry(&answers[1], 2, 304, "12345678", false);
    answers_start(&server, answers, 2);
    loam_fetcher *fetcher = fetcher_of(server.url, program_folder);
    for (int i = 0; i < 2; i++) {
        round_fetch(fetcher, results);
        expect_bytes(&results[0], "abc");
        expect_bytes(&results[1], i == 0 ? "twelve bytes" : "new");
        expect_bytes(&results[2], "12345678");
        cr_expect_eq(results[0].cached, i == 1);
        cr_expect_not(results[1].cached);
        results_free(results);
    }
    script_join(&server);
    cr_expect_not_null(strstr(server.requests[1], have), "%s", server.requests[1]);
    loam_fetcher_destroy(fetcher);
}

Test(fetch_batch, what_is_cancelled_leaves_the_others_their_bytes) {
    batch_answer answer = good_answer();
    script_server server;
    loam_fetch_result results[2];
    answers_start(&server, &answer, 1);
    loam_fetcher *fetcher = fetcher_of(server.url, NULL);
    loam_fetch_id ids[] = {ask_cell(fetcher, 0), 0};
    loam_fetch_id gone = ask_cell(fetcher, 1);
    ids[1] = ask_cell(fetcher, 2);
    (void)loam_fetcher_poll(fetcher); /* it is on its way */
    cr_expect(loam_fetcher_cancel(fetcher, gone));
    take_all(fetcher, ids, results, 2);
    expect_bytes(&results[0], "abc");
    expect_bytes(&results[1], "12345678");
    loam_fetch_result_fini(&results[0]);
    loam_fetch_result_fini(&results[1]);
    loam_fetcher_destroy(fetcher);
    script_join(&server);
}

/* Of six only two may go together; the others each have a reason. */
Test(fetch_batch, only_what_belongs_together_goes_together) {
    static const char refusal[] = REFUSAL("404 Not Found", "");
    static const char *const texts[] = {refusal, refusal, refusal, refusal, refusal, NULL};
    static const char revision[] =
        "sha256-1111111111111111111111111111111111111111111111111111111111111111";
    loam_client_cell cells[6] = {plain, plain, plain, plain, plain, plain};
    loam_fetch_result results[6];
    loam_fetch_id ids[6];
    script_server server;
    script_start(&server, texts);
    loam_fetcher *fetcher = fetcher_of(server.url, NULL);
    cells[1].output = "rocks";
    cells[2].world = "desert";
    cells[3].revision = revision;
    cells[4].cached_only = true;
    cells[5].x = 7;
    for (int i = 0; i < 6; i++) {
        ids[i] = ask(fetcher, cells[i], i);
    }
    take_all(fetcher, ids, results, 6);
    cr_expect_not_null(strstr(server.requests[0], "[[1,0,5],[1,7,5]]"), "%s", server.requests[0]);
    for (int i = 1; i < 5; i++) {
        cr_expect_eq(strncmp(server.requests[i], "GET ", 4), 0, "%s", server.requests[i]);
    }
    loam_fetcher_destroy(fetcher);
    script_join(&server);
    cr_expect_eq(server.answered, 5);
}

Test(fetch_batch, the_most_urgent_go_first_and_a_batch_has_its_limit) {
    static const char refusal[] = REFUSAL("404 Not Found", "");
    static const char *const texts[] = {refusal, refusal, NULL};
    loam_fetch_result results[20];
    loam_fetch_id ids[20];
    script_server server;
    script_start(&server, texts);
    loam_fetcher *fetcher = fetcher_of(server.url, NULL);
    for (int i = 0; i < 20; i++) {
        loam_client_cell cell = plain;
        cell.x = i;
        ids[i] = ask(fetcher, cell, -i);
    }
    take_all(fetcher, ids, results, 20);
    cr_expect_not_null(strstr(server.requests[0], "[[1,19,5],[1,18,5],"));
    cr_expect_not_null(strstr(server.requests[0], "[1,4,5]]"));
    cr_expect_not_null(strstr(server.requests[1], "[[1,3,5],[1,2,5],[1,1,5],[1,0,5]]"));
    loam_fetcher_destroy(fetcher);
    script_join(&server);
}

Test(fetch_batch, a_batch_larger_than_the_daemon_takes_is_refused) {
    loam_error error = {0};
    loam_fetcher_options options = {.batch_max = LOAM_CLIENT_BATCH_MAX + 1};
    cr_expect_null(loam_fetcher_create(&options, &error));
    cr_expect_eq(error.status, LOAM_OUT_OF_RANGE);
}
