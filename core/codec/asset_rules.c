/* SPDX-License-Identifier: MIT
 *
 * asset_rules.c: a document of rules as an asset: its bytes, and nothing else.
 */
#include "core/base/rules_tree.h"
#include "core/base/try.h"
#include "core/codec/asset_parts.h"

void asset_write_rules(byte_writer *writer, const loam_rules *rules) {
    rules_tree_write(writer, rules);
}

loam_status asset_read_rules(byte_reader *reader, loam_arena *arena, loam_asset *asset,
                             loam_error *error) {
    loam_rules *rules = loam_arena_take(arena, 1, sizeof *rules);
    LOAM_TRY_MEMORY(rules, error);
    loam_status status = rules_tree_read(reader, arena, rules);
    if (status == LOAM_ARENA_FULL) {
        return loam_fail(error, status, NULL, "%s", loam_status_text(status));
    }
    if (status != LOAM_OK || reader->left != 0) {
        return asset_damaged(error, "no canonical document of rules");
    }
    asset->rules = rules;
    return LOAM_OK;
}
