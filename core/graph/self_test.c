/* SPDX-License-Identifier: MIT
 *
 * self_test.c: whether this build, on this processor, computes what every other one computes. Some
 * thousand values of noise (at every SIMD level that is here), of hashes and of the fixed math go
 * into three digests, which are compared with those of the reference build. It catches contraction,
 * fast math, x87, another rounding mode and miscompiling; it takes microseconds, once per process.
 */
#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/base/simd.h"
#include "core/ops/scatter.h"
#include "core/space/noise.h"

#include <stdatomic.h>

enum { SELF_TEST_VALUES = 1024 };

/* Digests of the reference build; a change of them is a change of every world. */
static const uint64_t expected[3] = {UINT64_C(0xc86248769d30c3d8), UINT64_C(0x4266927c40f47803),
                                     UINT64_C(0xe0b80c7894e6efeb)};

static uint64_t digest_bits(uint64_t digest, const void *bytes, size_t size) {
    return mix_pair(digest, mix_bytes(digest, bytes, size));
}

static uint64_t digest_u32(uint64_t digest, uint32_t value) {
    return mix_pair(digest, value);
}

static uint64_t digest_noise_kind(uint64_t digest, noise_kind kind, loam_simd level) {
    int32_t x[SELF_TEST_VALUES], z[SELF_TEST_VALUES];
    float value[SELF_TEST_VALUES];
    fbm_noise noise;
    for (uint32_t i = 0; i < SELF_TEST_VALUES; i++) {
        uint64_t bits = mix64(i + 1);
        x[i] = (int32_t)(bits & 0xfffff);
        z[i] = (int32_t)(bits >> 32 & 0xfffff);
    }
    noise_init(&noise, kind, 7, 24576, 3, 32768);
    SIMD_SELECT(noise_kernels, level)
        ->fill(&noise, -256000000, 199680000, x, z, SELF_TEST_VALUES, value);
    for (uint32_t i = 0; i < SELF_TEST_VALUES; i++) {
        uint32_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        digest = digest_u32(digest, bits);
    }
    return digest;
}

static uint64_t digest_noise(loam_simd level) {
    uint64_t digest = 1;
    digest = digest_noise_kind(digest, NOISE_GRADIENT, level);
    digest = digest_noise_kind(digest, NOISE_VALUE, level);
    return digest_noise_kind(digest, NOISE_RIDGED, level);
}

static uint64_t digest_hash(void) {
    uint64_t digest = 2;
    for (uint32_t i = 0; i < SELF_TEST_VALUES; i++) {
        uint64_t row_key = draw_row_key(draw_key(i, DRAW_CULL), i * 77u);
        digest = digest_u32(digest, draw_bits(row_key, i - 512u));
        digest = mix_pair(digest, mix_id(row_key, i, ~i));
    }
    return digest_bits(digest, "loam", 4);
}

static uint64_t digest_double(uint64_t digest, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mix_pair(digest, bits);
}

static uint64_t digest_lean(uint64_t digest, loam_simd level) {
    enum { POINTS = 256 };
    int32_t gx[POINTS], gz[POINTS];
    uint16_t yaw[POINTS];
    int16_t pitch[POINTS] = {0}, roll[POINTS] = {0};
    for (uint32_t i = 0; i < POINTS; i++) {
        uint64_t bits = mix64(i + 99);
        gx[i] = (int32_t)(bits & 0x3fff) - 8192;
        gz[i] = (int32_t)(bits >> 16 & 0x3fff) - 8192;
        yaw[i] = (uint16_t)(bits >> 32);
    }
    const scatter_kernels *kernels = SIMD_SELECT(scatter_kernels, level);
    kernels->lean(gx, gz, yaw, 0.75, POINTS, pitch, roll);
    kernels->face_downhill(gx, gz, POINTS, yaw);
    for (uint32_t i = 0; i < POINTS; i++) {
        digest = digest_u32(digest, (uint32_t)pitch[i] << 16 ^ (uint16_t)roll[i]);
        digest = digest_u32(digest, yaw[i]);
    }
    return digest;
}

static uint64_t digest_math(loam_simd level) {
    uint64_t digest = 3;
    for (uint32_t i = 0; i < SELF_TEST_VALUES; i++) {
        double t = (double)i / 1024.0;
        double sine, cosine;
        fixed_sin_cos(i * 64u + 13u, &sine, &cosine);
        digest = digest_double(digest, sine);
        digest = digest_double(digest, cosine);
        digest = digest_double(digest, fixed_exp(t * 8.0 - 4.0));
        digest = digest_double(digest, fixed_atan2_turns(t - 0.4, 0.3 - t));
        digest = mix_pair(digest, (uint64_t)fixed_tan_squared((int64_t)i * 5700));
    }
    return digest_lean(digest, level);
}

static void compute(loam_simd level, uint64_t digests[3]) {
    digests[0] = digest_noise(level);
    digests[1] = digest_hash();
    digests[2] = digest_math(level);
}

void loam_self_test_digests(uint64_t digests[3]) {
    compute(LOAM_SIMD_BEST, digests);
}

static loam_status run(loam_error *error) {
    static const char *const what[3] = {"noise", "hashes", "math"};
    for (loam_simd level = LOAM_SIMD_BASELINE; level <= LOAM_SIMD_AVX512; level++) {
        uint64_t digests[3];
        if (!loam_simd_available(level)) {
            continue;
        }
        compute(level, digests);
        for (int i = 0; i < 3; i++) {
            if (digests[i] != expected[i]) {
                return loam_fail(error, LOAM_SELF_TEST_FAILED, NULL,
                                 "the self-test of %s at level %s gives %016llx, not %016llx: this "
                                 "build would not compute the same worlds",
                                 what[i], loam_simd_name(level), (unsigned long long)digests[i],
                                 (unsigned long long)expected[i]);
            }
        }
    }
    return LOAM_OK;
}

loam_status loam_self_test(loam_error *error) {
    static atomic_int passed;
    if (atomic_load_explicit(&passed, memory_order_relaxed) != 0) {
        return LOAM_OK;
    }
    loam_status status = run(error);
    if (status == LOAM_OK) {
        atomic_store_explicit(&passed, 1, memory_order_relaxed);
    }
    return status;
}
