/* SPDX-License-Identifier: MIT
 *
 * test_key.c: digests against published vectors (FIPS 180-4), their one spelling, and domains.
 */
#include "api/key/key.h"

#include <criterion/criterion.h>
#include <string.h>

#define ABC_DIGEST "sha256-ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

Test(key, a_digest_of_abc_is_the_published_one) {
    digest got = digest_of("abc", 3);
    char text[DIGEST_TEXT_BYTES];
    digest_text(&got, text);
    cr_assert_str_eq(text, ABC_DIGEST);
}

Test(key, a_digest_of_nothing_is_the_published_one) {
    digest got = digest_of(NULL, 0);
    char text[DIGEST_TEXT_BYTES];
    digest_text(&got, text);
    cr_assert_str_eq(text,
                     "sha256-e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

Test(key, a_stream_in_pieces_equals_one_piece) {
    digest_stream stream;
    digest_begin(&stream);
    loam_sink sink = digest_sink(&stream);
    sink.write(sink.context, "a", 1);
    sink.write(sink.context, "", 0);
    sink.write(sink.context, "bc", 2);
    digest pieces = digest_end(&stream);
    digest whole = digest_of("abc", 3);
    cr_assert(digest_equal(&pieces, &whole));
}

Test(key, a_domain_stands_before_the_bytes_with_a_newline) {
    digest got = digest_of_domain(DIGEST_DOMAIN_GRAPH, "abc", 3);
    digest want = digest_of("loam-graph/1\nabc", 16);
    digest other = digest_of_domain(DIGEST_DOMAIN_JOB, "abc", 3);
    cr_assert(digest_equal(&got, &want));
    cr_assert_not(digest_equal(&got, &other));
}

Test(key, a_text_comes_back_as_the_same_digest) {
    digest want = digest_of("abc", 3);
    digest got;
    cr_assert(digest_parse(loam_text_of(ABC_DIGEST), &got));
    cr_assert(digest_equal(&got, &want));
}

Test(key, only_one_spelling_of_a_digest_is_taken) {
    digest got;
    char text[DIGEST_TEXT_BYTES] = ABC_DIGEST;
    cr_assert_not(digest_parse((loam_text){text, DIGEST_TEXT_SIZE - 1}, &got), "short");
    cr_assert_not(digest_parse(loam_text_of(ABC_DIGEST "0"), &got), "long");
    cr_assert_not(digest_parse(loam_text_of(""), &got), "empty");
    text[7] = 'B';
    cr_assert_not(digest_parse(loam_text_of(text), &got), "upper case");
    text[7] = 'g';
    cr_assert_not(digest_parse(loam_text_of(text), &got), "no hex digit");
    memcpy(text, "SHA256-b", 8);
    cr_assert_not(digest_parse(loam_text_of(text), &got), "another prefix");
}

/* A graph of one lattice, planned for a seed. */
static const loam_plan *plan_lattice(loam_graph *graph, uint64_t seed, loam_arena *arena) {
    const loam_value spacing = {.kind = LOAM_VALUE_INTEGER, .integer = 12 * LOAM_UNITS_PER_METRE};
    loam_graph_sizes sizes = {.nodes = 1, .outputs = 1};
    loam_text name = loam_text_of("sites");
    const loam_plan *plan = NULL;
    cr_assert_eq(loam_graph_init(graph, sizes, arena, NULL), LOAM_OK);
    cr_assert_eq(loam_graph_add_node(graph, name, loam_text_of("grid.sample"), 0, NULL), LOAM_OK);
    cr_assert_eq(loam_graph_set(graph, name, loam_text_of("spacing_m"), &spacing, NULL), LOAM_OK);
    cr_assert_eq(loam_graph_add_output(graph, name, name, 0, NULL), LOAM_OK);
    cr_assert_eq(loam_plan_build(graph, seed, arena, &plan, NULL), LOAM_OK);
    return plan;
}

static digest key_of_lattice(uint64_t seed, loam_rect rect) {
    static unsigned char memory[4 << 20];
    loam_arena arena;
    loam_graph graph;
    digest key;
    loam_arena_init(&arena, memory, sizeof memory);
    loam_query query = {.plan = plan_lattice(&graph, seed, &arena), .rect = rect};
    size_t mark = loam_arena_mark(&arena);
    cr_assert_eq(key_of_cell(&query, &arena, &key, NULL), LOAM_OK);
    cr_assert_eq(loam_arena_mark(&arena), mark, "scratch is given back");
    return key;
}

Test(key, a_cell_has_one_key_and_another_cell_or_seed_another) {
    loam_rect here = {0, 0, 65536, 65536};
    loam_rect there = {65536, 0, 131072, 65536};
    digest key = key_of_lattice(1, here);
    digest again = key_of_lattice(1, here);
    digest moved = key_of_lattice(1, there);
    digest reseeded = key_of_lattice(2, here);
    cr_assert(digest_equal(&key, &again));
    cr_assert_not(digest_equal(&key, &moved));
    cr_assert_not(digest_equal(&key, &reseeded));
}

static digest key_of_heights(int32_t last) {
    int32_t samples[4] = {0, 0, 0, last};
    loam_heightfield field = {.width = 2,
                              .height = 2,
                              .spacing_fine = (int64_t)256 * LOAM_FINE_PER_UNIT,
                              .samples = samples};
    cr_assert_eq(loam_heightfield_init(&field, NULL), LOAM_OK);
    loam_asset asset = {.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = &field};
    digest key;
    cr_assert_eq(key_of_asset(&asset, &key), LOAM_OK);
    return key;
}

Test(key, an_asset_s_digest_follows_its_samples) {
    digest flat = key_of_heights(0);
    digest again = key_of_heights(0);
    digest bent = key_of_heights(1);
    cr_assert(digest_equal(&flat, &again));
    cr_assert_not(digest_equal(&flat, &bent));
}
