/* SPDX-License-Identifier: MIT
 *
 * check_document.h: the `checks` of a world, from JSON and back, and the reasons of a verdict as
 * clients get them. {mode: fail|warn, outputs: {name: {count: {min, max}, spacing_m, ring: {zones,
 * width_m}, floating_m, samples, surface}}}; `surface` names the ground where the graph has several
 * heightfields.
 */
#ifndef LOAM_API_WIRE_CHECK_DOCUMENT_H
#define LOAM_API_WIRE_CHECK_DOCUMENT_H

#include "api/wire/text_buffer.h"
#include "api/wire/world_document.h"

struct item;

/* Instances that are looked at when a world does not say. */
enum { CHECK_SAMPLES_DEFAULT = 20 };
/* All reasons of a verdict, as JSON. */
#define CHECK_REASONS_BYTES_MAX 4096

/* Reads into `to`, whose graph and grid are read; faults are noted at their places. What it keeps
 * comes from `arena`. */
LOAM_MUST_USE loam_status checks_read(const struct item *at, loam_arena *arena, world *to);
/* The key and the canonical value. */
void checks_write(text_buffer *buffer, const world *of);

/* The check of an output, NULL when it has none. */
const loam_check *checks_of(const world *of, uint32_t output);

/* What a verdict depends on beside the artifact, as one digest (loam_check_key). */
LOAM_MUST_USE loam_status checks_key(const loam_check *check, const loam_query *query,
                                     loam_arena *scratch, digest *key, loam_error *error);

/* [{check, ids, position_m, failures, value, limit, unit, inside?}]; [] when it passed. */
void reasons_write(text_buffer *buffer, const loam_verdict *verdict);
/* The same as one sentence in ASCII without quotes, cut where `text` ends; empty when it passed. */
void reasons_tell(const loam_verdict *verdict, char text[LOAM_ERROR_TEXT_BYTES]);

#endif
