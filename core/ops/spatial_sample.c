/* SPDX-License-Identifier: MIT
 *
 * spatial_sample.c: spatial.sample, a lattice in space. Site (i, j, k) covers the cube
 * [i s, (i + 1) s) x [j s, (j + 1) s) x [k s, (k + 1) s) of x, z and y and offers one candidate,
 * jittered inside it; those that the domain holds are points. Cells cut x and z alone.
 *
 * The origin of a site is the site itself, packed: 24 bits of i, 24 of j, 16 of k, so that ids stay
 * a bijection. Sites beyond that range are refused: 8,388,608 spacings from the origin sideways,
 * 32,768 up or down.
 */
#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/domain.h"

enum { SPACE_SPACING, SPACE_JITTER, SPACE_DENSITY, SPACE_MIN_Y, SPACE_MAX_Y };

/* x, y, z, a, b. */
enum { SPACE_BYTES_EACH = 20 };

#define SPACING_UNITS_MAX ((int64_t)1 << 20)
/* Points are between +-16,384 m, as terrain is. */
#define HEIGHT_UNITS_MAX ((int64_t)1 << 22)

enum { SITE_BITS = 24, LEVEL_BITS = 16, LEVEL_LOW_BITS = 8 };
#define SITE_MASK ((1u << SITE_BITS) - 1u)
#define LEVEL_LOW_MASK ((1u << LEVEL_LOW_BITS) - 1u)

static const loam_port_schema space_ports[] = {
    {"domain", LOAM_PORT_SPATIAL, true, DOMAIN_ALSO, false}};

/* Heights that nobody needs to give begin unset. */
#define PARAM_Y(key_, label_, text_)                                                               \
    PARAM(key_, label_, "m", FLOAT, BITS_UNITS, 0, LOAM_UNSET, -HEIGHT_UNITS_MAX,                  \
          HEIGHT_UNITS_MAX, 256, text_)

static const loam_param_schema space_params[] = {
    PARAM("spacing_m", "Spacing", "m", FLOAT, BITS_UNITS,
          LOAM_PARAM_REQUIRED | LOAM_PARAM_ROUND_UP | LOAM_PARAM_NONZERO, 0, 1, SPACING_UNITS_MAX,
          16, "Side of a cube of the lattice; each offers one candidate."),
    PARAM("jitter", "Jitter", "", FLOAT, BITS_RATIO, 0, 65536, 0, 65536, 655,
          "How far a candidate strays in its cube: 0 is its low corner, 1 all of it."),
    PARAM("density", "Density", "", FLOAT, BITS_DENSITY, 0, LOAM_DENSITY_ONE, 0, LOAM_DENSITY_ONE,
          1 << 17, "Density that every point begins with."),
    PARAM_Y("min_y_m", "Lowest", "No point is lower; must be given where the domain has no floor."),
    PARAM_Y("max_y_m", "Highest",
            "No point is higher; must be given where the domain has no ceiling."),
};

static bool is_given(const loam_node *node, uint32_t param) {
    return node->params[param].kind != LOAM_VALUE_UNSET;
}

/* Where points can be: the rectangle and the heights, cut by the domain's extent; closed. */
static volume_extent sample_extent(const loam_node *node, loam_rect rect,
                                   const volume_extent *domain) {
    volume_extent asked = {.low = {[SPACE_X] = rect.x0, [SPACE_Z] = rect.z0},
                           .high = {[SPACE_X] = rect.x1 - 1, [SPACE_Z] = rect.z1 - 1}};
    asked.low[SPACE_Y] =
        is_given(node, SPACE_MIN_Y) ? param_integer(node, SPACE_MIN_Y) : -HEIGHT_UNITS_MAX;
    asked.high[SPACE_Y] =
        is_given(node, SPACE_MAX_Y) ? param_integer(node, SPACE_MAX_Y) : HEIGHT_UNITS_MAX;
    return extent_join(VOLUME_INTERSECTION, &asked, domain);
}

/* Sites of one axis. */
typedef struct site_range {
    int64_t first;
    uint32_t count;
} site_range;

static site_range sites_of(const volume_extent *extent, uint32_t axis, int64_t spacing) {
    if (extent->low[axis] > extent->high[axis]) {
        return (site_range){0, 0};
    }
    int64_t first = floor_divide(extent->low[axis], spacing);
    int64_t last = floor_divide(extent->high[axis], spacing);
    return (site_range){first, (uint32_t)(last - first + 1)};
}

static loam_status space_check(const loam_node *node, const char *pointer, loam_error *error) {
    if (is_given(node, SPACE_MIN_Y) && is_given(node, SPACE_MAX_Y) &&
        param_integer(node, SPACE_MIN_Y) > param_integer(node, SPACE_MAX_Y)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "min_y_m is larger than max_y_m");
    }
    return LOAM_OK;
}

