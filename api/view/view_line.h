/* SPDX-License-Identifier: MIT
 *
 * view_line.h: the numbers of a point as text, exact, put together in a line on the stack that is
 * added to a buffer at once. JSON and CSV are made of such lines.
 */
#ifndef LOAM_VIEW_LINE_H
#define LOAM_VIEW_LINE_H

#include "core/base/decimal.h"
#include "core/loam.h"

enum {
    UNIT_BITS = 8,
    SCALE_BITS = 12,
    DENSITY_BITS = 24,
    ATTRIBUTE_BITS = 16,
    /* A turn has 65,536 = 2^16 steps and 360 degrees: step * 45 / 2^13. */
    ANGLE_FACTOR = 45,
    ANGLE_BITS = 13,
    NUMBERS_PER_POINT = 11, /* id, position, rotation, scale, density */
    LABELS_BYTES = 128,     /* names of fields, brackets, separators */
    LINE_BYTES = NUMBERS_PER_POINT * DECIMAL_BYTES_MAX + LABELS_BYTES,
};
_Static_assert(1 << UNIT_BITS == LOAM_UNITS_PER_METRE, "units in a metre");
_Static_assert(1 << SCALE_BITS == LOAM_SCALE_ONE, "steps of a scale");
_Static_assert(1 << DENSITY_BITS == LOAM_DENSITY_ONE, "steps of a density");
_Static_assert(360 << ANGLE_BITS == LOAM_TURN * ANGLE_FACTOR, "steps of a turn");

typedef struct line {
    char bytes[LINE_BYTES];
    size_t size;
} line;

void line_text(line *to, const char *text);
/* value / 2^scale_bits. */
void line_decimal(line *to, int64_t value, unsigned scale_bits);
/* An id, in decimal. */
void line_unsigned(line *to, uint64_t value);

#endif
