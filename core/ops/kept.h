/* SPDX-License-Identifier: MIT
 *
 * kept.h: stages that a caller keeps (loam_stages): their keys and bytes collected in the arena,
 * and a sum before the bytes, so that what is damaged, or was kept under another key, is not there.
 * Whatever goes wrong here only means that a stage is computed: nothing fails.
 */
#ifndef LOAM_OPS_KEPT_H
#define LOAM_OPS_KEPT_H

#include "core/base/bytes.h"
#include "core/loam.h"

/* What every key begins with; a text that says of what it is follows. */
#define STAGE_KEY_DOMAIN "loam-stage/1"

/* The path of a node whose result was kept. */
#define PATH_KEPT "stage kept"

/* What writes the same bytes each time that it is called. */
typedef struct kept_source {
    loam_status (*write)(const void *context, loam_sink sink, loam_arena *scratch);
    const void *context;
} kept_source;

/* A longer key, of a stage that sees many samples or edges, would be hashed for longer than most
 * stages take. Estimates count one for each stage. */
enum { STAGE_KEY_BYTES_MAX = 1 << 18 };

/* The bytes of a key in one piece of the arena; false when they do not fit or are too many, and
 * then the arena is as it was. */
bool kept_collect_key(const kept_source *source, loam_arena *arena, loam_text *key);

/* Reads the bytes kept under a key, without their sum; to be released. False: there are none. */
bool kept_find(const loam_run *run, loam_text key, loam_stage *stage, byte_reader *reader);
void kept_release(const loam_run *run, const loam_stage *stage);
/* Keeps what a source writes; the arena is as it was. */
void kept_keep(const loam_run *run, loam_text key, const kept_source *source);

#endif
