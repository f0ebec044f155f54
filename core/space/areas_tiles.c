/* SPDX-License-Identifier: MIT
 *
 * areas_tiles.c: the tiles of a window, bands times columns. A tile that no edge reaches lies
 * wholly on one side of every polygon, and so do its like neighbours in the band: they form a run.
 * Only where edges are within reach does a point need to ask; in real cells these are few.
 */
#include "core/base/fixed_math.h"
#include "core/space/areas_window.h"

/* Like the bands. */
enum { WINDOW_COLUMNS = 64 };

/* Members of all tiles together: 4 MB. A cell of a town has 20,000. */
enum { WINDOW_MEMBERS_MAX = 1 << 20 };

typedef struct x_range {
    int64_t low, high;
} x_range;

/* x of an edge at a height, rounded down; the height is clipped to the edge. */
static int64_t edge_x_at(const window_edge *edge, int64_t z) {
    int64_t up = z - edge->z0;
    up = up < 0 ? 0 : up > edge->dz ? edge->dz : up;
    return edge->x0 + floor_divide(edge->dx * up, edge->dz);
}

/* The columns of x that the part of an edge between two heights reaches. */
static x_range edge_x_range(const window_edge *edge, int64_t z_low, int64_t z_high, bool wide,
                            int64_t reach) {
    x_range range = {edge->x_low, edge->x_high};
    if (!wide && edge->dz > 0) {
        int64_t a = edge_x_at(edge, z_low);
        int64_t b = edge_x_at(edge, z_high);
        range = a < b ? (x_range){a, b + 1} : (x_range){b, a + 1};
    }
    return (x_range){range.low - reach, range.high + reach};
}

/* Marks the tiles of a band that an edge reaches. */
static void edge_mark(const area_window *window, const window_tiles *tiles, x_range range,
                      uint32_t *runs) {
    if (range.high < 0 || range.low > window->width) {
        return;
    }
    int64_t low = range.low < 0 ? 0 : range.low;
    int64_t high = range.high > window->width ? window->width : range.high;
    for (int64_t i = low >> tiles->column_shift; i <= high >> tiles->column_shift; i++) {
        runs[i] = WINDOW_RUN_NONE;
    }
}

static void group_mark(const area_window *window, const window_tiles *tiles, uint32_t band,
                       const window_group *group, uint32_t *runs) {
    const area_patch *patch = &window->near.patches[group->patch];
    int64_t reach = patch->margin + patch->width;
    int64_t z_low = ((int64_t)band << window->band_shift) - reach;
    int64_t z_high = ((int64_t)(band + 1) << window->band_shift) + reach;
    for (uint32_t i = 0; i < group->count; i++) {
        const window_edge *edge = &window->edges[window->entries[group->first + i]];
        edge_mark(window, tiles, edge_x_range(edge, z_low, z_high, window->wide, reach), runs);
    }
}

/* Numbers the runs of unmarked tiles and notes the first point of each. */
static void band_number(const area_window *window, window_tiles *tiles, uint32_t band,
                        uint32_t *runs, int64_t *points) {
    bool in_run = false;
    for (uint32_t i = 0; i < tiles->column_count; i++) {
        if (runs[i] == WINDOW_RUN_NONE) {
            in_run = false;
            continue;
        }
        if (!in_run) {
            points[2 * (size_t)tiles->run_count] = (int64_t)i << tiles->column_shift;
            points[2 * (size_t)tiles->run_count + 1] = (int64_t)band << window->band_shift;
            tiles->run_count++;
            in_run = true;
        }
        runs[i] = tiles->run_count - 1;
    }
}

/* Whether a point of a column may be inside the group's polygon, or its border in reach. */
static bool column_meets(const window_tiles *tiles, const window_group *group, uint32_t column) {
    const int64_t low = (int64_t)column << tiles->column_shift;
    const int64_t high = low + ((int64_t)1 << tiles->column_shift) - 1;
    return (high >= group->x_low && low <= group->x_high) || (low < group->x_low && group->left) ||
           (high > group->x_high && group->right);
}

/* Goes over the tiles and their groups in order; writes members where there is room for them, and
 * returns how many there are. */
static uint64_t members_list(const area_window *window, const window_tiles *tiles, uint32_t *starts,
                             uint32_t *members) {
    uint64_t count = 0;
    for (uint32_t tile = 0; tile < tiles->column_count * window->band_count; tile++) {
        const uint32_t *band = window->bands + tile / tiles->column_count;
        starts[tile] = (uint32_t)count;
        if (tiles->runs[tile] != WINDOW_RUN_NONE) {
            continue;
        }
        for (uint32_t i = band[0]; i < band[1] && count <= WINDOW_MEMBERS_MAX; i++) {
            if (column_meets(tiles, &window->groups[i], tile % tiles->column_count)) {
                if (members != NULL) {
                    members[count] = i;
                }
                count++;
            }
        }
    }
    starts[tiles->column_count * window->band_count] = (uint32_t)count;
    return count;
}

static loam_status members_build(const area_window *window, loam_arena *scratch,
                                 window_tiles *tiles) {
    size_t count = (size_t)tiles->column_count * window->band_count;
    uint32_t *starts = loam_arena_take(scratch, count + 1, sizeof *starts);
    if (starts == NULL) {
        return LOAM_ARENA_FULL;
    }
    uint64_t members = members_list(window, tiles, starts, NULL);
    if (members > WINDOW_MEMBERS_MAX) {
        return LOAM_OK;
    }
    uint32_t *list = loam_arena_take(scratch, (size_t)members + 1, sizeof *list);
    if (list == NULL) {
        return LOAM_ARENA_FULL;
    }
    members_list(window, tiles, starts, list);
    tiles->starts = starts;
    tiles->members = list;
    return LOAM_OK;
}

loam_status window_tiles_build(const area_window *window, loam_arena *scratch,
                               window_tiles *tiles) {
    *tiles = (window_tiles){0};
    while (window->width >> tiles->column_shift >= WINDOW_COLUMNS) {
        tiles->column_shift++;
    }
    tiles->column_count = (uint32_t)(window->width >> tiles->column_shift) + 1;
    size_t count = (size_t)tiles->column_count * window->band_count;
    uint32_t *runs = loam_arena_take_zero(scratch, count, sizeof *runs);
    int64_t *points = loam_arena_take(scratch, count, 2 * sizeof *points);
    if (runs == NULL || points == NULL) {
        return LOAM_ARENA_FULL;
    }
    tiles->runs = runs;
    tiles->points = points;
    for (uint32_t band = 0; band < window->band_count; band++) {
        uint32_t *row = runs + (size_t)band * tiles->column_count;
        for (uint32_t i = window->bands[band]; i < window->bands[band + 1]; i++) {
            group_mark(window, tiles, band, &window->groups[i], row);
        }
        band_number(window, tiles, band, row, points);
    }
    return members_build(window, scratch, tiles);
}
