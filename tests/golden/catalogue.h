/* SPDX-License-Identifier: MIT
 *
 * catalogue.h: the golden catalogue as text: for each scene its seed, graph, rectangle, key, digest
 * and a small picture.
 */
#ifndef LOAM_GOLDEN_CATALOGUE_H
#define LOAM_GOLDEN_CATALOGUE_H

#include <stdio.h>

/* Computes every scene and writes the catalogue. Aborts when a scene cannot be computed. */
void catalogue_write(FILE *to);
/* Writes the case file of the same scenes, and of the dungeons (case.h). */
void catalogue_write_cases(FILE *to);

#endif
