/* SPDX-License-Identifier: MIT
 *
 * test_anchor_read.c: dungeons that a world binds to points: canonical form and revision, requests
 * made of them, and each kind of fault.
 */
#include "tests/unit/api/wire/forest_fixture.h"

#include "api/wire/anchor_document.h"
#include "api/wire/dungeon_document.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(anchor_read, .fini = forest_fini);

#define ROOMS "\"anchors\": \"gates\", \"recipe\": \"dungeon.rooms\""

static world got;

static const char *with(const char *dungeons) {
    static char field[16384];
    snprintf(field, sizeof field, "\"dungeons\": %s, \"grid\"", dungeons);
    return forest_with(forest_world, "\"grid\"", field);
}

static digest revision_of(const char *dungeons) {
    forest_read_world(with(dungeons), &got);
    return got.revision;
}

static bool same(const char *a, const char *b) {
    digest one = revision_of(a);
    digest other = revision_of(b);
    return digest_equal(&one, &other);
}

static void assert_refused(const char *dungeons, loam_status status, const char *pointer) {
    cr_assert_neq(world_read(loam_text_of(with(dungeons)), &forest_resolver, forest_arena(), &got,
                             forest_faults()),
                  LOAM_OK, "%s", dungeons);
    cr_assert(forest_has_fault(status, pointer), "%s", dungeons);
}

Test(anchor_read, bindings_stand_in_order_of_names_with_all_their_parameters) {
    revision_of("{\"b\": {" ROOMS "}, \"a\": {" ROOMS ", \"params\": {\"width\": 40}}}");
    digest gates = digest_of("gates", 5);
    cr_assert_eq(got.dungeon_count, 2);
    cr_expect_str_eq(got.dungeons[0].name.bytes, "a");
    cr_expect(digest_equal(&got.slots[got.graph.slot_count + 1], &gates));
    cr_expect(digest_equal(&got.dungeons[1].anchors, &gates));
    cr_expect_not_null(strstr(got.dungeons[0].params.bytes, "\"width\":40"));
    cr_expect_not_null(strstr(got.dungeons[1].params.bytes, "\"width\":64"));
    cr_expect_not_null(strstr(got.canonical.bytes, "\"dungeons\":{\"a\":{\"anchors\":\"sha256-"));
}

Test(anchor_read, a_world_comes_back_from_its_canonical_text) {
    static char text[1 << 16];
    digest revision = revision_of("{\"a\": {" ROOMS "}, \"b\": {\"anchors\": \"gates\", "
                                  "\"recipe\": \"cave.cellular\", \"policy\": \"strict\"}}");
    snprintf(text, sizeof text, "%.*s", (int)got.canonical.size, got.canonical.bytes);
    forest_read_world(text, &got);
    cr_assert(digest_equal(&revision, &got.revision), "%s", got.canonical.bytes);
}

Test(anchor_read, what_means_the_same_is_the_same_revision) {
    digest none = revision_of("{}");
    forest_read_world(forest_world, &got);
    cr_expect(digest_equal(&none, &got.revision), "no dungeons are none");
    cr_expect(same("{\"a\": {" ROOMS "}}",
                   "{\"a\": {" ROOMS ", \"version\": 1, \"policy\": \"degraded\", \"params\": "
                   "{\"width\": 64}}}"));
    cr_expect(same("{\"a\": {" ROOMS "}, \"b\": {" ROOMS "}}",
                   "{\"b\": {" ROOMS "}, \"a\": {" ROOMS "}}"));
    cr_expect_not(same("{\"a\": {" ROOMS "}}", "{\"b\": {" ROOMS "}}"));
    cr_expect_not(same("{\"a\": {" ROOMS "}}", "{\"a\": {" ROOMS ", \"policy\": \"strict\"}}"));
    cr_expect_not(same("{\"a\": {" ROOMS "}}", "{\"a\": {" ROOMS ", \"params\": {\"gap\": 3}}}"));
}

Test(anchor_read, what_is_hidden_is_kept_and_told_nowhere) {
    digest plain = revision_of("{\"a\": {" ROOMS "}}");
    cr_expect(loam_text_equal(got.kept, got.canonical));
    digest secret = revision_of("{\"a\": {" ROOMS ", \"secret_seed\": \"90210\"}}");
    cr_expect(digest_equal(&plain, &secret));
    cr_expect_null(strstr(got.canonical.bytes, "90210"));
    cr_expect_not_null(strstr(got.kept.bytes, "\"secret_seed\":\"90210\""));
}

