/* SPDX-License-Identifier: MIT
 *
 * test_graph.c: building a graph: every fault of a part has a status, a pointer and a text, and
 * leaves the graph as it was.
 */
#include "core/base/limits.h"
#include "core/graph/graph.h"
#include "tests/unit/core/graph/graph_text.h"

static const char *const small[] = {"$terrain heightfield",
                                    "sites surface.sample spacing_m=512",
                                    "low filter.height min_m=0 max_m=9 points<sites",
                                    "trees transform.scatter points<low",
                                    "=trees trees",
                                    NULL};

static loam_graph *graph_here(void) {
    loam_graph *graph = calloc(1, sizeof *graph);
    loam_arena *arena = calloc(1, sizeof *arena);
    *arena = arena_of(1 << 22);
    graph_of_lines(graph, arena, small);
    return graph;
}

static byte_buffer bytes_of(const loam_graph *graph) {
    byte_buffer got = {0};
    cr_assert_eq(loam_graph_encode(graph, buffer_sink(&got)), LOAM_OK);
    return got;
}

/* Checks status, pointer and a text, and that the graph has not changed. */
#define EXPECT_FAULT(graph, call, want_status, want_pointer)                                       \
    do {                                                                                           \
        loam_error error = {0};                                                                    \
        byte_buffer before = bytes_of(graph);                                                      \
        loam_status status = (call);                                                               \
        byte_buffer after = bytes_of(graph);                                                       \
        cr_expect_eq(status, want_status, "%s", loam_status_code(status));                         \
        cr_expect_eq(error.status, want_status);                                                   \
        cr_expect_str_eq(error.pointer, want_pointer);                                             \
        cr_expect_str_neq(error.text, "");                                                         \
        cr_expect(buffer_equal(&before, &after), "nothing has changed");                           \
        buffer_fini(&before);                                                                      \
        buffer_fini(&after);                                                                       \
    } while (0)

#define T loam_text_of

static const loam_value seven = {.kind = LOAM_VALUE_INTEGER, .integer = 7};

Test(graph, bad_names_are_refused) {
    loam_graph *graph = graph_here();
    EXPECT_FAULT(graph, loam_graph_add_node(graph, T("Pine"), T("merge"), 0, &error), LOAM_BAD_NAME,
                 "/nodes/Pine");
    EXPECT_FAULT(graph, loam_graph_add_node(graph, T("a.b"), T("merge"), 0, &error), LOAM_BAD_NAME,
                 "/nodes/a.b");
    EXPECT_FAULT(graph, loam_graph_add_node(graph, T(""), T("merge"), 0, &error), LOAM_BAD_NAME,
                 "/nodes/");
    EXPECT_FAULT(graph, loam_graph_add_slot(graph, T("-x"), LOAM_PORT_AREAS, &error), LOAM_BAD_NAME,
                 "/slots/-x");
    EXPECT_FAULT(graph, loam_graph_add_output(graph, T("x y"), T("trees"), 0, &error),
                 LOAM_BAD_NAME, "/outputs/x y");
    EXPECT_FAULT(graph, loam_graph_expose(graph, T("!"), T("sites"), T("jitter"), &error),
                 LOAM_BAD_NAME, "/parameters/!");
}

/* RFC 6901: ~ is ~0 and / is ~1. */
Test(graph, signs_of_pointers_are_escaped_in_names) {
    loam_graph *graph = graph_here();
    EXPECT_FAULT(graph, loam_graph_add_node(graph, T("a/b~c"), T("merge"), 0, &error),
                 LOAM_BAD_NAME, "/nodes/a~1b~0c");
    EXPECT_FAULT(graph, loam_graph_set(graph, T("sites"), T("x/y"), &seven, &error),
                 LOAM_UNKNOWN_PARAMETER, "/nodes/sites/params/x~1y");
}

Test(graph, the_longest_pointer_is_cut_before_a_sign_is) {
    char name[400];
    memset(name, '/', sizeof name);
    pointer_text pointer = pointer_to("nodes", (loam_text){name, sizeof name}, "in", "port");
    size_t size = strlen(pointer.text);
    cr_expect(size >= LOAM_POINTER_BYTES - 4 && size < LOAM_POINTER_BYTES, "%zu", size);
    for (size_t i = strlen("/nodes/"); i < size; i++) {
        cr_assert(pointer.text[i] != '~' || pointer.text[i + 1] == '1');
    }
}

