/* SPDX-License-Identifier: MIT
 *
 * catalogue.c: see catalogue.h.
 */
#include "tests/golden/catalogue.h"

#include "api/key/key.h"
#include "tests/golden/case.h"
#include "tests/golden/contents.h"
#include "tests/golden/dungeons.h"
#include "tests/golden/scene.h"

#include <stdlib.h>
#include <string.h>

enum { ARENA_BYTES = 64 << 20, PICTURE_COLUMNS = 48, PICTURE_ROWS = 16 };

static void must(loam_status status, const loam_error *error, const scene_text *text) {
    if (status != LOAM_OK) {
        fprintf(stderr, "golden scene %s: %s %s\n", text->name, loam_status_code(status),
                error->text);
        abort();
    }
}

static void write_hex(FILE *to, const char *name, digest sum) {
    fprintf(to, "%s ", name);
    for (size_t i = 0; i < sizeof sum.bytes; i++) {
        fprintf(to, "%02x", sum.bytes[i]);
    }
    fprintf(to, "\n");
}

static char mark_of(double share) {
    static const char marks[] = " .:-=+*#";
    size_t index = (size_t)(share * (double)(sizeof marks - 2));
    return marks[index];
}

/* Rows of characters, north up. `value` holds PICTURE_ROWS * PICTURE_COLUMNS. */
static void write_picture(FILE *to, const double *value) {
    double low = value[0], high = value[0];
    for (int i = 0; i < PICTURE_ROWS * PICTURE_COLUMNS; i++) {
        low = value[i] < low ? value[i] : low;
        high = value[i] > high ? value[i] : high;
    }
    for (int row = PICTURE_ROWS - 1; row >= 0; row--) {
        char line[PICTURE_COLUMNS + 1] = {0};
        for (int column = 0; column < PICTURE_COLUMNS; column++) {
            double own = value[row * PICTURE_COLUMNS + column];
            line[column] = high > low ? mark_of((own - low) / (high - low)) : ' ';
        }
        fprintf(to, "  |%s|\n", line);
    }
}

static void picture_points(FILE *to, const loam_points *points) {
    double count[PICTURE_ROWS * PICTURE_COLUMNS] = {0};
    int64_t width = points->rect.x1 - points->rect.x0, depth = points->rect.z1 - points->rect.z0;
    for (uint32_t i = 0; i < points->count; i++) {
        int64_t column = points->x[i] * PICTURE_COLUMNS / width;
        int64_t row = points->z[i] * PICTURE_ROWS / depth;
        count[row * PICTURE_COLUMNS + column]++;
    }
    write_picture(to, count);
}

static void picture_heights(FILE *to, const loam_heightfield *field) {
    double height[PICTURE_ROWS * PICTURE_COLUMNS];
    for (uint32_t row = 0; row < PICTURE_ROWS; row++) {
        for (uint32_t column = 0; column < PICTURE_COLUMNS; column++) {
            uint32_t x = column * field->width / PICTURE_COLUMNS;
            uint32_t z = row * field->height / PICTURE_ROWS;
            height[row * PICTURE_COLUMNS + column] = field->samples[z * field->width + x];
        }
    }
    write_picture(to, height);
}

static void write_cell(FILE *to, const scene_text *text, loam_arena *arena) {
    golden_scene scene;
    loam_error error = {0};
    const loam_plan *plan;
    loam_points points;
    digest_stream stream;
    scene_build(text, arena, &scene);
    must(loam_plan_build(&scene.graph, text->seed, arena, &plan, &error), &error, text);
    loam_query query = {.plan = plan, .rect = text->rect, .slots = scene.slots};
    loam_run run = {.arena = arena};
    digest_begin(&stream);
    must(loam_cell_key(&query, digest_sink(&stream), arena, &error), &error, text);
    must(loam_cell_build(&query, &run, &points, &error), &error, text);
    size_t bound = loam_cell_bound(&points), size = 0;
    void *bytes = loam_arena_take(arena, bound, 1);
    must(bytes == NULL ? LOAM_ARENA_FULL : loam_cell_encode(&points, bytes, bound, &size), &error,
         text);
    for (uint32_t i = 0; text->graph[i] != NULL; i++) {
        fprintf(to, "  %s\n", text->graph[i]);
    }
    fprintf(to, "units %lld %lld to %lld %lld, %u points, %zu bytes\n", (long long)text->rect.x0,
            (long long)text->rect.z0, (long long)text->rect.x1, (long long)text->rect.z1,
            points.count, size);
    write_hex(to, "key", digest_end(&stream));
    write_hex(to, "digest", digest_of(bytes, size));
    picture_points(to, &points);
}

