/* SPDX-License-Identifier: MIT
 *
 * script.c: see script.h.
 */
#include "tests/disaster/script.h"

#include "tests/disaster/disk.h"
#include "tests/disaster/expect.h"
#include "tests/disaster/script_parts.h"

#include <stdio.h>
#include <string.h>

enum { ACTIONS_MIN = 5, ACTIONS_MAX = 40, STORM_PERCENT = 6, STORM_FAILURES_MAX = 40 };

/* ---- Names ---------------------------------------------------------------------------------- */

/* Until there is a word of its fate, both are possible. An asset whose bytes are those of one that
 * is being removed is to be sent again. */
static bool change_name(visitor *of, name_note *note, uint32_t value, const visit *what) {
    const int again = note == &of->note->terrain ? 503 : 0;
    const int allowed[] = {200, 201, 204, 404, 409, again, 0};
    reply got;
    note->maybe |= 1u << value;
    bool taken = expect_status(of->shared, what, &got, allowed);
    /* What was refused was not done. */
    bool refused = got.status >= 400 && got.status < 500;
    if (taken) {
        *note = (name_note){.acknowledged = value};
    } else if (refused) {
        note->maybe &= ~(1u << value);
    }
    reply_free(&got);
    return taken;
}

static void put_terrain(visitor *of) {
    char path[PATH_TEXT_BYTES];
    char body[BODY_TEXT_BYTES];
    uint32_t which = dice_below(&of->dice, TERRAINS);
    snprintf(path, sizeof path, "/v1/assets/terrain%u", of->number);
    terrain_body(which, body);
    change_name(of, &of->note->terrain, 1 + which,
                &(visit){.method = "PUT", .path = path, .body = body});
}

void script_put_world(visitor *of) {
    char path[PATH_TEXT_BYTES];
    char body[BODY_TEXT_BYTES];
    const name_note *terrain = &of->note->terrain;
    if (terrain->maybe != 0 || terrain->acknowledged == 0) {
        put_terrain(of);
        return;
    }
    uint32_t kind = dice_below(&of->dice, WORLD_SEEDS) * TERRAINS + terrain->acknowledged - 1;
    snprintf(path, sizeof path, "/v1/worlds/world%u", of->number);
    world_body(kind, of->number, body);
    change_name(of, &of->note->world, 1 + kind,
                &(visit){.method = "PUT", .path = path, .body = body});
}

/* A job whose world is gone cannot come to its end. */
static void delete_world(visitor *of) {
    char path[PATH_TEXT_BYTES];
    if (of->note->job_count > 0) {
        return;
    }
    snprintf(path, sizeof path, "/v1/worlds/world%u", of->number);
    change_name(of, &of->note->world, 0, &(visit){.method = "DELETE", .path = path});
}

static void look_at_names(visitor *of) {
    expect_terrain(of->shared, of->number);
    expect_world(of->shared, of->number);
}

/* ---- What is built -------------------------------------------------------------------------- */

static void get_cell(visitor *of) {
    static const char *const accepts[] = {NULL, "Accept: application/json\r\n",
                                          "Accept-Encoding: zstd\r\n", "Accept: text/csv\r\n"};
    expect_cell(of->shared, dice_below(&of->dice, VISITORS), dice_below(&of->dice, SIDE),
                dice_below(&of->dice, SIDE), accepts[dice_below(&of->dice, 4)]);
}

static void leave_cell(visitor *of) {
    char path[PATH_TEXT_BYTES];
    snprintf(path, sizeof path, "/v1/worlds/world%u/cells/0/%u/%u/trees",
             dice_below(&of->dice, VISITORS), dice_below(&of->dice, SIDE),
             dice_below(&of->dice, SIDE));
    reply got = visit_make(&(visit){.method = "GET", .path = path, .leave = true});
    reply_free(&got);
}