Test(graph, names_that_are_taken_are_refused) {
    loam_graph *graph = graph_here();
    EXPECT_FAULT(graph, loam_graph_add_node(graph, T("sites"), T("merge"), 0, &error),
                 LOAM_DUPLICATE, "/nodes/sites");
    EXPECT_FAULT(graph, loam_graph_add_slot(graph, T("terrain"), LOAM_PORT_AREAS, &error),
                 LOAM_DUPLICATE, "/slots/terrain");
    EXPECT_FAULT(graph, loam_graph_add_output(graph, T("trees"), T("low"), 0, &error),
                 LOAM_DUPLICATE, "/outputs/trees");
    cr_assert_eq(loam_graph_expose(graph, T("gap"), T("sites"), T("spacing_m"), NULL), LOAM_OK);
    EXPECT_FAULT(graph, loam_graph_expose(graph, T("gap"), T("sites"), T("jitter"), &error),
                 LOAM_DUPLICATE, "/parameters/gap");
    cr_expect_eq(loam_graph_add_slot(graph, T("sites"), LOAM_PORT_AREAS, NULL), LOAM_OK,
                 "slots and nodes have names of their own");
}

Test(graph, unknown_operations_and_versions_are_refused) {
    loam_graph *graph = graph_here();
    EXPECT_FAULT(graph, loam_graph_add_node(graph, T("x"), T("self.prun"), 0, &error),
                 LOAM_UNKNOWN_OPERATION, "/nodes/x/op");
    EXPECT_FAULT(graph, loam_graph_add_node(graph, T("x"), T("merge"), 99, &error),
                 LOAM_VERSION_UNAVAILABLE, "/nodes/x/version");
}

Test(graph, unknown_parameters_ports_slots_and_nodes_are_refused) {
    loam_graph *graph = graph_here();
    EXPECT_FAULT(graph, loam_graph_set(graph, T("low"), T("spacing_m"), &seven, &error),
                 LOAM_UNKNOWN_PARAMETER, "/nodes/low/params/spacing_m");
    EXPECT_FAULT(graph, loam_graph_set(graph, T("high"), T("min_m"), &seven, &error),
                 LOAM_UNKNOWN_NODE, "/nodes/high");
    EXPECT_FAULT(graph, loam_graph_connect(graph, T("low"), T("surface"), T("sites"), &error),
                 LOAM_UNKNOWN_PORT, "/nodes/low/in/surface");
    EXPECT_FAULT(graph, loam_graph_connect(graph, T("low"), T("points"), T("$water"), &error),
                 LOAM_UNKNOWN_SLOT, "/nodes/low/in/points");
    EXPECT_FAULT(graph, loam_graph_connect(graph, T("low"), T("points"), T("water"), &error),
                 LOAM_UNKNOWN_NODE, "/nodes/low/in/points");
    EXPECT_FAULT(graph, loam_graph_connect(graph, T("low"), T("points"), T(""), &error),
                 LOAM_UNKNOWN_NODE, "/nodes/low/in/points");
    EXPECT_FAULT(graph, loam_graph_connect(graph, T("low"), T("points"), T("sites#left"), &error),
                 LOAM_UNKNOWN_NODE, "/nodes/low/in/points");
    EXPECT_FAULT(graph, loam_graph_connect(graph, T("high"), T("points"), T("sites"), &error),
                 LOAM_UNKNOWN_NODE, "/nodes/high");
    EXPECT_FAULT(graph, loam_graph_add_output(graph, T("more"), T("high"), 0, &error),
                 LOAM_UNKNOWN_NODE, "/outputs/more/node");
    EXPECT_FAULT(graph, loam_graph_add_output(graph, T("more"), T("$terrain"), 0, &error),
                 LOAM_PORT_MISMATCH, "/outputs/more/node");
    EXPECT_FAULT(graph, loam_graph_expose(graph, T("p"), T("high"), T("jitter"), &error),
                 LOAM_UNKNOWN_NODE, "/parameters/p/node");
    EXPECT_FAULT(graph, loam_graph_expose(graph, T("p"), T("sites"), T("radius"), &error),
                 LOAM_UNKNOWN_PARAMETER, "/parameters/p/key");
    EXPECT_FAULT(graph, loam_graph_pin_seed(graph, T("high"), 7, &error), LOAM_UNKNOWN_NODE,
                 "/nodes/high");
}

