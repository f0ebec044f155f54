/* SPDX-License-Identifier: MIT
 *
 * test_rules_corners.c: promise P8 for documents of rules: every number of every record that an
 * operation's schema of rules names, at and past the ends of its range, in a document that is
 * otherwise in order. What is out of range is refused and named; all else is evaluated, or refused
 * in words.
 */
#include "tests/support/graph_world.h"
#include "tests/support/rules_text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_BYTES = 4000, NONE = -1 };

/* A document while it is written: number `target` of it is `value`. */
typedef struct rules_draft {
    char json[JSON_BYTES];
    int32_t at, target;
    int64_t value;
    const loam_param_schema *found; /* the schema of that number */
} rules_draft;

static void add(rules_draft *draft, const char *text) {
    size_t size = strlen(draft->json);
    snprintf(draft->json + size, JSON_BYTES - size, "%s", text);
}

static void add_number(rules_draft *draft, const loam_param_schema *schema) {
    char text[64];
    const bool given = (schema->flags & LOAM_PARAM_REQUIRED) == 0;
    int64_t value = given ? schema->initial : (int64_t)1 << schema->scale_bits;
    if (draft->at++ == draft->target) {
        value = draft->value;
        draft->found = schema;
    }
    snprintf(text, sizeof text, "%.17g", ldexp((double)value, -schema->scale_bits));
    add(draft, text);
}

static void add_record(rules_draft *draft, const loam_param_schema *fields, uint32_t count) {
    add(draft, "{");
    for (uint32_t f = 0; f < count; f++) {
        const loam_param_schema *field = &fields[f];
        add(draft, f > 0 ? ",\"" : "\"");
        add(draft, field->key);
        add(draft, "\":");
        if (field->kind == LOAM_PARAM_STRING) {
            add(draft, "\"A\"");
        } else if (field->kind == LOAM_PARAM_CHOICE) {
            add(draft, "\"keep\"");
        } else if (field->kind == LOAM_PARAM_LIST) {
            add(draft, "[");
            add_record(draft, field->fields, field->field_count);
            add(draft, "]");
        } else {
            add_number(draft, field);
        }
    }
    add(draft, "}");
}

static void draft_rules(const loam_operation *operation, int32_t target, int64_t value,
                        rules_draft *draft) {
    *draft = (rules_draft){.target = target, .value = value};
    add_record(draft, operation->rules, operation->rules_count);
}

static graph_world *world_for(const loam_operation *operation) {
    static const int64_t xz[] = {100, 100, 20000, 900};
    const loam_line line = {.xz = xz, .count = 2, .key = 5};
    const loam_lines_source source = {&line, 1};
    const char *const biome[] = {"$rules rules", "n biome.generate spacing_m=1024 rules<$rules",
                                 "=out n", NULL};
    const char *const fence[] = {"$in lines", "$rules rules",
                                 "n grammar.generate grammar='A*' lines<$in rules<$rules", "=out n",
                                 NULL};
    const bool lines = strcmp(operation->name, "grammar.generate") == 0;
    graph_world *world = world_of(lines ? fence : biome, 3);
    if (lines) {
        loam_asset asset = {.kind = LOAM_PORT_LINES};
        cr_assert_eq(loam_lines_build(&source, &world->arena, &asset.lines, NULL), LOAM_OK);
        world_bind(world, "in", asset);
    }
    return world;
}

static loam_error fault_with(const loam_operation *operation, const char *json) {
    graph_world *world = world_for(operation);
    world_bind(world, "rules",
               (loam_asset){.kind = LOAM_PORT_RULES, .rules = rules_of_text(json, &world->arena)});
    loam_error error = world_failure(world, "out", rect_of_metres(0, 0, 64));
    world_free(world);
    return error;
}

static void try_number(const loam_operation *operation, const loam_param_schema *schema,
                       int32_t target, int64_t value) {
    rules_draft draft;
    draft_rules(operation, target, value, &draft);
    loam_error error = fault_with(operation, draft.json);
    bool out = value < schema->min || value > schema->max ||
               (value == 0 && (schema->flags & LOAM_PARAM_NONZERO) != 0);
    cr_expect(!out || error.status == LOAM_OUT_OF_RANGE, "%s: %s is accepted: %s", operation->name,
              schema->key, draft.json);
    cr_expect(!out || strstr(error.text, schema->key) != NULL, "%s is not named: %s", schema->key,
              error.text);
    cr_expect(error.status == LOAM_OK || error.text[0] != 0, "%s: refused without a word",
              draft.json);
    cr_expect(error.status != LOAM_ARENA_FULL && error.status != LOAM_INTERNAL, "%s: %s",
              draft.json, error.text);
}

static uint32_t try_operation(const loam_operation *operation) {
    rules_draft draft;
    int32_t target = 0;
    draft_rules(operation, NONE, 0, &draft);
    const int32_t count = draft.at;
    cr_expect_eq(fault_with(operation, draft.json).status, LOAM_OK, "%s", draft.json);
    for (; target < count; target++) {
        draft_rules(operation, target, 0, &draft);
        const loam_param_schema *schema = draft.found;
        const int64_t values[] = {schema->min,
                                  schema->min - 1,
                                  schema->min + 1,
                                  schema->max,
                                  schema->max - 1,
                                  schema->max + 1,
                                  0};
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            try_number(operation, schema, target, values[i]);
        }
    }
    return (uint32_t)target;
}

Test(rules_corners, every_number_of_rules_at_and_past_the_ends_of_its_range, .timeout = 0) {
    uint32_t numbers = 0, operations = 0;
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        const loam_operation *operation = loam_operation_at(i);
        if (operation->rules_count > 0) {
            operations++;
            numbers += try_operation(operation);
        }
    }
    cr_expect_gt(numbers, operations);
    cr_expect_gt(operations, 1);
}
