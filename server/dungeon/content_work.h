/* SPDX-License-Identifier: MIT
 *
 * content_work.h: what workers do with what dungeons hide: its keys, drawing it, and its views.
 */
#ifndef LOAM_SERVER_DUNGEON_CONTENT_WORK_H
#define LOAM_SERVER_DUNGEON_CONTENT_WORK_H

#include "api/view/view_content_json.h"
#include "api/wire/dungeon_document.h"
#include "server/dungeon/dungeon_work.h"

typedef struct content_job {
    dungeon_job dungeon;
    const secret_key *secret; /* the daemon's, where no seed was given */
    loam_text kept;           /* the request with its content; empty: the default content */
} content_job;

/* The content key of a request of this build key. */
LOAM_MUST_USE loam_status content_key_make(const dungeon_document *document,
                                           const secret_key *daemon, const digest *build_key,
                                           digest *key);

/* All keys but that of the canonical bytes, which are not drawn yet. */
LOAM_MUST_USE loam_status content_job_keys(const content_job *job, loam_arena *arena,
                                           content_keys *keys, loam_error *error);
/* Canonical bytes of what the dungeon with these bytes hides; owned. */
LOAM_MUST_USE loam_status content_job_build(const content_job *job, const blob *dungeon,
                                            const loam_run *run, blob **bytes, loam_error *error);
/* The seed that encounters are drawn from. */
LOAM_MUST_USE loam_status content_job_encounter_seed(const content_job *job, loam_arena *arena,
                                                     uint64_t *seed, loam_error *error);

/* A view of canonical bytes, DUNGEON_CONTENT or DUNGEON_SPAWNS, into a buffer that is begun here.
 */
LOAM_MUST_USE loam_status content_view_write(dungeon_view view, const blob *bytes,
                                             const content_keys *keys, loam_arena *arena,
                                             text_buffer *to, loam_error *error);

#endif
