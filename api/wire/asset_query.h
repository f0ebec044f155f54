/* SPDX-License-Identifier: MIT
 *
 * asset_query.h: the query of an asset's PUT: names and values as they stand in the address,
 * decoded. Every reader says which names it knows; an unknown or repeated one is an error that
 * names it, so that a typing slip never becomes a silent default.
 */
#ifndef LOAM_WIRE_ASSET_QUERY_H
#define LOAM_WIRE_ASSET_QUERY_H

#include "core/loam.h"

typedef struct asset_param {
    loam_text name;
    loam_text value;
} asset_param;

/* Borrowed until the asset is read. */
typedef struct asset_query {
    const asset_param *params;
    uint32_t count;
} asset_query;

/* Every name is in `known` (ends with NULL) and stands there once. */
LOAM_MUST_USE loam_status query_check_names(const asset_query *query, const char *const *known,
                                            loam_error *error);
/* The value of `name`; bytes NULL when it is not given. */
loam_text query_find(const asset_query *query, const char *name);
LOAM_MUST_USE loam_status query_require(const asset_query *query, const char *name,
                                        loam_text *value, loam_error *error);
/* A count: digits only. 0 when it is not given. */
LOAM_MUST_USE loam_status query_count(const asset_query *query, const char *name, uint32_t *value,
                                      loam_error *error);
/* A JSON number; `value` stays when it is not given. */
LOAM_MUST_USE loam_status query_number(const asset_query *query, const char *name, double *value,
                                       loam_error *error);
/* The index in `choices` (ends with NULL). Required. */
LOAM_MUST_USE loam_status query_choice(const asset_query *query, const char *name,
                                       const char *const *choices, uint32_t *index,
                                       loam_error *error);

#endif
