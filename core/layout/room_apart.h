/* SPDX-License-Identifier: MIT
 *
 * room_apart.h: placement by separation: rooms of usual sizes around the middle push each other
 * apart, one cell at a time along the axis of least overlap (as TinyKeep does, in integers).
 */
#ifndef LOAM_LAYOUT_ROOM_APART_H
#define LOAM_LAYOUT_ROOM_APART_H

#include "core/layout/room_place.h"

uint64_t room_apart_bytes(uint32_t rooms);
uint64_t room_apart_steps(layout_size size, uint32_t rooms);

/* Adds rooms to those that are there, which stay where they are; what still overlaps in the end is
 * left out. */
LOAM_MUST_USE loam_status room_apart(room_plan *plan, const place_options *options);

#endif
