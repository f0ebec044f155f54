/* SPDX-License-Identifier: MIT
 *
 * output.c: see output.h.
 */
#include "api/cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/cli/command.h"
#include "core/base/try.h"

/* Paths that are longer do not open on Linux. */
#define PATH_BYTES 4096
#define READ_STEP 65536

static loam_status input_gather(FILE *file, const char *path, size_t bytes_max, loam_text *content,
                                loam_error *error) {
    char *bytes = NULL;
    size_t size = 0;
    size_t capacity = 0;
    for (;;) {
        if (size + READ_STEP + 1 > capacity) {
            capacity = capacity * 2 + READ_STEP + 1;
            char *grown = realloc(bytes, capacity);
            if (grown == NULL) {
                free(bytes);
                return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory to read %s", path);
            }
            bytes = grown;
        }
        size_t read = fread(bytes + size, 1, READ_STEP, file);
        size += read;
        if (read == 0 || size > bytes_max) {
            break;
        }
    }
    bytes[size] = '\0';
    *content = (loam_text){bytes, size};
    return LOAM_OK;
}

loam_status input_read(const char *path, size_t bytes_max, loam_text *content, loam_error *error) {
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (file == NULL) {
        return loam_fail(error, LOAM_IO, NULL, "cannot read %s: %s", path, strerror(errno));
    }
    loam_status status = input_gather(file, path, bytes_max, content, error);
    bool broken = ferror(file) != 0;
    int reason = errno;
    if (!standard) {
        (void)fclose(file);
    }
    if (status == LOAM_OK && (broken || content->size > bytes_max)) {
        free((void *)(uintptr_t)content->bytes);
        *content = (loam_text){NULL, 0};
        return broken
                   ? loam_fail(error, LOAM_IO, NULL, "cannot read %s: %s", path, strerror(reason))
                   : loam_fail(error, LOAM_TOO_LARGE, NULL, "%s is larger than %zu bytes", path,
                               bytes_max);
    }
    return status;
}

static loam_status write_standard(const void *bytes, size_t size, loam_error *error) {
    if (fwrite(bytes, 1, size, stdout) != size || fflush(stdout) != 0) {
        return loam_fail(error, LOAM_IO, NULL, "cannot write: %s", strerror(errno));
    }
    return LOAM_OK;
}

