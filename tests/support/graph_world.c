/* SPDX-License-Identifier: MIT
 *
 * graph_world.c: see graph_world.h.
 */
#include "tests/support/graph_world.h"

#include "tests/support/forest.h"
#include "tests/support/value_text.h"

#include <stdio.h>
#include <sys/mman.h>

/* Reserved, touched only as far as it is used. */
#define PLAN_BYTES ((size_t)16 << 20)
#define CELL_BYTES ((size_t)256 << 20)

enum { METRE = LOAM_UNITS_PER_METRE, WORD_BYTES = 2048 };

static void must(loam_status status, const loam_error *error, const char *where) {
    if (status != LOAM_OK) {
        fprintf(stderr, "world: %s %s %s in: %s\n", loam_status_code(status), error->pointer,
                error->text, where);
        abort();
    }
}

static loam_status read_word(loam_graph *graph, loam_text node, const char *word,
                             loam_error *error) {
    size_t size = strcspn(word, "=<");
    loam_text key = {word, size};
    if (word[size] == '<') {
        loam_text source = loam_text_of(word + size + 1);
        return loam_graph_connect(graph, node, key, source, error);
    }
    const char *at = word + size + 1;
    loam_value value = value_text_read(&at, graph->arena);
    return loam_graph_set(graph, node, key, &value, error);
}

static loam_status read_line(loam_graph *graph, const char *line, loam_error *error) {
    char copy[WORD_BYTES];
    char *rest = NULL;
    snprintf(copy, sizeof copy, "%s", line);
    loam_text name = loam_text_of(strtok_r(copy, " ", &rest));
    loam_text second = loam_text_of(strtok_r(NULL, " ", &rest));
    loam_text bare = {name.bytes + 1, name.size - 1};
    if (name.bytes[0] == '$') {
        return loam_graph_add_slot(graph, bare, loam_port_kind_find(second), error);
    }
    if (name.bytes[0] == '=') {
        return loam_graph_add_output(graph, bare, second, 0, error);
    }
    loam_status status = loam_graph_add_node(graph, name, second, 1, error);
    for (char *word = strtok_r(NULL, " ", &rest); word != NULL && status == LOAM_OK;
         word = strtok_r(NULL, " ", &rest)) {
        status = read_word(graph, name, word, error);
    }
    return status;
}

static loam_status read_lines(graph_world *world, const char *const *lines, loam_error *error) {
    loam_graph_sizes sizes = {.nodes = 64, .slots = WORLD_SLOTS_MAX, .outputs = 8, .exposed = 1};
    loam_status status = loam_graph_init(&world->graph, sizes, &world->arena, error);
    for (; *lines != NULL && status == LOAM_OK; lines++) {
        status = read_line(&world->graph, *lines, error);
    }
    return status;
}

static void spread_samplers(loam_graph *graph, int64_t times) {
    for (uint32_t n = 0; n < graph->node_count; n++) {
        const loam_operation *operation = graph->nodes[n].operation;
        for (uint32_t p = 0; p < operation->param_count; p++) {
            if (strcmp(operation->params[p].key, "spacing_m") == 0) {
                graph->nodes[n].params[p].integer *= times;
            }
        }
    }
}

graph_world *world_of(const char *const *lines, uint64_t seed) {
    return world_sparse(lines, seed, 1);
}

graph_world *world_sparse(const char *const *lines, uint64_t seed, int64_t times) {
    graph_world *world = calloc(1, sizeof *world);
    loam_error error = {0};
    world->arena = arena_of(PLAN_BYTES);
    must(read_lines(world, lines, &error), &error, lines[0]);
    spread_samplers(&world->graph, times);
    must(loam_plan_build(&world->graph, seed, &world->arena, &world->plan, &error), &error,
         lines[0]);
    return world;
}

graph_world *world_try(const char *const *lines, uint64_t seed, loam_error *error) {
    graph_world *world = calloc(1, sizeof *world);
    world->arena = arena_of(PLAN_BYTES);
    loam_status status = read_lines(world, lines, error);
    if (status == LOAM_OK) {
        status = loam_plan_build(&world->graph, seed, &world->arena, &world->plan, error);
    }
    if (status == LOAM_OK) {
        return world;
    }
    world_free(world);
    return NULL;
}

void world_free(graph_world *world) {
    munmap(world->arena.memory, world->arena.size);
    free(world);
}

