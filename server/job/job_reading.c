/* SPDX-License-Identifier: MIT
 *
 * job_reading.c: a job's request, read on a worker. One of cells is read against the world that it
 * names, which is read from the store there too: the network thread's tables are not a worker's to
 * look at. Of one of dungeons their requests are gathered, each as it is to be kept.
 */
#include "server/job/job_table.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "server/dungeon/dungeon_asking.h"
#include "server/loop/arena_map.h"
#include "server/slot/caller.h"
#include "server/slot/reply.h"
#include "server/world/rules_shelf.h"

#include <stdlib.h>
#include <string.h>

/* The canonical text (1 MB) and a list of cells of as many values as JSON may have. */
#define JOB_ARENA_BYTES ((size_t)8 << 20)
/* Requests of the largest job, at some 6 KB each: with all defaults written out a plain one has
 * half a KB, one with its rules in it some KB. */
#define JOB_KEPT_BYTES_MAX ((size_t)64 << 20)
/* Beside them the rows. */
#define JOB_KEPT_ARENA_BYTES                                                                       \
    (JOB_KEPT_BYTES_MAX + 2 * JOB_DUNGEONS_MAX * sizeof(document_row) + ((size_t)1 << 20))
/* Canonical bytes of a dungeon: six of each cell, and of the fewest cells. */
enum { BYTES_PER_DUNGEON_CELL = 6, BYTES_PER_DUNGEON = 2048 };

typedef struct reading_resolver {
    flow_state *flow;
    dungeon_asker by;
    job_reading *reading;
    rules_shelf *shelf;
    loam_error error; /* of the world's own document */
} reading_resolver;

static loam_status find_world(void *context, loam_text name, const digest *revision,
                              const world **found) {
    reading_resolver *resolver = context;
    control_request request;
    loam_status status = revision_row_get(resolver->flow->store, name, revision, &request);
    if (status != LOAM_OK) {
        return status;
    }
    fault_list faults;
    fault_clear(&faults);
    resolver->reading->built = revision_build(
        resolver->flow, name, request.result.revisions[0].document, false, NULL, &faults);
    control_result_fini(&request.result);
    if (resolver->reading->built == NULL) {
        return fault_first(&faults, &resolver->error);
    }
    *found = &resolver->reading->built->world;
    return LOAM_OK;
}

/* ---- Dungeons ------------------------------------------------------------------------------- */

static loam_status keep_row(job_kept *kept, document_kind kind, const digest *key,
                            const text_buffer *text, loam_error *error) {
    loam_text copy = buffer_view(text);
    char *bytes = copy.size > JOB_KEPT_BYTES_MAX - kept->bytes
                      ? NULL
                      : loam_arena_take(&kept->arena, copy.size, 1);
    if (bytes == NULL) {
        return loam_fail(error, LOAM_BUDGET_EXCEEDED, NULL,
                         "the requests of a job with all their documents have at most %zu MB",
                         JOB_KEPT_BYTES_MAX >> 20);
    }
    memcpy(bytes, copy.bytes, copy.size);
    kept->bytes += copy.size;
    kept->rows[kept->count++] = (document_row){
        .kind = kind, .digest = *key, .document = {bytes, copy.size}, .created_ms = time_now_ms()};
    return LOAM_OK;
}

static loam_status keep_asking(job_kept *kept, const dungeon_asking *asking, loam_error *error) {
    if (kept->rows == NULL) {
        if (arena_map_open(&kept->arena, JOB_KEPT_ARENA_BYTES)) {
            kept->rows =
                loam_arena_take(&kept->arena, (size_t)2 * JOB_DUNGEONS_MAX, sizeof *kept->rows);
        }
        LOAM_TRY_MEMORY(kept->rows, error);
    }
    LOAM_TRY(keep_row(kept, DOCUMENT_DUNGEON, &asking->key, &asking->request, error));
    return asking->content.size == 0
               ? LOAM_OK
               : keep_row(kept, DOCUMENT_CONTENT, &asking->content_key, &asking->content, error);
}

/* Documents of rules are lent to one dungeon at a time: before too many are out they go back. */
static void tidy_shelf(rules_shelf *shelf) {
    if (shelf->count > RULES_SHELF_MAX / 2) {
        rules_shelf_fini(shelf);
    }
}

static loam_status take_dungeon(void *context, const job_dungeon *dungeon, loam_arena *scratch,
                                loam_error *error) {
    reading_resolver *resolver = context;
    job_kept *kept = &resolver->reading->kept;
    const loam_dungeon_plan *plan = dungeon->plan;
    dungeon_asking asking;
    loam_status status =
        dungeon_asking_make(&asking, &resolver->by, &dungeon->document, plan, scratch, error);
    if (status == LOAM_OK) {
        status = keep_asking(kept, &asking, error);
    }
    dungeon_asking_fini(&asking);
    tidy_shelf(resolver->shelf);
    uint64_t floors = plan->floor >= 0 ? 1 : plan->floors;
    kept->result_bytes += BYTES_PER_DUNGEON + floors * (uint64_t)plan->width *
                                                  (uint64_t)plan->height * BYTES_PER_DUNGEON_CELL;
    return status;
}

void job_kept_fini(job_kept *kept) {
    if (kept->rows != NULL) {
        arena_map_close(&kept->arena);
        kept->rows = NULL;
        kept->count = 0;
    }
}

/* ---- Reading -------------------------------------------------------------------------------- */

static job_reading *create_empty(fault_list *faults) {
    loam_error error = {0};
    job_reading *reading = calloc(1, sizeof *reading);
    if (reading == NULL || !arena_map_open(&reading->arena, JOB_ARENA_BYTES)) {
        loam_fail(&error, LOAM_ARENA_FULL, NULL, "no memory for a job");
        fault_add(faults, &error);
        free(reading);
        return NULL;
    }
    return reading;
}

static job_reading *keep_or_destroy(job_reading *reading, loam_status status) {
    if (status == LOAM_OK) {
        return reading;
    }
    job_reading_destroy(reading);
    return NULL;
}

job_reading *job_reading_create(flow_state *flow, const http_request *request, loam_arena *scratch,
                                fault_list *faults) {
    job_reading *reading = create_empty(faults);
    if (reading == NULL) {
        return NULL;
    }
    rules_shelf shelf;
    rules_shelf_init(&shelf, flow->store);
    reading_resolver context = {.flow = flow,
                                .by = {flow, caller_grants(request, SCOPE_SERVER)},
                                .reading = reading,
                                .shelf = &shelf};
    const job_resolver resolver = {.find_world = find_world,
                                   .take_dungeon = take_dungeon,
                                   .context = &context,
                                   .rules = &shelf.resolver,
                                   .scratch = scratch};
    loam_status status =
        job_read(http_request_body(request), &resolver, &reading->arena, &reading->job, faults);
    rules_shelf_fini(&shelf);
    return keep_or_destroy(reading, status);
}

job_reading *job_reading_create_kept(flow_state *flow, loam_text canonical, fault_list *faults) {
    job_reading *reading = create_empty(faults);
    if (reading == NULL) {
        return NULL;
    }
    reading_resolver context = {.flow = flow, .reading = reading};
    const job_resolver resolver = {.find_world = find_world, .context = &context};
    loam_status status =
        job_read_kept(canonical, &resolver, &reading->arena, &reading->job, faults);
    return keep_or_destroy(reading, status);
}

void job_reading_destroy(job_reading *reading) {
    if (reading != NULL) {
        job_kept_fini(&reading->kept);
        revision_free(reading->built);
        arena_map_close(&reading->arena);
        free(reading);
    }
}
