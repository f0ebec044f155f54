/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_seeds.c: many seeds with random parameters for every recipe of the table: nothing
 * hangs or crashes, what is there can be reached, what is refused says why. LOAM_DUNGEON_SEEDS says
 * how many seeds (a sample by default; `make check` takes all that the house promises).
 */
#include "core/dungeon/recipe_table.h"
#include "tests/support/dungeon_text.h"
#include "tests/unit/core/base/byte_buffer.h"
#include "tests/unit/core/dungeon/seed_tally.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <time.h>

/* Seeds of the sample, for each recipe: some milliseconds each at 48 x 32. */
enum { SAMPLE_SEEDS = 120, SAMPLE_SIDE = 256, CORNER_SEEDS = 2, CORNER_SEEDS_FULL = 25 };

/* A mission and its like: what has no default. */
static const struct {
    const char *key, *json;
} required[] = {
    {"mission", "{\"rooms\": [{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"c\"}], \"edges\": "
                "[{\"a\": \"a\", \"b\": \"b\"}, {\"a\": \"b\", \"b\": \"c\"}]}"},
};

static uint32_t seeds_asked(void) {
    const char *asked = getenv("LOAM_DUNGEON_SEEDS");
    return asked == NULL ? SAMPLE_SEEDS : (uint32_t)strtoul(asked, NULL, 10);
}

/* What the values of a row are drawn from. */
typedef struct value_range {
    int64_t least, most;
} value_range;

/* What rows before say about those that follow: cells along the least room (or leaf, less its
 * margins), and whether they were drawn. */
typedef struct side_bounds {
    int64_t cells;
    bool drawn;
} side_bounds;

static bool is_key(const loam_param_schema *row, const char *key) {
    return strcmp(row->key, key) == 0;
}

/* Rows that defaults fit no longer once a least side was drawn. */
static bool follows_sides(const loam_param_schema *row) {
    return is_key(row, "room_max") || is_key(row, "room_margin_max") ||
           is_key(row, "corridor_width");
}

/* The row's, but sides are those that the map has room for, the largest begins at the least, and
 * margins and corridors fit it: what is drawn is seldom refused, and corners are covered. */
static value_range range_of(const loam_param_schema *row, loam_spot size, side_bounds sides) {
    int64_t inside = size.x < size.y ? size.x : size.y, most = row->max, least = row->min;
    if (is_key(row, "room_max")) {
        least = sides.cells > least ? sides.cells : least;
    }
    if (is_key(row, "room_min") || is_key(row, "room_max") || is_key(row, "leaf_min")) {
        most = inside < most ? inside : most;
    }
    if (is_key(row, "room_margin_max")) {
        most = (sides.cells - 1) / 2 < most ? (sides.cells - 1) / 2 : most;
    }
    if (is_key(row, "corridor_width") && sides.cells > 0) {
        most = sides.cells < most ? sides.cells : most;
    }
    return (value_range){least, most < least ? least : most};
}

static void note_side(const loam_param_schema *row, int64_t value, bool drawn, side_bounds *sides) {
    if (is_key(row, "room_min") || is_key(row, "leaf_min")) {
        *sides = (side_bounds){value, drawn};
    }
    if (is_key(row, "room_margin_max")) {
        sides->cells -= 2 * value;
    }
}

/* A value of a row, now and then at a corner of its range; nothing where the default is to do. A
 * number that is drawn is left in *drawn. */
