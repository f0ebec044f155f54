/* SPDX-License-Identifier: MIT
 *
 * grammar.c: grammar.generate: modules along lines, by a grammar. Every line that meets the
 * rectangle is laid out as a whole, from its own key and length and nothing else, so a line has one
 * layout whoever asks, and a long one is kept as a stage; of that, the modules whose middle is
 * asked for are points. An edit of a line changes the cells of that line and no other.
 */
#include "core/ops/grammar_walk.h"

#include "core/base/pointer.h"
#include "core/base/rules_tree.h"
#include "core/base/try.h"
#include "core/ops/rules.h"
#include "core/space/lines.h"

#include <stdio.h>

/* x, y, z, a, b, asset, module, length, station, yaw. */
enum { GRAMMAR_BYTES_EACH = 38 };
/* Lines that run beside each other are farther apart than this, over a cell; modules, along them,
 * are longer. What a cell may hold follows from it. */
#define LINE_PITCH_UNITS ((uint64_t)32 * LOAM_UNITS_PER_METRE)
#define MODULE_PITCH_UNITS ((uint64_t)LOAM_UNITS_PER_METRE / 4)

static const loam_param_schema variant_fields[] = {
    PARAM("asset", "Asset", "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0, "What stands there."),
    PARAM("weight", "Weight", "", FLOAT, BITS_RATIO, 0, 65536, 0, INT32_MAX, 6554,
          "Its share among the variants of its module."),
};

static const loam_param_schema module_fields[] = {
    PARAM("symbol", "Symbol", "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0,
          "What the grammar calls it: letters, - and _."),
    PARAM("length_m", "Length", "m", FLOAT, BITS_FINE, LOAM_PARAM_REQUIRED, 0, 0, MODULE_LENGTH_MAX,
          1 << 22, "How much of the line it takes."),
    {.key = "variants",
     .label = "Variants",
     .description = "Assets that it can be, each with its share; none leaves it empty.",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .items_max = WEIGHTED_MAX,
     .fields = variant_fields,
     .field_count = COUNT_OF(variant_fields)},
};

static const loam_param_schema rules_fields[] = {
    {.key = "modules",
     .label = "Modules",
     .description = "What the grammar's symbols stand for.",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .flags = LOAM_PARAM_REQUIRED,
     .items_min = 1,
     .items_max = MODULES_MAX,
     .fields = module_fields,
     .field_count = COUNT_OF(module_fields)},
};

static const loam_param_schema grammar_params[] = {
    PARAM("grammar", "Grammar", "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0,
          "A,B in a row; [A,B] a group; A3 three; A* A+ as many as fit; {A:2,B:1} by weight; <A,B> "
          "the first that fits."),
    PARAM("accept_incomplete", "Accept incomplete", "", BOOL, 0, 0, 0, 0, 1, 1,
          "A line too short for all that must be there gets what fits, else nothing."),
};

static const loam_port_schema grammar_ports[] = {
    {"lines", LOAM_PORT_LINES, true, 0, false},
    {"rules", LOAM_PORT_RULES, true, 0, false},
};

/* ---- Rules ---------------------------------------------------------------------------------- */

static loam_status grammar_check(const loam_node *node, const char *pointer, loam_error *error) {
    grammar read;
    char at[LOAM_POINTER_BYTES];
    snprintf(at, sizeof at, "%s/grammar", pointer);
    return grammar_read(node->params[GRAMMAR_TEXT].text, &read, at, error);
}

static loam_status module_fault(uint32_t module, const char *field, const char *text,
                                loam_error *error) {
    char at[LOAM_POINTER_BYTES];
    snprintf(at, sizeof at, "/modules/%u/%s", module, field);
    return loam_fail(error, LOAM_OUT_OF_RANGE, at, "%s", text);
}

static loam_status check_module(const loam_value *modules, uint32_t index, loam_error *error) {
    const loam_value *module = &modules->items[index];
    loam_text symbol = field_of(module, MODULE_SYMBOL)->text;
    if (!grammar_is_symbol(symbol)) {
        return module_fault(index, "symbol", "a symbol is letters, - and _", error);
    }
    for (uint32_t i = 0; i < index; i++) {
        if (loam_text_equal(field_of(&modules->items[i], MODULE_SYMBOL)->text, symbol)) {
            return module_fault(index, "symbol", "two modules have this symbol", error);
        }
    }
    const loam_value *variants = field_of(module, MODULE_VARIANTS);
    int64_t total = 0;
    for (uint32_t i = 0; i < variants->item_count; i++) {
        total += field_of(&variants->items[i], VARIANT_WEIGHT)->integer;
    }
    return total > 0 || variants->item_count == 0
               ? LOAM_OK
               : module_fault(index, "variants", "at least one weight is above 0", error);
}

/* Modules as the grammar takes them. */
static void modules_of(const loam_value *from, grammar_module *modules) {
    for (uint32_t i = 0; i < from->item_count; i++) {
        modules[i] = (grammar_module){field_of(&from->items[i], MODULE_SYMBOL)->text,
                                      field_of(&from->items[i], MODULE_LENGTH)->integer};
    }
}

loam_status grammar_take(const loam_node *node, const loam_value *from, grammar *read,
                         grammar_module *modules, loam_error *error) {
    modules_of(from, modules);
    LOAM_TRY(grammar_read(node->params[GRAMMAR_TEXT].text, read, "/modules", error));
    return grammar_resolve(read, modules, from->item_count, "/modules", error);
}

static loam_status grammar_check_rules(const loam_node *node, const loam_value *rules,
                                       loam_error *error) {
    grammar read;
    grammar_module modules[MODULES_MAX];
    for (uint32_t i = 0; i < rules->item_count; i++) {
        LOAM_TRY(check_module(rules, i, error));
    }
    return grammar_take(node, rules, &read, modules, error);
}

/* ---- What it costs, what it sees --------------------------------------------------------------
 */

uint64_t grammar_points_most(loam_rect rect) {
    uint64_t width = (uint64_t)(rect.x1 - rect.x0), depth = (uint64_t)(rect.z1 - rect.z0);
    uint64_t length = width * depth / LINE_PITCH_UNITS + 2 * (width + depth);
    uint64_t most = length / MODULE_PITCH_UNITS + 1;
    return most < CANDIDATES_PER_NODE_MAX ? most : CANDIDATES_PER_NODE_MAX;
}

static void grammar_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                         node_cost *cost) {
    (void)node;
    (void)inputs;
    uint64_t most = grammar_points_most(rect);
    *cost = (node_cost){.candidates = most,
                        .fresh = most,
                        .bytes = most * GRAMMAR_BYTES_EACH + sizeof(grammar_walk) +
                                 (uint64_t)GRAMMAR_PLACED_MAX * sizeof(grammar_placed),
                        .spacing_min = (int64_t)MODULE_PITCH_UNITS,
                        .crowd = 1};
}

