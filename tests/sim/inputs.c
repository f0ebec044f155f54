/* SPDX-License-Identifier: MIT
 *
 * inputs.c: see inputs.h.
 */
#include "tests/sim/inputs.h"

#include <stdlib.h>
#include <string.h>

enum { METRE = LOAM_UNITS_PER_METRE };

/* A coordinate in and around the place, in units. */
static int64_t around(dice *from, int64_t corner_m, int64_t side_m) {
    return dice_between(from, (corner_m - side_m / 3) * METRE, (corner_m + side_m * 4 / 3) * METRE);
}

static void make_hills(dice *from, sim_place place, sim_inputs *inputs) {
    loam_heightfield *hills = &inputs->hills;
    int64_t fine = place.side_m * METRE * LOAM_FINE_PER_UNIT / (HILLS_SIDE - 9);
    fine = dice_percent(from, 50) ? fine / LOAM_FINE_PER_UNIT * LOAM_FINE_PER_UNIT : fine | 1;
    *hills = (loam_heightfield){
        .width = HILLS_SIDE,
        .height = HILLS_SIDE,
        .spacing_fine = fine,
        .origin_x = place.x_m * METRE + dice_between(from, -6, 3) * fine / LOAM_FINE_PER_UNIT,
        .origin_z = place.z_m * METRE + dice_between(from, -6, 3) * fine / LOAM_FINE_PER_UNIT,
        .samples = inputs->heights};
    loam_heightmap recipe = {.seed = dice_roll(from),
                             .width = HILLS_SIDE,
                             .height = HILLS_SIDE,
                             .spacing_fine = fine,
                             .origin_x = hills->origin_x,
                             .origin_z = hills->origin_z,
                             .wavelength = place.side_m * METRE / 3,
                             .amplitude = 60 * LOAM_HEIGHT_STEPS_PER_METRE,
                             .base = 60 * LOAM_HEIGHT_STEPS_PER_METRE,
                             .octaves = 3};
    if (loam_heightmap_fbm(&recipe, LOAM_SIMD_BASELINE, inputs->heights, NULL) != LOAM_OK) {
        abort();
    }
}

static void make_way(dice *from, sim_place place, uint32_t i, sim_way *way) {
    way->count = (uint32_t)dice_between(from, 2, WAY_VERTICES);
    way->key = i % 3 == 0 ? 7 : 20 + i;
    for (uint32_t v = 0; v < way->count; v++) {
        way->xz[2 * v] = around(from, place.x_m, place.side_m);
        way->xz[2 * v + 1] = around(from, place.z_m, place.side_m);
    }
    if (way->count > 3 && dice_percent(from, 40)) {
        way->xz[2 * way->count - 2] = way->xz[0];
        way->xz[2 * way->count - 1] = way->xz[1];
    }
}

static void make_triangle(dice *from, sim_place place, sim_zone *zone) {
    zone->count = 4;
    for (uint32_t v = 0; v < 3; v++) {
        zone->xz[2 * v] = around(from, place.x_m, place.side_m);
        zone->xz[2 * v + 1] = around(from, place.z_m, place.side_m);
    }
    zone->xz[6] = zone->xz[0];
    zone->xz[7] = zone->xz[1];
}

static void make_box(dice *from, sim_place place, sim_zone *zone) {
    int64_t x0 = around(from, place.x_m, place.side_m), z0 = around(from, place.z_m, place.side_m);
    int64_t x1 = x0 + dice_between(from, 20, place.side_m / 2) * METRE;
    int64_t z1 = z0 + dice_between(from, 20, place.side_m / 2) * METRE;
    const int64_t corners[] = {x0, z0, x1, z0, x1, z1, x0, z1, x0, z0};
    memcpy(zone->xz, corners, sizeof corners);
    zone->count = 5;
    zone->hole = dice_percent(from, 50);
}

static void make_zone(dice *from, sim_place place, sim_zone *zone) {
    *zone = (sim_zone){.margin = LOAM_UNSET, .buffer = LOAM_UNSET};
    if (dice_percent(from, 50)) {
        make_triangle(from, place, zone);
    } else {
        make_box(from, place, zone);
    }
    if (dice_percent(from, 30)) {
        zone->margin = dice_between(from, 0, 20 * METRE);
    }
    if (dice_percent(from, 30)) {
        zone->buffer = dice_between(from, 0, 30 * METRE);
    }
}

