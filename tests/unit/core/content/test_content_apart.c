/* SPDX-License-Identifier: MIT
 *
 * test_content_apart.c: what is in a dungeon leaves the dungeon alone: for every recipe the bytes
 * of the whole, of its layouts and of its assemblies, and its keys, are the same before and after
 * it is filled, whatever the rules and the secret; and yet these fill it in other ways.
 */
#include "core/base/mix.h"
#include "core/dungeon/recipe_table.h"
#include "tests/support/dungeon_text.h"

#include <criterion/criterion.h>

enum { RULES_BYTES = 64 << 10, SEEDS = 6 };

/* NULL: the default. */
static const char *const rule_sets[] = {
    NULL,
    "{\"rules\":[]}",
    "{\"rules\":[{\"name\":\"chest\",\"object\":\"chest\",\"where\":\"any\",\"chance_permille\":"
    "300},"
    "{\"name\":\"pillar\",\"object\":\"pillar\",\"where\":\"open\",\"blocking\":true},"
    "{\"name\":\"nest\",\"object\":\"spawn_nest\",\"where\":\"any\",\"spacing\":5}],"
    "\"locks\":{\"bridges\":2}}",
};
static const uint64_t secrets[] = {0, 1, UINT64_MAX};

/* What a recipe cannot do without. */
static const char *params_of(const loam_recipe *recipe) {
    return strcmp(recipe->name, "dungeon.mission") != 0
               ? "{\"width\":48,\"height\":40}"
               : "{\"mission\":{\"rooms\":[{\"id\":\"a\",\"kind\":\"entrance\"},{\"id\":\"b\"},{"
                 "\"id\":"
                 "\"c\",\"kind\":\"boss\"}],\"edges\":[{\"a\":\"a\",\"b\":\"b\"},{\"a\":\"b\","
                 "\"b\":"
                 "\"c\",\"lock\":\"k\"}],\"keys\":[{\"id\":\"k\"}]}}";
}

static void mix_in(void *context, const void *bytes, size_t size) {
    uint64_t *sum = context;
    *sum = mix_bytes(*sum, bytes, size);
}

/* Digests of all that is public. */
typedef struct public_sums {
    uint64_t whole, layout, assembly, key, layout_key, assembly_key;
} public_sums;

static public_sums sums_of(const dungeon_made *made) {
    public_sums sums = {0};
    loam_dungeon_encode(&made->dungeon, (loam_sink){mix_in, &sums.whole});
    for (uint32_t i = 0; i < made->dungeon.floor_count; i++) {
        loam_stage_encode(&made->dungeon, i, LOAM_STAGE_LAYOUT, (loam_sink){mix_in, &sums.layout});
        loam_stage_encode(&made->dungeon, i, LOAM_STAGE_ASSEMBLY,
                          (loam_sink){mix_in, &sums.assembly});
    }
    loam_dungeon_key(made->plan, (loam_sink){mix_in, &sums.key});
    loam_dungeon_stage_key(made->plan, LOAM_STAGE_LAYOUT, (loam_sink){mix_in, &sums.layout_key});
    loam_dungeon_stage_key(made->plan, LOAM_STAGE_ASSEMBLY,
                           (loam_sink){mix_in, &sums.assembly_key});
    return sums;
}

/* The digest of what is in it. */
static uint64_t fill(const dungeon_made *made, const char *rules, uint64_t secret) {
    size_t bytes = loam_content_bytes(&made->dungeon);
    void *memory = malloc(RULES_BYTES + bytes);
    loam_arena read, arena;
    loam_arena_init(&read, memory, RULES_BYTES);
    loam_arena_init(&arena, (uint8_t *)memory + RULES_BYTES, bytes);
    const loam_rules *document = rules == NULL ? NULL : rules_of_text(rules, &read);
    loam_run run = {.arena = &arena};
    loam_content content;
    loam_error error = {0};
    cr_assert_eq(loam_content_build(&made->dungeon, document, secret, &run, &content, &error),
                 LOAM_OK, "%s: %s", made->plan->recipe->name, error.text);
    uint64_t sum = 0;
    loam_content_encode(&content, (loam_sink){mix_in, &sum});
    free(memory);
    return sum;
}

static void expect_apart(const loam_recipe *recipe, uint64_t seed) {
    dungeon_made made;
    uint64_t filled[COUNT_OF(rule_sets)][COUNT_OF(secrets)];
    dungeon_build_text(&made,
                       (dungeon_text){recipe->name, seed, params_of(recipe), LOAM_POLICY_DEGRADED});
    cr_assert_eq(made.status, LOAM_OK, "%s: %s", recipe->name, made.error.text);
    public_sums before = sums_of(&made);
    for (size_t i = 0; i < COUNT_OF(rule_sets); i++) {
        for (size_t j = 0; j < COUNT_OF(secrets); j++) {
            filled[i][j] = fill(&made, rule_sets[i], secrets[j]);
            public_sums after = sums_of(&made);
            cr_assert_arr_eq(&before, &after, sizeof before, "%s seed %u", recipe->name,
                             (unsigned)seed);
        }
    }
    cr_expect_neq(filled[0][0], filled[1][0], "rules matter");
    cr_expect_neq(filled[0][0], filled[2][0], "rules matter");
    cr_expect(filled[0][0] != filled[0][1] || filled[0][0] != filled[0][2], "%s: secrets matter",
              recipe->name);
    dungeon_made_fini(&made);
}

Test(content_apart, rules_and_secrets_change_nothing_public_of_any_recipe) {
    uint32_t recipes = 0;
    for (uint32_t i = 0; i < loam_recipe_count(); i++) {
        const loam_recipe *recipe = loam_recipe_at(i);
        for (uint64_t seed = 0; seed < SEEDS && recipe_code_of(recipe) != NULL; seed++) {
            expect_apart(recipe, seed);
            recipes += seed == 0;
        }
    }
    cr_expect_eq(recipes, 9);
}
