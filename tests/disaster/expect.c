/* SPDX-License-Identifier: MIT
 *
 * expect.c: see expect.h.
 */
#include "tests/disaster/expect.h"

#include "api/key/key.h"
#include "tests/disaster/disk.h"
#include "tests/disaster/strand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A loop over states that change ends. */
enum { PAGES_MAX = 100 };

/* ---- Bodies --------------------------------------------------------------------------------- */

void terrain_body(uint32_t which, char body[BODY_TEXT_BYTES]) {
    snprintf(body, BODY_TEXT_BYTES,
             "{\"recipe\": \"heightmap.fbm\", \"seed\": \"%u\", \"params\": {\"width\": 65, "
             "\"height\": 65, \"spacing_m\": 4}}",
             which + 1);
}

void world_body(uint32_t kind, uint32_t visitor, char body[BODY_TEXT_BYTES]) {
    snprintf(body, BODY_TEXT_BYTES,
             "{\"seed\": \"%u\", \"graph\": {\"loam_graph\": 1, \"slots\": {\"terrain\": "
             "\"heightfield\"}, \"nodes\": {\"sites\": {\"op\": \"surface.sample\", \"in\": "
             "{\"surface\": \"$terrain\"}, \"params\": {\"spacing_m\": 4}}, \"trees\": {\"op\": "
             "\"self.prune\", \"in\": {\"points\": \"sites\"}, \"params\": {\"radius_m\": 5}}}, "
             "\"outputs\": {\"trees\": {\"node\": \"trees\", \"level\": 0}}}, \"slots\": "
             "{\"terrain\": \"terrain%u\"}, \"grid\": {\"levels\": [{\"cell_size_m\": 64}], "
             "\"bounds_m\": {\"min\": [0, 0], \"max\": [256, 256]}}}",
             kind / TERRAINS + 1, visitor);
}

void dungeon_body(uint32_t which, char body[BODY_TEXT_BYTES]) {
    snprintf(body, BODY_TEXT_BYTES,
             "{\"recipe\": \"dungeon.rooms\", \"seed\": \"%u\", \"params\": {\"width\": 32, "
             "\"height\": 32}}",
             which + 1);
}

/* ---- Every answer --------------------------------------------------------------------------- */

static bool is_allowed(int status, const int *allowed) {
    while (*allowed != 0 && *allowed != status) {
        allowed++;
    }
    return *allowed != 0;
}

/* A run can be read along: SIMULATE_TALK=1. */
static void talk(const visit *of, const reply *got) {
    static int talks = -1;
    if (talks < 0) {
        talks = getenv("SIMULATE_TALK") != NULL;
    }
    if (talks != 0) {
        printf("%llu us: %s %s %d (disk failed %llu times)\n",
               (unsigned long long)(strands_now_ns() / 1000 % 1000000000000), of->method, of->path,
               got->status, (unsigned long long)disk_failures());
        fflush(stdout);
    }
}

bool expect_status(ledger *shared, const visit *of, reply *got, const int *allowed) {
    uint64_t before = disk_failures();
    *got = visit_make(of);
    talk(of, got);
    shared->tally.answers++;
    bool fault = got->status >= 500;
    shared->tally.own_faults += fault;
    bool excused = fault && disk_failures() > before;
    if (!excused && !is_allowed(got->status, allowed)) {
        finding("%s %s answered %d %s", of->method, of->path, got->status,
                got->status == 0 ? "(nothing)" : got->body);
    }
    return got->status >= 200 && got->status < 300;
}

void expect_hash(const visit *of, const reply *got) {
    char hash[DIGEST_TEXT_BYTES];
    char tag[DIGEST_TEXT_BYTES + 8];
    digest hashed = digest_of(got->body, got->size);
    digest_text(&hashed, hash);
    reply_header(got, "ETag", tag, sizeof tag);
    if (strncmp(tag + 1, hash, DIGEST_TEXT_SIZE) != 0) {
        finding("%s %s: a body that hashes to %s has the tag %s", of->method, of->path, hash, tag);
    }
}

static void copy_member(const reply *got, const char *key, char to[NAME_BYTES]) {
    json_t *root = reply_json(got);
    const char *text = json_string_value(json_object_get(root, key));
    snprintf(to, NAME_BYTES, "%s", text == NULL ? "" : text);
    json_decref(root);
}

