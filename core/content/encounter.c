/* SPDX-License-Identifier: MIT
 *
 * encounter.c: who comes out of a spawn. Threat from the player, strength from threat and progress,
 * a pool from strength and place, and one draw keyed by (sub, spawn, wave). Fixed point throughout;
 * each step leaves its reason.
 */
#include "core/base/fixed_math.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/content/encounter_table.h"
#include "core/grid/draw.h"

#include <stdarg.h>
#include <stdio.h>

enum { PLAYER_NUMBER_MAX = 1000000, PERMILLE = 1000, REASON_BYTES = 200 };
/* Reasons beside those of meta rules: threat, strength, who, behaviour. */
enum { REASONS_FIXED = 4 };

/* How it goes on at a place, where neither table nor pool says otherwise. */
#define TEXT_VALUE(text_)                                                                          \
    {                                                                                              \
        .kind = LOAM_RULES_TEXT, .text = { text_, sizeof(text_) - 1 }                              \
    }
#define CELLS_VALUE(mantissa_, exponent_)                                                          \
    { .kind = LOAM_RULES_NUMBER, .mantissa = mantissa_, .exponent = exponent_ }
#define KEY_TEXT(text_)                                                                            \
    { text_, sizeof(text_) - 1 }

enum { TRAITS_OF_PLACE = 3 };
static const loam_text place_keys[TRAITS_OF_PLACE] = {
    KEY_TEXT("alert_cells"), KEY_TEXT("formation"), KEY_TEXT("leash_cells")};
static const loam_rules place_values[LOAM_PLACE_KINDS][TRAITS_OF_PLACE] = {
    [LOAM_PLACE_CORRIDOR] = {CELLS_VALUE(3, 1), TEXT_VALUE("file"), CELLS_VALUE(3, 2)},
    [LOAM_PLACE_ROOM] = {CELLS_VALUE(1, 3), TEXT_VALUE("spread"), CELLS_VALUE(1, 4)},
    [LOAM_PLACE_AMBUSH] = {CELLS_VALUE(3, 0), TEXT_VALUE("hidden"), CELLS_VALUE(1, 3)},
    [LOAM_PLACE_NEST] = {CELLS_VALUE(1, 2), TEXT_VALUE("swarm"), CELLS_VALUE(3, 1)},
    [LOAM_PLACE_BOSS] = {CELLS_VALUE(3, 2), TEXT_VALUE("guard"), CELLS_VALUE(3, 3)},
};

typedef struct encounter_call {
    const loam_encounter_request *request;
    encounter_table table;
    loam_arena *arena;
    loam_error *error;
    loam_encounter *out;
    loam_reason *reasons;
} encounter_call;

