/* SPDX-License-Identifier: MIT
 *
 * test_mix.c: hashes and draws: pinned values (computed from FORMAT.md's text, not by this code),
 * bijections by their inverses, and the bias of every input bit on every output bit.
 */
#include "core/base/mix.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>
#include <math.h>

enum { SITE_B = -2 };

Test(mix, values_are_pinned) {
    uint64_t name = mix_bytes(0x6c6f616d2f6e616du, "sites", 5);
    uint64_t seed = mix_pair(42, name);
    uint64_t cull = draw_key(seed, DRAW_CULL);
    uint64_t row = draw_row_key(cull, (uint32_t)SITE_B);
    cr_expect_eq(mix64(1), 0x5692161d100b05e5u);
    cr_expect_eq(mix32(1), 0x688990c0u);
    cr_expect_eq(name, 0x2d3e9dfe22bc8076u);
    cr_expect_eq(loam_name_seed(loam_text_of("sites")), name);
    cr_expect_eq(seed, 0x1c17393fbf95e6a4u);
    cr_expect_eq(cull, 0x9d3fad55b36a9f14u);
    cr_expect_eq(row, 0x3846be401a515a3au);
    cr_expect_eq(draw_bits(row, 7), 0x6dcd193bu);
    cr_expect_eq(mix_id(draw_key(seed, DRAW_ID), 7, (uint32_t)SITE_B), 0xd23e49917d1830a1u);
    cr_expect_eq(mix_pair(mix_pair(draw_key(seed, DRAW_ID), 2), 0x123456789abcdefu),
                 0x86a142d5dc550d61u);
    cr_expect_eq(mix_bytes(5, "a name of 19 bytes.", 19), 0xc860227dd9f3516fu);
}

Test(mix, channels_are_pinned) {
    cr_expect(DRAW_JITTER_X == 1 && DRAW_JITTER_Z == 2 && DRAW_CULL == 3 && DRAW_PRIORITY == 4);
    cr_expect(DRAW_SCALE == 5 && DRAW_YAW == 6 && DRAW_PITCH == 7 && DRAW_ROLL == 8);
    cr_expect(DRAW_ID == 9 && DRAW_NOISE == 10);
}

/* The multiplicative inverse of an odd number, by Newton. */
static uint64_t inverse_of(uint64_t odd) {
    uint64_t inverse = odd;
    for (int i = 0; i < 6; i++) {
        inverse *= 2 - odd * inverse;
    }
    return inverse;
}

static uint64_t unshift(uint64_t value, unsigned shift) {
    uint64_t result = value;
    for (unsigned done = shift; done < 64; done += shift) {
        result = value ^ result >> shift;
    }
    return result;
}

static uint64_t unmix64(uint64_t z) {
    z = unshift(z, 31) * inverse_of(0x94d049bb133111ebu);
    z = unshift(z, 27) * inverse_of(0xbf58476d1ce4e5b9u);
    return unshift(z, 30);
}

Test(mix, an_id_gives_back_its_origin) {
    test_random random = {99};
    for (int i = 0; i < 100000; i++) {
        uint64_t key = random_bits(&random);
        uint32_t a = (uint32_t)random_bits(&random), b = (uint32_t)random_bits(&random);
        uint64_t id = mix_id(key, a, b);
        uint64_t origin = unmix64(unmix64(id) - 0x9e3779b97f4a7c15u) ^ key;
        cr_assert_eq((uint32_t)origin, a);
        cr_assert_eq((uint32_t)(origin >> 32), b);
    }
}

Test(mix, a_merged_id_gives_back_the_id_it_was) {
    test_random random = {98};
    for (int i = 0; i < 100000; i++) {
        uint64_t key = random_bits(&random), id = random_bits(&random);
        uint64_t value = unmix64(unmix64(mix_pair(key, id)) ^ (key * 0xd1342543de82ef95u + 1));
        cr_assert_eq((value - key) * inverse_of(0x9e3779b97f4a7c15u), id);
    }
}

