/* SPDX-License-Identifier: MIT
 *
 * dungeon_work.h: what workers do with dungeons: from a kept request to canonical bytes, and from
 * those to a view.
 */
#ifndef LOAM_SERVER_DUNGEON_DUNGEON_WORK_H
#define LOAM_SERVER_DUNGEON_DUNGEON_WORK_H

#include "api/wire/text_buffer.h"
#include "core/loam_dungeon.h"
#include "server/dungeon/dungeon_question.h"
#include "server/store/blob.h"

/* A kept request and its key. */
typedef struct dungeon_job {
    loam_text request;
    digest key;
} dungeon_job;

/* The plan of a kept request, from `arena`; LOAM_VERSION_UNAVAILABLE when this release gives it
 * another key. */
LOAM_MUST_USE loam_status dungeon_job_plan(const dungeon_job *job, loam_arena *arena,
                                           const loam_dungeon_plan **plan, loam_error *error);
/* Canonical bytes; owned. */
LOAM_MUST_USE loam_status dungeon_job_build(const dungeon_job *job, const loam_run *run,
                                            blob **bytes, loam_error *error);
/* A view of canonical bytes, into a buffer that is begun here. */
LOAM_MUST_USE loam_status dungeon_view_write(dungeon_view view, const blob *bytes,
                                             const digest *key, loam_arena *arena, text_buffer *to,
                                             loam_error *error);

#endif
