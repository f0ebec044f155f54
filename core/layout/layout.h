/* SPDX-License-Identifier: MIT
 *
 * layout.h: what a layout recipe is to the rest of core: a schema (loam_recipe) and a row of
 * functions. A recipe fills in a loam_layout from resolved parameters and the seed of one attempt
 * of one floor; it never reads a clock and never loops without a bound that its parameters give.
 *
 * core/dungeon does the rest: defaults and ranges of parameters, attempts, floors, checks. It picks
 * entrance and exit where the recipe left x at -1, then marks the kinds of their rooms; kinds by
 * area it sets too, where a room's kind is 0 (LOAM_ROOM_SMALL).
 */
#ifndef LOAM_LAYOUT_LAYOUT_H
#define LOAM_LAYOUT_LAYOUT_H

#include "core/grid/walk_field.h"
#include "core/loam_dungeon.h"
#include "core/schema/schema.h"

/* The parameters that every recipe has, the first ones of its schema in this order; its own begin
 * at LAYOUT_PARAMS. */
enum {
    LAYOUT_WIDTH,
    LAYOUT_HEIGHT,
    LAYOUT_BORDER,
    LAYOUT_CELL_SIZE,
    LAYOUT_OUTSIDE,
    LAYOUT_ATTEMPTS_MAX,
    LAYOUT_CHECKS,
    LAYOUT_FLOORS,
    LAYOUT_FLOOR,
    LAYOUT_TILE_MAP,
    LAYOUT_PARAMS
};

/* Fields of `checks`; a field that is not given is unset. */
enum {
    CHECK_LOOPS_MIN,
    CHECK_LARGEST_OPEN_MAX,
    CHECK_LINEARITY_MAX,
    CHECK_ROOMS_MIN,
    CHECK_REACHABLE_PERCENT,
    CHECK_COUNT
};
extern const loam_param_schema layout_checks[CHECK_COUNT];
extern const char *const layout_outsides[];

/* Sides: the least holds a room and its walls; 2,048 squared cells are 4 MB a grid. A larger border
 * would leave nothing of the least side. Floors: one seed each, and a document must stay readable.
 */
enum {
    LAYOUT_SIDE_MIN = 8,
    LAYOUT_SIDE_MAX = LOAM_DUNGEON_SIDE_MAX,
    LAYOUT_BORDER_MAX = 3,
    LAYOUT_ATTEMPTS_LIMIT = 64,
    LAYOUT_FLOORS_LIMIT = 64
};

/* The rows of those parameters, for sides up to `side_max_`. */
#define LAYOUT_PARAM_ROWS(side_max_)                                                               \
    PARAM("width", "Width", "", INT, 0, 0, 64, LAYOUT_SIDE_MIN, side_max_, 1,                      \
          "Cells from west to east."),                                                             \
        PARAM("height", "Height", "", INT, 0, 0, 64, LAYOUT_SIDE_MIN, side_max_, 1,                \
              "Cells from north to south."),                                                       \
        PARAM("border", "Border", "", INT, 0, 0, 1, 0, LAYOUT_BORDER_MAX, 1,                       \
              "Cells of rock at each side, inside the size."),                                     \
        PARAM("cell_size_m", "Cell size", "m", FLOAT, BITS_UNITS, LOAM_PARAM_NONZERO, 512, 1,      \
              256 * 256, 256, "Side of a cell in the world; changes no cell."),                    \
        PARAM_CHOICE("outside", "Outside", 0, layout_outsides, 2,                                  \
                     "What masks see beyond the edge: wall, or the open."),                        \
        PARAM("max_attempts", "Attempts", "", INT, 0, LOAM_PARAM_ADVANCED, 8, 1,                   \
              LAYOUT_ATTEMPTS_LIMIT, 1, "So often a layout that fails its checks is made anew."),  \
        {.key = "checks",                                                                          \
         .label = "Checks",                                                                        \
         .description = "What a layout must show to be taken.",                                    \
         .unit = "",                                                                               \
         .kind = LOAM_PARAM_RECORD,                                                                \
         .initial = LOAM_UNSET,                                                                    \
         .fields = layout_checks,                                                                  \
         .field_count = CHECK_COUNT},                                                              \
        PARAM("floors", "Floors", "", INT, 0, 0, 1, 1, LAYOUT_FLOORS_LIMIT, 1,                     \
              "Levels that stairs join."),                                                         \
        PARAM("floor", "Floor", "", INT, 0, LOAM_PARAM_ADVANCED, LOAM_UNSET, 0,                    \
              LAYOUT_FLOORS_LIMIT - 1, 1, "This floor alone; all of them when not given."),        \
    {                                                                                              \
        .key = "tile_map", .label = "Tile map", .unit = "", .kind = LOAM_PARAM_RULES,              \
        .description = "From masks to assets: a document, or the name of one that is built in.",   \
        .initial = LOAM_UNSET, .initial_text = "tile_map.default/1"                                \
    }

