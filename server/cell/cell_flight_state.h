/* SPDX-License-Identifier: MIT
 *
 * cell_flight_state.h: a cell under way from within: shared by cell_flight.c and cell_judge.c.
 */
#ifndef LOAM_SERVER_CELL_CELL_FLIGHT_STATE_H
#define LOAM_SERVER_CELL_CELL_FLIGHT_STATE_H

#include "server/cell/cell_flight.h"
#include "server/flight/flight_state.h"
#include "server/world/asset_table.h"

typedef struct cell_flight {
    result_flight base;
    cell_wish wish;
    bool keyed; /* key is known */
    bool assets_held;
    asset_set assets;
    loam_trace trace; /* nodes: owned; NULL when no one wants it */
    /* The checks of its world; NULL: there are none. */
    const loam_check *check;
    digest check_key;
    blob *verdict; /* verdict.h */
    bool judged;   /* the verdict is new */
    store_verdict recall;
    store_verdict keep;
} cell_flight;

loam_query cell_query(const cell_flight *flight);
step_result cell_hold_assets(cell_flight *flight);

/* In cell_judge.c. */
step_result cell_recall(void *subject);
step_result cell_judge_assets(void *subject);
step_result cell_judge(void *subject);
step_result cell_conclude(void *subject);
step_result cell_keep_verdict(void *subject);

#endif
