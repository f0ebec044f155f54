/* SPDX-License-Identifier: MIT
 *
 * encounter_table.h: an encounter table, read and checked: how strong, and who.
 */
#ifndef LOAM_CONTENT_ENCOUNTER_TABLE_H
#define LOAM_CONTENT_ENCOUNTER_TABLE_H

#include "core/loam_dungeon.h"
#include "core/schema/schema.h"

/* Bounds: base * (10^6 + THREAT_MAX * COEFFICIENT_MAX) is below 2^62. */
enum { ENCOUNTER_THREAT_MAX = 4000, ENCOUNTER_COEFFICIENT_MAX = 1000000 };
#define ENCOUNTER_STRENGTH_MAX ((int64_t)1000000000)

/* Points [x, y] with rising x; one value where there is one point. */
typedef struct encounter_curve {
    const int64_t *points; /* x, y, x, y, ... */
    uint32_t count;
} encounter_curve;

typedef struct encounter_pool {
    loam_text archetype;
    int64_t min, max, weight;
    bool placed; /* only at `place` */
    loam_place_kind place;
    int64_t health, damage;
    const loam_rules *behaviour; /* an object, or NULL */
} encounter_pool;

typedef struct encounter_meta {
    int64_t streak_min, strength_percent;
} encounter_meta;

typedef struct encounter_table {
    encounter_curve base;        /* by progress, permille */
    encounter_curve coefficient; /* permille, by threat */
    int64_t level_weight, gear_weight, health_weight, streak_weight;
    const encounter_pool *pools;
    uint32_t pool_count;
    const encounter_meta *metas;
    uint32_t meta_count;
    loam_text fallback; /* empty: none */
} encounter_table;

/* What a pool has where it says nothing, and a fallback that no pool has. */
enum { ENCOUNTER_HEALTH = 10, ENCOUNTER_DAMAGE = 1 };

/* Everything from `arena`; names are borrowed. Pointers begin with `pointer`. */
LOAM_MUST_USE loam_status encounter_table_read(const loam_rules *document, const char *pointer,
                                               loam_arena *arena, encounter_table *table,
                                               loam_error *error);

/* The value of a curve: straight between points, floored, level beyond its ends. */
int64_t encounter_curve_at(const encounter_curve *curve, int64_t x);

#endif