Test(graph, values_of_another_type_are_refused) {
    loam_graph *graph = graph_here();
    loam_value text = {.kind = LOAM_VALUE_TEXT, .text = T("7")};
    loam_value list = {.kind = LOAM_VALUE_LIST};
    loam_value attribute = {.kind = LOAM_VALUE_ATTRIBUTE, .text = T("$height")};
    EXPECT_FAULT(graph, loam_graph_set(graph, T("sites"), T("spacing_m"), &text, &error),
                 LOAM_WRONG_TYPE, "/nodes/sites/params/spacing_m");
    EXPECT_FAULT(graph, loam_graph_set(graph, T("sites"), T("spacing_m"), &list, &error),
                 LOAM_WRONG_TYPE, "/nodes/sites/params/spacing_m");
    EXPECT_FAULT(graph, loam_graph_set(graph, T("sites"), T("spacing_m"), &attribute, &error),
                 LOAM_WRONG_TYPE, "/nodes/sites/params/spacing_m");
    EXPECT_FAULT(graph, loam_graph_set(graph, T("trees"), T("asset"), &seven, &error),
                 LOAM_WRONG_TYPE, "/nodes/trees/params/asset");
    EXPECT_FAULT(graph, loam_graph_add_slot(graph, T("s"), LOAM_PORT_SPATIAL, &error),
                 LOAM_WRONG_TYPE, "/slots/s");
    EXPECT_FAULT(graph, loam_graph_add_slot(graph, T("s"), LOAM_PORT_NONE, &error), LOAM_WRONG_TYPE,
                 "/slots/s");
}

static loam_value integer_of(int64_t integer) {
    return (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = integer};
}

Test(graph, values_out_of_range_are_refused_and_the_ends_are_legal) {
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        const loam_operation *operation = loam_operation_at(i);
        loam_graph *graph = graph_here();
        cr_assert_eq(loam_graph_add_node(graph, T("x"), T(operation->name), 0, NULL), LOAM_OK);
        for (uint32_t p = 0; p < operation->param_count; p++) {
            const loam_param_schema *param = &operation->params[p];
            if (param->kind == LOAM_PARAM_STRING || param->kind == LOAM_PARAM_LIST) {
                continue;
            }
            loam_value low = integer_of(param->min), high = integer_of(param->max);
            loam_value below = integer_of(param->min - 1), above = integer_of(param->max + 1);
            char pointer[128];
            snprintf(pointer, sizeof pointer, "/nodes/x/params/%s", param->key);
            EXPECT_FAULT(graph, loam_graph_set(graph, T("x"), T(param->key), &below, &error),
                         LOAM_OUT_OF_RANGE, pointer);
            EXPECT_FAULT(graph, loam_graph_set(graph, T("x"), T(param->key), &above, &error),
                         LOAM_OUT_OF_RANGE, pointer);
            cr_expect_eq(loam_graph_set(graph, T("x"), T(param->key), &low, NULL), LOAM_OK);
            cr_expect_eq(loam_graph_set(graph, T("x"), T(param->key), &high, NULL), LOAM_OK);
        }
    }
}

Test(graph, what_must_not_be_0_is_refused_as_0) {
    loam_graph *graph = graph_here();
    loam_value zero = integer_of(0);
    EXPECT_FAULT(graph, loam_graph_set(graph, T("sites"), T("spacing_m"), &zero, &error),
                 LOAM_OUT_OF_RANGE, "/nodes/sites/params/spacing_m");
}

Test(graph, texts_have_at_most_256_bytes) {
    loam_graph *graph = graph_here();
    char name[ASSET_NAME_BYTES_MAX + 1];
    memset(name, 'x', sizeof name);
    loam_value longest = {.kind = LOAM_VALUE_TEXT, .text = {name, ASSET_NAME_BYTES_MAX}};
    loam_value longer = {.kind = LOAM_VALUE_TEXT, .text = {name, ASSET_NAME_BYTES_MAX + 1}};
    cr_expect_eq(loam_graph_set(graph, T("trees"), T("asset"), &longest, NULL), LOAM_OK);
    EXPECT_FAULT(graph, loam_graph_set(graph, T("trees"), T("asset"), &longer, &error),
                 LOAM_TOO_LARGE, "/nodes/trees/params/asset");
}

Test(graph, more_parts_than_there_is_room_for_are_refused) {
    loam_arena arena = arena_of(1 << 22);
    loam_graph graph;
    loam_error noted = {0};
    loam_graph_sizes none = {0};
    loam_graph_sizes sizes = {.nodes = NODES_MAX + 1};
    cr_expect_eq(loam_graph_init(&graph, sizes, &arena, &noted), LOAM_TOO_MANY);
    cr_expect_str_eq(noted.pointer, "/nodes");
    sizes = (loam_graph_sizes){.slots = SLOTS_MAX + 1};
    cr_expect_eq(loam_graph_init(&graph, sizes, &arena, NULL), LOAM_TOO_MANY);
    sizes = (loam_graph_sizes){.outputs = OUTPUTS_MAX + 1};
    cr_expect_eq(loam_graph_init(&graph, sizes, &arena, NULL), LOAM_TOO_MANY);
    sizes = (loam_graph_sizes){.exposed = EXPOSED_MAX + 1};
    cr_expect_eq(loam_graph_init(&graph, sizes, &arena, NULL), LOAM_TOO_MANY);
    cr_assert_eq(loam_graph_init(&graph, none, &arena, NULL), LOAM_OK);
    EXPECT_FAULT(&graph, loam_graph_add_node(&graph, T("x"), T("merge"), 0, &error), LOAM_TOO_MANY,
                 "/nodes/x");
    EXPECT_FAULT(&graph, loam_graph_add_slot(&graph, T("x"), LOAM_PORT_AREAS, &error),
                 LOAM_TOO_MANY, "/slots/x");
}

