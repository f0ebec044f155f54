/* SPDX-License-Identifier: MIT
 *
 * verdict.h: what came of a cell's checks, as it travels and as the store keeps it: a counted text,
 * empty when the cell passed, else a sentence, a newline and the reasons as a JSON array. And those
 * of lately, in memory: a fixed table of small sets, in which the least recently used give way.
 * Network thread only, but for verdict_make.
 *
 * Invariant: a verdict is a pure function of artifact and checks key, so an entry is never wrong.
 */
#ifndef LOAM_SERVER_CELL_VERDICT_H
#define LOAM_SERVER_CELL_VERDICT_H

#include "core/loam.h"
#include "server/store/blob.h"

/* Owned; NULL when memory is short. Any thread. */
blob *verdict_make(const loam_verdict *of);
bool verdict_passed(const blob *verdict);
/* The sentence; empty when it passed, or is NULL. */
loam_text verdict_detail(const blob *verdict);
/* The JSON array; likewise. */
loam_text verdict_reasons(const blob *verdict);

typedef struct verdict_cache verdict_cache;

/* Owned; NULL when memory is short. */
LOAM_MUST_USE verdict_cache *verdict_cache_create(uint32_t entries);
void verdict_cache_destroy(verdict_cache *cache);
/* Retained for the caller; NULL when it is not there. */
blob *verdict_cache_find(verdict_cache *cache, const digest *artifact, const digest *checks);
/* Retains it. */
void verdict_cache_add(verdict_cache *cache, const digest *artifact, const digest *checks,
                       blob *verdict);

#endif