static bool write_file(FILE *file, const void *bytes, size_t size) {
    if (file == NULL) {
        return false;
    }
    bool written = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

/* A device or a pipe has no content to replace; and a link to what is not there yet is a place that
 * somebody chose, so it is made there. */
static bool write_straight(const char *path, bool there, const void *bytes, size_t size) {
    int descriptor = open(path, O_WRONLY | O_CLOEXEC | (there ? 0 : O_CREAT), 0666);
    return descriptor >= 0 && write_file(fdopen(descriptor, "wb"), bytes, size);
}

/* By another name in the same folder. */
static loam_status write_whole(const char *path, const void *bytes, size_t size,
                               loam_error *error) {
    char temporary[PATH_BYTES];
    int length = snprintf(temporary, sizeof temporary, "%s.%ld.part", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof temporary) {
        return loam_fail(error, LOAM_IO, NULL, "the path %s is too long", path);
    }
    if (!write_file(fopen(temporary, "wb"), bytes, size) || rename(temporary, path) != 0) {
        int reason = errno;
        (void)unlink(temporary);
        return loam_fail(error, LOAM_IO, NULL, "cannot write %s: %s", path, strerror(reason));
    }
    return LOAM_OK;
}

loam_status output_write(const char *path, const void *bytes, size_t size, loam_error *error) {
    char behind[PATH_BYTES];
    struct stat about;
    struct stat link;
    if (path == NULL || strcmp(path, "-") == 0) {
        return write_standard(bytes, size, error);
    }
    bool there = stat(path, &about) == 0;
    bool linked = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    if (there ? !S_ISREG(about.st_mode) : linked) {
        return write_straight(path, there, bytes, size)
                   ? LOAM_OK
                   : loam_fail(error, LOAM_IO, NULL, "cannot write %s: %s", path, strerror(errno));
    }
    return write_whole(linked && realpath(path, behind) != NULL ? behind : path, bytes, size,
                       error);
}

loam_status output_write_binary(const char *path, const void *bytes, size_t size,
                                loam_error *error) {
    bool standard = path == NULL || strcmp(path, "-") == 0;
    if (standard && isatty(STDOUT_FILENO) != 0) {
        return loam_fail(error, LOAM_NOT_ACCEPTABLE, NULL,
                         "these bytes are no text for a terminal; name a file with -o, or pipe");
    }
    return output_write(path, bytes, size, error);
}

loam_status output_make_folder(const char *path, loam_error *error) {
    char part[PATH_BYTES];
    size_t size = strlen(path);
    if (size == 0 || size >= sizeof part) {
        return loam_fail(error, LOAM_IO, NULL, "'%s' is no folder's name", path);
    }
    for (size_t i = 1; i <= size; i++) {
        if (path[i] == '/' || path[i] == '\0') {
            memcpy(part, path, i);
            part[i] = '\0';
            if (mkdir(part, 0777) != 0 && errno != EEXIST) {
                return loam_fail(error, LOAM_IO, NULL, "cannot make the folder %s: %s", part,
                                 strerror(errno));
            }
        }
    }
    return LOAM_OK;
}

bool path_has_extension(const char *path, const char *extension) {
    size_t size = strlen(path);
    size_t end = strlen(extension);
    return size > end && strcasecmp(path + size - end, extension) == 0;
}

bool path_beside(const char *file, const char *name, char *path, size_t capacity) {
    const char *slash = strrchr(file, '/');
    int folder = name[0] == '/' || slash == NULL ? 0 : (int)(slash - file + 1);
    int length = snprintf(path, capacity, "%.*s%s", folder, file, name);
    return length >= 0 && (size_t)length < capacity;
}

typedef struct status_hint {
    loam_status status;
    const char *hint;
} status_hint;

static const status_hint status_hints[] = {
    {LOAM_UNKNOWN_OPERATION, "'loam operations' lists them"},
    {LOAM_UNKNOWN_PARAMETER, "'loam operations NAME' lists an operation's parameters"},
    {LOAM_UNKNOWN_PORT, "'loam operations NAME' lists an operation's ports"},
    {LOAM_UNKNOWN_RECIPE, "'loam operations' lists recipes as well"},
    {LOAM_SLOT_UNBOUND, "bind it in the world's \"slots\" and describe the asset in --assets"},
    {LOAM_BUDGET_EXCEEDED, "ask for a smaller rectangle, or raise spacing_m"},
    {LOAM_NOT_GENERATED, "leave --cached-only away to have it built"},
    {LOAM_CACHE_TOO_SMALL,
     "start loamd with a larger --cache-bytes, or submit with \"keep\": false"},
    {LOAM_OVERLOADED, "the daemon is busy: try again later"},
    {LOAM_UNAUTHORIZED, "show a token: --token-file FILE or LOAM_TOKEN"},
    {LOAM_FORBIDDEN,
     "a token with that scope may; over --unix PATH the daemon's own user may everything"},
    {LOAM_CANCELLED, "what is done stays; the same command goes on from there"},
    {LOAM_SELF_TEST_FAILED, "rebuild without -ffast-math, -march=native or contraction"},
};

const char *output_hint(loam_status status) {
    for (size_t i = 0; i < sizeof status_hints / sizeof status_hints[0]; i++) {
        if (status_hints[i].status == status) {
            return status_hints[i].hint;
        }
    }
    return "";
}

static void error_print(const char *command, const loam_error *error, const char *hint) {
    const char *text = error->text[0] != '\0' ? error->text : loam_status_text(error->status);
    (void)fprintf(stderr, "loam %s: %s%s%s [%s]\n", command, error->pointer,
                  error->pointer[0] != '\0' ? ": " : "", text, loam_status_code(error->status));
    if (hint[0] != '\0') {
        (void)fprintf(stderr, "  %s\n", hint);
    }
}

int output_failure(const char *command, const loam_error *error) {
    error_print(command, error, output_hint(error->status));
    return CLI_FAILED;
}

void output_faults(FILE *to, const char *path, const fault_list *faults) {
    for (uint32_t i = 0; i < fault_kept(faults); i++) {
        const loam_error *fault = &faults->items[i];
        const char *hint = output_hint(fault->status);
        (void)fprintf(to, "%s:%s: %s [%s]\n", path, fault->pointer, fault->text,
                      loam_status_code(fault->status));
        if (hint[0] != '\0') {
            (void)fprintf(to, "  %s\n", hint);
        }
    }
    if (faults->count > 1) {
        (void)fprintf(to, "%" PRIu32 " faults\n", faults->count);
    }
}

int output_refusal(const char *command, const loam_client_response *response,
                   const loam_error *error) {
    if (response->http_status == 0) {
        const char *hint = error->status == LOAM_IO
                               ? "is loamd running? Name it with --server, --port-file or "
                                 "LOAM_SERVER"
                               : output_hint(error->status);
        error_print(command, error, hint);
        return CLI_UNREACHABLE;
    }
    error_print(command, error, output_hint(error->status));
    return response->http_status >= 400 ? CLI_REFUSED : CLI_FAILED;
}
