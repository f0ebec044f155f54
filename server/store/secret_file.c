/* SPDX-License-Identifier: MIT
 *
 * secret_file.c: a secret of the daemon's own in keys/. It is written whole under another name and
 * then renamed to its own, so that what is there is never half of one.
 */
#include "server/store/secret_file.h"

#include "core/base/try.h"
#include "server/store/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

enum { SECRET_MODE = 0600 };

static loam_status read_secret(const char *path, void *bytes, size_t size, loam_error *error) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) {
        return errno == ENOENT ? LOAM_NOT_FOUND : folder_fail(error, errno, "cannot open", path);
    }
    char more;
    ssize_t got = read(fd, bytes, size);
    bool whole = got == (ssize_t)size && read(fd, &more, 1) == 0;
    close(fd);
    return whole ? LOAM_OK
                 : loam_fail(error, LOAM_DAMAGED, NULL, "%s is not a secret of %zu bytes", path,
                             size);
}

static int write_secret(int fd, const void *bytes, size_t size) {
    if (write(fd, bytes, size) != (ssize_t)size || fsync(fd) != 0) {
        return errno != 0 ? errno : EIO;
    }
    return 0;
}

static loam_status make_secret(const char *path, const char *part, void *bytes, size_t size,
                               loam_error *error) {
    if (getrandom(bytes, size, 0) != (ssize_t)size) {
        return folder_fail(error, errno, "no randomness for", path);
    }
    int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, SECRET_MODE);
    if (fd < 0) {
        return folder_fail(error, errno, "cannot make", part);
    }
    int failed = write_secret(fd, bytes, size);
    close(fd);
    if (failed == 0 && rename(part, path) != 0) {
        failed = errno;
    }
    return failed == 0 ? LOAM_OK : folder_fail(error, failed, "cannot write", path);
}

loam_status secret_file_read(const char *dir, const char *name, void *bytes, size_t size,
                             loam_error *error) {
    char path[FOLDER_PATH_BYTES];
    char part[FOLDER_PATH_BYTES];
    LOAM_TRY(folder_path(dir, name, path, error));
    LOAM_TRY(folder_path(dir, "secret.part", part, error));
    loam_status status = read_secret(path, bytes, size, error);
    if (status != LOAM_NOT_FOUND) {
        return status;
    }
    LOAM_TRY(make_secret(path, part, bytes, size, error));
    return folder_sync(dir, error);
}
