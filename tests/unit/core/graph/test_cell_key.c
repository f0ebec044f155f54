/* SPDX-License-Identifier: MIT
 *
 * test_cell_key.c: promise P4. A key covers all that decides a cell and, to its grain, nothing
 * else: every field is tampered with, everything out of reach is edited, and over many random edits
 * a cell never changes under an unchanged key.
 */
#include "core/ops/operation.h"
#include "tests/unit/core/graph/graph_text.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { METRE = LOAM_UNITS_PER_METRE, SIDE = 33 };

static const char *const forest[] = {
    "$t heightfield",
    "$z areas",
    "s surface.sample spacing_m=512 surface<$t",
    "g filter.slope max_deg=1638400 points<s",
    "h filter.height min_m=150000 max_m=158000 points<g",
    "n density.noise wavelength_m=5000 points<h",
    "d filter.density min=100 points<n",
    "c density.cull points<d",
    "p self.prune radius_m=800 points<c",
    "z zone.exclude points<p zones<$z margin_m=64",
    "x grid.sample spacing_m=4000 y_m=9",
    "m merge a<z b<x",
    "t transform.scatter tilt_max_deg=655360 points<m asset='pine'",
    "=o t",
    "=p p",
    NULL};

/* A heightfield that may be edited: 4 m, blocks of 32 m. */
static int32_t *own_terrain(graph_scene *scene) {
    loam_heightfield *field = terrain_hills(SIDE, (int64_t)1024 << 16, -5000, -5000);
    scene->slots[0] = (loam_asset){.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = field};
    return (int32_t *)field->samples;
}

static graph_scene *scene_of(const char *const *lines, uint64_t seed) {
    graph_scene *scene = scene_of_lines(lines, seed);
    (void)own_terrain(scene);
    scene->slots[1] = (loam_asset){.kind = LOAM_PORT_AREAS,
                                   .areas = square_zone(&scene->arena, 2000, 2000, 9000, 5000)};
    scene->query.rect = (loam_rect){0, 0, 32 * METRE, 32 * METRE};
    return scene;
}

static bool same_key(graph_scene *a, graph_scene *b) {
    byte_buffer one = scene_key(a), two = scene_key(b);
    bool same = buffer_equal(&one, &two);
    buffer_fini(&one);
    buffer_fini(&two);
    return same;
}

static void replan(graph_scene *scene, uint64_t seed) {
    loam_error error = {0};
    text_must(loam_plan_build(&scene->graph, seed, &scene->arena, &scene->query.plan, &error),
              &error, "plan");
}

Test(cell_key, the_same_question_has_the_same_key) {
    cr_expect(same_key(scene_of(forest, 1), scene_of(forest, 1)));
}

Test(cell_key, another_seed_is_another_key) {
    cr_expect(!same_key(scene_of(forest, 1), scene_of(forest, 2)));
}

Test(cell_key, another_rectangle_is_another_key) {
    graph_scene *a = scene_of(forest, 1), *b = scene_of(forest, 1);
    int64_t *sides[] = {&b->query.rect.x0, &b->query.rect.z0, &b->query.rect.x1, &b->query.rect.z1};
    for (int i = 0; i < 4; i++) {
        (*sides[i])++;
        cr_expect(!same_key(a, b), "side %d", i);
        (*sides[i])--;
    }
    cr_expect(same_key(a, b));
}

Test(cell_key, another_output_is_another_key) {
    graph_scene *a = scene_of(forest, 1), *b = scene_of(forest, 1);
    b->query.output = 1;
    cr_expect(!same_key(a, b));
}

