/* SPDX-License-Identifier: MIT
 *
 * test_simd.c: SIMD levels: a wish gives the wish or the best below it.
 */
#include "core/base/simd.h"

#include <criterion/criterion.h>

Test(simd, levels_have_names) {
    cr_expect_str_eq(loam_simd_name(LOAM_SIMD_BEST), "best");
    cr_expect_str_eq(loam_simd_name(LOAM_SIMD_BASELINE), "baseline");
    cr_expect_str_eq(loam_simd_name(LOAM_SIMD_AVX2), "avx2");
    cr_expect_str_eq(loam_simd_name(LOAM_SIMD_AVX512), "avx512");
    cr_expect_str_eq(loam_simd_name((loam_simd)77), "best");
}

Test(simd, the_baseline_is_always_there) {
    cr_expect(loam_simd_available(LOAM_SIMD_BASELINE));
    cr_expect(loam_simd_available(LOAM_SIMD_BEST));
    cr_expect_eq(simd_resolve(LOAM_SIMD_BASELINE), LOAM_SIMD_BASELINE);
}

Test(simd, a_wish_is_never_exceeded_and_always_available) {
    for (loam_simd wish = LOAM_SIMD_BEST; wish <= LOAM_SIMD_AVX512; wish++) {
        loam_simd level = simd_resolve(wish);
        cr_expect(loam_simd_available(level));
        cr_expect(wish == LOAM_SIMD_BEST || level <= wish);
        cr_expect(wish == LOAM_SIMD_BEST || !loam_simd_available(wish) || level == wish);
    }
}
