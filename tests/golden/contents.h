/* SPDX-License-Identifier: MIT
 *
 * contents.h: the golden catalogue of what is in dungeons: some recipes and rules with a few seeds,
 * a line each.
 */
#ifndef LOAM_GOLDEN_CONTENTS_H
#define LOAM_GOLDEN_CONTENTS_H

#include "core/base/bytes.h"

#include <stdio.h>

/* Makes the content of every dungeon and writes its line. */
void contents_write(FILE *to);
/* Their cases; with `writer` NULL they are only counted. */
uint32_t contents_write_cases(byte_writer *writer);

#endif
