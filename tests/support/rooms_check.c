/* SPDX-License-Identifier: MIT
 *
 * rooms_check.c: see rooms_check.h.
 */
#include "tests/support/rooms_check.h"

#include <stdarg.h>
#include <stdio.h>

static char fault[200];

static const char *say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static const char *say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault, sizeof fault, format, arguments);
    va_end(arguments);
    return fault;
}

static uint8_t cell(const layout_run *run, int32_t x, int32_t y) {
    cell_grid cells = layout_run_cells(run);
    return grid_get(&cells, x, y, LOAM_CELL_WALL);
}

static const char *check_boxes(const layout_run *run, int32_t gap) {
    const loam_layout *out = &run->layout;
    loam_box inside = layout_inside(run->call.size);
    for (uint32_t i = 0; i < out->room_count; i++) {
        loam_box box = out->rooms[i].box, common = box_common(box, inside);
        if (common.width != box.width || common.height != box.height) {
            return say("room %u is not inside", i);
        }
        for (uint32_t j = 0; j < i; j++) {
            if (box_meets(box_grown(box, gap), out->rooms[j].box)) {
                return say("rooms %u and %u are too near", i, j);
            }
        }
        if (out->rooms[i].id != i) {
            return say("room %u has another id", i);
        }
    }
    return NULL;
}

static int32_t distance(loam_spot at, loam_box box) {
    int32_t dx = at.x < box.x ? box.x - at.x : at.x - (box.x + box.width - 1);
    int32_t dy = at.y < box.y ? box.y - at.y : at.y - (box.y + box.height - 1);
    return (dx > 0 ? dx : 0) + (dy > 0 ? dy : 0);
}

static const char *check_corridor(const layout_run *run, uint32_t index) {
    const loam_corridor *corridor = &run->layout.corridors[index];
    const loam_room *rooms = run->layout.rooms;
    const loam_spot *path = corridor->path;
    if (distance(path[0], rooms[corridor->a].box) != 1 ||
        distance(path[corridor->path_count - 1], rooms[corridor->b].box) != 1) {
        return say("corridor %u does not end at its rooms", index);
    }
    for (uint32_t i = 0; i < corridor->path_count; i++) {
        if (cell(run, path[i].x, path[i].y) == LOAM_CELL_WALL) {
            return say("corridor %u is closed at %d,%d", index, path[i].x, path[i].y);
        }
        if (i > 0 && (path[i].x - path[i - 1].x) * (path[i].x - path[i - 1].x) +
                             (path[i].y - path[i - 1].y) * (path[i].y - path[i - 1].y) !=
                         1) {
            return say("corridor %u jumps at %d,%d", index, path[i].x, path[i].y);
        }
    }
    return NULL;
}

static const char *check_edges(const layout_run *run) {
    const loam_layout *out = &run->layout;
    if (out->edge_count != out->corridor_count) {
        return say("%u edges, %u corridors", out->edge_count, out->corridor_count);
    }
    for (uint32_t i = 0; i < out->edge_count; i++) {
        const loam_room_edge *edge = &out->edges[i];
        if (edge->a >= edge->b || edge->b >= out->room_count || edge->a != out->corridors[i].a ||
            edge->b != out->corridors[i].b) {
            return say("edge %u is %u-%u", i, edge->a, edge->b);
        }
        const char *wrong = check_corridor(run, i);
        if (wrong != NULL) {
            return wrong;
        }
    }
    return NULL;
}

static const char *check_door(const layout_run *run, const loam_door *door) {
    int32_t dx = door->axis == LOAM_AXIS_X, dy = !dx;
    loam_spot at = door->at;
    if (cell(run, at.x - dx, at.y - dy) != LOAM_CELL_WALL ||
        cell(run, at.x + dx * door->width, at.y + dy * door->width) != LOAM_CELL_WALL) {
        return say("door %u has no walls aside", door->id);
    }
    for (int32_t i = 0; i < door->width; i++, at.x += dx, at.y += dy) {
        if (cell(run, at.x, at.y) != LOAM_CELL_DOOR ||
            cell(run, at.x + dy, at.y + dx) != LOAM_CELL_FLOOR ||
            cell(run, at.x - dy, at.y - dx) != LOAM_CELL_FLOOR) {
            return say("door %u has no floor across at %d,%d", door->id, at.x, at.y);
        }
    }
    return NULL;
}

static const char *check_doors(const layout_run *run) {
    uint32_t cells = 0, listed = 0;
    cell_grid grid = layout_run_cells(run);
    for (size_t i = 0; i < grid_count(&grid); i++) {
        cells += grid.cells[i] == LOAM_CELL_DOOR;
    }
    for (uint32_t i = 0; i < run->layout.door_count; i++) {
        const char *wrong = check_door(run, &run->layout.doors[i]);
        if (wrong != NULL) {
            return wrong;
        }
        listed += (uint32_t)run->layout.doors[i].width;
    }
    return cells == listed ? NULL : say("%u cells of doors, %u listed", cells, listed);
}

static const char *check_junctions(const layout_run *run) {
    static const uint8_t ways_of[] = {[LOAM_JUNCTION_END] = 1,
                                      [LOAM_JUNCTION_STRAIGHT] = 2,
                                      [LOAM_JUNCTION_BEND] = 2,
                                      [LOAM_JUNCTION_TEE] = 3,
                                      [LOAM_JUNCTION_CROSS] = 4};
    for (uint32_t i = 0; i < run->layout.junction_count; i++) {
        const loam_junction *junction = &run->layout.junctions[i];
        uint8_t count = 0;
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            loam_spot next = spot_step(junction->at, way);
            bool on = (junction->ways >> way & 1) != 0;
            count += on;
            if (on && cell(run, next.x, next.y) == LOAM_CELL_WALL) {
                return say("junction %u leads into a wall", i);
            }
        }
        if (count != ways_of[junction->kind]) {
            return say("junction %u has %u ways", i, count);
        }
    }
    return NULL;
}

static const char *check_border(const layout_run *run) {
    loam_box inside = layout_inside(run->call.size);
    for (int32_t y = 0; y < run->layout.height; y++) {
        for (int32_t x = 0; x < run->layout.width; x++) {
            if (!box_has(inside, x, y) && cell(run, x, y) != LOAM_CELL_WALL) {
                return say("the border is open at %d,%d", x, y);
            }
        }
    }
    return NULL;
}

const char *rooms_check(const layout_run *run, int32_t gap) {
    const char *wrong = check_boxes(run, gap);
    wrong = wrong == NULL ? check_edges(run) : wrong;
    wrong = wrong == NULL ? check_doors(run) : wrong;
    wrong = wrong == NULL ? check_junctions(run) : wrong;
    return wrong == NULL ? check_border(run) : wrong;
}
