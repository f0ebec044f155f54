/* SPDX-License-Identifier: MIT
 *
 * options.c: see options.h. Every error names the option and says what it takes.
 */
#include "api/cli/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/wire/seed.h"
#include "core/base/guess.h"
#include "core/base/try.h"

/* Coordinates in an area: cells and metres stay inside the world, so 2^40 bounds both. */
#define AREA_LIMIT ((int64_t)1 << 40)
/* A name on the command line that is longer is none of ours. */
#define NAME_BYTES 64

static bool command_matches(const cli_command *command, int count, char *const *words, int *used) {
    const char *space = strchr(command->name, ' ');
    size_t first = space != NULL ? (size_t)(space - command->name) : strlen(command->name);
    if (count < 1 || strlen(words[0]) != first || strncmp(words[0], command->name, first) != 0) {
        return false;
    }
    *used = space != NULL ? 2 : 1;
    return space == NULL || (count >= 2 && strcmp(words[1], space + 1) == 0);
}

const cli_command *options_find_command(int count, char *const *words, int *used) {
    for (const cli_command *const *at = cli_commands; *at != NULL; at++) {
        const cli_command *command = *at;
        if (command_matches(command, count, words, used)) {
            return command;
        }
    }
    return NULL;
}

bool options_name_equal(const char *a, const char *b) {
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        char x = *a == '_' ? '-' : *a;
        char y = *b == '_' ? '-' : *b;
        if (x != y) {
            return false;
        }
    }
    return *a == *b;
}

static const cli_option *list_find(const cli_option *option, const char *name) {
    for (; option != NULL && option->name != NULL; option++) {
        if (options_name_equal(option->name, name)) {
            return option;
        }
    }
    return NULL;
}

const cli_option *options_find(const cli_command *command, const char *name) {
    const cli_option *option = list_find(command->options, name);
    if (option == NULL && command->remote) {
        option = list_find(cli_remote_options, name);
    }
    return option;
}

static const loam_recipe *recipe_of(const cli_command *command) {
    return command->recipe != NULL ? loam_recipe_find(loam_text_of(command->recipe), 0) : NULL;
}

const loam_param_schema *options_find_param(const cli_command *command, const char *name) {
    const loam_recipe *recipe = recipe_of(command);
    for (uint32_t i = 0; recipe != NULL && i < recipe->param_count; i++) {
        if (options_name_equal(recipe->params[i].key, name)) {
            return &recipe->params[i];
        }
    }
    return NULL;
}

/* A word of the command line that begins with a dash, taken apart. */
typedef struct option_word {
    char name[NAME_BYTES];
    const char *value; /* behind '=', or NULL */
} option_word;

static bool word_split(const char *word, option_word *split) {
    const char *name = strncmp(word, "--", 2) == 0 ? word + 2 : word + 1;
    size_t size = strcspn(name, "=");
    if (size == 0 || size >= sizeof split->name) {
        return false;
    }
    memcpy(split->name, name, size);
    split->name[size] = '\0';
    split->value = name[size] == '=' ? name + size + 1 : NULL;
    return true;
}

static loam_status given_add(cli_arguments *arguments, const char *name, const char *value,
                             loam_error *error) {
    if (arguments->given_count == CLI_GIVEN_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, NULL, "more than %d options", CLI_GIVEN_MAX);
    }
    arguments->given[arguments->given_count++] = (cli_given){name, value};
    return LOAM_OK;
}

static void offer_options(name_guess *guess, const cli_option *option) {
    for (; option != NULL && option->name != NULL; option++) {
        guess_offer(guess, loam_text_of(option->name));
    }
}

static loam_status unknown_fail(const cli_command *command, const char *word, loam_error *error) {
    name_guess guess = guess_of_option(word);
    offer_options(&guess, command->options);
    offer_options(&guess, command->remote ? cli_remote_options : NULL);
    const loam_recipe *recipe = recipe_of(command);
    for (uint32_t i = 0; recipe != NULL && i < recipe->param_count; i++) {
        guess_offer(&guess, loam_text_of(recipe->params[i].key));
    }
    return loam_fail(error, LOAM_UNKNOWN_FIELD, NULL, "there is no option %s%s", word,
                     guess_text(&guess));
}

/* Reads the option at words[*at] and its value; leaves *at at the last word that it took. */
static loam_status option_parse(cli_arguments *arguments, int count, char *const *words, int *at,
                                loam_error *error) {
    option_word word;
    const cli_option *option = NULL;
    const loam_param_schema *param = NULL;
    if (word_split(words[*at], &word)) {
        option = options_find(arguments->command, word.name);
        param = option == NULL ? options_find_param(arguments->command, word.name) : NULL;
    }
    if (option == NULL && param == NULL) {
        return unknown_fail(arguments->command, words[*at], error);
    }
    const char *name = option != NULL ? option->name : param->key;
    if (option != NULL && option->argument == NULL) {
        return word.value == NULL ? given_add(arguments, name, "", error)
                                  : loam_fail(error, LOAM_WRONG_TYPE, NULL,
                                              "--%s is a flag and takes no value", name);
    }
    if (word.value == NULL && *at + 1 >= count) {
        return loam_fail(error, LOAM_MISSING_FIELD, NULL, "--%s needs a value: %s", name,
                         option != NULL ? option->argument : param->label);
    }
    return given_add(arguments, name, word.value != NULL ? word.value : words[++*at], error);
}

