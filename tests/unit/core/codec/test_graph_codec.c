/* SPDX-License-Identifier: MIT
 *
 * test_graph_codec.c: the binary form of graphs against bytes put together by hand, there and back,
 * and under damage; and the bytes of a key.
 */
#include "tests/unit/core/codec/format_fixture.h"
#include "tests/unit/core/graph/graph_text.h"

static const char *const lines[] = {"$terrain heightfield",
                                    "$zone areas",
                                    "sites surface.sample spacing_m=512 surface<$terrain",
                                    "low filter.height min_m=0 max_m=9 points<sites",
                                    "kept zone.exclude points<low zones<$zone",
                                    "both merge a<kept b<sites",
                                    "trees transform.scatter points<both asset='pine'",
                                    "=a trees",
                                    "=b low",
                                    NULL};

static byte_buffer bytes_of(const loam_graph *graph) {
    byte_buffer got = {0};
    cr_assert_eq(loam_graph_encode(graph, buffer_sink(&got)), LOAM_OK);
    return got;
}

static void put_value(byte_buffer *to, int kind, int64_t integer, const char *text) {
    put_number(to, 1, kind);
    put_number(to, 8, integer);
    put_string(to, text);
    put_number(to, 4, 0);
}

static void put_param(byte_buffer *to, const char *key, int64_t integer) {
    put_string(to, key);
    put_value(to, 1, integer, "");
}

/* A slot, a sampler of a pinned seed, a filter, an output of level 3, an exposed parameter. */
static void small_graph(loam_graph *graph, loam_arena *arena) {
    const char *const text[] = {"$t heightfield", "s surface.sample spacing_m=512 surface<$t",
                                "f filter.slope points<s", NULL};
    graph_of_lines(graph, arena, text);
    cr_assert_eq(loam_graph_pin_seed(graph, loam_text_of("s"), 77, NULL), LOAM_OK);
    cr_assert_eq(loam_graph_add_output(graph, loam_text_of("o"), loam_text_of("f"), 3, NULL),
                 LOAM_OK);
    cr_assert_eq(loam_graph_expose(graph, loam_text_of("gap"), loam_text_of("s"),
                                   loam_text_of("spacing_m"), NULL),
                 LOAM_OK);
}

static void put_small_nodes(byte_buffer *to) {
    put_string(to, "s");
    put_string(to, "surface.sample");
    put_number(to, 2, 1);
    put_number(to, 1, 1);
    put_number(to, 8, 77);
    put_number(to, 4, 3);
    put_param(to, "spacing_m", 512);
    put_param(to, "jitter", 65536);
    put_param(to, "density", 1 << 24);
    put_number(to, 4, 1);
    put_string(to, "surface");
    put_string(to, "$t");
    put_string(to, "f");
    put_string(to, "filter.slope");
    put_number(to, 2, 1);
    put_number(to, 1, 0);
    put_number(to, 8, 0);
    put_number(to, 4, 3);
    put_param(to, "min_deg", 0);
    put_param(to, "max_deg", 90 * 65536);
    put_param(to, "invert", 0);
    put_number(to, 4, 1);
    put_string(to, "points");
    put_string(to, "s");
}

Test(graph_codec, a_small_graph_is_the_bytes_that_the_format_says) {
    loam_graph graph;
    loam_arena arena = arena_of(1 << 22);
    byte_buffer want = {0};
    small_graph(&graph, &arena);
    put_raw(&want, "LOAMGRPH");
    put_number(&want, 2, 1);
    put_number(&want, 4, 1);
    put_number(&want, 4, 2);
    put_number(&want, 4, 1);
    put_number(&want, 4, 1);
    put_string(&want, "t");
    put_number(&want, 1, 2);
    put_small_nodes(&want);
    put_string(&want, "o");
    put_string(&want, "f");
    put_number(&want, 1, 3);
    put_string(&want, "gap");
    put_string(&want, "s");
    put_string(&want, "spacing_m");
    byte_buffer got = bytes_of(&graph);
    expect_bytes(&got, &want);
}

