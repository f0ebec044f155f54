/* SPDX-License-Identifier: MIT
 *
 * set_codec.h: a point set as bytes (codec/FORMAT.md, "Stages") and back: all columns, attributes,
 * and the names that it uses. Rows stand in their order; a column of one value is written once.
 */
#ifndef LOAM_POINTS_SET_CODEC_H
#define LOAM_POINTS_SET_CODEC_H

#include "core/base/bytes.h"
#include "core/points/name_table.h"
#include "core/points/point_order.h"
#include "core/points/point_set.h"

/* Writes a compact set. Scratch is given back. */
LOAM_MUST_USE loam_status set_encode(const point_set *compact, point_names names,
                                     byte_writer *writer, loam_arena *scratch);
/* Checks everything, also that every point lies in the rectangle; columns, names and texts come
 * from the arena, nothing is borrowed from the bytes. */
LOAM_MUST_USE loam_status set_decode(byte_reader *reader, loam_rect rect, name_table *names,
                                     loam_arena *arena, point_set *set);

#endif
