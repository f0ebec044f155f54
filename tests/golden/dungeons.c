/* SPDX-License-Identifier: MIT
 *
 * dungeons.c: see dungeons.h. A group of lines is a recipe in a size, or a scene: its head has the
 * build key of the first seed. A request that a recipe refuses has a line too, but no case.
 */
#include "tests/golden/dungeons.h"

#include "api/key/key.h"
#include "core/dungeon/recipe_table.h"
#include "tests/golden/case.h"
#include "tests/support/dungeon_text.h"

enum { SEEDS = 25 };

/* Sizes, with what else tells them apart. */
static const struct {
    const char *name, *params;
} sizes[] = {
    {"16x12", "\"width\": 16, \"height\": 12"},
    {"32x24 on 2 floors", "\"width\": 32, \"height\": 24, \"floors\": 2"},
    {"48x32", "\"width\": 48, \"height\": 32"},
    {"80x50 in the open", "\"width\": 80, \"height\": 50, \"outside\": \"open\""},
};

/* Five rooms, one of which has a way to each other. */
#define STAR                                                                                       \
    "\"width\": 100, \"height\": 80, \"mission\": {\"rooms\": [{\"id\": \"a\", \"kind\": "         \
    "\"large\"}, "                                                                                 \
    "{\"id\": \"b\", \"kind\": \"entrance\"}, {\"id\": \"c\"}, {\"id\": \"d\"}, {\"id\": \"e\", "  \
    "\"kind\": "                                                                                   \
    "\"boss\"}], \"edges\": [{\"a\": \"a\", \"b\": \"b\"}, {\"a\": \"a\", \"b\": \"c\"}, {\"a\": " \
    "\"a\", "                                                                                      \
    "\"b\": \"d\"}, {\"a\": \"a\", \"b\": \"e\"}, {\"a\": \"b\", \"b\": \"c\"}]}"

/* More of one recipe: what the sizes do not show. */
static const struct {
    const char *recipe, *name, *params;
} scenes[] = {
    {"dungeon.rooms", "crowded, half of the dead ends kept",
     "{\"width\": 50, \"height\": 60, \"rooms\": 60, \"room_min\": 3, \"room_max\": 6, \"gap\": 1, "
     "\"loops_percent\": 60, \"corridor_width\": 3, \"dead_end_keep_percent\": 50}"},
    {"dungeon.rooms", "crowded, no dead end kept",
     "{\"width\": 50, \"height\": 60, \"rooms\": 60, \"room_min\": 3, \"room_max\": 6, \"gap\": 1, "
     "\"loops_percent\": 60, \"corridor_width\": 3, \"dead_end_keep_percent\": 0}"},
    {"dungeon.mission", "straight", "{" STAR ", \"corridor_style\": \"straight\"}"},
    {"dungeon.mission", "one bend", "{" STAR ", \"corridor_style\": \"l\"}"},
    {"dungeon.mission", "two bends", "{" STAR ", \"corridor_style\": \"z\"}"},
    {"dungeon.mission", "short", "{" STAR ", \"corridor_style\": \"astar\"}"},
};

/* What a recipe cannot do without. */
static const struct {
    const char *recipe, *params;
} needs[] = {
    {"dungeon.mission",
     "\"mission\": {\"rooms\": [{\"id\": \"a\", \"kind\": \"entrance\"}, {\"id\": \"b\"}, {\"id\": "
     "\"c\"}, {\"id\": \"d\", \"kind\": \"boss\"}], \"edges\": [{\"a\": \"a\", \"b\": \"b\"}, "
     "{\"a\": \"a\", \"b\": \"c\"}, {\"a\": \"b\", \"b\": \"c\"}, {\"a\": \"c\", \"b\": \"d\", "
     "\"lock\": \"k1\"}], \"keys\": [{\"id\": \"k1\"}]}"},
};

static void print_params(char *to, size_t room, const char *recipe, size_t size) {
    const char *more = NULL;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        more = strcmp(needs[i].recipe, recipe) == 0 ? needs[i].params : more;
    }
    snprintf(to, room, "{%s%s%s}", sizes[size].params, more == NULL ? "" : ", ",
             more == NULL ? "" : more);
}

/* The dungeon is the visitor's while it runs. */
typedef void dungeon_visit(void *context, const dungeon_text *text, const char *name, uint32_t seed,
                           dungeon_made *made);

