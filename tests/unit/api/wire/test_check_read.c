/* SPDX-License-Identifier: MIT
 *
 * test_check_read.c: `checks` of a world: what they become, and each kind of fault.
 */
#include "api/wire/check_document.h"
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(check_read, .fini = forest_fini);

#define WHOLE                                                                                      \
    "\"checks\": {\"mode\": \"warn\", \"outputs\": {\"trees\": {"                                  \
    "\"count\": {\"min\": 1000, \"max\": 2000.5}, \"spacing_m\": 1.2, "                            \
    "\"ring\": {\"zones\": \"village\", \"width_m\": 4}, \"floating_m\": 0.5, \"samples\": 7}}}, "

static world got;

static const char *with_checks(const char *checks) {
    char text[1024];
    snprintf(text, sizeof text, "%s\"grid\"", checks);
    return forest_with(forest_world, "\"grid\"", text);
}

static void assert_refused(const char *from, const char *to, loam_status status,
                           const char *pointer) {
    const char *json = forest_with(with_checks(WHOLE), from, to);
    cr_assert_neq(
        world_read(loam_text_of(json), &forest_resolver, forest_arena(), &got, forest_faults()),
        LOAM_OK, "%s", to);
    cr_assert(forest_has_fault(status, pointer), "%s: %s at %s", to, loam_status_code(status),
              pointer);
}

static loam_check read_check(const char *checks) {
    forest_read_world(with_checks(checks), &got);
    const loam_check *check = checks_of(&got, 0);
    cr_assert_not_null(check);
    return *check;
}

Test(check_read, checks_are_read_whole) {
    loam_check check = read_check(WHOLE);
    cr_expect(got.check_warns);
    cr_expect_eq(check.kinds, (1u << LOAM_CHECK_KINDS) - 1);
    cr_expect_eq(check.count_min, 1000 * 256);
    cr_expect_eq(check.count_max, 2000 * 256 + 128);
    cr_expect_eq(check.spacing, 308, "1.2 m, rounded up as a radius is");
    cr_expect_eq(check.ring, 4 * 256);
    cr_expect_eq(check.floating, 128);
    cr_expect_eq(check.samples, 7);
    cr_expect_str_eq(got.graph.slots[check.zones].name.bytes, "village");
    cr_expect_str_eq(got.graph.slots[check.surface].name.bytes, "terrain");
    cr_expect(check.bounded);
    cr_expect_eq(check.bounds.x0, -512 * 256);
    cr_expect_eq(check.bounds.z1, 8192 * 256);
}

Test(check_read, what_is_left_out_is_not_asked) {
    loam_check check = read_check("\"checks\": {\"outputs\": {\"trees\": {\"count\": "
                                  "{\"min\": 5}}}}, ");
    cr_expect_not(got.check_warns);
    cr_expect_eq(check.kinds, 1u << LOAM_CHECK_COUNT);
    cr_expect_eq(check.count_max, LOAM_CHECK_COUNT_MAX);
    check = read_check("\"checks\": {\"outputs\": {\"trees\": {\"floating_m\": 0}}}, ");
    cr_expect_eq(check.kinds, 1u << LOAM_CHECK_FLOATING);
    cr_expect_eq(check.samples, CHECK_SAMPLES_DEFAULT);
}

Test(check_read, a_world_without_checks_is_the_revision_that_it_was) {
    forest_read_world(forest_world, &got);
    digest bare = got.revision;
    cr_expect_null(checks_of(&got, 0));
    cr_expect_null(strstr(got.canonical.bytes, "checks"));
    forest_read_world(with_checks("\"checks\": {\"outputs\": {}}, "), &got);
    cr_expect(digest_equal(&bare, &got.revision));
    forest_read_world(with_checks("\"checks\": {\"outputs\": {\"trees\": {}}}, "), &got);
    cr_expect(digest_equal(&bare, &got.revision));
}

