/* SPDX-License-Identifier: MIT
 *
 * test_graph_write.c: the canonical text: one for all spellings of a graph, and its own canonical
 * form.
 */
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static text_buffer first;
static text_buffer second;

static void init(void) {
    buffer_init(&first, 1 << 20);
    buffer_init(&second, 1 << 20);
}

static void fini(void) {
    buffer_fini(&first);
    buffer_fini(&second);
    forest_fini();
}

TestSuite(graph_write, .init = init, .fini = fini);

static void canonical(loam_text json, text_buffer *to) {
    graph_document document;
    fault_list *faults = forest_faults();
    cr_assert_eq(graph_read(json, NULL, forest_arena(), &document, faults), LOAM_OK, "%s at %s: %s",
                 loam_status_code(faults->items[0].status), faults->items[0].pointer,
                 faults->items[0].text);
    buffer_clear(to);
    cr_assert_eq(graph_write(&document, to), LOAM_OK);
}

static bool same_as_forest(const char *json) {
    canonical(loam_text_of(forest_graph), &first);
    canonical(loam_text_of(json), &second);
    return loam_text_equal(buffer_view(&first), buffer_view(&second));
}

static bool contains(const char *part) {
    return memmem(first.bytes, first.size, part, strlen(part)) != NULL;
}

Test(graph_write, defaults_versions_and_exact_numbers_are_written) {
    canonical(loam_text_of(forest_graph), &first);
    cr_assert(contains("\"spacing_m\":0.6015625"));
    cr_assert(contains("\"jitter\":1"));
    cr_assert(contains("\"invert\":false"));
    cr_assert(contains("\"version\":1"));
    cr_assert(contains("\"radius_m\":1.203125"));
    cr_assert(contains("\"combine\":\"multiply\""));
    cr_assert(contains("\"surface\":\"$terrain\""));
    cr_assert(
        contains("\"parameters\":{\"spacing_m\":{\"key\":\"spacing_m\",\"node\":\"sites\"}}"));
    cr_assert(contains("\"slots\":{\"terrain\":\"heightfield\",\"village\":\"areas\"}"));
}

Test(graph_write, the_canonical_text_is_its_own_canonical_text) {
    canonical(loam_text_of(forest_graph), &first);
    canonical(buffer_view(&first), &second);
    cr_assert(loam_text_equal(buffer_view(&first), buffer_view(&second)), "%.*s\n%.*s",
              (int)first.size, first.bytes, (int)second.size, second.bytes);
}

Test(graph_write, spellings_of_a_number_are_one_graph) {
    cr_assert(same_as_forest(forest_with(forest_graph, "0.6 ", "6e-1 ")));
    cr_assert(same_as_forest(forest_with(forest_graph, "0.6 ", "0.60 ")));
    cr_assert(same_as_forest(forest_with(forest_graph, "0.6 ", "0.6015625 ")));
    cr_assert_not(same_as_forest(forest_with(forest_graph, "0.6 ", "0.61 ")));
}

Test(graph_write, a_default_written_out_is_the_same_graph) {
    cr_assert(same_as_forest(
        forest_with(forest_graph, "\"spacing_m\": 0.6", "\"jitter\": 1, \"spacing_m\": 0.6")));
    cr_assert(same_as_forest(forest_with(forest_graph, "\"op\": \"filter.slope\"",
                                         "\"version\": 1, \"op\": \"filter.slope\"")));
}

Test(graph_write, the_order_of_nodes_does_not_matter) {
    static const char drawn[] =
        "    \"drawn\":  { \"op\": \"density.cull\", \"in\": { \"points\": \"field\" } },\n";
    const char *without = forest_with(forest_graph, drawn, "");
    const char *moved = forest_with(without, "    \"sites\": ",
                                    "    \"drawn\":  { \"in\": { \"points\": \"field\" }, "
                                    "\"op\": \"density.cull\" },\n    \"sites\": ");
    cr_assert(same_as_forest(moved));
}

