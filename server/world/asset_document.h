/* SPDX-License-Identifier: MIT
 *
 * asset_document.h: a row of an asset as a client sees it, the same in lists and alone, so that its
 * entity tag is one.
 */
#ifndef LOAM_SERVER_WORLD_ASSET_DOCUMENT_H
#define LOAM_SERVER_WORLD_ASSET_DOCUMENT_H

#include "api/wire/text_buffer.h"
#include "server/store/store_rows.h"

/* A document: a name, two digests and a summary of some hundred bytes. */
enum { ASSET_DOCUMENT_BYTES_MAX = 16384 };

void asset_row_write(const asset_row *row, text_buffer *buffer);

#endif
