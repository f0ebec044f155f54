/* SPDX-License-Identifier: MIT
 *
 * script_jobs.c: what visitors do with jobs: post, command, look at, and drive to their end.
 */
#include "tests/disaster/expect.h"
#include "tests/disaster/script_parts.h"

#include <stdio.h>
#include <string.h>

/* Looks at a job that shall end: each waits for it. */
enum { ROUNDS_MAX = 200 };

static bool is_noted(ledger *shared, const char *id) {
    bool found = false;
    for (uint32_t i = 0; i < VISITORS; i++) {
        for (uint32_t k = 0; k < shared->visitors[i].job_count; k++) {
            job_note *job = &shared->visitors[i].jobs[k];
            bool same = strcmp(job->id, id) == 0;
            job->disturbed = job->disturbed || same;
            found = found || same;
        }
    }
    return found;
}

static void note_job(visitor *of, const reply *got, uint32_t kind, uint32_t total) {
    json_t *root = reply_json(got);
    const char *id = json_string_value(json_object_get(root, "id"));
    if (id == NULL) {
        finding("a job was accepted without a name: %s", got->body);
    }
    if (!is_noted(of->shared, id)) {
        job_note *job = &of->note->jobs[of->note->job_count++];
        *job = (job_note){.kind = kind, .total = total};
        snprintf(job->id, sizeof job->id, "%s", id);
    }
    json_decref(root);
}

/* A request that the power cuts off may have set a job out again all the same: until it is answered
 * its jobs, those of as many cells, are disturbed, and what they were is given back after it. */
static uint32_t disturb_alike(visitor_note *note, uint32_t total) {
    uint32_t as_they_were = 0;
    for (uint32_t k = 0; k < note->job_count; k++) {
        as_they_were |= (uint32_t)note->jobs[k].disturbed << k;
        note->jobs[k].disturbed |= note->jobs[k].total == total;
    }
    return as_they_were;
}

static void give_back(visitor_note *note, uint32_t as_they_were) {
    for (uint32_t k = 0; k < note->job_count; k++) {
        note->jobs[k].disturbed = (as_they_were >> k & 1) != 0;
    }
}

void script_post_job(visitor *of) {
    char body[BODY_TEXT_BYTES];
    reply got;
    const name_note *world = &of->note->world;
    if (world->maybe != 0 || world->acknowledged == 0 || of->note->job_count == JOBS_EACH) {
        script_put_world(of);
        return;
    }
    uint32_t x = dice_below(&of->dice, SIDE);
    uint32_t z = dice_below(&of->dice, SIDE);
    uint32_t total = (SIDE - x) * (SIDE - z);
    /* It may be larger than the cache. */
    int small_cache = of->shared->cache_is_small ? 422 : 0;
    snprintf(body, sizeof body,
             "{\"world\": \"world%u\", \"outputs\": [\"trees\"], \"level\": 0, \"cells\": "
             "{\"min\": [%u, %u], \"max\": [%u, %u]}}",
             of->number, x, z, SIDE - 1, SIDE - 1);
    uint32_t as_they_were = disturb_alike(of->note, total);
    bool taken =
        expect_status(of->shared, &(visit){.method = "POST", .path = "/v1/jobs", .body = body},
                      &got, (int[]){200, 202, small_cache, 0});
    give_back(of->note, as_they_were);
    if (taken) {
        note_job(of, &got, world->acknowledged - 1, total);
    }
    reply_free(&got);
}

static void command_job(visitor *of, job_note *job, const char *command) {
    char path[PATH_TEXT_BYTES];
    reply got;
    bool cancels = command[0] == 'c';
    job->cancel_asked = job->cancel_asked || cancels;
    job->disturbed = job->disturbed || command[0] == 'r';
    snprintf(path, sizeof path, "/v1/jobs/%s/%s", job->id, command);
    bool taken = expect_status(of->shared, &(visit){.method = "POST", .path = path}, &got,
                               (int[]){200, 202, 409, 0});
    job->cancelled = job->cancelled || (taken && cancels);
    reply_free(&got);
}

void script_tend_job(visitor *of) {
    static const char *const commands[] = {"cancellation", "pause", "resumption", "retries"};
    if (of->note->job_count == 0) {
        script_post_job(of);
        return;
    }
    job_note *job = &of->note->jobs[dice_below(&of->dice, of->note->job_count)];
    uint32_t what = dice_below(&of->dice, 10);
    if (what < 4) {
        command_job(of, job, commands[what]);
    } else if (expect_job(of->shared, job, what < 7) == 's') {
        expect_results(of->shared, job);
    }
}

void script_conclude_job(visitor *of, job_note *job) {
    char state = expect_job(of->shared, job, true);
    for (int round = 0; state != 's' && state != 'c'; round++) {
        if (round == ROUNDS_MAX) {
            finding("job %s does not come to an end: %c", job->id, state);
        }
        if (state == 'p') {
            command_job(of, job, "resumption");
        } else if (state == 'f') {
            command_job(of, job, "retries");
        }
        state = expect_job(of->shared, job, true);
    }
    if (state == 's') {
        expect_results(of->shared, job);
    }
}
