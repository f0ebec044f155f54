/* SPDX-License-Identifier: MIT
 *
 * areas_window.c: see areas_window.h. Parity: a point is inside when the horizontal ray to its left
 * crosses an odd number of edges. Edges that lie wholly left of the window form chains, and a chain
 * is crossed as often, modulo 2, as the straight line between its ends; these ends belong to edges
 * that enter the window's columns from the left. So such an edge adds a step at the height of its
 * left end, and no edge outside the window is needed: what is missing below is a constant, known
 * from the low corner.
 */
#include "core/space/areas_window.h"

#include "core/base/try.h"

/* Bands to begin with; a 256 m cell then has bands of 4 m, about the spacing of real vertices. */
enum { WINDOW_BANDS = 64 };

/* Lists of all bands together hold at most so many entries for each edge and polygon, else there
 * are fewer bands: long edges stand in many. */
enum { WINDOW_ENTRIES_PER_ITEM = 8, WINDOW_ENTRIES_FREE = 4096 };

/* Sides below 2^29 keep products of differences below 2^62. */
#define WINDOW_NARROW_MAX ((int64_t)1 << 29)

/* Builds the lists of all bands, edge by edge and band by band. */
typedef struct window_builder {
    area_window *window;
    window_edge *edges;
    uint32_t *entries;
    window_group *groups;
    uint32_t *bands;
    uint32_t entry_count;
    uint32_t group_count;
} window_builder;

static bool is_narrow(int64_t value) {
    return value >= -WINDOW_NARROW_MAX && value <= WINDOW_NARROW_MAX;
}

/* Edges wholly left of the window are there for distances only. Those that come in from the left
 * toggle the parity of all points at or above their left end. */
static window_edge window_edge_init(const area_edge *edge, const area_box *box) {
    int64_t x0 = edge->x0 - box->x0;
    int64_t z0 = edge->z0 - box->z0;
    int64_t x1 = edge->x1 - box->x0;
    int64_t z1 = edge->z1 - box->z0;
    window_edge made = {.x0 = x0,
                        .z0 = z0,
                        .dx = x1 - x0,
                        .dz = z1 - z0,
                        .x_low = x0 < x1 ? x0 : x1,
                        .x_high = x0 < x1 ? x1 : x0,
                        .z_end = z1,
                        .step = INT64_MAX};
    if (made.x_high < 0) {
        made.z_end = z0;
    } else if (made.x_low < 0) {
        made.step = x0 < 0 ? z0 : z1;
    }
    return made;
}

static inline area_wide edge_cross(const window_edge *edge, int64_t x, int64_t z, bool wide) {
    if (wide) {
        return (area_wide)edge->dx * (z - edge->z0) - (area_wide)edge->dz * (x - edge->x0);
    }
    return edge->dx * (z - edge->z0) - edge->dz * (x - edge->x0);
}

/* What an edge does to the parity of a point; sets `touches` when it goes through the point.
 * Without branches: a point is left or right of an edge as often as not. Where the edge has an
 * inside of z, a point right of its box has a cross product below 0, and one left of it above. */
static inline uint32_t edge_parity(const window_edge *edge, int64_t x, int64_t z, bool wide,
                                   bool *touches) {
    const area_wide cross = edge_cross(edge, x, z, wide);
    const int64_t up = z - edge->z0;
    const bool beside = (up >= 0) & (z < edge->z_end) & (cross < 0);
    *touches |=
        (cross == 0) & (up >= 0) & (up <= edge->dz) & (x >= edge->x_low) & (x <= edge->x_high);
    return (uint32_t)(edge->step <= z) ^ (uint32_t)beside;
}

/* ceil(limit * length2 / AREA_DISTANCE2_SCALE); limit < 2^60, length2 < 2^84. */
static area_wide limit_scale(uint64_t limit, area_wide length2) {
    area_wide whole = (area_wide)(limit / AREA_DISTANCE2_SCALE) * length2;
    area_wide part = (area_wide)(limit % AREA_DISTANCE2_SCALE) * length2;
    return whole + (part + AREA_DISTANCE2_SCALE - 1) / AREA_DISTANCE2_SCALE;
}

