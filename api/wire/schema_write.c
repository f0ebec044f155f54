/* SPDX-License-Identifier: MIT
 *
 * schema_write.c: see schema_write.h.
 */
#include "api/wire/schema_write.h"

#include "api/wire/subgraph.h"
#include "api/wire/value.h"
#include "core/base/limits.h"

#include <string.h>

static void write_field(text_buffer *buffer, const char *key, const char *value) {
    buffer_key(buffer, key);
    buffer_string(buffer, value);
}

static const char *kind_name(loam_param_kind kind) {
    static const char *const names[] = {
        [LOAM_PARAM_INT] = "int",       [LOAM_PARAM_FLOAT] = "float",
        [LOAM_PARAM_BOOL] = "bool",     [LOAM_PARAM_STRING] = "string",
        [LOAM_PARAM_CHOICE] = "choice", [LOAM_PARAM_LIST] = "list",
        [LOAM_PARAM_CURVE] = "curve",   [LOAM_PARAM_RECORD] = "record",
        [LOAM_PARAM_RULES] = "rules",
    };
    return names[kind];
}

/* A subgraph's parameters are documents, which no schema of core can say. */
static const char *param_kind(const loam_param_schema *param) {
    for (uint32_t i = 0; i < subgraph_operation.param_count; i++) {
        if (param == &subgraph_operation.params[i]) {
            return subgraph_param_kind(i);
        }
    }
    return kind_name(param->kind);
}

static bool has_range(const loam_param_schema *param) {
    bool numbers = param->kind == LOAM_PARAM_LIST && param->fields == NULL;
    loam_param_kind kind = numbers ? param->item : param->kind;
    return kind == LOAM_PARAM_INT || kind == LOAM_PARAM_FLOAT;
}

/* What a list begins with: numbers, as many as it must have; any other is empty. */
static void write_default_list(text_buffer *buffer, const loam_param_schema *param) {
    bool numbers = param->fields == NULL && param->item != LOAM_PARAM_STRING;
    buffer_open_array(buffer);
    for (uint32_t i = 0; numbers && i < param->items_min; i++) {
        buffer_decimal(buffer, param->initial, param->scale_bits);
    }
    buffer_close_array(buffer);
}

/* A number that goes by an attribute unless told otherwise. */
static void write_default_attribute(text_buffer *buffer, const loam_param_schema *param) {
    buffer_open_object(buffer);
    write_field(buffer, "attribute", param->initial_text);
    buffer_close_object(buffer);
}

/* Null where there is no default; texts begin empty unless the schema says how. */
static void write_default(text_buffer *buffer, const loam_param_schema *param) {
    buffer_key(buffer, "default");
    bool without = param->kind == LOAM_PARAM_RECORD || param->kind == LOAM_PARAM_RULES;
    if (without || (param->flags & LOAM_PARAM_REQUIRED) != 0 || param->initial == LOAM_UNSET) {
        buffer_null(buffer);
    } else if (strcmp(param_kind(param), "document") == 0) {
        buffer_open_object(buffer);
        buffer_close_object(buffer);
    } else if (param->kind == LOAM_PARAM_STRING) {
        buffer_string(buffer, param->initial_text == NULL ? "" : param->initial_text);
    } else if (param->initial_text != NULL) {
        write_default_attribute(buffer, param);
    } else if (param->kind == LOAM_PARAM_LIST) {
        write_default_list(buffer, param);
    } else {
        value_write_integer(buffer, param, param->initial);
    }
}

static void write_range(text_buffer *buffer, const loam_param_schema *param) {
    buffer_key(buffer, "min");
    buffer_decimal(buffer, param->min, param->scale_bits);
    buffer_key(buffer, "max");
    buffer_decimal(buffer, param->max, param->scale_bits);
    buffer_key(buffer, "step");
    buffer_decimal(buffer, param->step, param->scale_bits);
}

static void write_choices(text_buffer *buffer, const char *const *choices) {
    buffer_key(buffer, "choices");
    buffer_open_array(buffer);
    for (; *choices != NULL; choices++) {
        buffer_string(buffer, *choices);
    }
    buffer_close_array(buffer);
}

static void write_params(text_buffer *buffer, const char *key, const loam_param_schema *params,
                         uint32_t count);

