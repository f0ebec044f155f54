/* SPDX-License-Identifier: MIT
 *
 * world_get.h: the list of worlds, one of them, its revisions.
 */
#ifndef LOAM_SERVER_WORLD_WORLD_GET_H
#define LOAM_SERVER_WORLD_WORLD_GET_H

#include "server/slot/slot.h"

extern const flow_step world_list_steps[];
extern const flow_step world_get_steps[]; /* of a revision_slot; with and without {rev} */
extern const flow_step revision_list_steps[];

#endif