static loam_status operand_add(cli_arguments *arguments, const char *word, loam_error *error) {
    if (arguments->operand_count == arguments->command->operand_max) {
        return loam_fail(error, LOAM_TOO_MANY, NULL, "'%s' is one word too many", word);
    }
    arguments->operands[arguments->operand_count++] = word;
    return LOAM_OK;
}

static loam_status required_check(const cli_arguments *arguments, loam_error *error) {
    const cli_command *command = arguments->command;
    if (arguments->operand_count < command->operand_min) {
        return loam_fail(error, LOAM_MISSING_FIELD, NULL, "it needs %s", command->operands);
    }
    for (const cli_option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        if (option->required && options_text(arguments, option->name) == NULL) {
            return loam_fail(error, LOAM_MISSING_FIELD, NULL, "it needs %s%s %s",
                             strcmp(option->name, "o") == 0 ? "-" : "--", option->name,
                             option->argument);
        }
    }
    return LOAM_OK;
}

static bool help_is_asked(int count, char *const *words) {
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++) {
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

loam_status options_parse(const cli_command *command, int count, char *const *words,
                          cli_arguments *arguments, loam_error *error) {
    bool options_ended = false;
    memset(arguments, 0, sizeof *arguments);
    arguments->command = command;
    arguments->help = help_is_asked(count, words);
    if (arguments->help) {
        return LOAM_OK;
    }
    for (int at = 0; at < count; at++) {
        const char *word = words[at];
        if (!options_ended && strcmp(word, "--") == 0) {
            options_ended = true;
        } else if (!options_ended && word[0] == '-' && word[1] != '\0') {
            LOAM_TRY(option_parse(arguments, count, words, &at, error));
        } else {
            LOAM_TRY(operand_add(arguments, word, error));
        }
    }
    return required_check(arguments, error);
}

const char *options_text(const cli_arguments *arguments, const char *name) {
    for (uint32_t i = arguments->given_count; i > 0; i--) {
        if (options_name_equal(arguments->given[i - 1].name, name)) {
            return arguments->given[i - 1].value;
        }
    }
    return NULL;
}

bool options_flag(const cli_arguments *arguments, const char *name) {
    return options_text(arguments, name) != NULL;
}

loam_status options_integer(const cli_arguments *arguments, const char *name, int64_t min,
                            int64_t max, int64_t *value, loam_error *error) {
    const char *text = options_text(arguments, name);
    int64_t number;
    if (text == NULL) {
        return LOAM_OK;
    }
    if (!coordinate_parse(loam_text_of(text), &number)) {
        return loam_fail(error, LOAM_WRONG_TYPE, NULL, "--%s takes a whole number, not '%s'", name,
                         text);
    }
    if (number < min || number > max) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "--%s takes %lld to %lld, not %s", name,
                         (long long)min, (long long)max, text);
    }
    *value = number;
    return LOAM_OK;
}

loam_status options_bytes(const cli_arguments *arguments, const char *name, uint64_t *value,
                          loam_error *error) {
    static const char units[] = "KMGT";
    const char *text = options_text(arguments, name);
    size_t size = text == NULL ? 0 : strlen(text);
    int64_t number;
    if (text == NULL) {
        return LOAM_OK;
    }
    const char *unit = size == 0 ? NULL : strchr(units, text[size - 1]);
    unsigned shift = unit == NULL ? 0 : 10 * (unsigned)(unit - units + 1);
    loam_text digits = {text, unit == NULL ? size : size - 1};
    if (!coordinate_parse(digits, &number) || number < 0 || number > INT64_MAX >> shift) {
        return loam_fail(error, LOAM_WRONG_TYPE, NULL,
                         "--%s takes bytes, as 1000000 or 64M (K, M, G, T), not '%s'", name, text);
    }
    *value = (uint64_t)number << shift;
    return LOAM_OK;
}

static bool area_read(const char *text, int64_t area[4]) {
    for (int i = 0; i < 4; i++) {
        size_t size = strcspn(text, ",");
        bool last = text[size] == '\0';
        if (!coordinate_parse((loam_text){text, size}, &area[i]) || last != (i == 3) ||
            area[i] > AREA_LIMIT || area[i] < -AREA_LIMIT) {
            return false;
        }
        text += size + 1;
    }
    return true;
}

loam_status options_area(const cli_arguments *arguments, const char *name, int64_t area[4],
                         loam_error *error) {
    const char *text = options_text(arguments, name);
    if (text == NULL) {
        return loam_fail(error, LOAM_MISSING_FIELD, NULL, "it needs --%s X0,Z0,X1,Z1", name);
    }
    if (!area_read(text, area)) {
        return loam_fail(error, LOAM_WRONG_TYPE, NULL,
                         "--%s takes four whole numbers X0,Z0,X1,Z1, not '%s'", name, text);
    }
    if (area[0] > area[2] || area[1] > area[3]) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                         "--%s goes from the south-west corner to the north-east one, not %s", name,
                         text);
    }
    return LOAM_OK;
}

loam_status options_cells(const cli_arguments *arguments, const char *name, int64_t cells_max,
                          int64_t area[4], loam_error *error) {
    LOAM_TRY(options_area(arguments, name, area, error));
    int64_t columns = area[2] - area[0] + 1;
    int64_t rows = area[3] - area[1] + 1;
    return columns <= cells_max && rows <= cells_max / columns
               ? LOAM_OK
               : loam_fail(error, LOAM_TOO_MANY, NULL, "more than %lld cells",
                           (long long)cells_max);
}
