/* SPDX-License-Identifier: MIT
 *
 * asset.h: an asset as it is sent (query, media type, body) becomes an asset as core knows it; and
 * the stored payload becomes one again. The payload is the asset's canonical bytes
 * (loam_asset_encode): equal content has equal bytes, however it was sent, so that what is digested
 * (key_of_asset), stored and served is one thing.
 */
#ifndef LOAM_WIRE_ASSET_H
#define LOAM_WIRE_ASSET_H

#include "api/wire/asset_query.h"
#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* A body or a payload: a heightfield of 8,193 x 8,193 samples has 268 MB. */
#define ASSET_BYTES_MAX ((size_t)512 << 20)

typedef struct asset_request {
    loam_text media_type; /* Content-Type; parameters behind a ';' are passed over */
    asset_query query;    /* everything behind the '?', decoded: kind, crs, width, ... */
    loam_text body;
} asset_request;

/* An asset and the memory that it borrows. */
typedef struct asset_data {
    loam_asset asset;
    loam_heightfield field;
    void *memory;
    loam_arena arena;
} asset_data;

/* Reads raw samples, a PNG, GeoJSON or a recipe. `data` becomes owned: end it with asset_destroy.
 * An error's pointer is into the body; one of the query names the parameter in its text. */
LOAM_MUST_USE loam_status asset_read(const asset_request *request, asset_data **data,
                                     loam_error *error);
/* The asset of a payload; owned, borrows nothing. */
LOAM_MUST_USE loam_status asset_load(loam_text payload, asset_data **data, loam_error *error);
void asset_destroy(asset_data *data);

/* Adds the canonical bytes; LOAM_TOO_LARGE when the buffer's limit is passed. */
LOAM_MUST_USE loam_status asset_payload(const loam_asset *asset, text_buffer *payload);
/* Adds the summary as a JSON object: sizes and range of a heightfield, counts and bounds of areas,
 * lines (with their length) and points (with the kinds of their properties). */
void asset_summary(const loam_asset *asset, text_buffer *summary);

#endif
