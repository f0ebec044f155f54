/* SPDX-License-Identifier: MIT
 *
 * port_file.c: see port_file.h.
 */
#include "server/port_file.h"

#include "server/config/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static loam_status fail_at(const char *path, loam_error *error) {
    return loam_fail(error, LOAM_IO, NULL, "--port-file: %.200s: %s", path, strerror(errno));
}

loam_status port_file_write(const char *path, uint16_t port, loam_error *error) {
    char temporary[CONFIG_TEXT_BYTES + 32];
    char text[16];
    int size = snprintf(text, sizeof text, "%u\n", port);
    snprintf(temporary, sizeof temporary, "%s.%ld.part", path, (long)getpid());
    int descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0) {
        return fail_at(path, error);
    }
    bool whole = write(descriptor, text, (size_t)size) == size;
    if (close(descriptor) != 0 || !whole || rename(temporary, path) != 0) {
        loam_status status = fail_at(path, error);
        unlink(temporary);
        return status;
    }
    return LOAM_OK;
}

void port_file_remove(const char *path) {
    if (path[0] != 0) {
        unlink(path);
    }
}
