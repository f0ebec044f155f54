/* SPDX-License-Identifier: MIT
 *
 * test_lines.c: lines against literal readings of what they are: one normal form, keys that stay,
 * exact arc lengths, nearest distances by brute force, and keys that show what a rectangle sees.
 */
#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/space/lines.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BYTES = 16 << 20, LINES_MAX = 256, POOL_NUMBERS = 1 << 18, KEY_BYTES = 1 << 18 };

__extension__ typedef __int128 wide;

typedef struct line_set {
    loam_line lines[LINES_MAX];
    uint32_t count;
} line_set;

static loam_arena arena_new(void) {
    return arena_of(ARENA_BYTES);
}

/* `count` vertices, copied. */
static void add_line(line_set *set, uint64_t key, const int64_t *xz, uint32_t count) {
    static int64_t pool[POOL_NUMBERS];
    static size_t used;
    int64_t *own = pool + used;
    used += 2 * (size_t)count;
    cr_assert_leq(used, POOL_NUMBERS);
    memcpy(own, xz, 2 * (size_t)count * sizeof *own);
    set->lines[set->count] =
        (loam_line){.xz = own, .count = count, .feature = set->count, .key = key};
    set->count++;
}

#define ADD(set, key, ...)                                                                         \
    do {                                                                                           \
        const int64_t xz[] = {__VA_ARGS__};                                                        \
        add_line((set), (key), xz, sizeof xz / (2 * sizeof *xz));                                  \
    } while (0)

static loam_status build(const line_set *set, loam_arena *arena, const loam_lines **lines,
                         loam_error *error) {
    const loam_lines_source source = {set->lines, set->count};
    return loam_lines_build(&source, arena, lines, error);
}

static const loam_lines *built(const line_set *set, loam_arena *arena) {
    loam_error error = {0};
    const loam_lines *lines = NULL;
    cr_assert_eq(build(set, arena, &lines, &error), LOAM_OK, "%s", error.text);
    return lines;
}

static bool same_form(const loam_lines *a, const loam_lines *b) {
    const loam_lines_source *fa = loam_lines_normal_form(a), *fb = loam_lines_normal_form(b);
    bool same = fa->line_count == fb->line_count;
    for (uint32_t i = 0; same && i < fa->line_count; i++) {
        const loam_line *la = &fa->lines[i], *lb = &fb->lines[i];
        same = la->key == lb->key && la->count == lb->count &&
               memcmp(la->xz, lb->xz, 2 * la->count * sizeof *la->xz) == 0;
    }
    return same;
}

/* ---- Normal form --------------------------------------------------------------------------- */

Test(lines, repeated_vertices_are_dropped_and_lines_without_length_with_them) {
    line_set set = {0};
    loam_arena arena = arena_new();
    ADD(&set, 5, 0, 0, 0, 0, 10, 0, 10, 0, 10, 7, 10, 7);
    ADD(&set, 6, 3, 3, 3, 3, 3, 3);
    const loam_lines_source *form = loam_lines_normal_form(built(&set, &arena));
    cr_assert_eq(form->line_count, 1);
    cr_expect_eq(form->lines[0].count, 3);
    cr_expect_eq(form->lines[0].key, 5, "a key of its own stays");
    const int64_t want[] = {0, 0, 10, 0, 10, 7};
    cr_expect_arr_eq(form->lines[0].xz, want, sizeof want);
}

Test(lines, the_normal_form_does_not_depend_on_the_order_of_the_document) {
    line_set one = {0}, other = {0};
    loam_arena arena = arena_new();
    ADD(&one, 9, 0, 0, 5, 5);
    ADD(&one, 2, 1, 1, 5, 5, 9, 2);
    ADD(&one, 2, 0, 1, 5, 5);
    ADD(&one, 2, 0, 1, 5, 6);
    for (uint32_t i = one.count; i-- > 0;) {
        other.lines[other.count++] = one.lines[i];
    }
    other.lines[other.count++] = one.lines[1];
    cr_expect(same_form(built(&one, &arena), built(&other, &arena)), "and twice is once");
}

Test(lines, direction_and_the_start_of_a_ring_matter) {
    line_set one = {0}, back = {0}, turned = {0};
    loam_arena arena = arena_new();
    ADD(&one, 1, 0, 0, 5, 0, 5, 5, 0, 0);
    ADD(&back, 1, 0, 0, 5, 5, 5, 0, 0, 0);
    ADD(&turned, 1, 5, 0, 5, 5, 0, 0, 5, 0);
    cr_expect_not(same_form(built(&one, &arena), built(&back, &arena)));
    cr_expect_not(same_form(built(&one, &arena), built(&turned, &arena)));
}

