/* SPDX-License-Identifier: MIT
 *
 * areas_query.c: questions about many points: vetoed, faded, how far from a border, in which
 * feature. One window is built for the points' own box; then each point takes the answer of its
 * tile's run, or meets the polygons of its band.
 */
#include "core/base/fixed_math.h"
#include "core/base/try.h"
#include "core/space/areas_window.h"

/* From so many points on, tiles cost less than they save. */
enum { QUERY_TILED_POINTS = 128 };

/* What all polygons say of a point, folded into one. */
typedef struct point_answer {
    bool inside;
    uint32_t fraction;
    uint32_t feature;
    uint64_t distance2;
} point_answer;

/* A question under way. */
typedef struct area_query {
    area_window window;
    window_tiles tiles;    /* no columns when there are few points */
    point_answer *answers; /* of the tiles' runs */
    point_answer none;     /* where no polygon is */
    int64_t x_shift;       /* from the points' base to the window */
    int64_t z_shift;
} area_query;

/* Adds one polygon's word to the answer; false ends the point. */
typedef bool (*group_fold)(const area_window *window, const window_group *group, int64_t x,
                           int64_t z, point_answer *answer);

static area_box points_box(const areas_points *points) {
    int32_t x0 = INT32_MAX;
    int32_t z0 = INT32_MAX;
    int32_t x1 = INT32_MIN;
    int32_t z1 = INT32_MIN;
    for (uint32_t i = 0; i < points->count; i++) {
        x0 = points->x[i] < x0 ? points->x[i] : x0;
        x1 = points->x[i] > x1 ? points->x[i] : x1;
        z0 = points->z[i] < z0 ? points->z[i] : z0;
        z1 = points->z[i] > z1 ? points->z[i] : z1;
    }
    return (area_box){points->base_x + x0, points->base_z + z0, points->base_x + x1,
                      points->base_z + z1};
}

static inline point_answer band_ask(const area_query *query, int64_t x, int64_t z,
                                    group_fold fold) {
    const area_window *window = &query->window;
    const uint32_t *band = &window->bands[z >> window->band_shift];
    point_answer answer = query->none;
    for (uint32_t i = band[0]; i < band[1]; i++) {
        if (!fold(window, &window->groups[i], x, z, &answer)) {
            break;
        }
    }
    return answer;
}

static inline point_answer tile_ask(const area_query *query, uint32_t tile, int64_t x, int64_t z,
                                    group_fold fold) {
    const window_tiles *tiles = &query->tiles;
    point_answer answer = query->none;
    for (uint32_t i = tiles->starts[tile]; i < tiles->starts[tile + 1]; i++) {
        if (!fold(&query->window, &query->window.groups[tiles->members[i]], x, z, &answer)) {
            break;
        }
    }
    return answer;
}

static loam_status query_init(area_query *query, const loam_areas *areas, const areas_view *view,
                              const areas_points *points, group_fold fold, loam_arena *scratch) {
    area_box box = points_box(points);
    query->x_shift = points->base_x - box.x0;
    query->z_shift = points->base_z - box.z0;
    LOAM_TRY(area_window_build(areas, view, &box, scratch, &query->window));
    if (points->count < QUERY_TILED_POINTS) {
        return LOAM_OK;
    }
    window_tiles *tiles = &query->tiles;
    LOAM_TRY(window_tiles_build(&query->window, scratch, tiles));
    query->answers = loam_arena_take(scratch, tiles->run_count, sizeof *query->answers);
    if (query->answers == NULL) {
        return LOAM_ARENA_FULL;
    }
    for (uint32_t i = 0; i < tiles->run_count; i++) {
        const int64_t *at = tiles->points + 2 * (size_t)i;
        query->answers[i] = band_ask(query, at[0], at[1], fold);
    }
    return LOAM_OK;
}

static inline point_answer point_ask(const area_query *query, const areas_points *points,
                                     uint32_t index, group_fold fold) {
    int64_t x = points->x[index] + query->x_shift;
    int64_t z = points->z[index] + query->z_shift;
    const window_tiles *tiles = &query->tiles;
    if (tiles->column_count > 0) {
        int64_t row = (z >> query->window.band_shift) * tiles->column_count;
        uint32_t tile = (uint32_t)(row + (x >> tiles->column_shift));
        if (tiles->runs[tile] != WINDOW_RUN_NONE) {
            return query->answers[tiles->runs[tile]];
        }
        if (tiles->starts != NULL) {
            return tile_ask(query, tile, x, z, fold);
        }
    }
    return band_ask(query, x, z, fold);
}

static uint64_t distance2_of(int64_t units) {
    return (uint64_t)(units * units) * AREA_DISTANCE2_SCALE;
}

static bool fold_veto(const area_window *window, const window_group *group, int64_t x, int64_t z,
                      point_answer *answer) {
    uint64_t limit = distance2_of(window->near.patches[group->patch].margin);
    uint64_t distance2 = limit;
    answer->inside = window_group_measure(window, group, x, z, &distance2) || distance2 < limit;
    return !answer->inside;
}

