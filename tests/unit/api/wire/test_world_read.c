/* SPDX-License-Identifier: MIT
 *
 * test_world_read.c: worlds: what they become, what is the same world, and each kind of fault.
 */
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(world_read, .fini = forest_fini);

static world got;

static loam_status read(const char *json) {
    return world_read(loam_text_of(json), &forest_resolver, forest_arena(), &got, forest_faults());
}

static void assert_refused(const char *from, const char *to, loam_status status,
                           const char *pointer) {
    const char *json = forest_with(forest_world, from, to);
    cr_assert_neq(read(json), LOAM_OK, "%s", to);
    cr_assert(forest_has_fault(status, pointer), "%s: %s at %s", to, loam_status_code(status),
              pointer);
}

static digest revision_of(const char *json) {
    forest_read_world(json, &got);
    return got.revision;
}

static bool same_revision(const char *json) {
    digest forest = revision_of(forest_world);
    digest other = revision_of(json);
    return digest_equal(&forest, &other);
}

Test(world_read, a_world_is_read_whole) {
    forest_read_world(forest_world, &got);
    cr_assert_eq(got.seed, 42);
    cr_assert_eq(got.level_count, 2);
    cr_assert_eq(got.cell_size_m[1], 64);
    cr_assert(got.bounded);
    cr_assert_eq(got.min_m[0], -512);
    cr_assert_eq(got.max_m[1], 8192);
    digest hills = digest_of("hills", 5);
    int32_t terrain = loam_graph_find_slot(&got.graph, loam_text_of("terrain"));
    cr_assert(digest_equal(&got.slots[terrain], &hills));
    digest revision = digest_of_domain("loam-revision/1", got.canonical.bytes, got.canonical.size);
    cr_assert(digest_equal(&revision, &got.revision));
}

Test(world_read, a_world_comes_back_from_its_canonical_text) {
    static char text[1 << 16];
    forest_read_world(forest_world, &got);
    digest revision = got.revision;
    snprintf(text, sizeof text, "%.*s", (int)got.canonical.size, got.canonical.bytes);
    forest_read_world(text, &got);
    cr_assert(digest_equal(&revision, &got.revision));
    cr_assert(loam_text_equal(got.canonical, loam_text_of(text)), "%s\n%s", text,
              got.canonical.bytes);
}

Test(world_read, what_means_the_same_is_the_same_revision) {
    cr_assert(same_revision(forest_with(forest_world, "0.6 ", "6e-1 ")));
    cr_assert(same_revision(forest_with(forest_world, "\"grid\"", "\"parameters\": {}, \"grid\"")));
    cr_assert(same_revision(
        forest_with(forest_world, "\"grid\"", "\"parameters\": {\"spacing_m\": 0.60}, \"grid\"")));
}

Test(world_read, what_differs_is_another_revision) {
    cr_assert_not(same_revision(forest_with(forest_world, "\"42\"", "\"43\"")));
    cr_assert_not(same_revision(forest_with(forest_world, "0.6 ", "0.7 ")));
    cr_assert_not(same_revision(
        forest_with(forest_world, "\"grid\"", "\"parameters\": {\"spacing_m\": 0.7}, \"grid\"")));
    cr_assert_not(
        same_revision(forest_with(forest_world, "\"cell_size_m\": 64", "\"cell_size_m\": 32")));
    cr_assert_not(same_revision(forest_with(forest_world, "8192]", "4096]")));
}

Test(world_read, an_override_reaches_the_graph) {
    const char *json =
        forest_with(forest_world, "\"grid\"", "\"parameters\": {\"spacing_m\": 2}, \"grid\"");
    forest_read_world(json, &got);
    int32_t sites = loam_graph_find_node(&got.graph, loam_text_of("sites"));
    cr_assert_eq(got.graph.nodes[sites].params[0].integer, 512);
}

Test(world_read, an_override_may_give_what_the_graph_leaves_open) {
    const char *open = forest_with(forest_world, "{ \"spacing_m\": 0.6 }", "{ }");
    cr_assert_eq(read(open), LOAM_MISSING_FIELD);
    forest_read_world(
        forest_with(open, "\"grid\"", "\"parameters\": {\"spacing_m\": 0.6}, \"grid\""), &got);
}

Test(world_read, a_graph_by_digest_is_the_same_world) {
    static char json[1 << 16];
    char id[DIGEST_TEXT_BYTES];
    digest inline_revision = revision_of(forest_world);
    digest_text(&got.graph_id, id);
    snprintf(json, sizeof json,
             "{\"seed\":\"42\",\"graph\":\"%s\",\"slots\":{\"terrain\":\"hills\","
             "\"village\":\"houses\"},\"grid\":{\"levels\":[{\"cell_size_m\":256},"
             "{\"cell_size_m\":64}],\"bounds_m\":{\"min\":[-512,0],\"max\":[8192,8192]}}}",
             id);
    digest stored_revision = revision_of(json);
    cr_assert(digest_equal(&inline_revision, &stored_revision));
    json[strlen("{\"seed\":\"42\",\"graph\":\"sha256-")] ^= 1;
    cr_assert_neq(read(json), LOAM_OK);
}