loam_error world_fault(const char *const *lines) {
    graph_world *world = calloc(1, sizeof *world);
    loam_error error = {0};
    world->arena = arena_of(PLAN_BYTES);
    if (read_lines(world, lines, &error) == LOAM_OK) {
        (void)loam_graph_faults(&world->graph, &error, 1);
    }
    return error;
}

void world_bind(graph_world *world, const char *slot, loam_asset asset) {
    int32_t index = loam_graph_find_slot(&world->graph, loam_text_of(slot));
    if (index < 0) {
        abort();
    }
    world->slots[index] = asset;
}

static loam_query query_of(graph_world *world, const char *output, loam_rect rect) {
    int32_t index = loam_graph_find_output(&world->graph, loam_text_of(output));
    if (index < 0) {
        abort();
    }
    return (loam_query){
        .plan = world->plan, .output = (uint32_t)index, .rect = rect, .slots = world->slots};
}

/* No evaluation takes more than its estimate said. */
static void check_memory(const loam_query *query, const loam_arena *arena) {
    loam_estimate estimate;
    loam_error error = {0};
    must(loam_plan_estimate(query->plan, query->output, query->rect, &estimate, &error), &error,
         "estimate");
    if (arena->peak > estimate.arena_bytes) {
        fprintf(stderr, "world: %zu bytes taken, %llu estimated\n", arena->peak,
                (unsigned long long)estimate.arena_bytes);
        abort();
    }
}

static loam_status build(graph_world *world, const char *output, loam_rect rect,
                         loam_points *points, loam_error *error) {
    loam_query query = query_of(world, output, rect);
    loam_arena *arena = malloc(sizeof *arena);
    *arena = arena_of(CELL_BYTES);
    loam_run run = {.arena = arena};
    loam_status status = loam_cell_build(&query, &run, points, error);
    if (status == LOAM_OK) {
        check_memory(&query, arena);
    }
    return status;
}

loam_points world_points(graph_world *world, const char *output, loam_rect rect) {
    loam_error error = {0};
    loam_points points;
    must(build(world, output, rect, &points, &error), &error, output);
    return points;
}

loam_error world_failure(graph_world *world, const char *output, loam_rect rect) {
    loam_error error = {0};
    loam_points points;
    (void)build(world, output, rect, &points, &error);
    return error;
}

uint32_t world_explain(graph_world *world, const char *output, loam_place place, loam_fate *fates,
                       uint32_t capacity) {
    loam_query query = query_of(world, output, (loam_rect){0, 0, 1, 1});
    loam_arena arena = arena_of(CELL_BYTES);
    loam_run run = {.arena = &arena};
    loam_error error = {0};
    uint32_t count = 0;
    must(loam_explain(&query, place, &run, fates, capacity, &count, &error), &error, output);
    return count < capacity ? count : capacity;
}

static void hash_bytes(void *context, const void *bytes, size_t size) {
    uint64_t *hash = context;
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        *hash = (*hash ^ at[i]) * 0x100000001b3u;
    }
}

uint64_t world_key(graph_world *world, const char *output, loam_rect rect) {
    loam_error error = {0};
    loam_query query = query_of(world, output, rect);
    loam_arena scratch = arena_of(CELL_BYTES);
    uint64_t hash = 0xcbf29ce484222325u;
    must(loam_cell_key(&query, (loam_sink){hash_bytes, &hash}, &scratch, &error), &error, output);
    return hash;
}

uint64_t world_bytes(graph_world *world, const char *output, loam_rect rect) {
    loam_points points = world_points(world, output, rect);
    size_t bound = loam_cell_bound(&points), size = 0;
    void *bytes = malloc(bound);
    loam_error error = {0};
    uint64_t hash = 0xcbf29ce484222325u;
    must(loam_cell_encode(&points, bytes, bound, &size), &error, output);
    hash_bytes(&hash, bytes, size);
    free(bytes);
    return hash;
}

loam_rect rect_of_metres(int64_t x, int64_t z, int64_t side) {
    return (loam_rect){x * METRE, z * METRE, (x + side) * METRE, (z + side) * METRE};
}

static void add_cell(graph_world *world, const loam_query *query, loam_arena *arena,
                     point_union *all) {
    loam_run run = {.arena = arena};
    loam_error error = {0};
    loam_points points;
    loam_arena_init(arena, arena->memory, arena->size);
    must(loam_cell_build(query, &run, &points, &error), &error, "partition");
    check_memory(query, arena);
    union_add(all, &points);
    (void)world;
}