/* Output first, so the filter is node 0; the sampler's seed is pair(world seed, pinned seed). */
Test(graph_codec, the_key_of_a_small_graph_is_the_bytes_that_the_format_says) {
    loam_graph graph;
    loam_arena arena = arena_of(1 << 22);
    loam_error error = {0};
    int32_t samples[4] = {1, 2, 3, -4};
    loam_heightfield field = {.width = 2,
                              .height = 2,
                              .spacing_fine = (int64_t)8192 << 16,
                              .origin_x = 100,
                              .origin_z = -8192,
                              .samples = samples};
    loam_asset slot = {.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = &field};
    loam_query query = {.rect = {0, -8192, 200, -8000}, .slots = &slot};
    byte_buffer got = {0}, want = {0};
    small_graph(&graph, &arena);
    cr_assert_eq(loam_heightfield_init(&field, NULL), LOAM_OK);
    text_must(loam_plan_build(&graph, 5, &arena, &query.plan, &error), &error, "plan");
    text_must(loam_cell_key(&query, buffer_sink(&got), &arena, &error), &error, "key");
    put_raw(&want, "loam-key/1");
    put_number(&want, 2, 1);
    put_number(&want, 4, 2);
    put_string(&want, "filter.slope");
    put_number(&want, 2, 1);
    put_number(&want, 4, 3);
    put_value(&want, 1, 0, "");
    put_value(&want, 1, 90 * 65536, "");
    put_value(&want, 1, 0, "");
    put_number(&want, 1, 0);
    put_number(&want, 4, 1);
    put_number(&want, 1, 1);
    put_number(&want, 4, 1);
    put_number(&want, 1, 0);
    put_string(&want, "surface.sample");
    put_number(&want, 2, 1);
    put_number(&want, 4, 3);
    put_value(&want, 1, 512, "");
    put_value(&want, 1, 65536, "");
    put_value(&want, 1, 1 << 24, "");
    put_number(&want, 1, 1);
    put_number(&want, 8, (int64_t)0x3c5fac0435cab3a7u);
    put_number(&want, 4, 1);
    put_number(&want, 1, 2);
    put_number(&want, 4, 0);
    put_number(&want, 1, 0);
    static const int64_t rect[] = {0, -8192, 200, -8000};
    for (int i = 0; i < 4; i++) {
        put_number(&want, 8, rect[i]);
    }
    /* The field begins 100 units into block 0 and at block -1; offsets -100 to 99 read vertices -1
     * to 1, of which -1 is in no block that has samples. */
    put_number(&want, 8, (int64_t)8192 << 16);
    put_number(&want, 8, (int64_t)100 << 16);
    put_number(&want, 8, 0);
    put_number(&want, 1, 1);
    static const int64_t value_of[2][3] = {{0, 1, 2}, {0, 3, -4}};
    for (int64_t z = -1; z <= 0; z++) {
        for (int64_t x = -1; x <= 1; x++) {
            put_number(&want, 8, x);
            put_number(&want, 8, z);
            put_number(&want, 1, x >= 0);
            static const int64_t whole[4] = {0, 1, 0, 1};
            for (int i = 0; x >= 0 && i < 4; i++) {
                put_number(&want, 4, whole[i]);
            }
            if (x >= 0) {
                put_number(&want, 4, value_of[z + 1][x + 1]);
            }
        }
    }
    expect_bytes(&got, &want);
}

Test(graph_codec, a_graph_comes_back) {
    loam_graph graph, again;
    loam_arena arena = arena_of(1 << 22);
    loam_error error = {0};
    graph_of_lines(&graph, &arena, lines);
    cr_assert_eq(loam_graph_pin_seed(&graph, loam_text_of("both"), UINT64_MAX, NULL), LOAM_OK);
    byte_buffer bytes = bytes_of(&graph);
    text_must(loam_graph_decode(bytes.bytes, bytes.size, &arena, &again, &error), &error, "back");
    byte_buffer same = bytes_of(&again);
    expect_bytes(&same, &bytes);
    cr_expect_eq(loam_graph_faults(&again, NULL, 0), 0);
    cr_expect_eq(again.nodes[loam_graph_find_node(&again, loam_text_of("both"))].seed, UINT64_MAX);
}

