/* SPDX-License-Identifier: MIT
 *
 * level_roguelike.c: rooms and corridors with a look: a grid of details beside that of cells, as
 * engines for such levels read it. A wall's detail is the mask of the cells around it that one can
 * walk on (north 1, then clockwise); a floor's is its variant, 1 and up; from 100 on a decoration.
 */
#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/layout/corridor.h"
#include "core/layout/open_layout.h"
#include "core/layout/room_budget.h"

enum {
    LEVEL_ROOMS = LAYOUT_PARAMS,
    LEVEL_SIDE_MIN,
    LEVEL_SIDE_MAX,
    LEVEL_STYLE,
    LEVEL_WIDTH,
    LEVEL_PADDING,
    LEVEL_SPACING,
    LEVEL_PATTERN,
    LEVEL_VARIANTS,
    LEVEL_DENSITY,
    LEVEL_DECOR,
    LEVEL_AUTOTILE,
    LEVEL_PARAMS
};

enum { PADDING_MAX = 4, SPACING_MAX = 8 };
/* Variants stay below the first decoration. */
enum { VARIANTS_MAX = 99, DECOR_FIRST = 100, DECOR_KINDS = 4 };
/* Of the links that are not in the tree: as dungeon.rooms. */
enum { LOOPS_PERCENT = 15 };
enum { BRICK_LENGTH = 2, PLANK_LENGTH = 4 };
enum { DRAW_VARIANT, DRAW_DECOR, DRAW_DECOR_KIND };

typedef enum floor_pattern {
    PATTERN_BRICK,
    PATTERN_CHECKER,
    PATTERN_PLANK,
    PATTERN_COBBLE,
    PATTERN_PLAIN,
    PATTERN_COUNT
} floor_pattern;

typedef enum decor_set {
    DECOR_NONE,
    DECOR_PILLARS,  /* 100 to 103 */
    DECOR_TREASURE, /* 104 to 107 */
    DECOR_MIXED,    /* both */
    DECOR_COUNT
} decor_set;

static const char *const styles[] = {"l", "straight", "diagonal", NULL};
static const corridor_style style_of[] = {CORRIDOR_L, CORRIDOR_STRAIGHT, CORRIDOR_DIAGONAL};
static const char *const patterns[] = {"brick", "checker", "plank", "cobble", "plain", NULL};
static const char *const decors[] = {"none", "pillars", "treasure", "mixed", NULL};

static const loam_param_schema level_params[LEVEL_PARAMS] = {
    LAYOUT_PARAM_ROWS(LAYOUT_SIDE_MAX),
    ROOM_PARAM_ROWS,
    PARAM_CHOICE("corridor_style", "Corridors", 0, styles, COUNT_OF(style_of),
                 "The shape that is tried first; where it does not fit, others are."),
    PARAM("corridor_width", "Corridor width", "", INT, 0, 0, 1, 1, CORRIDOR_WIDTH_MAX, 1,
          "Cells across."),
    PARAM("padding", "Padding", "", INT, 0, 0, 1, 0, PADDING_MAX, 1,
          "Cells of wall that belong to each side of a room."),
    PARAM("spacing", "Spacing", "", INT, 0, 0, 1, 1, SPACING_MAX, 1,
          "Cells between the paddings of two rooms, at least."),
    PARAM_CHOICE("floor_pattern", "Floor", 0, patterns, PATTERN_COUNT,
                 "How variants of the floor are laid."),
    PARAM("floor_variants", "Variants", "", INT, 0, 0, 4, 1, VARIANTS_MAX, 1,
          "Looks that a floor has."),
    PARAM("decor_density_permille", "Decoration", "permille", INT, 0, 0, 60, 0, 1000, 1,
          "So many cells of rooms are decorated."),
    PARAM_CHOICE("decor_set", "Decorations", 0, decors, DECOR_COUNT,
                 "Pillars are details 100 to 103, treasure 104 to 107."),
    PARAM("autotile", "Masks", "", BOOL, 0, 0, 1, 0, 1, 1,
          "Whether walls carry the mask of what is around them."),
};

const loam_recipe level_roguelike_recipe = {
    .name = "level.roguelike",
    .version = 1,
    .title = "Roguelike level",
    .description = "Rooms and corridors with patterns of floors, decorations and masks of walls.",
    .params = level_params,
    .param_count = LEVEL_PARAMS,
};

static int32_t whole(const loam_value *params, uint32_t param) {
    return (int32_t)layout_integer(params, param);
}

static int32_t gap_of(const loam_value *params) {
    return 2 * whole(params, LEVEL_PADDING) + whole(params, LEVEL_SPACING);
}

static room_plan_sizes sizes_of(const loam_value *params) {
    return room_sizes(whole(params, LEVEL_ROOMS), whole(params, LEVEL_WIDTH));
}

static place_sides sides_of(const loam_value *params) {
    return (place_sides){.least = whole(params, LEVEL_SIDE_MIN),
                         .most = whole(params, LEVEL_SIDE_MAX),
                         .gap = gap_of(params),
                         .rooms = whole(params, LEVEL_ROOMS),
                         .corridor_width = whole(params, LEVEL_WIDTH)};
}

static loam_status level_check(const loam_value *params, layout_size size, loam_error *error) {
    return place_check_sides(sides_of(params), layout_inside(size), error);
}

static loam_status level_feasible(const loam_value *params, layout_size size, loam_error *error) {
    return place_check_bound(sides_of(params), layout_inside(size), error);
}

