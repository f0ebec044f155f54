/* SPDX-License-Identifier: MIT
 *
 * disk_name_calls.c: what the daemon and its libraries call to make, move and remove names of files
 * and folders finds these first, like those of disk_calls.c.
 */
#include "tests/disaster/disk.h"
#include "tests/disaster/real.h"
#include "tests/disaster/strand.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

/* As long as disk_calls.c keeps paths. */
enum { FOLDER_BYTES = 512 };

#pragma GCC visibility push(default)

/* Announced before, so that it can be undone; taken back when it did not happen. */
static int settle(int failed) {
    int code = errno;
    if (failed != 0) {
        disk_forget_last();
    }
    strands_trace(TRACE_NAME, (uint64_t)failed);
    errno = code;
    return failed;
}

int rename(const char *from, const char *to) {
    if (!disk_has(from) || disk_is_memory(from)) {
        return real_rename(from, to);
    }
    strand_pause();
    if (disk_space_strikes(EIO)) {
        return -1;
    }
    disk_will_rename(from, to);
    return settle(real_rename(from, to));
}

int unlink(const char *path) {
    if (!disk_has(path) || disk_is_memory(path)) {
        return real_unlink(path);
    }
    strand_pause();
    disk_will_remove(path, false);
    return settle(real_unlink(path));
}

int rmdir(const char *path) {
    if (!disk_has(path)) {
        return real_rmdir(path);
    }
    disk_will_remove(path, true);
    return settle(real_rmdir(path));
}

int remove(const char *path) {
    struct stat state;
    bool folder = lstat(path, &state) == 0 && S_ISDIR(state.st_mode);
    return folder ? rmdir(path) : unlink(path);
}

int unlinkat(int folder, const char *name, int flags) {
    char link[64];
    char path[FOLDER_BYTES + NAME_MAX + 2];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t size = strands_on() ? readlink(link, path, FOLDER_BYTES) : -1;
    if (size < 0) {
        return real_unlinkat(folder, name, flags);
    }
    snprintf(path + size, sizeof path - (size_t)size, "/%s", name);
    return (flags & AT_REMOVEDIR) != 0 ? rmdir(path) : unlink(path);
}

int mkdir(const char *path, mode_t mode) {
    if (!disk_has(path)) {
        return real_mkdir(path, mode);
    }
    if (disk_space_strikes(ENOSPC)) {
        return -1;
    }
    int failed = real_mkdir(path, mode);
    int code = errno;
    if (failed == 0) {
        disk_made(path, true);
    }
    errno = code;
    return failed;
}

#pragma GCC visibility pop