/* Graphs that are not whole are graphs too: faults are found later. */
/* Two forms of one graph would be two keys of one cell. */
Test(graph_codec, what_a_value_does_not_use_is_not_in_the_graph) {
    static const loam_value item = {.kind = LOAM_VALUE_INTEGER, .integer = 3};
    static const loam_value spacing = {.kind = LOAM_VALUE_INTEGER,
                                       .integer = 512,
                                       .text = {"junk", 4},
                                       .items = &item,
                                       .item_count = 1};
    loam_arena arena = arena_of(1 << 20);
    loam_graph plain, dressed;
    loam_error error = {0};
    small_graph(&plain, &arena);
    small_graph(&dressed, &arena);
    cr_assert_eq(
        loam_graph_set(&dressed, loam_text_of("s"), loam_text_of("spacing_m"), &spacing, &error),
        LOAM_OK, "%s", error.text);
    byte_buffer a = bytes_of(&plain), b = bytes_of(&dressed);
    cr_expect_eq(a.size, b.size);
    cr_expect(a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0);
    buffer_fini(&a);
    buffer_fini(&b);
}

Test(graph_codec, an_unfinished_graph_comes_back_unfinished) {
    const char *const text[] = {"s grid.sample", "m merge a<s", NULL};
    loam_graph graph, again;
    loam_arena arena = arena_of(1 << 22);
    graph_of_lines(&graph, &arena, text);
    byte_buffer bytes = bytes_of(&graph);
    cr_assert_eq(loam_graph_decode(bytes.bytes, bytes.size, &arena, &again, NULL), LOAM_OK);
    byte_buffer same = bytes_of(&again);
    expect_bytes(&same, &bytes);
}

static _Alignas(64) unsigned char memory[1 << 20];

static loam_status decode(const unsigned char *bytes, size_t size, loam_graph *graph,
                          loam_error *error) {
    loam_arena *arena = malloc(sizeof *arena);
    loam_arena_init(arena, memory, sizeof memory);
    loam_status status = loam_graph_decode(bytes, size, arena, graph, error);
    if (status != LOAM_OK) {
        free(arena);
    }
    return status;
}

Test(graph_codec, every_truncation_is_refused) {
    loam_graph graph, again;
    loam_arena arena = arena_of(1 << 22);
    graph_of_lines(&graph, &arena, lines);
    byte_buffer bytes = bytes_of(&graph);
    for (size_t size = 0; size < bytes.size; size++) {
        loam_error error = {0};
        unsigned char *exact = malloc(size == 0 ? 1 : size);
        memcpy(exact, bytes.bytes, size);
        loam_status status = decode(exact, size, &again, &error);
        cr_assert_neq(status, LOAM_OK, "%zu of %zu bytes", size, bytes.size);
        cr_assert_eq(error.status, status);
        free(exact);
    }
    put_number(&bytes, 1, 0);
    cr_expect_eq(decode(bytes.bytes, bytes.size, &again, NULL), LOAM_DAMAGED, "a byte more");
}

/* What is accepted is a graph: it can be written, read and checked. */
Test(graph_codec, every_flipped_byte_is_refused_or_makes_another_graph) {
    loam_graph graph, again, third;
    loam_arena arena = arena_of(1 << 22);
    graph_of_lines(&graph, &arena, lines);
    byte_buffer bytes = bytes_of(&graph);
    for (size_t at = 0; at < bytes.size; at++) {
        for (int flip = 1; flip < 256; flip += flip < 8 ? 1 : 31) {
            loam_error error = {0};
            bytes.bytes[at] ^= (unsigned char)flip;
            loam_status status = decode(bytes.bytes, bytes.size, &again, &error);
            cr_assert_eq(error.status, status);
            if (status == LOAM_OK) {
                byte_buffer written = bytes_of(&again);
                loam_arena own = arena;
                cr_assert_eq(loam_graph_decode(written.bytes, written.size, &own, &third, NULL),
                             LOAM_OK);
                (void)loam_graph_faults(&again, NULL, 0);
                buffer_fini(&written);
            }
            bytes.bytes[at] ^= (unsigned char)flip;
        }
    }
}