/* Every parameter of every node, one step off; texts too. */
Test(cell_key, every_parameter_changes_the_key) {
    graph_scene *a = scene_of(forest, 1);
    uint32_t changed = 0;
    for (uint32_t n = 0; n < a->graph.node_count; n++) {
        loam_node *node = &a->graph.nodes[n];
        for (uint32_t p = 0; p < node->operation->param_count; p++) {
            const loam_param_schema *param = &node->operation->params[p];
            loam_value before = node->params[p];
            byte_buffer was = scene_key(a);
            if (param->kind == LOAM_PARAM_STRING) {
                node->params[p].text = loam_text_of("larch");
            } else {
                node->params[p].integer += before.integer < param->max ? 1 : -1;
            }
            byte_buffer is = scene_key(a);
            cr_expect(!buffer_equal(&was, &is), "%s %s", node->operation->name, param->key);
            changed++;
            node->params[p] = before;
            buffer_fini(&was);
            buffer_fini(&is);
        }
    }
    cr_expect_gt(changed, 30);
}

/* The table is read-only; its page is made writable to play a build with another version. */
static void set_version(const loam_operation *operation, uint16_t version) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)&operation->version / page * page;
    cr_assert_eq(mprotect((void *)first, page * 2, PROT_READ | PROT_WRITE), 0);
    memcpy((void *)(uintptr_t)&operation->version, &version, sizeof version);
}

static bool is_in_scene(const graph_scene *scene, const loam_operation *operation) {
    for (uint32_t n = 0; n < scene->graph.node_count; n++) {
        if (scene->graph.nodes[n].operation == operation) {
            return true;
        }
    }
    return false;
}

Test(cell_key, every_version_of_an_operation_changes_the_key) {
    graph_scene *scene = scene_of(forest, 1);
    for (uint32_t i = 0; i < scene->graph.node_count; i++) {
        const loam_operation *operation = scene->graph.nodes[i].operation;
        byte_buffer was = scene_key(scene);
        set_version(operation, 2);
        byte_buffer is = scene_key(scene);
        set_version(operation, 1);
        cr_expect_eq(buffer_equal(&was, &is), !is_in_scene(scene, operation), "%s",
                     operation->name);
        buffer_fini(&was);
        buffer_fini(&is);
    }
}

Test(cell_key, another_connection_is_another_key) {
    graph_scene *a = scene_of(forest, 1), *b = scene_of(forest, 1);
    loam_error error = {0};
    text_must(loam_graph_connect(&b->graph, loam_text_of("c"), loam_text_of("points"),
                                 loam_text_of("n"), &error),
              &error, "past the filter");
    replan(b, 1);
    cr_expect(!same_key(a, b));
    graph_scene *swapped = scene_of(forest, 1);
    text_must(loam_graph_connect(&swapped->graph, loam_text_of("m"), loam_text_of("a"),
                                 loam_text_of("x"), &error),
              &error, "a");
    text_must(loam_graph_connect(&swapped->graph, loam_text_of("m"), loam_text_of("b"),
                                 loam_text_of("z"), &error),
              &error, "b");
    replan(swapped, 1);
    cr_expect(!same_key(a, swapped));
}

Test(cell_key, the_order_of_a_document_does_not_matter) {
    const char *shuffled[sizeof forest / sizeof forest[0]];
    uint32_t count = sizeof forest / sizeof forest[0] - 1;
    for (uint32_t i = 0; i < count; i++) {
        shuffled[i] = forest[count - 1 - i];
    }
    shuffled[count] = NULL;
    graph_scene *a = scene_of(forest, 1), *b = scene_of(shuffled, 1);
    b->slots[0] = a->slots[1];
    b->slots[1] = a->slots[0];
    b->query.output = 1;
    cr_expect(same_key(a, b), "slots and outputs stand the other way round too");
    cr_assert_eq(loam_graph_sort(&b->graph), LOAM_OK);
    replan(b, 1);
    b->slots[0] = a->slots[0];
    b->slots[1] = a->slots[1];
    b->query.output = 0;
    cr_expect(same_key(a, b), "and sorting does not matter");
}

