/* SPDX-License-Identifier: MIT
 *
 * command_token.c: `loam token new`: a token for who asks, and the line for the daemon's file,
 * which has its digest alone. The token is shown this once.
 */
#include "api/cli/command.h"

#include "api/cli/options.h"
#include "api/cli/output.h"
#include "api/key/token.h"
#include "api/wire/scope.h"
#include "api/wire/token_line.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a daemon reads of a line, without the newline. */
enum { LINE_BYTES = TOKEN_LINE_BYTES - 1 };

static loam_status draw_secret(secret_key *secret, loam_error *error) {
    return getrandom(secret->bytes, sizeof secret->bytes, 0) == (ssize_t)sizeof secret->bytes
               ? LOAM_OK
               : loam_fail(error, LOAM_IO, NULL, "the system gives no random bytes: %s",
                           strerror(errno));
}

__attribute__((format(printf, 3, 4))) static loam_status
line_add(char line[LINE_BYTES], loam_error *error, const char *format, ...) {
    size_t used = strlen(line);
    va_list values;
    va_start(values, format);
    int size = vsnprintf(line + used, LINE_BYTES - used, format, values);
    va_end(values);
    return size >= 0 && (size_t)size < LINE_BYTES - used
               ? LOAM_OK
               : loam_fail(error, LOAM_TOO_LARGE, NULL,
                           "a daemon reads lines of up to %d bytes, and this one is longer",
                           LINE_BYTES - 1);
}

/* What can be said by the name of its option; the whole line is read before it is written. */
static loam_status check_settings(const cli_arguments *arguments, loam_error *error) {
    static const char *const counts[] = {"requests", "jobs", "world-count", "core-seconds"};
    const char *worlds = options_text(arguments, "worlds");
    int64_t count;
    uint64_t bytes = 1;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        LOAM_TRY(options_integer(arguments, counts[i], 1, INT64_MAX, &count, error));
    }
    LOAM_TRY(options_bytes(arguments, "asset-bytes", &bytes, error));
    if (bytes == 0) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "--asset-bytes is at least 1");
    }
    return worlds == NULL || (worlds[0] != '\0' && strpbrk(worlds, " \t\r\n=#") == NULL)
               ? LOAM_OK
               : loam_fail(error, LOAM_BAD_NAME, NULL,
                           "--worlds takes names with commas between, not '%s'", worlds);
}

/* The line, and that a daemon reads it: it would refuse all tokens of the file for one bad line. */
static loam_status make_line(const cli_arguments *arguments, const char *scopes,
                             const char hash[DIGEST_TEXT_BYTES], char line[LINE_BYTES],
                             loam_error *error) {
    static const char *const settings[] = {"worlds",      "requests",    "jobs",
                                           "asset-bytes", "world-count", "core-seconds"};
    token_line read;
    line[0] = '\0';
    LOAM_TRY(line_add(line, error, "%s %s %s", arguments->operands[0], hash, scopes));
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const char *value = options_text(arguments, settings[i]);
        if (value != NULL) {
            LOAM_TRY(line_add(line, error, " %s=%s", settings[i], value));
        }
    }
    return token_line_read(line, &read, error);
}

static loam_status make_token(const cli_arguments *arguments, char token[TOKEN_TEXT_BYTES],
                              char line[LINE_BYTES], loam_error *error) {
    const char *scopes = options_text(arguments, "scopes");
    char hash[DIGEST_TEXT_BYTES];
    secret_key secret;
    uint32_t set = 0;
    scopes = scopes == NULL ? "read" : scopes;
    LOAM_TRY(scope_list_read(loam_text_of(scopes), SCOPES_ALL, &set, error));
    if (set == 0) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "--scopes names at least one");
    }
    LOAM_TRY(draw_secret(&secret, error));
    LOAM_TRY(token_write(loam_text_of(arguments->operands[0]), &secret, token, error));
    digest of = digest_of(token, strlen(token));
    digest_text(&of, hash);
    return make_line(arguments, scopes, hash, line, error);
}

/* Whether a file has bytes and no newline after the last. */
static bool ends_within_a_line(int descriptor) {
    struct stat about;
    char last = '\n';
    return fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
           pread(descriptor, &last, 1, about.st_size - 1) == 1 && last != '\n';
}

/* Puts the line at the end of the file, which nobody else can read when it is new. */
static loam_status append_line(const char *path, const char *line, loam_error *error) {
    int descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    char text[LINE_BYTES + 2];
    bool within = descriptor >= 0 && ends_within_a_line(descriptor);
    int size = snprintf(text, sizeof text, "%s%s\n", within ? "\n" : "", line);
    bool whole = descriptor >= 0 && write(descriptor, text, (size_t)size) == size;
    if (descriptor >= 0 && close(descriptor) != 0) {
        whole = false;
    }
    return whole ? LOAM_OK : loam_fail(error, LOAM_IO, NULL, "%.200s: %s", path, strerror(errno));
}

/* Before the file has its line: a token that nobody saw is lost, and its line would stay. */
static loam_status print_token(const char *token, const char *line, loam_error *error) {
    int size = line == NULL ? printf("%s\n", token) : printf("%s\n%s\n", token, line);
    return size > 0 && fflush(stdout) == 0
               ? LOAM_OK
               : loam_fail(error, LOAM_IO, NULL, "cannot write: %s", strerror(errno));
}

static int token_new_run(const cli_arguments *arguments) {
    char token[TOKEN_TEXT_BYTES];
    char line[LINE_BYTES];
    loam_error error = {0};
    const char *file = options_text(arguments, "file");
    if (check_settings(arguments, &error) != LOAM_OK) {
        (void)output_failure(arguments->command->name, &error);
        return CLI_USAGE;
    }
    if (make_token(arguments, token, line, &error) != LOAM_OK) {
        (void)output_failure(arguments->command->name, &error);
        return error.status == LOAM_IO ? CLI_FAILED : CLI_USAGE;
    }
    if (print_token(token, file == NULL ? line : NULL, &error) != LOAM_OK ||
        (file != NULL && append_line(file, line, &error) != LOAM_OK)) {
        return output_failure(arguments->command->name, &error);
    }
    return CLI_DONE;
}

static const cli_option token_options[] = {
    {"scopes", "LIST", "read, generate, upload, server, admin, with commas between (read)", false},
    {"worlds", "LIST", "only these worlds, with commas between (all)", false},
    {"requests", "N", "requests at one time", false},
    {"jobs", "N", "jobs under way", false},
    {"asset-bytes", "N", "bytes of assets a day; K, M, G, T are powers of 1,024", false},
    {"world-count", "N", "worlds a day", false},
    {"core-seconds", "N", "of workers, each minute", false},
    {"file", "FILE", "put the line at the end of FILE instead of printing it", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_token_new = {
    .name = "token new",
    .operands = "ID",
    .summary = "make a token for a daemon with --tokens",
    .details =
        "Prints the token, which is not kept anywhere, and below it the line for the daemon's\n"
        "file, which has its digest alone. Two lines of one ID are two tokens of one owner:\n"
        "add the new one, hand it out, take the old one away; SIGHUP makes loamd read the\n"
        "file again.",
    .examples = "  loam token new farm --scopes read,generate --file tokens\n"
                "  loam token new studio --scopes read,upload --worlds coast,forest",
    .options = token_options,
    .operand_min = 1,
    .operand_max = 1,
    .run = token_new_run,
};
