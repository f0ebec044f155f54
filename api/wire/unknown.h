/* SPDX-License-Identifier: MIT
 *
 * unknown.h: faults of names that are not there. Each says which of those that are may be meant.
 */
#ifndef LOAM_API_WIRE_UNKNOWN_H
#define LOAM_API_WIRE_UNKNOWN_H

#include "api/wire/document.h"

/* `at` is the text that names an operation, a recipe. They return the status. */
loam_status unknown_operation(const item *at);
loam_status unknown_recipe(const item *at);
/* `at` is the field whose key is none of the parameters of `owner`. */
loam_status unknown_param(const item *at, const char *owner, const loam_param_schema *params,
                          uint32_t count);
/* `at` is the field whose key is none of these, NULL-terminated. */
loam_status unknown_field(const item *at, const char *const *known);

/* Fails for the name of a query parameter that is none of `known`, NULL-terminated. */
LOAM_MUST_USE loam_status query_name_check(loam_text name, const char *const *known,
                                           loam_error *error);

#endif