/* Whole lines, those that meet the rectangle. */
static loam_status see_lines(const loam_lines *lines, loam_rect rect, byte_writer *writer,
                             loam_arena *scratch) {
    size_t mark = loam_arena_mark(scratch);
    line_segment *segments;
    uint32_t segment_count = 0, count = 0;
    LOAM_TRY(lines_collect(lines, rect, 0, scratch, &segments, &segment_count));
    for (uint32_t i = 0; i < segment_count; i++) {
        count += i == 0 || segments[i].line != segments[i - 1].line;
    }
    write_u32(writer, count);
    for (uint32_t i = 0; i < segment_count; i++) {
        if (i > 0 && segments[i].line == segments[i - 1].line) {
            continue;
        }
        const loam_line *line = &loam_lines_normal_form(lines)->lines[segments[i].line];
        write_u64(writer, line->key);
        write_u32(writer, line->count);
        for (size_t v = 0; v < 2 * (size_t)line->count; v++) {
            write_i64(writer, line->xz[v]);
        }
    }
    loam_arena_reset(scratch, mark);
    return LOAM_OK;
}

static loam_status grammar_see(const loam_node *node, uint32_t port, loam_rect rect,
                               const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)node;
    if (port == GRAMMAR_RULES) {
        rules_tree_write(writer, asset->rules);
        return LOAM_OK;
    }
    return see_lines(asset->lines, rect, writer, scratch);
}

const loam_operation grammar_generate_operation = {
    .name = "grammar.generate",
    .version = 1,
    .category = "flow",
    .title = "Grammar",
    .description = "Modules along lines by a grammar, one point in the middle of each, turned the "
                   "way that the line goes. What does not fill a module at the end stays empty.",
    .reach = "0; a line that is met is seen as a whole",
    .ports = grammar_ports,
    .port_count = COUNT_OF(grammar_ports),
    .params = grammar_params,
    .param_count = COUNT_OF(grammar_params),
    .seeded = true,
    .rules = rules_fields,
    .rules_count = COUNT_OF(rules_fields),
};
const operation_code grammar_generate_code = {.check = grammar_check,
                                              .check_rules = grammar_check_rules,
                                              .cost = grammar_cost,
                                              .see = grammar_see,
                                              .evaluate = grammar_walk_evaluate};