Test(check_read, checks_are_a_part_of_the_revision_and_their_own_canonical_form) {
    static char text[1 << 16];
    (void)read_check(WHOLE);
    digest revision = got.revision;
    snprintf(text, sizeof text, "%.*s", (int)got.canonical.size, got.canonical.bytes);
    cr_expect_not_null(
        strstr(text, "\"checks\":{\"mode\":\"warn\",\"outputs\":{\"trees\":{\"count\":{\"max\":"
                     "2000.5,\"min\":1000},\"floating_m\":0.5,\"ring\":{\"width_m\":4,\"zones\":"
                     "\"village\"},\"samples\":7,\"spacing_m\":1.203125,\"surface\":\"terrain\""
                     "}}}"),
        "%s", text);
    forest_read_world(text, &got);
    cr_expect(digest_equal(&revision, &got.revision));
    forest_read_world(forest_with(with_checks(WHOLE), "\"warn\"", "\"fail\""), &got);
    cr_expect_not(digest_equal(&revision, &got.revision));
    forest_read_world(forest_with(with_checks(WHOLE), "1.2,", "12e-1,"), &got);
    cr_expect(digest_equal(&revision, &got.revision));
}

Test(check_read, numbers_have_their_ranges) {
#define TREES "/checks/outputs/trees"
    assert_refused("1000,", "-1,", LOAM_OUT_OF_RANGE, TREES "/count/min");
    assert_refused("1000,", "1000000001,", LOAM_OUT_OF_RANGE, TREES "/count/min");
    assert_refused("1000,", "2001,", LOAM_OUT_OF_RANGE, TREES "/count/max");
    assert_refused("1000,", "\"1000\",", LOAM_WRONG_TYPE, TREES "/count/min");
    assert_refused("1.2,", "0,", LOAM_OUT_OF_RANGE, TREES "/spacing_m");
    assert_refused("1.2,", "-1,", LOAM_OUT_OF_RANGE, TREES "/spacing_m");
    assert_refused("1.2,", "1025,", LOAM_OUT_OF_RANGE, TREES "/spacing_m");
    assert_refused("\"width_m\": 4", "\"width_m\": -4", LOAM_OUT_OF_RANGE, TREES "/ring/width_m");
    assert_refused("0.5,", "-0.5,", LOAM_OUT_OF_RANGE, TREES "/floating_m");
    assert_refused("\"samples\": 7", "\"samples\": 0", LOAM_OUT_OF_RANGE, TREES "/samples");
    assert_refused("\"samples\": 7", "\"samples\": 10001", LOAM_OUT_OF_RANGE, TREES "/samples");
    assert_refused("\"samples\": 7", "\"samples\": 1.5", LOAM_WRONG_TYPE, TREES "/samples");
}

Test(check_read, names_must_be_known) {
    assert_refused("\"trees\": {\"count\"", "\"rocks\": {\"count\"", LOAM_UNKNOWN_OUTPUT,
                   "/checks/outputs/rocks");
    assert_refused("\"spacing_m\": 1.2", "\"spacing\": 1.2", LOAM_UNKNOWN_FIELD, TREES "/spacing");
    assert_refused("{\"min\": 1000", "{\"least\": 1000", LOAM_UNKNOWN_FIELD, TREES "/count/least");
    assert_refused("\"mode\": \"warn\"", "\"mode\": \"log\"", LOAM_OUT_OF_RANGE, "/checks/mode");
    assert_refused("\"mode\": \"warn\"", "\"modes\": \"warn\"", LOAM_UNKNOWN_FIELD,
                   "/checks/modes");
    assert_refused("\"zones\": \"village\"", "\"zones\": \"town\"", LOAM_UNKNOWN_SLOT,
                   TREES "/ring/zones");
    assert_refused("\"zones\": \"village\"", "\"zones\": \"terrain\"", LOAM_SLOT_MISMATCH,
                   TREES "/ring/zones");
    assert_refused("\"samples\": 7", "\"surface\": \"village\"", LOAM_SLOT_MISMATCH,
                   TREES "/surface");
}

