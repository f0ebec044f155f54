/* SPDX-License-Identifier: MIT
 *
 * digest.c: computes every case of a case file (case.h) with core alone and writes the canonical
 * bytes, which the host hashes. Built by every compiler, for every machine and SIMD level of
 * `make cross`; all must write the same. Ends with 0, with 3 when the self-test refuses this build,
 * with 4 when this processor lacks the level, and with 1 on anything else.
 *
 * Output, per artifact: u8 'd', u32 size, bytes; for a cell then also u8 'k', u32 size, key bytes;
 * for a dungeon these, where wanted, come first.
 */
#include "core/base/bytes.h"
#include "core/base/try.h"
#include "core/loam.h"
#include "tests/golden/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_SELF_TEST = 3, EXIT_LEVEL = 4 };

/* Room for one case. wasm32 has one memory for all and node commits it: cases stay small enough. */
#ifdef __wasm__
#define ARENA_BYTES ((size_t)64 << 20)
#else
#define ARENA_BYTES ((size_t)256 << 20)
#endif

/* A case file holds small worlds; more than this is not one. */
#define FILE_BYTES_MAX ((size_t)64 << 20)

typedef struct options {
    const char *path;
    loam_simd level;
    bool general_path;
} options;

static bool parse_level(const char *name, loam_simd *level) {
    for (int i = LOAM_SIMD_BEST; i <= LOAM_SIMD_AVX512; i++) {
        if (strcmp(name, loam_simd_name((loam_simd)i)) == 0) {
            *level = (loam_simd)i;
            return true;
        }
    }
    return false;
}

static bool parse_options(int count, char **words, options *given) {
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--general") == 0) {
            given->general_path = true;
        } else if (strcmp(words[i], "--level") == 0 && i + 1 < count) {
            if (!parse_level(words[++i], &given->level)) {
                return false;
            }
        } else if (words[i][0] == '-' || given->path != NULL) {
            return false;
        } else {
            given->path = words[i];
        }
    }
    return given->path != NULL;
}

/* Owned by the caller; NULL when the file cannot be read whole. */
static unsigned char *read_file(const char *path, size_t *size) {
    unsigned char *bytes = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        if (end > 0 && (unsigned long)end <= FILE_BYTES_MAX && fseek(file, 0, SEEK_SET) == 0) {
            *size = (size_t)end;
            bytes = malloc(*size);
        }
    }
    if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

static void print_bytes(void *context, const void *bytes, size_t size) {
    (void)context;
    fwrite(bytes, 1, size, stdout);
}

static void print_head(char kind, uint64_t size) {
    unsigned char head[5];
    head[0] = (unsigned char)kind;
    put_u32(head + 1, (uint32_t)size);
    fwrite(head, 1, sizeof head, stdout);
}

/* A cell as the file gives it: decoded, planned and bound. */
static loam_status read_cell(byte_reader *reader, loam_arena *arena, loam_query *query,
                             loam_error *error) {
    uint32_t graph_bytes_size = read_u32(reader);
    const unsigned char *graph_bytes = read_bytes(reader, graph_bytes_size);
    uint64_t seed = read_u64(reader);
    query->output = read_u32(reader);
    query->rect.x0 = read_i64(reader);
    query->rect.z0 = read_i64(reader);
    query->rect.x1 = read_i64(reader);
    query->rect.z1 = read_i64(reader);
    uint32_t slot_count = read_u32(reader);
    loam_graph *graph = loam_arena_take_zero(arena, 1, sizeof *graph);
    LOAM_TRY_MEMORY(graph, error);
    if (reader->failed) {
        return loam_fail(error, LOAM_DAMAGED, NULL, "the case file ends inside a case");
    }
    LOAM_TRY(loam_graph_decode(graph_bytes, graph_bytes_size, arena, graph, error));
    if (slot_count != graph->slot_count) {
        return loam_fail(error, LOAM_DAMAGED, NULL, "the case and its graph differ in slots");
    }
    loam_asset *slots = loam_arena_take_zero(arena, slot_count, sizeof *slots);
    LOAM_TRY_MEMORY(slots, error);
    for (uint32_t i = 0; i < slot_count; i++) {
        uint32_t size = read_u32(reader);
        const unsigned char *bytes = read_bytes(reader, size);
        if (bytes != NULL && size > 0) {
            LOAM_TRY(loam_asset_decode(bytes, size, arena, &slots[i], error));
        }
    }
    query->slots = slots;
    return loam_plan_build(graph, seed, arena, &query->plan, error);
}

