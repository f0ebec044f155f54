/* SPDX-License-Identifier: MIT
 *
 * dungeon_plan.c: from a request to what is built: the recipe, every parameter with its default and
 * in its range, and a refusal, before anything runs, of what cannot be done at all.
 */
#include "core/assembly/assembly.h"
#include "core/assembly/tile_map.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/dungeon/dungeon_params.h"
#include "core/dungeon/floor_build.h"
#include "core/dungeon/recipe_table.h"

#include <string.h>

/* Cells of all floors of one request together: one floor of the largest size. More is asked for
 * floor by floor. */
#define DUNGEON_CELLS_MAX ((uint64_t)LAYOUT_SIDE_MAX * LAYOUT_SIDE_MAX)

static loam_status find_recipe(const loam_dungeon_request *request, loam_dungeon_plan *plan,
                               loam_error *error) {
    if (loam_recipe_find(request->recipe, 0) == NULL) {
        return loam_fail(error, LOAM_UNKNOWN_RECIPE, "/recipe", "there is no recipe \"%.*s\"",
                         request->recipe.size > NAME_BYTES_MAX ? NAME_BYTES_MAX
                                                               : (int)request->recipe.size,
                         request->recipe.bytes);
    }
    plan->recipe = loam_recipe_find(request->recipe, request->version);
    if (plan->recipe == NULL) {
        return loam_fail(error, LOAM_VERSION_UNAVAILABLE, "/version",
                         "the recipe has no version %u here", (unsigned)request->version);
    }
    if (recipe_code_of(plan->recipe) == NULL) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, "/recipe", "%s makes no dungeon",
                         plan->recipe->name);
    }
    return LOAM_OK;
}

/* Fields of `checks` are there even when the whole is not given, and what must be reachable is
 * everything, unless the recipe makes regions apart on purpose. */
static loam_status fill_checks(loam_dungeon_plan *plan, loam_value *values, loam_arena *arena,
                               loam_error *error) {
    loam_value *checks = loam_arena_take_zero(arena, CHECK_COUNT, sizeof *checks);
    const recipe_code *code = recipe_code_of(plan->recipe);
    LOAM_TRY_MEMORY(checks, error);
    if (values[LAYOUT_CHECKS].kind == LOAM_VALUE_LIST) {
        memcpy(checks, values[LAYOUT_CHECKS].items, CHECK_COUNT * sizeof *checks);
    }
    loam_value *reachable = &checks[CHECK_REACHABLE_PERCENT];
    if (reachable->kind == LOAM_VALUE_UNSET && (code->apart == NULL || !code->apart(values))) {
        *reachable = (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = 100};
    }
    values[LAYOUT_CHECKS] =
        (loam_value){.kind = LOAM_VALUE_LIST, .items = checks, .item_count = CHECK_COUNT};
    return LOAM_OK;
}

static loam_status read_values(const loam_dungeon_request *request, loam_dungeon_plan *plan,
                               loam_arena *arena, loam_error *error) {
    static const loam_rules nothing = {.kind = LOAM_RULES_OBJECT};
    const loam_recipe *recipe = plan->recipe;
    const loam_value *read;
    loam_value *values = loam_arena_take(arena, recipe->param_count, sizeof *values);
    loam_rules *document = loam_arena_take(arena, 1, sizeof *document);
    LOAM_TRY_MEMORY(values, error);
    LOAM_TRY_MEMORY(document, error);
    LOAM_TRY(rules_read(request->params == NULL ? &nothing : request->params, recipe->params,
                        recipe->param_count, "/params", arena, &read, error));
    memcpy(values, read, recipe->param_count * sizeof *values);
    LOAM_TRY(fill_checks(plan, values, arena, error));
    LOAM_TRY(params_document(recipe->params, recipe->param_count, values, arena, document, error));
    plan->values = values;
    plan->params = document;
    return LOAM_OK;
}

static loam_status check_floors(loam_dungeon_plan *plan, loam_error *error) {
    const loam_value *floor = &plan->values[LAYOUT_FLOOR];
    plan->floors = (uint32_t)plan->values[LAYOUT_FLOORS].integer;
    plan->floor = floor->kind == LOAM_VALUE_UNSET ? -1 : (int32_t)floor->integer;
    if (plan->floor >= (int32_t)plan->floors) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, "/params/floor",
                         "floor is below floors, which is %u", (unsigned)plan->floors);
    }
    uint64_t built = plan->floor < 0 ? plan->floors : 1;
    uint64_t cells = built * (uint64_t)plan->width * (uint64_t)plan->height;
    if (cells > DUNGEON_CELLS_MAX) {
        return loam_fail(error, LOAM_BUDGET_EXCEEDED, "/params/floors",
                         "%llu cells on all floors are more than %llu: ask for single floors",
                         (unsigned long long)cells, (unsigned long long)DUNGEON_CELLS_MAX);
    }
    return LOAM_OK;
}

static loam_status check_policy(const loam_dungeon_plan *plan, loam_error *error) {
    if (plan->policy == LOAM_POLICY_FALLBACK && recipe_code_of(plan->recipe)->no_fallback) {
        return loam_fail(error, LOAM_INFEASIBLE, "/policy", "%s has no fallback",
                         plan->recipe->name);
    }
    return LOAM_OK;
}

loam_status loam_dungeon_plan_build(const loam_dungeon_request *request, loam_arena *arena,
                                    const loam_dungeon_plan **plan, loam_error *error) {
    LOAM_TRY(loam_self_test(error));
    loam_dungeon_plan *made = loam_arena_take_zero(arena, 1, sizeof *made);
    LOAM_TRY_MEMORY(made, error);
    made->seed = request->seed;
    made->policy = request->policy;
    LOAM_TRY(find_recipe(request, made, error));
    LOAM_TRY(check_policy(made, error));
    LOAM_TRY(read_values(request, made, arena, error));
    const recipe_code *code = recipe_code_of(made->recipe);
    layout_size size = plan_size(made);
    made->width = size.width;
    made->height = size.height;
    made->attempts_max = (uint32_t)made->values[LAYOUT_ATTEMPTS_MAX].integer;
    LOAM_TRY(check_floors(made, error));
    if (code->check != NULL) {
        LOAM_TRY(code->check(made->values, size, error));
    }
    if (code->feasible != NULL && made->policy == LOAM_POLICY_STRICT) {
        LOAM_TRY(code->feasible(made->values, size, error));
    }
    LOAM_TRY(tile_map_read(made->values[LAYOUT_TILE_MAP].rules, "/params/tile_map", arena,
                           &made->tile_map, error));
    made->steps = code->steps(made->values, size);
    LOAM_TRY(floor_bytes(made, arena, &made->arena_bytes, error));
    made->arena_bytes *= made->floor < 0 ? made->floors : 1;
    *plan = made;
    return LOAM_OK;
}