/* What the items of a list are, and how many. */
static void write_items(text_buffer *buffer, const loam_param_schema *param) {
    write_field(buffer, "item", param->fields == NULL ? kind_name(param->item) : "record");
    if (param->fields != NULL) {
        write_params(buffer, "fields", param->fields, param->field_count);
    }
    buffer_key(buffer, "min_items");
    buffer_unsigned(buffer, param->items_min);
    buffer_key(buffer, "max_items");
    buffer_unsigned(buffer, param->items_max > 0 ? param->items_max : LIST_ITEMS_MAX);
}

static void write_param(text_buffer *buffer, const loam_param_schema *param) {
    buffer_open_object(buffer);
    write_field(buffer, "key", param->key);
    write_field(buffer, "label", param->label);
    write_field(buffer, "description", param->description);
    write_field(buffer, "kind", param_kind(param));
    write_field(buffer, "unit", param->unit);
    buffer_key(buffer, "required");
    buffer_bool(buffer, (param->flags & LOAM_PARAM_REQUIRED) != 0);
    write_default(buffer, param);
    if (has_range(param)) {
        write_range(buffer, param);
    }
    if (param->kind == LOAM_PARAM_LIST) {
        write_items(buffer, param);
    }
    if (param->kind == LOAM_PARAM_RECORD) {
        write_params(buffer, "fields", param->fields, param->field_count);
    }
    if (param->choices != NULL) {
        write_choices(buffer, param->choices);
    }
    buffer_key(buffer, "advanced");
    buffer_bool(buffer, (param->flags & LOAM_PARAM_ADVANCED) != 0);
    buffer_key(buffer, "attribute_ok");
    buffer_bool(buffer, (param->flags & LOAM_PARAM_ATTRIBUTE) != 0);
    buffer_close_object(buffer);
}

static void write_params(text_buffer *buffer, const char *key, const loam_param_schema *params,
                         uint32_t count) {
    buffer_key(buffer, key);
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < count; i++) {
        write_param(buffer, &params[i]);
    }
    buffer_close_array(buffer);
}

/* Every kind of value that a port takes, its own first. */
static void write_accepts(text_buffer *buffer, const loam_port_schema *port) {
    buffer_key(buffer, "accepts");
    buffer_open_array(buffer);
    buffer_string(buffer, loam_port_kind_name(port->kind));
    for (unsigned kind = LOAM_PORT_POINTS; kind <= LOAM_PORT_RULES; kind++) {
        if (kind != (unsigned)port->kind && (port->also >> kind & 1) != 0) {
            buffer_string(buffer, loam_port_kind_name((loam_port_kind)kind));
        }
    }
    buffer_close_array(buffer);
}

static void write_port(text_buffer *buffer, const loam_port_schema *port) {
    buffer_open_object(buffer);
    write_field(buffer, "name", port->name);
    write_field(buffer, "kind", loam_port_kind_name(port->kind));
    buffer_key(buffer, "required");
    buffer_bool(buffer, port->required);
    write_accepts(buffer, port);
    buffer_close_object(buffer);
}

/* The ports; and, where inputs may have other names too, what such inputs are. */
static void write_ports(text_buffer *buffer, const loam_operation *operation) {
    buffer_key(buffer, "ports");
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < operation->port_count; i++) {
        write_port(buffer, &operation->ports[i]);
    }
    buffer_close_array(buffer);
    if (operation->open_port != NULL) {
        buffer_key(buffer, "open_port");
        write_port(buffer, operation->open_port);
    }
}

static void write_operation_versions(text_buffer *buffer, const char *name) {
    buffer_open_array(buffer);
    if (strcmp(name, subgraph_operation.name) == 0) {
        buffer_unsigned(buffer, subgraph_operation.version);
    }
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        const loam_operation *operation = loam_operation_at(i);
        if (strcmp(operation->name, name) == 0) {
            buffer_unsigned(buffer, operation->version);
        }
    }
    buffer_close_array(buffer);
}

static void write_recipe_versions(text_buffer *buffer, const char *name) {
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < loam_recipe_count(); i++) {
        const loam_recipe *recipe = loam_recipe_at(i);
        if (strcmp(recipe->name, name) == 0) {
            buffer_unsigned(buffer, recipe->version);
        }
    }
    buffer_close_array(buffer);
}

