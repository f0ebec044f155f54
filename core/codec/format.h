/* SPDX-License-Identifier: MIT
 *
 * format.h: magic words and versions of the binary forms that FORMAT.md describes.
 */
#ifndef LOAM_CODEC_FORMAT_H
#define LOAM_CODEC_FORMAT_H

/* Version of the cell's canonical bytes; part of every build key. */
enum {
    CELL_FORMAT_VERSION = 1,
    GRAPH_FORMAT_VERSION = 1,
    ASSET_FORMAT_VERSION = 1,
    DUNGEON_FORMAT_VERSION = 1, /* part of every key of a dungeon */
    CONTENT_FORMAT_VERSION = 1
};

/* Eight bytes each, not terminated. */
#define CELL_MAGIC "LOAMCELL"
#define GRAPH_MAGIC "LOAMGRPH"
#define ASSET_MAGIC "LOAMASST"
#define DUNGEON_MAGIC "LOAMDUNG"
#define LAYOUT_MAGIC "LOAMLAYT"
#define ASSEMBLY_MAGIC "LOAMASMB"
#define CONTENT_MAGIC "LOAMCONT"
enum { MAGIC_BYTES = 8 };

#endif
