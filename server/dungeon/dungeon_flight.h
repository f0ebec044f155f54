/* SPDX-License-Identifier: MIT
 *
 * dungeon_flight.h: a dungeon under way (server/flight), named by its build key: looked up, else
 * built from its request, which is kept before anyone hears of it.
 */
#ifndef LOAM_SERVER_DUNGEON_DUNGEON_FLIGHT_H
#define LOAM_SERVER_DUNGEON_DUNGEON_FLIGHT_H

#include "server/flight/flight.h"

typedef struct dungeon_wish {
    digest key;
    loam_text request; /* its document, as it is kept; copied */
    bool kept;         /* it is kept already */
} dungeon_wish;

/* As flight_join. */
void dungeon_join(flow_state *flow, const dungeon_wish *wish, flight_waiter *waiter);

#endif
