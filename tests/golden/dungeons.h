/* SPDX-License-Identifier: MIT
 *
 * dungeons.h: the golden catalogue of dungeons: every recipe of the table in four sizes with 25
 * seeds, a line each; then scenes of single recipes, with as many.
 */
#ifndef LOAM_GOLDEN_DUNGEONS_H
#define LOAM_GOLDEN_DUNGEONS_H

#include "core/base/bytes.h"

#include <stdio.h>

/* Makes every dungeon and writes its line. */
void dungeons_write(FILE *to);
/* The cases of those that can be made; with `writer` NULL they are only counted. */
uint32_t dungeons_write_cases(byte_writer *writer);

#endif