static int compare_draws(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

Test(mix, draws_of_a_row_never_repeat_over_a_window) {
    enum { COUNT = 1 << 16 };
    static uint32_t draws[COUNT];
    uint64_t row = draw_row_key(draw_key(3, DRAW_SCALE), 17);
    for (uint32_t a = 0; a < COUNT; a++) {
        draws[a] = draw_bits(row, a - COUNT / 2);
    }
    qsort(draws, COUNT, sizeof draws[0], compare_draws);
    for (uint32_t i = 1; i < COUNT; i++) {
        cr_assert_neq(draws[i - 1], draws[i]);
    }
}

enum { SAMPLES = 1 << 14 };
/* Five sigma of a fair coin over the samples. */
#define BIAS_MAX (5.0 * 0.5 / sqrt((double)SAMPLES))

typedef uint64_t hash_under_test(uint64_t high, uint64_t low);

static uint64_t hash_draw(uint64_t row_key, uint64_t a) {
    return draw_bits(row_key, (uint32_t)a);
}

static uint64_t hash_pair(uint64_t key, uint64_t value) {
    return mix_pair(key, value);
}

static uint64_t hash_id(uint64_t key, uint64_t origin) {
    return mix_id(key, (uint32_t)origin, (uint32_t)(origin >> 32));
}

/* Origins are small numbers and keys are hashes, as in use. */
static void expect_avalanche(hash_under_test *hash, unsigned bits_in, unsigned bits_out) {
    for (unsigned in = 0; in < bits_in; in++) {
        uint32_t flips[64] = {0};
        test_random random = {in + 1};
        for (uint64_t s = 0; s < SAMPLES; s++) {
            uint64_t key = random_bits(&random);
            uint64_t change = hash(key, s) ^ hash(key, s ^ (uint64_t)1 << in);
            for (unsigned out = 0; out < bits_out; out++) {
                flips[out] += (uint32_t)(change >> out & 1);
            }
        }
        for (unsigned out = 0; out < bits_out; out++) {
            double bias = (double)flips[out] / SAMPLES - 0.5;
            cr_assert(fabs(bias) < BIAS_MAX, "bit %u on bit %u: %f", in, out, bias);
        }
    }
}

Test(mix, every_bit_of_an_origin_flips_half_of_all_draw_bits) {
    expect_avalanche(hash_draw, 32, 32);
}

Test(mix, every_bit_of_a_value_flips_half_of_a_pair) {
    expect_avalanche(hash_pair, 64, 64);
}

Test(mix, every_bit_of_an_origin_flips_half_of_an_id) {
    expect_avalanche(hash_id, 64, 64);
}

/* Neighbours in space and channel must not be alike: correlation of their draws. */
Test(mix, neighbouring_rows_and_channels_are_uncorrelated) {
    double sum[3] = {0};
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t a = i % 128, b = i / 128;
        double own = draw_bits(draw_row_key(draw_key(7, DRAW_CULL), b), a) / 4294967296.0 - 0.5;
        double right = draw_bits(draw_row_key(draw_key(7, DRAW_CULL), b), a + 1) / 4294967296.0;
        double above = draw_bits(draw_row_key(draw_key(7, DRAW_CULL), b + 1), a) / 4294967296.0;
        double other = draw_bits(draw_row_key(draw_key(7, DRAW_SCALE), b), a) / 4294967296.0;
        sum[0] += own * (right - 0.5);
        sum[1] += own * (above - 0.5);
        sum[2] += own * (other - 0.5);
    }
    for (int i = 0; i < 3; i++) {
        cr_expect(fabs(sum[i] * 12 / SAMPLES) < 0.04, "%d: %f", i, sum[i] * 12 / SAMPLES);
    }
}

Test(mix, a_hash_of_bytes_knows_their_number) {
    cr_expect_neq(mix_bytes(1, "a", 1), mix_bytes(1, "a\0", 2));
    cr_expect_neq(mix_bytes(1, "", 0), mix_bytes(1, "\0", 1));
    cr_expect_neq(mix_bytes(1, "a", 1), mix_bytes(2, "a", 1));
    cr_expect_neq(mix_bytes(1, "abcdefgh", 8), mix_bytes(1, "abcdefg", 7));
}
