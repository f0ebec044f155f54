/* SPDX-License-Identifier: MIT
 *
 * simd.c: which SIMD levels this build and this processor have.
 */
#include "core/base/simd.h"

static const char *const level_names[] = {"best", "baseline", "avx2", "avx512"};

const char *loam_simd_name(loam_simd level) {
    return (unsigned)level < 4 ? level_names[level] : "best";
}

bool loam_simd_available(loam_simd level) {
#if defined(LOAM_HAVE_X86_LEVELS)
    if (level == LOAM_SIMD_AVX2) {
        return __builtin_cpu_supports("avx2") != 0;
    }
    if (level == LOAM_SIMD_AVX512) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    }
#endif
    return level == LOAM_SIMD_BASELINE || level == LOAM_SIMD_BEST;
}

loam_simd simd_resolve(loam_simd wish) {
    static const loam_simd downwards[] = {LOAM_SIMD_AVX512, LOAM_SIMD_AVX2};
    for (size_t i = 0; i < sizeof downwards / sizeof downwards[0]; i++) {
        bool wanted = wish == LOAM_SIMD_BEST || wish >= downwards[i];
        if (wanted && loam_simd_available(downwards[i])) {
            return downwards[i];
        }
    }
    return LOAM_SIMD_BASELINE;
}