static loam_status space_check_inputs(const loam_node *node, const node_cost *inputs,
                                      const char *pointer, loam_error *error) {
    volume_extent domain = domain_cost(node, 0, inputs).extent;
    bool floor_missing = domain.low[SPACE_Y] == END_FREE_LOW && !is_given(node, SPACE_MIN_Y);
    if (floor_missing || (domain.high[SPACE_Y] == END_FREE_HIGH && !is_given(node, SPACE_MAX_Y))) {
        return loam_fail(
            error, LOAM_MISSING_FIELD, pointer, "%s is required: the domain has no %s of its own",
            floor_missing ? "min_y_m" : "max_y_m", floor_missing ? "floor" : "ceiling");
    }
    return LOAM_OK;
}

/* As far as its domain goes. */
static node_domain space_domain(const loam_node *node, const node_domain *inputs,
                                const loam_asset *const *assets) {
    (void)node;
    (void)assets;
    return inputs[0];
}

static void space_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                       node_cost *cost) {
    node_cost domain = domain_cost(node, 0, inputs);
    volume_extent extent = sample_extent(node, rect, &domain.extent);
    int64_t spacing = param_integer(node, SPACE_SPACING);
    uint64_t across = multiply_saturated(sites_of(&extent, SPACE_X, spacing).count,
                                         sites_of(&extent, SPACE_Z, spacing).count);
    uint64_t levels = sites_of(&extent, SPACE_Y, spacing).count;
    *cost = (node_cost){.candidates = multiply_saturated(across, levels),
                        .spacing_min = spacing,
                        .crowd = levels > 0 ? levels : 1};
    cost->fresh = cost->candidates;
    cost->bytes = multiply_saturated(cost->candidates, SPACE_BYTES_EACH);
    domain_add_cost(&domain, cost->candidates, cost);
}

/* The lattice over what is asked, and the columns that it fills. */
typedef struct space_lattice {
    site_range x, y, z;
    volume_extent extent;
    int64_t spacing;
    int64_t base_x, base_z;
    uint32_t jitter; /* in [0, jitter) */
    int32_t *px, *py, *pz;
    uint32_t *a, *b;
    uint32_t count;
} space_lattice;

static bool fits_bits(const site_range *sites, int bits) {
    int64_t most = (int64_t)1 << (bits - 1);
    return sites->count == 0 || (sites->first >= -most && sites->first + sites->count <= most);
}

static loam_status lattice_init(node_call *call, const volume *domain, space_lattice *lattice) {
    int64_t spacing = param_integer(call->node, SPACE_SPACING);
    int64_t jitter = param_integer(call->node, SPACE_JITTER);
    *lattice =
        (space_lattice){.spacing = spacing, .jitter = (uint32_t)(spacing * jitter >> BITS_RATIO)};
    lattice->extent = sample_extent(call->node, call->rect, volume_extent_of(domain));
    lattice->x = sites_of(&lattice->extent, SPACE_X, spacing);
    lattice->y = sites_of(&lattice->extent, SPACE_Y, spacing);
    lattice->z = sites_of(&lattice->extent, SPACE_Z, spacing);
    if (!fits_bits(&lattice->x, SITE_BITS) || !fits_bits(&lattice->z, SITE_BITS) ||
        !fits_bits(&lattice->y, LEVEL_BITS)) {
        return loam_fail(call->error, LOAM_COORDINATE_RANGE, call->pointer,
                         "the lattice has no sites so far from the origin; use a larger spacing");
    }
    lattice->base_x = lattice->x.first * spacing;
    lattice->base_z = lattice->z.first * spacing;
    size_t count = (size_t)lattice->x.count * lattice->y.count * lattice->z.count;
    lattice->px = COLUMN_TAKE(call->arena, (uint32_t)count, int32_t);
    lattice->py = COLUMN_TAKE(call->arena, (uint32_t)count, int32_t);
    lattice->pz = COLUMN_TAKE(call->arena, (uint32_t)count, int32_t);
    lattice->a = COLUMN_TAKE(call->arena, (uint32_t)count, uint32_t);
    lattice->b = COLUMN_TAKE(call->arena, (uint32_t)count, uint32_t);
    LOAM_TRY_MEMORY(lattice->px, call->error);
    LOAM_TRY_MEMORY(lattice->py, call->error);
    LOAM_TRY_MEMORY(lattice->pz, call->error);
    LOAM_TRY_MEMORY(lattice->a, call->error);
    LOAM_TRY_MEMORY(lattice->b, call->error);
    return LOAM_OK;
}

/* Keys of the three jitters: of the node, then of a row. */
typedef struct jitter_keys {
    uint64_t x, y, z;
} jitter_keys;

static inline int32_t stray(uint64_t row_key, uint32_t a, uint32_t jitter) {
    return (int32_t)(((uint64_t)draw_bits(row_key, a) * jitter) >> 32);
}

