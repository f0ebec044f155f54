/* SPDX-License-Identifier: MIT
 *
 * flow_ground.h: what flights need of a daemon, without one: a loop, a worker, a store in a folder
 * of its own, the table of flights. The test's thread is the network thread.
 */
#ifndef LOAM_TESTS_SUPPORT_FLOW_GROUND_H
#define LOAM_TESTS_SUPPORT_FLOW_GROUND_H

#include "server/flight/flight.h"

/* What a waiter heard. Begin it with ear_of. */
typedef struct test_ear {
    flight_waiter waiter;
    int missed;
    int landed;
    int order; /* of landing, among all ears; from 1 */
    loam_status status;
    blob *blob; /* owned: end with ear_fini */
    flight_origin origin;
    bool collapsed;
    bool created;
} test_ear;

/* Traps when something cannot be had. One worker, so that work goes in the order of the queue. */
flow_state *flow_ground_make(void);
/* Everything has landed. */
void flow_ground_remove(flow_state *flow);

/* Keeps the worker busy from now on, until the other is called. */
void flow_ground_hold(flow_state *flow);
void flow_ground_release(void);

/* Runs the loop until that is so; false when that takes too long. */
bool flow_ground_run(flow_state *flow, bool (*is_so)(const void *what), const void *what);
/* Runs the loop until nothing flies; false when that takes too long. */
bool flow_ground_settle(flow_state *flow);
/* Runs the loop until this one has landed, or has heard that it was not there. */
bool flow_ground_land(flow_state *flow, const test_ear *ear);
bool flow_ground_miss(flow_state *flow, const test_ear *ear);

test_ear ear_of(flight_waiter waiter);
void ear_fini(test_ear *ear);

#endif
