/* SPDX-License-Identifier: MIT
 *
 * simd.h: how one kernel source becomes several. A file *_kernel.c is compiled once per level with
 * KERNEL_LEVEL set; KERNEL(name) gives each its own symbol, and a table of function pointers is
 * picked at run time (no ifunc: musl has none, and a static program would run the wrong one).
 */
#ifndef LOAM_BASE_SIMD_H
#define LOAM_BASE_SIMD_H

#include "core/loam.h"

#define KERNEL_PASTE(name, level) name##_##level
#define KERNEL_NAME(name, level) KERNEL_PASTE(name, level)
#define KERNEL(name) KERNEL_NAME(name, KERNEL_LEVEL)

/* The level to use for a wish: the wish where it is available, else the best below it. */
loam_simd simd_resolve(loam_simd wish);

/* Picks `name`_baseline, _avx2 or _avx512 of a kernel table. */
#if defined(LOAM_HAVE_X86_LEVELS)
#define SIMD_SELECT(name, wish)                                                                    \
    (simd_resolve(wish) == LOAM_SIMD_AVX512 ? &name##_avx512                                       \
     : simd_resolve(wish) == LOAM_SIMD_AVX2 ? &name##_avx2                                         \
                                            : &name##_baseline)
#define SIMD_DECLARE(type, name) extern const type name##_baseline, name##_avx2, name##_avx512
#else
#define SIMD_SELECT(name, wish) ((void)(wish), &name##_baseline)
#define SIMD_DECLARE(type, name) extern const type name##_baseline
#endif

#endif
