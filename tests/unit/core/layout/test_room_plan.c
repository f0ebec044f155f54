/* SPDX-License-Identifier: MIT
 *
 * test_room_plan.c: single corridors between rooms that are put by hand: their shape, doors and
 * junctions, cell by cell.
 */
#include "core/layout/corridor.h"
#include "core/layout/room_plan.h"
#include "tests/support/layout_run.h"

#include <criterion/criterion.h>

static layout_run run;
static room_plan plan;
static loam_arena arena;
static loam_error error;

/* A plan of 20 by 12 cells with these rooms. */
static void begin(const loam_box *boxes, uint32_t count, int32_t width) {
    layout_run_init(&run, 16 << 20);
    arena = run.memory;
    run.call = (layout_call){.size = {20, 12, 1},
                             .seed = 5,
                             .steps_max = UINT64_MAX,
                             .arena = &arena,
                             .error = &error,
                             .out = &run.layout};
    room_plan_sizes sizes = {.rooms = 8, .edges = 16, .corridor_width = width};
    cr_assert_eq(room_plan_begin(&plan, &run.call, sizes), LOAM_OK);
    for (uint32_t i = 0; i < count; i++) {
        (void)room_plan_add(&plan, boxes[i], NULL);
    }
    room_plan_open(&plan);
}

static bool join(corridor_request request) {
    bool joined = false;
    cr_assert_eq(corridor_join(&plan, request, LOAM_EDGE_TREE, &joined), LOAM_OK);
    return joined;
}

static void expect_text(const char *want) {
    cr_assert_eq(room_plan_end(&plan), LOAM_OK);
    cr_expect_str_eq(layout_run_text(&run), want, "got\n%s", layout_run_text(&run));
}

Test(room_plan, rooms_that_face_each_other_are_joined_straight_with_two_doors) {
    static const loam_box boxes[] = {{2, 2, 4, 3}, {12, 4, 4, 3}};
    begin(boxes, 2, 1);
    cr_assert(join((corridor_request){.a = 0, .b = 1, .style = CORRIDOR_STRAIGHT}));
    expect_text("####################\n"
                "####################\n"
                "##....##############\n"
                "##....##############\n"
                "##....+....+....####\n"
                "############....####\n"
                "############....####\n"
                "####################\n"
                "####################\n"
                "####################\n"
                "####################\n"
                "####################\n");
}

Test(room_plan, a_wall_of_two_cells_has_one_door_and_one_of_one_cell_too) {
    static const loam_box two[] = {{2, 2, 4, 1}, {8, 2, 4, 1}},
                          one[] = {{2, 2, 4, 1}, {7, 2, 4, 1}};
    begin(two, 2, 1);
    cr_assert(join((corridor_request){.a = 0, .b = 1}));
    cr_assert_eq(room_plan_end(&plan), LOAM_OK);
    cr_expect_eq(run.layout.door_count, 1, "doors are never side by side");
    begin(one, 2, 1);
    cr_assert(join((corridor_request){.a = 0, .b = 1}));
    cr_assert_eq(room_plan_end(&plan), LOAM_OK);
    cr_expect_eq(run.layout.door_count, 1);
    cr_expect_eq(run.layout.junction_count, 0);
}

Test(room_plan, a_corridor_with_a_bend_has_a_junction_there) {
    static const loam_box boxes[] = {{2, 1, 3, 3}, {14, 7, 3, 3}};
    begin(boxes, 2, 1);
    cr_assert(join((corridor_request){.a = 0, .b = 1, .style = CORRIDOR_L}));
    cr_assert_eq(room_plan_end(&plan), LOAM_OK);
    cr_assert_eq(run.layout.junction_count, 1);
    cr_expect_eq(run.layout.junctions[0].kind, LOAM_JUNCTION_BEND);
    cr_expect_eq(run.layout.door_count, 2);
    cr_expect_eq(layout_run_regions(&run), 1);
}

