/* SPDX-License-Identifier: MIT
 *
 * asset.c: see asset.h. Which reader takes a body is decided by the kind and the media type;
 * GeoJSON is built by asset_geojson.c. Sizes of the memory that a payload needs are found by
 * trying, since only the builder knows them.
 */
#include "api/wire/asset.h"

#include "api/wire/asset_heights.h"
#include "api/wire/asset_readers.h"
#include "api/wire/recipe_document.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Memory of a payload, whose index is some times its size, and how often it is doubled. */
enum {
    PAYLOAD_BYTES_MIN = 1 << 20,
    PAYLOAD_GROWTH = 2,
    PAYLOAD_TRIES_MAX = 9,
};

loam_status asset_fail_memory(loam_error *error) {
    return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the asset");
}

/* ---- Heightfields -------------------------------------------------------------------------- */

/* Takes the samples. */
static loam_status set_field(asset_data *data, const heights_form *form, int32_t *samples,
                             loam_error *error) {
    data->memory = samples;
    data->field = (loam_heightfield){.width = form->width,
                                     .height = form->height,
                                     .spacing_fine = form->spacing_fine,
                                     .origin_x = form->origin_x,
                                     .origin_z = form->origin_z,
                                     .samples = samples};
    LOAM_TRY(loam_heightfield_init(&data->field, error));
    data->asset = (loam_asset){.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = &data->field};
    return LOAM_OK;
}

static loam_status read_samples(const asset_request *request, bool picture, asset_data *data,
                                loam_error *error) {
    heights_form form;
    int32_t *samples = NULL;
    LOAM_TRY(heights_read_form(&request->query, picture, &form, error));
    LOAM_TRY(picture ? heights_read_png(&form, request->body, &samples, error)
                     : heights_read_raw(&form, request->body, &samples, error));
    return set_field(data, &form, samples, error);
}

static loam_status read_recipe(const asset_request *request, asset_data *data, loam_error *error) {
    static const char *const known[] = {"kind", NULL};
    loam_heightmap recipe;
    fault_list faults = {0};
    LOAM_TRY(query_check_names(&request->query, known, error));
    if (recipe_read_heightmap(request->body, &recipe, &faults) != LOAM_OK) {
        return fault_first(&faults, error);
    }
    LOAM_TRY(heights_check_size(recipe.width, recipe.height, error));
    int32_t *samples = malloc((size_t)recipe.width * recipe.height * sizeof *samples);
    if (samples == NULL) {
        return asset_fail_memory(error);
    }
    loam_status status = loam_heightmap_fbm(&recipe, LOAM_SIMD_BEST, samples, error);
    if (status != LOAM_OK) {
        free(samples);
        return status;
    }
    heights_form form = {.width = recipe.width,
                         .height = recipe.height,
                         .spacing_fine = recipe.spacing_fine,
                         .origin_x = recipe.origin_x,
                         .origin_z = recipe.origin_z};
    return set_field(data, &form, samples, error);
}

/* An arena of the data's own; false when there is no memory. */
bool asset_take_arena(asset_data *data, size_t size) {
    free(data->memory);
    data->memory = malloc(size);
    loam_arena_init(&data->arena, data->memory, data->memory == NULL ? 0 : size);
    return data->memory != NULL;
}

/* ---- Which reader -------------------------------------------------------------------------- */

/* The type before its parameters, in any case. */
static bool is_media(loam_text media, const char *type) {
    size_t size = 0;
    while (size < media.size && media.bytes[size] != ';') {
        size++;
    }
    while (size > 0 && (media.bytes[size - 1] == ' ' || media.bytes[size - 1] == '\t')) {
        size--;
    }
    return size == loam_text_of(type).size && strncasecmp(media.bytes, type, size) == 0;
}

