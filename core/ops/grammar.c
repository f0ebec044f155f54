/* SPDX-License-Identifier: MIT
 *
 * grammar.c: grammar.generate: modules along lines, by a grammar. Every line that meets the
 * rectangle is laid out as a whole, from its own key and length and nothing else, so a line has one
 * layout whoever asks, and a long one is kept as a stage; of that, the modules whose middle is
 * asked for are points. An edit of a line changes the cells of that line and no other.
 */
#include "core/ops/grammar.h"

#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/base/pointer.h"
#include "core/base/rules_tree.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/attribute.h"
#include "core/ops/grammar_keep.h"
#include "core/ops/kept.h"
#include "core/ops/rules.h"
#include "core/ops/weighted.h"
#include "core/space/areas_parts.h"
#include "core/space/lines.h"

#include <stdio.h>

enum { GRAMMAR_LINES, GRAMMAR_RULES };
enum { GRAMMAR_TEXT, GRAMMAR_INCOMPLETE };
enum { MODULE_SYMBOL, MODULE_LENGTH, MODULE_VARIANTS };
enum { VARIANT_ASSET, VARIANT_WEIGHT };

/* Modules of one document; their numbers are bytes of a kept layout. */
enum { MODULES_MAX = 64 };
/* Lengths that repeat are kept in 1/65,536 unit: 2^24 in a metre; so long that an attribute holds
 * them. */
enum { BITS_FINE = 24 };
#define MODULE_LENGTH_MAX ((int64_t)32767 << BITS_FINE)
/* Bits of a fine length below an attribute's, and below a unit. */
enum { FINE_BELOW_ATTRIBUTE = 8 };

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

static const loam_value *field_of(const loam_value *record, uint32_t field) {
    return &record->items[field];
}

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

/* The node's grammar, made of the document's modules. */
static loam_status take_grammar(const loam_node *node, const loam_value *from, grammar *read,
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
    return take_grammar(node, rules, &read, modules, error);
}

/* ---- One evaluation ------------------------------------------------------------------------- */

/* A module's names and the weights of its variants. */
typedef struct module_assets {
    uint32_t symbol;
    uint32_t names[WEIGHTED_MAX];
    weighted_table weights;
} module_assets;

typedef struct grammar_columns {
    int32_t *x, *y, *z, *module, *length, *station;
    uint32_t *a, *b, *asset;
    uint16_t *yaw;
} grammar_columns;

typedef struct grammar_walk {
    node_call *call;
    const loam_lines *lines;
    grammar of;
    grammar_module modules[MODULES_MAX];
    module_assets assets[MODULES_MAX];
    grammar_layout layout;
    uint32_t placed;            /* modules of the line at hand */
    uint32_t line_count, found; /* lines laid out, and those whose layout was kept */
    uint64_t asset_key;
    grammar_columns columns;
    uint32_t count, capacity;
} grammar_walk;

static uint64_t points_most(loam_rect rect) {
    uint64_t width = (uint64_t)(rect.x1 - rect.x0), depth = (uint64_t)(rect.z1 - rect.z0);
    uint64_t length = width * depth / LINE_PITCH_UNITS + 2 * (width + depth);
    uint64_t most = length / MODULE_PITCH_UNITS + 1;
    return most < CANDIDATES_PER_NODE_MAX ? most : CANDIDATES_PER_NODE_MAX;
}

static void grammar_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                         node_cost *cost) {
    (void)node;
    (void)inputs;
    uint64_t most = points_most(rect);
    *cost = (node_cost){.candidates = most,
                        .fresh = most,
                        .bytes = most * GRAMMAR_BYTES_EACH + sizeof(grammar_walk) +
                                 (uint64_t)GRAMMAR_PLACED_MAX * sizeof(grammar_placed),
                        .spacing_min = (int64_t)MODULE_PITCH_UNITS,
                        .crowd = 1};
}

static loam_status take_assets(grammar_walk *walk, const loam_value *from) {
    node_call *call = walk->call;
    for (uint32_t m = 0; m < from->item_count; m++) {
        const loam_value *variants = field_of(&from->items[m], MODULE_VARIANTS);
        module_assets *assets = &walk->assets[m];
        int64_t weights[WEIGHTED_MAX];
        loam_text symbol = field_of(&from->items[m], MODULE_SYMBOL)->text;
        LOAM_TRY(node_fail(call, name_table_add(call->names, symbol, &assets->symbol)));
        for (uint32_t v = 0; v < variants->item_count; v++) {
            const loam_value *variant = &variants->items[v];
            weights[v] = field_of(variant, VARIANT_WEIGHT)->integer;
            LOAM_TRY(
                node_fail(call, name_table_add(call->names, field_of(variant, VARIANT_ASSET)->text,
                                               &assets->names[v])));
        }
        if (variants->item_count > 0) {
            weighted_init(&assets->weights, weights, variants->item_count);
        }
    }
    return LOAM_OK;
}

