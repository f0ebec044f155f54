/* SPDX-License-Identifier: MIT
 *
 * disk_calls.c: what the daemon and its libraries call for files finds these first. Files below the
 * root are the simulated disk's; all others, and all calls of threads that are no strands, are the
 * C library's. Syncs reach no real disk: they cost nothing. What changes names is in
 * disk_name_calls.c.
 */
#include "tests/disaster/disk.h"
#include "tests/disaster/real.h"
#include "tests/disaster/strand.h"
#include "tests/support/interpose.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DESCRIPTORS_MAX = 4096, PATH_BYTES = 512, RANDOM_BYTES = 256 };

typedef struct open_file {
    disk_file *file; /* NULL: none of ours, or a folder */
    bool folder;
    char path[PATH_BYTES];
} open_file;

static open_file open_files[DESCRIPTORS_MAX];
static char root[PATH_BYTES];
static size_t root_size;
static disk_weather weather;
static uint64_t failures;

void disk_begin(const char *folder, const char *grave) {
    root_size = (size_t)snprintf(root, sizeof root, "%s", folder);
    disk_names_begin(grave);
}

void disk_set_weather(disk_weather of) {
    weather = of;
}

uint64_t disk_failures(void) {
    return failures;
}

void disk_cut(void) {
    disk_cut_files();
    disk_cut_names();
}

bool disk_has(const char *path) {
    return strands_on() && root_size > 0 && strncmp(path, root, root_size) == 0 &&
           (path[root_size] == '/' || path[root_size] == 0);
}

bool disk_is_memory(const char *path) {
    size_t size = strlen(path);
    return size > 4 && strcmp(path + size - 4, "-shm") == 0;
}

static open_file *ours(int descriptor) {
    bool tracked = strands_on() && descriptor >= 0 && descriptor < DESCRIPTORS_MAX &&
                   (open_files[descriptor].file != NULL || open_files[descriptor].folder);
    return tracked ? &open_files[descriptor] : NULL;
}

static disk_file *our_file(int descriptor) {
    open_file *at = ours(descriptor);
    return at == NULL ? NULL : at->file;
}

static bool strikes(uint32_t per_mille, int code) {
    bool struck = per_mille > 0 && weather.failures_max > 0 && strands_draw(1000) < per_mille;
    if (struck) {
        failures++;
        weather.failures_max--;
        strands_trace(TRACE_FAILURE, (uint64_t)code);
        errno = code;
    }
    return struck;
}

bool disk_space_strikes(int code) {
    return strikes(weather.space, code);
}

#pragma GCC visibility push(default)

/* ---- Opening -------------------------------------------------------------------------------- */

/* SQLite reads a few bytes there. */
static int open_randomness(void) {
    unsigned char bytes[RANDOM_BYTES];
    int descriptor = memfd_create("random", MFD_CLOEXEC);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)strands_draw(256);
    }
    if (descriptor >= 0 && real_pwrite64(descriptor, bytes, sizeof bytes, 0) != sizeof bytes) {
        real_close(descriptor);
        return -1;
    }
    return descriptor;
}

static void track(int descriptor, const char *path, bool made) {
    if (descriptor < 0 || descriptor >= DESCRIPTORS_MAX || disk_is_memory(path)) {
        return;
    }
    open_file *at = &open_files[descriptor];
    struct stat state;
    at->folder = fstat(descriptor, &state) == 0 && S_ISDIR(state.st_mode);
    at->file = at->folder ? NULL : disk_file_of(descriptor, path);
    snprintf(at->path, sizeof at->path, "%s", path);
    if (made) {
        disk_made(path, false);
    }
}

