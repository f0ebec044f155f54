/* SPDX-License-Identifier: MIT
 *
 * encounter_document.h: who comes out of a spawn, asked and answered: {"spawn", "player": {"level",
 * "gear", "health_permille", "streak"}, "progress_permille"?, "wave"?, "table"}.
 */
#ifndef LOAM_API_WIRE_ENCOUNTER_DOCUMENT_H
#define LOAM_API_WIRE_ENCOUNTER_DOCUMENT_H

#include "api/key/key.h"
#include "api/wire/fault.h"
#include "api/wire/rules_reference.h"
#include "api/wire/text_buffer.h"
#include "core/loam_dungeon.h"

typedef struct encounter_document {
    uint64_t spawn;                 /* an id */
    loam_encounter_request request; /* all but spawn and sub */
} encounter_document;

/* Owned by `arena` but for documents of the resolver. LOAM_OK, or the status of the first fault. */
LOAM_MUST_USE loam_status encounter_document_read(loam_text json, const rules_resolver *resolver,
                                                  loam_arena *arena, encounter_document *to,
                                                  fault_list *faults);

/* {"archetype", ..., "table_digest", "reasons"}. */
void encounter_document_write(text_buffer *buffer, const loam_encounter *encounter,
                              const digest *table);

#endif
