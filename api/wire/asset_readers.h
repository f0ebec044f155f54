/* SPDX-License-Identifier: MIT
 *
 * asset_readers.h: what asset.c shares with the readers of single kinds. Internal to asset*.c.
 */
#ifndef LOAM_WIRE_ASSET_READERS_H
#define LOAM_WIRE_ASSET_READERS_H

#include "api/wire/asset.h"

loam_status asset_fail_memory(loam_error *error);
/* An arena of the data's own, instead of what it has; false when there is no memory. */
bool asset_take_arena(asset_data *data, size_t size);

/* Areas, lines or points. */
LOAM_MUST_USE loam_status asset_read_geojson(const asset_request *request, loam_port_kind kind,
                                             asset_data *data, loam_error *error);
/* A JSON document of rules. */
LOAM_MUST_USE loam_status asset_read_rules_json(const asset_request *request, asset_data *data,
                                                loam_error *error);

#endif
