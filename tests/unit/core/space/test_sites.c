/* SPDX-License-Identifier: MIT
 *
 * test_sites.c: given points against literal readings: one normal form, keys that stay, what a
 * rectangle holds and nearest distances by brute force, and keys of what is seen.
 */
#include "core/base/mix.h"
#include "core/space/sites.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BYTES = 16 << 20, SITES_MAX = 2000, KEY_BYTES = 1 << 16, MISSING = LOAM_MISSING };

typedef struct site_set {
    loam_site sites[SITES_MAX];
    uint32_t count;
    loam_attribute properties[SITE_PROPERTIES_MAX + 1];
    uint32_t property_count;
} site_set;

static loam_arena arena_new(void) {
    return arena_of(ARENA_BYTES);
}

static void add(site_set *set, uint64_t key, int64_t x, int64_t z, int32_t y) {
    set->sites[set->count] = (loam_site){x, z, y, set->count, key};
    set->count++;
}

static void add_numbers(site_set *set, const char *name, loam_attribute_kind kind,
                        const int32_t *values) {
    set->properties[set->property_count++] =
        (loam_attribute){.name = loam_text_of(name), .kind = kind, .values = values};
}

static void add_texts(site_set *set, const char *name, const int32_t *values,
                      const loam_text *texts, uint32_t count) {
    set->properties[set->property_count++] = (loam_attribute){.name = loam_text_of(name),
                                                              .kind = LOAM_ATTRIBUTE_STRING,
                                                              .values = values,
                                                              .texts = texts,
                                                              .text_count = count};
}

static loam_status build(const site_set *set, loam_arena *arena, const loam_sites **sites,
                         loam_error *error) {
    const loam_sites_source source = {set->sites, set->count, set->properties, set->property_count};
    return loam_sites_build(&source, arena, sites, error);
}

static const loam_sites *built(const site_set *set, loam_arena *arena) {
    loam_error error = {0};
    const loam_sites *sites = NULL;
    cr_assert_eq(build(set, arena, &sites, &error), LOAM_OK, "%s", error.text);
    return sites;
}

/* ---- Keys of parts of the world, as bytes --------------------------------------------------- */

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

static void key_of(const loam_sites *sites, loam_rect rect, int64_t reach, sites_what what,
                   key_bytes *to) {
    loam_arena scratch = arena_new();
    byte_writer writer;
    to->size = 0;
    writer_init(&writer, (loam_sink){key_take, to});
    cr_assert_eq(sites_key_write(&writer, sites, rect, reach, what, &scratch), LOAM_OK);
    writer_flush(&writer);
    cr_expect_eq(scratch.used, 0, "scratch is given back");
}

static bool same_key(const loam_sites *a, const loam_sites *b, loam_rect rect, int64_t reach,
                     sites_what what) {
    static key_bytes keys[2];
    key_of(a, rect, reach, what, &keys[0]);
    key_of(b, rect, reach, what, &keys[1]);
    return keys[0].size == keys[1].size && memcmp(keys[0].bytes, keys[1].bytes, keys[0].size) == 0;
}

static const loam_rect world = {-100000, -100000, 100000, 100000};

static bool same_all(const loam_sites *a, const loam_sites *b) {
    return same_key(a, b, world, 0, SITES_ALL);
}

/* ---- Normal form --------------------------------------------------------------------------- */

static const loam_text texts[] = {{"pine", 4}, {"oak", 3}, {"unused", 6}, {"oak", 3}};

