/* SPDX-License-Identifier: MIT
 *
 * test_heightfield.c: three paths, one answer: heights and gradients against a bilinear patch in
 * 128 bits that walks along the vertices, on random fields of every spacing that a path takes.
 */
#include "core/base/limits.h"
#include "core/space/heightfield.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>

__extension__ typedef __int128 wide;

enum { SIDE = 19, POINTS = 3000 };

static int32_t samples[SIDE * SIDE];
static int32_t x[POINTS], z[POINTS];

static int64_t vertex_at(const loam_heightfield *field, int64_t index) {
    return (int64_t)(((wide)index * field->spacing_fine + 32768) >> 16);
}

static wide floor_wide(wide a, wide b) {
    wide quotient = a / b;
    return a % b < 0 ? quotient - 1 : quotient;
}

/* The quad of an offset: the first that ends beyond it, or the last one for the last edge. */
static bool quad_of(const loam_heightfield *field, int64_t vertices, int64_t offset,
                    int64_t *quad) {
    if (offset < 0 || offset > vertex_at(field, vertices - 1)) {
        return false;
    }
    *quad = 0;
    while (*quad < vertices - 2 && vertex_at(field, *quad + 1) <= offset) {
        (*quad)++;
    }
    return true;
}

typedef struct reference {
    bool inside;
    int32_t y, gradient_x, gradient_z;
} reference;

/* round(16 * rise / run): heights are 1/65,536 m, lengths 1/256 m, gradients 1/4,096. */
static int32_t gradient_reference(wide rise, wide run) {
    wide gradient = floor_wide(32 * rise + run, 2 * run);
    gradient = gradient > GRADIENT_MAX ? GRADIENT_MAX : gradient;
    return (int32_t)(gradient < -GRADIENT_MAX ? -GRADIENT_MAX : gradient);
}

static reference sample_reference(const loam_heightfield *field, int64_t world_x, int64_t world_z) {
    int64_t ox = world_x - field->origin_x, oz = world_z - field->origin_z, i, j;
    if (!quad_of(field, field->width, ox, &i) || !quad_of(field, field->height, oz, &j)) {
        return (reference){0};
    }
    wide x0 = vertex_at(field, i), x1 = vertex_at(field, i + 1);
    wide z0 = vertex_at(field, j), z1 = vertex_at(field, j + 1);
    const int32_t *south = field->samples + j * field->width + i;
    const int32_t *north = south + field->width;
    wide area = (x1 - x0) * (z1 - z0);
    wide sum = south[0] * (x1 - ox) * (z1 - oz) + south[1] * (ox - x0) * (z1 - oz) +
               north[0] * (x1 - ox) * (oz - z0) + north[1] * (ox - x0) * (oz - z0);
    wide east = ((wide)south[1] - south[0]) * (z1 - oz) + ((wide)north[1] - north[0]) * (oz - z0);
    wide up = ((wide)north[0] - south[0]) * (x1 - ox) + ((wide)north[1] - south[1]) * (ox - x0);
    return (reference){true, (int32_t)floor_wide(floor_wide(sum, area) + 128, 256),
                       gradient_reference(east, area), gradient_reference(up, area)};
}

typedef struct results {
    int32_t y[POINTS], gradient_x[POINTS], gradient_z[POINTS];
    uint32_t live[POINTS];
} results;

static surface_columns columns_of(results *got) {
    memset(got->live, 0xff, sizeof got->live);
    return (surface_columns){got->y, got->gradient_x, got->gradient_z, got->live};
}

static void expect_reference(const loam_heightfield *field, int64_t base_x, int64_t base_z,
                             const results *got, const char *what) {
    for (uint32_t i = 0; i < POINTS; i++) {
        reference want = sample_reference(field, base_x + x[i], base_z + z[i]);
        cr_assert(
            got->live[i] == (want.inside ? UINT32_MAX : 0) && got->y[i] == want.y &&
                got->gradient_x[i] == want.gradient_x && got->gradient_z[i] == want.gradient_z,
            "%s, spacing %lld/65536, relief %u, at offset %lld %lld: y %d want %d, "
            "gradient %d %d want %d %d, live %x",
            what, (long long)field->spacing_fine, field->relief,
            (long long)(base_x + x[i] - field->origin_x),
            (long long)(base_z + z[i] - field->origin_z), got->y[i], want.y, got->gradient_x[i],
            got->gradient_z[i], want.gradient_x, want.gradient_z, got->live[i]);
    }
}

