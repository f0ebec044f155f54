/* SPDX-License-Identifier: MIT
 *
 * asset_round.h: metres of an asset become integers here, once: floor(v * steps + 0.5) of the
 * binary64 v, or the next integer up where what comes out must not be less than what was asked.
 */
#ifndef LOAM_WIRE_ASSET_ROUND_H
#define LOAM_WIRE_ASSET_ROUND_H

#include <stdbool.h>
#include <stdint.h>

/* `steps` per metre is a power of two. False when the result is not within +-limit (below 2^62), or
 * `metres` is no number. */
bool round_nearest(double metres, double steps, int64_t limit, int64_t *rounded);
bool round_up(double metres, double steps, int64_t limit, int64_t *rounded);

#endif