Test(sites, the_normal_form_does_not_depend_on_the_order_of_the_document) {
    site_set one = {0}, other = {0};
    loam_arena arena = arena_new();
    const int32_t kind_one[] = {0, 1, MISSING}, kind_other[] = {MISSING, 3, 0, 1};
    const int32_t age_one[] = {5, MISSING, 7}, age_other[] = {7, MISSING, 5, MISSING};
    add(&one, 1, 10, 20, 3);
    add(&one, 2, 10, 19, 0);
    add(&one, 2, 9, 20, 0);
    add_texts(&one, "kind", kind_one, texts, 4);
    add_numbers(&one, "age", LOAM_ATTRIBUTE_INT, age_one);
    add(&other, 2, 9, 20, 0);
    add(&other, 2, 10, 19, 0);
    add(&other, 1, 10, 20, 3);
    add(&other, 2, 10, 19, 0);
    add_numbers(&other, "age", LOAM_ATTRIBUTE_INT, age_other);
    add_texts(&other, "kind", kind_other, texts, 4);
    const loam_sites *sites = built(&one, &arena);
    cr_expect(same_all(sites, built(&other, &arena)), "and twice is once");
    const loam_sites_source *form = loam_sites_normal_form(sites);
    cr_assert_eq(form->count, 3);
    cr_expect_eq(form->sites[0].z, 19, "by (z, x)");
    cr_expect_eq(form->sites[1].x, 9);
    cr_assert_eq(form->property_count, 2);
    cr_expect(loam_text_equal(form->properties[0].name, loam_text_of("age")), "by name");
    cr_assert_eq(form->properties[1].text_count, 2, "used texts, once each");
    cr_expect(loam_text_equal(form->properties[1].texts[0], loam_text_of("oak")));
    const int32_t kinds[] = {0, MISSING, 1}, ages[] = {MISSING, 7, 5};
    cr_expect_arr_eq(form->properties[1].values, kinds, sizeof kinds);
    cr_expect_arr_eq(form->properties[0].values, ages, sizeof ages);
}

Test(sites, a_property_that_no_point_has_is_none) {
    site_set set = {0};
    loam_arena arena = arena_new();
    const int32_t none[] = {MISSING};
    add(&set, 1, 0, 0, 0);
    add_numbers(&set, "age", LOAM_ATTRIBUTE_FLOAT, none);
    cr_expect_eq(loam_sites_normal_form(built(&set, &arena))->property_count, 0);
}

static uint64_t key_at(const loam_sites *sites, int64_t x, int64_t z, int32_t y) {
    const loam_sites_source *form = loam_sites_normal_form(sites);
    for (uint32_t i = 0; i < form->count; i++) {
        if (form->sites[i].x == x && form->sites[i].z == z && form->sites[i].y == y) {
            return form->sites[i].key;
        }
    }
    cr_assert_fail("no such point");
    return 0;
}

Test(sites, points_of_one_key_are_told_apart_by_their_place_and_then_by_what_they_bring) {
    site_set set = {0}, more = {0};
    loam_arena arena = arena_new();
    add(&set, 7, 1, 1, 0);
    add(&set, 7, 2, 1, 0);
    add(&set, 7, 5, 5, 0);
    add(&set, 7, 5, 5, 1);
    add(&set, 8, 3, 3, 0);
    more = set;
    add(&more, 7, 900, 900, 0);
    const loam_sites *a = built(&set, &arena), *b = built(&more, &arena);
    uint64_t keys[] = {key_at(a, 1, 1, 0), key_at(a, 2, 1, 0), key_at(a, 5, 5, 0),
                       key_at(a, 5, 5, 1)};
    for (int i = 0; i < 4; i++) {
        cr_expect_neq(keys[i], 7);
        for (int j = 0; j < i; j++) {
            cr_expect_neq(keys[i], keys[j]);
        }
    }
    cr_expect_eq(key_at(a, 3, 3, 0), 8, "a key of its own stays");
    cr_expect_eq(keys[0], key_at(b, 1, 1, 0), "another tied point renames nobody");
    cr_expect_eq(keys[3], key_at(b, 5, 5, 1));
}

Test(sites, a_normal_form_is_restored_as_it_was) {
    site_set set = {0};
    loam_arena arena = arena_new();
    const int32_t kinds[] = {0, 1, 1};
    add(&set, 7, 1, 1, 0);
    add(&set, 7, 1, 1, 0);
    add(&set, 7, 5, 5, 0);
    add_texts(&set, "kind", kinds, texts, 2);
    const loam_sites *sites = built(&set, &arena), *again = NULL;
    cr_assert_eq(loam_sites_normal_form(sites)->count, 3, "they differ in kind");
    cr_assert_eq(sites_restore(loam_sites_normal_form(sites), &arena, &again, NULL), LOAM_OK);
    cr_expect(same_all(sites, again));
    cr_assert_eq(loam_sites_build(loam_sites_normal_form(sites), &arena, &again, NULL), LOAM_OK);
    cr_expect(same_all(sites, again), "no key is tied any more");
}

/* ---- Errors -------------------------------------------------------------------------------- */

static void expect_refused(const site_set *set, loam_status status, const char *pointer) {
    loam_arena arena = arena_new();
    loam_error error = {0};
    const loam_sites *sites = NULL;
    cr_expect_eq(build(set, &arena, &sites, &error), status, "%s", error.text);
    cr_expect_str_eq(error.pointer, pointer);
    cr_expect_eq(arena.used, 0, "nothing stays");
}