static void write_operation(text_buffer *buffer, const loam_operation *operation) {
    buffer_open_object(buffer);
    write_field(buffer, "name", operation->name);
    buffer_key(buffer, "version");
    buffer_unsigned(buffer, operation->version);
    buffer_key(buffer, "versions");
    write_operation_versions(buffer, operation->name);
    write_field(buffer, "category", operation->category);
    write_field(buffer, "title", operation->title);
    write_field(buffer, "description", operation->description);
    write_ports(buffer, operation);
    write_params(buffer, "params", operation->params, operation->param_count);
    if (operation->rules != NULL) {
        write_params(buffer, "rules", operation->rules, operation->rules_count);
    }
    write_field(buffer, "reach", operation->reach);
    write_field(buffer, "gives",
                loam_port_kind_name(operation->gives == LOAM_PORT_NONE ? LOAM_PORT_POINTS
                                                                       : operation->gives));
    buffer_key(buffer, "sided");
    buffer_bool(buffer, operation->sided);
    buffer_close_object(buffer);
}

/* What a recipe makes; the first part of its name says it. */
static void write_recipe_outputs(text_buffer *buffer, const char *name) {
    bool heightmap = strncmp(name, "heightmap.", 10) == 0;
    buffer_key(buffer, "outputs");
    buffer_open_array(buffer);
    buffer_open_object(buffer);
    write_field(buffer, "name", heightmap ? "heightfield" : "dungeon");
    write_field(buffer, "kind", heightmap ? "heightfield" : "dungeon");
    buffer_close_object(buffer);
    buffer_close_array(buffer);
}

static void write_recipe(text_buffer *buffer, const loam_recipe *recipe) {
    buffer_open_object(buffer);
    write_field(buffer, "name", recipe->name);
    buffer_key(buffer, "version");
    buffer_unsigned(buffer, recipe->version);
    buffer_key(buffer, "versions");
    write_recipe_versions(buffer, recipe->name);
    write_field(buffer, "title", recipe->title);
    write_field(buffer, "description", recipe->description);
    write_recipe_outputs(buffer, recipe->name);
    write_params(buffer, "params", recipe->params, recipe->param_count);
    buffer_close_object(buffer);
}

/* The last of the list is in no table of core. */
const loam_operation *schema_operation_at(uint32_t index) {
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        const loam_operation *operation = loam_operation_at(i);
        bool newest = loam_operation_find(loam_text_of(operation->name), 0) == operation;
        if (newest && index-- == 0) {
            return operation;
        }
    }
    return index == 0 ? &subgraph_operation : NULL;
}

const loam_operation *schema_operation_find(loam_text name) {
    bool nested = loam_text_equal(name, loam_text_of(subgraph_operation.name));
    return nested ? &subgraph_operation : loam_operation_find(name, 0);
}

static bool is_newest_recipe(const loam_recipe *recipe) {
    return loam_recipe_find(loam_text_of(recipe->name), 0) == recipe;
}

void operations_write(text_buffer *buffer) {
    buffer_open_object(buffer);
    buffer_key(buffer, "operations");
    buffer_open_array(buffer);
    const loam_operation *operation;
    for (uint32_t i = 0; (operation = schema_operation_at(i)) != NULL; i++) {
        write_operation(buffer, operation);
    }
    buffer_close_array(buffer);
    buffer_close_object(buffer);
}

void recipes_write(text_buffer *buffer) {
    buffer_open_object(buffer);
    buffer_key(buffer, "recipes");
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < loam_recipe_count(); i++) {
        if (is_newest_recipe(loam_recipe_at(i))) {
            write_recipe(buffer, loam_recipe_at(i));
        }
    }
    buffer_close_array(buffer);
    buffer_close_object(buffer);
}

loam_status operation_write(loam_text name, text_buffer *buffer) {
    const loam_operation *operation = schema_operation_find(name);
    if (operation == NULL) {
        return LOAM_UNKNOWN_OPERATION;
    }
    write_operation(buffer, operation);
    return LOAM_OK;
}

loam_status recipe_write(loam_text name, text_buffer *buffer) {
    const loam_recipe *recipe = loam_recipe_find(name, 0);
    if (recipe == NULL) {
        return LOAM_UNKNOWN_RECIPE;
    }
    write_recipe(buffer, recipe);
    return LOAM_OK;
}

void operation_versions_write(text_buffer *buffer) {
    buffer_open_object(buffer);
    const loam_operation *operation;
    for (uint32_t i = 0; (operation = schema_operation_at(i)) != NULL; i++) {
        buffer_key(buffer, operation->name);
        write_operation_versions(buffer, operation->name);
    }
    buffer_close_object(buffer);
}

void recipe_versions_write(text_buffer *buffer) {
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < loam_recipe_count(); i++) {
        if (is_newest_recipe(loam_recipe_at(i))) {
            buffer_key(buffer, loam_recipe_at(i)->name);
            write_recipe_versions(buffer, loam_recipe_at(i)->name);
        }
    }
    buffer_close_object(buffer);
}
