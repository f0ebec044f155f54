/* SPDX-License-Identifier: MIT
 *
 * test_lock_graph.c: keys and locks against what a player could do, tried out one by one.
 */
#include "core/content/lock_graph.h"
#include "core/grid/draw.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>
#include <string.h>

enum { NODES_MAX_HERE = 40, LINKS_MAX_HERE = 256 };

typedef struct graph_builder {
    uint32_t locks[NODES_MAX_HERE], first[NODES_MAX_HERE + 1], links[LINKS_MAX_HERE];
    bool joined[NODES_MAX_HERE][NODES_MAX_HERE];
    lock_graph graph;
} graph_builder;

static void builder_init(graph_builder *builder, uint32_t nodes, uint32_t locks) {
    memset(builder, 0, sizeof *builder);
    memset(builder->locks, 0xff, sizeof builder->locks);
    builder->graph = (lock_graph){.node_count = nodes,
                                  .locks = builder->locks,
                                  .first = builder->first,
                                  .links = builder->links,
                                  .lock_count = locks};
}

static void join(graph_builder *builder, uint32_t a, uint32_t b) {
    builder->joined[a][b] = builder->joined[b][a] = true;
}

/* A door between two places, with a lock or without. */
static void join_by(graph_builder *builder, uint32_t a, uint32_t b, uint32_t lock) {
    uint32_t door = builder->graph.node_count++;
    builder->locks[door] = lock;
    join(builder, a, door);
    join(builder, door, b);
}

static void builder_finish(graph_builder *builder) {
    uint32_t used = 0;
    for (uint32_t a = 0; a < builder->graph.node_count; a++) {
        builder->first[a] = used;
        for (uint32_t b = 0; b < builder->graph.node_count; b++) {
            if (builder->joined[a][b]) {
                builder->links[used++] = b;
            }
        }
    }
    builder->first[builder->graph.node_count] = used;
}

static bool is_solvable(const graph_builder *builder, const lock_key *keys, uint32_t count,
                        uint32_t *stuck) {
    static loam_arena arena;
    if (arena.memory == NULL) {
        arena = arena_of(1 << 20);
    }
    loam_arena_reset(&arena, 0);
    lock_flood flood;
    loam_error error = {0};
    bool solvable = false;
    cr_assert_eq(lock_flood_init(&flood, &builder->graph, &arena, &error), LOAM_OK);
    cr_assert_eq(lock_check(&flood, keys, count, &arena, &solvable, stuck, &error), LOAM_OK);
    return solvable;
}

/* A - B -k1- C -k2- D. */
static void build_chain(graph_builder *builder) {
    builder_init(builder, 4, 2);
    join(builder, 0, 1);
    join_by(builder, 1, 2, 0);
    join_by(builder, 2, 3, 1);
    builder_finish(builder);
}

Test(lock_graph, a_chain_with_two_locks_has_six_legal_placements) {
    graph_builder builder;
    uint32_t legal = 0, stuck;
    build_chain(&builder);
    for (uint32_t first = 0; first < 4; first++) {
        for (uint32_t second = 0; second < 4; second++) {
            lock_key keys[] = {{0, first}, {1, second}};
            bool solvable = is_solvable(&builder, keys, 2, &stuck);
            cr_expect_eq(solvable, first < 2 && second < 3);
            legal += solvable;
        }
    }
    cr_expect_eq(legal, 6);
}

Test(lock_graph, a_key_behind_its_own_lock_is_named) {
    graph_builder builder;
    uint32_t stuck;
    build_chain(&builder);
    lock_key keys[] = {{0, 2}, {1, LOCK_NONE}};
    cr_expect_not(is_solvable(&builder, keys, 2, &stuck));
    cr_expect_eq(stuck, 0);
    /* Each behind the other's lock. */
    keys[0] = (lock_key){1, 3};
    keys[1] = (lock_key){0, LOCK_NONE};
    cr_expect_not(is_solvable(&builder, keys, 2, &stuck));
    cr_expect_eq(stuck, 1);
}

/* ---- Consumable keys, played out ------------------------------------------------------------ */

static bool has_open_way(const graph_builder *builder, uint32_t opened, bool *reached) {
    bool more = true;
    memset(reached, 0, NODES_MAX_HERE);
    reached[0] = true;
    while (more) {
        more = false;
        for (uint32_t a = 0; a < builder->graph.node_count; a++) {
            for (uint32_t b = 0; b < builder->graph.node_count && reached[a]; b++) {
                bool open = builder->locks[b] == LOCK_NONE || (opened >> b & 1) != 0;
                if (builder->joined[a][b] && open && !reached[b]) {
                    reached[b] = more = true;
                }
            }
        }
    }
    for (uint32_t a = 0; a < builder->graph.node_count; a++) {
        if (!reached[a]) {
            return false;
        }
    }
    return true;
}

