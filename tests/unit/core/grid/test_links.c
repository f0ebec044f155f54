/* SPDX-License-Identifier: MIT
 *
 * test_links.c: triangulation, spanning tree and loops: known figures, the empty circle by brute
 * force, and the same links whatever order points come in.
 */
#include "core/grid/draw.h"
#include "core/grid/links.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { POINTS_MAX_HERE = 200 };

static link_list triangulate(const loam_spot *points, uint32_t count, loam_arena *arena) {
    link_list list;
    loam_error error = {0};
    cr_assert_eq(links_triangulate(points, count, arena, &list, &error), LOAM_OK, "%s", error.text);
    return list;
}

static uint32_t tree_size(const link_list *list, uint32_t points, loam_arena *arena, bool *tree) {
    loam_error error = {0};
    uint32_t size = 0;
    cr_assert_eq(links_tree(list, points, arena, tree, &error), LOAM_OK);
    for (uint32_t i = 0; i < list->count; i++) {
        size += tree[i];
    }
    return size;
}

/* Points of a set in an order of its own. */
static void shuffle(loam_spot *points, uint32_t count, uint64_t seed) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = draw_below(draw_at(seed, i), i);
        loam_spot kept = points[i - 1];
        points[i - 1] = points[j];
        points[j] = kept;
    }
}

static loam_spot random_spot(uint64_t seed, uint32_t index, uint32_t side) {
    uint64_t x = draw_at(seed, 2 * index), y = draw_at(seed, 2 * index + 1);
    return (loam_spot){(int32_t)draw_below(x, side), (int32_t)draw_below(y, side)};
}

static int64_t orient(loam_spot a, loam_spot b, loam_spot c) {
    return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(b.y - a.y) * (c.x - a.x);
}

__extension__ typedef __int128 wide_int;

static bool is_inside(loam_spot a, loam_spot b, loam_spot c, loam_spot d) {
    int64_t ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x,
            cy = c.y - d.y;
    wide_int sum = (wide_int)(ax * ax + ay * ay) * (bx * cy - by * cx) -
                   (wide_int)(bx * bx + by * by) * (ax * cy - ay * cx) +
                   (wide_int)(cx * cx + cy * cy) * (ax * by - ay * bx);
    return orient(a, b, c) > 0 ? sum > 0 : sum < 0;
}

static bool same_spot(loam_spot a, loam_spot b) {
    return a.x == b.x && a.y == b.y;
}

/* An edge is Delaunay when a circle through its ends holds no other point: that of the diameter, or
 * through a third one at one side. */
static bool some_circle_is_empty(const loam_spot *points, uint32_t count, loam_spot a,
                                 loam_spot b) {
    for (uint32_t k = 0; k < count; k++) {
        bool empty = orient(a, b, points[k]) != 0;
        for (uint32_t d = 0; d < count && empty; d++) {
            empty = !is_inside(a, b, points[k], points[d]);
        }
        if (empty) {
            return true;
        }
    }
    return false;
}

Test(links, five_points_on_a_line_give_a_chain_of_four) {
    static const loam_spot points[] = {{6, 4}, {0, 0}, {12, 8}, {3, 2}, {9, 6}};
    loam_arena arena = arena_of(1 << 20);
    link_list list = triangulate(points, 5, &arena);
    bool tree[4];
    cr_assert_eq(list.count, 4);
    cr_expect_eq(tree_size(&list, 5, &arena, tree), 4);
    for (uint32_t i = 0; i < 4; i++) {
        cr_expect_eq(list.links[i].length2, 13, "each is joined to the next");
        cr_expect_lt(list.links[i].a, list.links[i].b);
    }
}

Test(links, none_one_and_two_points_give_what_there_is) {
    static const loam_spot points[] = {{1, 1}, {-5, 9}};
    loam_arena arena = arena_of(1 << 20);
    cr_expect_eq(triangulate(points, 0, &arena).count, 0);
    cr_expect_eq(triangulate(points, 1, &arena).count, 0);
    link_list list = triangulate(points, 2, &arena);
    cr_assert_eq(list.count, 1);
    cr_expect_eq(list.links[0].length2, 100);
}

Test(links, points_at_one_place_hang_on_the_first_of_them) {
    static const loam_spot points[] = {{5, 5}, {5, 5}, {9, 9}, {5, 5}};
    loam_arena arena = arena_of(1 << 20);
    link_list list = triangulate(points, 4, &arena);
    bool tree[8];
    cr_assert_eq(list.count, 3);
    cr_expect_eq(tree_size(&list, 4, &arena, tree), 3);
    cr_expect_eq(list.links[0].length2, 0);
    cr_expect_eq(list.links[0].a, 0);
    cr_expect_eq(list.links[2].b, 2);
}

/* A sum over the links by place, so that it is of the set. */
static uint64_t digest_of(const link_list *list, const loam_spot *points, const bool *chosen) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        loam_spot a = points[list->links[i].a], b = points[list->links[i].b];
        uint64_t one = mix_pair((uint64_t)(uint32_t)a.x << 32 | (uint32_t)a.y, chosen[i]);
        uint64_t two = mix_pair((uint64_t)(uint32_t)b.x << 32 | (uint32_t)b.y, chosen[i]);
        sum += one * two;
    }
    return sum;
}

