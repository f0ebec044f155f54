/* SPDX-License-Identifier: MIT
 *
 * recipe_document.h: a request for a recipe, {"recipe", "version"?, "seed", "params"?}, read by the
 * recipe's schema. Here: heightmap.fbm, whose parameters become a loam_heightmap.
 */
#ifndef LOAM_API_WIRE_RECIPE_DOCUMENT_H
#define LOAM_API_WIRE_RECIPE_DOCUMENT_H

#include "api/wire/fault.h"
#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* LOAM_OK, or the status of the first fault in `faults`. */
LOAM_MUST_USE loam_status recipe_read_heightmap(loam_text json, loam_heightmap *to,
                                                fault_list *faults);

#endif
