/* SPDX-License-Identifier: MIT
 *
 * property.h: what the targets share. A target is one function that takes any bytes and requires a
 * property of what the code under test makes of them; a property that does not hold ends the
 * program, as a crash does, and so becomes a finding.
 */
#ifndef LOAM_FUZZ_PROPERTY_H
#define LOAM_FUZZ_PROPERTY_H

#include "api/wire/fault.h"
#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* The entry of a target; libFuzzer or replay.c calls it. Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the program, saying the property, unless it holds. */
void require(bool holds, const char *property);
/* The same for two byte strings that must be equal; prints both when they are not. */
void require_equal(loam_text got, loam_text want, const char *property);

/* A sink that requires every byte to be the next of what is left of `want`, which it borrows:
 * `property` unless it is. At the end want->left is to be empty. */
typedef struct wanted_bytes {
    loam_text left;
    const char *property;
} wanted_bytes;
loam_sink wanted_sink(wanted_bytes *want);

/* What every refusal owes: a status that is neither OK nor internal, a JSON pointer or none, and a
 * pointer or a text to go by. */
void require_fault(loam_status status, const loam_error *error);
/* The same for all that are kept of a list, whose first has `status`. */
void require_faults(loam_status status, const fault_list *faults);

/* The input as text. */
loam_text input_text(const uint8_t *bytes, size_t size);
/* Cuts what stands before the next `separator`, or all, off the rest. */
loam_text cut_text(loam_text *rest, char separator);
/* Whether `part` stands somewhere in `whole`, without regard to case. */
bool text_holds(loam_text whole, const char *part);

/* An empty arena over memory that lives as long as the program: one for each `which` below
 * ARENAS_MAX, whose size never changes. A target has those below ARENA_GROUND. */
enum { ARENA_GROUND = 4, ARENA_WAYS, ARENA_TREES, ARENA_ASSET, ARENAS_MAX };
loam_arena *empty_arena(unsigned which, size_t size);

/* Bytes of an asset; borrowed until the next call. A refusal has been judged. */
LOAM_MUST_USE loam_status decode_asset(loam_text bytes, loam_asset *asset);
/* An asset that was accepted (not by decode_asset) has canonical bytes, which are accepted and are
 * their own. */
void require_asset_round_trip(const loam_asset *asset);

#endif