Test(check_read, what_is_required_is_missed) {
    assert_refused("\"zones\": \"village\", ", "", LOAM_MISSING_FIELD, TREES "/ring/zones");
    assert_refused(", \"width_m\": 4", "", LOAM_MISSING_FIELD, TREES "/ring/width_m");
    assert_refused("\"min\": 1000, \"max\": 2000.5", "", LOAM_MISSING_FIELD, TREES "/count");
    assert_refused("\"floating_m\": 0.5, ", "", LOAM_MISSING_FIELD, TREES "/floating_m");
    assert_refused("\"warn\", \"outputs\": {", "\"warn\", \"others\": {", LOAM_MISSING_FIELD,
                   "/checks/outputs");
}

Test(check_read, types_are_told) {
    assert_refused("{\"min\": 1000, \"max\": 2000.5}", "5", LOAM_WRONG_TYPE, TREES "/count");
    assert_refused("{\"zones\": \"village\", \"width_m\": 4}", "[]", LOAM_WRONG_TYPE,
                   TREES "/ring");
    assert_refused("\"mode\": \"warn\"", "\"mode\": 1", LOAM_WRONG_TYPE, "/checks/mode");
}

Test(check_read, many_faults_are_all_found) {
    const char *json = forest_with(with_checks(WHOLE), "1.2,", "-1,");
    json = forest_with(json, "\"width_m\": 4", "\"width_m\": -4");
    json = forest_with(json, "\"samples\": 7", "\"samples\": 0");
    cr_assert_neq(
        world_read(loam_text_of(json), &forest_resolver, forest_arena(), &got, forest_faults()),
        LOAM_OK);
    cr_expect(forest_has_fault(LOAM_OUT_OF_RANGE, TREES "/spacing_m"));
    cr_expect(forest_has_fault(LOAM_OUT_OF_RANGE, TREES "/ring/width_m"));
    cr_expect(forest_has_fault(LOAM_OUT_OF_RANGE, TREES "/samples"));
}

Test(check_read, without_a_heightfield_nothing_floats) {
    static const char grid_world[] =
        "{\"seed\": \"1\", \"graph\": {\"loam_graph\": 1, \"slots\": {%s}, \"nodes\": {\"s\": "
        "{\"op\": \"grid.sample\", \"params\": {\"spacing_m\": 2}}}, \"outputs\": {\"o\": "
        "{\"node\": \"s\", \"level\": 0}}}, \"slots\": {%s}, \"checks\": {\"outputs\": {\"o\": "
        "{\"floating_m\": 1%s}}}, \"grid\": {\"levels\": [{\"cell_size_m\": 64}]}}";
    char json[1024];
    snprintf(json, sizeof json, grid_world, "", "", "");
    cr_expect_neq(
        world_read(loam_text_of(json), &forest_resolver, forest_arena(), &got, forest_faults()),
        LOAM_OK);
    cr_expect(forest_has_fault(LOAM_UNKNOWN_SLOT, "/checks/outputs/o/floating_m"));
    snprintf(json, sizeof json, grid_world, "\"a\": \"heightfield\", \"b\": \"heightfield\"",
             "\"a\": \"hills\", \"b\": \"hills\"", "");
    cr_expect_neq(
        world_read(loam_text_of(json), &forest_resolver, forest_arena(), &got, forest_faults()),
        LOAM_OK);
    cr_expect(forest_has_fault(LOAM_MISSING_FIELD, "/checks/outputs/o/surface"));
    snprintf(json, sizeof json, grid_world, "\"a\": \"heightfield\", \"b\": \"heightfield\"",
             "\"a\": \"hills\", \"b\": \"hills\"", ", \"surface\": \"b\"");
    forest_read_world(json, &got);
    cr_expect_str_eq(got.graph.slots[got.checks[0].surface].name.bytes, "b");
}