static uint64_t key_at(const loam_lines *lines, int64_t x, int64_t z, uint32_t count) {
    const loam_lines_source *form = loam_lines_normal_form(lines);
    for (uint32_t i = 0; i < form->line_count; i++) {
        const loam_line *line = &form->lines[i];
        if (line->count == count && line->xz[0] == x && line->xz[1] == z) {
            return line->key;
        }
    }
    cr_assert_fail("no such line");
    return 0;
}

Test(lines, lines_of_one_key_are_told_apart_by_their_first_vertices) {
    line_set set = {0}, moved = {0};
    loam_arena arena = arena_new();
    ADD(&set, 7, 0, 0, 5, 0, 9, 9, 20, 20);
    ADD(&set, 7, 0, 0, 5, 0);
    ADD(&set, 7, 0, 0, 6, 0, 7, 7);
    ADD(&set, 7, 1, 0, 6, 0, 7, 7, 8, 8, 9, 8);
    ADD(&moved, 7, 0, 0, 5, 0, 9, 9, 21, 20);
    ADD(&moved, 7, 0, 0, 5, 0);
    ADD(&moved, 7, 0, 0, 6, 0, 7, 8);
    ADD(&moved, 7, 1, 0, 6, 0, 7, 7, 8, 8, 9, 9);
    const loam_lines *a = built(&set, &arena), *b = built(&moved, &arena);
    uint64_t keys[4] = {key_at(a, 0, 0, 4), key_at(a, 0, 0, 2), key_at(a, 0, 0, 3),
                        key_at(a, 1, 0, 5)};
    for (int i = 0; i < 4; i++) {
        cr_expect_neq(keys[i], 7, "each of them is tied");
        for (int j = 0; j < i; j++) {
            cr_expect_neq(keys[i], keys[j]);
        }
    }
    cr_expect_eq(keys[0], key_at(b, 0, 0, 4), "what differs later changes no key");
    cr_expect_eq(keys[2], key_at(b, 0, 0, 3));
    cr_expect_eq(keys[3], key_at(b, 1, 0, 5));
}

Test(lines, a_normal_form_is_restored_as_it_was) {
    line_set set = {0};
    loam_arena arena = arena_new();
    ADD(&set, 7, 0, 0, 5, 0, 9, 9);
    ADD(&set, 7, 0, 0, 6, 0, 7, 7);
    ADD(&set, 3, 1, 1, 2, 2);
    const loam_lines *lines = built(&set, &arena);
    const loam_lines *again = NULL;
    cr_assert_eq(lines_restore(loam_lines_normal_form(lines), &arena, &again, NULL), LOAM_OK);
    cr_expect(same_form(lines, again));
    cr_assert_eq(loam_lines_build(loam_lines_normal_form(lines), &arena, &again, NULL), LOAM_OK);
    cr_expect(same_form(lines, again), "no key is tied any more");
}

/* ---- Errors -------------------------------------------------------------------------------- */

Test(lines, a_line_of_one_point_is_an_error_that_names_its_feature) {
    line_set set = {0};
    loam_arena arena = arena_new();
    loam_error error = {0};
    const loam_lines *lines = NULL;
    ADD(&set, 1, 0, 0, 5, 0);
    ADD(&set, 2, 256, -384);
    cr_expect_eq(build(&set, &arena, &lines, &error), LOAM_LINE_DEGENERATE);
    cr_expect_str_eq(error.pointer, "/features/1");
    cr_expect_not_null(strstr(error.text, "x 1 m, z -1.5 m"), "%s", error.text);
    cr_expect_eq(arena.used, 0, "nothing stays");
}

Test(lines, vertices_beyond_the_world_are_refused_and_its_corners_are_not) {
    const int64_t far = POSITION_UNITS_MAX;
    line_set set = {0}, beyond = {0};
    loam_arena arena = arena_new();
    loam_error error = {0};
    const loam_lines *lines = NULL;
    ADD(&set, 1, -far, -far, far, far);
    ADD(&beyond, 1, 0, 0, far + 1, 0);
    const int64_t *arc = lines_arc(built(&set, &arena), 0);
    /* floor(2^41 sqrt(2) 65536) */
    cr_expect_eq(arc[1], 203809653520824722);
    cr_expect_eq(build(&beyond, &arena, &lines, &error), LOAM_COORDINATE_RANGE);
}