Test(graph_write, a_pinned_seed_is_another_graph_and_comes_back) {
    const char *json = forest_with(forest_graph, "\"op\": \"filter.slope\"",
                                   "\"seed\": \"18446744073709551615\", \"op\": \"filter.slope\"");
    cr_assert_not(same_as_forest(json));
    canonical(loam_text_of(json), &first);
    cr_assert(contains("\"seed\":\"18446744073709551615\""));
    canonical(buffer_view(&first), &second);
    cr_assert(loam_text_equal(buffer_view(&first), buffer_view(&second)));
}

Test(graph_write, the_digest_is_of_the_text_with_its_domain) {
    canonical(loam_text_of(forest_graph), &first);
    digest got = graph_digest(buffer_view(&first));
    digest_stream stream;
    digest_begin(&stream);
    digest_update(&stream, "loam-graph/1\n", 13);
    digest_update(&stream, first.bytes, first.size);
    digest want = digest_end(&stream);
    cr_assert(digest_equal(&got, &want));
}

/* Every kind of parameter and input that the forest has not: sides, an attribute, a curve, a list
 * of records, ports by names that the graph gives. */
static const char rich[] =
    "{ \"loam_graph\": 1, \"slots\": { \"rules\": \"rules\", \"wet\": \"areas\", \"dry\": "
    "\"areas\" },"
    " \"nodes\": {"
    " \"land\": { \"op\": \"biome.generate\", \"in\": { \"rules\": \"$rules\", \"swamp\": \"$wet\","
    " \"heath\": \"$dry\" }, \"params\": { \"spacing_m\": 2 } },"
    " \"dense\": { \"op\": \"density.remap\", \"in\": { \"points\": \"land\" }, \"params\": {"
    " \"from\": { \"attribute\": \"$height\" }, \"curve\": [[0, 0.1], [0.5, 1], [1, 0.25]] } },"
    " \"split\": { \"op\": \"branch\", \"in\": { \"points\": \"dense\" }, \"params\": {"
    " \"name\": \"$density\", \"op\": \"ge\", \"value\": 0.5 } },"
    " \"grown\": { \"op\": \"spawn\", \"in\": { \"points\": \"split#true\" }, \"params\": { "
    "\"assets\": ["
    " { \"name\": \"oak\", \"weight\": { \"attribute\": \"$density\" } }, { \"name\": \"fir\","
    " \"radius_m\": 1.2, \"yaw\": \"random\" } ] } },"
    " \"spaced\": { \"op\": \"self.prune\", \"in\": { \"points\": \"split#false\" }, \"params\": {"
    " \"radius_m\": { \"attribute\": \"r\", \"default\": 1, \"max\": 3 }, \"mode\": \"max\" } } },"
    " \"outputs\": { \"trees\": { \"node\": \"grown\" }, \"stones\": { \"node\": \"spaced\" },"
    " \"thin\": { \"node\": \"split#false\" } } }";

Test(graph_write, every_kind_of_value_and_input_comes_back) {
    canonical(loam_text_of(rich), &first);
    cr_expect(contains("\"points\":\"split#true\""));
    cr_expect(contains("\"thin\":{\"level\":0,\"node\":\"split#false\"}"));
    cr_expect(contains("\"in\":{\"heath\":\"$dry\",\"rules\":\"$rules\",\"swamp\":\"$wet\"}"));
    cr_expect(contains("\"radius_m\":{\"attribute\":\"r\",\"default\":1,\"max\":3}"));
    cr_expect(contains("\"from\":{\"attribute\":\"$height\",\"default\":"));
    cr_expect(contains("\"curve\":[[0,0.1"));
    cr_expect(contains("{\"name\":\"oak\",\"weight\":{\"attribute\":\"$density\",\"default\":1,"));
    canonical(buffer_view(&first), &second);
    cr_assert(loam_text_equal(buffer_view(&first), buffer_view(&second)), "%.*s", (int)first.size,
              first.bytes);
}