/* floor(AREA_DISTANCE2_SCALE * cross2 / length2), where the result is known to be below 2^60. */
static uint64_t distance2_divide(area_wide cross2, area_wide length2) {
    if (cross2 <= INT64_MAX && length2 <= INT64_MAX / AREA_DISTANCE2_SCALE) {
        uint64_t whole = (uint64_t)cross2 / (uint64_t)length2;
        uint64_t rest = (uint64_t)cross2 % (uint64_t)length2;
        return whole * AREA_DISTANCE2_SCALE + rest * AREA_DISTANCE2_SCALE / (uint64_t)length2;
    }
    uint64_t whole = (uint64_t)(cross2 / length2);
    area_wide rest = cross2 % length2;
    return whole * AREA_DISTANCE2_SCALE + (uint64_t)(rest * AREA_DISTANCE2_SCALE / length2);
}

static void corner_distance(int64_t dx, int64_t dz, uint64_t *distance2) {
    uint64_t found = (uint64_t)(dx * dx + dz * dz) * AREA_DISTANCE2_SCALE;
    *distance2 = found < *distance2 ? found : *distance2;
}

/* Lowers `distance2` to the edge's when that is less. `reach` is the root of the limit that the
 * search began with, rounded up, so that far edges cost a comparison. */
static inline void edge_distance(const window_edge *edge, int64_t x, int64_t z, bool wide,
                                 int64_t reach, uint64_t *distance2) {
    if (x < edge->x_low - reach || x > edge->x_high + reach || z < edge->z0 - reach ||
        z > edge->z0 + edge->dz + reach) {
        return;
    }
    int64_t px = x - edge->x0;
    int64_t pz = z - edge->z0;
    area_wide along =
        wide ? (area_wide)edge->dx * px + (area_wide)edge->dz * pz : edge->dx * px + edge->dz * pz;
    area_wide length2 = wide ? (area_wide)edge->dx * edge->dx + (area_wide)edge->dz * edge->dz
                             : edge->dx * edge->dx + edge->dz * edge->dz;
    bool below = along <= 0;
    if (below || along >= length2) {
        int64_t qx = below ? px : px - edge->dx;
        int64_t qz = below ? pz : pz - edge->dz;
        if (qx <= reach && qx >= -reach && qz <= reach && qz >= -reach) {
            corner_distance(qx, qz, distance2);
        }
        return;
    }
    area_wide cross = edge_cross(edge, x, z, wide);
    if (cross >= INT64_MAX || cross <= -INT64_MAX) {
        return;
    }
    if (cross * cross < limit_scale(*distance2, length2)) {
        *distance2 = distance2_divide(cross * cross, length2);
    }
}

/* One loop for both sizes of coordinates: `wide` is known where it is inlined. */
static inline bool group_measure(const area_window *window, const window_group *group, int64_t x,
                                 int64_t z, bool wide, uint64_t *distance2) {
    const area_patch *patch = &window->near.patches[group->patch];
    const uint32_t *entries = window->entries + group->first;
    uint64_t nearest = *distance2;
    int64_t reach = patch->margin + patch->width;
    uint32_t parity = group->parity;
    bool touches = false;
    for (uint32_t i = 0; i < group->count; i++) {
        parity ^= edge_parity(&window->edges[entries[i]], x, z, wide, &touches);
    }
    for (uint32_t i = 0; i < group->count && nearest > 0; i++) {
        edge_distance(&window->edges[entries[i]], x, z, wide, reach, &nearest);
    }
    *distance2 = nearest;
    return touches || (parity & 1) != 0;
}

bool window_group_measure(const area_window *window, const window_group *group, int64_t x,
                          int64_t z, uint64_t *distance2) {
    return window->wide ? group_measure(window, group, x, z, true, distance2)
                        : group_measure(window, group, x, z, false, distance2);
}

