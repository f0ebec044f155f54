/* SPDX-License-Identifier: MIT
 *
 * prune_kernel.c: inner loops of the lattice path of self.prune. Compiled once per SIMD level. The
 * lattice is the neighbour grid: a site's neighbours stand at fixed distances in the columns.
 */
#include "core/base/mix.h"
#include "core/base/portable.h"
#include "core/ops/prune.h"

static void priorities(uint64_t row_key, uint32_t first, const uint32_t *restrict live,
                       uint32_t count, uint32_t *restrict priority, uint8_t *restrict undecided) {
    for (uint32_t i = 0; i < count; i++) {
        priority[i] = priority_of(draw_bits(row_key, first + i)) & live[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        undecided[i] = (uint8_t)(live[i] & 1u);
    }
}

/* The neighbour at (a, b): closer than R, and winning. Of equal priorities the later site wins. */
#define NEIGHBOUR(a, b)                                                                            \
    do {                                                                                           \
        const int32_t dx = x[i + (b)*stride + (a)] - px;                                           \
        const int32_t dz = z[i + (b)*stride + (a)] - pz;                                           \
        const int32_t later = (b) > 0 || ((b) == 0 && (a) > 0) ? 1 : 0;                            \
        const int32_t wins = (int32_t)priority[i + (b)*stride + (a)] + later > own;                \
        const int32_t close = dx * dx + dz * dz < conflict_squared;                                \
        word |= (close & wins) != 0 ? 1u << (((b) + 2) * STENCIL_SIDE + (a) + 2) : 0u;             \
    } while (0)

static void conflicts_ring1(const int32_t *restrict x, const int32_t *restrict z,
                            const uint32_t *restrict priority, ptrdiff_t stride,
                            int32_t conflict_squared, ptrdiff_t count, uint32_t *restrict words) {
    for (ptrdiff_t i = 0; i < count; i++) {
        const int32_t px = x[i], pz = z[i], own = (int32_t)priority[i];
        uint32_t word = 0;
        NEIGHBOUR(-1, -1);
        NEIGHBOUR(0, -1);
        NEIGHBOUR(1, -1);
        NEIGHBOUR(-1, 0);
        NEIGHBOUR(1, 0);
        NEIGHBOUR(-1, 1);
        NEIGHBOUR(0, 1);
        NEIGHBOUR(1, 1);
        words[i] = word;
    }
}

#define NEIGHBOUR_ROW(b)                                                                           \
    NEIGHBOUR(-2, b);                                                                              \
    NEIGHBOUR(-1, b);                                                                              \
    NEIGHBOUR(0, b);                                                                               \
    NEIGHBOUR(1, b);                                                                               \
    NEIGHBOUR(2, b)

static void conflicts_ring2(const int32_t *restrict x, const int32_t *restrict z,
                            const uint32_t *restrict priority, ptrdiff_t stride,
                            int32_t conflict_squared, ptrdiff_t count, uint32_t *restrict words) {
    for (ptrdiff_t i = 0; i < count; i++) {
        const int32_t px = x[i], pz = z[i], own = (int32_t)priority[i];
        uint32_t word = 0;
        NEIGHBOUR_ROW(-2);
        NEIGHBOUR_ROW(-1);
        NEIGHBOUR(-2, 0);
        NEIGHBOUR(-1, 0);
        NEIGHBOUR(1, 0);
        NEIGHBOUR(2, 0);
        NEIGHBOUR_ROW(1);
        NEIGHBOUR_ROW(2);
        words[i] = word;
    }
}

static void conflicts(const int32_t *restrict x, const int32_t *restrict z,
                      const uint32_t *restrict priority, uint32_t stride, uint32_t ring,
                      int32_t conflict_squared, uint32_t count, uint32_t *restrict words) {
    if (ring == 1) {
        conflicts_ring1(x, z, priority, (ptrdiff_t)stride, conflict_squared, (ptrdiff_t)count,
                        words);
    } else {
        conflicts_ring2(x, z, priority, (ptrdiff_t)stride, conflict_squared, (ptrdiff_t)count,
                        words);
    }
}

static void gather_five(const uint8_t *restrict flags, uint32_t count, uint8_t *restrict five) {
    const ptrdiff_t end = (ptrdiff_t)count;
    for (ptrdiff_t i = 0; i < end; i++) {
        five[i] = (uint8_t)(flags[i - 2] | flags[i - 1] << 1 | flags[i] << 2 | flags[i + 1] << 3 |
                            flags[i + 2] << 4);
    }
}

/* The 25 flags around site i, as a conflict word has them. */
static inline uint32_t flags_around(const uint8_t *five, ptrdiff_t i, ptrdiff_t stride) {
    return (uint32_t)five[i - 2 * stride] | (uint32_t)five[i - stride] << 5 |
           (uint32_t)five[i] << 10 | (uint32_t)five[i + stride] << 15 |
           (uint32_t)five[i + 2 * stride] << 20;
}

static void accept(const uint32_t *restrict words, const uint8_t *restrict five, uint32_t stride,
                   const uint8_t *restrict undecided, uint32_t count, uint8_t *restrict chosen) {
    const ptrdiff_t step = (ptrdiff_t)stride, end = (ptrdiff_t)count;
    for (ptrdiff_t i = 0; i < end; i++) {
        uint32_t winners = words[i] & flags_around(five, i, step);
        chosen[i] = (uint8_t)(undecided[i] & (winners == 0 ? 1u : 0u));
    }
}

static void settle(const uint32_t *restrict words, const uint8_t *restrict five, uint32_t stride,
                   const uint8_t *restrict chosen, uint32_t count, uint8_t *restrict undecided,
                   uint8_t *restrict accepted) {
    const ptrdiff_t step = (ptrdiff_t)stride, end = (ptrdiff_t)count;
    for (ptrdiff_t i = 0; i < end; i++) {
        uint32_t winners = words[i] & flags_around(five, i, step);
        uint8_t stays = (uint8_t)((winners == 0 ? 1u : 0u) & (chosen[i] ^ 1u));
        undecided[i] = undecided[i] & stays;
        accepted[i] = accepted[i] | chosen[i];
    }
}

const prune_kernels KERNEL(prune_kernels) = {priorities, conflicts, gather_five, accept, settle};