static void write_heightmap(FILE *to, const scene_text *text, loam_arena *arena) {
    const loam_heightmap *recipe = &text->heightmap;
    loam_error error = {0};
    size_t count = (size_t)recipe->width * recipe->height;
    int32_t *samples = loam_arena_take(arena, count, sizeof *samples);
    must(samples == NULL ? LOAM_ARENA_FULL
                         : loam_heightmap_fbm(recipe, LOAM_SIMD_BEST, samples, &error),
         &error, text);
    loam_heightfield field = {.width = recipe->width,
                              .height = recipe->height,
                              .spacing_fine = recipe->spacing_fine,
                              .origin_x = recipe->origin_x,
                              .origin_z = recipe->origin_z,
                              .samples = samples};
    loam_asset asset = {.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = &field};
    digest_stream stream;
    digest_begin(&stream);
    must(loam_heightfield_init(&field, &error), &error, text);
    must(loam_asset_encode(&asset, digest_sink(&stream)), &error, text);
    fprintf(to, "%u x %u samples\n", recipe->width, recipe->height);
    write_hex(to, "digest", digest_end(&stream));
    picture_heights(to, &field);
}

void catalogue_write(FILE *to) {
    void *memory = malloc(ARENA_BYTES);
    uint64_t checks[3];
    loam_self_test_digests(checks);
    fprintf(to, "loam %s: the golden catalogue\n", LOAM_VERSION_TEXT);
    fprintf(to, "self-test noise %016llx hashes %016llx math %016llx\n",
            (unsigned long long)checks[0], (unsigned long long)checks[1],
            (unsigned long long)checks[2]);
    for (uint32_t i = 0; i < scene_count(); i++) {
        const scene_text *text = scene_at(i);
        loam_arena arena;
        loam_arena_init(&arena, memory, ARENA_BYTES);
        fprintf(to, "\n%s: %s\nseed %llu\n", text->name, text->about,
                (unsigned long long)text->seed);
        if (text->graph != NULL) {
            write_cell(to, text, &arena);
        } else {
            write_heightmap(to, text, &arena);
        }
    }
    free(memory);
}

static void write_to_file(void *context, const void *bytes, size_t size) {
    if (fwrite(bytes, 1, size, context) != size) {
        perror("golden cases");
        abort();
    }
}

static void write_case(byte_writer *writer, const scene_text *text, loam_arena *arena) {
    golden_scene scene;
    loam_error error = {0};
    if (text->graph == NULL) {
        case_write_heightmap(writer, &text->heightmap);
        return;
    }
    scene_build(text, arena, &scene);
    const case_cell cell = {&scene.graph, text->seed, 0, text->rect, scene.slots};
    must(case_write_cell(writer, &cell), &error, text);
}

void catalogue_write_cases(FILE *to) {
    void *memory = malloc(ARENA_BYTES);
    byte_writer writer;
    writer_init(&writer, (loam_sink){write_to_file, to});
    write_u32(&writer, scene_count() + dungeons_write_cases(NULL) + contents_write_cases(NULL));
    for (uint32_t i = 0; i < scene_count(); i++) {
        loam_arena arena;
        loam_arena_init(&arena, memory, ARENA_BYTES);
        write_case(&writer, scene_at(i), &arena);
    }
    dungeons_write_cases(&writer);
    contents_write_cases(&writer);
    writer_flush(&writer);
    free(memory);
}
