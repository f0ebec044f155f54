/* SPDX-License-Identifier: MIT
 *
 * disk_sectors.c: for every sector of a file that was written and not synced, all that it has held
 * since it was.
 */
#include "tests/disaster/disk.h"

#include "tests/disaster/real.h"
#include "tests/disaster/strand.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a disk writes whole or not at all. */
enum { SECTOR_BYTES = 512 };
/* Of what a sector has held the first, which is on the disk, and the last are always kept. */
enum { VERSIONS_MAX = 6 };
enum { FILES_MAX = 2000, BUCKETS = 512 };

typedef struct sector {
    struct sector *next;
    uint64_t number;
    uint32_t count;
    unsigned char versions[VERSIONS_MAX][SECTOR_BYTES];
} sector;

struct disk_file {
    dev_t device;
    ino_t inode;
    int descriptor; /* of our own; open as long as the process: closing it would drop its locks */
    off_t synced_bytes;
    off_t bytes;
    bool dirty;
    sector *buckets[BUCKETS];
};

static disk_file *files[FILES_MAX];
static uint32_t file_count;

static void fail_hard(const char *what) {
    perror(what);
    abort();
}

/* ---- Which file ----------------------------------------------------------------------------- */

static disk_file *add_file(const struct stat *state, const char *path) {
    disk_file *made = calloc(1, sizeof *made);
    if (made == NULL || file_count == FILES_MAX) {
        fail_hard("no more files");
    }
    made->device = state->st_dev;
    made->inode = state->st_ino;
    made->synced_bytes = made->bytes = state->st_size;
    made->descriptor = real_openat64(AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (made->descriptor < 0) {
        fail_hard(path);
    }
    files[file_count++] = made;
    return made;
}

disk_file *disk_file_of(int descriptor, const char *path) {
    struct stat state;
    if (fstat(descriptor, &state) != 0 || !S_ISREG(state.st_mode)) {
        return NULL;
    }
    for (uint32_t i = 0; i < file_count; i++) {
        if (files[i]->inode == state.st_ino && files[i]->device == state.st_dev) {
            return files[i];
        }
    }
    return add_file(&state, path);
}

uint32_t disk_file_number(const disk_file *file) {
    uint32_t number = 0;
    while (files[number] != file) {
        number++;
    }
    return number;
}

/* ---- What it holds -------------------------------------------------------------------------- */

static sector *find_sector(const disk_file *file, uint64_t number) {
    sector *found = file->buckets[number % BUCKETS];
    while (found != NULL && found->number != number) {
        found = found->next;
    }
    return found;
}

/* Beyond the end there are zeros. */
static void read_sector(const disk_file *file, uint64_t number, unsigned char *bytes) {
    ssize_t got = real_pread64(file->descriptor, bytes, SECTOR_BYTES, (off_t)number * SECTOR_BYTES);
    size_t have = got < 0 ? 0 : (size_t)got;
    memset(bytes + have, 0, SECTOR_BYTES - have);
}

static void keep_version(const disk_file *file, sector *of) {
    if (of->count == VERSIONS_MAX) {
        uint32_t dropped = 1 + (uint32_t)strands_draw(VERSIONS_MAX - 1);
        memmove(of->versions[dropped], of->versions[dropped + 1],
                (size_t)(VERSIONS_MAX - dropped - 1) * SECTOR_BYTES);
        of->count--;
    }
    read_sector(file, of->number, of->versions[of->count++]);
}

static void keep_first(disk_file *file, uint64_t number) {
    if (find_sector(file, number) != NULL) {
        return;
    }
    sector *made = malloc(sizeof *made);
    if (made == NULL) {
        fail_hard("no memory for a sector");
    }
    made->number = number;
    made->count = 0;
    made->next = file->buckets[number % BUCKETS];
    file->buckets[number % BUCKETS] = made;
    keep_version(file, made);
}

static uint64_t last_sector(off_t from, size_t size) {
    return (uint64_t)(from + (off_t)size - 1) / SECTOR_BYTES;
}

void disk_will_change(disk_file *file, off_t from, size_t size) {
    for (uint64_t i = (uint64_t)from / SECTOR_BYTES; size > 0 && i <= last_sector(from, size);
         i++) {
        keep_first(file, i);
    }
}

void disk_has_changed(disk_file *file, off_t from, size_t size) {
    struct stat state;
    for (uint64_t i = (uint64_t)from / SECTOR_BYTES; size > 0 && i <= last_sector(from, size);
         i++) {
        keep_version(file, find_sector(file, i));
    }
    file->dirty = true;
    if (fstat(file->descriptor, &state) == 0) {
        file->bytes = state.st_size;
    }
}

void disk_synced(disk_file *file) {
    for (uint32_t i = 0; i < BUCKETS && file->dirty; i++) {
        while (file->buckets[i] != NULL) {
            sector *gone = file->buckets[i];
            file->buckets[i] = gone->next;
            free(gone);
        }
    }
    file->dirty = false;
    file->synced_bytes = file->bytes;
}

/* ---- Without power -------------------------------------------------------------------------- */

/* Whole disks lose nothing, all, or some; what is kept is the last or what came before. */
static uint32_t pick_version(const sector *of, uint64_t percent_kept) {
    if (strands_draw(100) < percent_kept) {
        return of->count - 1;
    }
    return (uint32_t)strands_draw(of->count);
}

static void cut_sectors(const disk_file *file, uint64_t percent_kept) {
    for (uint32_t i = 0; i < BUCKETS; i++) {
        for (const sector *at = file->buckets[i]; at != NULL; at = at->next) {
            const unsigned char *bytes = at->versions[pick_version(at, percent_kept)];
            if (real_pwrite64(file->descriptor, bytes, SECTOR_BYTES,
                              (off_t)at->number * SECTOR_BYTES) != SECTOR_BYTES) {
                fail_hard("cannot cut");
            }
        }
    }
}

static void cut_file(const disk_file *file) {
    static const uint64_t PERCENTS[] = {0, 0, 20, 50, 80, 100};
    off_t sizes[] = {file->synced_bytes, file->bytes};
    cut_sectors(file, PERCENTS[strands_draw(sizeof PERCENTS / sizeof PERCENTS[0])]);
    if (real_ftruncate64(file->descriptor, sizes[strands_draw(2)]) != 0) {
        fail_hard("cannot cut");
    }
}

void disk_cut_files(void) {
    for (uint32_t i = 0; i < file_count; i++) {
        if (files[i]->dirty) {
            cut_file(files[i]);
        }
    }
}
