/* SPDX-License-Identifier: MIT
 *
 * spawn_route.c: the closed walk of a patrol, in a window around its spawn: breadth first to a cell
 * that is drawn, and breadth first back without the cells of the way there.
 */
#include "core/content/spawn_places.h"
#include "core/grid/draw.h"

#include <string.h>

enum {
    WINDOW_SIDE = 2 * PATROL_STEPS_MAX + 3, /* with a border that nobody enters */
    WINDOW_CELLS = WINDOW_SIDE * WINDOW_SIDE,
    WINDOW_MIDDLE = WINDOW_CELLS / 2,
};
#define WINDOW_FAR UINT16_MAX

typedef struct patrol_window {
    uint8_t free[WINDOW_CELLS];
    uint16_t steps[WINDOW_CELLS];
    uint16_t queue[WINDOW_CELLS];
    uint32_t count; /* of cells in the queue */
} patrol_window;

static uint32_t window_next(uint32_t cell, uint32_t way) {
    static const int32_t step[WAY_COUNT] = {-WINDOW_SIDE, 1, WINDOW_SIDE, -1};
    return cell + (uint32_t)step[way];
}

static loam_spot window_spot(loam_spot middle, uint32_t cell) {
    return (loam_spot){middle.x + (int32_t)(cell % WINDOW_SIDE) - WINDOW_SIDE / 2,
                       middle.y + (int32_t)(cell / WINDOW_SIDE) - WINDOW_SIDE / 2};
}

static void window_fill(patrol_window *window, const content_map *map, loam_spot middle) {
    memset(window->free, 0, sizeof window->free);
    int32_t reach = PATROL_STEPS_MAX;
    for (int32_t dy = -reach; dy <= reach; dy++) {
        for (int32_t dx = -reach; dx <= reach; dx++) {
            loam_spot at = {middle.x + dx, middle.y + dy};
            bool inside = at.x >= 0 && at.y >= 0 && at.x < map->width && at.y < map->height;
            window->free[WINDOW_MIDDLE + dy * WINDOW_SIDE + dx] =
                inside && map->walk[map_cell(map, at)] == WALK_FREE;
        }
    }
}

static void window_flood(patrol_window *window, uint32_t from, uint32_t steps_max) {
    uint32_t head = 0;
    memset(window->steps, 0xff, sizeof window->steps);
    window->steps[from] = 0;
    window->queue[0] = (uint16_t)from;
    window->count = 1;
    while (head < window->count) {
        uint32_t cell = window->queue[head++];
        for (uint32_t way = 0; way < WAY_COUNT && window->steps[cell] < steps_max; way++) {
            uint32_t next = window_next(cell, way);
            if (window->free[next] != 0 && window->steps[next] == WINDOW_FAR) {
                window->steps[next] = (uint16_t)(window->steps[cell] + 1);
                window->queue[window->count++] = (uint16_t)next;
            }
        }
    }
}

/* A cell as many steps away as is drawn, or as there are: the queue is in order of steps. */
static uint32_t choose_goal(const patrol_window *window, uint64_t key) {
    int32_t most = window->steps[window->queue[window->count - 1]];
    int32_t least = most < PATROL_STEPS_MIN ? most : PATROL_STEPS_MIN;
    uint64_t bits = draw_at(key, 0);
    int32_t steps = draw_between(bits, least, most);
    uint32_t first = 0, count = 0;
    for (uint32_t i = 0; i < window->count; i++) {
        int32_t here = window->steps[window->queue[i]];
        first += here < steps;
        count += here == steps;
    }
    uint64_t which = draw_at(key, 1);
    return window->queue[first + draw_below(which, count)];
}

/* Cells from `cell` down to where the flood began, the first one left out. */
static uint32_t descend(const patrol_window *window, uint32_t cell, uint16_t *path) {
    uint32_t count = 0;
    while (window->steps[cell] != 0) {
        uint32_t wanted = window->steps[cell] - 1u;
        uint32_t way = 0;
        while (window->steps[window_next(cell, way)] != wanted) {
            way++;
        }
        cell = window_next(cell, way);
        path[count++] = (uint16_t)cell;
    }
    return count;
}

/* From the goal to the middle, both left out; by another way, or the one that is given. */
static uint32_t find_back(patrol_window *window, uint32_t goal, const uint16_t *there,
                          uint32_t there_count, uint16_t *back) {
    for (uint32_t i = 0; i + 1 < there_count; i++) {
        window->free[there[i]] = 0;
    }
    window_flood(window, goal, 3 * there_count);
    if (there_count > 1 && window->steps[WINDOW_MIDDLE] != WINDOW_FAR) {
        /* Backwards: from the middle to the goal, which is the last. */
        uint16_t path[3 * PATROL_STEPS_MAX + 1];
        uint32_t count = descend(window, WINDOW_MIDDLE, path) - 1;
        for (uint32_t i = 0; i < count; i++) {
            back[i] = path[count - 1 - i];
        }
        return count;
    }
    for (uint32_t i = 0; i + 1 < there_count; i++) {
        back[i] = there[i];
    }
    return there_count - 1;
}

uint32_t patrol_route(const content_map *map, uint32_t cell, uint64_t key, loam_spot *route) {
    patrol_window window;
    uint16_t there[PATROL_STEPS_MAX + 1], back[3 * PATROL_STEPS_MAX + 1];
    loam_spot middle = map_spot(map, cell);
    route[0] = middle;
    window_fill(&window, map, middle);
    window_flood(&window, WINDOW_MIDDLE, PATROL_STEPS_MAX);
    if (window.count == 1) {
        return 1;
    }
    uint32_t goal = choose_goal(&window, key), count = 1;
    uint32_t there_count = descend(&window, goal, there);
    for (uint32_t i = there_count - 1; i-- > 0;) {
        route[count++] = window_spot(middle, there[i]);
    }
    route[count++] = window_spot(middle, goal);
    uint32_t back_count = find_back(&window, goal, there, there_count, back);
    for (uint32_t i = 0; i < back_count; i++) {
        route[count++] = window_spot(middle, back[i]);
    }
    return count;
}
