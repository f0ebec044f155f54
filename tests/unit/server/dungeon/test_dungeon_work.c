/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_work.c: what workers do with dungeons and with what they hide: a kept request is the
 * same dungeon for ever; a secret, and nothing else, decides what is in it.
 */
#include "server/dungeon/content_work.h"
#include "server/dungeon/dungeon_asking.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BYTES ((size_t)128 << 20)
#define SMALL                                                                                      \
    "\"recipe\": \"dungeon.rooms\", \"seed\": \"42\", \"params\": {\"width\": 48, \"height\": 32}"
#define LOOT                                                                                       \
    "{\"rules\": [{\"name\": \"loot\", \"object\": \"chest\", \"where\": \"any\", "                \
    "\"chance_permille\": 700}]}"

static void *memory;
static loam_arena arena_here;
static loam_arena *const arena = &arena_here;
static flow_state flow;

static void begin(void) {
    memory = malloc(ARENA_BYTES);
    cr_assert_not_null(memory);
    loam_arena_init(arena, memory, ARENA_BYTES);
    memset(flow.secret.bytes, 7, sizeof flow.secret.bytes);
}

static void end(void) {
    free(memory);
}

TestSuite(dungeon_work, .init = begin, .fini = end);

/* What is made of a request by someone with or without the scope server. */
static loam_status ask_for(const char *json, bool server, dungeon_asking *asking,
                           loam_error *error) {
    dungeon_document document;
    const loam_dungeon_plan *plan = NULL;
    fault_list faults;
    fault_clear(&faults);
    *asking = (dungeon_asking){0};
    cr_assert_eq(dungeon_document_read(loam_text_of(json), NULL, arena, &document, &faults),
                 LOAM_OK, "%s", faults.items[0].text);
    cr_assert_eq(loam_dungeon_plan_build(&document.request, arena, &plan, error), LOAM_OK, "%s",
                 error->text);
    const dungeon_asker by = {&flow, server};
    return dungeon_asking_make(asking, &by, &document, plan, arena, error);
}

static dungeon_asking asked(const char *json, bool server) {
    dungeon_asking asking;
    loam_error error = {0};
    cr_assert_eq(ask_for(json, server, &asking, &error), LOAM_OK, "%s", error.text);
    return asking;
}

static blob *built(const dungeon_asking *asking) {
    blob *bytes = NULL;
    loam_error error = {0};
    const dungeon_job job = {buffer_view(&asking->request), asking->key};
    const loam_run run = {.arena = arena};
    cr_assert_eq(dungeon_job_build(&job, &run, &bytes, &error), LOAM_OK, "%s", error.text);
    return bytes;
}

/* ---- Dungeons -------------------------------------------------------------------------------- */

Test(dungeon_work, a_kept_request_is_its_own_request) {
    dungeon_asking first = asked("{" SMALL "}", false);
    char *kept = strndup(first.request.bytes, first.request.size);
    dungeon_asking again = asked(kept, false);
    cr_expect(digest_equal(&first.key, &again.key));
    cr_expect(loam_text_equal(buffer_view(&first.request), buffer_view(&again.request)));
    blob *one = built(&first), *other = built(&again);
    cr_expect(digest_equal(&one->digest, &other->digest));
    blob_release(one);
    blob_release(other);
    free(kept);
    dungeon_asking_fini(&first);
    dungeon_asking_fini(&again);
}

Test(dungeon_work, under_another_key_it_is_of_another_version) {
    dungeon_asking asking = asked("{" SMALL "}", false);
    dungeon_job job = {buffer_view(&asking.request), asking.key};
    const loam_dungeon_plan *plan = NULL;
    loam_error error = {0};
    job.key.bytes[0] ^= 1;
    cr_expect_eq(dungeon_job_plan(&job, arena, &plan, &error), LOAM_VERSION_UNAVAILABLE);
    dungeon_asking_fini(&asking);
}

Test(dungeon_work, every_view_of_it_begins_as_it_should) {
    static const struct {
        dungeon_view view;
        const char *begins;
    } views[] = {{DUNGEON_JSON, "{\"build_key\":\"sha256-"},
                 {DUNGEON_TEXT, "####"},
                 {DUNGEON_TILED, "{"},
                 {DUNGEON_LDTK, "{"},
                 {DUNGEON_PNG, "\x89PNG"},
                 {DUNGEON_SVG, "<svg"},
                 {DUNGEON_LAYOUT, "{"},
                 {DUNGEON_ASSEMBLY, "{"}};
    dungeon_asking asking = asked("{" SMALL "}", false);
    blob *bytes = built(&asking);
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        text_buffer text;
        loam_error error = {0};
        cr_assert_eq(dungeon_view_write(views[i].view, bytes, &asking.key, arena, &text, &error),
                     LOAM_OK, "%zu: %s", i, error.text);
        size_t size = strlen(views[i].begins);
        cr_assert_gt(text.size, size);
        cr_expect_eq(memcmp(text.bytes, views[i].begins, size), 0, "%zu: %.20s", i, text.bytes);
        buffer_fini(&text);
    }
    blob_release(bytes);
    dungeon_asking_fini(&asking);
}

Test(dungeon_work, bytes_that_are_none_have_no_view) {
    blob *bytes = blob_create("LOAMDUNG", 8);
    text_buffer text;
    loam_error error = {0};
    const digest key = {{0}};
    cr_expect_neq(dungeon_view_write(DUNGEON_JSON, bytes, &key, arena, &text, &error), LOAM_OK);
    cr_expect_neq(error.status, LOAM_OK);
    buffer_fini(&text);
    blob_release(bytes);
}

