/* SPDX-License-Identifier: MIT
 *
 * shelf.h: the assets of an offline world. An assets file names each one by what the world calls
 * it:
 *
 *     { "coast":   { "file": "coast.r16", "kind": "heightfield", "width": 513, "height": 513,
 *                    "spacing_m": 30, "offset_m": -11, "scale_m": 0.015625, "encoding": "u16le",
 *                    "row0": "north" },
 *       "hills":   { "recipe": "heightmap.fbm", "seed": "7", "params": { ... } },
 *       "village": { "file": "village.geojson", "kind": "areas", "crs": "local" } }
 *
 * The fields beside "file" are the query parameters of the asset's PUT; a file that ends in .json
 * is a recipe document as it would be sent. Paths are relative to the assets file. An asset is read
 * when a world asks for it, and never twice.
 */
#ifndef API_CLI_SHELF_H
#define API_CLI_SHELF_H

#include <jansson.h>

#include "api/key/key.h"
#include "api/wire/asset.h"
#include "core/base/limits.h"

#define SHELF_PATH_BYTES 4096

typedef struct shelf_asset {
    loam_text name; /* borrowed from the document */
    digest id;
    asset_data *data; /* owned */
} shelf_asset;

typedef struct asset_shelf {
    char path[SHELF_PATH_BYTES]; /* of the assets file; "" when there is none */
    json_t *document;
    shelf_asset items[SLOTS_MAX];
    uint32_t count;
} asset_shelf;

/* Reads the assets file. */
LOAM_MUST_USE loam_status shelf_open(asset_shelf *shelf, const char *path, loam_error *error);
void shelf_close(asset_shelf *shelf);
/* Reads the asset of that name if it is not there yet. LOAM_NOT_FOUND when the file lacks it. */
LOAM_MUST_USE loam_status shelf_find(asset_shelf *shelf, loam_text name, const shelf_asset **found,
                                     loam_error *error);
/* One entry as the request that would put it to a daemon. */
#define SHELF_PARAMS_MAX 32 /* the contract has eleven */
typedef struct shelf_request {
    asset_request request; /* borrows from here */
    asset_param params[SHELF_PARAMS_MAX];
    char *texts[SHELF_PARAMS_MAX]; /* owned */
    uint32_t count;
    char *body; /* owned */
} shelf_request;
/* Fails with the name of the entry. End it either way. */
LOAM_MUST_USE loam_status shelf_request_init(shelf_request *request, const asset_shelf *shelf,
                                             const char *name, loam_error *error);
void shelf_request_fini(shelf_request *request);

/* An asset that was found before; NULL when none has this digest. */
const loam_asset *shelf_at(const asset_shelf *shelf, const digest *id);

/* The media type of a file by its extension, as an asset's PUT wants it. Static. */
const char *shelf_media_type(const char *file);

#endif
