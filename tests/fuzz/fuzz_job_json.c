/* SPDX-License-Identifier: MIT
 *
 * fuzz_job_json.c: a job is refused with a fault, or its canonical text is the same job, and every
 * task is a cell that the job asked for, in the order of the tasks, or a dungeon by its build key.
 */
#include "api/wire/document.h"
#include "api/wire/job_document.h"
#include "tests/fuzz/property.h"

#include <stdlib.h>
#include <string.h>

enum { ARENA_WORLD, ARENA_JOB, ARENA_AGAIN, ARENA_DUNGEON };

/* A list of a thousand cells and the text of it. */
#define JOB_BYTES ((size_t)16 << 20)

enum { TASKS_SHOWN = 1000 };

static const char world_text[] =
    "{\"seed\":\"1\",\"graph\":{\"loam_graph\":1,\"nodes\":{\"a\":{\"op\":\"grid.sample\","
    "\"params\":{\"spacing_m\":8}}},\"outputs\":{\"p\":{\"node\":\"a\",\"level\":0},"
    "\"q\":{\"node\":\"a\",\"level\":1},\"r\":{\"node\":\"a\",\"level\":0}}},\"slots\":{},"
    "\"grid\":{\"levels\":[{\"cell_size_m\":64},{\"cell_size_m\":16}],"
    "\"bounds_m\":{\"min\":[-256,-256],\"max\":[256,512]}}}";

static loam_status find_nothing(void *context, const digest *graph, loam_text *document) {
    (void)context;
    (void)graph;
    (void)document;
    return LOAM_NOT_FOUND;
}

static loam_status find_no_asset(void *context, loam_text name, digest *asset,
                                 loam_port_kind *kind) {
    (void)context;
    (void)name;
    (void)asset;
    (void)kind;
    return LOAM_NOT_FOUND;
}

/* The one world, read once. */
static const world *the_world(void) {
    static const world_resolver resolver = {find_nothing, find_no_asset, NULL, NULL};
    static fault_list faults;
    static world made;
    if (made.canonical.size == 0) {
        loam_arena *arena = empty_arena(ARENA_WORLD, WORLD_ARENA_BYTES);
        require(world_read(loam_text_of(world_text), &resolver, arena, &made, &faults) == LOAM_OK,
                "the world of the jobs is sound");
    }
    return &made;
}

static loam_status find_world(void *context, loam_text name, const digest *revision,
                              const world **found) {
    (void)context;
    *found = the_world();
    bool known = loam_text_equal(name, loam_text_of("w")) &&
                 (revision == NULL || digest_equal(revision, &(*found)->revision));
    return known ? LOAM_OK : LOAM_NOT_FOUND;
}

static uint32_t dungeons_taken;

static loam_status take_dungeon(void *context, const job_dungeon *dungeon, loam_arena *scratch,
                                loam_error *error) {
    const digest key = key_of_dungeon(dungeon->plan);
    (void)context;
    (void)scratch;
    (void)error;
    require(dungeon->index == dungeons_taken++, "dungeons are taken in order");
    require(digest_equal(&key, &dungeon->key), "a dungeon is known by its build key");
    return LOAM_OK;
}

static bool read_job(loam_text json, bool kept, unsigned arena, job *to) {
    static fault_list faults;
    const job_resolver resolver = {.find_world = find_world,
                                   .take_dungeon = take_dungeon,
                                   .scratch = empty_arena(ARENA_DUNGEON, JOB_BYTES)};
    fault_clear(&faults);
    dungeons_taken = 0;
    loam_status status = (kept ? job_read_kept : job_read)(
        json, &resolver, empty_arena(arena, JOB_BYTES), to, &faults);
    if (status != LOAM_OK) {
        require_faults(status, &faults);
        return false;
    }
    require(faults.count == 0, "an accepted job has no fault");
    return true;
}

static bool is_before(job_cell a, job_cell b) {
    return a.z < b.z || (a.z == b.z && a.x < b.x);
}

static void require_cells(const job *of) {
    require(of->output_count > 0 && of->cell_count > 0, "a job has tasks");
    for (uint64_t i = 0; i < of->cell_count && i < TASKS_SHOWN; i++) {
        job_cell cell = job_cell_at(of, i);
        job_cell other = job_cell_at(of, (of->output_count - 1) * of->cell_count + i);
        loam_rect rect;
        loam_error error = {0};
        require(cell.x == other.x && cell.z == other.z, "each output is asked for the same cells");
        require(world_cell(the_world(), of->level, cell.x, cell.z, &rect, &error) == LOAM_OK,
                "a task's cell lies in its world");
        require(i == 0 || is_before(job_cell_at(of, i - 1), cell), "tasks go by z, then x");
        require(of->listed || (cell.x >= of->min.x && cell.x <= of->max.x && cell.z >= of->min.z &&
                               cell.z <= of->max.z),
                "a task's cell lies in the rectangle");
    }
}

static void require_tasks(const job *of) {
    if (of->dungeons == NULL) {
        require_cells(of);
    } else {
        require(of->dungeon_count > 0 && of->dungeon_count == dungeons_taken,
                "each dungeon is a task");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    job first, again;
    if (!read_job(input_text(bytes, size), false, ARENA_JOB, &first)) {
        return 0;
    }
    require_tasks(&first);
    require(first.canonical.size <= JSON_BYTES_MAX, "a canonical text can be sent");
    require(read_job(first.canonical, true, ARENA_AGAIN, &again), "a canonical text is accepted");
    require_equal(again.canonical, first.canonical, "a canonical text is its own");
    require(memcmp(first.id, again.id, JOB_ID_BYTES) == 0, "equal texts are one job");
    return 0;
}
