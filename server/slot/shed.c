/* SPDX-License-Identifier: MIT
 *
 * shed.c: see shed.h. The table is the whole policy.
 */
#include "server/slot/shed.h"

#include "core/base/assert.h"
#include "server/slot/reply.h"
#include "server/watch/metrics.h"

typedef struct shed_rule {
    uint32_t fill_percent_max; /* of the queue of requests, --queue-interactive */
    int32_t retry_after_s;
    metric refused;
    const char *what;
} shed_rule;

/* A job adds to the work for minutes and nobody waits for it: it stays away while a queue that is
 * half full may drain, some seconds. A batch adds up to 16 to the queue at a time, so it leaves the
 * last quarter to single requests. Those have all of it; the queue itself refuses the next one. */
static const shed_rule rules[SHED_CLASSES] = {
    [SHED_SINGLE] = {100, RETRY_AFTER_S, METRIC_SHED_SINGLE, "requests"},
    [SHED_BULK] = {75, 2 * RETRY_AFTER_S, METRIC_SHED_BULK, "batches"},
    [SHED_JOB] = {50, 5 * RETRY_AFTER_S, METRIC_SHED_JOB, "jobs"},
};

loam_status shed_check(flow_state *flow, shed_class of, loam_error *error) {
    LOAM_ASSERT(of < SHED_CLASSES);
    uint64_t waiting = pool_queue_length(flow->workers, POOL_INTERACTIVE);
    uint64_t room = (uint64_t)flow->settings->queue_interactive;
    if (waiting * 100 < room * rules[of].fill_percent_max) {
        return LOAM_OK;
    }
    shed_count(of);
    return loam_fail(error, LOAM_OVERLOADED, NULL,
                     "%llu requests wait for a worker: no %s are taken now",
                     (unsigned long long)waiting, rules[of].what);
}

int32_t shed_retry_after_s(shed_class of) {
    return rules[of].retry_after_s;
}

void shed_count(shed_class of) {
    metric_add(rules[of].refused, 1);
}