static int open_ours(const char *path, int flags, mode_t mode) {
    bool makes = (flags & O_CREAT) != 0 && access(path, F_OK) != 0;
    strand_pause();
    if (makes && strikes(weather.space, ENOSPC)) {
        return -1;
    }
    int descriptor = real_openat64(AT_FDCWD, path, flags & ~O_TRUNC, mode);
    track(descriptor, path, makes && descriptor >= 0);
    if (descriptor >= 0 && (flags & O_TRUNC) != 0 && ftruncate(descriptor, 0) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static int open_any(const char *path, int flags, mode_t mode) {
    if (strands_on() && strcmp(path, "/dev/urandom") == 0) {
        return open_randomness();
    }
    return disk_has(path) ? open_ours(path, flags, mode)
                          : real_openat64(AT_FDCWD, path, flags, mode);
}

INTERPOSE_OPEN(open, open_any)
INTERPOSE_OPEN(open64, open_any)

int close(int descriptor) {
    open_file *at = ours(descriptor);
    if (at != NULL) {
        *at = (open_file){0};
    }
    return real_close(descriptor);
}

/* ---- Bytes ---------------------------------------------------------------------------------- */

/* How much of a write gets through; 0 with errno: nothing. */
static size_t weather_write(size_t size) {
    if (size == 0 || strikes(weather.space, ENOSPC)) {
        return 0;
    }
    if (strikes(weather.writes, EIO)) {
        return size > 1 && strands_draw(2) == 0 ? 1 + (size_t)strands_draw(size - 1) : 0;
    }
    return size;
}

ssize_t pwrite64(int descriptor, const void *from, size_t size, off64_t at) {
    disk_file *file = our_file(descriptor);
    if (file == NULL) {
        return real_pwrite64(descriptor, from, size, at);
    }
    strand_pause();
    size_t allowed = weather_write(size);
    if (allowed == 0 && size > 0) {
        return -1;
    }
    disk_will_change(file, at, allowed);
    ssize_t written = real_pwrite64(descriptor, from, allowed, at);
    disk_has_changed(file, at, allowed);
    strands_trace(TRACE_WRITE, (uint64_t)disk_file_number(file) << 40 ^ (uint64_t)at << 16 ^ size);
    return written;
}

ssize_t pwrite(int descriptor, const void *from, size_t size, off_t at) {
    return pwrite64(descriptor, from, size, at);
}

ssize_t write(int descriptor, const void *from, size_t size) {
    if (our_file(descriptor) == NULL) {
        return real_write(descriptor, from, size);
    }
    bool appends = (fcntl(descriptor, F_GETFL) & O_APPEND) != 0;
    off_t at = lseek(descriptor, 0, appends ? SEEK_END : SEEK_CUR);
    ssize_t written = pwrite64(descriptor, from, size, at);
    if (written > 0) {
        lseek(descriptor, at + written, SEEK_SET);
    }
    return written;
}

ssize_t pread64(int descriptor, void *to, size_t size, off64_t at) {
    if (our_file(descriptor) != NULL) {
        strand_pause();
        if (strikes(weather.reads, EIO)) {
            return -1;
        }
    }
    return real_pread64(descriptor, to, size, at);
}

ssize_t pread(int descriptor, void *to, size_t size, off_t at) {
    return pread64(descriptor, to, size, at);
}

ssize_t read(int descriptor, void *to, size_t size) {
    if (our_file(descriptor) != NULL) {
        strand_pause();
        if (strikes(weather.reads, EIO)) {
            return -1;
        }
    }
    return real_read(descriptor, to, size);
}

int ftruncate64(int descriptor, off64_t size) {
    struct stat state;
    disk_file *file = our_file(descriptor);
    if (file == NULL || fstat(descriptor, &state) != 0) {
        return real_ftruncate64(descriptor, size);
    }
    strand_pause();
    if (strikes(weather.writes, EIO)) {
        return -1;
    }
    size_t cut = size < state.st_size ? (size_t)(state.st_size - size) : 0;
    disk_will_change(file, size, cut);
    int failed = real_ftruncate64(descriptor, size);
    disk_has_changed(file, size, cut);
    return failed;
}

int ftruncate(int descriptor, off_t size) {
    return ftruncate64(descriptor, size);
}

/* ---- Onto the disk -------------------------------------------------------------------------- */

static int sync_ours(open_file *at) {
    strand_pause();
    if (strikes(weather.syncs, EIO)) {
        return -1;
    }
    if (at->folder) {
        disk_folder_synced(at->path);
    } else {
        disk_synced(at->file);
    }
    strands_trace(TRACE_SYNC, at->folder ? 0 : disk_file_number(at->file) + 1);
    return 0;
}

int fsync(int descriptor) {
    open_file *at = ours(descriptor);
    return at == NULL ? real_fsync(descriptor) : sync_ours(at);
}

int fdatasync(int descriptor) {
    open_file *at = ours(descriptor);
    return at == NULL ? real_fdatasync(descriptor) : sync_ours(at);
}

#pragma GCC visibility pop