static loam_status give_reason(encounter_call *call, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static loam_status give_reason(encounter_call *call, const char *code, const char *format, ...) {
    char text[REASON_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    loam_reason *reason = &call->reasons[call->out->reason_count++];
    reason->code = loam_text_of(code);
    return text_copy(loam_text_of(text), call->arena, &reason->text) == LOAM_OK
               ? LOAM_OK
               : loam_fail(call->error, LOAM_ARENA_FULL, NULL, "%s",
                           loam_status_text(LOAM_ARENA_FULL));
}

/* ---- Strength ------------------------------------------------------------------------------- */

static loam_status check_number(int64_t number, int64_t most, const char *pointer,
                                loam_error *error) {
    return number >= 0 && number <= most
               ? LOAM_OK
               : loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "it is at least 0 and at most %lld",
                           (long long)most);
}

static loam_status check_request(const loam_encounter_request *request, loam_error *error) {
    const loam_player *player = &request->player;
    LOAM_TRY(check_number(player->level, PLAYER_NUMBER_MAX, "/player/level", error));
    LOAM_TRY(check_number(player->gear, PLAYER_NUMBER_MAX, "/player/gear", error));
    LOAM_TRY(check_number(player->health_permille, PERMILLE, "/player/health_permille", error));
    LOAM_TRY(check_number(player->streak, PLAYER_NUMBER_MAX, "/player/streak", error));
    return check_number(request->progress_permille, PERMILLE, "/progress_permille", error);
}

static loam_status find_threat(encounter_call *call) {
    const loam_player *player = &call->request->player;
    const encounter_table *table = &call->table;
    int64_t sum = player->level * table->level_weight + player->gear * table->gear_weight +
                  player->health_permille * table->health_weight +
                  player->streak * table->streak_weight;
    int64_t threat = floor_divide(sum, PERMILLE);
    threat = threat < 0 ? 0 : threat > ENCOUNTER_THREAT_MAX ? ENCOUNTER_THREAT_MAX : threat;
    call->out->threat = threat;
    return give_reason(call, "threat", "level %lld, gear %lld, health %lld, streak %lld: %lld",
                       (long long)player->level, (long long)player->gear,
                       (long long)player->health_permille, (long long)player->streak,
                       (long long)threat);
}

static int64_t clamp_strength(int64_t strength) {
    return strength < 0 ? 0 : strength > ENCOUNTER_STRENGTH_MAX ? ENCOUNTER_STRENGTH_MAX : strength;
}

static loam_status find_strength(encounter_call *call) {
    loam_encounter *out = call->out;
    int64_t base = encounter_curve_at(&call->table.base, call->request->progress_permille);
    int64_t coefficient = encounter_curve_at(&call->table.coefficient, out->threat);
    int64_t million = (int64_t)PERMILLE * PERMILLE;
    out->strength = clamp_strength(base * (million + out->threat * coefficient) / million);
    LOAM_TRY(give_reason(call, "strength", "base %lld, coefficient %lld: %lld", (long long)base,
                         (long long)coefficient, (long long)out->strength));
    for (uint32_t i = 0; i < call->table.meta_count; i++) {
        const encounter_meta *meta = &call->table.metas[i];
        if (call->request->player.streak >= meta->streak_min) {
            out->strength = clamp_strength(out->strength * (100 + meta->strength_percent) / 100);
            LOAM_TRY(give_reason(call, "meta", "streak of %lld or more, %+lld %%: %lld",
                                 (long long)meta->streak_min, (long long)meta->strength_percent,
                                 (long long)out->strength));
        }
    }
    return LOAM_OK;
}

/* ---- Who ------------------------------------------------------------------------------------ */

static bool fits_place(const encounter_call *call, const encounter_pool *pool) {
    return !pool->placed || pool->place == call->request->spawn->place;
}

/* How far a strength is from a band. */
static int64_t miss(const encounter_pool *pool, int64_t strength) {
    return strength < pool->min   ? pool->min - strength
           : strength > pool->max ? strength - pool->max
                                  : 0;
}

static int64_t sum_weights(const encounter_call *call) {
    int64_t total = 0;
    for (uint32_t i = 0; i < call->table.pool_count; i++) {
        const encounter_pool *pool = &call->table.pools[i];
        bool fits = fits_place(call, pool) && miss(pool, call->out->strength) == 0;
        total += fits ? pool->weight : 0;
    }
    return total;
}

/* One of the pools that hold the strength, by weight; `total` is above 0. */
static const encounter_pool *draw_pool(const encounter_call *call, int64_t total) {
    const loam_encounter_request *request = call->request;
    uint64_t key = draw_for(request->sub, STAGE_ENCOUNTER, request->spawn->id, request->wave);
    uint64_t bits = draw_at(key, 0);
    int64_t left = draw_below(bits, (uint32_t)total);
    const encounter_pool *pool = call->table.pools;
    for (;; pool++) {
        if (fits_place(call, pool) && miss(pool, call->out->strength) == 0) {
            left -= pool->weight;
            if (left < 0) {
                return pool;
            }
        }
    }
}

/* The nearest band, the first of equal ones; of those that fit the place, if any do. */
static const encounter_pool *find_nearest(const encounter_call *call) {
    const encounter_pool *best = NULL;
    for (uint32_t any = 0; any < 2 && best == NULL; any++) {
        for (uint32_t i = 0; i < call->table.pool_count; i++) {
            const encounter_pool *pool = &call->table.pools[i];
            int64_t here = miss(pool, call->out->strength);
            if ((any != 0 || fits_place(call, pool)) &&
                (best == NULL || here < miss(best, call->out->strength))) {
                best = pool;
            }
        }
    }
    return best;
}

/* The pool whose archetype the fallback is, or NULL. */
static const encounter_pool *find_archetype(const encounter_call *call, loam_text archetype) {
    for (uint32_t i = 0; i < call->table.pool_count; i++) {
        if (loam_text_equal(call->table.pools[i].archetype, archetype)) {
            return &call->table.pools[i];
        }
    }
    return NULL;
}

static loam_status find_pool(encounter_call *call, const encounter_pool **pool) {
    int64_t total = sum_weights(call), strength = call->out->strength;
    if (total > 0) {
        *pool = draw_pool(call, total);
        call->out->archetype = (*pool)->archetype;
        return give_reason(call, "pool", "%lld is in the band %lld to %lld, weight %lld of %lld",
                           (long long)strength, (long long)(*pool)->min, (long long)(*pool)->max,
                           (long long)(*pool)->weight, (long long)total);
    }
    if (call->table.fallback.size > 0) {
        *pool = find_archetype(call, call->table.fallback);
        call->out->archetype = call->table.fallback;
        return give_reason(call, "fallback", "no band holds %lld at this place",
                           (long long)strength);
    }
    *pool = find_nearest(call);
    call->out->archetype = (*pool)->archetype;
    return give_reason(call, "nearest", "no band holds %lld; the nearest is %lld to %lld",
                       (long long)strength, (long long)(*pool)->min, (long long)(*pool)->max);
}

/* What a pool has at its least strength, in proportion. */
static int64_t scale(int64_t value, int64_t strength, int64_t least, int64_t floor) {
    int64_t scaled = value * strength / (least > 0 ? least : 1);
    return scaled < floor ? floor : scaled;
}

static void fill_numbers(encounter_call *call, const encounter_pool *pool) {
    loam_encounter *out = call->out;
    out->level = out->strength > 0 ? out->strength : 1;
    out->health =
        pool == NULL ? ENCOUNTER_HEALTH : scale(pool->health, out->strength, pool->min, 1);
    out->damage =
        pool == NULL ? ENCOUNTER_DAMAGE : scale(pool->damage, out->strength, pool->min, 0);
}

/* Traits of the place, then over them those of the pool; both are in order of their names. */
static loam_status fill_behaviour(encounter_call *call, const encounter_pool *pool) {
    static const loam_rules none = {.kind = LOAM_RULES_OBJECT};
    loam_place_kind place = call->request->spawn->place;
    const loam_rules *own = pool == NULL || pool->behaviour == NULL ? &none : pool->behaviour;
    loam_trait *traits =
        loam_arena_take(call->arena, TRAITS_OF_PLACE + (size_t)own->count, sizeof *traits);
    LOAM_TRY_MEMORY(traits, call->error);
    uint32_t at = 0, mine = 0, count = 0;
    while (at < TRAITS_OF_PLACE || mine < own->count) {
        int order = at == TRAITS_OF_PLACE ? 1
                    : mine == own->count  ? -1
                                          : loam_text_compare(place_keys[at], own->keys[mine]);
        traits[count++] = order < 0 ? (loam_trait){place_keys[at], &place_values[place][at]}
                                    : (loam_trait){own->keys[mine], &own->items[mine]};
        at += order <= 0;
        mine += order >= 0;
    }
    call->out->behaviour = traits;
    call->out->behaviour_count = count;
    return give_reason(call, "behaviour", "as at the place %s, %u of its own",
                       loam_place_kind_name(place), own->count);
}

loam_status loam_encounter_resolve(const loam_encounter_request *request, loam_arena *arena,
                                   loam_encounter *encounter, loam_error *error) {
    encounter_call call = {.request = request, .arena = arena, .error = error, .out = encounter};
    const encounter_pool *pool;
    *encounter = (loam_encounter){0};
    LOAM_TRY(check_request(request, error));
    LOAM_TRY(encounter_table_read(request->table, "/table", arena, &call.table, error));
    call.reasons =
        loam_arena_take(arena, REASONS_FIXED + call.table.meta_count, sizeof *call.reasons);
    LOAM_TRY_MEMORY(call.reasons, error);
    encounter->reasons = call.reasons;
    LOAM_TRY(find_threat(&call));
    LOAM_TRY(find_strength(&call));
    LOAM_TRY(find_pool(&call, &pool));
    fill_numbers(&call, pool);
    return fill_behaviour(&call, pool);
}