Test(graph_codec, a_full_arena_is_told_as_that_at_every_size) {
    loam_graph graph, again;
    loam_arena own = arena_of(1 << 22);
    graph_of_lines(&graph, &own, lines);
    byte_buffer bytes = bytes_of(&graph);
    for (size_t size = 0;; size += 64) {
        unsigned char *exact = aligned_alloc(64, size + 64);
        loam_arena arena;
        loam_error error = {0};
        loam_arena_init(&arena, exact, size);
        loam_status status = loam_graph_decode(bytes.bytes, bytes.size, &arena, &again, &error);
        free(exact);
        cr_assert_eq(error.status, status);
        if (status == LOAM_OK) {
            break;
        }
        cr_assert_eq(status, LOAM_ARENA_FULL, "%zu: %s", size, loam_status_code(status));
    }
}

/* A list of lists in the binary form: read to its depth, and refused beyond it. */
static void put_nested(byte_buffer *to, int depth) {
    put_number(to, 1, 3);
    put_number(to, 8, 0);
    put_string(to, "");
    put_number(to, 4, depth > 0 ? 1 : 0);
    if (depth > 0) {
        put_nested(to, depth - 1);
    }
}

static loam_status decode_value(const byte_buffer *value, size_t arena_bytes, loam_error *error) {
    byte_buffer bytes = {0};
    put_raw(&bytes, "LOAMGRPH");
    put_number(&bytes, 2, 1);
    put_number(&bytes, 4, 0);
    put_number(&bytes, 4, 1);
    put_number(&bytes, 4, 0);
    put_number(&bytes, 4, 0);
    put_string(&bytes, "s");
    put_string(&bytes, "grid.sample");
    put_number(&bytes, 2, 1);
    put_number(&bytes, 1, 0);
    put_number(&bytes, 8, 0);
    put_number(&bytes, 4, 1);
    put_string(&bytes, "spacing_m");
    buffer_take_bytes(&bytes, value->bytes, value->size);
    put_number(&bytes, 4, 0);
    loam_graph graph;
    loam_arena arena;
    loam_arena_init(&arena, memory, arena_bytes);
    loam_status status = loam_graph_decode(bytes.bytes, bytes.size, &arena, &graph, error);
    buffer_fini(&bytes);
    return status;
}

Test(graph_codec, nested_values_are_read_to_a_depth_of_4) {
    for (int depth = 0; depth < 8; depth++) {
        byte_buffer value = {0};
        loam_error error = {0};
        put_nested(&value, depth);
        cr_expect_eq(decode_value(&value, sizeof memory, &error),
                     depth <= 4 ? LOAM_WRONG_TYPE : LOAM_DAMAGED, "depth %d: %s", depth,
                     error.text);
        buffer_fini(&value);
    }
}

Test(graph_codec, a_list_that_does_not_fit_the_arena_is_no_damage) {
    byte_buffer value = {0};
    loam_error error = {0};
    put_number(&value, 1, 3);
    put_number(&value, 8, 0);
    put_string(&value, "");
    put_number(&value, 4, 256);
    for (int i = 0; i < 256; i++) {
        put_value(&value, 1, i, "");
    }
    cr_expect_eq(decode_value(&value, 4096, &error), LOAM_ARENA_FULL, "%s", error.text);
    cr_expect_eq(error.status, LOAM_ARENA_FULL);
    error = (loam_error){0};
    cr_expect_eq(decode_value(&value, sizeof memory, &error), LOAM_WRONG_TYPE);
    buffer_fini(&value);
}

Test(graph_codec, a_graph_with_more_parts_than_a_graph_may_have_is_refused) {
    byte_buffer bytes = {0};
    loam_graph graph;
    loam_error error = {0};
    put_raw(&bytes, "LOAMGRPH");
    put_number(&bytes, 2, 1);
    for (int i = 0; i < 4; i++) {
        put_number(&bytes, 4, UINT32_MAX);
    }
    cr_expect_eq(decode(bytes.bytes, bytes.size, &graph, &error), LOAM_TOO_MANY);
    buffer_fini(&bytes);
}
