/* SPDX-License-Identifier: MIT
 *
 * asset.c: see asset.h. Which reader takes a body is decided by the kind and the media type; sizes
 * of the memory that areas need are found by trying, since only the builder knows them.
 */
#include "api/wire/asset.h"

#include "api/wire/asset_heights.h"
#include "api/wire/geojson.h"
#include "api/wire/recipe_document.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/space/areas.h"

#include <stdlib.h>
#include <strings.h>

/* Memory of areas: a first try, and how often it is doubled: from 256 bytes a vertex to 64 KB. */
enum {
    AREA_BYTES_MIN = 1 << 20,
    AREA_BYTES_PER_VERTEX = 256,
    AREA_TRIES_MAX = 9,
};
/* The same for a payload, whose index is some times its size. */
enum {
    PAYLOAD_BYTES_MIN = 1 << 20,
    PAYLOAD_GROWTH = 2,
    PAYLOAD_TRIES_MAX = 9,
};

static loam_status fail_memory(loam_error *error) {
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
        return fail_memory(error);
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

/* ---- Areas --------------------------------------------------------------------------------- */

/* An arena of the data's own; false when there is no memory. */
static bool take_arena(asset_data *data, size_t size) {
    free(data->memory);
    data->memory = malloc(size);
    loam_arena_init(&data->arena, data->memory, data->memory == NULL ? 0 : size);
    return data->memory != NULL;
}

static loam_status build_areas(const geojson_areas *source, asset_data *data, loam_error *error) {
    size_t size = AREA_BYTES_MIN + (size_t)source->vertex_count * AREA_BYTES_PER_VERTEX;
    for (int i = 0; i < AREA_TRIES_MAX && take_arena(data, size); i++, size *= 2) {
        loam_error fault = {0};
        loam_status status =
            loam_areas_build(&source->source, &data->arena, &data->asset.areas, &fault);
        if (status == LOAM_OK) {
            data->asset.kind = LOAM_PORT_AREAS;
            return LOAM_OK;
        }
        if (status != LOAM_ARENA_FULL) {
            geojson_place_error(source, &fault);
            return loam_fail(error, status, fault.pointer, "%s", fault.text);
        }
    }
    return fail_memory(error);
}

static loam_status read_areas(const asset_request *request, asset_data *data, loam_error *error) {
    static const char *const known[] = {"kind", "crs", NULL};
    geojson_areas source;
    LOAM_TRY(query_check_names(&request->query, known, error));
    loam_text crs = query_find(&request->query, "crs");
    if (crs.bytes == NULL || !loam_text_equal(crs, loam_text_of("local"))) {
        return loam_fail(error, LOAM_CRS_MISSING, NULL, "%s", loam_status_text(LOAM_CRS_MISSING));
    }
    LOAM_TRY(geojson_read_areas(request->body, &source, error));
    loam_status status = build_areas(&source, data, error);
    geojson_fini(&source);
    return status;
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
    if (kind > 1) {
        return loam_fail(error, LOAM_NOT_IMPLEMENTED, NULL, "assets of kind %s are not taken yet",
                         kinds[kind]);
    }
    if (!is_media(request->media_type, "application/geo+json")) {
        return loam_fail(error, LOAM_UNSUPPORTED_MEDIA, NULL, "areas are application/geo+json");
    }
    return read_areas(request, data, error);
}

/* Owned, empty. */
static asset_data *data_create(loam_error *error) {
    asset_data *data = calloc(1, sizeof *data);
    if (data == NULL) {
        (void)fail_memory(error);
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
    for (int i = 0; i < PAYLOAD_TRIES_MAX && take_arena(data, size); i++, size *= 2) {
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
    return fail_memory(error);
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