static loam_status edges_init(window_builder *builder, const area_box *box, loam_arena *scratch) {
    area_window *window = builder->window;
    uint32_t count = window->near.edge_count;
    builder->edges = loam_arena_take(scratch, count, sizeof *builder->edges);
    if (builder->edges == NULL) {
        return LOAM_ARENA_FULL;
    }
    window->wide = !is_narrow(window->width) || !is_narrow(window->height);
    for (uint32_t i = 0; i < count; i++) {
        window_edge edge = window_edge_init(&window->near.edges[i], box);
        builder->edges[i] = edge;
        window->wide |= !is_narrow(edge.x0) || !is_narrow(edge.z0) ||
                        !is_narrow(edge.x0 + edge.dx) || !is_narrow(edge.z0 + edge.dz);
    }
    window->edges = builder->edges;
    return LOAM_OK;
}

/* The band of a height, clipped to the box. */
static uint32_t band_of(const window_builder *builder, int64_t z) {
    z = z < 0 ? 0 : z > builder->window->height ? builder->window->height : z;
    return (uint32_t)(z >> builder->window->band_shift);
}

static uint32_t edge_band_first(const window_builder *builder, const window_edge *edge,
                                int64_t reach) {
    return band_of(builder, edge->z0 - reach);
}

static uint32_t edge_band_last(const window_builder *builder, const window_edge *edge,
                               int64_t reach) {
    return band_of(builder, edge->z0 + edge->dz + reach);
}

static uint32_t band_count_of(const window_builder *builder) {
    return band_of(builder, builder->window->height) + 1;
}

/* Entries of all bands together. */
static uint64_t entries_estimate(const window_builder *builder) {
    const area_near *near = &builder->window->near;
    uint64_t count = 0;
    for (uint32_t i = 0; i < near->patch_count; i++) {
        const area_patch *patch = &near->patches[i];
        int64_t reach = patch->margin + patch->width;
        for (uint32_t j = 0; j < patch->edge_count; j++) {
            const window_edge *edge = &builder->edges[patch->edge_first + j];
            count +=
                edge_band_last(builder, edge, reach) - edge_band_first(builder, edge, reach) + 1;
        }
    }
    return count;
}

/* Chooses the bands and takes the memory for their lists. */
static loam_status bands_init(window_builder *builder, loam_arena *scratch) {
    area_window *window = builder->window;
    uint64_t items = (uint64_t)window->near.edge_count + window->near.patch_count;
    uint64_t most = items * WINDOW_ENTRIES_PER_ITEM + WINDOW_ENTRIES_FREE;
    while (window->height >> window->band_shift >= WINDOW_BANDS) {
        window->band_shift++;
    }
    uint64_t entries = entries_estimate(builder);
    uint64_t groups = (uint64_t)band_count_of(builder) * window->near.patch_count;
    while (entries + groups > most && band_count_of(builder) > 1) {
        window->band_shift++;
        entries = entries_estimate(builder);
        groups = (uint64_t)band_count_of(builder) * window->near.patch_count;
    }
    builder->entries = loam_arena_take(scratch, (size_t)entries, sizeof *builder->entries);
    builder->groups = loam_arena_take(scratch, (size_t)groups, sizeof *builder->groups);
    builder->bands =
        loam_arena_take(scratch, (size_t)band_count_of(builder) + 1, sizeof *builder->bands);
    bool full = builder->entries == NULL || builder->groups == NULL || builder->bands == NULL;
    return full ? LOAM_ARENA_FULL : LOAM_OK;
}

/* The parity that stands for everything not in any list: what the low corner has, less what the
 * listed edges make of it. */
static uint32_t patch_rest(const window_builder *builder, const area_patch *patch) {
    uint32_t parity = patch->corner;
    bool touches = false;
    for (uint32_t i = 0; i < patch->edge_count; i++) {
        const window_edge *edge = &builder->edges[patch->edge_first + i];
        parity ^= edge_parity(edge, 0, 0, builder->window->wide, &touches);
    }
    return parity;
}

