/* SPDX-License-Identifier: MIT
 *
 * view_dungeon_tiled.h: a dungeon as a map of the Tiled editor (JSON, format 1.10): a tile layer
 * with unsigned gids, quarter turns in their flags, and object layers for rooms, corridors, doors,
 * ways in and out, and spawns where content is given. Of several floors each is a group of layers.
 * The tile set is a collection: a tile for each asset and variant, whose class is the asset's key.
 */
#ifndef LOAM_VIEW_DUNGEON_TILED_H
#define LOAM_VIEW_DUNGEON_TILED_H

#include "api/view/view_dungeon_json.h"

/* `content` may be NULL: then nothing is shown that the public document does not have. */
LOAM_MUST_USE loam_status view_dungeon_tiled(const loam_dungeon *dungeon,
                                             const dungeon_digests *digests,
                                             const loam_content *content, text_buffer *to);

#endif
