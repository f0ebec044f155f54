/* SPDX-License-Identifier: MIT
 *
 * disk_file.c: the bytes of a cell from and to the disk, in pieces, so that a game loop can stop
 * after each. A read takes what the kernel has in memory and has the rest fetched meanwhile, where
 * the file system can do that.
 */
#include "api/client/disk_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* A piece for who may wait. */
#define PIECE_BYTES ((size_t)1 << 20)
/* Use is marked to the minute: a mark is a write. */
#define TOUCH_S 60

void disk_touch(int descriptor) {
    struct stat facts;
    if (fstat(descriptor, &facts) == 0 && time(NULL) - facts.st_mtime > TOUCH_S) {
        (void)futimens(descriptor, NULL);
    }
}

bool disk_read_begin(const disk_cache *cache, const digest *id, disk_reader *reader) {
    char path[DISK_PATH_BYTES];
    struct stat facts;
    disk_file_path(cache, id, ".cell", path);
    *reader = (disk_reader){.descriptor = open(path, O_RDONLY | O_CLOEXEC), .id = *id};
    if (reader->descriptor < 0) {
        return false;
    }
    if (fstat(reader->descriptor, &facts) == 0 &&
        (uint64_t)facts.st_size <= cache->shard_bytes_max) {
        reader->size = (size_t)facts.st_size;
        reader->bytes = malloc(reader->size + 1);
    }
    if (reader->bytes == NULL) {
        disk_read_end(reader);
        return false;
    }
    digest_begin(&reader->stream);
    return true;
}

void disk_read_end(disk_reader *reader) {
    (void)close(reader->descriptor);
    free(reader->bytes);
    *reader = (disk_reader){.descriptor = -1};
}

static disk_step read_finish(const disk_cache *cache, disk_reader *reader) {
    char path[DISK_PATH_BYTES];
    digest found = digest_end(&reader->stream);
    if (digest_equal(&found, &reader->id)) {
        reader->bytes[reader->size] = 0;
        disk_touch(reader->descriptor);
        return DISK_DONE;
    }
    disk_file_path(cache, &reader->id, ".cell", path);
    (void)unlink(path);
    return DISK_FAILED;
}

/* EAGAIN when the piece is not in memory and `may_wait` is false. Not every file system knows the
 * question: those in memory (tmpfs) do not, and never wait. */
static ssize_t piece_read(disk_reader *reader, size_t piece, bool may_wait) {
    struct iovec place = {reader->bytes + reader->read, piece};
    off_t at = (off_t)reader->read;
    ssize_t got = preadv2(reader->descriptor, &place, 1, at, may_wait ? 0 : RWF_NOWAIT);
    if (got < 0 && errno == EOPNOTSUPP) {
        got = preadv2(reader->descriptor, &place, 1, at, 0);
    }
    return got;
}

disk_step disk_read_step(const disk_cache *cache, disk_reader *reader, size_t piece,
                         bool may_wait) {
    size_t left = reader->size - reader->read;
    if (left == 0) {
        return read_finish(cache, reader);
    }
    ssize_t got = piece_read(reader, left < piece ? left : piece, may_wait);
    if (got < 0 && errno == EAGAIN) {
        (void)posix_fadvise(reader->descriptor, (off_t)reader->read, (off_t)left,
                            POSIX_FADV_WILLNEED);
        return DISK_LATER;
    }
    if (got <= 0) {
        return DISK_FAILED;
    }
    digest_update(&reader->stream, reader->bytes + reader->read, (size_t)got);
    reader->read += (size_t)got;
    return reader->read == reader->size ? read_finish(cache, reader) : DISK_MORE;
}

bool disk_write_begin(disk_cache *cache, const digest *id, size_t size, disk_writer *writer) {
    char path[DISK_PATH_BYTES];
    disk_file_path(cache, id, ".cell", path);
    if (size > cache->shard_bytes_max / 2 || access(path, F_OK) == 0) {
        return false;
    }
    writer->id = *id;
    writer->written = 0;
    writer->descriptor = disk_part_open(cache, id, writer->path);
    return writer->descriptor >= 0;
}

void disk_write_end(disk_writer *writer) {
    if (writer->descriptor >= 0) {
        (void)close(writer->descriptor);
        (void)unlink(writer->path);
        writer->descriptor = -1;
    }
}

static disk_step write_finish(disk_cache *cache, disk_writer *writer) {
    char path[DISK_PATH_BYTES];
    disk_file_path(cache, &writer->id, ".cell", path);
    bool closed = close(writer->descriptor) == 0;
    writer->descriptor = -1;
    if (!closed || rename(writer->path, path) != 0) {
        (void)unlink(writer->path);
        return DISK_FAILED;
    }
    disk_trim(cache, &writer->id, writer->written);
    return DISK_DONE;
}

disk_step disk_write_step(disk_cache *cache, disk_writer *writer, const void *bytes, size_t size,
                          size_t piece) {
    size_t left = size - writer->written;
    if (left == 0) {
        return write_finish(cache, writer);
    }
    const unsigned char *from = (const unsigned char *)bytes + writer->written;
    ssize_t put = write(writer->descriptor, from, left < piece ? left : piece);
    if (put <= 0) {
        disk_write_end(writer);
        return DISK_FAILED;
    }
    writer->written += (size_t)put;
    return DISK_MORE;
}

bool disk_blob_read(const disk_cache *cache, const digest *id, unsigned char **bytes,
                    size_t *size) {
    disk_reader reader;
    if (!disk_read_begin(cache, id, &reader)) {
        return false;
    }
    disk_step step;
    do {
        step = disk_read_step(cache, &reader, PIECE_BYTES, true);
    } while (step == DISK_MORE);
    if (step == DISK_DONE) {
        *bytes = reader.bytes;
        *size = reader.size;
        reader.bytes = NULL;
    }
    disk_read_end(&reader);
    return step == DISK_DONE;
}

void disk_blob_keep(disk_cache *cache, const digest *id, const void *bytes, size_t size) {
    disk_writer writer;
    if (!disk_write_begin(cache, id, size, &writer)) {
        return;
    }
    while (disk_write_step(cache, &writer, bytes, size, PIECE_BYTES) == DISK_MORE) {
        continue;
    }
    disk_write_end(&writer);
}
