/* SPDX-License-Identifier: MIT
 *
 * command_manual.c: `loam manual` and `loam completion`: the manual page and what a shell
 * completes, made from the table of commands.
 */
#include <stdio.h>
#include <string.h>

#include "api/cli/help.h"
#include "api/cli/options.h"
#include "api/cli/output.h"
#include "api/view/view_roff.h"

/* All commands with their options are some 40 KB. */
#define PAGE_BYTES_MAX ((size_t)1 << 20)
/* "--" and a name, or a command's words. */
#define WORD_BYTES 96

static const char *option_word(const char *name, char word[WORD_BYTES]) {
    (void)snprintf(word, WORD_BYTES, "%s%s", strcmp(name, "o") == 0 ? "-" : "--", name);
    return word;
}

/* An option as the command line takes it: spacing_m of a recipe is --spacing-m. */
static const char *param_word(const char *key, char word[WORD_BYTES]) {
    (void)snprintf(word, WORD_BYTES, "--%s", key);
    for (char *at = strchr(word, '_'); at != NULL; at = strchr(at, '_')) {
        *at = '-';
    }
    return word;
}

static const loam_recipe *command_recipe(const cli_command *command) {
    return command->recipe != NULL ? loam_recipe_find(loam_text_of(command->recipe), 0) : NULL;
}

/* ---- The page -------------------------------------------------------------------------------- */

static void options_put(text_buffer *page, const cli_option *option) {
    char word[WORD_BYTES];
    for (; option != NULL && option->name != NULL; option++) {
        roff_item(page, option_word(option->name, word), option->argument, option->help);
    }
}

static void command_put(text_buffer *page, const cli_command *command) {
    char word[WORD_BYTES];
    const loam_recipe *recipe = command_recipe(command);
    (void)snprintf(word, sizeof word, "loam %s %s", command->name, command->operands);
    roff_subsection(page, word);
    roff_more(page, command->summary);
    if (command->details[0] != '\0') {
        roff_paragraph(page, command->details);
    }
    options_put(page, command->options);
    for (uint32_t i = 0; recipe != NULL && i < recipe->param_count; i++) {
        roff_item(page, param_word(recipe->params[i].key, word), "VALUE",
                  recipe->params[i].description);
    }
    roff_lines(page, command->examples);
}

static void page_put(text_buffer *page) {
    roff_begin(page, "loam", 1, "generate worlds, and talk to loamd");
    roff_section(page, "SYNOPSIS");
    roff_more(page, "loam COMMAND [OPTIONS] ...");
    roff_section(page, "DESCRIPTION");
    roff_more(page, help_purpose);
    roff_section(page, "COMMANDS");
    for (const cli_command *const *at = cli_commands; *at != NULL; at++) {
        const cli_command *command = *at;
        command_put(page, command);
    }
    roff_section(page, "OPTIONS OF COMMANDS THAT TALK TO A DAEMON");
    options_put(page, cli_remote_options);
    roff_section(page, "ENVIRONMENT");
    for (const cli_fact *fact = cli_environment; fact->name != NULL; fact++) {
        roff_item(page, fact->name, NULL, fact->meaning);
    }
    roff_section(page, "EXIT STATUS");
    for (const cli_fact *fact = cli_exit_codes; fact->name != NULL; fact++) {
        roff_item(page, fact->name, NULL, fact->meaning);
    }
    roff_section(page, "SEE ALSO");
    roff_more(page, "loamd(8), loamd.conf(5)");
}

/* ---- Completion ------------------------------------------------------------------------------ */

/* Whether an earlier row begins with the same word. */
static bool word_is_repeated(const cli_command *command, size_t size) {
    for (const cli_command *const *before = cli_commands; *before != command; before++) {
        const char *name = (*before)->name;
        if (strcspn(name, " ") == size && strncmp(name, command->name, size) == 0) {
            return true;
        }
    }
    return false;
}

static void first_words_put(text_buffer *page) {
    buffer_add_text(page, "    local first=\"help version");
    for (const cli_command *const *at = cli_commands; *at != NULL; at++) {
        const cli_command *command = *at;
        size_t size = strcspn(command->name, " ");
        if (!word_is_repeated(command, size)) {
            buffer_add_text(page, " ");
            buffer_add(page, command->name, size);
        }
    }
    buffer_add_text(page, "\"\n");
}

