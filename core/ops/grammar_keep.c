/* SPDX-License-Identifier: MIT
 *
 * grammar_keep.c: see grammar_keep.h.
 */
#include "core/ops/grammar_keep.h"

#include "core/base/try.h"
#include "core/ops/kept.h"

/* A layout with the node that it is of. */
typedef struct kept_layout {
    const grammar_layout *layout;
    const loam_node *node;
    uint32_t count;
} kept_layout;

/* All that a layout follows from, and no more: where a line runs is not in it, only how long it
 * is. */
static loam_status write_key(const void *context, loam_sink sink, loam_arena *scratch) {
    const kept_layout *kept = context;
    const grammar_layout *layout = kept->layout;
    byte_writer writer;
    (void)scratch;
    writer_init(&writer, sink);
    write_bytes(&writer, STAGE_KEY_DOMAIN, sizeof STAGE_KEY_DOMAIN - 1);
    write_text(&writer, loam_text_of("layout"));
    write_u16(&writer, kept->node->operation->version);
    write_text(&writer, kept->node->params[0].text);
    write_u8(&writer, layout->accept_incomplete);
    write_u64(&writer, layout->choice_key);
    write_u32(&writer, layout->module_count);
    for (uint32_t m = 0; m < layout->module_count; m++) {
        write_text(&writer, layout->modules[m].symbol);
        write_i64(&writer, layout->modules[m].length);
    }
    write_u64(&writer, layout->line_key);
    write_i64(&writer, layout->length);
    writer_flush(&writer);
    return LOAM_OK;
}

/* Modules stand side by side, so that their numbers, which are bytes, are enough. */
static loam_status write_layout(const void *context, loam_sink sink, loam_arena *scratch) {
    const kept_layout *kept = context;
    byte_writer writer;
    (void)scratch;
    writer_init(&writer, sink);
    write_u32(&writer, kept->count);
    for (uint32_t i = 0; i < kept->count; i++) {
        write_u8(&writer, (uint8_t)kept->layout->placed[i].module);
    }
    writer_flush(&writer);
    return LOAM_OK;
}

static bool read_layout(const grammar_layout *layout, byte_reader *reader, uint32_t *placed) {
    const uint32_t count = read_u32(reader);
    if (count > GRAMMAR_PLACED_MAX || count != reader->left) {
        return false;
    }
    const unsigned char *numbers = read_bytes(reader, count);
    int64_t start = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (numbers[i] >= layout->module_count) {
            return false;
        }
        layout->placed[i] = (grammar_placed){numbers[i], start};
        start += layout->modules[numbers[i]].length;
    }
    *placed = count;
    return !reader->failed && start <= layout->length;
}

static bool find_layout(const grammar_layout *layout, const loam_run *run, loam_text key,
                        uint32_t *count) {
    loam_stage stage;
    byte_reader reader;
    if (!kept_find(run, key, &stage, &reader)) {
        return false;
    }
    bool found = read_layout(layout, &reader, count);
    kept_release(run, &stage);
    return found;
}

/* Whether it has room for many modules: of the shortest that have a length. */
static bool is_long(const grammar_layout *layout) {
    int64_t least = layout->length;
    for (uint32_t m = 0; m < layout->module_count; m++) {
        bool shorter = layout->modules[m].length > 0 && layout->modules[m].length < least;
        least = shorter ? layout->modules[m].length : least;
    }
    return layout->length / LAYOUT_KEPT_MIN >= least;
}

loam_status grammar_layout_take(const grammar_layout *layout, const node_call *call,
                                uint32_t *count, bool *found) {
    const loam_run *run = call->run;
    const size_t mark = loam_arena_mark(call->arena);
    kept_layout kept = {layout, call->node, 0};
    const kept_source key_source = {write_key, &kept}, source = {write_layout, &kept};
    loam_text key;
    *found = false;
    if (run->stages == NULL || !is_long(layout) ||
        !kept_collect_key(&key_source, call->arena, &key)) {
        return grammar_lay_out(layout, count);
    }
    *found = find_layout(layout, run, key, count);
    loam_status status = LOAM_OK;
    if (!*found) {
        status = grammar_lay_out(layout, &kept.count);
        *count = kept.count;
    }
    if (!*found && status == LOAM_OK) {
        kept_keep(run, key, &source);
    }
    loam_arena_reset(call->arena, mark);
    return status;
}
