/* SPDX-License-Identifier: MIT
 *
 * shelf.c: see shelf.h. An entry becomes the very request that would be sent to a daemon, and the
 * same reader reads it.
 */
#include "api/cli/shelf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/output.h"
#include "core/base/text.h"
#include "core/base/try.h"

#define ASSETS_FILE_BYTES_MAX ((size_t)1 << 20)

loam_status shelf_open(asset_shelf *shelf, const char *path, loam_error *error) {
    loam_text content;
    json_error_t fault;
    (void)snprintf(shelf->path, sizeof shelf->path, "%s", path);
    LOAM_TRY(input_read(path, ASSETS_FILE_BYTES_MAX, &content, error));
    shelf->document = json_loadb(content.bytes, content.size, JSON_REJECT_DUPLICATES, &fault);
    free((void *)(uintptr_t)content.bytes);
    if (!json_is_object(shelf->document)) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "%s, line %d: %s", path, fault.line,
                         shelf->document != NULL ? "an object of assets is expected" : fault.text);
    }
    return LOAM_OK;
}

void shelf_close(asset_shelf *shelf) {
    for (uint32_t i = 0; i < shelf->count; i++) {
        asset_destroy(shelf->items[i].data);
    }
    json_decref(shelf->document);
    memset(shelf, 0, sizeof *shelf);
}

const char *shelf_media_type(const char *file) {
    if (path_has_extension(file, ".png")) {
        return "image/png";
    }
    if (path_has_extension(file, ".geojson")) {
        return "application/geo+json";
    }
    return path_has_extension(file, ".json") ? "application/json" : "application/octet-stream";
}

void shelf_request_fini(shelf_request *request) {
    for (uint32_t i = 0; i < request->count; i++) {
        free(request->texts[i]);
    }
    free(request->body);
}

/* A value as it would stand in a query. */
static char *value_text(const json_t *value) {
    const char *string = json_string_value(value);
    return string != NULL ? strdup(string)
                          : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
}

static loam_status request_add_param(shelf_request *request, const char *key, const json_t *value,
                                     loam_error *error) {
    if (request->count == SHELF_PARAMS_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, NULL, "an asset has at most %d fields",
                         SHELF_PARAMS_MAX);
    }
    char *text = value_text(value);
    if (text == NULL) {
        return loam_fail(error, LOAM_WRONG_TYPE, NULL, "'%s' is no text and no number", key);
    }
    request->texts[request->count] = text;
    request->params[request->count] = (asset_param){loam_text_of(key), loam_text_of(text)};
    request->count++;
    return LOAM_OK;
}

static loam_status request_read_file(const asset_shelf *shelf, json_t *entry,
                                     shelf_request *request, loam_error *error) {
    char path[SHELF_PATH_BYTES];
    const char *key;
    json_t *value;
    const char *file = json_string_value(json_object_get(entry, "file"));
    if (file == NULL || !path_beside(shelf->path, file, path, sizeof path)) {
        return loam_fail(error, LOAM_MISSING_FIELD, NULL, "it needs a \"file\" or a \"recipe\"");
    }
    json_object_foreach(entry, key, value) {
        if (strcmp(key, "file") != 0) {
            LOAM_TRY(request_add_param(request, key, value, error));
        }
    }
    LOAM_TRY(input_read(path, ASSET_BYTES_MAX, &request->request.body, error));
    request->body = (char *)(uintptr_t)request->request.body.bytes;
    request->request.media_type = loam_text_of(shelf_media_type(path));
    return LOAM_OK;
}

static loam_status request_read_recipe(json_t *entry, shelf_request *request, loam_error *error) {
    request->body = json_dumps(entry, JSON_REAL_PRECISION(17));
    if (request->body == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for a recipe");
    }
    request->request.body = loam_text_of(request->body);
    request->request.media_type = loam_text_of("application/json");
    return LOAM_OK;
}

/* Errors name the entry: pointers of a body stay behind it. */
static loam_status entry_fail(const asset_shelf *shelf, const char *name, const loam_error *fault,
                              loam_error *error) {
    return loam_fail(error, fault->status, NULL, "%s, asset %s: %s%s%s", shelf->path, name,
                     fault->pointer, fault->pointer[0] != '\0' ? ": " : "", fault->text);
}

loam_status shelf_request_init(shelf_request *request, const asset_shelf *shelf, const char *name,
                               loam_error *error) {
    loam_error fault = {0};
    json_t *entry = json_object_get(shelf->document, name);
    *request = (shelf_request){.count = 0};
    loam_status status = json_object_get(entry, "recipe") != NULL
                             ? request_read_recipe(entry, request, &fault)
                             : request_read_file(shelf, entry, request, &fault);
    request->request.query = (asset_query){request->params, request->count};
    return status == LOAM_OK ? LOAM_OK : entry_fail(shelf, name, &fault, error);
}

static loam_status asset_make(const asset_shelf *shelf, const char *name, asset_data **data,
                              loam_error *error) {
    shelf_request request;
    loam_error fault = {0};
    loam_status status = shelf_request_init(&request, shelf, name, error);
    if (status == LOAM_OK) {
        status = asset_read(&request.request, data, &fault);
        status = status == LOAM_OK ? LOAM_OK : entry_fail(shelf, name, &fault, error);
    }
    shelf_request_fini(&request);
    return status;
}

static loam_status shelf_add(asset_shelf *shelf, const char *key, loam_error *error) {
    shelf_asset *item = &shelf->items[shelf->count];
    asset_data *data = NULL;
    if (shelf->count == SLOTS_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, NULL, "more than %d assets", SLOTS_MAX);
    }
    LOAM_TRY(asset_make(shelf, key, &data, error));
    *item = (shelf_asset){.name = loam_text_of(key), .data = data};
    shelf->count++;
    loam_status status = key_of_asset(&data->asset, &item->id);
    return status == LOAM_OK ? LOAM_OK
                             : loam_fail(error, status, NULL, "asset %s has no digest", key);
}

loam_status shelf_find(asset_shelf *shelf, loam_text name, const shelf_asset **found,
                       loam_error *error) {
    const char *key;
    json_t *entry;
    for (uint32_t i = 0; i < shelf->count; i++) {
        if (loam_text_equal(shelf->items[i].name, name)) {
            *found = &shelf->items[i];
            return LOAM_OK;
        }
    }
    json_object_foreach(shelf->document, key, entry) {
        if (loam_text_equal(loam_text_of(key), name)) {
            LOAM_TRY(shelf_add(shelf, key, error));
            *found = &shelf->items[shelf->count - 1];
            return LOAM_OK;
        }
    }
    return loam_fail(error, LOAM_NOT_FOUND, NULL, "asset %.*s is not described%s%s; see --assets",
                     TEXT_ARGS(name), shelf->path[0] != '\0' ? " in " : "", shelf->path);
}

const loam_asset *shelf_at(const asset_shelf *shelf, const digest *id) {
    for (uint32_t i = 0; i < shelf->count; i++) {
        if (digest_equal(&shelf->items[i].id, id)) {
            return &shelf->items[i].data->asset;
        }
    }
    return NULL;
}
