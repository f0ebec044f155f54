/* SPDX-License-Identifier: MIT
 *
 * world_parts.h: what the parts of a world's document have in common. Internal to api/wire.
 */
#ifndef LOAM_API_WIRE_WORLD_PARTS_H
#define LOAM_API_WIRE_WORLD_PARTS_H

#include "api/wire/document.h"
#include "api/wire/world_document.h"

/* An asset by its name or digest; a fault at the item when there is none. */
LOAM_MUST_USE loam_status world_asset_find(const item *at, const world_resolver *resolver,
                                           loam_text name, digest *id, loam_port_kind *kind);

#endif