/* Whether no order of opening doors gets stuck: every one is tried. */
static bool never_stuck(const graph_builder *builder, const lock_key *keys, uint32_t count,
                        uint32_t opened, uint32_t spent) {
    bool reached[NODES_MAX_HERE];
    if (has_open_way(builder, opened, reached)) {
        return true;
    }
    uint32_t found = 0, tried = 0;
    for (uint32_t k = 0; k < count; k++) {
        found += reached[keys[k].node];
    }
    for (uint32_t door = 0; door < builder->graph.node_count && found > spent; door++) {
        bool near = false;
        for (uint32_t a = 0; a < builder->graph.node_count; a++) {
            near = near || (builder->joined[a][door] && reached[a]);
        }
        if (builder->locks[door] == LOCK_NONE || (opened >> door & 1) != 0 || !near) {
            continue;
        }
        tried++;
        if (!never_stuck(builder, keys, count, opened | 1u << door, spent + 1)) {
            return false;
        }
    }
    return tried > 0;
}

Test(lock_graph, consumable_keys_agree_with_every_order_of_play) {
    uint32_t good = 0, bad = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        graph_builder builder;
        uint32_t places = 5, stuck;
        builder_init(&builder, places, 1);
        builder.graph.consumable = 1;
        /* A tree of places; some joined by locked doors, and now and then a second way. */
        for (uint32_t b = 1; b < places; b++) {
            join_by(&builder, draw_below(draw_at(seed, b), b), b, 0);
        }
        if (seed % 3 == 0) {
            join_by(&builder, 1, 3, 0);
        }
        builder_finish(&builder);
        uint32_t doors = builder.graph.node_count - places;
        lock_key keys[8];
        for (uint32_t k = 0; k < doors; k++) {
            keys[k] = (lock_key){0, draw_below(draw_at(seed, 100 + k), places)};
            keys[k].node = k == 0 ? 0 : keys[k].node;
        }
        bool wanted = never_stuck(&builder, keys, doors, 0, 0);
        cr_assert_eq(is_solvable(&builder, keys, doors, &stuck), wanted, "seed %u", (unsigned)seed);
        good += wanted;
        bad += !wanted;
    }
    cr_expect_gt(good, 20);
    cr_expect_gt(bad, 20);
}

/* Twelve doors around one place with twelve keys: every one of 4,096 sets of opened doors comes
 * about, and with a key less the last door stays closed after every order of the others. */
Test(lock_graph, as_many_consumable_doors_as_may_be_are_checked_whole) {
    graph_builder builder;
    lock_key keys[LOCK_CONSUMABLE_DOORS_MAX];
    uint32_t stuck;
    builder_init(&builder, LOCK_CONSUMABLE_DOORS_MAX + 1, 1);
    builder.graph.consumable = 1;
    for (uint32_t b = 0; b < LOCK_CONSUMABLE_DOORS_MAX; b++) {
        join_by(&builder, 0, b + 1, 0);
        keys[b] = (lock_key){0, 0};
    }
    builder_finish(&builder);
    cr_expect(is_solvable(&builder, keys, LOCK_CONSUMABLE_DOORS_MAX, &stuck));
    cr_expect_not(is_solvable(&builder, keys, LOCK_CONSUMABLE_DOORS_MAX - 1, &stuck));
    cr_expect_eq(stuck, 0);
}

Test(lock_graph, a_door_too_many_is_refused) {
    graph_builder builder;
    builder_init(&builder, 14, 1);
    builder.graph.consumable = 1;
    for (uint32_t b = 1; b < 14; b++) {
        join_by(&builder, 0, b, 0);
    }
    builder_finish(&builder);
    loam_arena arena = arena_of(1 << 20);
    lock_flood flood;
    loam_error error = {0};
    cr_expect_eq(lock_flood_init(&flood, &builder.graph, &arena, &error), LOAM_TOO_MANY);
}

/* ---- Bridges -------------------------------------------------------------------------------- */

static bool parts_others(const graph_builder *builder, uint32_t without) {
    bool reached[NODES_MAX_HERE] = {false};
    bool more = true;
    reached[0] = true;
    while (more) {
        more = false;
        for (uint32_t a = 0; a < builder->graph.node_count; a++) {
            for (uint32_t b = 0; b < builder->graph.node_count && reached[a]; b++) {
                if (builder->joined[a][b] && b != without && !reached[b]) {
                    reached[b] = more = true;
                }
            }
        }
    }
    for (uint32_t a = 0; a < builder->graph.node_count; a++) {
        if (!reached[a] && a != without) {
            return true;
        }
    }
    return false;
}

Test(lock_graph, bridges_are_what_parts_the_rest_when_it_is_gone) {
    loam_arena arena = arena_of(1 << 20);
    uint32_t cuts = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        graph_builder builder;
        builder_init(&builder, 12, 0);
        for (uint32_t b = 1; b < 12; b++) {
            join(&builder, draw_below(draw_at(seed, b), b), b);
        }
        for (uint32_t i = 0; i < seed % 6; i++) {
            uint32_t a = draw_below(draw_at(seed, 50 + i), 12);
            join(&builder, a, (a + 1 + draw_below(draw_at(seed, 80 + i), 11)) % 12);
        }
        builder_finish(&builder);
        uint8_t cut[NODES_MAX_HERE];
        loam_error error = {0};
        cr_assert_eq(lock_bridges(&builder.graph, &arena, cut, &error), LOAM_OK);
        for (uint32_t node = 1; node < 12; node++) {
            cr_assert_eq(cut[node] != 0, parts_others(&builder, node), "seed %u, node %u",
                         (unsigned)seed, node);
            cuts += cut[node];
        }
    }
    cr_expect_gt(cuts, 100);
    cr_expect_eq(arena.used, 0);
}
