/* SPDX-License-Identifier: MIT
 *
 * config.c: the command line and the file, in the order of their weight: defaults, file, command
 * line. The command line is walked twice, first only to find --config.
 */
#include "server/config/config.h"

#include "api/wire/scope.h"
#include "core/base/guess.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "server/config/option.h"
#include "server/config/option_value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of the file: a path and some room. */
enum { LINE_BYTES = CONFIG_TEXT_BYTES + 128 };

/* One `--name value` or `--name=value`. */
typedef struct argument_word {
    int32_t option; /* -1 when the name is none */
    const char *name;
    const char *value; /* NULL when it is missing */
    int used;          /* how many of argv it took */
} argument_word;

static argument_word argument_read(int argc, char *const argv[], int at) {
    const char *word = argv[at];
    argument_word found = {.option = -1, .name = word, .used = 1};
    if (strncmp(word, "--", 2) != 0) {
        return found;
    }
    const char *equal = strchr(word, '=');
    size_t size = equal == NULL ? strlen(word) - 2 : (size_t)(equal - word) - 2;
    found.option = option_find((loam_text){word + 2, size});
    if (equal != NULL) {
        found.value = equal + 1;
    } else if (found.option >= 0 && option_at((uint32_t)found.option)->kind == OPTION_FLAG) {
        found.value = "yes";
    } else if (found.option >= 0 && at + 1 < argc) {
        found.value = argv[at + 1];
        found.used = 2;
    }
    return found;
}

static void offer_options(name_guess *guess) {
    for (uint32_t i = 0; i < option_count(); i++) {
        guess_offer(guess, loam_text_of(option_at(i)->name));
    }
}

static loam_status apply_argument(config *settings, const argument_word *argument, bool *given,
                                  loam_error *error) {
    if (argument->option < 0) {
        name_guess guess = guess_of_option(argument->name);
        offer_options(&guess);
        return loam_fail(error, LOAM_UNKNOWN_FIELD, NULL,
                         "%s: there is no such option%s (loamd --help lists them)", argument->name,
                         guess_text(&guess));
    }
    const option_schema *option = option_at((uint32_t)argument->option);
    char where[80];
    snprintf(where, sizeof where, "--%s", option->name);
    if (argument->value == NULL) {
        return loam_fail(error, LOAM_MISSING_FIELD, NULL, "%s: needs a value (%s)", where,
                         option->argument);
    }
    bool first = !given[argument->option];
    given[argument->option] = true;
    return value_set(settings, option, argument->value, first, where, error);
}

/* `only` narrows to one option, -1 takes all. */
static loam_status apply_command_line(config *settings, int argc, char *const argv[], int32_t only,
                                      loam_error *error) {
    bool given[OPTION_COUNT_MAX] = {false};
    for (int at = 1; at < argc;) {
        argument_word argument = argument_read(argc, argv, at);
        at += argument.used;
        if (only < 0 || argument.option == only) {
            LOAM_TRY(apply_argument(settings, &argument, given, error));
        }
    }
    return LOAM_OK;
}

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static loam_text trim(loam_text text) {
    while (text.size > 0 && is_blank(text.bytes[0])) {
        text.bytes++;
        text.size--;
    }
    while (text.size > 0 && is_blank(text.bytes[text.size - 1])) {
        text.size--;
    }
    return text;
}

static loam_status apply_pair(config *settings, loam_text name, loam_text value, const char *where,
                              bool *given, loam_error *error) {
    int32_t index = option_find(name);
    if (index < 0) {
        name_guess guess = guess_of(name);
        offer_options(&guess);
        return loam_fail(error, LOAM_UNKNOWN_FIELD, NULL, "%s: there is no option \"%.*s\"%s",
                         where, TEXT_ARGS(name), guess_text(&guess));
    }
    const option_schema *option = option_at((uint32_t)index);
    char named[256];
    snprintf(named, sizeof named, "%s: %s", where, option->name);
    if (option->command_line_only) {
        return loam_fail(error, LOAM_UNKNOWN_FIELD, NULL, "%s: is for the command line only",
                         named);
    }
    if (given[index] && option->kind != OPTION_LIST) {
        return loam_fail(error, LOAM_DUPLICATE, NULL, "%s: is given twice", named);
    }
    char text[CONFIG_TEXT_BYTES];
    snprintf(text, sizeof text, "%.*s", TEXT_ARGS(value));
    LOAM_TRY(value_set(settings, option, text, !given[index], named, error));
    given[index] = true;
    return LOAM_OK;
}

static loam_status apply_line(config *settings, const char *line, const char *where, bool *given,
                              loam_error *error) {
    loam_text text = trim(loam_text_of(line));
    if (text.size == 0 || text.bytes[0] == '#') {
        return LOAM_OK;
    }
    const char *equal = memchr(text.bytes, '=', text.size);
    if (equal == NULL) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "%s: a line is `key = value`", where);
    }
    size_t left = (size_t)(equal - text.bytes);
    loam_text name = trim((loam_text){text.bytes, left});
    loam_text value = trim((loam_text){equal + 1, text.size - left - 1});
    return apply_pair(settings, name, value, where, given, error);
}

