/* SPDX-License-Identifier: MIT
 *
 * wfc_simple.c: levels by wave function collapse. A model of tiles comes from a preset, a tile set
 * or a sample; paths are pre-set, the grid is solved (above 64 x 64 in fixed blocks that overlap),
 * regions apart are cut, and every pair of neighbours is looked at once more at the end. What fails
 * begins anew, so often as restarts allow, with paths that ask less and less; at last without any,
 * joined where it lies apart.
 */
#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/layout/open_layout.h"
#include "core/layout/wave_blocks.h"
#include "core/layout/wave_join.h"
#include "core/layout/wave_path.h"

enum {
    WFC_PRESET = LAYOUT_PARAMS,
    WFC_TILESET,
    WFC_SAMPLE,
    WFC_N,
    WFC_PERIODIC,
    WFC_BACKTRACKS_MAX,
    WFC_RESTARTS_MAX,
    WFC_ENSURE_PATH,
    WFC_PARAMS
};

/* Larger grids would take seconds; patterns above 5 x 5 copy their sample. */
enum { WFC_SIDE_MAX = 256, WFC_N_MIN = 2, WFC_N_MAX = 5, WFC_RESTARTS_LIMIT = 100 };
enum { BACKTRACKS_LIMIT = 1000000 };
/* Tiles taken away in an attempt, for each cell and tile: a run without trouble takes away each
 * once. */
enum { STEPS_A_TILE = 32 };

static const char *const presets[] = {"dungeon", "cave", "terrain", NULL};

#define PARAM_DOCUMENT(key_, label_, text_)                                                        \
    {                                                                                              \
        .key = key_, .label = label_, .description = text_, .unit = "", .kind = LOAM_PARAM_RULES,  \
        .initial = LOAM_UNSET                                                                      \
    }

static const loam_param_schema wfc_params[WFC_PARAMS] = {
    LAYOUT_PARAM_ROWS(WFC_SIDE_MAX),
    PARAM_CHOICE("preset", "Preset", WAVE_DUNGEON, presets, 3, "A tile set that is built in."),
    PARAM_DOCUMENT("tileset", "Tile set", "Tiles and which may stand side by side."),
    PARAM_DOCUMENT("sample", "Sample", "Rows of characters; the level looks like them."),
    PARAM("n", "Side of patterns", "", INT, 0, 0, 3, WFC_N_MIN, WFC_N_MAX, 1,
          "Of the squares that are cut from a sample."),
    PARAM("periodic", "Periodic", "", BOOL, 0, 0, LOAM_UNSET, 0, 1, 1,
          "Edges fit to those opposite; as the tile set says when not given."),
    PARAM("backtracks_max", "Backtracks", "", INT, 0, LOAM_PARAM_ADVANCED, LOAM_UNSET, 0,
          BACKTRACKS_LIMIT, 1, "Of a block before it begins anew; 4 a cell when not given."),
    PARAM("restarts_max", "Restarts", "", INT, 0, LOAM_PARAM_ADVANCED, 10, 0, WFC_RESTARTS_LIMIT, 1,
          "So often the level begins anew."),
    PARAM("ensure_path", "Ensure a path", "", BOOL, 0, 0, 1, 0, 1, 1,
          "All that can be walked on hangs together."),
};

const loam_recipe wfc_simple_recipe = {
    .name = "wfc.simple",
    .version = 1,
    .title = "Wave function collapse",
    .description = "A level in which only tiles stand side by side that may, from a preset, a tile "
                   "set or a sample.",
    .params = wfc_params,
    .param_count = WFC_PARAMS,
};

static const loam_rules *document_of(const loam_value *params, uint32_t param) {
    return params[param].kind == LOAM_VALUE_RULES ? params[param].rules : NULL;
}

static loam_status wfc_check(const loam_value *params, layout_size size, loam_error *error) {
    (void)size;
    if (document_of(params, WFC_TILESET) != NULL && document_of(params, WFC_SAMPLE) != NULL) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, "/params/sample",
                         "either a tile set or a sample, not both");
    }
    return LOAM_OK;
}

enum { PRESET_TILES_MOST = 64 };

