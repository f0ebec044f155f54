/* SPDX-License-Identifier: MIT
 *
 * dungeon_key.c: the bytes whose SHA-256 is a dungeon's build key, and those of its stages. All
 * that decides the result and nothing else: recipe, version, seed, policy, every resolved
 * parameter, documents of rules in full. What is written here is a promise: a change of it makes
 * every stored dungeon a miss.
 */
#include "core/base/rules_tree.h"
#include "core/codec/format.h"
#include "core/layout/layout.h"

/* Parameters that the layout does not depend on, and of these those that assembly does not. */
static const char *const after_layout[] = {"cell_size_m", "outside", "tile_map", NULL};
static const char *const after_assembly[] = {"cell_size_m", NULL};

static bool is_among(const char *const *keys, loam_text key) {
    for (size_t i = 0; keys[i] != NULL; i++) {
        if (loam_text_equal(key, loam_text_of(keys[i]))) {
            return true;
        }
    }
    return false;
}

static void write_params(byte_writer *writer, const loam_rules *params,
                         const char *const *without) {
    for (uint32_t i = 0; i < params->count; i++) {
        if (!is_among(without, params->keys[i])) {
            write_text(writer, params->keys[i]);
            rules_tree_write(writer, &params->items[i]);
        }
    }
}

static void write_key(const loam_dungeon_plan *plan, const char *domain, const char *const *without,
                      loam_sink sink) {
    byte_writer writer;
    writer_init(&writer, sink);
    loam_text name = loam_text_of(domain);
    write_bytes(&writer, name.bytes, name.size);
    write_u16(&writer, DUNGEON_FORMAT_VERSION);
    write_text(&writer, loam_text_of(plan->recipe->name));
    write_u16(&writer, plan->recipe->version);
    write_u64(&writer, plan->seed);
    write_u8(&writer, (uint8_t)plan->policy);
    write_params(&writer, plan->params, without);
    writer_flush(&writer);
}

void loam_dungeon_key(const loam_dungeon_plan *plan, loam_sink sink) {
    static const char *const nothing[] = {NULL};
    write_key(plan, "loam-dungeon/1", nothing, sink);
}

void loam_dungeon_stage_key(const loam_dungeon_plan *plan, loam_dungeon_stage stage,
                            loam_sink sink) {
    if (stage == LOAM_STAGE_LAYOUT) {
        write_key(plan, "loam-layout/1", after_layout, sink);
    } else {
        write_key(plan, "loam-assembly/1", after_assembly, sink);
    }
}
