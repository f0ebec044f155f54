/* SPDX-License-Identifier: MIT
 *
 * main.c: finds the command, parses its options, runs it. Everything else is in the table
 * (commands.c) and in the command's own file.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "api/cli/help.h"
#include "api/cli/options.h"
#include "api/wire/document.h"
#include "core/base/guess.h"

static bool word_is(const char *word, const char *a, const char *b) {
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int usage_fail(const char *command, const char *text) {
    (void)fprintf(stderr, "loam%s%s: %s\n  see 'loam%s%s --help'\n", command[0] != '\0' ? " " : "",
                  command, text, command[0] != '\0' ? " " : "", command);
    return CLI_USAGE;
}

/* `second` is what followed a word that begins several commands, or NULL. */
static int unknown_fail(const char *word, const char *second) {
    char name[160];
    char text[320];
    (void)snprintf(name, sizeof name, "%.64s%s%.64s", word, second != NULL ? " " : "",
                   second != NULL ? second : "");
    name_guess guess = guess_of(loam_text_of(name));
    for (const cli_command *const *at = cli_commands; *at != NULL; at++) {
        guess_offer(&guess, loam_text_of((*at)->name));
    }
    (void)snprintf(text, sizeof text, "there is no command '%s'%s", name, guess_text(&guess));
    return usage_fail("", text);
}

/* `loam help graph check` is `loam graph check --help`. */
static int help_run(int count, char *const *words) {
    int used;
    const cli_command *command = options_find_command(count, words, &used);
    if (command != NULL) {
        help_print_command(stdout, command);
    } else if (count == 0) {
        help_print_all(stdout);
    } else if (!help_print_group(stdout, words[0])) {
        return unknown_fail(words[0], NULL);
    }
    return CLI_DONE;
}

static int command_run(const cli_command *command, int count, char *const *words) {
    cli_arguments arguments;
    loam_error error = {0};
    if (options_parse(command, count, words, &arguments, &error) != LOAM_OK) {
        return usage_fail(command->name, error.text);
    }
    if (arguments.help) {
        help_print_command(stdout, command);
        return CLI_DONE;
    }
    if (wire_init(&error) != LOAM_OK) {
        (void)fprintf(stderr, "loam: %s\n", error.text);
        return CLI_FAILED;
    }
    return command->run(&arguments);
}

/* A word that begins commands, alone or with one that none of them has. */
static int group_run(int count, char *const *words) {
    const bool asked = count > 1 && word_is(words[1], "--help", "-h");
    if (count > 1 && !asked) {
        (void)unknown_fail(words[0], words[1][0] != '-' ? words[1] : NULL);
        (void)help_print_group(stderr, words[0]);
        return CLI_USAGE;
    }
    if (!help_print_group(asked ? stdout : stderr, words[0])) {
        return unknown_fail(words[0], NULL);
    }
    return asked ? CLI_DONE : CLI_USAGE;
}

static int line_run(int count, char *const *words) {
    if (count < 2) {
        help_print_all(stderr);
        return CLI_USAGE;
    }
    if (word_is(words[1], "--version", "version")) {
        (void)printf("loam %s\n", LOAM_VERSION_TEXT);
        return CLI_DONE;
    }
    if (word_is(words[1], "--help", "-h") || strcmp(words[1], "help") == 0) {
        return help_run(count - 2, words + 2);
    }
    int used = 0;
    const cli_command *command = options_find_command(count - 1, words + 1, &used);
    if (command == NULL) {
        return group_run(count - 1, words + 1);
    }
    return command_run(command, count - 1 - used, words + 1 + used);
}

/* What was said stands in a buffer until here: on a full disk or a closed pipe nothing is done. */
static int output_end(int exit_code) {
    const bool flushed = fflush(stdout) == 0;
    const int reason = errno;
    if (exit_code != CLI_DONE || (flushed && ferror(stdout) == 0)) {
        return exit_code;
    }
    (void)fprintf(stderr, "loam: cannot write: %s\n",
                  flushed ? "a part of the output is lost" : strerror(reason));
    return CLI_FAILED;
}

int main(int count, char **words) {
    return output_end(line_run(count, words));
}