static loam_status take_columns(grammar_walk *walk) {
    loam_arena *arena = walk->call->arena;
    uint32_t count = walk->capacity;
    walk->columns = (grammar_columns){
        .x = COLUMN_TAKE(arena, count, int32_t),
        .y = loam_arena_take_zero(arena, column_size(count), sizeof(int32_t)),
        .z = COLUMN_TAKE(arena, count, int32_t),
        .module = COLUMN_TAKE(arena, count, int32_t),
        .length = COLUMN_TAKE(arena, count, int32_t),
        .station = COLUMN_TAKE(arena, count, int32_t),
        .a = COLUMN_TAKE(arena, count, uint32_t),
        .b = COLUMN_TAKE(arena, count, uint32_t),
        .asset = COLUMN_TAKE(arena, count, uint32_t),
        .yaw = COLUMN_TAKE(arena, count, uint16_t),
    };
    const grammar_columns *columns = &walk->columns;
    bool full = columns->x == NULL || columns->y == NULL || columns->z == NULL ||
                columns->module == NULL || columns->length == NULL || columns->station == NULL ||
                columns->a == NULL || columns->b == NULL || columns->asset == NULL ||
                columns->yaw == NULL;
    return node_fail(walk->call, full ? LOAM_ARENA_FULL : LOAM_OK);
}

static loam_status walk_init(node_call *call, grammar_walk **made) {
    const loam_value *rules;
    grammar_walk *walk = loam_arena_take_zero(call->arena, 1, sizeof *walk);
    LOAM_TRY_MEMORY(walk, call->error);
    *made = walk;
    LOAM_TRY(rules_take(call, GRAMMAR_RULES, &rules));
    walk->call = call;
    walk->lines = call->assets[GRAMMAR_LINES]->lines;
    walk->capacity = (uint32_t)points_most(call->rect);
    walk->asset_key = draw_key(call->seed, DRAW_ASSET);
    LOAM_TRY(take_grammar(call->node, rules, &walk->of, walk->modules, call->error));
    LOAM_TRY(take_assets(walk, rules));
    LOAM_TRY(take_columns(walk));
    walk->layout = (grammar_layout){
        .of = &walk->of,
        .modules = walk->modules,
        .module_count = rules->item_count,
        .accept_incomplete = param_integer(call->node, GRAMMAR_INCOMPLETE) != 0,
        .choice_key = draw_key(call->seed, DRAW_MODULE),
        .placed = loam_arena_take(call->arena, GRAMMAR_PLACED_MAX, sizeof(grammar_placed)),
    };
    LOAM_TRY_MEMORY(walk->layout.placed, call->error);
    return LOAM_OK;
}

/* Along one axis: from a, `along` of a segment's length towards b; rounded once. */
static int64_t between(int64_t a, int64_t b, int64_t along, int64_t length) {
    area_wide twice = (area_wide)2 * (b - a) * along + length;
    area_wide quotient = twice / ((area_wide)2 * length);
    return a + (int64_t)(quotient - (twice % ((area_wide)2 * length) < 0));
}

static uint16_t heading(const int64_t *xz) {
    double turns = fixed_atan2_turns((double)(xz[2] - xz[0]), (double)(xz[3] - xz[1]));
    return (uint16_t)round_to_int(turns * LOAM_TURN);
}

/* Metres in 1/65,536; beyond 32 km, what an attribute can hold at most. */
static int32_t attribute_of(int64_t fine) {
    int64_t number = (fine + (1 << (FINE_BELOW_ATTRIBUTE - 1))) >> FINE_BELOW_ATTRIBUTE;
    return (int32_t)(number < INT32_MAX ? number : INT32_MAX);
}

/* A point for one module, in the middle of what it takes of a segment's line. */
static loam_status add_point(grammar_walk *walk, const int64_t xz[2], uint16_t yaw, uint64_t origin,
                             uint32_t module, int64_t middle) {
    const grammar_columns *to = &walk->columns;
    const module_assets *assets = &walk->assets[module];
    loam_rect rect = walk->call->rect;
    if (xz[0] < rect.x0 || xz[0] >= rect.x1 || xz[1] < rect.z0 || xz[1] >= rect.z1) {
        return LOAM_OK;
    }
    if (walk->count == walk->capacity) {
        return loam_fail(walk->call->error, LOAM_BUDGET_EXCEEDED, walk->call->pointer,
                         "the lines here have more than %u modules; use longer modules or smaller "
                         "cells",
                         walk->capacity);
    }
    uint32_t at = walk->count++;
    to->a[at] = (uint32_t)origin;
    to->b[at] = (uint32_t)(origin >> 32);
    to->x[at] = (int32_t)(xz[0] - rect.x0);
    to->z[at] = (int32_t)(xz[1] - rect.z0);
    to->yaw[at] = yaw;
    to->module[at] = (int32_t)assets->symbol;
    to->length[at] = attribute_of(walk->modules[module].length);
    to->station[at] = attribute_of(middle);
    uint32_t bits = draw_bits(draw_row_key(walk->asset_key, to->b[at]), to->a[at]);
    to->asset[at] = assets->weights.count == 0
                        ? ASSET_NONE
                        : assets->names[weighted_choose(&assets->weights, bits)];
    return LOAM_OK;
}

