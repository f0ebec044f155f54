/* SPDX-License-Identifier: MIT
 *
 * content_flight.h: what a dungeon hides, under way (server/flight): looked up, else drawn once its
 * dungeon is there. Named by a key that nobody without the secret can tell.
 */
#ifndef LOAM_SERVER_DUNGEON_CONTENT_FLIGHT_H
#define LOAM_SERVER_DUNGEON_CONTENT_FLIGHT_H

#include "server/dungeon/dungeon_flight.h"

typedef struct content_wish {
    digest content_key;
    dungeon_wish dungeon; /* copied */
    loam_text kept;       /* the request with its content; empty: the default content; copied */
} content_wish;

/* As flight_join. */
void content_join(flow_state *flow, const content_wish *wish, flight_waiter *waiter);

#endif
