/* SPDX-License-Identifier: MIT
 *
 * contents.c: see contents.h. The secret of a seed is three times the seed and one.
 */
#include "tests/golden/contents.h"

#include "api/key/key.h"
#include "tests/golden/case.h"
#include "tests/support/dungeon_text.h"

enum { SEEDS = 10, RULES_BYTES = 64 << 10 };

/* Two locks on the way from the gate to the lair, the second behind the first, and a way round. */
#define MISSION                                                                                    \
    "{\"width\":80,\"height\":60,\"mission\":{\"rooms\":[{\"id\":\"gate\",\"kind\":\"entrance\"}," \
    "{"                                                                                            \
    "\"id\":\"yard\"},{\"id\":\"well\",\"kind\":\"small\"},{\"id\":\"hall\",\"kind\":\"large\"},{" \
    "\"id\":"                                                                                      \
    "\"tower\"},{\"id\":\"crypt\"},{\"id\":\"lair\",\"kind\":\"boss\"}],\"edges\":[{\"a\":"        \
    "\"gate\",\"b\":"                                                                              \
    "\"yard\"},{\"a\":\"yard\",\"b\":\"well\"},{\"a\":\"gate\",\"b\":\"well\"},{\"a\":\"yard\","   \
    "\"b\":"                                                                                       \
    "\"hall\",\"lock\":\"red\"},{\"a\":\"hall\",\"b\":\"tower\"},{\"a\":\"hall\",\"b\":\"crypt\"}" \
    ",{\"a\":"                                                                                     \
    "\"crypt\",\"b\":\"lair\",\"lock\":\"blue\"}],\"keys\":[{\"id\":\"red\"},{\"id\":\"blue\"}]}}"

/* A recipe, and rules as JSON, or NULL for the default. */
static const struct {
    const char *name, *recipe, *params, *rules;
} scenes[] = {
    {"dungeon.rooms, as by default", "dungeon.rooms", "{\"width\":48,\"height\":32}", NULL},
    {"dungeon.bsp, three locks", "dungeon.bsp", "{\"width\":64,\"height\":40}",
     "{\"rules\":[{\"name\":\"chest\",\"object\":\"chest\",\"where\":\"dead_end\"},{\"name\":"
     "\"pillar\",\"object\":\"pillar\",\"where\":\"open\",\"chance_permille\":600,\"blocking\":true"
     "},{\"name\":\"ambush\",\"object\":\"spawn_ambush\",\"where\":\"door_side\"}],\"locks\":{"
     "\"bridges\":3}}"},
    {"dungeon.rooms, keys that are used up", "dungeon.rooms", "{\"rooms\":20,\"loops_percent\":0}",
     "{\"rules\":[{\"name\":\"nest\",\"object\":\"spawn_nest\",\"total_max\":3,\"spacing\":9}],"
     "\"locks\":{\"bridges\":5,\"consumable\":true}}"},
    {"cave.cellular on 2 floors", "cave.cellular", "{\"width\":48,\"height\":32,\"floors\":2}",
     NULL},
    {"dungeon.mission, keys where the solver puts them", "dungeon.mission", MISSION, NULL},
    {"dungeon.mission, keys by rules", "dungeon.mission", MISSION,
     "{\"rules\":[{\"name\":\"red\",\"object\":\"key\",\"where\":\"any\",\"key\":\"red\",\"room\":"
     "\"well\"},{\"name\":\"blue\",\"object\":\"key\",\"where\":\"corner\",\"key\":\"blue\"},{"
     "\"name\":"
     "\"trap\",\"object\":\"trap\",\"where\":\"corridor\",\"chance_permille\":100},{\"name\":"
     "\"patrol\","
     "\"object\":\"spawn_patrol\",\"where\":\"any\",\"total_max\":2}]}"},
};

/* A dungeon of a scene, and the rules of what is in it. */
typedef struct scene_made {
    dungeon_made dungeon;
    void *memory;
    const loam_rules *rules;
    uint64_t sub;
} scene_made;

typedef void scene_visit(void *context, size_t scene, uint32_t seed, const scene_made *made);

static void visit_all(scene_visit *visit, void *context) {
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        for (uint32_t seed = 0; seed < SEEDS; seed++) {
            scene_made made = {.memory = malloc(RULES_BYTES), .sub = 3 * (uint64_t)seed + 1};
            loam_arena arena;
            loam_arena_init(&arena, made.memory, RULES_BYTES);
            made.rules = scenes[i].rules == NULL ? loam_content_default()
                                                 : rules_of_text(scenes[i].rules, &arena);
            dungeon_build_text(
                &made.dungeon,
                (dungeon_text){scenes[i].recipe, seed, scenes[i].params, LOAM_POLICY_DEGRADED});
            visit(context, i, seed, &made);
            dungeon_made_fini(&made.dungeon);
            free(made.memory);
        }
    }
}

static void print_content(FILE *to, uint32_t seed, const loam_content *content) {
    digest_stream stream;
    const loam_content_metrics *metrics = &content->floors[0].metrics;
    digest_begin(&stream);
    loam_content_encode(content, digest_sink(&stream));
    digest sum = digest_end(&stream);
    fprintf(to, "digest ");
    for (size_t i = 0; i < sizeof sum.bytes; i++) {
        fprintf(to, "%02x", sum.bytes[i]);
    }
    fprintf(to,
            " %2u %lld things, %lld blocking, %lld spawns, %lld locks, %lld keys, %lld of %lld "
            "steps critical, %lld back, %lld dropped\n",
            seed, (long long)metrics->objects, (long long)metrics->blocking,
            (long long)metrics->spawns, (long long)metrics->locks, (long long)metrics->keys,
            (long long)metrics->critical_steps, (long long)metrics->walk_steps,
            (long long)metrics->backtrack_steps, (long long)metrics->dropped);
}

static void write_line(void *context, size_t scene, uint32_t seed, const scene_made *made) {
    FILE *to = context;
    if (seed == 0) {
        fprintf(to, "\n%s, seeds 0 to %d\n", scenes[scene].name, SEEDS - 1);
    }
    size_t bytes = loam_content_bytes(&made->dungeon.dungeon);
    void *memory = malloc(bytes + 64);
    loam_arena arena;
    loam_content content;
    loam_error error = {0};
    loam_arena_init(&arena, memory, bytes + 64);
    loam_run run = {.arena = &arena};
    if (loam_content_build(&made->dungeon.dungeon, made->rules, made->sub, &run, &content,
                           &error) == LOAM_OK) {
        print_content(to, seed, &content);
    } else {
        fprintf(to, "seed %u: %s: %s\n", seed, error.pointer, error.text);
    }
    free(memory);
}

void contents_write(FILE *to) {
    fprintf(to, "loam %s: the golden catalogue of what is in dungeons\n", LOAM_VERSION_TEXT);
    visit_all(write_line, to);
}

static void write_case(void *context, size_t scene, uint32_t seed, const scene_made *made) {
    case_dungeon dungeon = {.recipe = loam_text_of(scenes[scene].recipe),
                            .seed = seed,
                            .params = made->dungeon.plan->params};
    case_write_content(context, &dungeon, made->sub, made->rules);
}

uint32_t contents_write_cases(byte_writer *writer) {
    if (writer != NULL) {
        visit_all(write_case, writer);
    }
    return (uint32_t)(sizeof scenes / sizeof scenes[0]) * SEEDS;
}
