/* SPDX-License-Identifier: MIT
 *
 * lines_arc.c: arc lengths and visits of lines: what stations are counted by. All integers; the
 * longest segment's square, times 2^32, has 116 bits.
 */
#include "core/base/fixed_math.h"
#include "core/base/index_sort.h"
#include "core/base/try.h"
#include "core/space/lines_parts.h"

__extension__ typedef unsigned __int128 line_square;

/* floor(sqrt(value)), bit by bit. */
static uint64_t wide_root(line_square value) {
    line_square root = 0;
    line_square bit = (line_square)1 << 126;
    while (bit > value) {
        bit >>= 2;
    }
    for (; bit != 0; bit >>= 2) {
        line_square trial = root + bit;
        root >>= 1;
        if (value >= trial) {
            value -= trial;
            root += bit;
        }
    }
    return (uint64_t)root;
}

int64_t segment_length(int64_t dx, int64_t dz) {
    line_square square = (line_square)((area_wide)dx * dx) + (line_square)((area_wide)dz * dz);
    return (int64_t)(square <= UINT32_MAX ? integer_root((uint64_t)square << 32)
                                          : wide_root(square << 32));
}

bool line_arc_write(const int64_t *xz, uint32_t count, int64_t *arc) {
    arc[0] = 0;
    for (uint32_t i = 1; i < count; i++) {
        const int64_t *at = xz + 2 * (size_t)(i - 1);
        arc[i] = arc[i - 1] + segment_length(at[2] - at[0], at[3] - at[1]);
        if (arc[i] > LINE_LENGTH_FINE_MAX) {
            return false;
        }
    }
    return true;
}

static int vertex_compare(const void *context, uint32_t a, uint32_t b) {
    const int64_t *va = (const int64_t *)context + 2 * (size_t)a;
    const int64_t *vb = (const int64_t *)context + 2 * (size_t)b;
    if (va[1] != vb[1]) {
        return va[1] < vb[1] ? -1 : 1;
    }
    return (va[0] > vb[0]) - (va[0] < vb[0]);
}

/* Equal vertices stand side by side, in order of travel. */
static void line_visits_write(const loam_line *line, uint32_t *order, uint32_t *spare,
                              uint32_t *visits) {
    for (uint32_t i = 0; i < line->count; i++) {
        order[i] = i;
    }
    index_sort(order, spare, line->count, vertex_compare, line->xz);
    for (uint32_t i = 0; i < line->count; i++) {
        bool again = i > 0 && vertex_compare(line->xz, order[i - 1], order[i]) == 0;
        visits[order[i]] = again ? visits[order[i - 1]] + 1 : 0;
    }
}

loam_status lines_visits_write(const loam_lines_source *normal, uint32_t *visits,
                               loam_arena *scratch) {
    size_t mark = loam_arena_mark(scratch);
    uint32_t longest = 0;
    for (uint32_t i = 0; i < normal->line_count; i++) {
        longest = normal->lines[i].count > longest ? normal->lines[i].count : longest;
    }
    uint32_t *order = loam_arena_take(scratch, longest, sizeof *order);
    uint32_t *spare = loam_arena_take(scratch, longest, sizeof *spare);
    LOAM_TRY_MEMORY(order, NULL);
    LOAM_TRY_MEMORY(spare, NULL);
    for (uint32_t i = 0; i < normal->line_count; i++) {
        line_visits_write(&normal->lines[i], order, spare, visits);
        visits += normal->lines[i].count;
    }
    loam_arena_reset(scratch, mark);
    return LOAM_OK;
}
