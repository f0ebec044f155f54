/* SPDX-License-Identifier: MIT
 *
 * scene.c: from a scene's text to its graph and assets.
 */
#include "tests/golden/scene.h"

#include "tests/support/rules_text.h"
#include "tests/support/value_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(loam_status status, const loam_error *error, const char *line) {
    if (status != LOAM_OK) {
        fprintf(stderr, "golden scene: %s %s %s in: %s\n", loam_status_code(status), error->pointer,
                error->text, line);
        abort();
    }
}

/* The next word of a line, cut off; NULL at its end. */
static char *next_word(char **at) {
    while (**at == ' ') {
        (*at)++;
    }
    char *word = *at;
    if (*word == 0) {
        return NULL;
    }
    *at += strcspn(*at, " ");
    if (**at != 0) {
        *(*at)++ = 0;
    }
    return word;
}

static void set_param(loam_graph *graph, loam_text node, char *word, const char *line) {
    loam_error error = {0};
    char *equals = strchr(word, '=');
    const char *at = equals + 1;
    *equals = 0;
    loam_value value = value_text_read(&at, graph->arena);
    must(loam_graph_set(graph, node, loam_text_of(word), &value, &error), &error, line);
}

static void read_node(loam_graph *graph, char *at, const char *line) {
    loam_error error = {0};
    loam_text name = loam_text_of(next_word(&at));
    must(loam_graph_add_node(graph, name, loam_text_of(next_word(&at)), 1, &error), &error, line);
    for (char *word = next_word(&at); word != NULL; word = next_word(&at)) {
        char *less = strchr(word, '<'), *equals = strchr(word, '=');
        if (less == NULL || (equals != NULL && equals < less)) {
            set_param(graph, name, word, line);
            continue;
        }
        *less = 0;
        must(loam_graph_connect(graph, name, loam_text_of(word), loam_text_of(less + 1), &error),
             &error, line);
    }
}

static void read_line(loam_graph *graph, const char *line) {
    loam_error error = {0};
    char copy[1024];
    char *at = copy;
    snprintf(copy, sizeof copy, "%s", line);
    if (copy[0] == '$' || copy[0] == '=') {
        loam_text name = loam_text_of(next_word(&at) + 1);
        loam_text value = loam_text_of(next_word(&at));
        must(copy[0] == '$' ? loam_graph_add_slot(graph, name, loam_port_kind_find(value), &error)
                            : loam_graph_add_output(graph, name, value, 0, &error),
             &error, line);
        return;
    }
    read_node(graph, at, line);
}

static const loam_heightfield *make_terrain(scene_terrain kind, loam_rect rect, loam_arena *arena) {
    static const int64_t spacings[] = {
        [TERRAIN_4_M] = (int64_t)1024 << 16,
        [TERRAIN_30_M] = (int64_t)7680 << 16,
        [TERRAIN_FRACTION] = ((int64_t)1100 << 16) + 12345,
    };
    enum { SIDE = 33 };
    loam_error error = {0};
    loam_heightmap recipe = {.seed = 5,
                             .width = SIDE,
                             .height = SIDE,
                             .spacing_fine = spacings[kind],
                             .origin_x = rect.x0 - 4000,
                             .origin_z = rect.z0 - 5000,
                             .wavelength = 20000,
                             .amplitude = 40 * 65536,
                             .base = 100 * 65536,
                             .octaves = 3};
    int32_t *samples = loam_arena_take(arena, SIDE * SIDE, sizeof *samples);
    loam_heightfield *field = loam_arena_take(arena, 1, sizeof *field);
    must(loam_heightmap_fbm(&recipe, LOAM_SIMD_BASELINE, samples, &error), &error, "terrain");
    *field = (loam_heightfield){.width = SIDE,
                                .height = SIDE,
                                .spacing_fine = spacings[kind],
                                .origin_x = recipe.origin_x,
                                .origin_z = recipe.origin_z,
                                .samples = samples};
    must(loam_heightfield_init(field, &error), &error, "terrain");
    return field;
}

/* A square with a hole and a wide margin, and a triangle that leaves the cell. */
static const loam_areas *make_zones(loam_rect rect, loam_arena *arena) {
    int64_t x = rect.x0, z = rect.z0, side = rect.x1 - rect.x0;
    const int64_t square[] = {x + side / 8, z + side / 8, x + side / 2, z + side / 8, x + side / 2,
                              z + side / 2, x + side / 8, z + side / 2, x + side / 8, z + side / 8};
    const int64_t hole[] = {x + side / 4,     z + side / 4,     x + side * 3 / 8, z + side / 4,
                            x + side * 3 / 8, z + side * 3 / 8, x + side / 4,     z + side / 4};
    const int64_t triangle[] = {x + side * 3 / 4, z + side / 3, x + side * 2,     z + side / 2,
                                x + side * 3 / 4, z + side,     x + side * 3 / 4, z + side / 3};
    const loam_ring rings[] = {{square, 5}, {hole, 4}, {triangle, 4}};
    const loam_polygon polygons[] = {{rings, 2, 0}, {rings + 2, 1, 1}};
    const loam_area_feature features[] = {{11, 300, LOAM_UNSET}, {12, LOAM_UNSET, LOAM_UNSET}};
    const loam_areas_source source = {polygons, 2, features, 2};
    const loam_areas *areas;
    loam_error error = {0};
    must(loam_areas_build(&source, arena, &areas, &error), &error, "zones");
    return areas;
}