Test(lines, a_line_longer_than_the_limit_is_refused) {
    const int64_t far = POSITION_UNITS_MAX;
    line_set set = {0};
    loam_arena arena = arena_new();
    loam_error error = {0};
    const loam_lines *lines = NULL;
    ADD(&set, 1, -far, 0, far, 0, -far, 1, 0, 1);
    cr_expect_eq(build(&set, &arena, &lines, &error), LOAM_COORDINATE_RANGE);
    cr_expect_str_eq(error.pointer, "/features/0");
}

Test(lines, no_lines_at_all_are_lines) {
    line_set set = {0};
    loam_arena arena = arena_new();
    const loam_lines *lines = built(&set, &arena);
    int32_t zero[1] = {0};
    uint64_t distance2[1] = {0};
    const areas_points points = {.x = zero, .z = zero, .count = 1};
    cr_expect_eq(lines_segment_count(lines, (loam_rect){0, 0, 9, 9}, 100), 0);
    cr_assert_eq(lines_nearest(lines, 100, &points, distance2, &arena), LOAM_OK);
    cr_expect_eq(distance2[0], AREA_DISTANCE2_NONE);
}

/* ---- Arc length ---------------------------------------------------------------------------- */

Test(lines, arc_lengths_are_floored_roots_of_whole_segments) {
    line_set set = {0};
    loam_arena arena = arena_new();
    uint64_t state = 5;
    int64_t xz[2 * 200];
    for (int i = 0; i < 400; i++) {
        state = mix64(state + 1);
        xz[i] = (int64_t)(state % (i < 200 ? 1000u : 200000u)) - 500;
    }
    add_line(&set, 1, xz, 200);
    const loam_lines *lines = built(&set, &arena);
    const loam_line *line = &loam_lines_normal_form(lines)->lines[0];
    const int64_t *arc = lines_arc(lines, 0);
    cr_expect_eq(arc[0], 0);
    for (uint32_t i = 1; i < line->count; i++) {
        int64_t dx = line->xz[2 * i] - line->xz[2 * i - 2];
        int64_t dz = line->xz[2 * i + 1] - line->xz[2 * i - 1];
        wide square = ((wide)dx * dx + (wide)dz * dz) << 32;
        wide root = arc[i] - arc[i - 1];
        cr_assert(root * root <= square && (root + 1) * (root + 1) > square);
    }
}

Test(lines, visits_tell_how_often_a_line_was_at_a_vertex) {
    line_set set = {0};
    loam_arena arena = arena_new();
    ADD(&set, 1, 0, 0, 5, 0, 5, 5, 5, 0, 9, 0, 5, 0, 0, 0);
    const uint32_t want[] = {0, 0, 0, 1, 0, 2, 1};
    cr_expect_arr_eq(lines_visits(built(&set, &arena), 0), want, sizeof want);
}

Test(lines, closed_lines_end_where_they_begin) {
    line_set set = {0};
    loam_arena arena = arena_new();
    ADD(&set, 1, 0, 0, 5, 0, 5, 5, 0, 0);
    ADD(&set, 2, 0, 0, 5, 0, 5, 5, 0, 1);
    const loam_lines_source *form = loam_lines_normal_form(built(&set, &arena));
    cr_expect(line_is_closed(&form->lines[0]));
    cr_expect_not(line_is_closed(&form->lines[1]));
}

/* ---- Questions ----------------------------------------------------------------------------- */

static uint32_t draw(uint64_t *state, uint32_t below) {
    *state = mix64(*state + 0x9e3779b97f4a7c15u);
    return (uint32_t)(*state % below);
}

static void add_random(line_set *set, uint64_t *state, uint32_t lines, uint32_t span) {
    for (uint32_t n = 0; n < lines; n++) {
        int64_t xz[2 * 40];
        uint32_t count = 2 + draw(state, 38);
        int64_t x = draw(state, span), z = draw(state, span);
        for (uint32_t i = 0; i < count; i++) {
            xz[2 * i] = x += (int64_t)draw(state, 400) - 200;
            xz[2 * i + 1] = z += (int64_t)draw(state, 400) - 200;
        }
        add_line(set, n, xz, count);
    }
}