Test(graph, names_and_texts_are_copies) {
    loam_graph *graph = graph_here();
    char name[] = "pine", text[] = "tall";
    cr_assert_eq(loam_graph_add_node(graph, T(name), T("transform.scatter"), 0, NULL), LOAM_OK);
    loam_value value = {.kind = LOAM_VALUE_TEXT, .text = T(text)};
    cr_assert_eq(loam_graph_set(graph, T("pine"), T("asset"), &value, NULL), LOAM_OK);
    name[0] = text[0] = 'X';
    int32_t found = loam_graph_find_node(graph, T("pine"));
    cr_assert_geq(found, 0);
    bool kept = false;
    for (uint32_t p = 0; p < graph->nodes[found].operation->param_count; p++) {
        kept = kept || loam_text_equal(graph->nodes[found].params[p].text, T("tall"));
    }
    cr_expect(kept);
    cr_expect_eq(loam_graph_find_node(graph, T("Xine")), -1);
    cr_expect_eq(loam_graph_find_slot(graph, T("terrain")), 0);
    cr_expect_eq(loam_graph_find_output(graph, T("terrain")), -1);
}

/* The n-th allocation fails, for every n: an error is noted, and nothing is half there. */
static loam_status build_in(loam_arena *arena, loam_graph *graph, loam_error *error) {
    loam_graph_sizes sizes = {.nodes = 2, .slots = 1, .outputs = 1, .exposed = 1};
    loam_value asset = {.kind = LOAM_VALUE_TEXT, .text = T("pine")};
    loam_status status = loam_graph_init(graph, sizes, arena, error);
    status =
        status != LOAM_OK ? status : loam_graph_add_slot(graph, T("t"), LOAM_PORT_AREAS, error);
    status = status != LOAM_OK
                 ? status
                 : loam_graph_add_node(graph, T("n"), T("transform.scatter"), 0, error);
    status = status != LOAM_OK ? status : loam_graph_set(graph, T("n"), T("asset"), &asset, error);
    status = status != LOAM_OK ? status : loam_graph_expose(graph, T("e"), T("n"), T("mu"), error);
    return status != LOAM_OK ? status : loam_graph_add_output(graph, T("o"), T("n"), 0, error);
}

Test(graph, a_full_arena_is_an_error_that_is_noted_at_every_size) {
    uint32_t failures = 0;
    for (size_t size = 0;; size += 64) {
        unsigned char *exact = aligned_alloc(64, size + 64);
        loam_arena arena;
        loam_graph graph = {0};
        loam_error error = {0};
        loam_arena_init(&arena, exact, size);
        loam_status status = build_in(&arena, &graph, &error);
        cr_assert_eq(error.status, status, "at %zu", size);
        if (status == LOAM_OK) {
            free(exact);
            break;
        }
        cr_assert_eq(status, LOAM_ARENA_FULL);
        cr_assert_str_neq(error.text, "", "at %zu", size);
        if (graph.node_count == 1) {
            const loam_node *node = &graph.nodes[0];
            const loam_value *asset = &node->params[node->operation->param_count - 1];
            bool inside =
                asset->text.size == 0 || ((uintptr_t)asset->text.bytes >= (uintptr_t)exact &&
                                          (uintptr_t)asset->text.bytes < (uintptr_t)exact + size);
            cr_assert(inside, "a parameter holds only the graph's own memory");
        }
        failures++;
        free(exact);
    }
    cr_expect_gt(failures, 15);
}

Test(graph, kinds_of_ports_have_names) {
    for (loam_port_kind kind = LOAM_PORT_POINTS; kind <= LOAM_PORT_RULES; kind++) {
        cr_expect_eq(loam_port_kind_find(T(loam_port_kind_name(kind))), kind);
    }
    cr_expect_eq(loam_port_kind_find(T("none")), LOAM_PORT_NONE);
    cr_expect_eq(loam_port_kind_find(T("heightfields")), LOAM_PORT_NONE);
    cr_expect_str_eq(loam_port_kind_name((loam_port_kind)99), "none");
}
