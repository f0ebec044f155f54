/* SPDX-License-Identifier: MIT
 *
 * job_reading.c: a job's request, read on a worker against the world that it names, which is read
 * from the store there too: the network thread's tables are not a worker's to look at.
 */
#include "server/flow/job_table.h"

#include "core/base/text.h"
#include "server/loop/arena_map.h"

#include <stdlib.h>

/* The canonical text (1 MB) and a list of cells of as many values as JSON may have. */
#define JOB_ARENA_BYTES ((size_t)8 << 20)

typedef struct reading_resolver {
    flow_state *flow;
    job_reading *reading;
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

job_reading *job_reading_create(flow_state *flow, loam_text json, fault_list *faults) {
    job_reading *reading = calloc(1, sizeof *reading);
    reading_resolver context = {.flow = flow, .reading = reading};
    job_resolver resolver = {.find_world = find_world, .context = &context};
    loam_error error = {0};
    if (reading == NULL || !arena_map_open(&reading->arena, JOB_ARENA_BYTES)) {
        loam_fail(&error, LOAM_ARENA_FULL, NULL, "no memory for a job");
        fault_add(faults, &error);
    } else if (job_read(json, &resolver, &reading->arena, &reading->job, faults) == LOAM_OK) {
        return reading;
    }
    job_reading_destroy(reading);
    return NULL;
}

void job_reading_destroy(job_reading *reading) {
    if (reading != NULL) {
        revision_free(reading->built);
        arena_map_close(&reading->arena);
        free(reading);
    }
}
