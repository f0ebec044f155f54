/* SPDX-License-Identifier: MIT
 *
 * room_plan.c: see room_plan.h.
 */
#include "core/layout/room_plan.h"

#include "core/base/try.h"
#include "core/grid/region_join.h"
#include "core/layout/corridor.h"
#include "core/layout/lane_search.h"
#include "core/layout/open_layout.h"

/* Middle lines of all corridors together: each cell twice. */
enum { PATHS_A_CELL = 2, GRIDS_A_CELL = 4 };

static uint64_t cell_count(layout_size size) {
    return (uint64_t)size.width * (uint64_t)size.height;
}

uint64_t room_plan_bytes(layout_size size, room_plan_sizes sizes) {
    uint64_t room = sizeof(loam_room) + sizeof(room_shape *);
    uint64_t edge = sizeof(loam_room_edge) + sizeof(loam_corridor) + 2 * sizeof(loam_door);
    uint64_t junctions = cell_count(size) * sizeof(loam_junction);
    return cell_count(size) * (GRIDS_A_CELL + PATHS_A_CELL * sizeof(loam_spot)) +
           sizes.rooms * room + sizes.edges * edge + junctions + lane_search_bytes(size) +
           bit_rows_bytes(size.width, size.height) + regions_bytes(size.width, size.height) +
           region_join_bytes(size.width, size.height) + 4096;
}

/* Each join tries lines across the grid, then may search all of it, twice. */
uint64_t room_plan_steps(layout_size size, uint64_t joins) {
    uint64_t lines = (uint64_t)CORRIDOR_TRIES * (uint64_t)(size.width + size.height) * 4;
    return cell_count(size) * 16 + joins * (lines + 2 * lane_search_steps(size));
}

static loam_status take_grid(room_plan *plan, cell_grid *grid) {
    grid->width = plan->call->size.width;
    grid->height = plan->call->size.height;
    grid->cells = loam_arena_take_zero(plan->call->arena, grid_count(grid), 1);
    LOAM_TRY_MEMORY(grid->cells, plan->call->error);
    return LOAM_OK;
}

static loam_status take_lists(room_plan *plan, room_plan_sizes sizes) {
    loam_arena *arena = plan->call->arena;
    loam_error *error = plan->call->error;
    plan->room_capacity = sizes.rooms;
    plan->edge_capacity = sizes.edges;
    plan->path_capacity = (uint32_t)grid_count(&plan->cells) * PATHS_A_CELL;
    plan->rooms = loam_arena_take_zero(arena, sizes.rooms, sizeof *plan->rooms);
    LOAM_TRY_MEMORY(plan->rooms, error);
    plan->shapes = loam_arena_take_zero(arena, sizes.rooms, sizeof *plan->shapes);
    LOAM_TRY_MEMORY(plan->shapes, error);
    plan->edges = loam_arena_take(arena, sizes.edges, sizeof *plan->edges);
    LOAM_TRY_MEMORY(plan->edges, error);
    plan->corridors = loam_arena_take(arena, sizes.edges, sizeof *plan->corridors);
    LOAM_TRY_MEMORY(plan->corridors, error);
    plan->path = loam_arena_take(arena, plan->path_capacity, sizeof *plan->path);
    LOAM_TRY_MEMORY(plan->path, error);
    return LOAM_OK;
}

loam_status room_plan_begin(room_plan *plan, layout_call *call, room_plan_sizes sizes) {
    *plan = (room_plan){.call = call, .inside = layout_inside(call->size)};
    plan->width = sizes.corridor_width;
    plan->low = (sizes.corridor_width - 1) / 2;
    plan->high = sizes.corridor_width / 2;
    LOAM_TRY(take_grid(plan, &plan->cells));
    LOAM_TRY(take_grid(plan, &plan->zones));
    LOAM_TRY(take_grid(plan, &plan->lanes));
    LOAM_TRY(take_grid(plan, &plan->ways));
    return take_lists(plan, sizes);
}