/* Tiles of the model, at most. */
static uint32_t tiles_most(const loam_value *params) {
    const loam_rules *tileset = document_of(params, WFC_TILESET);
    const loam_rules *sample = document_of(params, WFC_SAMPLE);
    return tileset != NULL  ? wave_tiles_most(tileset)
           : sample != NULL ? wave_sample_most(sample)
                            : PRESET_TILES_MOST;
}

static uint64_t wave_steps_max(const loam_value *params, layout_size size) {
    uint64_t cells = (uint64_t)size.width * (uint64_t)size.height;
    return cells * (tiles_most(params) + (uint64_t)1) * STEPS_A_TILE;
}

static uint64_t wfc_steps(const loam_value *params, layout_size size) {
    return wave_steps_max(params, size) + open_layout_steps(size);
}

static uint64_t wfc_bytes(const loam_value *params, layout_size size) {
    enum { ALIGNMENTS = 512, NAME_BYTES = 128 };
    uint64_t cells = (uint64_t)size.width * (uint64_t)size.height;
    const loam_rules *tileset = document_of(params, WFC_TILESET);
    const loam_rules *sample = document_of(params, WFC_SAMPLE);
    uint32_t tiles = tiles_most(params);
    uint64_t reading = tileset != NULL  ? wave_tiles_bytes(tileset)
                       : sample != NULL ? wave_sample_bytes(sample, WFC_N_MAX)
                                        : PRESET_TILES_MOST * NAME_BYTES;
    uint64_t grid = cells * (sizeof(uint16_t) + 2) + cells / 2 * sizeof(loam_door);
    return reading + wave_model_bytes(tiles) +
           wave_solver_bytes(tiles, wave_blocks_cells(size.width, size.height)) + grid +
           wave_path_bytes(size.width, size.height) + open_layout_bytes(size) + ALIGNMENTS;
}

static bool wfc_apart(const loam_value *params) {
    return params[WFC_ENSURE_PATH].integer == 0;
}

static loam_status read_model(layout_call *call, wave_model *model) {
    const loam_rules *tileset = document_of(call->params, WFC_TILESET);
    const loam_rules *sample = document_of(call->params, WFC_SAMPLE);
    if (tileset != NULL) {
        return wave_model_of_tiles(tileset, "/params/tileset", call->arena, model, call->error);
    }
    if (sample != NULL) {
        return wave_model_of_sample(sample, (int32_t)layout_integer(call->params, WFC_N),
                                    "/params/sample", call->arena, model, call->error);
    }
    wave_preset preset = (wave_preset)layout_integer(call->params, WFC_PRESET);
    return wave_model_of_preset(preset, call->arena, model, call->error);
}

/* What the tiles cannot give, whatever the seed. */
static loam_status check_model(const layout_call *call, const wave_model *model) {
    if (layout_integer(call->params, WFC_ENSURE_PATH) != 0 && model->walkable_count == 0) {
        return loam_fail(call->error, LOAM_INFEASIBLE, "/params/ensure_path",
                         "none of the %u tiles is walkable", model->tile_count);
    }
    if (call->size.border > 0 && model->walkable_count == model->tile_count) {
        return loam_fail(call->error, LOAM_INFEASIBLE, "/params/border",
                         "all %u tiles are walkable: there is none for the border",
                         model->tile_count);
    }
    return LOAM_OK;
}

static loam_status take_grid(layout_call *call, const wave_model *model, wave_grid *grid) {
    size_t cells = (size_t)call->size.width * (size_t)call->size.height;
    const loam_value *periodic = &call->params[WFC_PERIODIC];
    *grid = (wave_grid){.width = call->size.width, .height = call->size.height};
    grid->periodic =
        periodic->kind == LOAM_VALUE_INTEGER ? periodic->integer != 0 : model->periodic;
    grid->tiles = loam_arena_take(call->arena, cells, sizeof *grid->tiles);
    grid->wishes = loam_arena_take(call->arena, cells, sizeof *grid->wishes);
    LOAM_TRY_MEMORY(grid->tiles, call->error);
    LOAM_TRY_MEMORY(grid->wishes, call->error);
    return LOAM_OK;
}

