/* SPDX-License-Identifier: MIT
 *
 * value_copy.c: see schema.h.
 */
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/schema/schema.h"

/* What a kind does not use is left out: it would give one meaning two keys. */
static loam_value used_of(const loam_value *value) {
    static const struct {
        bool integer, text, items, rules;
    } uses[] = {
        [LOAM_VALUE_INTEGER] = {.integer = true},
        [LOAM_VALUE_TEXT] = {.text = true},
        [LOAM_VALUE_LIST] = {.items = true},
        [LOAM_VALUE_ATTRIBUTE] = {.text = true, .items = true},
        [LOAM_VALUE_RULES] = {.rules = true},
    };
    loam_value used = {.kind = value->kind};
    if ((unsigned)value->kind < sizeof uses / sizeof uses[0]) {
        used.integer = uses[value->kind].integer ? value->integer : 0;
        used.text = uses[value->kind].text ? value->text : used.text;
        used.items = uses[value->kind].items ? value->items : NULL;
        used.item_count = uses[value->kind].items ? value->item_count : 0;
        used.rules = uses[value->kind].rules ? value->rules : NULL;
    }
    return used;
}

static loam_status copy_value(const loam_value *value, loam_arena *arena, int depth,
                              loam_value *copy) {
    *copy = used_of(value);
    if (depth > VALUE_DEPTH_MAX) {
        return LOAM_TOO_MANY;
    }
    if (copy->text.size > 0) {
        LOAM_TRY(text_copy(copy->text, arena, &copy->text));
    }
    if (copy->item_count == 0) {
        return LOAM_OK;
    }
    loam_value *items = loam_arena_take(arena, copy->item_count, sizeof *items);
    LOAM_TRY_MEMORY(items, NULL);
    for (uint32_t i = 0; i < copy->item_count; i++) {
        LOAM_TRY(copy_value(&copy->items[i], arena, depth + 1, &items[i]));
    }
    copy->items = items;
    return LOAM_OK;
}

loam_status value_copy(const loam_value *value, loam_arena *arena, loam_value *copy) {
    return copy_value(value, arena, 0, copy);
}