static uint64_t level_steps(const loam_value *params, layout_size size) {
    uint64_t cells = (uint64_t)size.width * (uint64_t)size.height;
    return cells + room_steps(size, sizes_of(params).rooms);
}

static uint64_t level_bytes(const loam_value *params, layout_size size) {
    uint64_t cells = (uint64_t)size.width * (uint64_t)size.height;
    return cells + 64 + room_bytes(size, sizes_of(params));
}

/* ---- Details ------------------------------------------------------------------------------ */

typedef struct detailing {
    const layout_call *call;
    cell_grid cells;
    uint64_t key;
    floor_pattern pattern;
    decor_set decor;
    uint32_t variants, density;
} detailing;

static uint64_t bits_of(const detailing *detail, int32_t x, int32_t y, uint32_t index) {
    return draw_at(mix_pair(detail->key, (uint64_t)y << 32 | (uint32_t)x), index);
}

/* Pieces of a pattern: which one a cell is part of. */
static uint32_t piece_of(const detailing *detail, int32_t x, int32_t y) {
    uint32_t column = (uint32_t)x, row = (uint32_t)y;
    switch (detail->pattern) {
    case PATTERN_BRICK:
        return (column + (row & 1)) / BRICK_LENGTH + row;
    case PATTERN_CHECKER:
        return column + row;
    case PATTERN_PLANK:
        return (column + row * BRICK_LENGTH) / PLANK_LENGTH + row;
    case PATTERN_COBBLE:
        return (uint32_t)(bits_of(detail, x, y, DRAW_VARIANT) >> 32);
    case PATTERN_PLAIN:
    case PATTERN_COUNT:
        break;
    }
    return 0;
}

static uint8_t mask_at(const cell_grid *cells, int32_t x, int32_t y) {
    static const int8_t dx[8] = {0, 1, 1, 1, 0, -1, -1, -1}, dy[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 8; i++) {
        mask |= (uint32_t)(grid_get(cells, x + dx[i], y + dy[i], LOAM_CELL_WALL) != 0) << i;
    }
    return (uint8_t)mask;
}

static void lay_floor(const detailing *detail, uint8_t *to) {
    for (int32_t y = 0; y < detail->cells.height; y++) {
        for (int32_t x = 0; x < detail->cells.width; x++) {
            size_t at = grid_index(&detail->cells, x, y);
            if (detail->cells.cells[at] != LOAM_CELL_WALL) {
                to[at] = (uint8_t)(1 + piece_of(detail, x, y) % detail->variants);
            } else if (layout_integer(detail->call->params, LEVEL_AUTOTILE) != 0) {
                to[at] = mask_at(&detail->cells, x, y);
            }
        }
    }
}

static uint8_t decor_of(const detailing *detail, uint64_t bits) {
    uint32_t count = detail->decor == DECOR_MIXED ? 2 * DECOR_KINDS : DECOR_KINDS;
    uint32_t first = detail->decor == DECOR_TREASURE ? DECOR_KINDS : 0;
    return (uint8_t)(DECOR_FIRST + first + draw_below(bits, count));
}

static void decorate(const detailing *detail, const room_plan *plan, uint8_t *to) {
    for (uint32_t i = 0; i < plan->room_count && detail->decor != DECOR_NONE; i++) {
        loam_box box = plan->rooms[i].box;
        for (int32_t y = box.y; y < box.y + box.height; y++) {
            for (int32_t x = box.x; x < box.x + box.width; x++) {
                uint64_t bits = bits_of(detail, x, y, DRAW_DECOR);
                uint64_t kind_bits = bits_of(detail, x, y, DRAW_DECOR_KIND);
                if (draw_below(bits, 1000) < detail->density) {
                    to[grid_index(&detail->cells, x, y)] = decor_of(detail, kind_bits);
                }
            }
        }
    }
}

static loam_status lay_details(layout_call *call, const room_plan *plan) {
    const loam_value *params = call->params;
    detailing detail = {.call = call,
                        .cells = plan->cells,
                        .key = draw_for(call->seed, STAGE_DETAIL, 0, 0),
                        .pattern = (floor_pattern)params[LEVEL_PATTERN].integer,
                        .decor = (decor_set)params[LEVEL_DECOR].integer,
                        .variants = (uint32_t)whole(params, LEVEL_VARIANTS),
                        .density = (uint32_t)whole(params, LEVEL_DENSITY)};
    call->out->detail = loam_arena_take_zero(call->arena, grid_count(&plan->cells), 1);
    LOAM_TRY_MEMORY(call->out->detail, call->error);
    lay_floor(&detail, call->out->detail);
    decorate(&detail, plan, call->out->detail);
    call->steps += grid_count(&plan->cells);
    return layout_poll(call);
}

static loam_status level_make(layout_call *call) {
    room_plan plan;
    const loam_value *params = call->params;
    LOAM_TRY(room_plan_begin(&plan, call, sizes_of(params)));
    place_options options = place_options_of(sides_of(params), plan.inside);
    LOAM_TRY(place_rooms(&plan, &options));
    room_plan_open(&plan);
    room_links_options links = {.style = style_of[params[LEVEL_STYLE].integer],
                                .loops_percent = LOOPS_PERCENT};
    LOAM_TRY(room_links_join(&plan, links));
    LOAM_TRY(room_plan_end(&plan));
    return lay_details(call, &plan);
}

const recipe_code level_roguelike_code = {
    .check = level_check,
    .feasible = level_feasible,
    .steps = level_steps,
    .bytes = level_bytes,
    .make = level_make,
};
