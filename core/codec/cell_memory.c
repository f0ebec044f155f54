/* SPDX-License-Identifier: MIT
 *
 * cell_memory.c: how much memory the decoder of a cell asks of its arena, from the header alone:
 * for a host that has none to spare and decodes one cell after the other. What the header claims
 * and the bytes cannot hold is no cell.
 */
#include "core/base/bytes.h"
#include "core/base/limits.h"
#include "core/codec/cell_columns.h"
#include "core/codec/format.h"

#include <string.h>

/* A block of the arena starts on a line of the cache, its first one too. */
enum { BLOCK_SLACK_BYTES = 64, HEADER_COUNT_AT = 12, ENTRY_OFFSET_AT = 4, TEXT_BYTES_MIN = 4 };

/* The palette, the attributes and their flags; each column and each list of texts is another. */
enum { BLOCKS_FIXED = 4 };

typedef struct cell_claim {
    uint32_t points;
    uint32_t attributes;
    size_t texts; /* bytes between directory and first column */
} cell_claim;

static bool claim_read(const unsigned char *bytes, size_t size, cell_claim *claim) {
    if (size < CELL_HEADER_BYTES + COLUMN_ENTRY_BYTES ||
        memcmp(bytes, CELL_MAGIC, MAGIC_BYTES) != 0) {
        return false;
    }
    uint32_t columns = get_u16(bytes + MAGIC_BYTES + 2);
    size_t directory = CELL_HEADER_BYTES + (size_t)columns * COLUMN_ENTRY_BYTES;
    size_t first = get_u32(bytes + CELL_HEADER_BYTES + ENTRY_OFFSET_AT);
    claim->points = get_u32(bytes + HEADER_COUNT_AT);
    claim->attributes = columns - CELL_COLUMNS;
    claim->texts = first - directory;
    return columns >= CELL_COLUMNS && columns - CELL_COLUMNS <= CELL_ATTRIBUTES_MAX &&
           claim->points <= size / sizeof(uint64_t) && directory <= first && first <= size;
}

size_t loam_cell_memory(const void *bytes, size_t size) {
    cell_claim claim;
    if (!claim_read(bytes, size, &claim)) {
        return 0;
    }
    size_t columns = CELL_COLUMNS + (size_t)claim.attributes;
    size_t names = claim.texts / TEXT_BYTES_MIN + 2 * (size_t)claim.attributes + 2;
    size_t values = ((size_t)claim.points + 1) * (CELL_POINT_BYTES_MAX + 4u * claim.attributes);
    size_t blocks = columns + claim.attributes + BLOCKS_FIXED;
    size_t again = CELL_HEADER_BYTES + columns * (COLUMN_ENTRY_BYTES + COLUMN_ALIGNMENT_BYTES) +
                   COLUMN_ALIGNMENT_BYTES + values + claim.texts;
    return values + names * sizeof(loam_text) + claim.attributes * sizeof(loam_attribute) +
           sizeof(loam_attribute) + again + blocks * BLOCK_SLACK_BYTES;
}