Test(anchor_read, a_request_has_the_seed_of_world_name_and_point) {
    static unsigned char memory[1 << 20];
    loam_arena arena;
    dungeon_document document;
    fault_list faults;
    text_buffer buffer;
    revision_of("{\"a\": {" ROOMS ", \"policy\": \"strict\"}}");
    const world_dungeon *dungeon = anchors_find(&got, loam_text_of("a"));
    cr_assert_not_null(dungeon);
    cr_assert_null(anchors_find(&got, loam_text_of("b")));
    uint64_t key = anchor_key(loam_text_of("north"));
    buffer_init(&buffer, JSON_BYTES_MAX);
    anchor_request_write(&buffer, &got, dungeon, key, false);
    loam_arena_init(&arena, memory, sizeof memory);
    fault_clear(&faults);
    cr_assert_eq(dungeon_document_read(buffer_view(&buffer), NULL, &arena, &document, &faults),
                 LOAM_OK, "%.*s", (int)buffer.size, buffer.bytes);
    cr_expect_eq(document.request.seed, seed_of_anchor(42, loam_text_of("a"), key));
    cr_expect_eq(document.request.policy, LOAM_POLICY_STRICT);
    buffer_fini(&buffer);
}

Test(anchor_read, seeds_differ_by_each_of_the_three) {
    uint64_t seed = seed_of_anchor(42, loam_text_of("a"), 7);
    cr_expect_neq(seed, seed_of_anchor(43, loam_text_of("a"), 7));
    cr_expect_neq(seed, seed_of_anchor(42, loam_text_of("b"), 7));
    cr_expect_neq(seed, seed_of_anchor(42, loam_text_of("a"), 8));
    cr_expect_eq(seed, UINT64_C(11598924243948174868), "%llu", (unsigned long long)seed);
}

Test(anchor_read, an_address_is_cut_at_its_first_colon) {
    loam_text name;
    loam_text id;
    cr_assert(anchor_parse(loam_text_of("a.b:c:d"), &name, &id));
    cr_expect(loam_text_equal(name, loam_text_of("a.b")));
    cr_expect(loam_text_equal(id, loam_text_of("c:d")));
    cr_expect(anchor_parse(loam_text_of(":"), &name, &id));
    cr_expect_not(anchor_parse(loam_text_of("ab"), &name, &id));
    cr_expect_not(anchor_parse(loam_text_of(""), &name, &id));
}

Test(anchor_read, every_mistake_is_named_at_its_place) {
    assert_refused("7", LOAM_WRONG_TYPE, "/dungeons");
    assert_refused("{\"A b\": {" ROOMS "}}", LOAM_BAD_NAME, "/dungeons/A b");
    assert_refused("{\"a\": []}", LOAM_WRONG_TYPE, "/dungeons/a");
    assert_refused("{\"a\": {\"recipe\": \"dungeon.rooms\"}}", LOAM_MISSING_FIELD,
                   "/dungeons/a/anchors");
    assert_refused("{\"a\": {\"anchors\": \"hills\", \"recipe\": \"dungeon.rooms\"}}",
                   LOAM_SLOT_MISMATCH, "/dungeons/a/anchors");
    assert_refused("{\"a\": {\"anchors\": \"gates\"}}", LOAM_MISSING_FIELD, "/dungeons/a/recipe");
    assert_refused("{\"a\": {" ROOMS ", \"version\": 99}}", LOAM_VERSION_UNAVAILABLE,
                   "/dungeons/a/version");
    assert_refused("{\"a\": {" ROOMS ", \"seed\": \"1\"}}", LOAM_UNKNOWN_FIELD, "/dungeons/a/seed");
    assert_refused("{\"a\": {" ROOMS ", \"params\": {\"width\": 1}}}", LOAM_OUT_OF_RANGE,
                   "/dungeons/a/params/width");
    assert_refused("{\"a\": {" ROOMS ", \"params\": {\"tile_map\": \"none\"}}}", LOAM_NOT_FOUND,
                   "/dungeons/a/params/tile_map");
}

Test(anchor_read, several_mistakes_are_all_found) {
    assert_refused("{\"a\": {\"anchors\": \"none\", \"recipe\": \"no\"}, \"b\": {" ROOMS
                   ", \"params\": {\"wide\": 1}}}",
                   LOAM_NOT_FOUND, "/dungeons/a/anchors");
    cr_expect(forest_has_fault(LOAM_UNKNOWN_RECIPE, "/dungeons/a/recipe"));
    cr_expect(forest_has_fault(LOAM_UNKNOWN_FIELD, "/dungeons/b/params/wide"));
}

Test(anchor_read, there_are_64_at_most) {
    static char text[8192];
    for (int count = WORLD_DUNGEONS_MAX; count <= WORLD_DUNGEONS_MAX + 1; count++) {
        size_t used = 0;
        for (int i = 0; i < count; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s\"d%d\": {" ROOMS "}",
                                     i == 0 ? "{" : ", ", i);
        }
        snprintf(text + used, sizeof text - used, "}");
        if (count == WORLD_DUNGEONS_MAX) {
            revision_of(text);
            cr_expect_eq(got.dungeon_count, WORLD_DUNGEONS_MAX);
        } else {
            assert_refused(text, LOAM_TOO_MANY, "/dungeons");
        }
    }
}