/* The candidates of one row of sites; those outside of what is asked are written over. */
static void place_row(space_lattice *lattice, int64_t j, int64_t k, const jitter_keys *keys) {
    const volume_extent *extent = &lattice->extent;
    uint32_t b = ((uint32_t)j & SITE_MASK) << LEVEL_LOW_BITS |
                 ((uint32_t)k >> LEVEL_LOW_BITS & LEVEL_LOW_MASK);
    jitter_keys row = {draw_row_key(keys->x, b), draw_row_key(keys->y, b),
                       draw_row_key(keys->z, b)};
    int32_t low_y = (int32_t)(k * lattice->spacing);
    int32_t low_z = (int32_t)((j - lattice->z.first) * lattice->spacing);
    int64_t x0 = extent->low[SPACE_X] - lattice->base_x,
            x1 = extent->high[SPACE_X] - lattice->base_x;
    int64_t z0 = extent->low[SPACE_Z] - lattice->base_z,
            z1 = extent->high[SPACE_Z] - lattice->base_z;
    uint32_t at = lattice->count;
    for (uint32_t i = 0; i < lattice->x.count; i++) {
        uint32_t site = (uint32_t)(lattice->x.first + i) & SITE_MASK;
        uint32_t a = site << LEVEL_LOW_BITS | ((uint32_t)k & LEVEL_LOW_MASK);
        int32_t x = (int32_t)(i * lattice->spacing) + stray(row.x, a, lattice->jitter);
        int32_t y = low_y + stray(row.y, a, lattice->jitter);
        int32_t z = low_z + stray(row.z, a, lattice->jitter);
        lattice->px[at] = x;
        lattice->py[at] = y;
        lattice->pz[at] = z;
        lattice->a[at] = a;
        lattice->b[at] = b;
        at += (uint32_t)((x >= x0) & (x <= x1) & (z >= z0) & (z <= z1) &
                         (y >= extent->low[SPACE_Y]) & (y <= extent->high[SPACE_Y]));
    }
    lattice->count = at;
}

static loam_status place_sites(node_call *call, space_lattice *lattice) {
    jitter_keys keys = {draw_key(call->seed, DRAW_JITTER_X), draw_key(call->seed, DRAW_JITTER_Y),
                        draw_key(call->seed, DRAW_JITTER_Z)};
    for (uint32_t k = 0; k < lattice->y.count; k++) {
        for (uint32_t j = 0; j < lattice->z.count; j++) {
            place_row(lattice, lattice->z.first + j, lattice->y.first + k, &keys);
        }
        LOAM_TRY(poll_cancel(call));
    }
    return LOAM_OK;
}

/* Drops what the domain does not hold; columns are the lattice's own. */
static void keep_inside(space_lattice *lattice, const uint8_t *inside) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < lattice->count; i++) {
        lattice->px[kept] = lattice->px[i];
        lattice->py[kept] = lattice->py[i];
        lattice->pz[kept] = lattice->pz[i];
        lattice->a[kept] = lattice->a[i];
        lattice->b[kept] = lattice->b[i];
        kept += inside[i];
    }
    lattice->count = kept;
}

static loam_status space_evaluate(node_call *call) {
    const volume *domain;
    space_lattice lattice;
    LOAM_TRY(domain_take(call, 0, &domain));
    LOAM_TRY(lattice_init(call, domain, &lattice));
    LOAM_TRY(place_sites(call, &lattice));
    uint8_t *inside = COLUMN_TAKE(call->arena, lattice.count, uint8_t);
    LOAM_TRY_MEMORY(inside, call->error);
    const volume_points points = {lattice.base_x, lattice.base_z, lattice.px,
                                  lattice.py,     lattice.pz,     lattice.count};
    LOAM_TRY(domain_hold(call, domain, &points, inside));
    keep_inside(&lattice, inside);
    *call->out = (point_set){
        .count = lattice.count,
        .base_x = lattice.base_x,
        .base_z = lattice.base_z,
        .x = lattice.px,
        .y = lattice.py,
        .z = lattice.pz,
        .a = lattice.a,
        .b = lattice.b,
        .id_key = draw_key(call->seed, DRAW_ID),
        .density_all = (uint32_t)param_integer(call->node, SPACE_DENSITY),
        .asset_all = ASSET_NONE,
    };
    call->path = "compact";
    return LOAM_OK;
}

const loam_operation spatial_sample_operation = {
    .name = "spatial.sample",
    .version = 1,
    .category = "sampling",
    .title = "Spatial sample",
    .description = "One candidate per site of a lattice in space, kept where the domain holds it.",
    .reach = "0",
    .ports = space_ports,
    .port_count = COUNT_OF(space_ports),
    .params = space_params,
    .param_count = COUNT_OF(space_params),
    .seeded = true,
};
const operation_code spatial_sample_code = {.check = space_check,
                                            .check_inputs = space_check_inputs,
                                            .domain = space_domain,
                                            .cost = space_cost,
                                            .see = domain_see,
                                            .evaluate = space_evaluate};
