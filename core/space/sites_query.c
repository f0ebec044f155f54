/* SPDX-License-Identifier: MIT
 *
 * sites_query.c: which given points a rectangle sees, and how far other points are from them. For
 * distances the given points of the window are put in buckets of a square grid; a point looks at
 * rings of buckets from its own outward, until what is left cannot be nearer.
 */
#include "core/base/index_sort.h"
#include "core/base/try.h"
#include "core/space/sites_parts.h"

/* A closed box in units. */
typedef struct site_box {
    int64_t x0, z0, x1, z1;
} site_box;

static site_box rect_box(loam_rect rect, int64_t reach) {
    return (site_box){rect.x0 - reach, rect.z0 - reach, rect.x1 - 1 + reach, rect.z1 - 1 + reach};
}

/* The first place in the index that is not before (row, x). */
static uint32_t index_find(const loam_sites *sites, int64_t row, int64_t x) {
    uint32_t low = 0, high = sites->normal.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const loam_site *site = &sites->normal.sites[sites->order[middle]];
        int64_t at = site->z >> sites->row_shift;
        if (at < row || (at == row && site->x < x)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Counts the points of a row in the box; writes their numbers where `numbers` is not NULL. */
static uint32_t row_gather(const loam_sites *sites, int64_t row, const site_box *box,
                           uint32_t *numbers) {
    uint32_t found = 0;
    for (uint32_t at = index_find(sites, row, box->x0); at < sites->normal.count; at++) {
        uint32_t number = sites->order[at];
        const loam_site *site = &sites->normal.sites[number];
        if (site->z >> sites->row_shift != row || site->x > box->x1) {
            break;
        }
        if (site->z < box->z0 || site->z > box->z1) {
            continue;
        }
        if (numbers != NULL) {
            numbers[found] = number;
        }
        found++;
    }
    return found;
}

static uint32_t box_gather(const loam_sites *sites, const site_box *box, uint32_t *numbers) {
    uint32_t count = sites->normal.count;
    uint32_t found = 0;
    if (count == 0 || box->x0 > box->x1 || box->z0 > box->z1) {
        return 0;
    }
    int64_t low = sites->normal.sites[0].z, high = sites->normal.sites[count - 1].z;
    low = box->z0 > low ? box->z0 : low;
    high = box->z1 < high ? box->z1 : high;
    if (low > high) {
        return 0;
    }
    for (int64_t row = low >> sites->row_shift; row <= high >> sites->row_shift; row++) {
        found += row_gather(sites, row, box, numbers == NULL ? NULL : numbers + found);
    }
    return found;
}

static bool is_empty(loam_rect rect) {
    return rect.x0 >= rect.x1 || rect.z0 >= rect.z1;
}

uint32_t sites_count_inside(const loam_sites *sites, loam_rect rect, int64_t reach_units) {
    site_box box = rect_box(rect, reach_units);
    return is_empty(rect) ? 0 : box_gather(sites, &box, NULL);
}

static int number_compare(const void *context, uint32_t a, uint32_t b) {
    (void)context;
    return (a > b) - (a < b);
}

loam_status sites_collect(const loam_sites *sites, loam_rect rect, int64_t reach_units,
                          loam_arena *arena, uint32_t **numbers, uint32_t *count) {
    site_box box = rect_box(rect, reach_units);
    *count = sites_count_inside(sites, rect, reach_units);
    *numbers = loam_arena_take(arena, *count, sizeof **numbers);
    size_t mark = loam_arena_mark(arena);
    uint32_t *spare = loam_arena_take(arena, *count, sizeof *spare);
    if (*numbers == NULL || spare == NULL) {
        return LOAM_ARENA_FULL;
    }
    if (*count > 0) {
        (void)box_gather(sites, &box, *numbers);
    }
    index_sort(*numbers, spare, *count, number_compare, NULL);
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}

/* ---- Nearest ------------------------------------------------------------------------------- */

/* About two points a bucket. */
enum { BUCKET_POINTS = 2 };

/* Points of a window, by bucket; places are relative to the box. */
typedef struct site_grid {
    site_box box;
    uint32_t shift; /* a bucket's side is 1 << shift */
    int64_t columns, rows;
    const uint32_t *firsts; /* per bucket, and one past the last */
    const int64_t *xz;
} site_grid;

static site_box points_box(const areas_points *points, int64_t reach) {
    int32_t x0 = points->x[0], x1 = x0, z0 = points->z[0], z1 = z0;
    for (uint32_t i = 1; i < points->count; i++) {
        x0 = points->x[i] < x0 ? points->x[i] : x0;
        x1 = points->x[i] > x1 ? points->x[i] : x1;
        z0 = points->z[i] < z0 ? points->z[i] : z0;
        z1 = points->z[i] > z1 ? points->z[i] : z1;
    }
    return (site_box){points->base_x + x0 - reach, points->base_z + z0 - reach,
                      points->base_x + x1 + reach, points->base_z + z1 + reach};
}

static void grid_measure(site_grid *grid, uint32_t count) {
    int64_t width = grid->box.x1 - grid->box.x0, height = grid->box.z1 - grid->box.z0;
    int64_t most = count / BUCKET_POINTS + 1;
    grid->shift = 0;
    do {
        grid->columns = (width >> grid->shift) + 1;
        grid->rows = (height >> grid->shift) + 1;
        grid->shift++;
    } while (grid->columns > most || grid->rows > most || grid->columns * grid->rows > most);
    grid->shift--;
}

static size_t bucket_of(const site_grid *grid, const loam_site *site) {
    int64_t column = (site->x - grid->box.x0) >> grid->shift;
    int64_t row = (site->z - grid->box.z0) >> grid->shift;
    return (size_t)(row * grid->columns + column);
}

static loam_status grid_build(const loam_sites *sites, loam_arena *scratch, site_grid *grid) {
    uint32_t count = box_gather(sites, &grid->box, NULL);
    grid_measure(grid, count);
    size_t buckets = (size_t)(grid->columns * grid->rows);
    uint32_t *numbers = loam_arena_take(scratch, count, sizeof *numbers);
    uint32_t *firsts = loam_arena_take_zero(scratch, buckets + 2, sizeof *firsts);
    int64_t *xz = loam_arena_take(scratch, count, 2 * sizeof *xz);
    if (numbers == NULL || firsts == NULL || xz == NULL) {
        return LOAM_ARENA_FULL;
    }
    (void)box_gather(sites, &grid->box, numbers);
    for (uint32_t i = 0; i < count; i++) {
        firsts[bucket_of(grid, &sites->normal.sites[numbers[i]]) + 2]++;
    }
    for (size_t b = 2; b < buckets + 2; b++) {
        firsts[b] += firsts[b - 1];
    }
    for (uint32_t i = 0; i < count; i++) {
        const loam_site *site = &sites->normal.sites[numbers[i]];
        int64_t *to = xz + 2 * (size_t)firsts[bucket_of(grid, site) + 1]++;
        to[0] = site->x - grid->box.x0;
        to[1] = site->z - grid->box.z0;
    }
    grid->firsts = firsts;
    grid->xz = xz;
    return LOAM_OK;
}

/* Lowers `nearest`, a squared distance in units, by the points of one bucket. */
static void bucket_measure(const site_grid *grid, int64_t column, int64_t row, int64_t x, int64_t z,
                           int64_t *nearest) {
    size_t bucket = (size_t)(row * grid->columns + column);
    for (uint32_t i = grid->firsts[bucket]; i < grid->firsts[bucket + 1]; i++) {
        int64_t dx = grid->xz[2 * (size_t)i] - x, dz = grid->xz[2 * (size_t)i + 1] - z;
        int64_t distance2 = dx * dx + dz * dz;
        *nearest = distance2 < *nearest ? distance2 : *nearest;
    }
}

static void row_measure(const site_grid *grid, int64_t row, int64_t low, int64_t high, int64_t step,
                        int64_t x, int64_t z, int64_t *nearest) {
    if (row < 0 || row >= grid->rows) {
        return;
    }
    for (int64_t column = low; column <= high; column += step) {
        if (column >= 0 && column < grid->columns) {
            bucket_measure(grid, column, row, x, z, nearest);
        }
    }
}

/* Whether a ring of buckets may hold something nearer: all of it is at least this far away. */
static bool ring_is_near(const site_grid *grid, int64_t ring, int64_t x, int64_t z,
                         int64_t nearest) {
    int64_t column = x >> grid->shift, row = z >> grid->shift;
    int64_t into_x = x - (column << grid->shift), into_z = z - (row << grid->shift);
    int64_t side = (int64_t)1 << grid->shift;
    int64_t gap = into_x < into_z ? into_x : into_z;
    gap = side - 1 - into_x < gap ? side - 1 - into_x : gap;
    gap = side - 1 - into_z < gap ? side - 1 - into_z : gap;
    int64_t away = ring == 0 ? 0 : (ring - 1) * side + gap + 1;
    return away * away < nearest;
}

static int64_t point_measure(const site_grid *grid, int64_t x, int64_t z, int64_t limit2) {
    int64_t column = x >> grid->shift, row = z >> grid->shift;
    int64_t rings = grid->columns > grid->rows ? grid->columns : grid->rows;
    int64_t nearest = limit2;
    for (int64_t ring = 0; ring < rings && ring_is_near(grid, ring, x, z, nearest); ring++) {
        int64_t low = column - ring, high = column + ring;
        row_measure(grid, row - ring, low, high, 1, x, z, &nearest);
        for (int64_t at = row - ring + 1; at < row + ring; at++) {
            row_measure(grid, at, low, high, 2 * ring, x, z, &nearest);
        }
        if (ring > 0) {
            row_measure(grid, row + ring, low, high, 1, x, z, &nearest);
        }
    }
    return nearest;
}

loam_status sites_nearest(const loam_sites *sites, int64_t limit_units, const areas_points *points,
                          uint64_t *distance2, loam_arena *scratch) {
    if (points->count == 0) {
        return LOAM_OK;
    }
    size_t mark = loam_arena_mark(scratch);
    site_grid grid = {.box = points_box(points, limit_units > 0 ? limit_units - 1 : 0)};
    loam_status status = grid_build(sites, scratch, &grid);
    int64_t limit2 = limit_units * limit_units;
    int64_t shift_x = points->base_x - grid.box.x0, shift_z = points->base_z - grid.box.z0;
    for (uint32_t i = 0; status == LOAM_OK && i < points->count; i++) {
        int64_t nearest =
            point_measure(&grid, points->x[i] + shift_x, points->z[i] + shift_z, limit2);
        distance2[i] =
            nearest < limit2 ? (uint64_t)nearest * AREA_DISTANCE2_SCALE : AREA_DISTANCE2_NONE;
    }
    loam_arena_reset(scratch, mark);
    return status;
}

loam_rect sites_bounds(const loam_sites *sites) {
    const loam_sites_source *normal = &sites->normal;
    if (normal->count == 0) {
        return (loam_rect){0, 0, 0, 0};
    }
    loam_rect bounds = {normal->sites[0].x, normal->sites[0].z, normal->sites[0].x,
                        normal->sites[normal->count - 1].z + 1};
    for (uint32_t i = 0; i < normal->count; i++) {
        int64_t x = normal->sites[i].x;
        bounds.x0 = x < bounds.x0 ? x : bounds.x0;
        bounds.x1 = x > bounds.x1 ? x : bounds.x1;
    }
    bounds.x1++;
    return bounds;
}
