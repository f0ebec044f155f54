/* SPDX-License-Identifier: MIT
 *
 * test_areas_key.c: what a rectangle sees of areas: the same bytes for the same sight, others when
 * an answer changes.
 */
#include "tests/unit/core/space/areas_naive.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ARENA_BYTES = 4 << 20, KEY_BYTES = 1 << 18 };

static unsigned char memory[ARENA_BYTES];

typedef struct key_bytes {
    size_t size;
    unsigned char bytes[KEY_BYTES];
} key_bytes;

static void key_take(void *context, const void *bytes, size_t size) {
    key_bytes *to = context;
    cr_assert_leq(size, KEY_BYTES - to->size);
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void key_of(const naive_areas *areas, areas_view view, loam_rect rect, bool with_keys,
                   key_bytes *to) {
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    loam_areas_source source = naive_source(areas);
    const loam_areas *built;
    cr_assert_eq(loam_areas_build(&source, &arena, &built, NULL), LOAM_OK);
    size_t mark = arena.used;
    to->size = 0;
    byte_writer writer;
    writer_init(&writer, (loam_sink){key_take, to});
    cr_assert_eq(areas_key_write(&writer, built, &view, rect, with_keys, &arena), LOAM_OK);
    writer_flush(&writer);
    cr_assert_eq(arena.used, mark, "scratch is given back");
}

static bool same_key(const naive_areas *a, const naive_areas *b, areas_view view, loam_rect rect,
                     bool with_keys) {
    static key_bytes keys[2];
    key_of(a, view, rect, with_keys, &keys[0]);
    key_of(b, view, rect, with_keys, &keys[1]);
    return keys[0].size == keys[1].size && memcmp(keys[0].bytes, keys[1].bytes, keys[0].size) == 0;
}

/* A copy that has its own rings and polygons. */
static void copy_areas(const naive_areas *from, naive_areas *to) {
    *to = (naive_areas){0};
    memcpy(to->features, from->features, sizeof to->features);
    to->feature_count = from->feature_count;
    for (uint32_t i = 0; i < from->polygon_count; i++) {
        naive_add_polygon(to);
        to->polygons[i].feature = from->polygons[i].feature;
        for (uint32_t j = 0; j < from->polygons[i].ring_count; j++) {
            const loam_ring *ring = &from->polygons[i].rings[j];
            naive_add_ring(to, ring->xz, ring->count - 1);
        }
    }
}

static void one_box(naive_areas *areas, uint64_t feature_key, int64_t margin, int64_t x1) {
    naive_add_feature(areas, feature_key, margin, LOAM_UNSET);
    naive_add_polygon(areas);
    naive_add_box(areas, 100, 100, x1, 200);
}

static const loam_rect cell = {0, 0, 64, 64};

Test(areas_key, what_is_out_of_reach_leaves_four_bytes) {
    static naive_areas areas;
    one_box(&areas, 1, LOAM_UNSET, 200);
    static key_bytes key;
    /* 63 is the last point, 100 the border: 37 units, and a margin looks one unit less far. */
    key_of(&areas, (areas_view){.margin_units = 37}, cell, false, &key);
    cr_assert_eq(key.size, 4);
    key_of(&areas, (areas_view){.margin_units = 38}, cell, false, &key);
    cr_assert_eq(key.size, 4 + 21 + 2 * 32, "the two edges that meet at (100, 100)");
}

Test(areas_key, the_bytes_are_as_written_down) {
    static naive_areas areas;
    naive_add_feature(&areas, 0x1122334455667788, 3, LOAM_UNSET);
    naive_add_polygon(&areas);
    naive_add_ring(&areas, (int64_t[]){70, 10, -1, 5, 70, -5000}, 3);
    static key_bytes key;
    key_of(&areas, (areas_view){.margin_units = 2, .feature_margin = true}, (loam_rect){0, 0, 9, 9},
           true, &key);
    static const unsigned char expected[] = {
        1, 0, 0, 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 5, 0, 0, 0, 0,
        0, 0, 0, 0, 0,    0,    0,    0,    0,    0,    0,    1,    2, 0, 0, 0};
    cr_assert_eq(key.size, sizeof expected + 2 * 32);
    cr_assert_arr_eq(key.bytes, expected, sizeof expected);
    int64_t edges[8] = {70, -5000, -1, 5, -1, 5, 70, 10};
    for (size_t i = 0; i < 8; i++) {
        cr_assert_eq((int64_t)get_u64(key.bytes + sizeof expected + 8 * i), edges[i]);
    }
}

Test(areas_key, a_cell_within_a_polygon_sees_only_that) {
    static naive_areas areas, moved, away;
    naive_add_feature(&areas, 1, LOAM_UNSET, LOAM_UNSET);
    naive_add_polygon(&areas);
    naive_add_box(&areas, -500, -500, 500, 500);
    copy_areas(&areas, &moved);
    moved.xz[0] -= 77;
    moved.xz[8] -= 77;
    static key_bytes key;
    key_of(&areas, (areas_view){.margin_units = 9}, cell, false, &key);
    cr_assert_eq(key.size, 4 + 21, "an entry with parity 1 and no edge");
    cr_assert(same_key(&areas, &moved, (areas_view){.margin_units = 9}, cell, false));
    naive_add_feature(&away, 1, LOAM_UNSET, LOAM_UNSET);
    naive_add_polygon(&away);
    naive_add_box(&away, 5000, -500, 6000, 500);
    cr_assert(!same_key(&areas, &away, (areas_view){.margin_units = 9}, cell, false));
}

Test(areas_key, a_cell_within_a_hole_sees_nothing) {
    static naive_areas areas;
    naive_add_feature(&areas, 1, LOAM_UNSET, LOAM_UNSET);
    naive_add_polygon(&areas);
    naive_add_box(&areas, -500, -500, 500, 500);
    naive_add_box(&areas, -100, -100, 100, 100);
    static key_bytes key;
    key_of(&areas, (areas_view){.margin_units = 9}, cell, false, &key);
    cr_assert_eq(key.size, 4);
}

Test(areas_key, a_margin_counts_only_for_who_reads_it) {
    static naive_areas plain, wide;
    one_box(&plain, 1, LOAM_UNSET, 200);
    one_box(&wide, 1, 50, 200);
    cr_assert(same_key(&plain, &wide, (areas_view){0}, cell, false));
    cr_assert(!same_key(&plain, &wide, (areas_view){.feature_margin = true}, cell, false));
    loam_rect over = {90, 90, 150, 150};
    cr_assert(same_key(&plain, &wide, (areas_view){0}, over, false));
    cr_assert(!same_key(&plain, &wide, (areas_view){.feature_margin = true}, over, false));
    wide.features[0].margin = 0;
    cr_assert(same_key(&plain, &wide, (areas_view){.feature_margin = true}, over, false));
    wide.features[0].buffer = 7;
    cr_assert(same_key(&plain, &wide, (areas_view){.width_units = 4}, over, false));
    cr_assert(!same_key(&plain, &wide, (areas_view){.width_units = 4, .feature_buffer = true}, over,
                        false));
}

Test(areas_key, a_feature_key_counts_only_where_asked) {
    static naive_areas one, other, both;
    loam_rect over = {90, 90, 150, 150};
    one_box(&one, 1, LOAM_UNSET, 200);
    one_box(&other, 2, LOAM_UNSET, 200);
    one_box(&both, 1, LOAM_UNSET, 200);
    one_box(&both, 2, LOAM_UNSET, 200);
    cr_assert(same_key(&one, &other, (areas_view){0}, over, false));
    cr_assert(!same_key(&one, &other, (areas_view){0}, over, true));
    cr_assert(same_key(&one, &both, (areas_view){0}, over, false), "a set of equal sights");
    cr_assert(!same_key(&one, &both, (areas_view){0}, over, true));
}

Test(areas_key, an_empty_rectangle_sees_nothing) {
    static naive_areas areas;
    one_box(&areas, 1, LOAM_UNSET, 200);
    static key_bytes key;
    key_of(&areas, (areas_view){0}, (loam_rect){150, 150, 150, 190}, true, &key);
    cr_assert_eq(key.size, 4);
}

Test(areas_key, bytes_do_not_depend_on_winding_start_and_order) {
    static naive_areas areas, other;
    naive_random random = {31};
    for (int round = 0; round < 300; round++) {
        naive_random_areas(&areas, &random, 1 + naive_draw(&random, 8), 30, -9, 4, 9);
        naive_shuffle(&areas, &other, &random);
        areas_view view = {.margin_units = naive_draw(&random, 6),
                           .width_units = naive_draw(&random, 6),
                           .feature_margin = naive_draw(&random, 2) == 0,
                           .feature_buffer = naive_draw(&random, 2) == 0};
        int64_t x = (int64_t)naive_draw(&random, 40) - 20;
        int64_t z = (int64_t)naive_draw(&random, 40);
        loam_rect rect = {x, z, x + naive_draw(&random, 20), z + naive_draw(&random, 20)};
        cr_assert(same_key(&areas, &other, view, rect, naive_draw(&random, 2) == 0));
    }
}

static bool answers_differ(const naive_areas *a, const naive_areas *b, const areas_view *view,
                           loam_rect rect) {
    for (int64_t z = rect.z0; z < rect.z1; z++) {
        for (int64_t x = rect.x0; x < rect.x1; x++) {
            bool vetoed[2] = {false, false};
            for (int which = 0; which < 2; which++) {
                const naive_areas *areas = which == 0 ? a : b;
                for (uint32_t i = 0; i < areas->polygon_count; i++) {
                    const loam_polygon *polygon = &areas->polygons[i];
                    int64_t own = areas->features[polygon->feature].margin;
                    int64_t margin = view->margin_units + (own == LOAM_UNSET ? 0 : own);
                    vetoed[which] |= naive_inside(polygon, x, z) ||
                                     (margin > 0 && naive_near(polygon, x, z, margin));
                }
            }
            if (vetoed[0] != vetoed[1]) {
                return true;
            }
        }
    }
    return false;
}

/* Moves one vertex; false when the polygon would be none. */
static bool vertex_move(naive_areas *areas, naive_random *random, int64_t box[4]) {
    uint32_t which = naive_draw(random, areas->ring_count);
    const loam_ring *ring = &areas->rings[which];
    int64_t *xz = areas->xz + (ring->xz - areas->xz);
    uint32_t count = ring->count - 1;
    uint32_t at = naive_draw(random, count);
    uint32_t before = (at + count - 1) % count;
    uint32_t after = (at + 1) % count;
    int64_t to_x = xz[2 * at] + (int64_t)naive_draw(random, 7) - 3;
    int64_t to_z = xz[2 * at + 1] + (int64_t)naive_draw(random, 7) - 3;
    int64_t seen[4][2] = {{xz[2 * at], xz[2 * at + 1]},
                          {to_x, to_z},
                          {xz[2 * before], xz[2 * before + 1]},
                          {xz[2 * after], xz[2 * after + 1]}};
    memcpy(box, (int64_t[]){INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN}, 4 * sizeof *box);
    for (int i = 0; i < 4; i++) {
        box[0] = seen[i][0] < box[0] ? seen[i][0] : box[0];
        box[1] = seen[i][1] < box[1] ? seen[i][1] : box[1];
        box[2] = seen[i][0] > box[2] ? seen[i][0] : box[2];
        box[3] = seen[i][1] > box[3] ? seen[i][1] : box[3];
    }
    xz[2 * at] = to_x;
    xz[2 * at + 1] = to_z;
    if (at == 0) {
        xz[2 * count] = to_x;
        xz[2 * count + 1] = to_z;
    }
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    loam_areas_source source = naive_source(areas);
    const loam_areas *built;
    return loam_areas_build(&source, &arena, &built, NULL) == LOAM_OK;
}

/* A key may only stay when no answer in its rectangle changes, and must stay when the edit and its
 * old and new edges are out of reach. */
Test(areas_key, an_edit_changes_the_key_where_it_is_seen_and_nowhere_else) {
    static naive_areas areas, edited;
    naive_random random = {41};
    int kept = 0;
    int changed = 0;
    int answered = 0;
    for (int round = 0; round < 3000; round++) {
        naive_random_areas(&areas, &random, 1 + naive_draw(&random, 3), 24, 0, 0, 3);
        copy_areas(&areas, &edited);
        int64_t box[4];
        if (!vertex_move(&edited, &random, box)) {
            continue;
        }
        areas_view view = {.margin_units = naive_draw(&random, 3), .feature_margin = true};
        int64_t x = (int64_t)naive_draw(&random, 30) - 4;
        int64_t z = (int64_t)naive_draw(&random, 30) - 4;
        loam_rect rect = {x, z, x + 1 + naive_draw(&random, 8), z + 1 + naive_draw(&random, 8)};
        bool same = same_key(&areas, &edited, view, rect, false);
        bool differ = answers_differ(&areas, &edited, &view, rect);
        cr_assert(!(same && differ), "round %d", round);
        int64_t reach = view.margin_units + 3;
        bool out = box[0] > rect.x1 + reach || box[2] < rect.x0 - reach ||
                   box[1] > rect.z1 + reach || box[3] < rect.z0 - reach;
        cr_assert(same || !out, "round %d", round);
        kept += same;
        changed += !same;
        answered += differ;
    }
    cr_assert(kept > 300 && changed > 300 && answered > 100, "%d %d %d", kept, changed, answered);
}

Test(areas_key, the_count_of_edges_is_that_of_the_key) {
    static naive_areas areas;
    one_box(&areas, 1, LOAM_UNSET, 200);
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    loam_areas_source source = naive_source(&areas);
    const loam_areas *built;
    cr_assert_eq(loam_areas_build(&source, &arena, &built, NULL), LOAM_OK);
    cr_assert_eq(areas_edge_count(built, &(areas_view){.margin_units = 38}, cell), 2);
    cr_assert_eq(areas_edge_count(built, &(areas_view){.margin_units = 37}, cell), 0);
    cr_assert_eq(areas_edge_count(built, &(areas_view){0}, (loam_rect){0, 0, 999, 999}), 4);
    cr_assert_eq(areas_edge_count(built, &(areas_view){0}, (loam_rect){9, 9, 9, 9}), 0);
}
