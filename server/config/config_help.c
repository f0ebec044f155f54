/* SPDX-License-Identifier: MIT
 *
 * config_help.c: the manual behind --help, made from the table of options: what each takes, its
 * default, its limits, what it is for.
 */
#include "server/config/config.h"
#include "server/config/option.h"
#include "server/config/option_value.h"

#include <stdio.h>
#include <string.h>

enum { HELP_INDENT = 6, HELP_COLUMNS = 80 };

typedef struct printer {
    void (*print)(void *context, const char *text);
    void *context;
} printer;

/* Breaks at blanks, so that no line passes HELP_COLUMNS. */
static void print_wrapped(const printer *to, const char *text) {
    char line[HELP_COLUMNS + 2];
    while (*text != 0) {
        size_t room = HELP_COLUMNS - HELP_INDENT;
        size_t size = strlen(text);
        if (size > room) {
            size = room;
            while (size > 0 && text[size] != ' ') {
                size--;
            }
        }
        snprintf(line, sizeof line, "%*s%.*s\n", HELP_INDENT, "", (int)size, text);
        to->print(to->context, line);
        text += size;
        text += *text == ' ';
    }
}

static void print_limits(const printer *to, const option_schema *option) {
    char line[128];
    char initial[32];
    char min[32];
    char max[32];
    if (option->choices != NULL) {
        snprintf(line, sizeof line, "Default %s; one of", option->choices[option->initial]);
        for (uint32_t i = 0; option->choices[i] != NULL; i++) {
            size_t used = strlen(line);
            snprintf(line + used, sizeof line - used, " %s", option->choices[i]);
        }
        print_wrapped(to, line);
    } else if (option->kind == OPTION_TEXT || option->kind == OPTION_LIST) {
        if (option->initial_text != NULL) {
            snprintf(line, sizeof line, "Default %s", option->initial_text);
            print_wrapped(to, line);
        }
    } else {
        value_print(option, option->initial, initial, sizeof initial);
        value_print(option, option->min, min, sizeof min);
        value_print(option, option->max, max, sizeof max);
        snprintf(line, sizeof line, "Default %s; %s to %s", initial, min, max);
        print_wrapped(to, line);
    }
}

void config_help(void (*print)(void *context, const char *text), void *context) {
    printer to = {print, context};
    print(context, "Usage: loamd [--option VALUE]...\n\n"
                   "Serves worlds: seed, graph and inputs in, the same bytes out for everybody.\n"
                   "Names of options are also the keys of the file that --config names.\n\n");
    for (uint32_t i = 0; i < option_count(); i++) {
        const option_schema *option = option_at(i);
        char line[HELP_COLUMNS + 2];
        snprintf(line, sizeof line, "  --%s %s\n", option->name, option->argument);
        print(context, line);
        print_wrapped(&to, option->help);
        print_limits(&to, option);
    }
    print(context, "  --version\n      Prints the release.\n"
                   "  --help\n      Prints this.\n");
}