/* A line in which one word is written otherwise. */
static const char *replaced(const char *line, const char *word, const char *by) {
    char *made = malloc(GRAPH_LINE_BYTES);
    const char *at = strstr(line, word);
    if (at == NULL) {
        return line;
    }
    snprintf(made, GRAPH_LINE_BYTES, "%.*s%s%s", (int)(at - line), line, by, at + strlen(word));
    return made;
}

static graph_scene *renamed_scene(const char *word, const char *by) {
    const char *lines[sizeof forest / sizeof forest[0]];
    for (size_t i = 0; i < sizeof forest / sizeof forest[0]; i++) {
        lines[i] = forest[i] == NULL ? NULL : replaced(forest[i], word, by);
    }
    return scene_of(lines, 1);
}

Test(cell_key, names_of_slots_and_outputs_do_not_matter) {
    graph_scene *a = scene_of(forest, 1);
    cr_expect(same_key(a, renamed_scene("$t", "$ground")));
    cr_expect(same_key(a, renamed_scene("$z", "$village")));
    cr_expect(same_key(a, renamed_scene("=o", "=trees")));
}

Test(cell_key, the_name_of_a_node_matters_only_by_its_seed) {
    const char *lines[] = {"s grid.sample spacing_m=512", "f filter.slope points<s",
                           "c density.cull points<f", "=o c", NULL};
    const char *other[] = {"s grid.sample spacing_m=512", "other filter.slope points<s",
                           "c density.cull points<other", "=o c", NULL};
    const char *drawn[] = {"s grid.sample spacing_m=512", "f filter.slope points<s",
                           "other density.cull points<f", "=o other", NULL};
    graph_scene *a = scene_of(lines, 1), *c = scene_of(drawn, 1);
    cr_expect(same_key(a, scene_of(other, 1)), "a filter draws nothing");
    cr_expect(!same_key(a, c));
    uint64_t seed = loam_name_seed(loam_text_of("c"));
    cr_assert_eq(loam_graph_pin_seed(&c->graph, loam_text_of("other"), seed, NULL), LOAM_OK);
    replan(c, 1);
    cr_expect(same_key(a, c), "a pinned seed stands in for the name");
}

Test(cell_key, nodes_that_the_output_does_not_need_do_not_matter) {
    const char *lines[] = {"s grid.sample spacing_m=512", "c density.cull points<s", "=o c", NULL};
    const char *more[] = {"aa grid.sample spacing_m=77",
                          "$w areas",
                          "s grid.sample spacing_m=512",
                          "b merge a<aa b<c",
                          "v zone.exclude points<b zones<$w",
                          "c density.cull points<s",
                          "=o c",
                          "=aa v",
                          NULL};
    cr_expect(same_key(scene_of(lines, 1), scene_of(more, 1)));
}

/* Output "p" looks 5 * 799 units beyond its rectangle; B is 8 vertices of 1024 units. */
Test(cell_key, terrain_in_reach_changes_the_key_and_out_of_reach_does_not) {
    graph_scene *a = scene_of(forest, 1), *b = scene_of(forest, 1);
    a->query.rect = b->query.rect = (loam_rect){6000, 6000, 7000, 7000};
    int32_t *samples = own_terrain(b);
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            samples[j * SIDE + i] += 65536;
            bool same = same_key(a, b);
            samples[j * SIDE + i] -= 65536;
            /* Vertices that a point of [2005, 10995) reads, and those of their blocks: the field's
             * first vertex is number -5, blocks begin at multiples of 8. */
            bool near_x = i >= 5 && i < 21, near_z = j >= 5 && j < 21;
            cr_assert_eq(same, !(near_x && near_z), "vertex %d %d", i, j);
        }
    }
}

static void move_zone(graph_scene *scene, int64_t x1) {
    scene->slots[1].areas = square_zone(&scene->arena, 2000, 2000, x1, 5000);
}

