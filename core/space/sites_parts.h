/* SPDX-License-Identifier: MIT
 *
 * sites_parts.h: what the files sites*.c share and nobody else sees.
 */
#ifndef LOAM_SPACE_SITES_PARTS_H
#define LOAM_SPACE_SITES_PARTS_H

#include "core/space/sites.h"

/* Rows of the index, at most: each costs a search. */
#define SITE_ROWS_MAX 1024

struct loam_sites {
    loam_sites_source normal;
    const uint32_t *order; /* numbers by (row, x), a row being z >> row_shift */
    uint32_t row_shift;
};

/* Checks names, kinds and indices of texts; `error` says which property. */
LOAM_MUST_USE loam_status site_properties_check(const loam_sites_source *source, loam_error *error);

/* Properties by name, without those that no point has; texts sorted, used ones only. Everything
 * they hold is copied; scratch is given back. */
LOAM_MUST_USE loam_status site_properties_make(const loam_sites_source *source, loam_arena *arena,
                                               loam_attribute **properties, uint32_t *count,
                                               loam_error *error);

/* Points that are being put in order: `sites` changes only its keys. */
typedef struct site_list {
    loam_site *sites;
    const loam_attribute *properties; /* in normal form */
    uint32_t property_count;
} site_list;

/* Writes the numbers of `count` points in order of (z, x, y, key), without those that are there
 * twice, to `order`; unless the keys are settled, points of one key are told apart by their place,
 * and where that is one too, by all that they bring. */
LOAM_MUST_USE loam_status sites_order(const site_list *list, uint32_t count, bool settled,
                                      uint32_t *order, uint32_t *kept, loam_arena *scratch);

#endif
