/* SPDX-License-Identifier: MIT
 *
 * wave_data.c: see wave_data.h.
 */
#include "tests/support/wave_data.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool data_path(char *path, size_t size, const char *folder, const char *name,
                      const char *ending) {
    const char *data = getenv("LOAM_TEST_DATA");
    if (data == NULL || *data == 0) {
        fprintf(stderr, "LOAM_TEST_DATA is not set: %s is not tested\n", name);
        return false;
    }
    snprintf(path, size, "%s/tiles/wfc/%s/%s%s", data, folder, name, ending);
    return true;
}

/* Characters in the order in which colours are met; the corner's is rock. */
static char character_of(uint32_t *colours, int *count, uint32_t colour) {
    static const char characters[] = "#.abcdefgh";
    for (int i = 0; i < *count; i++) {
        if (colours[i] == colour) {
            return characters[i];
        }
    }
    colours[*count] = colour;
    return characters[(*count)++];
}

bool wave_data_sample(const char *name, wave_sample *sample) {
    char path[512];
    if (!data_path(path, sizeof path, "samples", name, ".png")) {
        return false;
    }
    png_image image = {.version = PNG_IMAGE_VERSION};
    static uint32_t pixels[WAVE_DATA_SIDE * WAVE_DATA_SIDE];
    if (png_image_begin_read_from_file(&image, path) == 0 || image.width > WAVE_DATA_SIDE ||
        image.height > WAVE_DATA_SIDE) {
        fprintf(stderr, "%s: %s\n", path, image.message);
        abort();
    }
    image.format = PNG_FORMAT_RGBA;
    if (png_image_finish_read(&image, NULL, pixels, 0, NULL) == 0) {
        fprintf(stderr, "%s: %s\n", path, image.message);
        abort();
    }
    uint32_t colours[10];
    int count = 0;
    *sample = (wave_sample){.width = (int32_t)image.width, .height = (int32_t)image.height};
    for (uint32_t y = 0; y < image.height; y++) {
        for (uint32_t x = 0; x < image.width; x++) {
            sample->rows[y][x] = character_of(colours, &count, pixels[y * image.width + x]);
        }
    }
    return true;
}

const char *wave_data_sample_text(const wave_sample *sample, int symmetry) {
    static char text[WAVE_DATA_BYTES];
    int size = snprintf(text, sizeof text, "{\"symmetry\": %d, \"rows\": [", symmetry);
    for (int32_t y = 0; y < sample->height; y++) {
        size += snprintf(text + size, sizeof text - (size_t)size, "%s\"%s\"", y == 0 ? "" : ", ",
                         sample->rows[y]);
    }
    snprintf(text + size, sizeof text - (size_t)size, "]}");
    return text;
}

/* The value of an attribute in a tag, cut to 31 bytes; empty when it has none. */
static void attribute(const char *tag, const char *name, char value[32]) {
    char wanted[40];
    snprintf(wanted, sizeof wanted, " %s=\"", name);
    const char *end = strchr(tag, '>'), *at = strstr(tag, wanted);
    value[0] = 0;
    if (at != NULL && at < end) {
        at += strlen(wanted);
        snprintf(value, 32, "%.*s", (int)strcspn(at, "\""), at);
    }
}

static void read_tags(const char *text, wave_tileset *set) {
    char value[32];
    const char *end = strstr(text, "</tiles>"); /* subsets name them again */
    for (const char *tag = text; (tag = strstr(tag, "<tile ")) != NULL && tag < end; tag++) {
        attribute(tag, "name", set->tiles[set->tile_count].name);
        attribute(tag, "symmetry", value);
        set->tiles[set->tile_count].symmetry = value[0] == 0 ? 'X' : value[0];
        attribute(tag, "weight", value);
        set->tiles[set->tile_count++].weight = value[0] == 0 ? 1 : strtod(value, NULL);
    }
    for (const char *tag = text; (tag = strstr(tag, "<neighbor ")) != NULL; tag++) {
        attribute(tag, "left", set->pairs[set->pair_count].left);
        attribute(tag, "right", set->pairs[set->pair_count++].right);
    }
}

bool wave_data_tileset(const char *name, wave_tileset *set) {
    char path[512];
    if (!data_path(path, sizeof path, "tilesets", name, ".xml")) {
        return false;
    }
    static char text[WAVE_DATA_BYTES];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        abort();
    }
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    *set = (wave_tileset){0};
    read_tags(text, set);
    return true;
}

const char *wave_data_tileset_text(const wave_tileset *set, const char *walkable) {
    enum { WEIGHT_SCALE = 4 };
    static char text[WAVE_DATA_BYTES];
    int size = snprintf(text, sizeof text, "{\"tiles\": [");
    for (int i = 0; i < set->tile_count; i++) {
        char name[40];
        snprintf(name, sizeof name, " %s ", set->tiles[i].name);
        size += snprintf(text + size, sizeof text - (size_t)size,
                         "%s{\"name\": \"%s\", \"symmetry\": \"%c\", \"weight\": %d, "
                         "\"walkable\": %s}",
                         i == 0 ? "" : ", ", set->tiles[i].name, set->tiles[i].symmetry,
                         (int)(set->tiles[i].weight * WEIGHT_SCALE),
                         strstr(walkable, name) != NULL ? "true" : "false");
    }
    size += snprintf(text + size, sizeof text - (size_t)size, "], \"neighbors\": [");
    for (int i = 0; i < set->pair_count; i++) {
        size += snprintf(text + size, sizeof text - (size_t)size, "%s[\"%s\", \"%s\"]",
                         i == 0 ? "" : ", ", set->pairs[i].left, set->pairs[i].right);
    }
    snprintf(text + size, sizeof text - (size_t)size, "]}");
    return text;
}
