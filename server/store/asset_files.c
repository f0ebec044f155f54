/* SPDX-License-Identifier: MIT
 *
 * asset_files.c: writes, reads and sweeps assets/.
 */
#include "server/store/asset_files.h"

#include "core/base/try.h"
#include "server/store/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ASSET_MODE = 0600, PART_NAME_BYTES = DIGEST_TEXT_BYTES + 32 };

static loam_status path_of(const char *dir, const digest *of, char path[FOLDER_PATH_BYTES],
                           loam_error *error) {
    char name[DIGEST_TEXT_BYTES];
    digest_text(of, name);
    return folder_path(dir, name, path, error);
}

/* Two uploads of the same asset at once must not share a temporary file. */
static loam_status part_path(const char *dir, const digest *of, char path[FOLDER_PATH_BYTES],
                             loam_error *error) {
    static atomic_uint number;
    char name[PART_NAME_BYTES];
    char text[DIGEST_TEXT_BYTES];
    digest_text(of, text);
    snprintf(name, sizeof name, "%s.%u.part", text, atomic_fetch_add(&number, 1));
    return folder_path(dir, name, path, error);
}

bool asset_file_exists(const char *dir, const digest *of) {
    char path[FOLDER_PATH_BYTES];
    return path_of(dir, of, path, NULL) == LOAM_OK && access(path, F_OK) == 0;
}

static int write_all(int fd, const unsigned char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return errno;
        }
        bytes += written;
        size -= (size_t)written;
    }
    return 0;
}

static loam_status write_part(const char *path, const blob *asset, loam_error *error) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, ASSET_MODE);
    if (fd < 0) {
        return folder_fail(error, errno, "cannot make", path);
    }
    int failed = write_all(fd, asset->bytes, asset->size);
    if (failed == 0 && fsync(fd) != 0) {
        failed = errno;
    }
    if (close(fd) != 0 && failed == 0) {
        failed = errno;
    }
    return failed == 0 ? LOAM_OK : folder_fail(error, failed, "cannot write", path);
}

static loam_status move_in(const char *dir, const char *from, const char *to, loam_error *error) {
    if (rename(from, to) != 0) {
        return folder_fail(error, errno, "cannot rename", from);
    }
    return folder_sync(dir, error);
}

loam_status asset_file_write(const char *dir, const blob *asset, loam_error *error) {
    char path[FOLDER_PATH_BYTES];
    char part[FOLDER_PATH_BYTES];
    LOAM_TRY(path_of(dir, &asset->digest, path, error));
    /* Its name may be younger than the last sync of the folder, when that failed. */
    if (access(path, F_OK) == 0) {
        return folder_sync(dir, error);
    }
    LOAM_TRY(part_path(dir, &asset->digest, part, error));
    loam_status status = write_part(part, asset, error);
    if (status == LOAM_OK) {
        status = move_in(dir, part, path, error);
    }
    if (status != LOAM_OK) {
        unlink(part);
    }
    return status;
}

static int read_all(int fd, unsigned char *bytes, size_t size) {
    while (size > 0) {
        ssize_t got = read(fd, bytes, size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0 ? EIO : errno;
        }
        bytes += got;
        size -= (size_t)got;
    }
    return 0;
}

static loam_status read_open(int fd, const char *path, const digest *of, blob **asset,
                             loam_error *error) {
    struct stat found;
    if (fstat(fd, &found) != 0) {
        return folder_fail(error, errno, "cannot read", path);
    }
    blob *read = blob_allocate((size_t)found.st_size);
    if (read == NULL) {
        return loam_fail(error, LOAM_INTERNAL, NULL, "no memory for %s", path);
    }
    int failed = read_all(fd, read->bytes, read->size);
    if (failed != 0) {
        blob_release(read);
        return folder_fail(error, failed, "cannot read", path);
    }
    blob_seal(read, read->size);
    if (!digest_equal(&read->digest, of)) {
        blob_release(read);
        return loam_fail(error, LOAM_DAMAGED, NULL, "%s does not hash to its name", path);
    }
    *asset = read;
    return LOAM_OK;
}

loam_status asset_file_read(const char *dir, const digest *of, blob **asset, loam_error *error) {
    char path[FOLDER_PATH_BYTES];
    *asset = NULL;
    LOAM_TRY(path_of(dir, of, path, error));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        return loam_fail(error, LOAM_NOT_FOUND, NULL, "there is no asset file %s", path);
    }
    if (fd < 0) {
        return folder_fail(error, errno, "cannot open", path);
    }
    loam_status status = read_open(fd, path, of, asset, error);
    close(fd);
    return status;
}

static loam_status aside_path(const char *dir, const digest *of, char path[FOLDER_PATH_BYTES],
                              loam_error *error) {
    char name[PART_NAME_BYTES];
    char text[DIGEST_TEXT_BYTES];
    digest_text(of, text);
    snprintf(name, sizeof name, "%s.damaged", text);
    return folder_path(dir, name, path, error);
}

bool asset_file_is_aside(const char *dir, const digest *of) {
    char path[FOLDER_PATH_BYTES];
    return aside_path(dir, of, path, NULL) == LOAM_OK && access(path, F_OK) == 0;
}

void asset_file_remove(const char *dir, const digest *of) {
    char path[FOLDER_PATH_BYTES];
    if (path_of(dir, of, path, NULL) == LOAM_OK) {
        unlink(path);
    }
}

/* Another upload may have put good bytes there in the meantime: then they go back. */
loam_status asset_file_set_aside(const char *dir, const digest *of, loam_error *error) {
    char path[FOLDER_PATH_BYTES];
    char aside[FOLDER_PATH_BYTES];
    blob *asset = NULL;
    LOAM_TRY(path_of(dir, of, path, error));
    LOAM_TRY(aside_path(dir, of, aside, error));
    LOAM_TRY(move_in(dir, path, aside, error));
    int fd = open(aside, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && read_open(fd, aside, of, &asset, NULL) == LOAM_OK;
    blob_release(asset);
    if (fd >= 0) {
        close(fd);
    }
    return good ? move_in(dir, aside, path, error) : LOAM_OK;
}

loam_status asset_files_sweep(const char *dir, bool (*is_kept)(void *context, const digest *of),
                              void *context, loam_error *error) {
    DIR *listing = opendir(dir);
    if (listing == NULL) {
        return folder_fail(error, errno, "cannot read the folder", dir);
    }
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        digest of;
        if (digest_parse(loam_text_of(entry->d_name), &of) && !is_kept(context, &of)) {
            unlinkat(dirfd(listing), entry->d_name, 0);
        }
    }
    closedir(listing);
    return LOAM_OK;
}
