/* SPDX-License-Identifier: MIT
 *
 * cell_count.c: how many points the canonical bytes of a cell hold, from the header alone: for who
 * lists results and does not want their points.
 */
#include "core/base/bytes.h"
#include "core/base/limits.h"
#include "core/codec/format.h"

#include <string.h>

uint32_t loam_cell_count(const void *bytes, size_t size) {
    byte_reader header;
    reader_init(&header, bytes, size);
    const unsigned char *magic = read_bytes(&header, MAGIC_BYTES);
    if (magic == NULL || memcmp(magic, CELL_MAGIC, MAGIC_BYTES) != 0 ||
        read_u16(&header) != CELL_FORMAT_VERSION) {
        return 0;
    }
    (void)read_u16(&header); /* columns */
    uint32_t count = read_u32(&header);
    return header.failed || count > POINTS_MAX ? 0 : count;
}