/* ---- Who asks -------------------------------------------------------------------------------- */

Test(dungeon_work, a_secret_is_for_the_server_scope) {
    static const char secret[] = "{" SMALL ", \"secret_seed\": \"9\"}";
    dungeon_asking asking;
    loam_error error = {0};
    cr_expect_eq(ask_for(secret, false, &asking, &error), LOAM_FORBIDDEN);
    cr_expect_str_eq(error.pointer, "/secret_seed");
    dungeon_asking_fini(&asking);
    dungeon_asking own = asked(secret, true);
    dungeon_asking plain = asked("{" SMALL "}", true);
    dungeon_asking stranger = asked("{" SMALL "}", false);
    cr_expect(own.secret && plain.secret && !stranger.secret);
    cr_expect(digest_equal(&own.key, &stranger.key), "the public key does not tell");
    cr_expect_not(digest_equal(&own.content_key, &plain.content_key));
    cr_expect_gt(own.content.size, 0);
    cr_expect_eq(plain.content.size, 0, "the default is kept nowhere");
    dungeon_asking_fini(&own);
    dungeon_asking_fini(&plain);
    dungeon_asking_fini(&stranger);
}

Test(dungeon_work, rules_that_are_wrong_are_told_with_their_place) {
    dungeon_asking asking;
    loam_error error = {0};
    cr_expect_neq(ask_for("{" SMALL ", \"content\": {\"rulez\": []}}", true, &asking, &error),
                  LOAM_OK);
    cr_expect_eq(strncmp(error.pointer, "/content", 8), 0, "%s", error.pointer);
    dungeon_asking_fini(&asking);
}

/* ---- What is hidden -------------------------------------------------------------------------- */

static blob *drawn(const dungeon_asking *asking, const secret_key *secret) {
    blob *dungeon = built(asking);
    blob *bytes = NULL;
    loam_error error = {0};
    const content_job job = {.dungeon = {buffer_view(&asking->request), asking->key},
                             .secret = secret,
                             .kept = buffer_view(&asking->content)};
    const loam_run run = {.arena = arena};
    cr_assert_eq(content_job_build(&job, dungeon, &run, &bytes, &error), LOAM_OK, "%s", error.text);
    blob_release(dungeon);
    return bytes;
}

Test(dungeon_work, the_daemons_secret_decides_unless_a_seed_is_given) {
    secret_key other = flow.secret;
    other.bytes[31] ^= 1;
    dungeon_asking plain = asked("{" SMALL "}", true);
    dungeon_asking seeded = asked("{" SMALL ", \"secret_seed\": \"9\"}", true);
    blob *mine = drawn(&plain, &flow.secret), *again = drawn(&plain, &flow.secret);
    blob *theirs = drawn(&plain, &other);
    blob *seed = drawn(&seeded, &flow.secret), *same = drawn(&seeded, &other);
    cr_expect(digest_equal(&mine->digest, &again->digest));
    cr_expect_not(digest_equal(&mine->digest, &theirs->digest));
    cr_expect(digest_equal(&seed->digest, &same->digest));
    cr_expect_not(digest_equal(&seed->digest, &mine->digest));
    blob *const all[] = {mine, again, theirs, seed, same};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        blob_release(all[i]);
    }
    dungeon_asking_fini(&plain);
    dungeon_asking_fini(&seeded);
}

Test(dungeon_work, content_of_its_own_has_a_key_of_its_own_and_a_view) {
    dungeon_asking plain = asked("{" SMALL "}", true);
    dungeon_asking rich = asked("{" SMALL ", \"content\": " LOOT "}", true);
    blob *bytes = drawn(&rich, &flow.secret);
    content_keys keys;
    text_buffer text;
    loam_error error = {0};
    const content_job job = {.dungeon = {buffer_view(&rich.request), rich.key},
                             .secret = &flow.secret,
                             .kept = buffer_view(&rich.content)};
    cr_assert_eq(content_job_keys(&job, arena, &keys, &error), LOAM_OK, "%s", error.text);
    cr_expect(digest_equal(&keys.content_key, &rich.content_key), "asking and answering agree");
    cr_expect_not(digest_equal(&rich.content_key, &plain.content_key));
    cr_assert_eq(content_view_write(DUNGEON_CONTENT, bytes, &keys, arena, &text, &error), LOAM_OK);
    buffer_add(&text, "", 1);
    cr_expect_not_null(strstr(text.bytes, "\"chest\""));
    buffer_fini(&text);
    blob_release(bytes);
    dungeon_asking_fini(&plain);
    dungeon_asking_fini(&rich);
}

Test(dungeon_work, encounters_are_drawn_from_the_secret_too) {
    secret_key other = flow.secret;
    other.bytes[0] ^= 1;
    dungeon_asking asking = asked("{" SMALL "}", true);
    content_job job = {.dungeon = {buffer_view(&asking.request), asking.key},
                       .secret = &flow.secret};
    uint64_t one = 0, again = 0, another = 0;
    loam_error error = {0};
    cr_assert_eq(content_job_encounter_seed(&job, arena, &one, &error), LOAM_OK);
    cr_assert_eq(content_job_encounter_seed(&job, arena, &again, &error), LOAM_OK);
    job.secret = &other;
    cr_assert_eq(content_job_encounter_seed(&job, arena, &another, &error), LOAM_OK);
    cr_expect_eq(one, again);
    cr_expect_neq(one, another);
    dungeon_asking_fini(&asking);
}
