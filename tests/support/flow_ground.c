/* SPDX-License-Identifier: MIT
 *
 * flow_ground.c: see flow_ground.h.
 */
#include "tests/support/flow_ground.h"

#include "tests/support/store_calls.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Between two looks, and how many of them at most: half a minute. */
enum { PAUSE_US = 200, LOOKS_MAX = 150000 };
enum { QUEUE_MAX = 64 };
/* A dungeon, or a small cell. */
#define ARENA_BYTES ((size_t)256 << 20)

static flow_state ground;
static config settings;
static char folder[TEST_DIR_BYTES];
static int landings;
static pool_task holder;
static atomic_bool gate_open, at_gate;

static void demand(bool holds, const char *what) {
    if (!holds) {
        perror(what);
        abort();
    }
}

static void pause_briefly(void) {
    (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE_US * 1000}, NULL);
}

flow_state *flow_ground_make(void) {
    loam_error error = {0};
    const pool_options options = {
        .threads = 1, .queue_max = {QUEUE_MAX, QUEUE_MAX}, .arena_bytes = ARENA_BYTES};
    test_dir_make(folder);
    settings = (config){.simd = LOAM_SIMD_BEST};
    ground = (flow_state){.settings = &settings, .loop = loop_create()};
    demand(ground.loop != NULL, "loop_create");
    ground.workers = pool_create(ground.loop, &options, &error);
    demand(ground.workers != NULL, error.text);
    ground.store = test_store_open(folder, 0);
    ground.flights = flight_table_create();
    demand(ground.flights != NULL, "flight_table_create");
    landings = 0;
    return &ground;
}

void flow_ground_remove(flow_state *flow) {
    flight_table_destroy(flow->flights);
    pool_destroy(flow->workers);
    store_close(flow->store);
    loop_destroy(flow->loop);
    test_dir_remove(folder);
}

/* ---- The worker ------------------------------------------------------------------------------ */

static void wait_at_gate(pool_task *task, pool_worker *worker) {
    (void)task;
    (void)worker;
    at_gate = true;
    while (!gate_open) {
        pause_briefly();
    }
}

static void gate_passed(pool_task *task) {
    (void)task;
}

void flow_ground_hold(flow_state *flow) {
    gate_open = at_gate = false;
    holder = (pool_task){.work = wait_at_gate, .done = gate_passed};
    demand(pool_submit(flow->workers, &holder) == LOAM_OK, "pool_submit");
    while (!at_gate) {
        pause_briefly();
    }
}

void flow_ground_release(void) {
    gate_open = true;
}

/* ---- The loop -------------------------------------------------------------------------------- */

bool flow_ground_run(flow_state *flow, bool (*is_so)(const void *what), const void *what) {
    for (int looks = 0; looks < LOOKS_MAX; looks++) {
        loop_run_posted(flow->loop);
        if (is_so(what)) {
            return true;
        }
        pause_briefly();
    }
    return false;
}

static bool is_settled(const void *flights) {
    return flight_count(flights) == 0;
}

static bool has_landed(const void *ear) {
    return ((const test_ear *)ear)->landed > 0;
}

static bool has_missed(const void *ear) {
    return ((const test_ear *)ear)->missed > 0;
}

bool flow_ground_settle(flow_state *flow) {
    return flow_ground_run(flow, is_settled, flow->flights);
}

bool flow_ground_land(flow_state *flow, const test_ear *ear) {
    return flow_ground_run(flow, has_landed, ear);
}

bool flow_ground_miss(flow_state *flow, const test_ear *ear) {
    return flow_ground_run(flow, has_missed, ear);
}

/* ---- Ears ------------------------------------------------------------------------------------ */

static void ear_missed(flight_waiter *waiter) {
    ((test_ear *)waiter)->missed++;
}

static void ear_landed(flight_waiter *waiter, const flight_landing *landing) {
    test_ear *ear = (test_ear *)waiter;
    ear->landed++;
    ear->order = ++landings;
    ear->status = landing->error->status;
    ear->origin = landing->origin;
    ear->collapsed = landing->collapsed;
    ear->created = landing->created;
    if (ear->status == LOAM_OK) {
        ear->blob = blob_retain(landing->blob);
    }
}

test_ear ear_of(flight_waiter waiter) {
    waiter.missed = ear_missed;
    waiter.landed = ear_landed;
    return (test_ear){.waiter = waiter, .status = LOAM_INTERNAL};
}

void ear_fini(test_ear *ear) {
    blob_release(ear->blob);
    ear->blob = NULL;
}