static int print_value(char *to, size_t room, const loam_param_schema *row, value_range range,
                       int64_t *drawn, test_random *random) {
    int64_t corner = random_between(random, 0, 5);
    int64_t most = range.most;
    if (row->kind == LOAM_PARAM_CHOICE) {
        most = 0;
        while (row->choices[most + 1] != NULL) {
            most++;
        }
        return snprintf(to, room, ", \"%s\": \"%s\"", row->key,
                        row->choices[random_between(random, 0, most)]);
    }
    if (row->kind == LOAM_PARAM_BOOL) {
        return snprintf(to, room, ", \"%s\": %s", row->key, corner % 2 == 0 ? "true" : "false");
    }
    if (row->kind == LOAM_PARAM_INT) {
        int64_t near = row->initial == LOAM_UNSET ? row->min + 40 : row->initial * 2 + 8;
        int64_t high = near < most ? near : most;
        high = high < range.least ? range.least : high;
        *drawn = corner == 0   ? range.least
                 : corner == 1 ? most
                               : random_between(random, range.least, high);
        return snprintf(to, room, ", \"%s\": %lld", row->key, (long long)*drawn);
    }
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
        if (strcmp(row->key, required[i].key) == 0) {
            return snprintf(to, room, ", \"%s\": %s", row->key, required[i].json);
        }
    }
    return 0;
}

/* What every recipe takes: mostly its defaults. `size` becomes what is inside the border. */
static int print_common(char *to, size_t room, loam_spot *size, test_random *random) {
    int32_t border = random_between(random, 0, 3) > 0
                         ? 1
                         : (int32_t)random_between(random, 0, LAYOUT_BORDER_MAX);
    int floors = random_between(random, 0, 5) > 0 ? 1 : 2;
    int used =
        snprintf(to, room,
                 "{\"width\": %d, \"height\": %d, \"border\": %d, \"floors\": %d, "
                 "\"outside\": \"%s\"",
                 size->x, size->y, border, floors, layout_outsides[random_between(random, 0, 1)]);
    *size = (loam_spot){size->x - 2 * border, size->y - 2 * border};
    return used;
}

static void print_params(char *to, size_t room, const loam_recipe *recipe, loam_spot size,
                         test_random *random) {
    int used = print_common(to, room, &size, random);
    side_bounds sides = {0};
    for (uint32_t i = LAYOUT_PARAMS; i < recipe->param_count; i++) {
        const loam_param_schema *row = &recipe->params[i];
        bool needed = (row->flags & LOAM_PARAM_REQUIRED) != 0;
        bool drawn =
            needed || (sides.drawn && follows_sides(row)) || random_between(random, 0, 2) > 0;
        int64_t value = row->initial;
        if (drawn) {
            used += print_value(to + used, room - (size_t)used, row, range_of(row, size, sides),
                                &value, random);
        }
        note_side(row, value, drawn, &sides);
    }
    (void)snprintf(to + used, room - (size_t)used, "}");
}

static void expect_explained(const loam_dungeon_floor *floor, const char *params) {
    for (uint32_t i = 0; i < floor->attempt_count; i++) {
        const loam_attempt *attempt = &floor->attempts[i];
        bool good = attempt->verdict == LOAM_VERDICT_OK;
        cr_expect_eq(good, attempt->reason_count == 0, "%s", params);
        cr_expect_eq(good, i == floor->chosen && floor->status == LOAM_DUNGEON_OK, "%s", params);
        for (uint32_t r = 0; r < attempt->reason_count; r++) {
            cr_expect_neq(attempt->reasons[r].text.size, 0, "%s", params);
        }
    }
}

/* What stands in for attempts that all failed is none of them. */
static bool names_reason(const loam_dungeon_floor *floor, const char *word) {
    const loam_attempt *chosen = &floor->attempts[floor->chosen];
    for (uint32_t r = 0; floor->chosen < floor->attempt_count && r < chosen->reason_count; r++) {
        if (loam_text_equal(chosen->reasons[r].code, loam_text_of(word))) {
            return true;
        }
    }
    return false;
}

/* What must be reachable is; where regions are apart on purpose nothing must. */
static void expect_playable(const dungeon_made *made, const loam_dungeon_floor *floor,
                            const char *params) {
    const char *recipe = made->plan->recipe->name;
    const loam_value *checks = made->plan->values[LAYOUT_CHECKS].items;
    if (checks[CHECK_REACHABLE_PERCENT].kind == LOAM_VALUE_UNSET) {
        return;
    }
    cr_expect_eq(floor->metrics.unreachable, 0, "%s %s", recipe, params);
    cr_expect_eq(floor->metrics.regions, 1, "%s %s", recipe, params);
    /* A set of tiles may lay a door at the rim of a map without a border: it is told. */
    bool told = names_reason(floor, "doors");
    cr_expect(floor->metrics.door_faults == 0 || told, "%s %s", recipe, params);
    cr_expect_geq(floor->metrics.path_steps, 0, "%s %s", recipe, params);
}