typedef struct visiting {
    dungeon_visit *visit;
    void *context;
} visiting;

static void visit_seeds(visiting with, const char *recipe, const char *name, const char *params) {
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        dungeon_made made;
        dungeon_text text = {recipe, seed, params, LOAM_POLICY_DEGRADED};
        dungeon_build_text(&made, text);
        with.visit(with.context, &text, name, seed, &made);
        dungeon_made_fini(&made);
    }
}

/* Each recipe in each size with each seed, then the scenes. */
static void visit_all(dungeon_visit *visit, void *context) {
    char params[1024];
    for (uint32_t r = 0; r < loam_recipe_count(); r++) {
        const loam_recipe *recipe = loam_recipe_at(r);
        for (size_t size = 0; size < COUNT_OF(sizes) && recipe_code_of(recipe) != NULL; size++) {
            print_params(params, sizeof params, recipe->name, size);
            visit_seeds((visiting){visit, context}, recipe->name, sizes[size].name, params);
        }
    }
    for (size_t i = 0; i < COUNT_OF(scenes); i++) {
        visit_seeds((visiting){visit, context}, scenes[i].recipe, scenes[i].name, scenes[i].params);
    }
}

static void print_hex(FILE *to, const char *name, digest sum) {
    fprintf(to, "%s ", name);
    for (size_t i = 0; i < sizeof sum.bytes; i++) {
        fprintf(to, "%02x", sum.bytes[i]);
    }
}

static void print_metrics(FILE *to, const loam_dungeon *dungeon) {
    const loam_dungeon_floor *floor = &dungeon->floors[0];
    const loam_metrics *metrics = &floor->metrics;
    fprintf(to,
            " %s in %lld, %lld%% floor, %lld rooms, %lld edges, %lld loops, %lld doors, %lld "
            "steps, %u boxes\n",
            loam_dungeon_status_name(dungeon->status), (long long)metrics->attempts,
            (long long)metrics->floor_percent, (long long)metrics->rooms, (long long)metrics->edges,
            (long long)metrics->loops, (long long)metrics->doors, (long long)metrics->path_steps,
            floor->assembly.collider_count);
}

static void write_line(void *context, const dungeon_text *text, const char *name, uint32_t seed,
                       dungeon_made *made) {
    FILE *to = context;
    digest_stream stream;
    if (seed == 0) {
        fprintf(to, "\n%s %s, seeds 0 to %d\n", text->recipe, name, SEEDS - 1);
    }
    if (seed == 0 && made->plan != NULL) {
        digest_begin(&stream);
        loam_dungeon_key(made->plan, digest_sink(&stream));
        print_hex(to, "key", digest_end(&stream));
        fprintf(to, "\n");
    }
    if (made->status != LOAM_OK) {
        fprintf(to, "seed %u: %s at %s: %s\n", seed, loam_status_code(made->status),
                made->error.pointer, made->error.text);
        return;
    }
    digest_begin(&stream);
    loam_dungeon_encode(&made->dungeon, digest_sink(&stream));
    print_hex(to, "digest", digest_end(&stream));
    fprintf(to, " %2u", seed);
    print_metrics(to, &made->dungeon);
}

void dungeons_write(FILE *to) {
    fprintf(to, "loam %s: the golden catalogue of dungeons\n", LOAM_VERSION_TEXT);
    visit_all(write_line, to);
}

typedef struct case_list {
    byte_writer *writer;
    uint32_t count;
} case_list;

static void write_case(void *context, const dungeon_text *text, const char *name, uint32_t seed,
                       dungeon_made *made) {
    case_list *list = context;
    (void)name;
    bool plan = made->plan != NULL, whole = made->status == LOAM_OK;
    if (!whole && !(plan && seed == 0)) {
        return;
    }
    list->count++;
    if (list->writer != NULL) {
        case_write_dungeon(list->writer, &(case_dungeon){.recipe = loam_text_of(text->recipe),
                                                         .seed = text->seed,
                                                         .params = made->plan->params,
                                                         .has_key = seed == 0,
                                                         .has_artifact = whole});
    }
}

uint32_t dungeons_write_cases(byte_writer *writer) {
    case_list list = {writer, 0};
    visit_all(write_case, &list);
    return list.count;
}