/* ---- Points --------------------------------------------------------------------------------- */

static int64_t middle_of(const grammar_walk *walk, uint32_t placed) {
    const grammar_placed *module = &walk->layout.placed[placed];
    return module->start + walk->modules[module->module].length / 2;
}

/* The first module whose middle is not before a place; middles never fall. */
static uint32_t first_from(const grammar_walk *walk, int64_t along) {
    uint32_t low = 0, high = walk->placed;
    while (low < high) {
        const uint32_t half = low + (high - low) / 2;
        if (middle_of(walk, half) < along) {
            low = half + 1;
        } else {
            high = half;
        }
    }
    return low;
}

/* The modules whose middle lies on one segment, in order. Its end is the next segment's. */
static loam_status add_segment(grammar_walk *walk, line_segment segment) {
    const loam_line *line = &loam_lines_normal_form(walk->lines)->lines[segment.line];
    const int64_t *arc = lines_arc(walk->lines, segment.line) + segment.index;
    const int64_t *from = line->xz + 2 * (size_t)segment.index;
    const bool last = segment.index + 2 == line->count;
    const uint32_t end = last ? walk->placed : first_from(walk, arc[1]);
    const uint16_t yaw = heading(from);
    for (uint32_t i = first_from(walk, arc[0]); i < end; i++) {
        const int64_t middle = middle_of(walk, i);
        const int64_t along = middle - arc[0], length = arc[1] - arc[0];
        const int64_t xz[2] = {between(from[0], from[2], along, length),
                               between(from[1], from[3], along, length)};
        LOAM_TRY(add_point(walk, xz, yaw, mix_pair(line->key, i), walk->layout.placed[i].module,
                           middle));
    }
    return LOAM_OK;
}

/* A line with those of its segments, `count` of them, that meet the rectangle. */
static loam_status add_line(grammar_walk *walk, const line_segment *segments, uint32_t count) {
    const node_call *call = walk->call;
    const loam_line *line = &loam_lines_normal_form(walk->lines)->lines[segments->line];
    walk->layout.length = lines_arc(walk->lines, segments->line)[line->count - 1];
    walk->layout.line_key = line->key;
    bool found = false;
    if (grammar_layout_take(&walk->layout, call, &walk->placed, &found) != LOAM_OK) {
        return loam_fail(call->error, LOAM_BUDGET_EXCEEDED, call->pointer,
                         "a line has more than %u modules", GRAMMAR_PLACED_MAX);
    }
    walk->line_count++;
    walk->found += found;
    for (uint32_t i = 0; i < count; i++) {
        LOAM_TRY(add_segment(walk, segments[i]));
    }
    return poll_cancel(call);
}

static loam_status give_points(grammar_walk *walk) {
    node_call *call = walk->call;
    const grammar_columns *columns = &walk->columns;
    *call->out = (point_set){.count = walk->count,
                             .base_x = call->rect.x0,
                             .base_z = call->rect.z0,
                             .x = columns->x,
                             .y = columns->y,
                             .z = columns->z,
                             .a = columns->a,
                             .b = columns->b,
                             .id_key = draw_key(call->seed, DRAW_ID),
                             .density_all = LOAM_DENSITY_ONE,
                             .yaw = columns->yaw,
                             .asset = columns->asset,
                             .station = columns->station};
    LOAM_TRY(attribute_put(call, call->out, loam_text_of("module"), LOAM_ATTRIBUTE_STRING,
                           columns->module));
    return attribute_put(call, call->out, loam_text_of("length"), LOAM_ATTRIBUTE_FLOAT,
                         columns->length);
}

static loam_status grammar_evaluate(node_call *call) {
    grammar_walk *walk = NULL;
    line_segment *segments;
    uint32_t segment_count = 0;
    LOAM_TRY(walk_init(call, &walk));
    LOAM_TRY(node_fail(
        call, lines_collect(walk->lines, call->rect, 0, call->arena, &segments, &segment_count)));
    for (uint32_t i = 0, count = 0; i < segment_count; i += count) {
        count = 1;
        while (i + count < segment_count && segments[i + count].line == segments[i].line) {
            count++;
        }
        LOAM_TRY(add_line(walk, &segments[i], count));
    }
    call->path = walk->line_count > 0 && walk->found == walk->line_count ? PATH_KEPT : "line";
    return give_points(walk);
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
                                              .evaluate = grammar_evaluate};
