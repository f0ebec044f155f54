/* SPDX-License-Identifier: MIT
 *
 * folder.c: makes, locks and sweeps the data folder. The lock is flock: the kernel gives it back
 * when the process dies, however it dies.
 */
#include "server/store/folder.h"

#include "core/base/try.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_MODE = 0700, LOCK_MODE = 0600, LOCK_TEXT_BYTES = 32 };

static const char PART_SUFFIX[] = ".part";

loam_status folder_fail(loam_error *error, int code, const char *what, const char *path) {
    bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
    return loam_fail(error, full ? LOAM_STORAGE_FULL : LOAM_IO, NULL, "%s %s: %s", what, path,
                     strerror(code));
}

loam_status folder_path(const char *dir, const char *name, char path[FOLDER_PATH_BYTES],
                        loam_error *error) {
    int size = snprintf(path, FOLDER_PATH_BYTES, "%s/%s", dir, name);
    if (size < 0 || size >= FOLDER_PATH_BYTES) {
        return loam_fail(error, LOAM_IO, NULL, "the path %.200s... is too long", dir);
    }
    return LOAM_OK;
}

loam_status folder_sync(const char *dir, loam_error *error) {
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return folder_fail(error, errno, "cannot open the folder", dir);
    }
    int failed = fsync(fd) != 0 ? errno : 0;
    close(fd);
    return failed == 0 ? LOAM_OK : folder_fail(error, failed, "cannot sync the folder", dir);
}

static loam_status make_one(const char *path, loam_error *error) {
    if (mkdir(path, FOLDER_MODE) == 0) {
        return LOAM_OK;
    }
    int failed = errno;
    struct stat found;
    if (failed == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
        return LOAM_OK;
    }
    return folder_fail(error, failed == EEXIST ? ENOTDIR : failed, "cannot make the folder", path);
}

/* With its parents; `path` is whole again afterwards. */
static loam_status make_all(char *path, loam_error *error) {
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        struct stat found;
        loam_status status = stat(path, &found) == 0 ? LOAM_OK : make_one(path, error);
        *slash = '/';
        LOAM_TRY(status);
    }
    return make_one(path, error);
}

loam_status folder_make(const char *dir, loam_error *error) {
    char path[FOLDER_PATH_BYTES];
    int size = snprintf(path, sizeof path, "%s", dir);
    if (size <= 0 || size >= FOLDER_PATH_BYTES) {
        return loam_fail(error, LOAM_IO, NULL, "the path of a folder is empty or too long");
    }
    return make_all(path, error);
}

int folder_hold(const char *dir) {
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static loam_status fail_locked(int fd, const char *dir, loam_error *error) {
    char holder[LOCK_TEXT_BYTES] = "";
    ssize_t size = pread(fd, holder, sizeof holder - 1, 0);
    holder[size > 0 ? size : 0] = 0;
    holder[strcspn(holder, "\n")] = 0;
    return loam_fail(error, LOAM_LOCKED, NULL, "another loamd (process %s) holds the folder %s",
                     holder[0] == 0 ? "unknown" : holder, dir);
}

static loam_status lock_folder(folder *locked, loam_error *error) {
    char path[FOLDER_PATH_BYTES];
    LOAM_TRY(folder_path(locked->dir, "lock", path, error));
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, LOCK_MODE);
    if (fd < 0) {
        return folder_fail(error, errno, "cannot write to the data folder:", path);
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        loam_status status = errno == EWOULDBLOCK ? fail_locked(fd, locked->dir, error)
                                                  : folder_fail(error, errno, "cannot lock", path);
        close(fd);
        return status;
    }
    if (ftruncate(fd, 0) != 0 || dprintf(fd, "%ld\n", (long)getpid()) < 0) {
        loam_status status = folder_fail(error, errno, "cannot write", path);
        close(fd);
        return status;
    }
    locked->lock_fd = fd;
    return LOAM_OK;
}

static bool is_part(const char *name) {
    size_t size = strlen(name);
    size_t suffix = sizeof PART_SUFFIX - 1;
    return size > suffix && strcmp(name + size - suffix, PART_SUFFIX) == 0;
}

/* Files that were being written when the last process stopped. */
static loam_status sweep_parts(const char *dir, loam_error *error) {
    DIR *listing = opendir(dir);
    if (listing == NULL) {
        return folder_fail(error, errno, "cannot read the folder", dir);
    }
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        if (is_part(entry->d_name) && unlinkat(dirfd(listing), entry->d_name, 0) != 0) {
            loam_status status = folder_fail(error, errno, "cannot remove from", dir);
            closedir(listing);
            return status;
        }
    }
    closedir(listing);
    return LOAM_OK;
}

static loam_status fill_in(folder *opened, loam_error *error) {
    LOAM_TRY(lock_folder(opened, error));
    const struct {
        const char *name;
        char *path;
    } places[] = {{"assets", opened->assets}, {"uploads", opened->uploads}, {"keys", opened->keys}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        LOAM_TRY(folder_path(opened->dir, places[i].name, places[i].path, error));
        LOAM_TRY(make_one(places[i].path, error));
    }
    LOAM_TRY(sweep_parts(opened->assets, error));
    LOAM_TRY(sweep_parts(opened->uploads, error));
    LOAM_TRY(folder_path(opened->dir, "control.db", opened->control, error));
    LOAM_TRY(folder_path(opened->dir, "cache.db", opened->cache, error));
    return folder_sync(opened->dir, error);
}

loam_status folder_open(folder *opened, const char *dir, loam_error *error) {
    *opened = (folder){.lock_fd = -1};
    size_t size = strlen(dir);
    while (size > 1 && dir[size - 1] == '/') {
        size--;
    }
    if (size == 0 || size >= FOLDER_PATH_BYTES) {
        return loam_fail(error, LOAM_IO, NULL, "the data folder's path is empty or too long");
    }
    memcpy(opened->dir, dir, size);
    LOAM_TRY(make_all(opened->dir, error));
    loam_status status = fill_in(opened, error);
    if (status != LOAM_OK) {
        folder_close(opened);
    }
    return status;
}

void folder_close(folder *closed) {
    if (closed->lock_fd >= 0) {
        close(closed->lock_fd);
        closed->lock_fd = -1;
    }
}
