/* SPDX-License-Identifier: MIT
 *
 * task.c: see task.h.
 */
#include "tests/support/task.h"

#include "tests/support/program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024, CELL_ARENA_BYTES = 256 << 20 };

static const char *data_folder(void) {
    const char *folder = getenv("LOAM_TEST_DATA");
    return folder != NULL && *folder != 0 ? folder : NULL;
}

bool task_is_real(void) {
    return data_folder() != NULL;
}

static bool is_real(const task_asset *asset) {
    return asset->real != NULL && task_is_real();
}

/* Paths that mean the same from any folder. */
static const char *asset_path(const task_asset *asset) {
    static char path[PATH_BYTES];
    char *root = realpath(is_real(asset) ? data_folder() : ".", NULL);
    cr_assert_not_null(root, "the folder of %s", asset->slot);
    snprintf(path, sizeof path, "%s/%s", root, is_real(asset) ? asset->real : asset->made);
    free(root);
    return path;
}

const char *task_file(const task *of, const char *slot) {
    const task_asset *asset = of->assets;
    while (asset->slot != NULL && strcmp(asset->slot, slot) != 0) {
        asset++;
    }
    cr_assert_not_null(asset->slot, "%s", slot);
    return asset_path(asset);
}

static char *file_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    cr_assert_eq(fread(bytes, 1, *size, file), *size, "%s", path);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

static FILE *file_make(const char *folder, const char *name) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    return file;
}

static void write_graph(FILE *to, const task *of) {
    size_t size;
    char *text = of->graph[0] == '{' ? strdup(of->graph) : file_read(of->graph, &size);
    char *at = of->from == NULL ? NULL : strstr(text, of->from);
    cr_assert(of->from == NULL || at != NULL, "the graph lacks %s", of->from);
    if (at == NULL) {
        fputs(text, to);
    } else {
        fprintf(to, "%.*s%s%s", (int)(at - text), text, of->to, at + strlen(of->from));
    }
    free(text);
}

static void write_world(const char *folder, const task *of) {
    FILE *world = file_make(folder, "task.world.json");
    FILE *assets = file_make(folder, "task.assets.json");
    fputs("{ \"seed\": \"7\", \"graph\":\n", world);
    write_graph(world, of);
    fprintf(world, ", \"parameters\": { %s }, \"slots\": {",
            of->parameters == NULL ? "" : of->parameters);
    fputs("{", assets);
    for (const task_asset *asset = of->assets; asset->slot != NULL; asset++) {
        const char *comma = asset == of->assets ? "" : ",";
        const char *fields = is_real(asset) ? asset->real_fields : asset->made_fields;
        fprintf(world, "%s \"%s\": \"%s\"", comma, asset->slot, asset->slot);
        fprintf(assets, "%s\n\"%s\": { \"file\": \"%s\"%s%s }", comma, asset->slot,
                asset_path(asset), fields[0] == 0 ? "" : ", ", fields);
    }
    fprintf(world, " }, \"grid\": { \"levels\": [ { \"cell_size_m\": %u } ] } }\n", of->cell_m);
    fputs(" }\n", assets);
    fclose(world);
    fclose(assets);
}

static void grow(task_points *points, uint32_t more) {
    uint32_t needed = points->count + more;
    if (needed > points->capacity) {
        points->capacity = 2 * needed;
        points->x = realloc(points->x, points->capacity * sizeof *points->x);
        points->y = realloc(points->y, points->capacity * sizeof *points->y);
        points->z = realloc(points->z, points->capacity * sizeof *points->z);
        points->scale = realloc(points->scale, points->capacity * sizeof *points->scale);
    }
}

static void add_cell(task_points *points, const char *path, loam_arena *arena) {
    size_t size;
    char *bytes = file_read(path, &size);
    loam_points cell;
    loam_error error = {0};
    loam_arena_reset(arena, 0);
    cr_assert_eq(loam_cell_decode(bytes, size, arena, &cell, &error), LOAM_OK, "%s: %s", path,
                 error.text);
    grow(points, cell.count);
    for (uint32_t i = 0; i < cell.count; i++, points->count++) {
        points->x[points->count] = cell.rect.x0 + cell.x[i];
        points->y[points->count] = cell.y[i];
        points->z[points->count] = cell.rect.z0 + cell.z[i];
        points->scale[points->count] = cell.scale_x[i];
    }
    union_add(&points->all, &cell);
    free(bytes);
}

task_points task_bake(const char *folder, const task *of, const char *output, const int area[4]) {
    task_points points = {0};
    loam_arena arena;
    void *memory = malloc(CELL_ARENA_BYTES);
    if (!task_is_real()) {
        fprintf(stderr, "LOAM_TEST_DATA is not set: made inputs stand in for real ones\n");
    }
    write_world(folder, of);
    const program_result *result =
        program_run(folder,
                    "rm -rf $DIR/cells; $LOAM bake $DIR/task.world.json --output %s --cells "
                    "%d,%d,%d,%d -o $DIR/cells",
                    output, area[0], area[1], area[2], area[3]);
    cr_assert_eq(result->exit_code, 0, "%s", result->output);
    loam_arena_init(&arena, memory, CELL_ARENA_BYTES);
    for (int z = area[1]; z <= area[3]; z++) {
        for (int x = area[0]; x <= area[2]; x++) {
            char path[PATH_BYTES];
            snprintf(path, sizeof path, "%s/cells/%d_%d.cell", folder, x, z);
            add_cell(&points, path, &arena);
        }
    }
    union_sort(&points.all);
    free(memory);
    return points;
}

void task_points_fini(task_points *points) {
    union_fini(&points->all);
    free(points->x);
    free(points->y);
    free(points->z);
    free(points->scale);
    *points = (task_points){0};
}
