/* SPDX-License-Identifier: MIT
 *
 * command_operations.c: `loam operations [NAME]`: the operation table and the recipes as manual
 * pages, from the very schemas that graphs are checked by.
 */
#include <stdio.h>
#include <string.h>

#include "api/cli/help.h"
#include "api/cli/options.h"
#include "api/cli/output.h"
#include "api/wire/schema_write.h"
#include "core/base/guess.h"

/* All operations with their texts take some 60 KB. */
#define SCHEMA_BYTES_MAX ((size_t)4 << 20)

/* Whether an operation before this one has its category. */
static bool is_category_listed(uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(schema_operation_at(i)->category, schema_operation_at(index)->category) == 0) {
            return true;
        }
    }
    return false;
}

static void category_list(uint32_t first) {
    const char *category = schema_operation_at(first)->category;
    const loam_operation *operation;
    (void)printf("%s%s\n", first == 0 ? "" : "\n", category);
    for (uint32_t i = first; (operation = schema_operation_at(i)) != NULL; i++) {
        if (strcmp(operation->category, category) == 0) {
            (void)printf("  %-24s %s\n", operation->name, operation->title);
        }
    }
}

static void operations_list(void) {
    for (uint32_t i = 0; schema_operation_at(i) != NULL; i++) {
        if (!is_category_listed(i)) {
            category_list(i);
        }
    }
    (void)printf("\nrecipes\n");
    for (uint32_t i = 0; i < loam_recipe_count(); i++) {
        const loam_recipe *recipe = loam_recipe_at(i);
        (void)printf("  %-24s %s\n", recipe->name, recipe->title);
    }
}

static void params_print(const loam_param_schema *params, uint32_t count) {
    (void)printf("\nPARAMETERS\n");
    for (uint32_t i = 0; i < count; i++) {
        help_print_param(stdout, &params[i], "");
    }
}

static void operation_print(const loam_operation *operation) {
    (void)printf("%s version %u (%s): %s\n\n", operation->name, operation->version,
                 operation->category, operation->title);
    help_print_paragraph(stdout, operation->description);
    if (operation->port_count > 0 || operation->open_port != NULL) {
        (void)printf("\nPORTS\n");
    }
    for (uint32_t i = 0; i < operation->port_count; i++) {
        const loam_port_schema *port = &operation->ports[i];
        (void)printf("  %-23s %s%s\n", port->name, loam_port_kind_name(port->kind),
                     port->required ? "" : " (optional)");
    }
    if (operation->open_port != NULL) {
        (void)printf("  and any other name: %s\n", operation->open_port->name);
    }
    params_print(operation->params, operation->param_count);
    (void)printf("\nREACH\n");
    help_print_paragraph(stdout, operation->reach);
}

static void recipe_print(const loam_recipe *recipe) {
    (void)printf("%s version %u (recipe): %s\n\n", recipe->name, recipe->version, recipe->title);
    help_print_paragraph(stdout, recipe->description);
    params_print(recipe->params, recipe->param_count);
}

/* The documents of the contract: all operations, or one operation or recipe. */
static void unknown_fail(const char *name, loam_error *error) {
    name_guess guess = guess_of(loam_text_of(name));
    for (uint32_t i = 0; schema_operation_at(i) != NULL; i++) {
        guess_offer(&guess, loam_text_of(schema_operation_at(i)->name));
    }
    for (uint32_t i = 0; i < loam_recipe_count(); i++) {
        guess_offer(&guess, loam_text_of(loam_recipe_at(i)->name));
    }
    (void)loam_fail(error, LOAM_UNKNOWN_OPERATION, NULL,
                    "there is no operation and no recipe '%s'%s", name, guess_text(&guess));
}

static int schema_print(const cli_arguments *arguments) {
    loam_error error = {0};
    text_buffer buffer;
    loam_text name = loam_text_of(arguments->operand_count > 0 ? arguments->operands[0] : "");
    loam_status status = LOAM_OK;
    buffer_init(&buffer, SCHEMA_BYTES_MAX);
    if (name.size == 0) {
        operations_write(&buffer);
    } else if (schema_operation_find(name) != NULL) {
        status = operation_write(name, &buffer);
    } else {
        status = recipe_write(name, &buffer);
    }
    status = status == LOAM_OK ? buffer_status(&buffer) : status;
    buffer_add_text(&buffer, "\n");
    if (status != LOAM_OK) {
        unknown_fail(arguments->operands[0], &error);
    } else {
        status = output_write(NULL, buffer.bytes, buffer.size, &error);
    }
    buffer_fini(&buffer);
    return status == LOAM_OK ? CLI_DONE : output_failure(arguments->command->name, &error);
}

static int operations_run(const cli_arguments *arguments) {
    if (options_flag(arguments, "json")) {
        return schema_print(arguments);
    }
    if (arguments->operand_count == 0) {
        operations_list();
        return CLI_DONE;
    }
    loam_text name = loam_text_of(arguments->operands[0]);
    const loam_operation *operation = schema_operation_find(name);
    const loam_recipe *recipe = loam_recipe_find(name, 0);
    loam_error error = {0};
    if (operation == NULL && recipe == NULL) {
        unknown_fail(arguments->operands[0], &error);
        return output_failure(arguments->command->name, &error);
    }
    if (operation != NULL) {
        operation_print(operation);
    } else {
        recipe_print(recipe);
    }
    return CLI_DONE;
}

static const cli_option operations_options[] = {
    {"json", NULL, "print the schema as the daemon serves it", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_operations = {
    .name = "operations",
    .operands = "[NAME]",
    .summary = "list operations and recipes, or explain one",
    .details = "",
    .examples = "  loam operations\n  loam operations self.prune",
    .options = operations_options,
    .operand_max = 1,
    .run = operations_run,
};
