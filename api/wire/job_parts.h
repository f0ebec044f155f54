/* SPDX-License-Identifier: MIT
 *
 * job_parts.h: parts of reading a job that are files of their own. Internal to api/wire.
 */
#ifndef LOAM_API_WIRE_JOB_PARTS_H
#define LOAM_API_WIRE_JOB_PARTS_H

#include "api/wire/document.h"
#include "api/wire/job_document.h"

/* Reads `cells` by the level and the outputs that `to` has already; lists are owned by `arena`. */
LOAM_MUST_USE loam_status job_cells_read(const item *at, const world *in, loam_arena *arena,
                                         job *to);
/* Reads `dungeons`, requests or, `kept`, build keys; the list is owned by `arena`. */
LOAM_MUST_USE loam_status job_dungeons_read(const item *at, const job_resolver *resolver, bool kept,
                                            loam_arena *arena, job *to);
/* The canonical text; `in` is NULL for a job of dungeons. */
void job_write(const job *of, const world *in, text_buffer *buffer);

#endif
