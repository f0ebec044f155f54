/* SPDX-License-Identifier: MIT
 *
 * test_world_check.c: what costs too much is refused before anything is made.
 */
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(world_check, .fini = forest_fini);

static loam_status check(const char *json) {
    static unsigned char memory[8 << 20];
    static world of;
    loam_arena scratch;
    loam_arena_init(&scratch, memory, sizeof memory);
    forest_read_world(json, &of);
    loam_status status = world_check(&of, &scratch, forest_faults());
    cr_assert_eq(loam_arena_mark(&scratch), 0, "scratch is given back");
    return status;
}

Test(world_check, the_forest_is_affordable) {
    cr_assert_eq(check(forest_world), LOAM_OK);
}

Test(world_check, a_spacing_beyond_the_budget_is_refused_with_its_place) {
    cr_assert_eq(check(forest_with(forest_world, "\"spacing_m\": 0.6", "\"spacing_m\": 0.01")),
                 LOAM_BUDGET_EXCEEDED);
    cr_assert_eq(strncmp(forest_fault()->pointer, "/graph/", 7), 0);
}

Test(world_check, a_smaller_cell_may_be_affordable) {
    const char *json = forest_with(forest_world, "\"spacing_m\": 0.6", "\"spacing_m\": 0.05");
    json = forest_with(json, "\"radius_m\": 1.2", "\"radius_m\": 0.1");
    cr_assert_eq(check(json), LOAM_BUDGET_EXCEEDED);
    cr_assert_eq(check(forest_with(json, "\"level\": 0", "\"level\": 1")), LOAM_OK);
}

Test(world_check, what_the_strips_around_a_checked_cell_cost_is_judged) {
    static const char checks[] = "\"checks\": {\"outputs\": {\"trees\": {\"spacing_m\": 8}}}, ";
    char with[128];
    snprintf(with, sizeof with, "%s\"grid\"", checks);
    const char *json = forest_with(forest_world, "\"grid\"", with);
    json = forest_with(json, "\"spacing_m\": 0.6", "\"spacing_m\": 0.1");
    json = forest_with(json, "\"radius_m\": 1.2", "\"radius_m\": 0.2");
    json = forest_with(json, "\"level\": 0", "\"level\": 1");
    cr_assert_eq(check(json), LOAM_OK);
    cr_assert_eq(check(forest_with(json, "\"spacing_m\": 8", "\"spacing_m\": 1024")),
                 LOAM_BUDGET_EXCEEDED);
    cr_assert_str_eq(forest_fault()->pointer, "/checks/outputs/trees/spacing_m");
}