static wave_limits limits_of(const layout_call *call) {
    const loam_value *backtracks = &call->params[WFC_BACKTRACKS_MAX];
    bool given = backtracks->kind == LOAM_VALUE_INTEGER;
    return (wave_limits){.backtracks_max =
                             given ? (uint64_t)backtracks->integer : WAVE_BACKTRACKS_USUAL,
                         .steps_max = wave_steps_max(call->params, call->size),
                         .cancel = call->cancel};
}

/* Two tries each at what asks most; nothing is pre-set at the end. */
static wave_path_style style_of(const layout_call *call, uint64_t restart) {
    if (wfc_apart(call->params) || restart >= 2 * WAVE_PATH_NONE) {
        return WAVE_PATH_NONE;
    }
    return (wave_path_style)(restart / 2);
}

/* Where one may walk. Nobody walks over the edge, though tiles fit across it: so a periodic level
 * in one piece has rock there, if there is any. */
static loam_box walk_box(const layout_call *call, const wave_work *work) {
    const wave_model *model = work->model;
    loam_box box = layout_inside(call->size);
    if (model->walkable_count == 0) {
        return (loam_box){0, 0, call->size.width, call->size.height};
    }
    bool ring = work->grid->periodic && !wfc_apart(call->params) && call->size.border == 0 &&
                model->walkable_count < model->tile_count;
    return ring ? box_grown(box, -1) : box;
}

static wave_paths paths_of(layout_call *call, const wave_work *work, uint64_t restart) {
    return (wave_paths){.inside = walk_box(call, work),
                        .reserved = call->reserved,
                        .reserved_count =
                            work->model->walkable_count == 0 ? 0 : call->reserved_count,
                        .style = style_of(call, restart),
                        .key = draw_for(call->seed, STAGE_WAVE, 1, (uint32_t)restart)};
}

static loam_status solve_once(layout_call *call, wave_work *work, uint64_t restart,
                              wave_verdict *verdict) {
    uint64_t key = draw_for(call->seed, STAGE_WAVE, 0, (uint32_t)restart);
    wave_paths paths = paths_of(call, work, restart);
    LOAM_TRY(wave_path_lay(work->grid, paths, call->arena, call->error));
    *verdict = wave_blocks_solve(work, key);
    if (*verdict == WAVE_DONE && !wfc_apart(call->params)) {
        LOAM_TRY(wave_path_cut(work, paths, verdict));
    }
    return *verdict == WAVE_CANCELLED ? layout_poll(call) : LOAM_OK;
}

/* Where no path can be pre-set: any solution, joined window by window. */
static loam_status solve_joined(layout_call *call, wave_work *work, uint64_t restart,
                                wave_verdict *verdict) {
    wave_paths paths = paths_of(call, work, restart);
    paths.style = WAVE_PATH_NONE;
    LOAM_TRY(wave_path_lay(work->grid, paths, call->arena, call->error));
    *verdict = wave_blocks_solve(work, draw_for(call->seed, STAGE_WAVE, 0, (uint32_t)restart));
    if (*verdict == WAVE_DONE) {
        uint32_t regions = 0;
        LOAM_TRY(wave_join(work, draw_for(call->seed, STAGE_WAVE, 2, 0), verdict, &regions));
        if (*verdict == WAVE_NONE) {
            layout_give_up(
                call, "apart",
                "what can be walked on is %u regions: no tiling was found that joins them",
                regions);
        }
    }
    return *verdict == WAVE_CANCELLED ? layout_poll(call) : LOAM_OK;
}

/* Begins anew until it is done. No solution of one block without paths is the last word. */
static loam_status solve_all(layout_call *call, wave_work *work, wave_verdict *verdict) {
    uint64_t most = (uint64_t)layout_integer(call->params, WFC_RESTARTS_MAX);
    for (uint64_t restart = 0; restart <= most; restart++) {
        LOAM_TRY(solve_once(call, work, restart, verdict));
        bool failed = *verdict == WAVE_NONE || *verdict == WAVE_SPENT;
        bool proved =
            *verdict == WAVE_NONE && wfc_apart(call->params) && wave_blocks_count(work->grid) == 1;
        if (!failed || proved) {
            return LOAM_OK;
        }
    }
    return wfc_apart(call->params) ? LOAM_OK : solve_joined(call, work, most + 1, verdict);
}

