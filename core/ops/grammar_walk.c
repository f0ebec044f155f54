/* SPDX-License-Identifier: MIT
 *
 * grammar_walk.c: see grammar_walk.h.
 */
#include "core/ops/grammar_walk.h"

#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/attribute.h"
#include "core/ops/kept.h"
#include "core/ops/rules.h"
#include "core/space/areas_parts.h"
#include "core/space/lines.h"

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
    LOAM_TRY(line_points_take(walk->call, walk->capacity, &walk->points));
    walk->module = COLUMN_TAKE(arena, walk->capacity, int32_t);
    walk->length = COLUMN_TAKE(arena, walk->capacity, int32_t);
    walk->asset = COLUMN_TAKE(arena, walk->capacity, uint32_t);
    bool full = walk->module == NULL || walk->length == NULL || walk->asset == NULL;
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
    walk->capacity = (uint32_t)grammar_points_most(call->rect);
    walk->asset_key = draw_key(call->seed, DRAW_ASSET);
    LOAM_TRY(grammar_take(call->node, rules, &walk->of, walk->modules, call->error));
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

/* A point for one module, in the middle of what it takes of a segment's line. */
static loam_status add_point(grammar_walk *walk, const line_point *point, uint32_t module) {
    const module_assets *assets = &walk->assets[module];
    line_points *points = &walk->points;
    if (!line_points_hold(points, point->xz)) {
        return LOAM_OK;
    }
    if (points->count == walk->capacity) {
        return loam_fail(walk->call->error, LOAM_BUDGET_EXCEEDED, walk->call->pointer,
                         "the lines here have more than %u modules; use longer modules or smaller "
                         "cells",
                         walk->capacity);
    }
    uint32_t at = line_points_add(points, point);
    walk->module[at] = (int32_t)assets->symbol;
    walk->length[at] = line_attribute_of(walk->modules[module].length);
    uint32_t bits = draw_bits(draw_row_key(walk->asset_key, points->b[at]), points->a[at]);
    walk->asset[at] = assets->weights.count == 0
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
        const line_point point = {
            .xz = xz, .station = middle, .origin = mix_pair(line->key, i), .yaw = yaw};
        LOAM_TRY(add_point(walk, &point, walk->layout.placed[i].module));
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
    *call->out = line_points_set(&walk->points, call);
    call->out->asset = walk->asset;
    LOAM_TRY(attribute_put(call, call->out, loam_text_of("module"), LOAM_ATTRIBUTE_STRING,
                           walk->module));
    return attribute_put(call, call->out, loam_text_of("length"), LOAM_ATTRIBUTE_FLOAT,
                         walk->length);
}

loam_status grammar_walk_evaluate(node_call *call) {
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
