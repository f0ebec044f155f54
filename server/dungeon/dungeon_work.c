/* SPDX-License-Identifier: MIT
 *
 * dungeon_work.c: see dungeon_work.h.
 */
#include "server/dungeon/dungeon_work.h"

#include "api/view/view_dungeon_json.h"
#include "api/view/view_dungeon_ldtk.h"
#include "api/view/view_dungeon_picture.h"
#include "api/view/view_dungeon_text.h"
#include "api/view/view_dungeon_tiled.h"
#include "api/wire/dungeon_document.h"
#include "core/base/try.h"

/* Text of the largest dungeon: 4 M cells of some ten numbers each. */
#define DUNGEON_VIEW_BYTES_MAX ((size_t)512 << 20)

loam_status dungeon_job_plan(const dungeon_job *job, loam_arena *arena,
                             const loam_dungeon_plan **plan, loam_error *error) {
    dungeon_document document;
    fault_list faults;
    fault_clear(&faults);
    if (dungeon_document_read(job->request, NULL, arena, &document, &faults) != LOAM_OK) {
        return fault_first(&faults, error);
    }
    LOAM_TRY(loam_dungeon_plan_build(&document.request, arena, plan, error));
    const digest key = key_of_dungeon(*plan);
    return digest_equal(&key, &job->key)
               ? LOAM_OK
               : loam_fail(error, LOAM_VERSION_UNAVAILABLE, NULL,
                           "this release makes another dungeon of the request");
}

loam_status dungeon_job_build(const dungeon_job *job, const loam_run *run, blob **bytes,
                              loam_error *error) {
    const loam_dungeon_plan *plan = NULL;
    loam_dungeon dungeon;
    text_buffer buffer;
    LOAM_TRY(dungeon_job_plan(job, run->arena, &plan, error));
    LOAM_TRY(loam_dungeon_build(plan, run, &dungeon, error));
    buffer_init(&buffer, DUNGEON_VIEW_BYTES_MAX);
    loam_dungeon_encode(&dungeon, buffer_sink(&buffer));
    *bytes = buffer.failed ? NULL : blob_create(buffer.bytes, buffer.size);
    buffer_fini(&buffer);
    return *bytes != NULL ? LOAM_OK
                          : loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for a dungeon");
}

loam_status dungeon_view_write(dungeon_view view, const blob *bytes, const digest *key,
                               loam_arena *arena, text_buffer *to, loam_error *error) {
    loam_dungeon dungeon;
    buffer_init(to, DUNGEON_VIEW_BYTES_MAX);
    LOAM_TRY(loam_dungeon_decode(bytes->bytes, bytes->size, arena, &dungeon, error));
    const dungeon_digests digests = dungeon_digests_of(&dungeon, key);
    switch (view) {
    case DUNGEON_JSON:
        return view_dungeon_json(&dungeon, &digests, to);
    case DUNGEON_TEXT:
        return view_dungeon_text(&dungeon, to);
    case DUNGEON_TILED:
        return view_dungeon_tiled(&dungeon, &digests, NULL, to);
    case DUNGEON_LDTK:
        return view_dungeon_ldtk(&dungeon, &digests, NULL, to);
    case DUNGEON_PNG:
        return view_dungeon_png(&dungeon, NULL, to, error);
    case DUNGEON_SVG:
        return view_dungeon_svg(&dungeon, &digests, NULL, to);
    case DUNGEON_LAYOUT:
        return view_dungeon_stage_json(&dungeon, &digests, LOAM_STAGE_LAYOUT, to);
    case DUNGEON_ASSEMBLY:
        return view_dungeon_stage_json(&dungeon, &digests, LOAM_STAGE_ASSEMBLY, to);
    case DUNGEON_CANONICAL: /* made by nobody here */
    case DUNGEON_CONTENT:
    case DUNGEON_SPAWNS:
    case DUNGEON_ENCOUNTER:
        break;
    }
    return buffer_status(to);
}