static void make_tree(dice *from, sim_place place, uint32_t i, sim_inputs *inputs) {
    inputs->trees[i] = (loam_site){.x = around(from, place.x_m, place.side_m),
                                   .z = around(from, place.z_m, place.side_m),
                                   .y = (int32_t)dice_between(from, -9000, 30000),
                                   .feature = i,
                                   .key = i / 2 + 31};
    inputs->ages[i] = dice_percent(from, 30) ? LOAM_MISSING : (int32_t)dice_between(from, 0, 90);
    inputs->sizes[i] = dice_percent(from, 30) ? LOAM_MISSING : (int32_t)dice_between(from, 0, 9999);
    inputs->kinds[i] = dice_percent(from, 30) ? LOAM_MISSING : (int32_t)dice_between(from, 0, 1);
}

void inputs_make(dice *from, sim_place place, sim_inputs *inputs) {
    memset(inputs, 0, sizeof *inputs);
    make_hills(from, place, inputs);
    inputs->way_count = WAYS - 1;
    inputs->zone_count = ZONES - 1;
    inputs->tree_count = TREES - 1;
    for (uint32_t i = 0; i < inputs->way_count; i++) {
        make_way(from, place, i, &inputs->ways[i]);
    }
    for (uint32_t i = 0; i < inputs->zone_count; i++) {
        make_zone(from, place, &inputs->zones[i]);
    }
    for (uint32_t i = 0; i < inputs->tree_count; i++) {
        make_tree(from, place, i, inputs);
    }
}

/* ---- Assets --------------------------------------------------------------------------------- */

static bool lines_asset(const sim_inputs *inputs, loam_arena *arena, loam_asset *asset) {
    loam_line lines[WAYS];
    for (uint32_t i = 0; i < inputs->way_count; i++) {
        const sim_way *way = &inputs->ways[i];
        lines[i] = (loam_line){way->xz, way->count, i, way->key};
    }
    const loam_lines_source source = {lines, inputs->way_count};
    return loam_lines_build(&source, arena, &asset->lines, NULL) == LOAM_OK;
}

/* A hole is a box in the middle of its box. */
static void make_hole(const sim_zone *zone, int64_t *xz) {
    int64_t x0 = zone->xz[0], z0 = zone->xz[1];
    int64_t width = zone->xz[4] - x0, depth = zone->xz[5] - z0;
    const int64_t low_x = x0 + width / 4, high_x = x0 + width * 3 / 4;
    const int64_t low_z = z0 + depth / 4, high_z = z0 + depth * 2 / 3;
    const int64_t corners[] = {low_x,  low_z, high_x, low_z, high_x,
                               high_z, low_x, high_z, low_x, low_z};
    memcpy(xz, corners, sizeof corners);
}

static bool areas_asset(const sim_inputs *inputs, loam_arena *arena, loam_asset *asset) {
    loam_polygon polygons[ZONES];
    loam_ring rings[2 * ZONES];
    int64_t holes[ZONES][2 * ZONE_VERTICES];
    loam_area_feature features[ZONES];
    for (uint32_t i = 0; i < inputs->zone_count; i++) {
        const sim_zone *zone = &inputs->zones[i];
        make_hole(zone, holes[i]);
        rings[2 * i] = (loam_ring){zone->xz, zone->count};
        rings[2 * i + 1] = (loam_ring){holes[i], ZONE_VERTICES};
        polygons[i] = (loam_polygon){&rings[2 * i], zone->hole ? 2 : 1, i};
        features[i] = (loam_area_feature){11 + i, zone->margin, zone->buffer};
    }
    const loam_areas_source source = {polygons, inputs->zone_count, features, inputs->zone_count};
    return loam_areas_build(&source, arena, &asset->areas, NULL) == LOAM_OK;
}

static bool sites_asset(const sim_inputs *inputs, loam_arena *arena, loam_asset *asset) {
    static const loam_text kinds[] = {{"oak", 3}, {"pine", 4}};
    const loam_attribute properties[] = {
        {{"age", 3}, LOAM_ATTRIBUTE_INT, inputs->ages, NULL, 0},
        {{"kind", 4}, LOAM_ATTRIBUTE_STRING, inputs->kinds, kinds, 2},
        {{"size", 4}, LOAM_ATTRIBUTE_FLOAT, inputs->sizes, NULL, 0}};
    const loam_sites_source source = {inputs->trees, inputs->tree_count, properties, 3};
    return loam_sites_build(&source, arena, &asset->sites, NULL) == LOAM_OK;
}

