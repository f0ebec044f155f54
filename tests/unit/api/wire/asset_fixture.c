/* SPDX-License-Identifier: MIT
 *
 * asset_fixture.c: see asset_fixture.h.
 */
#include "tests/unit/api/wire/asset_fixture.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void query_fixture_init(query_fixture *fixture, const char *text) {
    snprintf(fixture->text, sizeof fixture->text, "%s", text);
    fixture->query = (asset_query){.params = fixture->params};
    char *rest = NULL;
    for (char *part = strtok_r(fixture->text, "&", &rest); part != NULL;
         part = strtok_r(NULL, "&", &rest)) {
        char *equals = strchr(part, '=');
        *equals = 0;
        fixture->params[fixture->query.count++] =
            (asset_param){loam_text_of(part), loam_text_of(equals + 1)};
    }
}

loam_text data_read(const char *path) {
    const char *folder = getenv("LOAM_TEST_DATA");
    char name[512];
    if (folder == NULL || *folder == 0) {
        fprintf(stderr, "LOAM_TEST_DATA is not set: %s is not tested\n", path);
        return (loam_text){NULL, 0};
    }
    snprintf(name, sizeof name, "%s/%s", folder, path);
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s is not there: it is not tested\n", name);
        return (loam_text){NULL, 0};
    }
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(size + 1);
    size = fread(bytes, 1, size, file);
    fclose(file);
    return (loam_text){bytes, size};
}

loam_text png_make(const png_fixture *picture) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_color palette[2] = {{0, 0, 0}, {255, 255, 255}};
    png_init_io(png, file);
    png_set_IHDR(png, info, picture->width, picture->height, picture->bit_depth,
                 picture->color_type, picture->interlaced ? PNG_INTERLACE_ADAM7 : 0, 0, 0);
    if (picture->color_type == PNG_COLOR_TYPE_PALETTE) {
        png_set_PLTE(png, info, palette, 2);
    }
    png_write_info(png, info);
    size_t row_bytes = png_get_rowbytes(png, info);
    unsigned char *blank = calloc(1, row_bytes);
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t row = 0; row < picture->height; row++) {
            png_write_row(png, picture->rows == NULL ? blank : picture->rows + row * row_bytes);
        }
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(file);
    free(blank);
    return (loam_text){bytes, size};
}
