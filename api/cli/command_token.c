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
#include "core/base/text.h"
#include "core/base/try.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { LINE_BYTES = 4096 };

static loam_status draw_secret(secret_key *secret, loam_error *error) {
    return getrandom(secret->bytes, sizeof secret->bytes, 0) == (ssize_t)sizeof secret->bytes
               ? LOAM_OK
               : loam_fail(error, LOAM_IO, NULL, "the system gives no random bytes: %s",
                           strerror(errno));
}

/* " NAME=VALUE" for an option that was given. */
static void add_setting(char *line, const cli_arguments *arguments, const char *name) {
    const char *value = options_text(arguments, name);
    size_t used = strlen(line);
    if (value != NULL) {
        snprintf(line + used, LINE_BYTES - used, " %s=%s", name, value);
    }
}

/* What the daemon could not read, and would refuse with all tokens of the file. */
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

static loam_status make_token(const cli_arguments *arguments, char token[TOKEN_TEXT_BYTES],
                              char line[LINE_BYTES], loam_error *error) {
    static const char *const settings[] = {"worlds",      "requests",    "jobs",
                                           "asset-bytes", "world-count", "core-seconds"};
    const char *scopes = options_text(arguments, "scopes");
    char hash[DIGEST_TEXT_BYTES];
    secret_key secret;
    uint32_t set = 0;
    scopes = scopes == NULL ? "read" : scopes;
    LOAM_TRY(scope_list_read(loam_text_of(scopes), SCOPES_ALL, &set, error));
    LOAM_TRY(draw_secret(&secret, error));
    LOAM_TRY(token_write(loam_text_of(arguments->operands[0]), &secret, token, error));
    digest of = digest_of(token, strlen(token));
    digest_text(&of, hash);
    snprintf(line, LINE_BYTES, "%s %s %s", arguments->operands[0], hash, scopes);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        add_setting(line, arguments, settings[i]);
    }
    return LOAM_OK;
}

/* Puts the line at the end of the file, which nobody else can read when it is new. */
static loam_status append_line(const char *path, const char *line, loam_error *error) {
    int descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    char text[LINE_BYTES + 1];
    int size = snprintf(text, sizeof text, "%s\n", line);
    bool whole = descriptor >= 0 && write(descriptor, text, (size_t)size) == size;
    if (descriptor >= 0 && close(descriptor) != 0) {
        whole = false;
    }
    return whole ? LOAM_OK : loam_fail(error, LOAM_IO, NULL, "%.200s: %s", path, strerror(errno));
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
    loam_status status = make_token(arguments, token, line, &error);
    if (status == LOAM_OK && file != NULL) {
        status = append_line(file, line, &error);
    }
    if (status != LOAM_OK) {
        return output_failure(arguments->command->name, &error);
    }
    (void)printf("%s\n", token);
    if (file == NULL) {
        (void)printf("%s\n", line);
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
