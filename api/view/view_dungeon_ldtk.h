/* SPDX-License-Identifier: MIT
 *
 * view_dungeon_ldtk.h: a dungeon as a project of the LDtk editor (JSON 1.5.3): a level a floor,
 * each with an IntGrid layer (1 wall, 2 floor, 3 door; row-major) and a layer of entities: ways in
 * and out, stairs, doors with their lock, rooms with their kind; spawns and objects where content
 * is given.
 */
#ifndef LOAM_VIEW_DUNGEON_LDTK_H
#define LOAM_VIEW_DUNGEON_LDTK_H

#include "api/view/view_dungeon_json.h"

/* `content` may be NULL: then nothing is shown that the public document does not have. */
LOAM_MUST_USE loam_status view_dungeon_ldtk(const loam_dungeon *dungeon,
                                            const dungeon_digests *digests,
                                            const loam_content *content, text_buffer *to);

#endif
