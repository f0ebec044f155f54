/* SPDX-License-Identifier: MIT
 *
 * offline.c: see offline.h.
 */
#include "api/cli/offline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/cli/memory.h"
#include "api/cli/output.h"
#include "api/wire/document.h"
#include "core/base/text.h"
#include "core/base/try.h"

/* The key's scratch memory: what a cell can see of its assets is sorted there. */
#define CELL_ARENA_BYTES_MIN ((size_t)256 << 20)

static const char world_extension[] = ".world.json";
static const char assets_extension[] = ".assets.json";

/* A world's resolver has no way to say more than a status, so the reason is kept here. */
typedef struct lookup {
    asset_shelf *shelf;
    loam_error error;
} lookup;

static loam_status lookup_graph(void *context, const digest *graph, loam_text *document) {
    lookup *look = context;
    (void)document;
    char text[DIGEST_TEXT_BYTES];
    digest_text(graph, text);
    return loam_fail(&look->error, LOAM_NOT_FOUND, "/graph",
                     "%s stands in a daemon; offline a world holds the graph itself", text);
}

static loam_status lookup_asset(void *context, loam_text name, digest *asset,
                                loam_port_kind *kind) {
    lookup *look = context;
    const shelf_asset *found;
    LOAM_TRY(shelf_find(look->shelf, name, &found, &look->error));
    *asset = found->id;
    *kind = found->data->asset.kind;
    return LOAM_OK;
}

/* A name that the file lacks may be one that a recipe has built in. */
static loam_status lookup_rules(void *context, loam_text name, const loam_rules **rules) {
    lookup *look = context;
    const shelf_asset *found;
    loam_error error = {0};
    LOAM_TRY(shelf_find(look->shelf, name, &found, &error));
    *rules = found->data->asset.rules;
    return found->data->asset.kind == LOAM_PORT_RULES ? LOAM_OK : LOAM_NOT_FOUND;
}

/* forest.world.json has its assets in forest.assets.json, when that is there. */
static loam_status shelf_open_for(const cli_arguments *arguments, offline_world *offline,
                                  loam_error *error) {
    char beside[SHELF_PATH_BYTES];
    const char *assets = options_text(arguments, "assets");
    if (assets != NULL) {
        return shelf_open(&offline->shelf, assets, error);
    }
    size_t size = strlen(offline->path);
    if (!path_has_extension(offline->path, world_extension) ||
        size + sizeof assets_extension > sizeof beside) {
        return LOAM_OK;
    }
    (void)snprintf(beside, sizeof beside, "%.*s%s", (int)(size - strlen(world_extension)),
                   offline->path, assets_extension);
    return access(beside, F_OK) == 0 ? shelf_open(&offline->shelf, beside, error) : LOAM_OK;
}

static loam_status world_open(offline_world *offline, loam_error *error) {
    loam_text json;
    lookup look = {.shelf = &offline->shelf};
    const rules_resolver rules = {.find_rules = lookup_rules, .context = &look};
    const world_resolver resolver = {
        .find_graph = lookup_graph, .find_asset = lookup_asset, .context = &look, .rules = &rules};
    LOAM_TRY(input_read(offline->path, JSON_BYTES_MAX, &json, error));
    loam_status status =
        world_read(json, &resolver, &offline->arena, &offline->world, &offline->faults);
    free((void *)(uintptr_t)json.bytes);
    if (status != LOAM_OK && look.error.status != LOAM_OK) {
        fault_clear(&offline->faults);
        return loam_fail(error, look.error.status, look.error.pointer, "%s", look.error.text);
    }
    return status;
}

static loam_status output_find(const cli_arguments *arguments, offline_world *offline,
                               loam_error *error) {
    const char *name = options_text(arguments, "output");
    const loam_graph *graph = &offline->world.graph;
    int32_t index = name != NULL ? loam_graph_find_output(graph, loam_text_of(name)) : 0;
    if (index < 0 || graph->output_count == 0) {
        loam_text first = graph->output_count > 0 ? graph->outputs[0].name : (loam_text){"", 0};
        return loam_fail(error, LOAM_UNKNOWN_OUTPUT, NULL,
                         "the graph has no output '%s'; it has '%.*s'%s", name != NULL ? name : "",
                         TEXT_ARGS(first), graph->output_count > 1 ? " and others" : "");
    }
    offline->output = (uint32_t)index;
    return LOAM_OK;
}

static void slots_fill(offline_world *offline) {
    for (uint32_t i = 0; i < offline->world.graph.slot_count; i++) {
        const loam_asset *asset = shelf_at(&offline->shelf, &offline->world.slots[i]);
        offline->slots[i] = asset != NULL ? *asset : (loam_asset){.kind = LOAM_PORT_NONE};
    }
}

/* Rules are read here, so that a mistake in them is told once and not by every cell. */
static loam_status rules_check(offline_world *offline, loam_error *error) {
    const loam_graph *graph = &offline->world.graph;
    for (uint32_t i = 0; i < graph->slot_count; i++) {
        if (offline->slots[i].kind == LOAM_PORT_RULES) {
            LOAM_TRY(
                loam_graph_check_rules(graph, i, offline->slots[i].rules, &offline->arena, error));
        }
    }
    return LOAM_OK;
}