static loam_heightfield random_field(test_random *random, int64_t spacing_fine, int64_t relief) {
    int64_t middle =
        random_between(random, -HEIGHT_SAMPLE_MAX + 1 + relief, HEIGHT_SAMPLE_MAX - 1 - relief);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        samples[i] = (int32_t)(middle + random_between(random, -relief, relief));
    }
    loam_heightfield field = {.width = SIDE,
                              .height = SIDE - 4,
                              .spacing_fine = spacing_fine,
                              .origin_x = random_between(random, -1000000, 1000000),
                              .origin_z = random_between(random, -1000000, 1000000),
                              .samples = samples};
    cr_assert_eq(loam_heightfield_init(&field, NULL), LOAM_OK);
    return field;
}

/* Anywhere, on vertices, and one step beside them, from a window that begins outside the field. */
static void random_places(test_random *random, const loam_heightfield *field, int64_t *base_x,
                          int64_t *base_z) {
    int64_t spacing = (field->spacing_fine >> 16) + 1;
    *base_x = field->origin_x - random_between(random, 0, 3 * spacing);
    *base_z = field->origin_z - random_between(random, 0, 3 * spacing);
    for (uint32_t i = 0; i < POINTS; i++) {
        int32_t *axes[2] = {&x[i], &z[i]};
        int64_t shifts[2] = {field->origin_x - *base_x, field->origin_z - *base_z};
        for (int axis = 0; axis < 2; axis++) {
            int64_t at = random_between(random, 0, (SIDE + 4) * spacing);
            if (i % 3 == 0) {
                at = shifts[axis] + vertex_at(field, random_between(random, 0, SIDE - 1)) +
                     random_between(random, -1, 1);
            }
            *axes[axis] = (int32_t)(at < 0 ? 0 : at);
        }
    }
}

/* All levels and the scalar path; `path` is what must have been taken, or NULL. */
static void expect_field(test_random *random, const loam_heightfield *field, const char *path) {
    static results got;
    int64_t base_x, base_z;
    random_places(random, field, &base_x, &base_z);
    for (loam_simd level = LOAM_SIMD_BASELINE; level <= LOAM_SIMD_AVX512; level++) {
        const char *took =
            heightfield_sample(field, level, false, base_x, base_z, x, z, POINTS, columns_of(&got));
        cr_expect(path == NULL || strcmp(path, took) == 0, "%s at spacing %lld", took,
                  (long long)field->spacing_fine);
        expect_reference(field, base_x, base_z, &got, took);
    }
    cr_expect_str_eq(heightfield_sample(field, LOAM_SIMD_BEST, true, base_x, base_z, x, z, POINTS,
                                        columns_of(&got)),
                     "scalar");
    expect_reference(field, base_x, base_z, &got, "scalar");
}

static const int64_t whole_spacings[] = {1, 2, 3, 7, 8, 100, 256, 1024, 7680, 16384, 32768, 65536};
enum { WHOLE_SPACINGS = sizeof whole_spacings / sizeof whole_spacings[0] };

Test(heightfield, every_path_gives_the_exact_bilinear_height_and_gradient) {
    static const int64_t reliefs[] = {0, 1, 300, 20000, 1 << 20, 1 << 26};
    test_random random = {11};
    for (int s = 0; s < WHOLE_SPACINGS; s++) {
        for (size_t r = 0; r < sizeof reliefs / sizeof reliefs[0]; r++) {
            loam_heightfield field = random_field(&random, whole_spacings[s] << 16, reliefs[r]);
            expect_field(&random, &field, NULL);
        }
    }
}

Test(heightfield, the_largest_relief_of_all_is_exact_too) {
    test_random random = {12};
    for (int s = 0; s < WHOLE_SPACINGS; s++) {
        loam_heightfield field =
            random_field(&random, whole_spacings[s] << 16, HEIGHT_SAMPLE_MAX - 1);
        expect_field(&random, &field, "scalar");
    }
}

Test(heightfield, fractional_spacings_are_exact) {
    static const int64_t spacings[] = {65537,         65536 + 32768,
                                       163840,        (1100 << 16) + 12345,
                                       (7 << 16) - 1, ((int64_t)65536 << 16) - 1};
    test_random random = {13};
    for (size_t s = 0; s < sizeof spacings / sizeof spacings[0]; s++) {
        loam_heightfield field = random_field(&random, spacings[s], 1 << 20);
        expect_field(&random, &field, "scalar");
    }
}

