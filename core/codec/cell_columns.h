/* SPDX-License-Identifier: MIT
 *
 * cell_columns.h: the columns of a cell's canonical bytes, one table for writing and reading.
 */
#ifndef LOAM_CODEC_CELL_COLUMNS_H
#define LOAM_CODEC_CELL_COLUMNS_H

#include "core/loam.h"

/* Number in the file, field of loam_points, type of its values. The order is the file's. */
#define CELL_COLUMN_TABLE(X)                                                                       \
    X(1, id, uint64_t)                                                                             \
    X(2, x, int32_t)                                                                               \
    X(3, y, int32_t)                                                                               \
    X(4, z, int32_t)                                                                               \
    X(5, yaw, uint16_t)                                                                            \
    X(6, pitch, int16_t)                                                                           \
    X(7, roll, int16_t)                                                                            \
    X(8, scale_x, uint16_t)                                                                        \
    X(9, scale_y, uint16_t)                                                                        \
    X(10, scale_z, uint16_t)                                                                       \
    X(11, density, uint32_t)                                                                       \
    X(12, asset, uint32_t)

enum {
    COLUMN_ID = 1,
    COLUMN_SCALE_X = 8,
    COLUMN_SCALE_Y = 9,
    COLUMN_SCALE_Z = 10,
    CELL_COLUMNS = 12,
    /* Attribute columns are numbered from here, in order of their names. */
    COLUMN_ATTRIBUTE = 32,
    CELL_HEADER_BYTES = 64,
    COLUMN_ENTRY_BYTES = 16,
    /* Sum of the widest forms, and the padding of every column. */
    CELL_POINT_BYTES_MAX = 8 + 4 * 3 + 2 * 6 + 4 * 2,
    COLUMN_ALIGNMENT_BYTES = 8,
};

/* How a column's values are stored: the width in bytes of value - base, or one of these. */
enum {
    STORED_CONSTANT = 0, /* every value is the base */
    STORED_LIKE_SCALE_X = 9,
};

/* Limits of the decoder: what the encoder of this version can write. */
enum { CELL_PALETTE_MAX = 1 << 16, CELL_ATTRIBUTES_MAX = 64 };

#endif
