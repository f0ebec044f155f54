/* SPDX-License-Identifier: MIT
 *
 * content_work.c: see content_work.h.
 */
#include "server/dungeon/content_work.h"

#include "core/base/try.h"

/* Text of what the largest dungeon hides: a tenth of its cells. */
#define CONTENT_BYTES_MAX ((size_t)64 << 20)

static secret_key secret_of(const dungeon_document *document, const secret_key *daemon) {
    return document->secret_given ? secret_of_seed(document->secret_seed) : *daemon;
}

static const loam_rules *rules_of(const dungeon_document *document) {
    return document->content != NULL ? document->content : loam_content_default();
}

loam_status content_key_make(const dungeon_document *document, const secret_key *daemon,
                             const digest *build_key, digest *key) {
    const secret_key secret = secret_of(document, daemon);
    digest rules;
    LOAM_TRY(key_of_rules(rules_of(document), &rules));
    *key = key_of_content(&secret, build_key, &rules);
    return LOAM_OK;
}

/* Content and secret of the kept request; of an empty one, the default. */
static loam_status read_kept(loam_text kept, loam_arena *arena, dungeon_document *document,
                             loam_error *error) {
    fault_list faults;
    fault_clear(&faults);
    *document = (dungeon_document){0};
    if (kept.size > 0 && dungeon_document_read(kept, NULL, arena, document, &faults) != LOAM_OK) {
        return fault_first(&faults, error);
    }
    return LOAM_OK;
}

loam_status content_job_keys(const content_job *job, loam_arena *arena, content_keys *keys,
                             loam_error *error) {
    dungeon_document document;
    LOAM_TRY(read_kept(job->kept, arena, &document, error));
    *keys = (content_keys){.build_key = job->dungeon.key};
    LOAM_TRY(key_of_rules(rules_of(&document), &keys->rules));
    return content_key_make(&document, job->secret, &job->dungeon.key, &keys->content_key);
}

static loam_status find_seed(const content_job *job, const dungeon_document *document,
                             secret_stage stage, loam_arena *arena, uint64_t *seed,
                             loam_error *error) {
    const loam_dungeon_plan *plan = NULL;
    digest rules;
    LOAM_TRY(dungeon_job_plan(&job->dungeon, arena, &plan, error));
    LOAM_TRY(key_of_rules(rules_of(document), &rules));
    const secret_key secret = secret_of(document, job->secret);
    const digest layout = key_of_layout(plan);
    *seed = secret_draw_seed(&secret, &layout, &rules, stage);
    return LOAM_OK;
}

loam_status content_job_encounter_seed(const content_job *job, loam_arena *arena, uint64_t *seed,
                                       loam_error *error) {
    dungeon_document document;
    LOAM_TRY(read_kept(job->kept, arena, &document, error));
    return find_seed(job, &document, SECRET_ENCOUNTER, arena, seed, error);
}

loam_status content_job_build(const content_job *job, const blob *dungeon, const loam_run *run,
                              blob **bytes, loam_error *error) {
    dungeon_document document;
    loam_dungeon of;
    loam_content content;
    text_buffer buffer;
    uint64_t seed = 0;
    LOAM_TRY(read_kept(job->kept, run->arena, &document, error));
    LOAM_TRY(find_seed(job, &document, SECRET_CONTENT, run->arena, &seed, error));
    LOAM_TRY(loam_dungeon_decode(dungeon->bytes, dungeon->size, run->arena, &of, error));
    LOAM_TRY(loam_content_build(&of, rules_of(&document), seed, run, &content, error));
    buffer_init(&buffer, CONTENT_BYTES_MAX);
    loam_content_encode(&content, buffer_sink(&buffer));
    *bytes = buffer.failed ? NULL : blob_create(buffer.bytes, buffer.size);
    buffer_fini(&buffer);
    return *bytes != NULL ? LOAM_OK
                          : loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for content");
}

loam_status content_view_write(dungeon_view view, const blob *bytes, const content_keys *keys,
                               loam_arena *arena, text_buffer *to, loam_error *error) {
    loam_content content;
    content_keys all = *keys;
    all.content = bytes->digest;
    buffer_init(to, CONTENT_BYTES_MAX);
    LOAM_TRY(loam_content_decode(bytes->bytes, bytes->size, arena, &content, error));
    return view == DUNGEON_SPAWNS ? view_spawns_json(&content, to)
                                  : view_content_json(&content, &all, to);
}
