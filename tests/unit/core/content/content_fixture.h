/* SPDX-License-Identifier: MIT
 *
 * content_fixture.h: floors drawn as text, and content on them. '#' wall, '.' floor, '+' a door, a
 * digit n a door with the lock kn, '@' the entrance, '>' the exit; rooms are given as boxes.
 */
#ifndef LOAM_TESTS_UNIT_CORE_CONTENT_FIXTURE_H
#define LOAM_TESTS_UNIT_CORE_CONTENT_FIXTURE_H

#include "core/loam_dungeon.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"

#include <criterion/criterion.h>
#include <string.h>

enum { DRAWN_DOORS_MAX = 64, DRAWN_ROOMS_MAX = 64, DRAWN_CELLS_MAX = 128 * 128 };

typedef struct drawn_floor {
    loam_layout layout;
    uint8_t cells[DRAWN_CELLS_MAX];
    loam_door doors[DRAWN_DOORS_MAX];
    loam_room rooms[DRAWN_ROOMS_MAX];
    char locks[DRAWN_DOORS_MAX][3];
} drawn_floor;

/* A door runs across the way: walls are at its ends. */
static inline void draw_door(drawn_floor *floor, const char *const *rows, int32_t x, int32_t y) {
    uint32_t id = floor->layout.door_count++;
    char mark = rows[y][x];
    bool beside = rows[y][x - 1] == '#' && rows[y][x + 1] == '#';
    floor->doors[id] =
        (loam_door){.id = id, .at = {x, y}, .width = 1, .axis = beside ? LOAM_AXIS_X : LOAM_AXIS_Y};
    if (mark != '+') {
        floor->locks[id][0] = 'k';
        floor->locks[id][1] = mark;
        floor->doors[id].lock = loam_text_of(floor->locks[id]);
    }
}

static inline void draw_cell_of(drawn_floor *floor, const char *const *rows, int32_t x, int32_t y) {
    char mark = rows[y][x];
    uint8_t *cell = &floor->cells[y * floor->layout.width + x];
    *cell = mark == '#' ? LOAM_CELL_WALL : LOAM_CELL_FLOOR;
    if (mark == '@') {
        floor->layout.entrance = (loam_spot){x, y};
    } else if (mark == '>') {
        floor->layout.exit = (loam_spot){x, y};
    } else if (mark != '#' && mark != '.') {
        *cell = LOAM_CELL_DOOR;
        draw_door(floor, rows, x, y);
    }
}

/* Rows end with NULL. */
static inline void draw_floor(drawn_floor *floor, const char *const *rows, const loam_box *rooms,
                              uint32_t room_count) {
    *floor = (drawn_floor){0};
    loam_layout *layout = &floor->layout;
    layout->width = (int32_t)strlen(rows[0]);
    layout->cells = floor->cells;
    layout->doors = floor->doors;
    layout->rooms = floor->rooms;
    layout->room_count = room_count;
    layout->entrance = layout->exit = layout->stairs_up = layout->stairs_down = (loam_spot){-1, -1};
    for (; rows[layout->height] != NULL; layout->height++) {
        for (int32_t x = 0; x < layout->width; x++) {
            draw_cell_of(floor, rows, x, layout->height);
        }
    }
    static const char *const names[] = {"A", "B", "C", "D", "E", "F", "G", "H"};
    for (uint32_t r = 0; r < room_count; r++) {
        floor->rooms[r] = (loam_room){.id = r, .box = rooms[r], .name = loam_text_of(names[r % 8])};
    }
}

/* A dungeon of one floor. */
static inline loam_dungeon dungeon_of(const loam_layout *layout, loam_dungeon_floor *floor,
                                      loam_policy policy) {
    *floor = (loam_dungeon_floor){.layout = *layout};
    return (loam_dungeon){.policy = policy, .floors = floor, .floor_count = 1};
}

typedef struct content_made {
    loam_arena arena, rules_arena;
    loam_dungeon_floor floor;
    loam_dungeon dungeon;
    loam_content content;
    loam_status status;
    loam_error error;
} content_made;

/* With as much memory as it is said to need, and no more. Rules are JSON, or NULL. */
static inline const loam_content_floor *make_content(content_made *made, const loam_layout *layout,
                                                     const char *rules, uint64_t sub,
                                                     loam_policy policy) {
    *made = (content_made){.rules_arena = arena_of(1 << 20)};
    made->dungeon = dungeon_of(layout, &made->floor, policy);
    made->arena = arena_of(loam_content_bytes(&made->dungeon));
    loam_run run = {.arena = &made->arena};
    const loam_rules *document = rules == NULL ? NULL : rules_of_text(rules, &made->rules_arena);
    made->status =
        loam_content_build(&made->dungeon, document, sub, &run, &made->content, &made->error);
    return made->content.floors;
}

static inline uint32_t count_objects(const loam_content_floor *floor, loam_object_kind kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < floor->object_count; i++) {
        count += floor->objects[i].kind == kind;
    }
    return count;
}

#endif
