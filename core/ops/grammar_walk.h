/* SPDX-License-Identifier: MIT
 *
 * grammar_walk.h: what grammar.generate is given, and one evaluation of it. grammar.c reads and
 * checks the rules, grammar_walk.c lays modules along the lines that meet a rectangle.
 */
#ifndef LOAM_OPS_GRAMMAR_WALK_H
#define LOAM_OPS_GRAMMAR_WALK_H

#include "core/ops/grammar_keep.h"
#include "core/ops/line_points.h"
#include "core/ops/operation.h"
#include "core/ops/weighted.h"

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

/* A module's names and the weights of its variants. */
typedef struct module_assets {
    uint32_t symbol;
    uint32_t names[WEIGHTED_MAX];
    weighted_table weights;
} module_assets;

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
    line_points points;
    uint32_t capacity;
    int32_t *module, *length; /* of each point, as is the asset */
    uint32_t *asset;
} grammar_walk;

static inline const loam_value *field_of(const loam_value *record, uint32_t field) {
    return &record->items[field];
}

/* The node's grammar, made of the document's modules. */
LOAM_MUST_USE loam_status grammar_take(const loam_node *node, const loam_value *from, grammar *read,
                                       grammar_module *modules, loam_error *error);
/* What a cell may hold. */
uint64_t grammar_points_most(loam_rect rect);
LOAM_MUST_USE loam_status grammar_walk_evaluate(node_call *call);

#endif