loam_status areas_veto(const loam_areas *areas, const areas_view *view, const areas_points *points,
                       uint8_t *inside, loam_arena *scratch) {
    if (points->count == 0) {
        return LOAM_OK;
    }
    size_t mark = loam_arena_mark(scratch);
    areas_view margins = {.margin_units = view->margin_units,
                          .feature_margin = view->feature_margin};
    area_query query = {0};
    loam_status status = query_init(&query, areas, &margins, points, fold_veto, scratch);
    for (uint32_t i = 0; status == LOAM_OK && i < points->count; i++) {
        inside[i] = point_ask(&query, points, i, fold_veto).inside;
    }
    loam_arena_reset(scratch, mark);
    return status;
}

/* How far between margin and width a distance is, in 1/2^24, rounded down. */
static uint32_t fade_fraction(const area_patch *patch, uint64_t distance2) {
    int64_t past = (int64_t)integer_root(distance2) - patch->margin * 256;
    if (past <= 0 || patch->width == 0) {
        return 0;
    }
    return (uint32_t)(past * LOAM_DENSITY_ONE / (patch->width * 256));
}

/* A distance below the limit gives less than 1. */
static bool fold_fade(const area_window *window, const window_group *group, int64_t x, int64_t z,
                      point_answer *answer) {
    const area_patch *patch = &window->near.patches[group->patch];
    uint64_t limit = distance2_of(patch->margin + patch->width);
    uint64_t distance2 = limit;
    if (window_group_measure(window, group, x, z, &distance2)) {
        answer->fraction = 0;
    } else if (distance2 < limit) {
        uint32_t fraction = fade_fraction(patch, distance2);
        answer->fraction = fraction < answer->fraction ? fraction : answer->fraction;
    }
    return answer->fraction > 0;
}

loam_status areas_fade(const loam_areas *areas, const areas_view *view, const areas_points *points,
                       uint32_t *fraction, loam_arena *scratch) {
    if (points->count == 0) {
        return LOAM_OK;
    }
    size_t mark = loam_arena_mark(scratch);
    area_query query = {.none = {.fraction = LOAM_DENSITY_ONE}};
    loam_status status = query_init(&query, areas, view, points, fold_fade, scratch);
    for (uint32_t i = 0; status == LOAM_OK && i < points->count; i++) {
        fraction[i] = point_ask(&query, points, i, fold_fade).fraction;
    }
    loam_arena_reset(scratch, mark);
    return status;
}

static bool fold_nearest(const area_window *window, const window_group *group, int64_t x, int64_t z,
                         point_answer *answer) {
    answer->inside |= window_group_measure(window, group, x, z, &answer->distance2);
    return true;
}

loam_status areas_nearest(const loam_areas *areas, int64_t limit_units, const areas_points *points,
                          uint8_t *inside, uint64_t *distance2, loam_arena *scratch) {
    if (points->count == 0) {
        return LOAM_OK;
    }
    size_t mark = loam_arena_mark(scratch);
    areas_view view = {.width_units = limit_units};
    uint64_t limit = distance2_of(limit_units);
    area_query query = {.none = {.distance2 = limit}};
    loam_status status = query_init(&query, areas, &view, points, fold_nearest, scratch);
    for (uint32_t i = 0; status == LOAM_OK && i < points->count; i++) {
        point_answer answer = point_ask(&query, points, i, fold_nearest);
        inside[i] = answer.inside;
        distance2[i] = answer.distance2 < limit ? answer.distance2 : AREA_DISTANCE2_NONE;
    }
    loam_arena_reset(scratch, mark);
    return status;
}

static bool fold_cover(const area_window *window, const window_group *group, int64_t x, int64_t z,
                       point_answer *answer) {
    const area_patch *patch = &window->near.patches[group->patch];
    uint64_t limit = distance2_of(patch->width);
    uint64_t distance2 = limit;
    if (window_group_measure(window, group, x, z, &distance2) && distance2 == limit) {
        answer->feature = patch->feature;
        return false;
    }
    return true;
}

loam_status areas_cover(const loam_areas *areas, int64_t edge_units, const areas_points *points,
                        uint32_t *feature, loam_arena *scratch) {
    if (points->count == 0) {
        return LOAM_OK;
    }
    size_t mark = loam_arena_mark(scratch);
    areas_view view = {.width_units = edge_units};
    area_query query = {.none = {.feature = AREA_FEATURE_NONE}};
    loam_status status = query_init(&query, areas, &view, points, fold_cover, scratch);
    for (uint32_t i = 0; status == LOAM_OK && i < points->count; i++) {
        feature[i] = point_ask(&query, points, i, fold_cover).feature;
    }
    loam_arena_reset(scratch, mark);
    return status;
}