/* A river that enters and leaves the cell, a ring in it, and a line of two parts with one key. */
static const loam_lines *make_lines(loam_rect rect, loam_arena *arena) {
    int64_t x = rect.x0, z = rect.z0, side = rect.x1 - rect.x0;
    const int64_t river[] = {x - side / 3, z + side / 5, x + side / 4, z + side / 3,
                             x + side / 2, z + side / 4, x + side * 2, z + side * 3 / 4};
    const int64_t ring[] = {x + side / 2, z + side / 2,     x + side * 3 / 4, z + side / 2,
                            x + side / 2, z + side * 3 / 4, x + side / 2,     z + side / 2};
    const int64_t near[] = {x, z, x + 777, z + 1001};
    const int64_t far[] = {x, z, x + 778, z + 1001, x + 9000, z + 70};
    const loam_line lines[] = {
        {river, 4, 0, 21}, {ring, 4, 1, 22}, {near, 2, 2, 23}, {far, 3, 2, 23}};
    const loam_lines_source source = {lines, 4};
    const loam_lines *made;
    loam_error error = {0};
    must(loam_lines_build(&source, arena, &made, &error), &error, "lines");
    return made;
}

/* A dozen points on a diagonal, with a number, a fraction and a text. */
static const loam_sites *make_sites(loam_rect rect, loam_arena *arena) {
    enum { SITES = 12 };
    static const loam_text kinds[] = {{"oak", 3}, {"pine", 4}};
    int64_t side = rect.x1 - rect.x0;
    loam_site sites[SITES];
    int32_t ages[SITES], sizes[SITES], texts[SITES];
    for (int32_t i = 0; i < SITES; i++) {
        sites[i] = (loam_site){.x = rect.x0 + side * i / SITES,
                               .z = rect.z0 + side * (i * 5 % SITES) / SITES,
                               .y = i * 77 - 300,
                               .feature = (uint32_t)i,
                               .key = (uint64_t)(i / 2) + 31};
        ages[i] = i % 3 == 0 ? LOAM_MISSING : i * 11;
        sizes[i] = i * 30000 + 1;
        texts[i] = i % 4 == 0 ? LOAM_MISSING : i % 2;
    }
    const loam_attribute properties[] = {{{"age", 3}, LOAM_ATTRIBUTE_INT, ages, NULL, 0},
                                         {{"size", 4}, LOAM_ATTRIBUTE_FLOAT, sizes, NULL, 0},
                                         {{"kind", 4}, LOAM_ATTRIBUTE_STRING, texts, kinds, 2}};
    const loam_sites_source source = {sites, SITES, properties, 3};
    const loam_sites *made;
    loam_error error = {0};
    must(loam_sites_build(&source, arena, &made, &error), &error, "points");
    return made;
}

/* The document behind the kind in the line of a slot. */
static const loam_rules *make_rules(const scene_text *text, uint32_t slot, loam_arena *arena) {
    uint32_t line = 0;
    for (uint32_t seen = 0; seen <= slot; line++) {
        seen += text->graph[line][0] == '$';
    }
    const char *document = strchr(text->graph[line - 1], '{');
    return rules_of_text(document, arena);
}

void scene_build(const scene_text *text, loam_arena *arena, golden_scene *scene) {
    loam_error error = {0};
    loam_graph_sizes sizes = {.nodes = 16, .slots = 4, .outputs = 2};
    *scene = (golden_scene){0};
    must(loam_graph_init(&scene->graph, sizes, arena, &error), &error, text->name);
    for (uint32_t i = 0; text->graph[i] != NULL; i++) {
        read_line(&scene->graph, text->graph[i]);
    }
    for (uint32_t i = 0; i < scene->graph.slot_count; i++) {
        scene->slots[i].kind = scene->graph.slots[i].kind;
        if (scene->slots[i].kind == LOAM_PORT_HEIGHTFIELD) {
            scene->slots[i].heightfield = make_terrain(text->terrain, text->rect, arena);
        } else if (scene->slots[i].kind == LOAM_PORT_LINES) {
            scene->slots[i].lines = make_lines(text->rect, arena);
        } else if (scene->slots[i].kind == LOAM_PORT_POINTS) {
            scene->slots[i].sites = make_sites(text->rect, arena);
        } else if (scene->slots[i].kind == LOAM_PORT_RULES) {
            scene->slots[i].rules = make_rules(text, i, arena);
        } else {
            scene->slots[i].areas = make_zones(text->rect, arena);
        }
    }
}