static void note_verdict(layout_call *call, wave_verdict verdict, const wave_counts *counts) {
    unsigned long long steps = counts->steps, backtracks = counts->backtracks;
    if (verdict == WAVE_NONE) {
        layout_give_up(call, "infeasible", "no tiling was found: %llu steps, %llu backtracks",
                       steps, backtracks);
    } else {
        layout_give_up(call, "budget", "no tiling within %llu steps, %llu backtracks", steps,
                       backtracks);
    }
}

static uint32_t count_doors(const wave_work *work) {
    size_t cells = (size_t)work->grid->width * (size_t)work->grid->height;
    uint32_t count = 0;
    for (size_t i = 0; i < cells; i++) {
        count += work->model->tiles[work->grid->tiles[i]].door != WAVE_DOOR_NONE;
    }
    return count;
}

static void show_cell(const wave_work *work, loam_spot at, cell_grid *cells, loam_layout *out) {
    size_t place = grid_index(cells, at.x, at.y);
    const wave_tile *tile = &work->model->tiles[work->grid->tiles[place]];
    out->detail[place] = tile->shown;
    cells->cells[place] = tile->walkable ? LOAM_CELL_FLOOR : LOAM_CELL_WALL;
    if (tile->door != WAVE_DOOR_NONE) {
        cells->cells[place] = LOAM_CELL_DOOR;
        out->doors[out->door_count] =
            (loam_door){.id = out->door_count,
                        .at = at,
                        .width = 1,
                        .axis = tile->door == WAVE_DOOR_ALONG_X ? LOAM_AXIS_X : LOAM_AXIS_Y};
        out->door_count++;
    }
}

static loam_status show_tiles(layout_call *call, const wave_work *work, cell_grid *cells) {
    loam_layout *out = call->out;
    out->detail = loam_arena_take(call->arena, grid_count(cells), 1);
    out->doors = loam_arena_take(call->arena, count_doors(work), sizeof *out->doors);
    LOAM_TRY_MEMORY(out->detail, call->error);
    LOAM_TRY_MEMORY(out->doors, call->error);
    out->tiles = work->model->names;
    out->tile_count = work->model->name_count;
    for (int32_t y = 0; y < cells->height; y++) {
        for (int32_t x = 0; x < cells->width; x++) {
            show_cell(work, (loam_spot){x, y}, cells, out);
        }
    }
    return LOAM_OK;
}

static loam_status wfc_make(layout_call *call) {
    wave_model model;
    wave_grid grid;
    cell_grid cells;
    wave_work work = {.model = &model, .grid = &grid, .arena = call->arena, .error = call->error};
    wave_verdict verdict = WAVE_NONE;
    LOAM_TRY(
        open_layout_begin(call, (loam_box){0, 0, call->size.width, call->size.height}, &cells));
    LOAM_TRY(read_model(call, &model));
    LOAM_TRY(check_model(call, &model));
    LOAM_TRY(take_grid(call, &model, &grid));
    work.limits = limits_of(call);
    size_t mark = loam_arena_mark(call->arena);
    LOAM_TRY(wave_solver_take(&model, wave_blocks_cells(call->size.width, call->size.height),
                              call->arena, &work.solver, call->error));
    LOAM_TRY(solve_all(call, &work, &verdict));
    loam_arena_reset(call->arena, mark);
    (void)layout_count(call, work.counts.steps);
    if (verdict != WAVE_DONE) {
        note_verdict(call, verdict, &work.counts);
        return LOAM_OK;
    }
    uint64_t faults = wave_faults(&model, &grid);
    if (faults != 0) {
        layout_give_up(call, "illegal", "%llu pairs of neighbours do not fit",
                       (unsigned long long)faults);
        return LOAM_OK;
    }
    LOAM_TRY(show_tiles(call, &work, &cells));
    /* With a path there is one region already, and nothing to join. */
    int32_t join_width = wfc_apart(call->params) ? 0 : 1;
    return model.walkable_count == 0 ? LOAM_OK : open_layout_end(call, &cells, join_width);
}

const recipe_code wfc_simple_code = {
    .check = wfc_check,
    .steps = wfc_steps,
    .bytes = wfc_bytes,
    .make = wfc_make,
    .apart = wfc_apart,
};
