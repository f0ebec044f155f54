/* SPDX-License-Identifier: MIT
 *
 * disk_shard.c: one shard of the disk cache kept below its share. Two processes that trim at one
 * time may drop a file more than needed; a file that is being read stays readable until it is
 * closed.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "api/client/disk_cache.h"

/* An unfinished file that old belongs to nobody. */
#define PART_AGE_S 3600
/* So many files are looked at in about 1 ms, which a game's turn has to spare. */
#define SHARD_LOOK_MAX 1024
/* Of a sample goes a quarter at the most: what is used often is rarely among its oldest. */
#define SAMPLE_SHARE 4
#define SHARD_NAME_BYTES 80

typedef struct shard_file {
    struct timespec used;
    uint64_t bytes;
    char name[SHARD_NAME_BYTES];
} shard_file;

typedef struct shard_list {
    shard_file *files; /* owned */
    size_t count;
    size_t capacity;
    uint64_t bytes;
} shard_list;

static bool list_add(shard_list *list, const shard_file *file) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity * 2 + 64;
        shard_file *grown = realloc(list->files, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        list->files = grown;
        list->capacity = capacity;
    }
    list->files[list->count++] = *file;
    list->bytes += file->bytes;
    return true;
}

static bool name_is_part(const char *name) {
    const char *end = strrchr(name, '.');
    return end != NULL && strcmp(end, ".part") == 0;
}

static void file_gather(shard_list *list, int folder, const char *name) {
    struct stat facts;
    shard_file file;
    if (strlen(name) >= sizeof file.name || fstatat(folder, name, &facts, 0) != 0 ||
        !S_ISREG(facts.st_mode)) {
        return;
    }
    if (name_is_part(name)) {
        if (time(NULL) - facts.st_mtime > PART_AGE_S) {
            (void)unlinkat(folder, name, 0);
        }
        return;
    }
    (void)strcpy(file.name, name);
    file.used = facts.st_mtim;
    file.bytes =
        ((uint64_t)facts.st_size + DISK_BLOCK_BYTES - 1) / DISK_BLOCK_BYTES * DISK_BLOCK_BYTES;
    (void)list_add(list, &file);
}

static int file_compare(const void *a, const void *b) {
    const shard_file *x = a;
    const shard_file *y = b;
    if (x->used.tv_sec != y->used.tv_sec) {
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    }
    if (x->used.tv_nsec != y->used.tv_nsec) {
        return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

/* An eighth more than needed, so that not every look drops something. Each file stands for
 * `stride` of the shard. The shard's bytes behind it. */
static uint64_t list_drop(const shard_list *list, size_t stride, int folder, uint64_t bytes_max) {
    uint64_t bytes = list->bytes * stride;
    size_t most = stride == 1 ? list->count : list->count / SAMPLE_SHARE;
    for (size_t i = 0; i < most && bytes > bytes_max - bytes_max / 8; i++) {
        (void)unlinkat(folder, list->files[i].name, 0);
        bytes -= list->files[i].bytes;
    }
    return bytes;
}

static size_t folder_count(DIR *folder) {
    size_t count = 0;
    while (readdir(folder) != NULL) {
        count++;
    }
    rewinddir(folder);
    return count;
}

/* Every `stride`-th file, and another of them the first each time. */
static void list_fill(shard_list *list, DIR *folder, size_t stride) {
    struct timespec now;
    struct dirent *entry;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    size_t first = (size_t)(now.tv_nsec / 1000) % stride;
    for (size_t i = 0; (entry = readdir(folder)) != NULL; i++) {
        if (i % stride == first) {
            file_gather(list, dirfd(folder), entry->d_name);
        }
    }
}

bool disk_shard_trim(const char *folder, uint64_t bytes_max) {
    shard_list list = {0};
    DIR *open_folder = opendir(folder);
    if (open_folder == NULL) {
        return true;
    }
    size_t stride = folder_count(open_folder) / SHARD_LOOK_MAX + 1;
    list_fill(&list, open_folder, stride);
    uint64_t bytes = list.bytes * stride;
    if (bytes > bytes_max) {
        qsort(list.files, list.count, sizeof *list.files, file_compare);
        bytes = list_drop(&list, stride, dirfd(open_folder), bytes_max);
    }
    free(list.files);
    (void)closedir(open_folder);
    return bytes <= bytes_max;
}