Test(world_read, a_graph_that_is_not_there_is_named) {
    cr_assert_eq(read("{\"seed\":\"1\",\"graph\":\"sha256-"
                      "0000000000000000000000000000000000000000000000000000000000000000\","
                      "\"grid\":{\"levels\":[{\"cell_size_m\":1}]}}"),
                 LOAM_NOT_FOUND);
    cr_assert(forest_has_fault(LOAM_NOT_FOUND, "/graph"));
    cr_assert_eq(read("{\"seed\":\"1\",\"graph\":\"forest\","
                      "\"grid\":{\"levels\":[{\"cell_size_m\":1}]}}"),
                 LOAM_BAD_NAME);
}

Test(world_read, every_bad_seed_is_named) {
    static const char *const bad[] = {"\"18446744073709551616\"", "\"-1\"", "\"1e3\"", "42", "-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_refused("\"42\"", bad[i], LOAM_SEED_OUT_OF_RANGE, "/seed");
    }
    assert_refused("\"seed\": \"42\",", "", LOAM_MISSING_FIELD, "/seed");
}

Test(world_read, faults_of_the_graph_are_named_from_the_world) {
    assert_refused("\"max_deg\": 25", "\"max_deg\": 91", LOAM_OUT_OF_RANGE,
                   "/graph/nodes/gentle/params/max_deg");
    assert_refused("{ \"radius_m\": 1.2 }", "{ }", LOAM_MISSING_FIELD,
                   "/graph/nodes/spaced/params/radius_m");
}

Test(world_read, slots_must_be_bound_to_their_kind) {
    assert_refused("\"terrain\": \"hills\",", "", LOAM_SLOT_UNBOUND, "/slots/terrain");
    assert_refused("\"slots\": { \"terrain\": \"hills\", \"village\": \"houses\" },", "",
                   LOAM_SLOT_UNBOUND, "/slots/village");
    assert_refused("\"hills\"", "\"houses\"", LOAM_SLOT_MISMATCH, "/slots/terrain");
    assert_refused("\"hills\"", "\"valleys\"", LOAM_NOT_FOUND, "/slots/terrain");
    assert_refused("\"hills\"", "\"Hills\"", LOAM_BAD_NAME, "/slots/terrain");
    assert_refused("\"hills\"", "7", LOAM_WRONG_TYPE, "/slots/terrain");
    assert_refused("\"terrain\": \"hills\"", "\"terrain\": \"hills\", \"roads\": \"hills\"",
                   LOAM_UNKNOWN_SLOT, "/slots/roads");
}

Test(world_read, overrides_are_judged_like_parameters) {
    assert_refused("\"grid\"", "\"parameters\": {\"spacing\": 1}, \"grid\"", LOAM_UNKNOWN_PARAMETER,
                   "/parameters/spacing");
    assert_refused("\"grid\"", "\"parameters\": {\"spacing_m\": 0}, \"grid\"", LOAM_OUT_OF_RANGE,
                   "/parameters/spacing_m");
    assert_refused("\"grid\"", "\"parameters\": {\"spacing_m\": \"1\"}, \"grid\"", LOAM_WRONG_TYPE,
                   "/parameters/spacing_m");
    assert_refused("\"grid\"", "\"parameters\": [], \"grid\"", LOAM_WRONG_TYPE, "/parameters");
}

Test(world_read, cell_sizes_are_whole_metres_to_4096) {
    assert_refused("\"cell_size_m\": 64", "\"cell_size_m\": 0", LOAM_OUT_OF_RANGE,
                   "/grid/levels/1/cell_size_m");
    assert_refused("\"cell_size_m\": 64", "\"cell_size_m\": 4097", LOAM_OUT_OF_RANGE,
                   "/grid/levels/1/cell_size_m");
    assert_refused("\"cell_size_m\": 64", "\"cell_size_m\": 0.5", LOAM_OUT_OF_RANGE,
                   "/grid/levels/1/cell_size_m");
    assert_refused("\"cell_size_m\": 64", "\"cell_size_m\": 64.5", LOAM_WRONG_TYPE,
                   "/grid/levels/1/cell_size_m");
    assert_refused("\"cell_size_m\": 64", "\"cell\": 64", LOAM_UNKNOWN_FIELD,
                   "/grid/levels/1/cell");
    assert_refused("[ { \"cell_size_m\": 256 }, { \"cell_size_m\": 64 } ]", "[]", LOAM_OUT_OF_RANGE,
                   "/grid/levels");
}

