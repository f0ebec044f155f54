/* SPDX-License-Identifier: MIT
 *
 * seed.h: 64-bit numbers as text. A seed is ^(0|[1-9][0-9]{0,19})$ and at most 2^64-1; a coordinate
 * is the same with an optional minus sign and inside int64. One number has one spelling, since they
 * are parts of URLs and of canonical documents.
 */
#ifndef LOAM_API_WIRE_SEED_H
#define LOAM_API_WIRE_SEED_H

#include "core/loam.h"

bool seed_parse(loam_text text, uint64_t *seed);
bool coordinate_parse(loam_text text, int64_t *coordinate);

#endif