Test(heightfield, each_path_is_taken_where_it_can_be) {
    test_random random = {14};
    loam_heightfield power_of_two = random_field(&random, (int64_t)1024 << 16, 60000);
    expect_field(&random, &power_of_two, "vector32");
    loam_heightfield smallest = random_field(&random, (int64_t)8 << 16, 60000);
    expect_field(&random, &smallest, "vector32");
    loam_heightfield whole = random_field(&random, (int64_t)7680 << 16, 1 << 22);
    expect_field(&random, &whole, "vector64");
    loam_heightfield steep = random_field(&random, (int64_t)1024 << 16, 1 << 22);
    expect_field(&random, &steep, "vector64");
    loam_heightfield one_unit = random_field(&random, (int64_t)1 << 16, 100);
    expect_field(&random, &one_unit, "scalar");
}

/* The exact-double kernel where the 32-bit one would be taken. */
Test(heightfield, both_kernels_agree_where_both_can_run) {
    static results got;
    test_random random = {15};
    for (int64_t spacing = 8; spacing <= 4096; spacing *= 2) {
        loam_heightfield field = random_field(&random, spacing << 16, 50000);
        int64_t base_x, base_z;
        random_places(&random, &field, &base_x, &base_z);
        int64_t ox = base_x - field.origin_x, oz = base_z - field.origin_z;
        surface_window window = {.samples = samples,
                                 .width = SIDE,
                                 .height = SIDE - 4,
                                 .spacing = (int32_t)spacing,
                                 .reciprocal = (uint32_t)(((uint64_t)1 << 32) / (uint64_t)spacing),
                                 .quad_x = (int32_t)floor_wide(ox, spacing),
                                 .quad_z = (int32_t)floor_wide(oz, spacing)};
        window.inside_x = (int32_t)(ox - window.quad_x * spacing);
        window.inside_z = (int32_t)(oz - window.quad_z * spacing);
        for (loam_simd level = LOAM_SIMD_BASELINE; level <= LOAM_SIMD_AVX512; level++) {
            surface_columns columns = columns_of(&got);
            SIMD_SELECT(surface_kernels, level)
                ->sample(&window, x, z, POINTS, columns.y, columns.gradient_x, columns.gradient_z,
                         columns.live);
            expect_reference(&field, base_x, base_z, &got, "vector64");
        }
    }
}

Test(heightfield, points_far_from_the_field_are_outside) {
    static results got;
    test_random random = {16};
    loam_heightfield field = random_field(&random, (int64_t)1024 << 16, 1000);
    memset(x, 0, sizeof x);
    memset(z, 0, sizeof z);
    static const int64_t far[] = {
        POSITION_UNITS_MAX / 2, -POSITION_UNITS_MAX / 2, 1 << 24, -(1 << 24), 1 << 20, -(1 << 20)};
    for (int i = 0; i < 6; i++) {
        (void)heightfield_sample(&field, LOAM_SIMD_BEST, false, field.origin_x + far[i],
                                 field.origin_z, x, z, POINTS, columns_of(&got));
        expect_reference(&field, field.origin_x + far[i], field.origin_z, &got, "far");
        cr_expect_eq(got.live[0], 0);
    }
}

Test(heightfield, a_dead_point_stays_dead_inside_the_field) {
    static results got;
    test_random random = {17};
    loam_heightfield field = random_field(&random, (int64_t)256 << 16, 1000);
    memset(x, 0, sizeof x);
    memset(z, 0, sizeof z);
    surface_columns columns = columns_of(&got);
    got.live[3] = 0;
    (void)heightfield_sample(&field, LOAM_SIMD_BEST, false, field.origin_x + 100,
                             field.origin_z + 100, x, z, POINTS, columns);
    cr_expect_eq(got.live[3], 0);
    cr_expect_eq(got.live[4], UINT32_MAX);
}

