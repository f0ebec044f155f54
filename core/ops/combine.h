/* SPDX-License-Identifier: MIT
 *
 * combine.h: how a density that an operation makes meets the one that is there, point by point; the
 * same as the kernel of density.noise.
 */
#ifndef LOAM_OPS_COMBINE_H
#define LOAM_OPS_COMBINE_H

#include "core/ops/column_kernel.h"
#include "core/ops/operation.h"

extern const char *const combine_choices[];

#define PARAM_COMBINE(initial_, text_)                                                             \
    PARAM_CHOICE("combine", "Combine", initial_, combine_choices, 4, text_)

/* The product of two densities, rounded. */
static inline uint32_t density_multiply(uint32_t a, uint32_t b) {
    return (uint32_t)(((uint64_t)a * b + LOAM_DENSITY_ONE / 2) >> BITS_DENSITY);
}

static inline uint32_t density_combine(combine_mode mode, uint32_t made, uint32_t before) {
    switch (mode) {
    case COMBINE_MULTIPLY:
        return density_multiply(made, before);
    case COMBINE_MIN:
        return made < before ? made : before;
    case COMBINE_MAX:
        return made > before ? made : before;
    case COMBINE_REPLACE:
        break;
    }
    return made;
}

#endif