/* The links of a set, its tree and its loops at 15 %. */
static uint64_t whole_digest(const loam_spot *points, uint32_t count, uint32_t *loops) {
    loam_arena arena = arena_of(1 << 20);
    link_list list = triangulate(points, count, &arena);
    bool chosen[3 * POINTS_MAX_HERE];
    loam_error error = {0};
    uint32_t *order, left;
    cr_assert_eq(tree_size(&list, count, &arena, chosen), count - 1);
    cr_assert_eq(links_shuffle(&list, chosen, 42, &arena, &order, &left, &error), LOAM_OK);
    cr_assert_eq(left, list.count - (count - 1));
    *loops = links_share(left, 15);
    for (uint32_t i = 0; i < *loops; i++) {
        cr_assert_not(chosen[order[i]]);
        chosen[order[i]] = true;
    }
    return digest_of(&list, points, chosen);
}

Test(links, a_lattice_of_ten_by_ten_has_261_links_99_in_the_tree_and_24_loops) {
    loam_spot points[100];
    loam_arena arena = arena_of(1 << 20);
    for (int32_t i = 0; i < 100; i++) {
        points[i] = (loam_spot){i % 10 * 16, i / 10 * 16};
    }
    link_list list = triangulate(points, 100, &arena);
    bool tree[300];
    cr_expect_eq(list.count, 261);
    cr_expect_eq(tree_size(&list, 100, &arena, tree), 99);
    uint32_t loops = 0;
    uint64_t digest = whole_digest(points, 100, &loops);
    cr_expect_eq(loops, 24);
    for (uint64_t seed = 1; seed <= 50; seed++) {
        shuffle(points, 100, seed);
        cr_expect_eq(whole_digest(points, 100, &loops), digest, "order %llu",
                     (unsigned long long)seed);
        cr_expect_eq(loops, 24);
    }
}

static uint32_t distinct_spots(loam_spot *points, uint32_t count, uint64_t seed, uint32_t side) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        loam_spot at = random_spot(seed, i, side);
        bool taken = false;
        for (uint32_t j = 0; j < used && !taken; j++) {
            taken = same_spot(points[j], at);
        }
        if (!taken) {
            points[used++] = at;
        }
    }
    return used;
}

Test(links, random_sets_are_delaunay_by_brute_force_and_do_not_depend_on_the_order) {
    static const uint32_t sides[] = {4, 9, 30, 29571};
    loam_arena arena = arena_of(16 << 20);
    for (uint64_t seed = 0; seed < 60; seed++) {
        loam_spot points[60];
        uint32_t count = distinct_spots(points, 8 + (uint32_t)seed % 50, seed, sides[seed % 4]);
        link_list list = triangulate(points, count, &arena);
        for (uint32_t i = 0; i < list.count; i++) {
            cr_assert(some_circle_is_empty(points, count, points[list.links[i].a],
                                           points[list.links[i].b]),
                      "seed %llu", (unsigned long long)seed);
            cr_assert(i == 0 || list.links[i].length2 >= list.links[i - 1].length2);
        }
        uint32_t loops;
        uint64_t digest = whole_digest(points, count, &loops);
        shuffle(points, count, ~seed);
        cr_assert_eq(whole_digest(points, count, &loops), digest);
    }
}

/* Corners of the hull: links = 3 n - 3 - those. Counted by brute force. */
static uint32_t hull_links(const loam_spot *points, uint32_t count) {
    uint32_t links = 0;
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = 0; b < count; b++) {
            bool outer = a != b;
            for (uint32_t c = 0; c < count && outer; c++) {
                int64_t turn = orient(points[a], points[b], points[c]);
                bool between =
                    (int64_t)(points[c].x - points[a].x) * (points[b].x - points[c].x) +
                        (int64_t)(points[c].y - points[a].y) * (points[b].y - points[c].y) >
                    0;
                outer = turn > 0 || c == a || c == b || (turn == 0 && !between);
            }
            links += outer;
        }
    }
    return links;
}

Test(links, a_set_has_as_many_links_as_euler_says) {
    loam_arena arena = arena_of(4 << 20);
    for (uint64_t seed = 0; seed < 20; seed++) {
        loam_spot points[60];
        uint32_t count = distinct_spots(points, 60, seed, seed % 2 == 0 ? 12 : 5000);
        link_list list = triangulate(points, count, &arena);
        cr_expect_eq(list.count, 3 * count - 3 - hull_links(points, count), "seed %llu",
                     (unsigned long long)seed);
    }
}

Test(links, points_too_far_apart_or_too_many_are_refused) {
    static const loam_spot wide[] = {{0, 0}, {LINKS_SPAN_MAX + 1, 0}};
    static const loam_spot widest[] = {{INT32_MIN, INT32_MIN},
                                       {INT32_MIN + LINKS_SPAN_MAX, INT32_MIN + LINKS_SPAN_MAX}};
    loam_arena arena = arena_of(1 << 20);
    link_list list;
    loam_error error = {0};
    cr_expect_eq(links_triangulate(wide, 2, &arena, &list, &error), LOAM_OUT_OF_RANGE);
    error = (loam_error){0};
    cr_expect_eq(links_triangulate(wide, LINKS_POINTS_MAX + 1, &arena, &list, &error),
                 LOAM_TOO_MANY);
    error = (loam_error){0};
    cr_expect_eq(links_triangulate(widest, 2, &arena, &list, &error), LOAM_OK);
    loam_arena small;
    unsigned char memory[256];
    loam_arena_init(&small, memory, sizeof memory);
    cr_expect_eq(links_triangulate(widest, 2, &small, &list, &error), LOAM_ARENA_FULL);
}

Test(links, shares_are_floored) {
    cr_expect_eq(links_share(162, 15), 24);
    cr_expect_eq(links_share(6, 15), 0);
    cr_expect_eq(links_share(7, 100), 7);
    cr_expect_eq(links_share(7, 0), 0);
}
