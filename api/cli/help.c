/* SPDX-License-Identifier: MIT
 *
 * help.c: see help.h.
 */
#include "api/cli/help.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/decimal.h"

#define HELP_COLUMN 26
#define HELP_WIDTH 80
/* Where the meaning of a short word stands. */
#define FACT_COLUMN 19

const char help_purpose[] =
    "loam turns a seed, a graph and inputs into a world that everybody agrees on.";

static const char outro[] =
    "\n"
    "'loam COMMAND --help' explains a command with examples. Data goes to stdout,\n"
    "messages to stderr.\n";

/* How much of `text` fits on a line: whole words, up to a newline. */
static size_t line_size(const char *text, size_t width) {
    size_t size = strcspn(text, "\n");
    if (size <= width) {
        return size;
    }
    size_t end = width;
    while (end > 0 && text[end] != ' ') {
        end--;
    }
    return end > 0 ? end : size;
}

/* Prints `text` from the column on, where the cursor stands; further lines below the first. */
static void column_print(FILE *to, const char *text, int column) {
    for (;;) {
        size_t size = line_size(text, (size_t)(HELP_WIDTH - column));
        (void)fprintf(to, "%.*s\n", (int)size, text);
        if (text[size] == '\0') {
            return;
        }
        (void)fprintf(to, "%*s", column, "");
        text += size + 1;
    }
}

static void facts_print(FILE *to, const char *title, const cli_fact *fact) {
    (void)fprintf(to, "\n%s\n", title);
    for (; fact->name != NULL; fact++) {
        (void)fprintf(to, "  %-16s ", fact->name);
        column_print(to, fact->meaning, FACT_COLUMN);
    }
}

void help_print_all(FILE *to) {
    (void)fprintf(to, "%s\n\nusage: loam COMMAND [OPTIONS] ...\n\n", help_purpose);
    for (const cli_command *const *at = cli_commands; *at != NULL; at++) {
        const cli_command *command = *at;
        (void)fprintf(to, "  %-16s %s\n", command->name, command->summary);
    }
    (void)fputs(outro, to);
    facts_print(to, "environment:", cli_environment);
    facts_print(to, "exit codes:", cli_exit_codes);
}

bool help_print_group(FILE *to, const char *word) {
    const size_t size = strlen(word);
    bool found = false;
    for (const cli_command *const *at = cli_commands; *at != NULL; at++) {
        const cli_command *command = *at;
        if (strncmp(command->name, word, size) == 0 && command->name[size] == ' ') {
            (void)fputs(found ? "" : "commands:\n", to);
            (void)fprintf(to, "  loam %-16s %s\n", command->name, command->summary);
            found = true;
        }
    }
    return found;
}

static void option_print(FILE *to, const cli_option *option) {
    char head[64];
    const char *argument = option->argument != NULL ? option->argument : "";
    const char *dashes = strcmp(option->name, "o") == 0 ? "-" : "--";
    (void)snprintf(head, sizeof head, "  %s%s %s", dashes, option->name, argument);
    (void)fprintf(to, "%-*s", HELP_COLUMN, head);
    if (strlen(head) >= HELP_COLUMN) {
        (void)fprintf(to, "\n%*s", HELP_COLUMN, "");
    }
    column_print(to, option->help, HELP_COLUMN);
}

static void number_print(FILE *to, const char *before, int64_t value, unsigned scale_bits) {
    char text[DECIMAL_BYTES_MAX];
    (void)decimal_print(text, sizeof text, value, scale_bits);
    (void)fprintf(to, "%s%s", before, text);
}

static void choice_print(FILE *to, const loam_param_schema *param) {
    for (size_t i = 0; param->choices != NULL && param->choices[i] != NULL; i++) {
        (void)fprintf(to, "%s%s", i == 0 ? "" : "|", param->choices[i]);
    }
}

/* The kind, the range and the default of a parameter, in brackets. */
static void param_print_range(FILE *to, const loam_param_schema *param) {
    (void)fputs("[", to);
    if (param->kind == LOAM_PARAM_CHOICE || param->kind == LOAM_PARAM_CURVE) {
        choice_print(to, param);
        (void)fputs(param->kind == LOAM_PARAM_CURVE ? "|[[x,y],...]" : "", to);
    } else if (param->kind == LOAM_PARAM_BOOL) {
        (void)fputs("true|false", to);
    } else if (param->kind == LOAM_PARAM_INT || param->kind == LOAM_PARAM_FLOAT) {
        number_print(to, "", param->min, param->scale_bits);
        number_print(to, " to ", param->max, param->scale_bits);
        (void)fprintf(to, "%s%s", param->unit[0] != '\0' ? " " : "", param->unit);
    } else {
        (void)fputs(param->kind == LOAM_PARAM_STRING ? "text" : "list", to);
    }
    if ((param->flags & LOAM_PARAM_REQUIRED) != 0) {
        (void)fputs("; required", to);
    } else if ((param->kind == LOAM_PARAM_INT || param->kind == LOAM_PARAM_FLOAT) &&
               param->initial != LOAM_UNSET) {
        number_print(to, "; default ", param->initial, param->scale_bits);
    } else if (param->kind == LOAM_PARAM_BOOL) {
        (void)fprintf(to, "; default %s", param->initial != 0 ? "true" : "false");
    } else if (param->kind == LOAM_PARAM_CHOICE || param->kind == LOAM_PARAM_CURVE) {
        (void)fprintf(to, "; default %s", param->choices[param->initial]);
    }
    (void)fputs("]\n", to);
}

void help_print_param(FILE *to, const loam_param_schema *param, const char *prefix) {
    char head[64];
    (void)snprintf(head, sizeof head, "  %s%s", prefix, param->key);
    for (char *at = strchr(head, '_'); prefix[0] != '\0' && at != NULL; at = strchr(at, '_')) {
        *at = '-';
    }
    (void)fprintf(to, "%-*s", HELP_COLUMN, head);
    column_print(to, param->description, HELP_COLUMN);
    (void)fprintf(to, "%*s", HELP_COLUMN, "");
    param_print_range(to, param);
}

void help_print_paragraph(FILE *to, const char *text) {
    (void)fputs("  ", to);
    column_print(to, text, 2);
}

static void recipe_print(FILE *to, const char *name) {
    const loam_recipe *recipe = loam_recipe_find(loam_text_of(name), 0);
    for (uint32_t i = 0; recipe != NULL && i < recipe->param_count; i++) {
        help_print_param(to, &recipe->params[i], "--");
    }
}

void help_print_command(FILE *to, const cli_command *command) {
    (void)fprintf(to, "usage: loam %s %s%s[OPTIONS]\n\n%s.\n", command->name, command->operands,
                  command->operands[0] != '\0' ? " " : "", command->summary);
    if (command->details[0] != '\0') {
        (void)fprintf(to, "\n%s\n", command->details);
    }
    (void)fputs("\noptions:\n", to);
    for (const cli_option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        option_print(to, option);
    }
    if (command->recipe != NULL) {
        recipe_print(to, command->recipe);
    }
    for (const cli_option *option = cli_remote_options; command->remote && option->name != NULL;
         option++) {
        option_print(to, option);
    }
    (void)fprintf(to, "%-*s%s\n", HELP_COLUMN, "  --help", "this text");
    (void)fprintf(to, "\nexamples:\n%s\n", command->examples);
}