Test(world_read, bounds_are_multiples_of_every_cell_size) {
    assert_refused("[-512, 0]", "[-448, 0]", LOAM_BOUNDS_NOT_ALIGNED, "/grid/bounds_m/min/0");
    assert_refused("[8192, 8192]", "[8192, 8191]", LOAM_BOUNDS_NOT_ALIGNED, "/grid/bounds_m/max/1");
    assert_refused("[8192, 8192]", "[8192, 0]", LOAM_OUT_OF_RANGE, "/grid/bounds_m/max/1");
    assert_refused("[8192, 8192]", "[8192]", LOAM_OUT_OF_RANGE, "/grid/bounds_m/max");
    assert_refused("[8192, 8192]", "[8192, 4294967552]", LOAM_OUT_OF_RANGE, "/grid/bounds_m/max/1");
}

Test(world_read, what_a_world_does_not_have_is_no_field) {
    assert_refused("\"grid\"", "\"edits\": [], \"grid\"", LOAM_UNKNOWN_FIELD, "/edits");
}

Test(world_read, an_output_s_level_is_one_of_the_grid) {
    assert_refused("\"level\": 0", "\"level\": 2", LOAM_OUT_OF_RANGE, "/graph/outputs/trees/level");
    forest_read_world(forest_with(forest_world, "\"level\": 0", "\"level\": 1"), &got);
}

Test(world_read, many_mistakes_are_all_found) {
    const char *json = forest_with(forest_world, "\"42\"", "42");
    json = forest_with(json, "\"hills\"", "\"valleys\"");
    json = forest_with(json, "[-512, 0]", "[-1, 0]");
    cr_assert_neq(read(json), LOAM_OK);
    cr_assert(forest_has_fault(LOAM_SEED_OUT_OF_RANGE, "/seed"));
    cr_assert(forest_has_fault(LOAM_NOT_FOUND, "/slots/terrain"));
    cr_assert(forest_has_fault(LOAM_BOUNDS_NOT_ALIGNED, "/grid/bounds_m/min/0"));
}

Test(world_read, cells_are_floor_numbered_and_clipped_by_bounds) {
    loam_rect rect;
    forest_read_world(forest_world, &got);
    cr_assert_eq(world_cell(&got, 0, -2, 0, &rect, NULL), LOAM_OK);
    cr_assert_eq(rect.x0, -512 * 256);
    cr_assert_eq(rect.x1, -256 * 256);
    cr_assert_eq(world_cell(&got, 0, -3, 0, &rect, NULL), LOAM_OUTSIDE_WORLD);
    cr_assert_eq(world_cell(&got, 0, 31, 31, &rect, NULL), LOAM_OK);
    cr_assert_eq(world_cell(&got, 0, 32, 31, &rect, NULL), LOAM_OUTSIDE_WORLD);
    cr_assert_eq(world_cell(&got, 1, 127, 0, &rect, NULL), LOAM_OK);
    cr_assert_eq(world_cell(&got, 2, 0, 0, &rect, NULL), LOAM_OUT_OF_RANGE);
    cr_assert_eq(world_cell(&got, 0, INT64_MIN, INT64_MAX, &rect, NULL), LOAM_COORDINATE_RANGE);
}

Test(world_read, a_world_without_bounds_ends_where_positions_do) {
    loam_rect rect;
    const char *json = forest_with(
        forest_world, ", \"bounds_m\": { \"min\": [-512, 0], \"max\": [8192, 8192] }", "");
    forest_read_world(json, &got);
    cr_assert_not(got.bounded);
    int64_t last = ((int64_t)1 << 40) / 65536 - 1;
    cr_assert_eq(world_cell(&got, 0, last, -last - 1, &rect, NULL), LOAM_OK);
    cr_assert_eq(rect.x1, (int64_t)1 << 40);
    cr_assert_eq(world_cell(&got, 0, last + 1, 0, &rect, NULL), LOAM_COORDINATE_RANGE);
}

Test(world_read, the_clients_document_names_world_and_revision) {
    text_buffer buffer;
    char want[DIGEST_TEXT_BYTES + 64];
    char id[DIGEST_TEXT_BYTES];
    forest_read_world(forest_world, &got);
    buffer_init(&buffer, 1 << 20);
    world_write_document(&got, loam_text_of("demo"), &buffer);
    digest_text(&got.revision, id);
    snprintf(want, sizeof want, "{\"world\":\"demo\",\"revision\":\"%s\",", id);
    cr_assert_eq(strncmp(buffer.bytes, want, strlen(want)), 0);
    cr_assert_eq(buffer.bytes[buffer.size - 1], '}');
    buffer_fini(&buffer);
}
