/* SPDX-License-Identifier: MIT
 *
 * disk_cache.c: the cache's folder, where things lie in it, and the small files that say which
 * digest stands at an address. The bytes themselves are read and written by disk_file.c.
 */
#include "api/client/disk_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/client/disk_file.h"

/* Two digests, a line each. */
#define CELL_FILE_BYTES (2 * (DIGEST_TEXT_SIZE + 1))

/* What an address is hashed under, apart from everything else that is. */
#define ADDRESS_DOMAIN "loam-client-address/1"

static loam_status folder_make(const char *folder, loam_error *error) {
    struct stat facts;
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        return loam_fail(error, LOAM_IO, NULL, "cannot make the cache's folder %s: %s", folder,
                         strerror(errno));
    }
    if (stat(folder, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        return loam_fail(error, LOAM_IO, NULL, "%s is no folder", folder);
    }
    return LOAM_OK;
}

disk_cache *disk_cache_open(const char *folder, uint64_t bytes_max, loam_error *error) {
    bytes_max = bytes_max != 0 ? bytes_max : DISK_CACHE_BYTES;
    if (strlen(folder) >= DISK_FOLDER_BYTES || folder[0] == '\0') {
        (void)loam_fail(error, LOAM_BAD_NAME, NULL, "that is no folder for a cache");
        return NULL;
    }
    if (bytes_max < DISK_CACHE_BYTES_MIN) {
        (void)loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "a cache takes at least %llu bytes",
                        (unsigned long long)DISK_CACHE_BYTES_MIN);
        return NULL;
    }
    if (folder_make(folder, error) != LOAM_OK) {
        return NULL;
    }
    disk_cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL) {
        (void)loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for a cache");
        return NULL;
    }
    (void)strcpy(cache->folder, folder);
    cache->shard_bytes_max = bytes_max / DISK_SHARDS;
    /* Without it two processes of one number, in two containers, might meet: a miss. */
    (void)getrandom(&cache->own, sizeof cache->own, GRND_NONBLOCK);
    return cache;
}

void disk_cache_close(disk_cache *cache) {
    free(cache);
}

void disk_shard_path(const disk_cache *cache, const digest *id, char path[DISK_PATH_BYTES]) {
    (void)snprintf(path, DISK_PATH_BYTES, "%s/%02x", cache->folder, id->bytes[0] % DISK_SHARDS);
}

void disk_file_path(const disk_cache *cache, const digest *id, const char *ending,
                    char path[DISK_PATH_BYTES]) {
    char text[DIGEST_TEXT_BYTES];
    disk_shard_path(cache, id, path);
    digest_text(id, text);
    size_t used = strlen(path);
    (void)snprintf(path + used, DISK_PATH_BYTES - used, "/%s%s", strchr(text, '-') + 1, ending);
}

int disk_part_open(disk_cache *cache, const digest *id, char path[DISK_PATH_BYTES]) {
    char ending[64];
    disk_shard_path(cache, id, path);
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        return -1;
    }
    (void)snprintf(ending, sizeof ending, ".%ld.%llx.%u.part", (long)getpid(),
                   (unsigned long long)cache->own, cache->written++);
    disk_file_path(cache, id, ending, path);
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

void disk_trim(disk_cache *cache, const digest *id, size_t bytes) {
    char shard[DISK_PATH_BYTES];
    uint64_t *untrimmed = &cache->untrimmed[id->bytes[0] % DISK_SHARDS];
    bool is_first = *untrimmed == 0; /* nobody knows yet what others left there */
    *untrimmed += bytes;
    if (is_first || *untrimmed > cache->shard_bytes_max / DISK_SLACK) {
        disk_shard_path(cache, id, shard);
        bool is_below = disk_shard_trim(shard, cache->shard_bytes_max);
        *untrimmed = is_below ? 1 : UINT64_MAX / 2; /* else the next write goes on */
    }
}

static digest address_digest(const char *address) {
    return digest_of_domain(ADDRESS_DOMAIN, address, strlen(address));
}

static bool cell_parse(const char *text, disk_cell *cell) {
    const char *second = text + DIGEST_TEXT_SIZE + 1;
    return digest_parse((loam_text){text, DIGEST_TEXT_SIZE}, &cell->id) &&
           digest_parse((loam_text){second, DIGEST_TEXT_SIZE}, &cell->build_key);
}

bool disk_cell_find(const disk_cache *cache, const char *address, disk_cell *cell) {
    char path[DISK_PATH_BYTES];
    char text[CELL_FILE_BYTES + 1];
    digest name = address_digest(address);
    disk_file_path(cache, &name, ".at", path);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    bool found = read(descriptor, text, sizeof text) == CELL_FILE_BYTES && cell_parse(text, cell);
    if (found) {
        disk_touch(descriptor);
    }
    (void)close(descriptor);
    return found;
}

static size_t cell_print(const disk_cell *cell, char text[CELL_FILE_BYTES + 1]) {
    char id[DIGEST_TEXT_BYTES];
    char key[DIGEST_TEXT_BYTES];
    digest_text(&cell->id, id);
    digest_text(&cell->build_key, key);
    return (size_t)snprintf(text, CELL_FILE_BYTES + 1, "%s\n%s\n", id, key);
}

void disk_cell_keep(disk_cache *cache, const char *address, const disk_cell *cell) {
    char path[DISK_PATH_BYTES];
    char part[DISK_PATH_BYTES];
    char text[CELL_FILE_BYTES + 1];
    disk_cell there;
    if (disk_cell_find(cache, address, &there) && digest_equal(&there.id, &cell->id)) {
        return;
    }
    digest name = address_digest(address);
    int descriptor = disk_part_open(cache, &name, part);
    if (descriptor < 0) {
        return;
    }
    size_t size = cell_print(cell, text);
    bool whole = write(descriptor, text, size) == (ssize_t)size;
    disk_file_path(cache, &name, ".at", path);
    if (close(descriptor) != 0 || !whole || rename(part, path) != 0) {
        (void)unlink(part);
    }
    disk_trim(cache, &name, DISK_BLOCK_BYTES);
}
