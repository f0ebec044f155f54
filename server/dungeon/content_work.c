/* SPDX-License-Identifier: MIT
 *
 * content_work.c: see content_work.h.
 */
#include "server/dungeon/content_work.h"

#include "core/base/try.h"

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

static loam_status find_keys(const content_job *job, const dungeon_document *document,
                             content_keys *keys, loam_error *error) {
    keys->build_key = job->dungeon.key;
    LOAM_TRY(key_of_rules(rules_of(document), &keys->rules));
    LOAM_TRY(content_key_make(document, job->secret, &job->dungeon.key, &keys->content_key));
    return job->wanted == NULL || digest_equal(job->wanted, &keys->content_key)
               ? LOAM_OK
               : loam_fail(error, LOAM_NOT_FOUND, NULL, "the dungeon has no content of this key");
}

loam_status content_job_draw(const content_job *job, const loam_run *run, drawn_content *drawn,
                             loam_error *error) {
    dungeon_document document;
    const loam_dungeon_plan *plan = NULL;
    LOAM_TRY(read_kept(job->kept, run->arena, &document, error));
    LOAM_TRY(find_keys(job, &document, &drawn->keys, error));
    LOAM_TRY(dungeon_job_plan(&job->dungeon, run->arena, &plan, error));
    LOAM_TRY(loam_dungeon_decode(job->bytes->bytes, job->bytes->size, run->arena, &drawn->dungeon,
                                 error));
    const secret_key secret = secret_of(&document, job->secret);
    const digest layout = key_of_layout(plan);
    const uint64_t seed = secret_draw_seed(&secret, &layout, &drawn->keys.rules, SECRET_CONTENT);
    drawn->encounter_seed =
        secret_draw_seed(&secret, &layout, &drawn->keys.rules, SECRET_ENCOUNTER);
    LOAM_TRY(loam_content_build(&drawn->dungeon, rules_of(&document), seed, run, &drawn->content,
                                error));
    drawn->keys.content = content_digest_of(&drawn->content);
    return LOAM_OK;
}