static void expect_refused(const dungeon_made *made, const char *recipe, const char *params) {
    cr_expect_neq(made->error.text[0], 0, "%s", params);
    bool named = strncmp(made->error.pointer, "/params", 7) == 0 ||
                 strcmp(made->error.pointer, "/policy") == 0;
    cr_expect(named, "%s: %s %s", params, made->error.pointer, made->error.text);
    cr_expect_neq(made->status, LOAM_ARENA_FULL, "%s %s", recipe, params);
}

static void try_seed(const loam_recipe *recipe, dungeon_text text, loam_spot size,
                     seed_tally *tally) {
    char params[2048];
    dungeon_made made;
    test_random random = {text.seed * 2 + 1};
    print_params(params, sizeof params, recipe, size, &random);
    text.recipe = recipe->name;
    text.params = params;
    clock_t start = clock();
    dungeon_build_text(&made, text);
    tally_add(tally, &made, text.seed, (double)(clock() - start) / CLOCKS_PER_SEC);
    for (uint32_t i = 0; made.status == LOAM_OK && i < made.dungeon.floor_count; i++) {
        expect_explained(&made.dungeon.floors[i], params);
        expect_playable(&made, &made.dungeon.floors[i], params);
    }
    if (made.status != LOAM_OK) {
        expect_refused(&made, recipe->name, params);
    }
    dungeon_made_fini(&made);
}

/* Recipes that make dungeons: each is a test of its own, so that they run beside each other. */
static struct criterion_test_params dungeon_recipes(void) {
    static uint32_t indices[64];
    size_t count = 0;
    for (uint32_t i = 0; i < loam_recipe_count() && count < sizeof indices / sizeof *indices; i++) {
        if (recipe_code_of(loam_recipe_at(i)) != NULL) {
            indices[count++] = i;
        }
    }
    return cr_make_param_array(uint32_t, indices, count);
}

ParameterizedTestParameters(dungeon_seeds, random_parameters_at_48_by_32) {
    return dungeon_recipes();
}

ParameterizedTest(uint32_t *index, dungeon_seeds, random_parameters_at_48_by_32, .timeout = 36000) {
    const loam_recipe *recipe = loam_recipe_at(*index);
    static seed_tally tally;
    uint32_t seeds = seeds_asked();
    for (uint32_t seed = 0; seed < seeds; seed++) {
        try_seed(recipe, (dungeon_text){.seed = seed}, (loam_spot){48, 32}, &tally);
    }
    tally_print(&tally, recipe->name, "48x32");
    cr_expect_gt(tally.ends[SEED_OK], 0, "%s", recipe->name);
}

ParameterizedTestParameters(dungeon_seeds, size_corners) {
    return dungeon_recipes();
}

/* With every policy: what is refused by one is degraded or another dungeon by the next. */
ParameterizedTest(uint32_t *index, dungeon_seeds, size_corners, .timeout = 36000) {
    const loam_recipe *recipe = loam_recipe_at(*index);
    static seed_tally tally;
    bool full = seeds_asked() > SAMPLE_SEEDS;
    int32_t widest = (int32_t)recipe->params[LAYOUT_WIDTH].max;
    int32_t most = full || widest < SAMPLE_SIDE ? widest : SAMPLE_SIDE;
    loam_spot corners[] = {{8, 8}, {most, 8}, {8, most}, {most, most}};
    for (uint32_t seed = 0; seed < (full ? CORNER_SEEDS_FULL : CORNER_SEEDS); seed++) {
        for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
            dungeon_text text = {.seed = seed, .policy = (loam_policy)((seed + i) % 3)};
            try_seed(recipe, text, corners[i], &tally);
        }
    }
    tally_print(&tally, recipe->name, "corners");
}