/* A rise of one unit a unit is 45 degrees: 256 height steps. */
Test(heightfield, a_ramp_of_45_degrees_has_slope_4096_exactly) {
    static results got;
    static const int64_t spacings[] = {1, 3, 8, 256, 7680};
    for (int s = 0; s < 5; s++) {
        for (int way = 0; way < 4; way++) {
            for (int32_t i = 0; i < SIDE * SIDE; i++) {
                int32_t along = way < 2 ? i % SIDE : i / SIDE;
                samples[i] = (int32_t)spacings[s] * 256 * (way % 2 == 0 ? along : -along);
            }
            loam_heightfield field = {.width = SIDE,
                                      .height = SIDE,
                                      .samples = samples,
                                      .spacing_fine = spacings[s] << 16};
            cr_assert_eq(loam_heightfield_init(&field, NULL), LOAM_OK);
            for (uint32_t i = 0; i < POINTS; i++) {
                x[i] = (int32_t)(i % (uint32_t)(spacings[s] * (SIDE - 1) + 1));
                z[i] = (int32_t)(i * 7 % (uint32_t)(spacings[s] * (SIDE - 1) + 1));
            }
            (void)heightfield_sample(&field, LOAM_SIMD_BEST, false, 0, 0, x, z, POINTS,
                                     columns_of(&got));
            int32_t slope = way % 2 == 0 ? GRADIENT_ONE : -GRADIENT_ONE;
            for (uint32_t i = 0; i < POINTS; i++) {
                cr_assert_eq(got.gradient_x[i], way < 2 ? slope : 0);
                cr_assert_eq(got.gradient_z[i], way < 2 ? 0 : slope);
                cr_assert_eq(got.y[i], (way < 2 ? x[i] : z[i]) * (way % 2 == 0 ? 1 : -1));
            }
        }
    }
}

static void expect_refused(loam_heightfield field, loam_status want) {
    loam_error error = {0};
    cr_expect_eq(loam_heightfield_init(&field, &error), want);
    cr_expect_eq(error.status, want);
    cr_expect_str_neq(error.text, "");
}

Test(heightfield, bad_sizes_spacings_places_and_samples_are_refused) {
    static int32_t some[16];
    const loam_heightfield good = {.width = 4, .height = 4, .spacing_fine = 65536, .samples = some};
    loam_heightfield field = good;
    cr_expect_eq(loam_heightfield_init(&field, NULL), LOAM_OK);
    field = good, field.width = 1;
    expect_refused(field, LOAM_OUT_OF_RANGE);
    field = good, field.height = HEIGHTFIELD_SIDE_MAX + 1;
    expect_refused(field, LOAM_OUT_OF_RANGE);
    field = good, field.width = field.height = 8194;
    expect_refused(field, LOAM_TOO_LARGE);
    field = good, field.spacing_fine = 65535;
    expect_refused(field, LOAM_OUT_OF_RANGE);
    field = good, field.spacing_fine = HEIGHTFIELD_SPACING_FINE_MAX + 1;
    expect_refused(field, LOAM_OUT_OF_RANGE);
    field = good, field.origin_x = POSITION_UNITS_MAX + 1;
    expect_refused(field, LOAM_COORDINATE_RANGE);
    field = good, field.origin_z = -POSITION_UNITS_MAX - 1;
    expect_refused(field, LOAM_COORDINATE_RANGE);
    some[15] = HEIGHT_SAMPLE_MAX;
    expect_refused(good, LOAM_OUT_OF_RANGE);
    some[15] = -HEIGHT_SAMPLE_MAX;
    expect_refused(good, LOAM_OUT_OF_RANGE);
    some[15] = INT32_MIN;
    expect_refused(good, LOAM_OUT_OF_RANGE);
}

Test(heightfield, relief_is_the_largest_difference_in_one_quad) {
    int32_t some[] = {0, 5, 0, 0, -3, 0, 0, 0, 9};
    loam_heightfield field = {.width = 3, .height = 3, .spacing_fine = 65536, .samples = some};
    cr_assert_eq(loam_heightfield_init(&field, NULL), LOAM_OK);
    cr_expect_eq(field.relief, 12);
    some[4] = -HEIGHT_SAMPLE_MAX + 1;
    some[8] = HEIGHT_SAMPLE_MAX - 1;
    cr_assert_eq(loam_heightfield_init(&field, NULL), LOAM_OK);
    cr_expect_eq(field.relief, 2u * HEIGHT_SAMPLE_MAX - 2);
}

Test(heightfield, the_vertex_below_an_offset_is_found_by_floor) {
    static const int64_t spacings[] = {65536, 65537, 98304, (int64_t)7680 << 16, 1234567};
    for (int s = 0; s < 5; s++) {
        loam_heightfield field = {.spacing_fine = spacings[s]};
        for (int64_t offset = -30000; offset < 30000; offset += 7) {
            int64_t index = heightfield_index(&field, offset);
            cr_assert(vertex_at(&field, index) <= offset && vertex_at(&field, index + 1) > offset);
            cr_assert_eq(heightfield_vertex(&field, index), vertex_at(&field, index));
        }
    }
}
