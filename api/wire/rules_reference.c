/* SPDX-License-Identifier: MIT
 *
 * rules_reference.c: see rules_reference.h.
 */
#include "api/wire/rules_reference.h"

#include "api/wire/rules_document.h"
#include "core/base/try.h"

/* The document that a text stands for. */
static loam_status find_rules(const item *at, const rules_resolver *resolver,
                              const loam_rules **rules) {
    loam_text name;
    LOAM_TRY(item_text(at, &name));
    loam_status status =
        resolver == NULL ? LOAM_NOT_FOUND : resolver->find_rules(resolver->context, name, rules);
    if (status != LOAM_OK) {
        return item_fail(at, status,
                         status == LOAM_NOT_FOUND
                             ? "there is no document of rules \"%.64s\""
                             : "the document of rules \"%.64s\" cannot be looked up",
                         name.bytes);
    }
    return LOAM_OK;
}

loam_status rules_reference_read(const item *at, const rules_resolver *resolver, loam_arena *arena,
                                 const loam_rules **rules) {
    if (json_is_string(at->value)) {
        return find_rules(at, resolver, rules);
    }
    LOAM_TRY(item_object(at));
    loam_rules *read = loam_arena_take_zero(arena, 1, sizeof *read);
    LOAM_TRY_MEMORY(read, NULL);
    *rules = read;
    return rules_document_read(at, arena, read);
}