static loam_status read_heightfield(const asset_request *request, asset_data *data,
                                    loam_error *error) {
    if (is_media(request->media_type, "application/octet-stream")) {
        return read_samples(request, false, data, error);
    }
    if (is_media(request->media_type, "image/png")) {
        return read_samples(request, true, data, error);
    }
    if (is_media(request->media_type, "application/json")) {
        return read_recipe(request, data, error);
    }
    return loam_fail(error, LOAM_UNSUPPORTED_MEDIA, NULL,
                     "a heightfield is application/octet-stream, image/png or application/json");
}

static loam_status read_kind(const asset_request *request, asset_data *data, loam_error *error) {
    static const char *const kinds[] = {"heightfield", "areas", "lines", "points", "rules", NULL};
    uint32_t kind = 0;
    bool recipe = is_media(request->media_type, "application/json") &&
                  query_find(&request->query, "kind").bytes == NULL;
    if (!recipe) {
        LOAM_TRY(query_choice(&request->query, "kind", kinds, &kind, error));
    }
    if (kind == 0) {
        return read_heightfield(request, data, error);
    }
    if (strcmp(kinds[kind], "rules") == 0) {
        return is_media(request->media_type, "application/json")
                   ? asset_read_rules_json(request, data, error)
                   : loam_fail(error, LOAM_UNSUPPORTED_MEDIA, NULL, "rules are application/json");
    }
    if (!is_media(request->media_type, "application/geo+json")) {
        return loam_fail(error, LOAM_UNSUPPORTED_MEDIA, NULL, "%s are application/geo+json",
                         kinds[kind]);
    }
    return asset_read_geojson(request, loam_port_kind_find(loam_text_of(kinds[kind])), data, error);
}

/* Owned, empty. */
static asset_data *data_create(loam_error *error) {
    asset_data *data = calloc(1, sizeof *data);
    if (data == NULL) {
        (void)asset_fail_memory(error);
    }
    return data;
}

loam_status asset_read(const asset_request *request, asset_data **data, loam_error *error) {
    *data = NULL;
    if (request->body.size > ASSET_BYTES_MAX) {
        return loam_fail(error, LOAM_TOO_LARGE, NULL, "an asset has at most %zu bytes, not %zu",
                         ASSET_BYTES_MAX, request->body.size);
    }
    asset_data *made = data_create(error);
    if (made == NULL) {
        return LOAM_ARENA_FULL;
    }
    loam_status status = read_kind(request, made, error);
    if (status != LOAM_OK) {
        asset_destroy(made);
        return status;
    }
    *data = made;
    return LOAM_OK;
}

static loam_status decode(loam_text payload, asset_data *data, loam_error *error) {
    size_t size = PAYLOAD_BYTES_MIN + payload.size * PAYLOAD_GROWTH;
    for (int i = 0; i < PAYLOAD_TRIES_MAX && asset_take_arena(data, size); i++, size *= 2) {
        loam_error fault = {0};
        loam_status status =
            loam_asset_decode(payload.bytes, payload.size, &data->arena, &data->asset, &fault);
        if (status == LOAM_OK) {
            return LOAM_OK;
        }
        if (status != LOAM_ARENA_FULL) {
            return loam_fail(error, status, fault.pointer, "%s", fault.text);
        }
    }
    return asset_fail_memory(error);
}

loam_status asset_load(loam_text payload, asset_data **data, loam_error *error) {
    *data = NULL;
    if (payload.size > ASSET_BYTES_MAX) {
        return loam_fail(error, LOAM_TOO_LARGE, NULL, "a payload has at most %zu bytes",
                         ASSET_BYTES_MAX);
    }
    asset_data *made = data_create(error);
    if (made == NULL) {
        return LOAM_ARENA_FULL;
    }
    loam_status status = decode(payload, made, error);
    if (status != LOAM_OK) {
        asset_destroy(made);
        return status;
    }
    *data = made;
    return LOAM_OK;
}

void asset_destroy(asset_data *data) {
    if (data != NULL) {
        free(data->memory);
        free(data);
    }
}

loam_status asset_payload(const loam_asset *asset, text_buffer *payload) {
    LOAM_TRY(loam_asset_encode(asset, buffer_sink(payload)));
    return buffer_status(payload);
}