Test(sites, places_beyond_the_world_are_refused_and_its_corners_are_not) {
    site_set set = {0};
    loam_arena arena = arena_new();
    add(&set, 1, POSITION_UNITS_MAX, -POSITION_UNITS_MAX, SITE_Y_UNITS_MAX);
    add(&set, 2, -POSITION_UNITS_MAX, POSITION_UNITS_MAX, -SITE_Y_UNITS_MAX);
    cr_expect_eq(sites_count_inside(built(&set, &arena),
                                    (loam_rect){0, -(INT64_C(1) << 41), INT64_C(1) << 41, 0}, 0),
                 1);
    set.sites[1].x--;
    expect_refused(&set, LOAM_COORDINATE_RANGE, "/features/1");
    set.sites[1].x++;
    set.sites[1].y--;
    expect_refused(&set, LOAM_COORDINATE_RANGE, "/features/1");
}

Test(sites, properties_have_legal_names_and_indices) {
    const int32_t values[] = {2};
    site_set reserved = {0}, unnamed = {0}, twice = {0}, text = {0}, many = {0};
    add(&reserved, 1, 0, 0, 0);
    unnamed = twice = text = many = reserved;
    add_numbers(&reserved, "$height", LOAM_ATTRIBUTE_INT, values);
    expect_refused(&reserved, LOAM_BAD_NAME, "/features");
    add_numbers(&unnamed, "", LOAM_ATTRIBUTE_INT, values);
    expect_refused(&unnamed, LOAM_BAD_NAME, "/features");
    add_numbers(&twice, "a", LOAM_ATTRIBUTE_INT, values);
    add_numbers(&twice, "a", LOAM_ATTRIBUTE_FLOAT, values);
    expect_refused(&twice, LOAM_DUPLICATE, "/features");
    add_texts(&text, "a", values, texts, 2);
    expect_refused(&text, LOAM_OUT_OF_RANGE, "/features");
    for (int i = 0; i <= SITE_PROPERTIES_MAX; i++) {
        add_numbers(&many, "a", LOAM_ATTRIBUTE_INT, values);
    }
    expect_refused(&many, LOAM_TOO_MANY, "/features");
}

/* ---- Questions ----------------------------------------------------------------------------- */

static uint32_t draw(uint64_t *state, uint32_t below) {
    *state = mix64(*state + 0x9e3779b97f4a7c15u);
    return (uint32_t)(*state % below);
}

static void fill(site_set *set, uint64_t *state, uint32_t count, uint32_t span) {
    *set = (site_set){0};
    for (uint32_t i = 0; i < count; i++) {
        add(set, i, (int64_t)draw(state, span) - span / 2, (int64_t)draw(state, span) - span / 2,
            0);
    }
}

Test(sites, those_of_a_rectangle_are_those_inside_it_grown) {
    static site_set set;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        loam_arena arena = arena_new();
        uint64_t state = seed;
        fill(&set, &state, draw(&state, 800), 1 + draw(&state, 5000));
        const loam_sites *sites = built(&set, &arena);
        const loam_sites_source *form = loam_sites_normal_form(sites);
        int64_t x = (int64_t)draw(&state, 3000) - 1500, z = (int64_t)draw(&state, 3000) - 1500;
        loam_rect rect = {x, z, x + 1 + draw(&state, 900), z + 1 + draw(&state, 900)};
        int64_t reach = (int64_t)draw(&state, 3) * draw(&state, 300);
        uint32_t *numbers, count, at = 0;
        cr_assert_eq(sites_collect(sites, rect, reach, &arena, &numbers, &count), LOAM_OK);
        cr_assert_eq(count, sites_count_inside(sites, rect, reach));
        for (uint32_t i = 0; i < form->count; i++) {
            const loam_site *site = &form->sites[i];
            if (site->x >= rect.x0 - reach && site->x < rect.x1 + reach &&
                site->z >= rect.z0 - reach && site->z < rect.z1 + reach) {
                cr_assert_lt(at, count);
                cr_assert_eq(numbers[at++], i);
            }
        }
        cr_assert_eq(at, count);
    }
}

static uint64_t naive_nearest(const loam_sites_source *form, int64_t limit, int64_t x, int64_t z) {
    int64_t nearest = limit * limit;
    for (uint32_t i = 0; i < form->count; i++) {
        int64_t dx = form->sites[i].x - x, dz = form->sites[i].z - z;
        nearest = dx * dx + dz * dz < nearest ? dx * dx + dz * dz : nearest;
    }
    return nearest < limit * limit ? (uint64_t)nearest * AREA_DISTANCE2_SCALE : AREA_DISTANCE2_NONE;
}

