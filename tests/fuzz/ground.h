/* SPDX-License-Identifier: MIT
 *
 * ground.h: what the slots of any graph can be bound to: hills of 128 m around the origin, two
 * zones on them, one with a hole and a margin of its own, ways across them, and a few trees.
 */
#ifndef LOAM_FUZZ_GROUND_H
#define LOAM_FUZZ_GROUND_H

#include "core/loam.h"

/* Made once, lives as long as the program. Kind LOAM_PORT_NONE when there is none of a kind. */
loam_asset ground_of(loam_port_kind kind);

#endif
