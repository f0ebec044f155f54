/* SPDX-License-Identifier: MIT
 *
 * routes.h: the table of what the daemon answers. api/openapi.yaml says the same, and a test holds
 * the two together.
 */
#ifndef LOAM_SERVER_FLOW_ROUTES_H
#define LOAM_SERVER_FLOW_ROUTES_H

#include "server/slot/route.h"

/* Once, before the first request. */
void routes_init(void);

#endif