static int64_t member_number(const json_t *root, const char *key) {
    return json_integer_value(json_object_get(root, key));
}

/* ---- Names ---------------------------------------------------------------------------------- */

/* What was seen is so from now on. */
static void expect_value(name_note *note, uint32_t value, const char *path) {
    bool possible = note->acknowledged == value || (note->maybe >> value & 1) != 0;
    if (!possible) {
        finding("%s stands for %u, and %u was acknowledged (and %x asked for)", path, value,
                note->acknowledged, note->maybe);
    }
    *note = (name_note){.acknowledged = value};
}

void expect_terrain(ledger *shared, uint32_t visitor) {
    char path[PATH_TEXT_BYTES];
    char seen[NAME_BYTES];
    reply got;
    uint32_t value = 0;
    snprintf(path, sizeof path, "/v1/assets/terrain%u", visitor);
    bool found =
        expect_status(shared, &(visit){.method = "GET", .path = path}, &got, (int[]){200, 404, 0});
    if (found) {
        copy_member(&got, "digest", seen);
        while (value < TERRAINS && strcmp(shared->reference.terrain[value], seen) != 0) {
            value++;
        }
        value++;
    }
    if (got.status < 500) {
        expect_value(&shared->visitors[visitor].terrain, value, path);
    }
    reply_free(&got);
}

uint32_t kind_of_revision(const ledger *shared, const char *revision) {
    uint32_t kind = 0;
    while (kind < WORLD_KINDS &&
           strncmp(shared->reference.revision[kind], revision, DIGEST_TEXT_SIZE) != 0) {
        kind++;
    }
    if (kind == WORLD_KINDS) {
        finding("the revision %s is none that anybody put", revision);
    }
    return kind;
}

void expect_world(ledger *shared, uint32_t visitor) {
    char path[PATH_TEXT_BYTES];
    char seen[NAME_BYTES];
    reply got;
    uint32_t value = 0;
    snprintf(path, sizeof path, "/v1/worlds/world%u", visitor);
    if (expect_status(shared, &(visit){.method = "GET", .path = path}, &got,
                      (int[]){200, 404, 0})) {
        copy_member(&got, "revision", seen);
        value = 1 + kind_of_revision(shared, seen);
    }
    if (got.status < 500) {
        expect_value(&shared->visitors[visitor].world, value, path);
    }
    reply_free(&got);
}

/* ---- What is built -------------------------------------------------------------------------- */

void expect_cell(ledger *shared, uint32_t visitor, uint32_t x, uint32_t z, const char *accept) {
    char path[PATH_TEXT_BYTES];
    char place[PATH_TEXT_BYTES];
    char seen[NAME_BYTES];
    reply got;
    snprintf(path, sizeof path, "/v1/worlds/world%u/cells/0/%u/%u/trees", visitor, x, z);
    visit of = {.method = "GET", .path = path, .headers = accept};
    if (expect_status(shared, &of, &got, (int[]){200, 404, 0})) {
        expect_hash(&of, &got);
        reply_header(&got, "Content-Location", place, sizeof place);
        reply_header(&got, "Loam-Digest", seen, sizeof seen);
        const char *revision = strstr(place, "sha256-");
        uint32_t kind = kind_of_revision(shared, revision == NULL ? place : revision);
        if (strcmp(seen, shared->reference.cell[kind][z * SIDE + x]) != 0) {
            finding("%s is %s and not %s", path, seen, shared->reference.cell[kind][z * SIDE + x]);
        }
    }
    reply_free(&got);
}

void expect_dungeon(ledger *shared, uint32_t dungeon) {
    char path[PATH_TEXT_BYTES];
    char seen[NAME_BYTES];
    reply got;
    snprintf(path, sizeof path, "/v1/dungeons/%s", shared->reference.dungeon_key[dungeon]);
    visit of = {
        .method = "GET", .path = path, .headers = "Accept: application/vnd.loam.dungeon\r\n"};
    if (expect_status(shared, &of, &got, (int[]){200, 0})) {
        expect_hash(&of, &got);
        reply_header(&got, "Loam-Digest", seen, sizeof seen);
        if (strcmp(seen, shared->reference.dungeon[dungeon]) != 0) {
            finding("%s is %s and not %s", path, seen, shared->reference.dungeon[dungeon]);
        }
    }
    reply_free(&got);
}