bool inputs_asset(sim_inputs *inputs, loam_port_kind kind, loam_arena *arena, loam_asset *asset) {
    *asset = (loam_asset){.kind = kind};
    switch (kind) {
    case LOAM_PORT_HEIGHTFIELD:
        asset->heightfield = &inputs->hills;
        return loam_heightfield_init(&inputs->hills, NULL) == LOAM_OK;
    case LOAM_PORT_LINES:
        return lines_asset(inputs, arena, asset);
    case LOAM_PORT_AREAS:
        return areas_asset(inputs, arena, asset);
    default:
        return sites_asset(inputs, arena, asset);
    }
}

/* ---- Edits ---------------------------------------------------------------------------------- */

/* Small steps and large ones. */
static int64_t step_of(dice *from, sim_place place) {
    int64_t most = dice_percent(from, 50) ? 5 * METRE : place.side_m * METRE / 4;
    return dice_between(from, -most, most);
}

static void edit_way(dice *from, sim_place place, sim_inputs *inputs) {
    uint32_t i = dice_below(from, inputs->way_count);
    sim_way *way = &inputs->ways[i];
    if (dice_percent(from, 15)) {
        *way = inputs->ways[--inputs->way_count];
    } else if (dice_percent(from, 15)) {
        way->key = dice_below(from, 30);
    } else {
        way->xz[dice_below(from, 2 * way->count)] += step_of(from, place);
    }
}

static void edit_zone(dice *from, sim_place place, sim_inputs *inputs) {
    sim_zone *zone = &inputs->zones[dice_below(from, inputs->zone_count)];
    int64_t dx = step_of(from, place), dz = step_of(from, place);
    switch (dice_below(from, 4)) {
    case 0:
        zone->margin = dice_between(from, 0, 20 * METRE);
        return;
    case 1:
        zone->buffer = dice_between(from, 0, 30 * METRE);
        return;
    case 2:
        *zone = inputs->zones[--inputs->zone_count];
        return;
    default:
        for (uint32_t v = 0; v < zone->count; v++) {
            zone->xz[2 * v] += dx;
            zone->xz[2 * v + 1] += dz;
        }
    }
}

static void edit_tree(dice *from, sim_place place, sim_inputs *inputs) {
    uint32_t i = dice_below(from, inputs->tree_count);
    switch (dice_below(from, 5)) {
    case 0:
        inputs->ages[i] = (int32_t)dice_between(from, 0, 90);
        return;
    case 1:
        inputs->kinds[i] = (int32_t)dice_between(from, 0, 1);
        return;
    case 2:
        inputs->trees[i].y += 300;
        return;
    case 3:
        inputs->tree_count = i > 0 ? i : 1;
        return;
    default:
        inputs->trees[i].x += step_of(from, place);
        inputs->trees[i].z += step_of(from, place);
    }
}

void inputs_edit(dice *from, loam_port_kind kind, sim_place place, sim_inputs *inputs) {
    switch (kind) {
    case LOAM_PORT_HEIGHTFIELD:
        inputs->heights[dice_below(from, HILLS_SIDE * HILLS_SIDE)] +=
            (int32_t)dice_between(from, -3, 3) * LOAM_HEIGHT_STEPS_PER_METRE;
        return;
    case LOAM_PORT_LINES:
        edit_way(from, place, inputs);
        return;
    case LOAM_PORT_AREAS:
        edit_zone(from, place, inputs);
        return;
    default:
        edit_tree(from, place, inputs);
    }
}

void inputs_edit_far(loam_port_kind kind, sim_place place, int64_t far_units, int64_t by,
                     sim_inputs *inputs) {
    int64_t x = (place.x_m + place.side_m) * METRE + far_units, z = place.z_m * METRE + by;
    if (kind == LOAM_PORT_LINES) {
        inputs->way_count = WAYS;
        inputs->ways[WAYS - 1] = (sim_way){{x, z, x + 900, z + 1000}, 2, 99};
    } else if (kind == LOAM_PORT_AREAS) {
        inputs->zone_count = ZONES;
        inputs->zones[ZONES - 1] =
            (sim_zone){{x, z, x + 900, z, x, z + 800, x, z}, 4, false, LOAM_UNSET, LOAM_UNSET};
    } else if (kind == LOAM_PORT_POINTS) {
        inputs->tree_count = TREES;
        inputs->trees[TREES - 1] = (loam_site){.x = x, .z = z, .feature = TREES - 1, .key = 999};
        inputs->ages[TREES - 1] = inputs->sizes[TREES - 1] = 5;
        inputs->kinds[TREES - 1] = 1;
    }
}