int64_t world_partition(graph_world *world, const char *output, int64_t x_m, int64_t z_m,
                        int64_t cell_m, int64_t per_side) {
    loam_arena arena = arena_of(CELL_BYTES);
    point_union whole = {0}, cells = {0};
    loam_query query = query_of(world, output, rect_of_metres(x_m, z_m, cell_m * per_side));
    add_cell(world, &query, &arena, &whole);
    for (int64_t i = per_side * per_side; i-- > 0;) {
        query.rect =
            rect_of_metres(x_m + i % per_side * cell_m, z_m + i / per_side * cell_m, cell_m);
        add_cell(world, &query, &arena, &cells);
    }
    union_sort(&whole);
    union_sort(&cells);
    int64_t count = union_difference(&whole, &cells) < 0 ? (int64_t)whole.count : -1;
    union_fini(&whole);
    union_fini(&cells);
    return count;
}

static const loam_attribute *attribute_of(const loam_points *points, const char *name) {
    for (uint32_t a = 0; a < points->attribute_count; a++) {
        if (loam_text_equal(points->attributes[a].name, loam_text_of(name))) {
            return &points->attributes[a];
        }
    }
    return NULL;
}

int32_t point_number(const loam_points *points, uint32_t i, const char *name) {
    const loam_attribute *attribute = attribute_of(points, name);
    return attribute == NULL ? INT32_MIN : attribute->values[i];
}

loam_text point_text(const loam_points *points, uint32_t i, const char *name) {
    const loam_attribute *attribute = attribute_of(points, name);
    if (attribute == NULL || attribute->values[i] == INT32_MIN) {
        return (loam_text){"", 0};
    }
    return attribute->texts[attribute->values[i]];
}

int64_t point_row(const loam_points *points, uint64_t id) {
    for (uint32_t i = 0; i < points->count; i++) {
        if (points->id[i] == id) {
            return i;
        }
    }
    return -1;
}

loam_asset areas_of_boxes(const box_metres *boxes, uint32_t count) {
    int64_t *xz = malloc(sizeof *xz * 10 * (count + 1));
    loam_ring *rings = malloc(sizeof *rings * (count + 1));
    loam_polygon *polygons = malloc(sizeof *polygons * (count + 1));
    loam_area_feature *features = malloc(sizeof *features * (count + 1));
    for (uint32_t i = 0; i < count; i++) {
        int64_t x0 = boxes[i].x0 * METRE, z0 = boxes[i].z0 * METRE;
        int64_t x1 = boxes[i].x1 * METRE, z1 = boxes[i].z1 * METRE;
        const int64_t corners[10] = {x0, z0, x1, z0, x1, z1, x0, z1, x0, z0};
        memcpy(xz + 10 * i, corners, sizeof corners);
        rings[i] = (loam_ring){xz + 10 * i, 5};
        polygons[i] = (loam_polygon){&rings[i], 1, i};
        features[i] = (loam_area_feature){i + 1, boxes[i].margin, boxes[i].buffer};
    }
    loam_areas_source source = {polygons, count, features, count};
    loam_arena *arena = malloc(sizeof *arena);
    loam_asset asset = {.kind = LOAM_PORT_AREAS};
    loam_error error = {0};
    *arena = arena_of(PLAN_BYTES);
    must(loam_areas_build(&source, arena, &asset.areas, &error), &error, "boxes");
    return asset;
}

loam_asset plane_of(uint32_t samples, int64_t x_m, int64_t z_m, int32_t rise_x, int32_t rise_z,
                    int32_t base) {
    loam_heightfield *field = malloc(sizeof *field);
    int32_t *heights = malloc((size_t)samples * samples * sizeof *heights);
    loam_error error = {0};
    for (uint32_t i = 0; i < samples * samples; i++) {
        heights[i] = base + (int32_t)(i % samples) * rise_x + (int32_t)(i / samples) * rise_z;
    }
    *field = (loam_heightfield){.width = samples,
                                .height = samples,
                                .spacing_fine = (int64_t)METRE << 16,
                                .origin_x = x_m * METRE,
                                .origin_z = z_m * METRE,
                                .samples = heights};
    must(loam_heightfield_init(field, &error), &error, "plane");
    return (loam_asset){.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = field};
}