typedef struct layout_size {
    int32_t width, height;
    int32_t border; /* cells of rock at each side, inside the size */
} layout_size;

/* Why an attempt is no good: a word for machines and a sentence for people. */
typedef struct layout_fault {
    const char *word; /* static: "no-path", "rooms-missing", "contradiction", ... */
    char text[160];
} layout_fault;

/* One attempt at one floor. The recipe fills in `out`, and `fault` where it had to give up: then
 * `out` is the best it has (a whole grid, maybe with fewer rooms). */
typedef struct layout_call {
    const loam_value *params; /* by index of the recipe's schema */
    layout_size size;
    uint64_t seed;             /* of this floor and attempt */
    const loam_spot *reserved; /* cells that must be floor: stairs; known before anything else */
    uint32_t reserved_count;
    uint64_t steps, steps_max; /* what was done, and the most that may be */
    bool last_resort;          /* no attempt left a cell to walk on: less will do */
    const int *cancel;         /* polled between blocks; may be NULL */
    loam_arena *arena;
    loam_error *error;
    loam_layout *out;
    walk_field walk;    /* from out->entrance, on the cells of the end; blocks NULL: not walked */
    layout_fault fault; /* word NULL: none */
} layout_call;

typedef struct recipe_code {
    /* Rules between parameters and what cannot be done at all, which names its bound; or NULL. */
    loam_status (*check)(const loam_value *params, layout_size size, loam_error *error);
    /* What no seed can give, as LOAM_INFEASIBLE with the bound in the text: asked where the policy
     * is strict; elsewhere there will be as much as there can be. NULL: nothing. */
    loam_status (*feasible)(const loam_value *params, layout_size size, loam_error *error);
    /* Most steps of one attempt, from the parameters. */
    uint64_t (*steps)(const loam_value *params, layout_size size);
    /* Bytes of the arena that one attempt takes at most. */
    uint64_t (*bytes)(const loam_value *params, layout_size size);
    loam_status (*make)(layout_call *call);
    /* Whether it makes regions apart on purpose: then nothing must be reachable unless asked; NULL:
     * never. */
    bool (*apart)(const loam_value *params);
    bool no_fallback; /* nothing else can stand in for what was asked */
    bool can_do_less; /* reads last_resort */
} recipe_code;

static inline int64_t layout_integer(const loam_value *params, uint32_t param) {
    return params[param].integer;
}

/* What lies inside the border. */
static inline loam_box layout_inside(layout_size size) {
    return (loam_box){size.border, size.border, size.width - 2 * size.border,
                      size.height - 2 * size.border};
}

/* A new recipe is a file that defines NAME_recipe and NAME_code, and a line here; those that are
 * not written are not in it. The newest version of a name comes first. */
#define LOAM_LAYOUTS(X)                                                                            \
    X(dungeon_rooms)                                                                               \
    X(level_roguelike)                                                                             \
    X(dungeon_accretion)                                                                           \
    X(dungeon_bsp)                                                                                 \
    X(dungeon_mission)                                                                             \
    X(cave_cellular)                                                                               \
    X(cave_walk)                                                                                   \
    X(maze)                                                                                        \
    X(wfc_simple)

#define LOAM_LAYOUT_DECLARE(name)                                                                  \
    extern const loam_recipe name##_recipe;                                                        \
    extern const recipe_code name##_code;
LOAM_LAYOUTS(LOAM_LAYOUT_DECLARE)

#endif
