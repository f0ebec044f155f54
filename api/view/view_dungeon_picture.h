/* SPDX-License-Identifier: MIT
 *
 * view_dungeon_picture.h: dungeons as pictures for people: rooms, corridors and caves in colours of
 * their own, edges of the tree and of loops, doors, ways in and out; spawns and objects where
 * content is given. Floors stand beside each other. As PNG, and as SVG with a named group a layer
 * and a log of the attempts.
 */
#ifndef LOAM_VIEW_DUNGEON_PICTURE_H
#define LOAM_VIEW_DUNGEON_PICTURE_H

#include "api/view/view_dungeon_json.h"

/* `content` may be NULL: then nothing is shown that the public document does not have. */
LOAM_MUST_USE loam_status view_dungeon_svg(const loam_dungeon *dungeon,
                                           const dungeon_digests *digests,
                                           const loam_content *content, text_buffer *to);
LOAM_MUST_USE loam_status view_dungeon_png(const loam_dungeon *dungeon, const loam_content *content,
                                           text_buffer *to, loam_error *error);

#endif
