/* SPDX-License-Identifier: MIT
 *
 * dungeon_document.h: a request for a dungeon, {"recipe", "version"?, "seed", "params"?, "policy"?,
 * "content"?, "secret_seed"?}. Where a recipe takes a document of rules, the name or the digest of
 * an asset stands for it: core gets documents alone.
 */
#ifndef LOAM_API_WIRE_DUNGEON_DOCUMENT_H
#define LOAM_API_WIRE_DUNGEON_DOCUMENT_H

#include "api/wire/fault.h"
#include "api/wire/rules_reference.h"
#include "api/wire/text_buffer.h"
#include "core/loam_dungeon.h"

typedef struct dungeon_document {
    loam_dungeon_request request;
    const loam_rules *content; /* NULL: the default */
    bool secret_given;
    uint64_t secret_seed;
} dungeon_document;

/* Memory for the largest document: its JSON is bounded, and so are the values in it. */
size_t dungeon_document_bytes(loam_text json);

/* Owned by `arena` but for documents of the resolver, which may be NULL. LOAM_OK, or the status of
 * the first fault. What the parameters are, core says when it makes a plan. */
LOAM_MUST_USE loam_status dungeon_document_read(loam_text json, const rules_resolver *resolver,
                                                loam_arena *arena, dungeon_document *to,
                                                fault_list *faults);

/* The request as it is kept under its build key: recipe, version, seed, all parameters, policy. */
void dungeon_document_write(text_buffer *buffer, const loam_dungeon_plan *plan);
/* The same with content and secret, where `document` has them: what is kept under a content key. */
void dungeon_document_write_secret(text_buffer *buffer, const loam_dungeon_plan *plan,
                                   const dungeon_document *document);

#endif
