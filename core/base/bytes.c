/* SPDX-License-Identifier: MIT
 *
 * bytes.c: see bytes.h.
 */
#include "core/base/bytes.h"

#include <string.h>

void writer_init(byte_writer *writer, loam_sink sink) {
    writer->sink = sink;
    writer->used = 0;
}

void writer_flush(byte_writer *writer) {
    if (writer->used > 0) {
        writer->sink.write(writer->sink.context, writer->buffer, writer->used);
        writer->used = 0;
    }
}

/* Room for `size` more bytes, at most WRITER_BYTES. */
static unsigned char *writer_room(byte_writer *writer, size_t size) {
    if (writer->used + size > WRITER_BYTES) {
        writer_flush(writer);
    }
    unsigned char *room = writer->buffer + writer->used;
    writer->used += size;
    return room;
}

void write_bytes(byte_writer *writer, const void *bytes, size_t size) {
    if (size == 0) {
        return;
    }
    if (size > WRITER_BYTES) {
        writer_flush(writer);
        writer->sink.write(writer->sink.context, bytes, size);
        return;
    }
    memcpy(writer_room(writer, size), bytes, size);
}

void write_u8(byte_writer *writer, uint8_t value) {
    writer_room(writer, 1)[0] = value;
}

void write_u16(byte_writer *writer, uint16_t value) {
    put_u16(writer_room(writer, 2), value);
}

void write_u32(byte_writer *writer, uint32_t value) {
    put_u32(writer_room(writer, 4), value);
}

void write_u64(byte_writer *writer, uint64_t value) {
    put_u64(writer_room(writer, 8), value);
}

void write_i32(byte_writer *writer, int32_t value) {
    write_u32(writer, (uint32_t)value);
}

void write_i64(byte_writer *writer, int64_t value) {
    write_u64(writer, (uint64_t)value);
}

void write_text(byte_writer *writer, loam_text text) {
    write_u32(writer, (uint32_t)text.size);
    write_bytes(writer, text.bytes, text.size);
}

void write_i32_array(byte_writer *writer, const int32_t *values, size_t count) {
    while (count > 0) {
        size_t chunk = count < WRITER_BYTES / 4 ? count : WRITER_BYTES / 4;
        unsigned char *room = writer_room(writer, chunk * 4);
        for (size_t i = 0; i < chunk; i++) {
            put_u32(room + i * 4, (uint32_t)values[i]);
        }
        values += chunk;
        count -= chunk;
    }
}

void reader_init(byte_reader *reader, const void *bytes, size_t size) {
    *reader = (byte_reader){.at = bytes, .left = size};
}

const unsigned char *read_bytes(byte_reader *reader, size_t size) {
    if (reader->failed || size > reader->left) {
        reader->failed = true;
        reader->left = 0;
        return NULL;
    }
    const unsigned char *at = reader->at;
    reader->at += size;
    reader->left -= size;
    return at;
}

uint8_t read_u8(byte_reader *reader) {
    const unsigned char *at = read_bytes(reader, 1);
    return at == NULL ? 0 : at[0];
}

uint16_t read_u16(byte_reader *reader) {
    const unsigned char *at = read_bytes(reader, 2);
    return at == NULL ? 0 : get_u16(at);
}

uint32_t read_u32(byte_reader *reader) {
    const unsigned char *at = read_bytes(reader, 4);
    return at == NULL ? 0 : get_u32(at);
}

uint64_t read_u64(byte_reader *reader) {
    const unsigned char *at = read_bytes(reader, 8);
    return at == NULL ? 0 : get_u64(at);
}

int32_t read_i32(byte_reader *reader) {
    return (int32_t)read_u32(reader);
}

int64_t read_i64(byte_reader *reader) {
    return (int64_t)read_u64(reader);
}

loam_text read_text(byte_reader *reader) {
    uint32_t size = read_u32(reader);
    const unsigned char *at = read_bytes(reader, size);
    return at == NULL ? (loam_text){"", 0} : (loam_text){(const char *)at, size};
}
