/* SPDX-License-Identifier: MIT
 *
 * dungeon_form.h: what the files share that write and read dungeons. Internal to them.
 */
#ifndef LOAM_CODEC_DUNGEON_FORM_H
#define LOAM_CODEC_DUNGEON_FORM_H

#include "core/base/bytes.h"
#include "core/loam_dungeon.h"

/* Bytes that are read, and where what they hold goes. */
typedef struct dungeon_reader {
    byte_reader from;
    loam_arena *arena;
    loam_error *error;
} dungeon_reader;

/* The error of bytes that cannot be a dungeon's. */
loam_status dungeon_damaged(loam_error *error, const char *what);

/* A count of things of at least so many bytes each: no more than what is left can hold. */
LOAM_MUST_USE loam_status read_count(dungeon_reader *reader, uint32_t bytes_min, uint32_t *count);

/* A sink that holds what it is given against bytes: what was decoded, encoded again. */
typedef struct byte_comparison {
    const unsigned char *at;
    size_t left;
    bool differs;
} byte_comparison;

void compare_bytes(void *context, const void *bytes, size_t size);

void layout_write(byte_writer *writer, const loam_layout *layout);
LOAM_MUST_USE loam_status layout_read(dungeon_reader *reader, loam_layout *layout);

void assembly_write(byte_writer *writer, const loam_layout *layout, const loam_assembly *assembly,
                    bool outside_open);
/* What follows from the layout is made again, not read: the whole is compared afterwards. */
LOAM_MUST_USE loam_status assembly_read(dungeon_reader *reader, const loam_layout *layout,
                                        bool outside_open, loam_assembly *assembly);

#endif
