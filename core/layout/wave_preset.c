/* SPDX-License-Identifier: MIT
 *
 * wave_preset.c: tile sets that are built in. A tile has a letter on each side, clockwise from
 * north; sides fit when their letters do. A wall between rock and floor reads 'a' on the side where
 * one comes, clockwise, from rock to floor, and 'b' where one comes from floor to rock, so that two
 * pieces of wall fit only with their floors on one side.
 */
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/layout/wave_model.h"

#include <stdio.h>

typedef struct preset_tile {
    const char *name;
    const char *sides;
    uint8_t turns; /* 1, 2 or 4 that differ */
    uint16_t weight;
    bool walkable, door;
} preset_tile;

typedef struct preset_set {
    const preset_tile *tiles;
    uint32_t tile_count;
    const char *fits; /* pairs of letters, apart by a blank; both ways */
} preset_set;

/* r rock, f floor, g where a wall meets floor, c along a corridor, s beside one; e before a door, A
 * and B beside it: no door has another one there. Without a wall that has floor on two sides, all
 * halls are rectangles. */
static const preset_tile dungeon_tiles[] = {
    {"solid", "rrrr", 1, 40, false, false}, {"floor", "ffff", 1, 40, true, false},
    {"wall", "ragb", 4, 12, false, false},  {"corner", "rabr", 4, 6, false, false},
    {"door", "eAgB", 4, 2, true, true},     {"corridor", "scsc", 2, 6, true, false},
    {"bend", "ccss", 4, 1, true, false},    {"tee", "sccc", 4, 1, true, false},
};

static const preset_tile cave_tiles[] = {
    {"solid", "rrrr", 1, 30, false, false}, {"floor", "ffff", 1, 40, true, false},
    {"wall", "ragb", 4, 5, false, false},   {"corner", "rabr", 4, 5, false, false},
    {"pillar", "aggb", 4, 5, false, false}, {"saddle", "baba", 2, 1, false, false},
};

static const preset_tile terrain_tiles[] = {
    {"deep", "dddd", 1, 10, false, false},  {"water", "wwww", 1, 8, false, false},
    {"sand", "ssss", 1, 6, true, false},    {"grass", "gggg", 1, 30, true, false},
    {"forest", "tttt", 1, 16, true, false}, {"rock", "rrrr", 1, 8, false, false},
};

#define PRESET_ROW(tiles_, fits_)                                                                  \
    { tiles_, sizeof(tiles_) / sizeof((tiles_)[0]), fits_ }

/* In the order of wave_preset. */
static const preset_set sets[] = {
    PRESET_ROW(dungeon_tiles, "rr ff fg ab aB Ab cc ce rs"),
    PRESET_ROW(cave_tiles, "rr ff fg ab"),
    PRESET_ROW(terrain_tiles, "dd dw ww ws ss sg gg gt tt tr rr"),
};

static bool letters_fit(const preset_set *set, char a, char b) {
    for (const char *pair = set->fits;; pair += 3) {
        if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a)) {
            return true;
        }
        if (pair[2] == 0) {
            return false;
        }
    }
}

/* A tile and how often it is turned against the clock. */
typedef struct preset_turn {
    const preset_tile *tile;
    uint32_t turn;
} preset_turn;

enum { PRESET_TILES_MAX = 64 };

static char side_letter(preset_turn turned, uint32_t way) {
    return turned.tile->sides[(way + turned.turn) & 3];
}

static uint32_t list_turns(const preset_set *set, preset_turn *turns) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->tile_count; i++) {
        for (uint32_t turn = 0; turn < set->tiles[i].turns; turn++) {
            turns[count++] = (preset_turn){&set->tiles[i], turn};
        }
    }
    return count;
}

static loam_status set_turn(wave_model *model, uint32_t at, preset_turn turned, loam_arena *arena,
                            loam_error *error) {
    char name[NAME_BYTES_MAX];
    int size = snprintf(name, sizeof name, "%s %u", turned.tile->name, turned.turn);
    uint8_t along = turned.turn % 2 == 0 ? WAVE_DOOR_ALONG_X : WAVE_DOOR_ALONG_Y;
    model->tiles[at] = (wave_tile){.weight = turned.tile->weight,
                                   .shown = (uint8_t)at,
                                   .walkable = turned.tile->walkable,
                                   .door = turned.tile->door ? along : WAVE_DOOR_NONE};
    return text_copy((loam_text){name, (size_t)size}, arena, &model->names[at]) == LOAM_OK
               ? LOAM_OK
               : loam_fail(error, LOAM_ARENA_FULL, NULL, "%s", loam_status_text(LOAM_ARENA_FULL));
}

loam_status wave_model_of_preset(wave_preset preset, loam_arena *arena, wave_model *model,
                                 loam_error *error) {
    const preset_set *set = &sets[preset];
    preset_turn turns[PRESET_TILES_MAX];
    uint32_t count = list_turns(set, turns);
    LOAM_TRY(wave_model_take(count, count, arena, model, error));
    for (uint32_t a = 0; a < count; a++) {
        LOAM_TRY(set_turn(model, a, turns[a], arena, error));
        for (uint32_t b = 0; b < count; b++) {
            if (letters_fit(set, side_letter(turns[a], WAY_EAST),
                            side_letter(turns[b], WAY_WEST))) {
                wave_model_pair(model, a, WAY_EAST, b);
            }
            if (letters_fit(set, side_letter(turns[a], WAY_SOUTH),
                            side_letter(turns[b], WAY_NORTH))) {
                wave_model_pair(model, a, WAY_SOUTH, b);
            }
        }
    }
    return wave_model_close(model, arena, error);
}