/* Whether the polygon holds the points of a band at an x where none of the band's edges is. */
static bool group_holds(const window_builder *builder, const window_group *group, int64_t x,
                        uint32_t band) {
    const int64_t z = (int64_t)band << builder->window->band_shift;
    uint32_t parity = group->parity;
    bool touches = false;
    for (uint32_t i = 0; i < group->count; i++) {
        const window_edge *edge = &builder->edges[builder->entries[group->first + i]];
        parity ^= edge_parity(edge, x, z, builder->window->wide, &touches);
    }
    return (parity & 1) != 0;
}

/* How far the edges of a group reach, and what the points to both sides are. An edge that comes in
 * from the left has no points to its left in the window. */
static void group_bound(const window_builder *builder, int64_t reach, uint32_t band,
                        window_group *group) {
    group->x_low = INT64_MAX;
    group->x_high = INT64_MIN;
    for (uint32_t i = 0; i < group->count; i++) {
        const window_edge *edge = &builder->edges[builder->entries[group->first + i]];
        group->x_low = edge->x_low - reach < group->x_low ? edge->x_low - reach : group->x_low;
        group->x_high = edge->x_high + reach > group->x_high ? edge->x_high + reach : group->x_high;
    }
    group->left = group->x_low > 0 && group_holds(builder, group, 0, band);
    group->right = group->x_high < builder->window->width &&
                   group_holds(builder, group, builder->window->width, band);
}

/* Lists the patch's edges of one band; edges that ended below leave their step in the parity. */
static void group_write(window_builder *builder, uint32_t index, uint32_t rest, uint32_t band) {
    const area_patch *patch = &builder->window->near.patches[index];
    int64_t reach = patch->margin + patch->width;
    window_group group = {.patch = index, .first = builder->entry_count, .parity = rest};
    for (uint32_t i = 0; i < patch->edge_count; i++) {
        const window_edge *edge = &builder->edges[patch->edge_first + i];
        if (edge_band_last(builder, edge, reach) < band) {
            group.parity ^= edge->step != INT64_MAX;
        } else if (edge_band_first(builder, edge, reach) <= band) {
            builder->entries[builder->entry_count++] = patch->edge_first + i;
        }
    }
    group.count = builder->entry_count - group.first;
    group_bound(builder, reach, band, &group);
    if (group.count > 0 || group.parity != 0) {
        builder->groups[builder->group_count++] = group;
    }
}

static loam_status bands_write(window_builder *builder, loam_arena *scratch) {
    const area_near *near = &builder->window->near;
    uint32_t *rests = loam_arena_take(scratch, near->patch_count, sizeof *rests);
    if (rests == NULL) {
        return LOAM_ARENA_FULL;
    }
    for (uint32_t i = 0; i < near->patch_count; i++) {
        rests[i] = patch_rest(builder, &near->patches[i]);
    }
    uint32_t band_count = band_count_of(builder);
    for (uint32_t band = 0; band < band_count; band++) {
        builder->bands[band] = builder->group_count;
        for (uint32_t i = 0; i < near->patch_count; i++) {
            group_write(builder, i, rests[i], band);
        }
    }
    builder->bands[band_count] = builder->group_count;
    builder->window->band_count = band_count;
    return LOAM_OK;
}

loam_status area_window_build(const loam_areas *areas, const areas_view *view, const area_box *box,
                              loam_arena *scratch, area_window *window) {
    *window = (area_window){.width = box->x1 - box->x0, .height = box->z1 - box->z0};
    LOAM_TRY(area_near_collect(areas, view, box, scratch, &window->near));
    window_builder builder = {.window = window};
    LOAM_TRY(edges_init(&builder, box, scratch));
    LOAM_TRY(bands_init(&builder, scratch));
    LOAM_TRY(bands_write(&builder, scratch));
    window->entries = builder.entries;
    window->groups = builder.groups;
    window->bands = builder.bands;
    return LOAM_OK;
}
