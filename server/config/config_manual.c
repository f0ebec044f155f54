/* SPDX-License-Identifier: MIT
 *
 * config_manual.c: loamd(8), loamd.conf(5) and a sample of the file, made from the table of options
 * as --help is, so that they always agree with the daemon that prints them.
 */
#include "api/view/view_roff.h"
#include "server/config/config.h"
#include "server/config/option.h"
#include "server/config/option_value.h"

#include <stdio.h>
#include <string.h>

enum { PAGE_BYTES_MAX = 1 << 20, LINE_BYTES = 256, SAMPLE_COLUMNS = 78 };

/* "Default 16G; 16M to 4T." or what a choice has; empty for a text without a default. */
static const char *option_limits(const option_schema *option, char text[LINE_BYTES]) {
    char initial[32];
    char min[32];
    char max[32];
    text[0] = 0;
    if (option->choices != NULL) {
        snprintf(text, LINE_BYTES, "Default %s; one of", option->choices[option->initial]);
        for (uint32_t i = 0; option->choices[i] != NULL; i++) {
            size_t used = strlen(text);
            snprintf(text + used, LINE_BYTES - used, " %s", option->choices[i]);
        }
    } else if (option->kind == OPTION_TEXT || option->kind == OPTION_LIST) {
        if (option->initial_text != NULL) {
            snprintf(text, LINE_BYTES, "Default %s", option->initial_text);
        }
    } else {
        value_print(option, option->initial, initial, sizeof initial);
        value_print(option, option->min, min, sizeof min);
        value_print(option, option->max, max, sizeof max);
        snprintf(text, LINE_BYTES, "Default %s; %s to %s", initial, min, max);
    }
    return text;
}

static void put_option(text_buffer *page, const option_schema *option, const char *dashes,
                       const char *equals) {
    char word[LINE_BYTES];
    char limits[LINE_BYTES];
    snprintf(word, sizeof word, "%s%s%s", dashes, option->name, equals);
    roff_item(page, word, option->argument, option->help);
    if (option_limits(option, limits)[0] != 0) {
        roff_more(page, limits);
    }
}

static void put_daemon_page(text_buffer *page) {
    roff_begin(page, "loamd", 8, "serve worlds");
    roff_section(page, "SYNOPSIS");
    roff_more(page, "loamd [--option VALUE]...");
    roff_section(page, "DESCRIPTION");
    roff_more(page, "Serves worlds over HTTP: seed, graph and inputs in, the same bytes out for "
                    "everybody. Names of options are also the keys of the file that --config "
                    "names, see loamd.conf(5). The contract is served at /openapi.yaml.");
    roff_section(page, "OPTIONS");
    for (uint32_t i = 0; i < option_count(); i++) {
        put_option(page, option_at(i), "--", "");
    }
    roff_item(page, "--version", NULL, "Prints the release.");
    roff_item(page, "--help", NULL, "Prints all options.");
    roff_item(page, "--manual, --manual-config, --sample-config", NULL,
              "Print this page, loamd.conf(5), and a file with every option at its default.");
    roff_section(page, "SIGNALS");
    roff_item(page, "SIGTERM, SIGINT", NULL,
              "Takes no more requests, lets those that run end (drain-s), and ends. Jobs stay "
              "queued. A second one ends at once.");
    roff_section(page, "EXIT STATUS");
    roff_item(page, "0", NULL, "it ended as it was told");
    roff_item(page, "1", NULL, "the file, a value or the folder is wrong");
    roff_item(page, "2", NULL, "the command line is wrong");
    roff_section(page, "SEE ALSO");
    roff_more(page, "loam(1), loamd.conf(5)");
}

static void put_file_page(text_buffer *page) {
    roff_begin(page, "loamd.conf", 5, "what loamd is told");
    roff_section(page, "DESCRIPTION");
    roff_more(page, "Lines of key = value; # begins a comment. What the command line gives stands "
                    "over the file, a list too. A line that is wrong is named, and loamd ends.");
    roff_section(page, "KEYS");
    for (uint32_t i = 0; i < option_count(); i++) {
        if (!option_at(i)->command_line_only) {
            put_option(page, option_at(i), "", " =");
        }
    }
    roff_section(page, "SEE ALSO");
    roff_more(page, "loamd(8)");
}

/* ---- The sample ------------------------------------------------------------------------------ */

/* A comment broken at blanks. */
static void put_comment(text_buffer *page, const char *text) {
    while (*text != 0) {
        size_t size = strlen(text);
        if (size > SAMPLE_COLUMNS) {
            size = SAMPLE_COLUMNS;
            while (size > 0 && text[size] != ' ') {
                size--;
            }
        }
        buffer_add_text(page, "# ");
        buffer_add(page, text, size);
        buffer_add_text(page, "\n");
        text += size;
        text += *text == ' ';
    }
}

static void put_sample_value(text_buffer *page, const option_schema *option) {
    char value[32];
    if (option->choices != NULL) {
        buffer_add_text(page, option->choices[option->initial]);
    } else if (option->kind == OPTION_TEXT || option->kind == OPTION_LIST) {
        buffer_add_text(page, option->initial_text != NULL ? option->initial_text : "");
    } else {
        value_print(option, option->initial, value, sizeof value);
        buffer_add_text(page, value);
    }
}

static void put_sample(text_buffer *page) {
    char limits[LINE_BYTES];
    buffer_add_text(page, "# loamd.conf: see loamd.conf(5). Every option at its default.\n");
    for (uint32_t i = 0; i < option_count(); i++) {
        const option_schema *option = option_at(i);
        if (option->command_line_only) {
            continue;
        }
        buffer_add_text(page, "\n");
        put_comment(page, option->help);
        put_comment(page, option_limits(option, limits));
        buffer_add_text(page, "#");
        buffer_add_text(page, option->name);
        buffer_add_text(page, " = ");
        put_sample_value(page, option);
        buffer_add_text(page, "\n");
    }
}

void config_page(config_outcome page, void (*print)(void *context, const char *text),
                 void *context) {
    text_buffer text;
    buffer_init(&text, PAGE_BYTES_MAX);
    if (page == CONFIG_MANUAL) {
        put_daemon_page(&text);
    } else if (page == CONFIG_MANUAL_FILE) {
        put_file_page(&text);
    } else {
        put_sample(&text);
    }
    buffer_add(&text, "", 1);
    if (buffer_status(&text) == LOAM_OK) {
        print(context, text.bytes);
    }
    buffer_fini(&text);
}