/* The cell is [0, 8192), the margin 64 units: an edge at 8192 + 62 is seen, one further not. */
Test(cell_key, zone_vertices_in_reach_change_the_key_and_those_out_of_reach_do_not) {
    graph_scene *a = scene_of(forest, 1), *b = scene_of(forest, 1);
    move_zone(b, 9001);
    cr_expect(!same_key(a, b), "the long edges are in sight, so their far ends matter");
    a->slots[1].areas = square_zone(&a->arena, 8192 + 63, 0, 9000, 9000);
    b->slots[1].areas = square_zone(&b->arena, 20000, 20000, 30000, 30000);
    cr_expect(same_key(a, b), "zones out of reach are no zones");
    a->slots[1].areas = square_zone(&a->arena, 8192 + 62, 0, 9000, 9000);
    cr_expect(!same_key(a, b), "the farthest that can veto a point");
    b->slots[1].areas = square_zone(&b->arena, 8192 + 62, 1, 9000, 9000);
    cr_expect(!same_key(a, b), "one vertex, one unit");
}

Test(cell_key, a_zone_around_the_cell_is_seen_and_its_border_is_not) {
    graph_scene *a = scene_of(forest, 1), *b = scene_of(forest, 1), *none = scene_of(forest, 1);
    a->slots[1].areas = square_zone(&a->arena, -50000, -50000, 50000, 50000);
    b->slots[1].areas = square_zone(&b->arena, -60000, -40000, 70000, 90000);
    none->slots[1].areas = square_zone(&none->arena, 20000, 20000, 30000, 30000);
    cr_expect(same_key(a, b));
    cr_expect(!same_key(a, none));
}

/* The digest of bytes, for tables. */
static uint64_t digest(const byte_buffer *bytes) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < bytes->size; i++) {
        hash = (hash ^ bytes->bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

static void random_edit(test_random *random, graph_scene *scene, int32_t *samples) {
    if (random_bits(random) % 3 == 0) {
        int64_t x = random_between(random, -9000, 12000), z = random_between(random, -9000, 12000);
        scene->slots[1].areas =
            square_zone(&scene->arena, x, z, x + random_between(random, 10, 5000),
                        z + random_between(random, 10, 5000));
        return;
    }
    int64_t at = random_between(random, 0, SIDE * SIDE - 1);
    samples[at] += (int32_t)random_between(random, -3 * 65536, 3 * 65536);
}

Test(cell_key, a_cell_never_changes_under_an_unchanged_key) {
    enum { EDITS = 600 };
    graph_scene *scene = scene_of(forest, 1);
    int32_t *samples = own_terrain(scene);
    test_random random = {77};
    byte_buffer key = scene_key(scene), bytes = scene_bytes(scene);
    uint64_t key_before = digest(&key), bytes_before = digest(&bytes);
    uint32_t changed = 0, kept = 0;
    for (int i = 0; i < EDITS; i++) {
        random_edit(&random, scene, samples);
        loam_heightfield *field = (loam_heightfield *)scene->slots[0].heightfield;
        cr_assert_eq(loam_heightfield_init(field, NULL), LOAM_OK);
        buffer_fini(&key);
        buffer_fini(&bytes);
        key = scene_key(scene);
        bytes = scene_bytes(scene);
        bool same = digest(&key) == key_before;
        cr_assert(!same || digest(&bytes) == bytes_before, "edit %d", i);
        changed += digest(&bytes) != bytes_before;
        kept += same;
        key_before = digest(&key);
        bytes_before = digest(&bytes);
    }
    cr_expect(changed > EDITS / 10, "%u of %u edits changed the cell", changed, EDITS);
    cr_expect(kept > EDITS / 10, "%u of %u edits left the key", kept, EDITS);
    buffer_fini(&key);
    buffer_fini(&bytes);
}

Test(cell_key, scratch_is_given_back) {
    graph_scene *scene = scene_of(forest, 1);
    size_t used = scene->arena.used;
    byte_buffer key = scene_key(scene);
    cr_expect_eq(scene->arena.used, used);
    buffer_fini(&key);
}
