/* SPDX-License-Identifier: MIT
 *
 * shed.h: who is refused first when more is asked for than can be done. A class of requests is
 * taken while the queue of the workers is less full than its share; what is in memory needs no
 * worker and is answered until connections run out. A refusal is 503 and says when to come back.
 */
#ifndef LOAM_SERVER_SLOT_SHED_H
#define LOAM_SERVER_SLOT_SHED_H

#include "server/slot/flow_state.h"

/* In the order in which they are refused, the last one first. */
typedef enum shed_class {
    SHED_SINGLE, /* one result, or one thing written, that somebody waits for */
    SHED_BULK,   /* many results by one request */
    SHED_JOB,    /* work without end that nobody waits for */
    SHED_CLASSES
} shed_class;

/* LOAM_OVERLOADED, and counted, when requests of this class are not taken now. */
LOAM_MUST_USE loam_status shed_check(flow_state *flow, shed_class of, loam_error *error);
/* Seconds that a refused one is asked to stay away. */
int32_t shed_retry_after_s(shed_class of);
/* One was refused. */
void shed_count(shed_class of);

#endif