static loam_status print_key(const loam_query *query, loam_arena *arena, loam_error *error) {
    uint64_t size = 0;
    LOAM_TRY(loam_cell_key(query, (loam_sink){case_count_bytes, &size}, arena, error));
    print_head(RECORD_KEY, size);
    return loam_cell_key(query, (loam_sink){print_bytes, NULL}, arena, error);
}

static loam_status print_cell(byte_reader *reader, const options *given, loam_arena *arena,
                              loam_error *error) {
    loam_query query = {0};
    loam_points points = {0};
    size_t size = 0;
    LOAM_TRY(read_cell(reader, arena, &query, error));
    loam_run run = {.arena = arena, .level = given->level, .general_path = given->general_path};
    LOAM_TRY(loam_cell_build(&query, &run, &points, error));
    size_t capacity = loam_cell_bound(&points);
    void *buffer = loam_arena_take(arena, capacity, 1);
    LOAM_TRY_MEMORY(buffer, error);
    LOAM_TRY(loam_cell_encode(&points, buffer, capacity, &size));
    print_head(RECORD_ARTIFACT, size);
    print_bytes(NULL, buffer, size);
    return print_key(&query, arena, error);
}

static void read_heightmap(byte_reader *reader, loam_heightmap *recipe) {
    recipe->seed = read_u64(reader);
    recipe->width = (uint32_t)read_u64(reader);
    recipe->height = (uint32_t)read_u64(reader);
    recipe->spacing_fine = read_i64(reader);
    recipe->origin_x = read_i64(reader);
    recipe->origin_z = read_i64(reader);
    recipe->wavelength = read_i64(reader);
    recipe->amplitude = read_i64(reader);
    recipe->base = read_i64(reader);
    recipe->warp = read_i64(reader);
    recipe->octaves = (uint32_t)read_u64(reader);
    recipe->ridged = read_u64(reader) != 0;
}

/* The artifact of a heightmap is the asset that it makes. */
static loam_status print_heightmap(byte_reader *reader, const options *given, loam_arena *arena,
                                   loam_error *error) {
    loam_heightmap recipe = {0};
    uint64_t size = 0;
    read_heightmap(reader, &recipe);
    int32_t *samples = loam_arena_take(arena, (size_t)recipe.width * recipe.height, 4);
    LOAM_TRY_MEMORY(samples, error);
    LOAM_TRY(loam_heightmap_fbm(&recipe, given->level, samples, error));
    loam_heightfield field = {.width = recipe.width,
                              .height = recipe.height,
                              .spacing_fine = recipe.spacing_fine,
                              .origin_x = recipe.origin_x,
                              .origin_z = recipe.origin_z,
                              .samples = samples};
    LOAM_TRY(loam_heightfield_init(&field, error));
    loam_asset asset = {.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = &field};
    LOAM_TRY(loam_asset_encode(&asset, (loam_sink){case_count_bytes, &size}));
    print_head(RECORD_ARTIFACT, size);
    return loam_asset_encode(&asset, (loam_sink){print_bytes, NULL});
}

static loam_status plan_dungeon(byte_reader *reader, loam_arena *arena, bool wanted[2],
                                const loam_dungeon_plan **plan, loam_error *error) {
    loam_rules *params = loam_arena_take(arena, 1, sizeof *params);
    LOAM_TRY_MEMORY(params, error);
    loam_dungeon_request request = {.recipe = read_text(reader), .params = params};
    request.seed = read_u64(reader);
    wanted[0] = read_u8(reader) != 0;
    wanted[1] = read_u8(reader) != 0;
    if (rules_tree_read(reader, arena, params) != LOAM_OK) {
        return loam_fail(error, LOAM_DAMAGED, NULL, "the parameters of a dungeon are damaged");
    }
    return loam_dungeon_plan_build(&request, arena, plan, error);
}

static loam_status print_dungeon(byte_reader *reader, loam_arena *arena, loam_error *error) {
    const loam_dungeon_plan *plan;
    loam_dungeon dungeon;
    bool wanted[2] = {false, false};
    uint64_t size = 0;
    LOAM_TRY(plan_dungeon(reader, arena, wanted, &plan, error));
    if (wanted[0]) {
        loam_dungeon_key(plan, (loam_sink){case_count_bytes, &size});
        print_head(RECORD_KEY, size);
        loam_dungeon_key(plan, (loam_sink){print_bytes, NULL});
    }
    if (wanted[1]) {
        loam_run run = {.arena = arena};
        LOAM_TRY(loam_dungeon_build(plan, &run, &dungeon, error));
        size = 0;
        loam_dungeon_encode(&dungeon, (loam_sink){case_count_bytes, &size});
        print_head(RECORD_ARTIFACT, size);
        loam_dungeon_encode(&dungeon, (loam_sink){print_bytes, NULL});
    }
    return LOAM_OK;
}