/* What may follow a word that begins several commands. */
static void second_words_put(text_buffer *page) {
    buffer_add_text(page, "    case $command in\n");
    for (const cli_command *const *at = cli_commands; *at != NULL; at++) {
        const cli_command *command = *at;
        size_t size = strcspn(command->name, " ");
        if (command->name[size] == '\0' || word_is_repeated(command, size)) {
            continue;
        }
        buffer_add_text(page, "    ");
        buffer_add(page, command->name, size);
        buffer_add_text(page, ") second=\"");
        for (const cli_command *const *one = at; *one != NULL; one++) {
            if (strncmp((*one)->name, command->name, size + 1) == 0) {
                buffer_add_text(page, (*one)->name + size + 1);
                buffer_add_text(page, " ");
            }
        }
        buffer_add_text(page, "\" ;;\n");
    }
    buffer_add_text(page, "    esac\n");
}

static void words_put(text_buffer *page, const cli_option *option) {
    char word[WORD_BYTES];
    for (; option != NULL && option->name != NULL; option++) {
        buffer_add_text(page, " ");
        buffer_add_text(page, option_word(option->name, word));
    }
}

static void command_words_put(text_buffer *page, const cli_command *command) {
    char word[WORD_BYTES];
    const loam_recipe *recipe = command_recipe(command);
    buffer_add_text(page, "    \"");
    buffer_add_text(page, command->name);
    buffer_add_text(page, strchr(command->name, ' ') == NULL ? " \"*" : "\"");
    buffer_add_text(page, ") options=\"--help");
    words_put(page, command->options);
    for (uint32_t i = 0; recipe != NULL && i < recipe->param_count; i++) {
        buffer_add_text(page, " ");
        buffer_add_text(page, param_word(recipe->params[i].key, word));
    }
    if (command->remote) {
        words_put(page, cli_remote_options);
    }
    buffer_add_text(page, "\" ;;\n");
}

/* Anything that is no option and no command's word is a file. */
static void completion_put(text_buffer *page) {
    buffer_add_text(page, "# bash completion of loam, made by `loam completion bash`\n"
                          "_loam() {\n"
                          "    local current=\"${COMP_WORDS[COMP_CWORD]}\" second= options=\n"
                          "    local command=\"${COMP_WORDS[1]-}\" next=\"${COMP_WORDS[2]-}\"\n");
    first_words_put(page);
    second_words_put(page);
    buffer_add_text(page, "    case \"$command $next\" in\n");
    for (const cli_command *const *at = cli_commands; *at != NULL; at++) {
        const cli_command *command = *at;
        command_words_put(page, command);
    }
    buffer_add_text(page, "    esac\n"
                          "    COMPREPLY=()\n"
                          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                          "        COMPREPLY=($(compgen -W \"$first\" -- \"$current\"))\n"
                          "    elif [ \"$COMP_CWORD\" -eq 2 ] && [ -n \"$second\" ]; then\n"
                          "        COMPREPLY=($(compgen -W \"$second\" -- \"$current\"))\n"
                          "    elif [ \"${current:0:1}\" = - ]; then\n"
                          "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
                          "    fi\n"
                          "}\n"
                          "complete -o bashdefault -o default -F _loam loam\n");
}

static int page_print(const cli_arguments *arguments, void (*put)(text_buffer *page)) {
    text_buffer page;
    loam_error error = {0};
    buffer_init(&page, PAGE_BYTES_MAX);
    put(&page);
    loam_status status = buffer_status(&page);
    if (status == LOAM_OK) {
        status = output_write(NULL, page.bytes, page.size, &error);
    } else {
        (void)loam_fail(&error, status, NULL, "the page is larger than %zu bytes", PAGE_BYTES_MAX);
    }
    buffer_fini(&page);
    return status == LOAM_OK ? CLI_DONE : output_failure(arguments->command->name, &error);
}

static int manual_run(const cli_arguments *arguments) {
    return page_print(arguments, page_put);
}

static int completion_run(const cli_arguments *arguments) {
    if (strcmp(arguments->operands[0], "bash") != 0) {
        loam_error error = {0};
        (void)loam_fail(&error, LOAM_OUT_OF_RANGE, NULL, "'bash' is the only shell there is");
        (void)output_failure(arguments->command->name, &error);
        return CLI_USAGE;
    }
    return page_print(arguments, completion_put);
}

/* ---- The table ------------------------------------------------------------------------------- */

const cli_command command_completion = {
    .name = "completion",
    .operands = "bash",
    .summary = "print what a shell completes",
    .details = "Made from the table that also makes these texts.",
    .examples = "  source <(loam completion bash)",
    .operand_min = 1,
    .operand_max = 1,
    .run = completion_run,
};

const cli_command command_manual = {
    .name = "manual",
    .operands = "",
    .summary = "print the manual page loam(1)",
    .details = "Made from the table that also makes these texts.",
    .examples = "  loam manual | man -l -",
    .run = manual_run,
};