static void post_dungeon(visitor *of) {
    char body[BODY_TEXT_BYTES];
    reply got;
    uint32_t which = dice_below(&of->dice, DUNGEONS);
    dungeon_body(which, body);
    if (expect_status(of->shared, &(visit){.method = "POST", .path = "/v1/dungeons", .body = body},
                      &got, (int[]){200, 201, 0})) {
        of->note->dungeon[which] = true;
    }
    reply_free(&got);
    if (of->note->dungeon[which]) {
        expect_dungeon(of->shared, which);
    }
}

/* ---- Upkeep and weather --------------------------------------------------------------------- */

static void ask_upkeep(visitor *of) {
    static const char *const paths[] = {"/v1/admin/gc?bytes=300000", "/v1/admin/gc?bytes=0",
                                        "/v1/admin/scrub", "/v1/admin/backup"};
    reply got;
    visit what = {.method = "POST", .path = paths[dice_below(&of->dice, 4)]};
    /* Two backups of one millisecond have one name. */
    expect_status(of->shared, &what, &got, (int[]){200, 409, 422, 0});
    reply_free(&got);
}

static void change_weather(visitor *of) {
    static const uint32_t rates[] = {0, 0, 0, 5, 50, 400};
    disk_set_weather((disk_weather){.failures_max = 1 + dice_below(&of->dice, STORM_FAILURES_MAX),
                                    .reads = rates[dice_below(&of->dice, 6)],
                                    .writes = rates[dice_below(&of->dice, 6)],
                                    .space = rates[dice_below(&of->dice, 6)],
                                    .syncs = rates[dice_below(&of->dice, 6)]});
}

/* ---- A life --------------------------------------------------------------------------------- */

static visitor visitor_of(ledger *shared, uint32_t number, uint64_t seed) {
    return (visitor){.shared = shared,
                     .note = &shared->visitors[number],
                     .number = number,
                     .dice = {seed * VISITORS + number}};
}

static void look_at_all(visitor *of) {
    look_at_names(of);
    for (uint32_t i = 0; i < DUNGEONS; i++) {
        if (of->note->dungeon[i]) {
            expect_dungeon(of->shared, i);
        }
    }
    for (uint32_t i = 0; i < of->note->job_count; i++) {
        expect_job(of->shared, &of->note->jobs[i], false);
    }
}

void script_visit(ledger *shared, uint32_t number, uint64_t seed, bool storms) {
    static void (*const actions[])(visitor *) = {
        put_terrain,     script_put_world, script_put_world, delete_world,    look_at_names,
        get_cell,        get_cell,         get_cell,         leave_cell,      post_dungeon,
        script_post_job, script_post_job,  script_tend_job,  script_tend_job, script_tend_job,
        script_tend_job, ask_upkeep,
    };
    visitor of = visitor_of(shared, number, seed);
    int64_t count = dice_between(&of.dice, ACTIONS_MIN, ACTIONS_MAX);
    look_at_all(&of);
    for (int64_t i = 0; i < count; i++) {
        if (storms && dice_percent(&of.dice, STORM_PERCENT)) {
            change_weather(&of);
        }
        actions[dice_below(&of.dice, sizeof actions / sizeof actions[0])](&of);
    }
}

/* ---- The end -------------------------------------------------------------------------------- */

static void expect_metric(const reply *metrics, const char *name) {
    size_t size = strlen(name);
    for (const char *line = metrics->body; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, size) == 0 && line[size] == ' ' &&
            strncmp(line + size, " 0\n", 3) != 0) {
            finding("%.*s", (int)strcspn(line, "\n"), line);
        }
    }
}

void script_conclude(ledger *shared, uint32_t number) {
    visitor of = visitor_of(shared, number, 1);
    reply metrics;
    look_at_all(&of);
    for (uint32_t i = 0; i < of.note->job_count; i++) {
        script_conclude_job(&of, &of.note->jobs[i]);
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        expect_cell(shared, number, i % SIDE, i / SIDE, NULL);
    }
    expect_status(shared, &(visit){.method = "GET", .path = "/metrics"}, &metrics, (int[]){200, 0});
    expect_metric(&metrics, "loam_store_damaged_total");
    expect_metric(&metrics, "loam_determinism_alarms_total");
    reply_free(&metrics);
}