static void lay_shape(room_plan *plan, loam_box box, const room_shape *shape) {
    for (int32_t y = 0; y < box.height; y++) {
        for (int32_t x = 0; x < box.width; x++) {
            char cell = shape->cells[(size_t)(y + 1) * (size_t)shape->width + (size_t)x + 1];
            grid_set(&plan->cells, box.x + x, box.y + y,
                     cell == '.' ? LOAM_CELL_FLOOR : LOAM_CELL_WALL);
        }
    }
}

loam_room *room_plan_add(room_plan *plan, loam_box box, const room_shape *shape) {
    LOAM_ASSERT(plan->room_count < plan->room_capacity);
    uint32_t id = plan->room_count++;
    plan->rooms[id] = (loam_room){.id = id, .box = box};
    plan->shapes[id] = shape;
    if (shape == NULL) {
        grid_fill(&plan->cells, box, LOAM_CELL_FLOOR);
    } else {
        lay_shape(plan, box, shape);
    }
    return &plan->rooms[id];
}

/* Places of the middle from which the brush touches a box, inside `within`. */
static loam_box touched_from(const room_plan *plan, loam_box box, loam_box within) {
    loam_box from = {box.x - plan->high, box.y - plan->high, box.width + plan->width - 1,
                     box.height + plan->width - 1};
    return box_common(from, within);
}

static void open_class(room_plan *plan, int32_t grown, loam_box within, uint8_t lane) {
    for (uint32_t i = 0; i < plan->room_count; i++) {
        loam_box box = box_grown(plan->rooms[i].box, grown);
        grid_fill(&plan->lanes, touched_from(plan, box, within), lane);
    }
}

void room_plan_open_lanes(room_plan *plan) {
    if (plan->lanes_open) {
        return;
    }
    plan->lanes_open = true;
    loam_box within = {plan->inside.x + plan->low, plan->inside.y + plan->low,
                       plan->inside.width - plan->width + 1, plan->inside.height - plan->width + 1};
    memset(plan->lanes.cells, LANE_EDGE, grid_count(&plan->lanes));
    grid_fill(&plan->lanes, within, LANE_ROCK);
    open_class(plan, 2, within, LANE_BESIDE);
    open_class(plan, 1, within, LANE_WALL);
    open_class(plan, 0, within, LANE_ROOM);
    for (uint32_t i = 0; i < plan->room_count; i++) {
        if (plan->shapes[i] != NULL) {
            grid_fill(&plan->lanes, touched_from(plan, plan->rooms[i].box, within), LANE_SHAPE);
        }
    }
}

void room_plan_open(room_plan *plan) {
    for (uint32_t i = 0; i < plan->room_count; i++) {
        grid_fill(&plan->zones, box_grown(plan->rooms[i].box, 1), ZONE_WALL);
    }
    for (uint32_t i = 0; i < plan->room_count; i++) {
        grid_fill(&plan->zones, plan->rooms[i].box, ZONE_ROOM);
    }
}

static void lay_brush(room_plan *plan, loam_spot at) {
    for (int32_t y = at.y - plan->low; y <= at.y + plan->high; y++) {
        for (int32_t x = at.x - plan->low; x <= at.x + plan->high; x++) {
            if (grid_get(&plan->zones, x, y, ZONE_ROOM) != ZONE_ROOM) {
                plan->cells.cells[grid_index(&plan->cells, x, y)] = LOAM_CELL_FLOOR;
            }
        }
    }
}

/* Whether a middle line goes on from here other than straight. */
static bool is_bend(const room_plan *plan, loam_spot at) {
    uint8_t ways = plan->ways.cells[grid_index(&plan->ways, at.x, at.y)];
    return ways != (1u << WAY_NORTH | 1u << WAY_SOUTH) && ways != (1u << WAY_EAST | 1u << WAY_WEST);
}

static void note_way(room_plan *plan, loam_spot at, uint32_t way) {
    plan->ways.cells[grid_index(&plan->ways, at.x, at.y)] |= (uint8_t)(1u << way);
}

static uint32_t way_to(loam_spot from, loam_spot to) {
    if (from.x != to.x) {
        return to.x > from.x ? WAY_EAST : WAY_WEST;
    }
    return to.y > from.y ? WAY_SOUTH : WAY_NORTH;
}