Test(room_plan, an_even_width_grows_to_the_east_and_south) {
    static const loam_box boxes[] = {{2, 2, 2, 3}, {2, 8, 2, 3}};
    begin(boxes, 2, 2);
    cr_assert(join((corridor_request){.a = 0, .b = 1}));
    cr_assert_eq(room_plan_end(&plan), LOAM_OK);
    cr_assert_eq(run.layout.door_count, 2);
    cr_expect_eq(run.layout.doors[0].at.x, 2);
    cr_expect_eq(run.layout.doors[0].width, 2);
    cr_expect_eq(run.layout.doors[0].axis, LOAM_AXIS_X);
    cr_expect_eq(run.layout.corridors[0].path[0].x, 2);
}

Test(room_plan, a_corridor_goes_round_a_room_in_between) {
    static const loam_box boxes[] = {{2, 4, 3, 3}, {15, 4, 3, 3}, {8, 3, 3, 5}};
    begin(boxes, 3, 1);
    cr_assert(join((corridor_request){.a = 0, .b = 1, .style = CORRIDOR_ASTAR}));
    cr_assert_eq(room_plan_end(&plan), LOAM_OK);
    cr_expect_eq(run.layout.door_count, 2);
    cr_expect_eq(layout_run_regions(&run), 2, "the room in between stays closed");
}

Test(room_plan, rooms_that_no_brush_fits_between_are_joined_by_force_alone) {
    static const loam_box boxes[] = {{1, 1, 3, 3}, {6, 6, 3, 3}, {6, 1, 13, 3}, {1, 6, 3, 5}};
    begin(boxes, 4, 3);
    corridor_request request = {.a = 0, .b = 1};
    cr_expect_not(join(request));
    request.force = FORCE_ROOMS;
    cr_expect(join(request));
    cr_assert_eq(room_plan_end(&plan), LOAM_OK);
}

Test(room_plan, corridors_that_meet_list_their_crossing_once) {
    static const loam_box boxes[] = {{1, 4, 3, 3}, {16, 4, 3, 3}, {9, 1, 1, 1}, {9, 10, 1, 1}};
    begin(boxes, 4, 1);
    cr_assert(join((corridor_request){.a = 0, .b = 1, .style = CORRIDOR_STRAIGHT}));
    cr_assert(join((corridor_request){.a = 2, .b = 3, .style = CORRIDOR_STRAIGHT}));
    cr_assert_eq(room_plan_end(&plan), LOAM_OK);
    cr_assert_eq(run.layout.junction_count, 1);
    cr_expect_eq(run.layout.junctions[0].kind, LOAM_JUNCTION_CROSS);
    cr_expect_eq(run.layout.junctions[0].ways, 15);
    cr_expect_eq(run.layout.junctions[0].at.x, 9);
}

Test(room_plan, cells_that_touch_by_a_corner_alone_are_joined) {
    static const loam_box boxes[] = {{1, 1, 1, 1}, {18, 10, 1, 1}};
    begin(boxes, 2, 1);
    cr_assert(join((corridor_request){.a = 0, .b = 1, .style = CORRIDOR_DIAGONAL}));
    loam_spot middle = plan.path[plan.path_count / 2];
    loam_spot beside = {middle.x + 2, middle.y};
    cell_grid cells = plan.cells;
    if (grid_get(&cells, beside.x - 1, beside.y, 0) != 0) {
        beside = (loam_spot){middle.x - 2, middle.y};
    }
    cr_assert_eq(room_plan_end(&plan), LOAM_OK);
    for (int32_t y = 0; y < 11; y++) {
        for (int32_t x = 0; x < 19; x++) {
            bool nw = grid_get(&cells, x, y, 0) != 0, ne = grid_get(&cells, x + 1, y, 0) != 0;
            bool sw = grid_get(&cells, x, y + 1, 0) != 0;
            bool se = grid_get(&cells, x + 1, y + 1, 0) != 0;
            cr_expect(nw != se || ne != sw || nw == ne, "a gap at %d,%d", x, y);
        }
    }
}
