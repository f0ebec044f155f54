/* SPDX-License-Identifier: MIT
 *
 * content_work.h: what workers do with what dungeons hide: its key, and drawing it.
 */
#ifndef LOAM_SERVER_DUNGEON_CONTENT_WORK_H
#define LOAM_SERVER_DUNGEON_CONTENT_WORK_H

#include "api/view/view_content_json.h"
#include "api/wire/dungeon_document.h"
#include "server/dungeon/dungeon_work.h"

typedef struct content_job {
    dungeon_job dungeon;
    const blob *bytes;        /* its canonical ones */
    const secret_key *secret; /* the daemon's, where no seed was given */
    loam_text kept;           /* the request with its content; empty: the default content */
    const digest *wanted;     /* the content key that is asked for; NULL: the default one */
} content_job;

/* Everything from the run's arena, or borrowed from the job. */
typedef struct drawn_content {
    loam_dungeon dungeon;
    loam_content content;
    content_keys keys;
    uint64_t encounter_seed;
} drawn_content;

/* The content key of a request of this build key. */
LOAM_MUST_USE loam_status content_key_make(const dungeon_document *document,
                                           const secret_key *daemon, const digest *build_key,
                                           digest *key);

/* LOAM_NOT_FOUND when the key that is wanted is not one of this dungeon. */
LOAM_MUST_USE loam_status content_job_draw(const content_job *job, const loam_run *run,
                                           drawn_content *drawn, loam_error *error);

#endif