/* floor(65536 d^2) of a point and a segment. */
static uint64_t naive_distance2(const int64_t *xz, int64_t x, int64_t z) {
    wide dx = xz[2] - xz[0], dz = xz[3] - xz[1], px = x - xz[0], pz = z - xz[1];
    wide along = dx * px + dz * pz, length2 = dx * dx + dz * dz;
    if (along <= 0) {
        return (uint64_t)((px * px + pz * pz) * 65536);
    }
    if (along >= length2) {
        return (uint64_t)(((px - dx) * (px - dx) + (pz - dz) * (pz - dz)) * 65536);
    }
    wide cross = dx * pz - dz * px;
    return (uint64_t)(cross * cross * 65536 / length2);
}

static uint64_t naive_nearest(const loam_lines_source *form, int64_t limit, int64_t x, int64_t z) {
    uint64_t nearest = (uint64_t)(limit * limit) * 65536;
    bool found = false;
    for (uint32_t i = 0; i < form->line_count; i++) {
        for (uint32_t j = 0; j + 1 < form->lines[i].count; j++) {
            uint64_t distance2 = naive_distance2(form->lines[i].xz + 2 * j, x, z);
            found |= distance2 < nearest;
            nearest = distance2 < nearest ? distance2 : nearest;
        }
    }
    return found ? nearest : AREA_DISTANCE2_NONE;
}

static void expect_nearest(uint64_t seed, uint32_t span, int64_t limit, uint32_t count) {
    line_set set = {0};
    loam_arena arena = arena_new();
    add_random(&set, &seed, 20, span);
    const loam_lines *lines = built(&set, &arena);
    int32_t *x = malloc(count * sizeof *x), *z = malloc(count * sizeof *z);
    uint64_t *distance2 = malloc(count * sizeof *distance2);
    for (uint32_t i = 0; i < count; i++) {
        x[i] = (int32_t)draw(&seed, span);
        z[i] = (int32_t)draw(&seed, span);
    }
    size_t mark = arena.used;
    const areas_points points = {.base_x = 17, .base_z = -5, .x = x, .z = z, .count = count};
    cr_assert_eq(lines_nearest(lines, limit, &points, distance2, &arena), LOAM_OK);
    cr_expect_eq(arena.used, mark, "scratch is given back");
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(distance2[i],
                     naive_nearest(loam_lines_normal_form(lines), limit, 17 + x[i], z[i] - 5));
    }
    free(x);
    free(z);
    free(distance2);
}

Test(lines, nearest_distances_are_those_of_brute_force) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        expect_nearest(seed, 3000, 1 + (int64_t)seed * 40, seed % 2 == 0 ? 40 : 700);
    }
    expect_nearest(99, 3000, 1, 700);
    expect_nearest(98, 60000, 20000, 300);
}

Test(lines, segments_in_sight_are_those_whose_own_bounds_meet_the_grown_rectangle) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        line_set set = {0};
        loam_arena arena = arena_new();
        uint64_t state = seed;
        add_random(&set, &state, 30, 4000);
        const loam_lines *lines = built(&set, &arena);
        const loam_lines_source *form = loam_lines_normal_form(lines);
        loam_rect rect = {1000, 1500, 1300, 1900};
        int64_t reach = (int64_t)draw(&state, 300);
        line_segment *segments;
        uint32_t count, at = 0;
        cr_assert_eq(lines_collect(lines, rect, reach, &arena, &segments, &count), LOAM_OK);
        cr_expect_eq(count, lines_segment_count(lines, rect, reach));
        for (uint32_t i = 0; i < form->line_count; i++) {
            for (uint32_t j = 0; j + 1 < form->lines[i].count; j++) {
                const int64_t *xz = form->lines[i].xz + 2 * j;
                int64_t x0 = xz[0] < xz[2] ? xz[0] : xz[2], x1 = xz[0] + xz[2] - x0;
                int64_t z0 = xz[1] < xz[3] ? xz[1] : xz[3], z1 = xz[1] + xz[3] - z0;
                if (x0 - reach < rect.x1 && x1 + reach >= rect.x0 && z0 - reach < rect.z1 &&
                    z1 + reach >= rect.z0) {
                    cr_assert_lt(at, count);
                    cr_assert_eq(segments[at].line, i);
                    cr_assert_eq(segments[at].index, j);
                    at++;
                }
            }
        }
        cr_assert_eq(at, count);
    }
}

