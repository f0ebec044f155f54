/* SPDX-License-Identifier: MIT
 *
 * rules_reference.h: a document of rules that stands in another document: here, or by the name or
 * the digest of its asset. Internal to api/wire but for the resolver.
 */
#ifndef LOAM_API_WIRE_RULES_REFERENCE_H
#define LOAM_API_WIRE_RULES_REFERENCE_H

#include "api/wire/document.h"
#include "core/loam.h"

/* Documents of rules by name or digest; borrowed as long as the resolver wants, at least until what
 * was read has been used. LOAM_NOT_FOUND when there is none. */
typedef struct rules_resolver {
    loam_status (*find_rules)(void *context, loam_text name, const loam_rules **rules);
    void *context;
} rules_resolver;

/* Owned by `arena`, or borrowed from the resolver, which may be NULL: then no name is known. */
LOAM_MUST_USE loam_status rules_reference_read(const item *at, const rules_resolver *resolver,
                                               loam_arena *arena, const loam_rules **rules);

#endif
