/* SPDX-License-Identifier: MIT
 *
 * loam_encounter.h: who comes out of a spawn point: a pure function of content, a table, the player
 * and the wave.
 */
#ifndef LOAM_ENCOUNTER_H
#define LOAM_ENCOUNTER_H

#include "core/loam_content.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef struct loam_player {
    int64_t level, gear;     /* 0 to 1,000,000 */
    int64_t health_permille; /* 0 to 1,000 */
    int64_t streak;          /* rooms without damage, 0 to 1,000,000 */
} loam_player;

typedef struct loam_encounter_request {
    const loam_spawn *spawn;
    const loam_rules *table;
    loam_player player;
    int64_t progress_permille; /* how far into the dungeon, 0 to 1,000 */
    uint32_t wave;
    uint64_t sub;
} loam_encounter_request;

/* A behaviour's parameter, as the table or the place gives it. */
typedef struct loam_trait {
    loam_text name;
    const loam_rules *value;
} loam_trait;

typedef struct loam_encounter {
    loam_text archetype;
    int64_t level, health, damage;
    int64_t threat; /* permille */
    int64_t strength;
    const loam_trait *behaviour; /* by name */
    uint32_t behaviour_count;
    const loam_reason *reasons; /* how it came to this, in order */
    uint32_t reason_count;
} loam_encounter;

/* Whether a document is an encounter table. `scratch` is given back. */
LOAM_MUST_USE loam_status loam_encounter_check(const loam_rules *table, loam_arena *scratch,
                                               loam_error *error);

/* Who comes out of a spawn: a pure function of the request. Names and traits are borrowed from the
 * table, lists and texts come from `arena`. Pointers of errors are into a document {"player",
 * "progress_permille", "table"}. */
LOAM_MUST_USE loam_status loam_encounter_resolve(const loam_encounter_request *request,
                                                 loam_arena *arena, loam_encounter *encounter,
                                                 loam_error *error);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