/* ---- Keys ---------------------------------------------------------------------------------- */

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

static const loam_rect cell = {0, 0, 64, 64};

static void key_of(const line_set *set, int64_t reach, lines_what what, key_bytes *to) {
    loam_arena arena = arena_new();
    const loam_lines *lines = built(set, &arena);
    size_t mark = arena.used;
    byte_writer writer;
    to->size = 0;
    writer_init(&writer, (loam_sink){key_take, to});
    cr_assert_eq(lines_key_write(&writer, lines, cell, reach, what, &arena), LOAM_OK);
    writer_flush(&writer);
    cr_expect_eq(arena.used, mark, "scratch is given back");
}

static bool same_key(const line_set *a, const line_set *b, int64_t reach, lines_what what) {
    static key_bytes keys[2];
    key_of(a, reach, what, &keys[0]);
    key_of(b, reach, what, &keys[1]);
    return keys[0].size == keys[1].size && memcmp(keys[0].bytes, keys[1].bytes, keys[0].size) == 0;
}

Test(lines, a_segment_one_unit_beyond_the_reach_is_not_in_the_key) {
    static key_bytes key;
    line_set set = {0};
    ADD(&set, 1, 100, 0, 100, 50);
    /* 63 is the last point, 100 the line: 37 units. */
    key_of(&set, 36, LINES_SHAPE, &key);
    cr_expect_eq(key.size, 4);
    key_of(&set, 37, LINES_SHAPE, &key);
    cr_expect_eq(key.size, 4 + 4 * 8);
    key_of(&set, 36, LINES_STATIONS, &key);
    cr_expect_eq(key.size, 4);
    key_of(&set, 37, LINES_STATIONS, &key);
    cr_expect_eq(key.size, 4 + 8 + 4 * 8 + 1 + 8);
    key_of(&set, 37, LINES_VERTICES, &key);
    cr_expect_eq(key.size, 4 + 8 + 4 * 8 + 1 + 2 * 4);
}

Test(lines, for_distances_only_the_shape_is_in_the_key) {
    line_set one = {0}, other = {0}, moved = {0};
    ADD(&one, 1, 0, 0, 10, 10, 20, 0);
    ADD(&other, 8, 20, 0, 10, 10);
    ADD(&other, 9, 10, 10, 0, 0);
    ADD(&other, 3, 0, 0, 10, 10, 500, 500);
    ADD(&moved, 1, 0, 0, 10, 11, 20, 0);
    cr_expect_not(same_key(&one, &other, 4, LINES_SHAPE), "a segment more");
    other.lines[2].count = 2;
    cr_expect(same_key(&one, &other, 4, LINES_SHAPE));
    cr_expect_not(same_key(&one, &moved, 4, LINES_SHAPE));
    cr_expect_not(same_key(&one, &other, 4, LINES_STATIONS));
}

Test(lines, a_bend_moved_far_before_changes_arc_lengths_but_no_visits) {
    line_set one = {0}, moved = {0};
    ADD(&one, 1, 1000, 1000, 900, 500, 10, 10, 20, 0);
    ADD(&moved, 1, 1000, 1000, 900, 501, 900, 500, 10, 10, 20, 0);
    cr_expect(same_key(&one, &moved, 4, LINES_SHAPE));
    cr_expect(same_key(&one, &moved, 4, LINES_VERTICES));
    cr_expect_not(same_key(&one, &moved, 4, LINES_STATIONS));
}

Test(lines, keys_ends_and_direction_are_in_the_key_of_stations) {
    line_set one = {0}, key = {0}, back = {0}, longer = {0}, closed = {0};
    ADD(&one, 1, 0, 0, 10, 0, 10, 10);
    ADD(&key, 2, 0, 0, 10, 0, 10, 10);
    ADD(&back, 1, 10, 10, 10, 0, 0, 0);
    ADD(&longer, 1, 0, 0, 10, 0, 10, 10, 900, 900);
    ADD(&closed, 1, 0, 0, 10, 0, 10, 10, 0, 0);
    for (int what = LINES_STATIONS; what <= LINES_VERTICES; what++) {
        cr_expect_not(same_key(&one, &key, 4, (lines_what)what));
        cr_expect_not(same_key(&one, &back, 4, (lines_what)what));
        cr_expect_not(same_key(&one, &longer, 4, (lines_what)what));
        cr_expect_not(same_key(&longer, &closed, 4, (lines_what)what));
    }
}
