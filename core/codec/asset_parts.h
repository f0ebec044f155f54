/* SPDX-License-Identifier: MIT
 *
 * asset_parts.h: the content of an asset's bytes by kind. Internal to asset_*.c.
 */
#ifndef LOAM_CODEC_ASSET_PARTS_H
#define LOAM_CODEC_ASSET_PARTS_H

#include "core/base/bytes.h"
#include "core/loam.h"

/* The error of bytes that cannot be an asset's. */
loam_status asset_damaged(loam_error *error, const char *what);

void asset_write_lines(byte_writer *writer, const loam_lines *lines);
void asset_write_sites(byte_writer *writer, const loam_sites *sites);

void asset_write_rules(byte_writer *writer, const loam_rules *rules);

/* Read all that is left and build from it. */
LOAM_MUST_USE loam_status asset_read_lines(byte_reader *reader, loam_arena *arena,
                                           loam_asset *asset, loam_error *error);
LOAM_MUST_USE loam_status asset_read_sites(byte_reader *reader, loam_arena *arena,
                                           loam_asset *asset, loam_error *error);
LOAM_MUST_USE loam_status asset_read_rules(byte_reader *reader, loam_arena *arena,
                                           loam_asset *asset, loam_error *error);

#endif
