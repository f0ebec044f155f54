/* SPDX-License-Identifier: MIT
 *
 * bytes.h: numbers to and from little-endian bytes, one by one, the same on every machine. Writers
 * gather small pieces before they go to a sink; readers check every step.
 */
#ifndef LOAM_BASE_BYTES_H
#define LOAM_BASE_BYTES_H

#include "core/loam.h"

static inline void put_u16(unsigned char *to, uint16_t value) {
    to[0] = (unsigned char)value;
    to[1] = (unsigned char)(value >> 8);
}

static inline void put_u32(unsigned char *to, uint32_t value) {
    put_u16(to, (uint16_t)value);
    put_u16(to + 2, (uint16_t)(value >> 16));
}

static inline void put_u64(unsigned char *to, uint64_t value) {
    put_u32(to, (uint32_t)value);
    put_u32(to + 4, (uint32_t)(value >> 32));
}

static inline uint16_t get_u16(const unsigned char *from) {
    return (uint16_t)(from[0] | (uint16_t)(from[1] << 8));
}

static inline uint32_t get_u32(const unsigned char *from) {
    return (uint32_t)get_u16(from) | (uint32_t)get_u16(from + 2) << 16;
}

static inline uint64_t get_u64(const unsigned char *from) {
    return (uint64_t)get_u32(from) | (uint64_t)get_u32(from + 4) << 32;
}

enum { WRITER_BYTES = 4096 };

/* Gathers bytes for a sink. */
typedef struct byte_writer {
    loam_sink sink;
    size_t used;
    unsigned char buffer[WRITER_BYTES];
} byte_writer;

void writer_init(byte_writer *writer, loam_sink sink);
/* Hands the rest to the sink; the writer can be used again. */
void writer_flush(byte_writer *writer);
void write_bytes(byte_writer *writer, const void *bytes, size_t size);
void write_u8(byte_writer *writer, uint8_t value);
void write_u16(byte_writer *writer, uint16_t value);
void write_u32(byte_writer *writer, uint32_t value);
void write_u64(byte_writer *writer, uint64_t value);
void write_i32(byte_writer *writer, int32_t value);
void write_i64(byte_writer *writer, int64_t value);
/* A u32 length and the bytes. */
void write_text(byte_writer *writer, loam_text text);
/* Many int32 at once. */
void write_i32_array(byte_writer *writer, const int32_t *values, size_t count);

/* Reads from the front; after the end everything is 0 and `failed` stays set. */
typedef struct byte_reader {
    const unsigned char *at;
    size_t left;
    bool failed;
} byte_reader;

void reader_init(byte_reader *reader, const void *bytes, size_t size);
/* Borrowed from the source, or NULL. */
const unsigned char *read_bytes(byte_reader *reader, size_t size);
uint8_t read_u8(byte_reader *reader);
uint16_t read_u16(byte_reader *reader);
uint32_t read_u32(byte_reader *reader);
uint64_t read_u64(byte_reader *reader);
int32_t read_i32(byte_reader *reader);
int64_t read_i64(byte_reader *reader);
/* Borrowed from the source. */
loam_text read_text(byte_reader *reader);

#endif