static loam_status apply_lines(config *settings, FILE *file, loam_error *error) {
    bool given[OPTION_COUNT_MAX] = {false};
    char line[LINE_BYTES];
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        char where[160];
        snprintf(where, sizeof where, "%.128s:%d", settings->file, number);
        if (strchr(line, '\n') == NULL && !feof(file)) {
            return loam_fail(error, LOAM_TOO_LARGE, NULL, "%s: the line is too long", where);
        }
        LOAM_TRY(apply_line(settings, line, where, given, error));
    }
    return ferror(file) == 0
               ? LOAM_OK
               : loam_fail(error, LOAM_IO, NULL, "%.128s: cannot be read", settings->file);
}

static loam_status apply_file(config *settings, loam_error *error) {
    FILE *file = fopen(settings->file, "re");
    if (file == NULL) {
        return loam_fail(error, LOAM_IO, NULL, "--config: %.128s: %s", settings->file,
                         strerror(errno));
    }
    loam_status status = apply_lines(settings, file, error);
    fclose(file);
    return status;
}

static loam_status choose_data(config *settings, loam_error *error) {
    const char *share = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    int size = 0;
    if (settings->data[0] != 0) {
        return LOAM_OK;
    }
    if (share != NULL && share[0] == '/') {
        size = snprintf(settings->data, sizeof settings->data, "%s/loam", share);
    } else if (home != NULL && home[0] == '/') {
        size = snprintf(settings->data, sizeof settings->data, "%s/.local/share/loam", home);
    }
    if (size <= 0 || (size_t)size >= sizeof settings->data) {
        return loam_fail(error, LOAM_MISSING_FIELD, NULL,
                         "--data: is needed, for neither XDG_DATA_HOME nor HOME names a folder");
    }
    return LOAM_OK;
}

/* "none" is no address: then there is a unix socket, or what systemd hands over. */
static loam_status read_listen(config *settings, loam_error *error) {
    if (strcmp(settings->listen, "none") == 0) {
        return LOAM_OK;
    }
    return value_split_address(settings->listen, settings->address, sizeof settings->address,
                               &settings->port, error);
}

/* What makes sense only together. */
static loam_status check_pairs(const config *settings, loam_error *error) {
    if ((settings->tls_cert[0] == 0) != (settings->tls_key[0] == 0)) {
        return loam_fail(error, LOAM_MISSING_FIELD, NULL,
                         "--tls-cert and --tls-key: one needs the other");
    }
    if (settings->public_read != 0 && settings->tokens[0] == 0) {
        return loam_fail(error, LOAM_MISSING_FIELD, NULL,
                         "--public-read: without --tokens nobody needs it");
    }
    return LOAM_OK;
}

static loam_status read_anonymous_scopes(config *settings, loam_error *error) {
    loam_error fault = {0};
    if (scope_list_read(loam_text_of(settings->anonymous_scopes), SCOPES_ALL & ~SCOPE_ADMIN,
                        &settings->scopes, &fault) != LOAM_OK) {
        return loam_fail(error, fault.status, NULL, "--anonymous-scopes: %s", fault.text);
    }
    return LOAM_OK;
}

static bool word_is_given(int argc, char *const argv[], const char *word) {
    for (int at = 1; at < argc; at++) {
        if (strcmp(argv[at], word) == 0) {
            return true;
        }
    }
    return false;
}

/* What only wants to be read. */
static const struct {
    const char *word;
    config_outcome outcome;
} texts[] = {{"--help", CONFIG_HELP},
             {"--version", CONFIG_VERSION},
             {"--manual", CONFIG_MANUAL},
             {"--manual-config", CONFIG_MANUAL_FILE},
             {"--sample-config", CONFIG_SAMPLE}};

config_outcome config_read(config *settings, int argc, char *const argv[], loam_error *error) {
    value_defaults(settings);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (word_is_given(argc, argv, texts[i].word)) {
            return texts[i].outcome;
        }
    }
    int32_t file_option = option_find(loam_text_of("config"));
    if (apply_command_line(settings, argc, argv, file_option, error) != LOAM_OK) {
        return CONFIG_USAGE;
    }
    if (settings->file[0] != 0 && apply_file(settings, error) != LOAM_OK) {
        return CONFIG_BAD;
    }
    if (apply_command_line(settings, argc, argv, -1, error) != LOAM_OK) {
        return CONFIG_USAGE;
    }
    if (choose_data(settings, error) != LOAM_OK || read_listen(settings, error) != LOAM_OK ||
        check_pairs(settings, error) != LOAM_OK ||
        read_anonymous_scopes(settings, error) != LOAM_OK) {
        return CONFIG_BAD;
    }
    return CONFIG_RUN;
}
