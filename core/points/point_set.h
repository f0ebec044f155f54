/* SPDX-License-Identifier: MIT
 *
 * point_set.h: points as columns. A set is immutable: an operation makes new columns for what it
 * changes and shares the rest, so a node's result can feed any number of others. A filter only
 * writes a new `live` column; dead rows stay where they are until a set is compacted.
 *
 * A set that comes from a sampler is dense: row k is site (k % stride, k / stride) of a lattice,
 * with a border of dead sites, which pruning uses as its grid. A compact set has no lattice and no
 * dead rows. Columns are padded to whole vectors.
 *
 * Invariant: x and z are not negative, base is the set's own.
 */
#ifndef LOAM_POINTS_POINT_SET_H
#define LOAM_POINTS_POINT_SET_H

#include "core/loam.h"

/* Dead sites on every side of a lattice: as far as a pruning stencil looks. */
enum { LATTICE_BORDER = 2 };
/* Rows are whole vectors of 16 int32. */
enum { COLUMN_ALIGNMENT = 16 };

/* No asset: index of the empty name. */
enum { ASSET_NONE = 0 };

/* A point without a value of an attribute, after a merge with a set that lacks it. */
#define ATTRIBUTE_MISSING LOAM_MISSING

/* A user attribute: a column of int32; floats in 1/65,536, strings as indices of the evaluation's
 * names. */
typedef struct point_attribute {
    loam_text name;
    loam_attribute_kind kind;
    const int32_t *values;
} point_attribute;

/* Attributes of one set at most: sizes of fixed arrays. */
enum { ATTRIBUTES_MAX = 32 };

typedef struct site_lattice {
    int64_t site_x, site_z; /* of row 0, the border included; all sites fit int32 */
    uint32_t stride, rows;
    int32_t spacing;
} site_lattice;

typedef struct point_set {
    uint32_t count; /* rows of every column, dead ones included */
    int64_t base_x, base_z;
    const int32_t *x, *z; /* world position is base + column; y is the world's */
    const int32_t *y;
    const int32_t *gradient_x, *gradient_z; /* 1/4,096; NULL is flat */
    const uint32_t *live;                   /* 0 or all ones; NULL: all live */
    const uint32_t *a, *b;                  /* origins; NULL: the lattice's sites */
    const uint64_t *id;                     /* NULL: made of origins with id_key */
    uint64_t id_key;
    const uint32_t *density; /* 1/2^24; NULL: density_all */
    uint32_t density_all;
    const uint16_t *yaw; /* NULL is 0, also of the next two */
    const int16_t *pitch, *roll;
    const uint16_t *scale;             /* 1/4,096; NULL is 1 */
    const uint16_t *scale_y, *scale_z; /* both or none; NULL: uniform, like scale */
    const uint32_t *asset;             /* index into the plan's names; NULL: asset_all */
    uint32_t asset_all;
    const int32_t *station; /* along its line, and beside it; 1/65,536 m; NULL is 0 */
    const int32_t *offset;
    const point_attribute *attributes; /* sorted by name */
    uint32_t attribute_count;
    const site_lattice *lattice; /* NULL: compact */
} point_set;

static inline uint32_t column_size(uint32_t count) {
    return (count + COLUMN_ALIGNMENT - 1) / COLUMN_ALIGNMENT * COLUMN_ALIGNMENT;
}

/* A column of `count` items, padded. NULL when the arena is full. */
#define COLUMN_TAKE(arena, count, type)                                                            \
    ((type *)loam_arena_take(arena, column_size(count), sizeof(type)))

/* Indices of the live points inside a rectangle, in row order. */
LOAM_MUST_USE loam_status point_set_select(const point_set *set, loam_rect rect, loam_arena *arena,
                                           uint32_t **rows, uint32_t *count);
/* The same for rows that are marked with 1, of columns padded to whole vectors. */
LOAM_MUST_USE loam_status point_set_select_marked(const point_set *set, const uint8_t *marks,
                                                  loam_rect rect, loam_arena *arena,
                                                  uint32_t **rows, uint32_t *count);
/* A compact copy of the chosen rows, which rise, with origins written out. */
LOAM_MUST_USE loam_status point_set_gather(const point_set *set, const uint32_t *rows,
                                           uint32_t count, loam_arena *arena, point_set *compact);
/* The set itself when it is compact, else a compact copy of its live points. */
LOAM_MUST_USE loam_status point_set_compact(const point_set *set, loam_arena *arena,
                                            point_set *compact);
/* Ids of a compact set, made when the set has none. */
LOAM_MUST_USE loam_status point_set_ids(const point_set *compact, loam_arena *arena,
                                        const uint64_t **ids);

/* How many are live, and how many of them inside a rectangle. */
typedef struct point_tally {
    uint64_t live, inside;
    int64_t density_sum; /* of those inside */
    int64_t bounds[6];   /* of those inside: min x y z, max x y z */
} point_tally;
point_tally point_set_tally(const point_set *set, loam_rect rect);

#endif
