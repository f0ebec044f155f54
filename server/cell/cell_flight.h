/* SPDX-License-Identifier: MIT
 *
 * cell_flight.h: a cell under way (server/flight), whichever world it was asked through: named by
 * its place; cells of the same key share one.
 */
#ifndef LOAM_SERVER_CELL_CELL_FLIGHT_H
#define LOAM_SERVER_CELL_CELL_FLIGHT_H

#include "server/cell/cell_address.h"
#include "server/flight/flight.h"
#include "server/world/world_table.h"

/* One cell of a revision; `rect` is its place in units. */
typedef struct cell_wish {
    revision_entry *revision; /* retained as long as it flies */
    cell_address place;
    loam_rect rect;
} cell_wish;

/* As flight_join. */
void cell_join(flow_state *flow, const cell_wish *wish, flight_waiter *waiter);

#endif
