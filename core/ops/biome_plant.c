/* SPDX-License-Identifier: MIT
 *
 * biome_plant.c: what the layers of biome.generate plant: density, asset, the attribute `biome`
 * and, where an asset has them, scale, heading and the attribute `radius`. All draws are the
 * candidate's own.
 */
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/attribute.h"
#include "core/ops/biome.h"

/* The columns that are written. Those that no asset wants are NULL. */
typedef struct planted_columns {
    uint32_t *density, *asset;
    int32_t *biome, *radius;
    uint16_t *scale, *yaw;
} planted_columns;

static loam_status take_columns(node_call *call, const biome_rules *rules, uint32_t count,
                                planted_columns *columns) {
    *columns = (planted_columns){
        .density = COLUMN_TAKE(call->arena, count, uint32_t),
        .asset = COLUMN_TAKE(call->arena, count, uint32_t),
        .biome = COLUMN_TAKE(call->arena, count, int32_t),
        .radius = rules->radii ? COLUMN_TAKE(call->arena, count, int32_t) : NULL,
        .scale = rules->scales ? COLUMN_TAKE(call->arena, count, uint16_t) : NULL,
        .yaw = rules->turns ? COLUMN_TAKE(call->arena, count, uint16_t) : NULL,
    };
    LOAM_TRY_MEMORY(columns->density, call->error);
    LOAM_TRY_MEMORY(columns->asset, call->error);
    LOAM_TRY_MEMORY(columns->biome, call->error);
    bool full = (rules->radii && columns->radius == NULL) ||
                (rules->scales && columns->scale == NULL) || (rules->turns && columns->yaw == NULL);
    return full ? loam_fail(call->error, LOAM_ARENA_FULL, NULL, "%s",
                            loam_status_text(LOAM_ARENA_FULL))
                : LOAM_OK;
}

/* Row keys of the three draws. */
typedef struct plant_keys {
    uint64_t asset, scale, yaw;
} plant_keys;

static void plant_row(const biome_layer *layer, const plant_keys *keys, uint32_t a, uint32_t row,
                      const planted_columns *columns) {
    uint32_t choice = weighted_choose(&layer->weights, draw_bits(keys->asset, a));
    const biome_asset *asset = &layer->assets[choice];
    columns->density[row] = layer->density;
    columns->asset[row] = asset->name;
    columns->biome[row] = (int32_t)layer->name;
    if (columns->radius != NULL) {
        columns->radius[row] = asset->radius;
    }
    if (columns->scale != NULL) {
        uint64_t bits = draw_bits(keys->scale, a);
        columns->scale[row] = (uint16_t)(asset->scale_min + ((bits * asset->scale_span) >> 32));
    }
    if (columns->yaw != NULL) {
        uint32_t bits = draw_bits(keys->yaw, a);
        columns->yaw[row] = asset->random_yaw ? (uint16_t)(bits >> 16) : 0;
    }
}

/* A dead row: what it holds is never read, but is always the same. */
static void clear_row(uint32_t row, const planted_columns *columns) {
    columns->density[row] = 0;
    columns->asset[row] = ASSET_NONE;
    columns->biome[row] = ATTRIBUTE_MISSING;
    if (columns->radius != NULL) {
        columns->radius[row] = ATTRIBUTE_MISSING;
    }
    if (columns->scale != NULL) {
        columns->scale[row] = LOAM_SCALE_ONE;
    }
    if (columns->yaw != NULL) {
        columns->yaw[row] = 0;
    }
}

static void plant_rows(node_call *call, const biome_rules *rules, const uint8_t *layer,
                       const site_lattice *lattice, const planted_columns *columns) {
    plant_keys keys = {draw_key(call->seed, DRAW_ASSET), draw_key(call->seed, DRAW_SCALE),
                       draw_key(call->seed, DRAW_YAW)};
    for (uint32_t j = 0; j < lattice->rows; j++) {
        uint32_t b = (uint32_t)(lattice->site_z + j);
        plant_keys row_keys = {draw_row_key(keys.asset, b), draw_row_key(keys.scale, b),
                               draw_row_key(keys.yaw, b)};
        for (uint32_t i = 0; i < lattice->stride; i++) {
            uint32_t row = j * lattice->stride + i;
            if (layer[row] == BIOME_NONE) {
                clear_row(row, columns);
                continue;
            }
            plant_row(&rules->layers[layer[row]], &row_keys, (uint32_t)lattice->site_x + i, row,
                      columns);
        }
    }
}

loam_status biome_plant(node_call *call, const biome_rules *rules, const uint8_t *layer,
                        point_set *set) {
    planted_columns columns;
    LOAM_TRY(take_columns(call, rules, set->count, &columns));
    plant_rows(call, rules, layer, set->lattice, &columns);
    set->density = columns.density;
    set->asset = columns.asset;
    set->scale = columns.scale;
    set->yaw = columns.yaw;
    LOAM_TRY(attribute_put(call, set, loam_text_of("biome"), LOAM_ATTRIBUTE_STRING, columns.biome));
    return columns.radius == NULL ? LOAM_OK
                                  : attribute_put(call, set, loam_text_of("radius"),
                                                  LOAM_ATTRIBUTE_FLOAT, columns.radius);
}