static loam_status print_content(byte_reader *reader, loam_arena *arena, loam_error *error) {
    const loam_dungeon_plan *plan;
    loam_dungeon dungeon;
    loam_content content;
    loam_rules rules;
    bool wanted[2];
    uint64_t size = 0;
    LOAM_TRY(plan_dungeon(reader, arena, wanted, &plan, error));
    uint64_t sub = read_u64(reader);
    if (rules_tree_read(reader, arena, &rules) != LOAM_OK) {
        return loam_fail(error, LOAM_DAMAGED, NULL, "the rules of content are damaged");
    }
    loam_run run = {.arena = arena};
    LOAM_TRY(loam_dungeon_build(plan, &run, &dungeon, error));
    LOAM_TRY(loam_content_build(&dungeon, &rules, sub, &run, &content, error));
    loam_content_encode(&content, (loam_sink){case_count_bytes, &size});
    print_head(RECORD_ARTIFACT, size);
    loam_content_encode(&content, (loam_sink){print_bytes, NULL});
    return LOAM_OK;
}

static loam_status print_case(byte_reader *reader, const options *given, loam_arena *arena,
                              loam_error *error) {
    switch (read_u8(reader)) {
    case CASE_CELL:
        return print_cell(reader, given, arena, error);
    case CASE_HEIGHTMAP:
        return print_heightmap(reader, given, arena, error);
    case CASE_DUNGEON:
        return print_dungeon(reader, arena, error);
    case CASE_CONTENT:
        return print_content(reader, arena, error);
    default:
        return loam_fail(error, LOAM_DAMAGED, NULL, "the case is of no known kind");
    }
}

static int complain(const char *what, uint32_t number, loam_status status,
                    const loam_error *error) {
    fprintf(stderr, "digest: %s %u: %s: %s\n", what, (unsigned)number, loam_status_code(status),
            error->text);
    return status == LOAM_SELF_TEST_FAILED ? EXIT_SELF_TEST : EXIT_FAILURE;
}

static int print_cases(const options *given, const unsigned char *bytes, size_t size,
                       loam_arena *arena) {
    byte_reader reader;
    reader_init(&reader, bytes, size);
    uint32_t count = read_u32(&reader);
    for (uint32_t i = 0; i < count; i++) {
        loam_error error = {0};
        loam_arena_reset(arena, 0);
        loam_status status = print_case(&reader, given, arena, &error);
        if (status == LOAM_OK && reader.failed) {
            status = loam_fail(&error, LOAM_DAMAGED, NULL, "the case file ends inside a case");
        }
        if (status != LOAM_OK) {
            return complain("case", i, status, &error);
        }
    }
    if (reader.failed || reader.left != 0 || count == 0) {
        fprintf(stderr, "digest: the case file does not end after its last case\n");
        return EXIT_FAILURE;
    }
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int check_build(loam_simd level) {
    loam_error error = {0};
    if (!loam_simd_available(level)) {
        fprintf(stderr, "digest: no %s here\n", loam_simd_name(level));
        return EXIT_LEVEL;
    }
    loam_status status = loam_self_test(&error);
    return status == LOAM_OK ? EXIT_SUCCESS : complain("build", 0, status, &error);
}

int main(int count, char **words) {
    options given = {0};
    loam_arena arena;
    size_t size = 0;
    if (!parse_options(count, words, &given)) {
        fprintf(stderr, "usage: digest [--level best|baseline|avx2|avx512] [--general] FILE\n");
        return EXIT_FAILURE;
    }
    int code = check_build(given.level);
    if (code != EXIT_SUCCESS) {
        return code;
    }
    unsigned char *bytes = read_file(given.path, &size);
    void *memory = malloc(ARENA_BYTES);
    if (bytes == NULL || memory == NULL) {
        fprintf(stderr, "digest: %s: cannot be read into memory\n", given.path);
        code = EXIT_FAILURE;
    } else {
        loam_arena_init(&arena, memory, ARENA_BYTES);
        code = print_cases(&given, bytes, size, &arena);
    }
    free(memory);
    free(bytes);
    return code;
}