/* The way from an end of the line into the room beside it. */
static uint32_t way_into(loam_spot at, loam_box room) {
    if (at.y < room.y || at.y >= room.y + room.height) {
        return at.y < room.y ? WAY_SOUTH : WAY_NORTH;
    }
    return at.x < room.x ? WAY_EAST : WAY_WEST;
}

void room_plan_lay(room_plan *plan, loam_room_edge edge) {
    const loam_spot *path = &plan->path[plan->path_count];
    uint32_t count = plan->draft_count;
    LOAM_ASSERT(plan->edge_count < plan->edge_capacity && count > 0);
    for (uint32_t i = 0; i < count; i++) {
        lay_brush(plan, path[i]);
        if (i > 0) {
            note_way(plan, path[i - 1], way_to(path[i - 1], path[i]));
            note_way(plan, path[i], way_to(path[i], path[i - 1]));
        }
    }
    note_way(plan, path[0], way_into(path[0], plan->rooms[edge.a].box));
    note_way(plan, path[count - 1], way_into(path[count - 1], plan->rooms[edge.b].box));
    for (uint32_t i = 0; i < count && !plan->bends; i++) {
        plan->bends = is_bend(plan, path[i]);
    }
    plan->corridors[plan->edge_count] = (loam_corridor){
        .a = edge.a, .b = edge.b, .width = plan->width, .path = path, .path_count = count};
    plan->edges[plan->edge_count++] = edge;
    plan->path_count += count;
    plan->draft_count = 0;
}

void room_plan_lay_again(room_plan *plan) {
    for (size_t i = 0; i < grid_count(&plan->cells); i++) {
        if (plan->zones.cells[i] != ZONE_ROOM) {
            plan->cells.cells[i] = LOAM_CELL_WALL;
        }
    }
    for (uint32_t i = 0; i < plan->path_count; i++) {
        lay_brush(plan, plan->path[i]);
    }
}

/* The floor nearest to the middle of a room, ring by ring. */
static loam_spot middle_of(const room_plan *plan, loam_box box) {
    loam_spot middle = {box.x + box.width / 2, box.y + box.height / 2};
    for (int32_t ring = 0; ring < box.width + box.height; ring++) {
        for (int32_t y = middle.y - ring; y <= middle.y + ring; y++) {
            for (int32_t x = middle.x - ring; x <= middle.x + ring; x++) {
                if (box_has(box, x, y) && grid_get(&plan->cells, x, y, LOAM_CELL_WALL) != 0) {
                    return (loam_spot){x, y};
                }
            }
        }
    }
    return middle;
}

/* Rooms that are drawn for it. */
static void note_ends(const room_plan *plan, loam_layout *out) {
    const loam_spot nowhere = {-1, -1};
    out->entrance = out->exit = out->stairs_up = out->stairs_down = nowhere;
    for (uint32_t i = 0; i < plan->room_count; i++) {
        const loam_room *room = &plan->rooms[i];
        if (room->kind == LOAM_ROOM_ENTRANCE && out->entrance.x < 0) {
            out->entrance = middle_of(plan, room->box);
        } else if (room->kind == LOAM_ROOM_BOSS && out->exit.x < 0) {
            out->exit = middle_of(plan, room->box);
        }
    }
}

loam_status room_plan_end(room_plan *plan) {
    loam_layout *out = plan->call->out;
    passage_close_gaps(plan);
    LOAM_TRY(layout_poll(plan->call));
    LOAM_TRY(passage_hang_doors(plan));
    LOAM_TRY(passage_list_junctions(plan));
    out->width = plan->cells.width;
    out->height = plan->cells.height;
    out->cells = plan->cells.cells;
    out->rooms = plan->rooms;
    out->room_count = plan->room_count;
    out->edges = plan->edges;
    out->corridors = plan->corridors;
    out->edge_count = out->corridor_count = plan->edge_count;
    note_ends(plan, out);
    return LOAM_OK;
}
