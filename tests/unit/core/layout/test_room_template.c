/* SPDX-License-Identifier: MIT
 *
 * test_room_template.c: drawn rooms: what is read, how it is turned, and where a fault in it lies.
 */
#include "core/layout/room_template.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"

#include <criterion/criterion.h>

static loam_arena arena;
static loam_error error;
static template_set set;

static void init(void) {
    arena = arena_of(8 << 20);
}

TestSuite(room_template, .init = init);

static loam_status read_set(const char *json) {
    error = (loam_error){0};
    return template_set_read(rules_of_text(json, &arena), "/params/templates", &arena, &set,
                             &error);
}

Test(room_template, rows_are_read_from_a_list_and_from_one_text) {
    cr_assert_eq(read_set("{\"templates\":[{\"rows\":[\"####\",\"#..+\",\"####\"],\"weight\":3},"
                          "{\"rows\":\"###\n#.#\n###\n\",\"rotate\":false}]}"),
                 LOAM_OK, "%s", error.text);
    cr_assert_eq(set.count, 2);
    cr_expect_eq(set.templates[0].weight, 3);
    cr_expect_eq(set.templates[0].shape_count, 4);
    cr_expect_eq(set.templates[1].shape_count, 1);
    cr_expect_eq(set.templates[1].shapes[0].height, 3);
}

Test(room_template, a_quarter_turn_is_clockwise) {
    cr_assert_eq(read_set("\"####\n#..+\n####\""), LOAM_OK, "%s", error.text);
    const room_shape *turned = &set.templates[0].shapes[1];
    cr_assert_eq(turned->width, 3);
    cr_assert_eq(turned->height, 4);
    cr_expect_arr_eq(turned->cells, "####.##.##+#", 12);
    cr_expect_arr_eq(set.templates[0].shapes[2].cells, "####+..#####", 12);
}

Test(room_template, a_text_holds_templates_with_empty_lines_between) {
    cr_assert_eq(read_set("\"###\n#.#\n###\n\n\n####\n#..#\n####\n\""), LOAM_OK, "%s", error.text);
    cr_expect_eq(set.count, 2);
    cr_assert_eq(read_set("\"templates.default/1\""), LOAM_OK, "%s", error.text);
    cr_expect_gt(set.count, 4);
}

static void expect_refused(const char *json, loam_status status, const char *pointer) {
    cr_expect_eq(read_set(json), status, "%s: %s", json, error.text);
    cr_expect_str_eq(error.pointer, pointer, "%s: %s", json, error.text);
}

Test(room_template, faults_name_their_row) {
    expect_refused("{\"templates\":[{\"rows\":[\"####\",\"#..\",\"####\"]}]}", LOAM_OUT_OF_RANGE,
                   "/params/templates/templates/0/rows/1");
    expect_refused("{\"templates\":[{\"rows\":[\"###\",\"#.#\",\"###\"]},{\"rows\":[\"###\","
                   "\"#x#\",\"###\"]}]}",
                   LOAM_OUT_OF_RANGE, "/params/templates/templates/1/rows/1");
    expect_refused("{\"templates\":[{\"rows\":[\"####\",\"...#\",\"####\"]}]}", LOAM_OUT_OF_RANGE,
                   "/params/templates/templates/0/rows/1");
    expect_refused("{\"templates\":[{\"rows\":[\"+###\",\"#..#\",\"####\"]}]}", LOAM_OUT_OF_RANGE,
                   "/params/templates/templates/0/rows/0");
    expect_refused("{\"templates\":[{\"rows\":[\"#####\",\"#.#.#\",\"#####\"]}]}",
                   LOAM_OUT_OF_RANGE, "/params/templates/templates/0/rows");
    expect_refused("{\"templates\":[{\"rows\":[\"####\",\"####\",\"####\"]}]}", LOAM_OUT_OF_RANGE,
                   "/params/templates/templates/0/rows");
    expect_refused("{\"templates\":[{\"rows\":[1]}]}", LOAM_WRONG_TYPE,
                   "/params/templates/templates/0/rows");
    expect_refused("{\"templates\":[{\"rows\":[]}]}", LOAM_OUT_OF_RANGE,
                   "/params/templates/templates/0/rows");
    expect_refused("{\"templates\":[]}", LOAM_TOO_MANY, "/params/templates/templates");
    expect_refused("{\"templates\":[{\"rows\":[\"###\",\"#.#\",\"###\"],\"size\":1}]}",
                   LOAM_UNKNOWN_FIELD, "/params/templates/templates/0/size");
    expect_refused("\"no.such/1\"", LOAM_OUT_OF_RANGE, "/params/templates");
    expect_refused("\"\"", LOAM_TOO_MANY, "/params/templates");
}

Test(room_template, picks_follow_weights_and_most) {
    cr_assert_eq(read_set("{\"templates\":[{\"rows\":\"###\n#.#\n###\",\"weight\":1},"
                          "{\"rows\":\"###\n#.#\n###\",\"weight\":3,\"max\":2},"
                          "{\"rows\":\"###\n#.#\n###\",\"kind\":\"boss\",\"weight\":9}]}"),
                 LOAM_OK, "%s", error.text);
    uint32_t used[3] = {0};
    cr_expect_eq(template_pick(&set, used, 0), &set.templates[0]);
    cr_expect_eq(template_pick(&set, used, UINT64_MAX / 2), &set.templates[1]);
    cr_expect_eq(template_pick(&set, used, UINT64_MAX), &set.templates[1]);
    used[1] = 2;
    cr_expect_eq(template_pick(&set, used, UINT64_MAX), &set.templates[0]);
    set.templates[0].most = 0;
    cr_expect_null(template_pick(&set, used, UINT64_MAX));
}

Test(room_template, one_without_a_gate_as_wide_as_the_corridor_is_of_no_use) {
    loam_box inside = {1, 1, 10, 3};
    cr_assert_eq(read_set("\"#+####\n#....#\n######\""), LOAM_OK);
    cr_expect(template_fits(&set.templates[0], inside, 4));
    cr_expect_not(template_fits(&set.templates[0], inside, 5));
    inside.height = 1;
    cr_expect(template_fits(&set.templates[0], inside, 1));
    inside.width = 3;
    cr_expect_not(template_fits(&set.templates[0], inside, 1));
}