/* ---- Jobs ----------------------------------------------------------------------------------- */

static bool is_over(char state) {
    return state == 's' || state == 'f' || state == 'c';
}

/* An end is an end, and sums are sums. */
static void check_job(const job_note *job, const json_t *root, char state) {
    int64_t done = member_number(root, "done");
    int64_t failed = member_number(root, "failed");
    char *text = json_dumps(root, JSON_COMPACT);
    bool sums = member_number(root, "total") == job->total && done + failed <= job->total &&
                member_number(root, "cached") <= done;
    bool whole = state != 's' || (done == job->total && failed == 0);
    bool stays = !job->succeeded || job->disturbed || state == 's';
    bool ended = !job->cancelled || job->disturbed || is_over(state);
    if (!sums || !whole || !stays || !ended || (state == 'c' && !job->cancel_asked)) {
        finding("job %s (succeeded %d, cancelled %d): %s", job->id, job->succeeded, job->cancelled,
                text);
    }
    free(text);
}

char expect_job(ledger *shared, job_note *job, bool wait) {
    char path[PATH_TEXT_BYTES];
    reply got;
    char state = 0;
    snprintf(path, sizeof path, "/v1/jobs/%s", job->id);
    visit of = {.method = "GET", .path = path, .headers = wait ? "Prefer: wait=5\r\n" : NULL};
    if (expect_status(shared, &of, &got, (int[]){200, 0})) {
        json_t *root = reply_json(&got);
        const char *text = json_string_value(json_object_get(root, "state"));
        state = text == NULL ? '?' : text[0];
        check_job(job, root, state);
        job->succeeded = job->succeeded || state == 's';
        json_decref(root);
    }
    reply_free(&got);
    return state;
}

static void check_result(const ledger *shared, const job_note *job, const json_t *line) {
    const json_t *cell = json_object_get(line, "cell");
    uint32_t x = (uint32_t)json_integer_value(json_array_get(cell, 0));
    uint32_t z = (uint32_t)json_integer_value(json_array_get(cell, 1));
    const char *seen = json_string_value(json_object_get(line, "digest"));
    if (x >= SIDE || z >= SIDE || seen == NULL ||
        strcmp(seen, shared->reference.cell[job->kind][z * SIDE + x]) != 0) {
        finding("job %s: cell %u %u is %s", job->id, x, z, seen == NULL ? "nothing" : seen);
    }
}

/* Lines of JSON; how many. */
static uint32_t check_page(const ledger *shared, const job_note *job, const reply *got,
                           int64_t *last) {
    uint32_t count = 0;
    for (const char *line = got->body; line != NULL && *line != 0; count++) {
        const char *end = strchr(line, '\n');
        json_t *root = json_loadb(line, end == NULL ? strlen(line) : (size_t)(end - line), 0, NULL);
        if (root == NULL) {
            finding("job %s: a line of its results is no JSON: %s", job->id, line);
        }
        check_result(shared, job, root);
        *last = member_number(root, "n");
        json_decref(root);
        line = end == NULL ? NULL : end + 1;
    }
    return count;
}

void expect_results(ledger *shared, const job_note *job) {
    char path[PATH_TEXT_BYTES];
    int64_t last = 0;
    uint32_t lines = 0;
    uint32_t of_page = 1;
    for (int page = 0; of_page > 0 && page < PAGES_MAX; page++) {
        reply got;
        snprintf(path, sizeof path, "/v1/jobs/%s/results?after=%lld&limit=5", job->id,
                 (long long)last);
        bool answered =
            expect_status(shared, &(visit){.method = "GET", .path = path}, &got, (int[]){200, 0});
        of_page = answered ? check_page(shared, job, &got, &last) : 0;
        lines += of_page;
        reply_free(&got);
        if (!answered) {
            return;
        }
    }
    if (lines != job->total) {
        finding("job %s has succeeded with %u results of %u", job->id, lines, job->total);
    }
}