Test(sites, nearest_distances_are_those_of_brute_force) {
    static site_set set;
    static int32_t x[400], z[400];
    static uint64_t distance2[400];
    for (uint64_t seed = 1; seed <= 60; seed++) {
        loam_arena arena = arena_new();
        uint64_t state = seed;
        fill(&set, &state, draw(&state, seed % 3 == 0 ? 5 : 1500), 1 + draw(&state, 20000));
        const loam_sites *sites = built(&set, &arena);
        int64_t limit = (int64_t)draw(&state, seed % 2 == 0 ? 100 : 9000);
        uint32_t count = 1 + draw(&state, 400);
        for (uint32_t i = 0; i < count; i++) {
            x[i] = (int32_t)draw(&state, 8000);
            z[i] = (int32_t)draw(&state, seed % 5 == 0 ? 1 : 8000);
        }
        size_t mark = arena.used;
        const areas_points points = {.base_x = -4000, .base_z = 17, .x = x, .z = z, .count = count};
        cr_assert_eq(sites_nearest(sites, limit, &points, distance2, &arena), LOAM_OK);
        cr_assert_eq(arena.used, mark, "scratch is given back");
        for (uint32_t i = 0; i < count; i++) {
            cr_assert_eq(
                distance2[i],
                naive_nearest(loam_sites_normal_form(sites), limit, x[i] - 4000, z[i] + 17),
                "seed %u, point %u", (unsigned)seed, i);
        }
    }
}

/* ---- What is seen -------------------------------------------------------------------------- */

static const loam_rect cell = {0, 0, 64, 64};

Test(sites, a_point_one_unit_beyond_the_reach_is_not_in_the_key) {
    static key_bytes key;
    site_set set = {0};
    loam_arena arena = arena_new();
    add(&set, 1, 100, 5, 0);
    const loam_sites *sites = built(&set, &arena);
    key_of(sites, cell, 36, SITES_PLACES, &key);
    cr_expect_eq(key.size, 4);
    key_of(sites, cell, 37, SITES_PLACES, &key);
    cr_expect_eq(key.size, 4 + 16);
    key_of(sites, cell, 36, SITES_ALL, &key);
    cr_expect_eq(key.size, 4 + 4);
    key_of(sites, cell, 37, SITES_ALL, &key);
    cr_expect_eq(key.size, 4 + 4 + 16 + 4 + 8);
}

Test(sites, for_distances_only_places_are_in_the_key) {
    site_set one = {0}, other = {0};
    loam_arena arena = arena_new();
    const int32_t values[] = {5, 6, 7};
    add(&one, 1, 5, 5, 0);
    add(&one, 2, 9, 9, 0);
    add(&other, 8, 9, 9, 4);
    add(&other, 9, 5, 5, 0);
    add(&other, 10, 5, 5, 0);
    add_numbers(&other, "age", LOAM_ATTRIBUTE_INT, values);
    const loam_sites *a = built(&one, &arena), *b = built(&other, &arena);
    cr_expect(same_key(a, b, cell, 0, SITES_PLACES));
    cr_expect_not(same_key(a, b, cell, 0, SITES_ALL));
}

Test(sites, everything_that_a_point_brings_is_in_its_key) {
    const int32_t values[3][1] = {{1}, {2}, {MISSING}};
    static const loam_text pine[] = {{"pine", 4}}, oak[] = {{"oak", 3}};
    const int32_t first[] = {0};
    const loam_sites *sites[7];
    loam_arena arena = arena_new();
    for (int i = 0; i < 7; i++) {
        site_set set = {0};
        add(&set, i == 6 ? 2 : 1, 5, 5, i == 5 ? 1 : 0);
        if (i < 3) {
            add_numbers(&set, "n", i == 2 ? LOAM_ATTRIBUTE_FLOAT : LOAM_ATTRIBUTE_INT,
                        values[i % 2]);
        } else if (i < 5) {
            add_texts(&set, "n", first, i == 3 ? pine : oak, 1);
        }
        sites[i] = built(&set, &arena);
    }
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < i; j++) {
            cr_expect_not(same_key(sites[i], sites[j], cell, 0, SITES_ALL), "%d and %d", i, j);
        }
    }
}
