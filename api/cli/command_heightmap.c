/* SPDX-License-Identifier: MIT
 *
 * command_heightmap.c: `loam heightmap`: runs heightmap.fbm and writes what it makes. Options
 * become the recipe document that a daemon would get, so they are checked by the same schema.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/heights_file.h"
#include "api/cli/options.h"
#include "api/cli/output.h"
#include "api/key/key.h"
#include "api/wire/asset.h"
#include "core/base/decimal.h"
#include "core/base/try.h"

#define FINE_BITS 24   /* spacing: 1/65,536 unit, 1/256 m */
#define HEIGHT_BITS 16 /* heights: 1/65,536 m */

/* A number or a boolean goes in as it is; whatever does not read as one goes in as text, and the
 * schema says what it takes. */
static json_t *param_value(const char *text) {
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (json_is_number(value) || json_is_boolean(value)) {
        return value;
    }
    json_decref(value);
    return json_string(text);
}

static char *recipe_document(const cli_arguments *arguments) {
    json_t *params = json_object();
    for (uint32_t i = 0; i < arguments->given_count; i++) {
        const cli_given *given = &arguments->given[i];
        if (options_find_param(arguments->command, given->name) != NULL &&
            strcmp(given->name, "seed") != 0) {
            (void)json_object_set_new(params, given->name, param_value(given->value));
        }
    }
    json_t *document = json_pack("{s:s, s:s, s:o}", "recipe", arguments->command->recipe, "seed",
                                 options_text(arguments, "seed"), "params", params);
    char *text = document != NULL ? json_dumps(document, JSON_REAL_PRECISION(17)) : NULL;
    json_decref(document);
    return text;
}

static loam_status terrain_make(const cli_arguments *arguments, asset_data **data,
                                loam_error *error) {
    char *document = recipe_document(arguments);
    if (document == NULL) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "the options are no UTF-8");
    }
    asset_request request = {.media_type = loam_text_of("application/json"),
                             .body = loam_text_of(document)};
    loam_status status = asset_read(&request, data, error);
    free(document);
    return status;
}

static void option_print(const char *name, int64_t value, unsigned bits) {
    char text[DECIMAL_BYTES_MAX];
    (void)decimal_print(text, sizeof text, value, bits);
    (void)printf("--%s %s ", name, text);
}

/* What `loam put asset` must be told about the file. */
static void put_options_print(const loam_heightfield *field, heights_scale scale, bool picture) {
    (void)printf("--kind heightfield ");
    if (!picture) {
        option_print("width", field->width, 0);
        option_print("height", field->height, 0);
        (void)printf("--encoding u16le ");
    }
    option_print("spacing-m", field->spacing_fine, FINE_BITS);
    option_print("offset-m", scale.offset, HEIGHT_BITS);
    option_print("scale-m", (int64_t)1 << scale.scale_bits, HEIGHT_BITS);
    option_print("origin-x-m", field->origin_x, FINE_BITS - HEIGHT_BITS);
    option_print("origin-z-m", field->origin_z, FINE_BITS - HEIGHT_BITS);
    (void)printf("--row0 north\n");
}

static loam_status samples_write(const loam_heightfield *field, const char *path, text_buffer *file,
                                 loam_error *error) {
    bool picture = path_has_extension(path, ".png");
    heights_scale scale = heights_scale_of(field);
    LOAM_TRY(picture ? heights_write_png(field, scale, file, error)
                     : heights_write_raw(field, scale, file, error));
    LOAM_TRY(output_write_binary(path, file->bytes, file->size, error));
    put_options_print(field, scale, picture);
    return LOAM_OK;
}

static loam_status payload_write(const loam_asset *asset, const char *path, text_buffer *file,
                                 loam_error *error) {
    char text[DIGEST_TEXT_BYTES];
    digest id;
    loam_status status = asset_payload(asset, file);
    status = status == LOAM_OK ? key_of_asset(asset, &id) : status;
    if (status != LOAM_OK) {
        return loam_fail(error, status, NULL, "the terrain cannot be written");
    }
    LOAM_TRY(output_write_binary(path, file->bytes, file->size, error));
    digest_text(&id, text);
    (void)printf("%s\n", text);
    return LOAM_OK;
}

static loam_status terrain_write(const cli_arguments *arguments, const asset_data *data,
                                 loam_error *error) {
    const char *path = options_text(arguments, "o");
    text_buffer file;
    loam_status status;
    buffer_init(&file, ASSET_BYTES_MAX);
    if (path_has_extension(path, ".r16") || path_has_extension(path, ".png")) {
        status = samples_write(data->asset.heightfield, path, &file, error);
    } else if (path_has_extension(path, ".asset")) {
        status = payload_write(&data->asset, path, &file, error);
    } else {
        status = loam_fail(error, LOAM_BAD_NAME, NULL,
                           "-o takes a file that ends in .r16, .png or .asset, not '%s'", path);
    }
    buffer_fini(&file);
    return status;
}

static int heightmap_run(const cli_arguments *arguments) {
    asset_data *data = NULL;
    loam_error error = {0};
    int exit_code = CLI_DONE;
    if (terrain_make(arguments, &data, &error) != LOAM_OK ||
        terrain_write(arguments, data, &error) != LOAM_OK) {
        exit_code = output_failure(arguments->command->name, &error);
    }
    asset_destroy(data);
    return exit_code;
}

static const cli_option heightmap_options[] = {
    {"seed", "N", "0 to 18446744073709551615", true},
    {"o", "FILE",
     ".r16 (u16 little endian), .png (16-bit gray) or .asset "
     "(the exact heights in canonical bytes)",
     true},
    CLI_END_OF_OPTIONS,
};

const cli_command command_heightmap = {
    .name = "heightmap",
    .operands = "",
    .summary = "make a terrain from a seed",
    .details = "Runs the recipe heightmap.fbm. A .r16 or .png holds 16-bit steps; offset and\n"
               "scale are printed as the options that 'loam put asset' takes. A sample depends\n"
               "on its place and the parameters, not on where the field begins.",
    .examples = "  # 4 km at 8 m\n"
                "  loam heightmap --seed 7 --width 513 --height 513 --spacing-m 8 \\\n"
                "    --wavelength-m 3000 --octaves 7 --amplitude-m 680 --base-m 170 -o hills.png",
    .options = heightmap_options,
    .recipe = "heightmap.fbm",
    .run = heightmap_run,
};