loam_status offline_open(const cli_arguments *arguments, offline_world *offline,
                         loam_error *error) {
    memset(offline, 0, sizeof *offline);
    offline->path = arguments->operands[0];
    offline->stages = stage_cache_create(STAGE_CACHE_BYTES_MAX);
    LOAM_TRY(shelf_open_for(arguments, offline, error));
    LOAM_TRY(memory_open(&offline->arena, WORLD_ARENA_BYTES + MEMORY_PLAN_BYTES, error));
    LOAM_TRY(world_open(offline, error));
    LOAM_TRY(output_find(arguments, offline, error));
    slots_fill(offline);
    LOAM_TRY(rules_check(offline, error));
    return loam_plan_build(&offline->world.graph, offline->world.seed, &offline->arena,
                           &offline->plan, error);
}

void offline_close(offline_world *offline) {
    shelf_close(&offline->shelf);
    memory_close(&offline->arena);
    stage_cache_destroy(offline->stages);
}

int offline_refused(const cli_arguments *arguments, const offline_world *offline,
                    const loam_error *error) {
    if (error->status == LOAM_OK && offline->faults.count > 0) {
        output_faults(stderr, offline->path, &offline->faults);
        return CLI_FAILED;
    }
    return output_failure(arguments->command->name, error);
}

const loam_heightfield *offline_heightfield(const offline_world *offline) {
    for (uint32_t i = 0; i < offline->world.graph.slot_count; i++) {
        if (offline->slots[i].kind == LOAM_PORT_HEIGHTFIELD) {
            return offline->slots[i].heightfield;
        }
    }
    return NULL;
}

loam_status offline_run_options(const cli_arguments *arguments, loam_run *run, loam_error *error) {
    const char *name = options_text(arguments, "simd");
    memset(run, 0, sizeof *run);
    run->general_path = options_flag(arguments, "general");
    for (int level = LOAM_SIMD_BEST; name != NULL; level++) {
        if (level > LOAM_SIMD_AVX512) {
            return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                             "--simd takes best, baseline, avx2 or avx512, not '%s'", name);
        }
        if (strcmp(loam_simd_name((loam_simd)level), name) == 0) {
            run->level = (loam_simd)level;
            break;
        }
    }
    if (!loam_simd_available(run->level)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "this processor has no %s", name);
    }
    return LOAM_OK;
}

static loam_query query_of(const offline_world *offline, loam_rect rect) {
    return (loam_query){
        .plan = offline->plan, .output = offline->output, .rect = rect, .slots = offline->slots};
}

loam_status offline_prepare(const offline_world *offline, loam_rect rect, offline_cell *cell,
                            loam_error *error) {
    loam_estimate estimate;
    LOAM_TRY(loam_plan_estimate(offline->plan, offline->output, rect, &estimate, error));
    size_t needed = (size_t)estimate.arena_bytes;
    needed = needed > CELL_ARENA_BYTES_MIN ? needed : CELL_ARENA_BYTES_MIN;
    cell->rect = rect;
    if (cell->arena.size < needed) {
        memory_close(&cell->arena);
        return memory_open(&cell->arena, needed, error);
    }
    loam_arena_reset(&cell->arena, 0);
    return LOAM_OK;
}

loam_status offline_key(const offline_world *offline, loam_rect rect, offline_cell *cell,
                        loam_error *error) {
    loam_query query = query_of(offline, rect);
    LOAM_TRY(offline_prepare(offline, rect, cell, error));
    return key_of_cell(&query, &cell->arena, &cell->key, error);
}

loam_status offline_points(const offline_world *offline, loam_rect rect, const loam_run *run,
                           offline_cell *cell, loam_error *error) {
    loam_query query = query_of(offline, rect);
    loam_run own = *run;
    LOAM_TRY(offline_prepare(offline, rect, cell, error));
    own.arena = &cell->arena;
    own.stages = offline->stages == NULL ? NULL : stage_cache_stages(offline->stages);
    return loam_cell_build(&query, &own, &cell->points, error);
}

static loam_status bytes_reserve(offline_cell *cell, size_t needed, loam_error *error) {
    if (cell->capacity < needed) {
        free(cell->bytes);
        cell->bytes = malloc(needed);
        cell->capacity = cell->bytes != NULL ? needed : 0;
    }
    return cell->bytes != NULL ? LOAM_OK
                               : loam_fail(error, LOAM_ARENA_FULL, NULL,
                                           "no memory for a cell of %zu bytes", needed);
}

loam_status offline_build(const offline_world *offline, loam_rect rect, const loam_run *run,
                          offline_cell *cell, loam_error *error) {
    LOAM_TRY(offline_key(offline, rect, cell, error));
    LOAM_TRY(offline_points(offline, rect, run, cell, error));
    LOAM_TRY(bytes_reserve(cell, loam_cell_bound(&cell->points), error));
    loam_status status = loam_cell_encode(&cell->points, cell->bytes, cell->capacity, &cell->size);
    if (status != LOAM_OK) {
        return loam_fail(error, status, NULL, "the cell cannot be encoded");
    }
    cell->id = digest_of(cell->bytes, cell->size);
    return LOAM_OK;
}

void offline_cell_fini(offline_cell *cell) {
    memory_close(&cell->arena);
    free(cell->bytes);
    memset(cell, 0, sizeof *cell);
}
