/* SPDX-License-Identifier: MIT
 *
 * fuzz_dungeon_json.c: a request for a dungeon is refused with a fault, or core refuses what it
 * asks for with an error, or the request as it is kept is read again, to the same build key. The
 * same bytes are read as the question who comes out of a spawn, too.
 */
#include "api/key/key.h"
#include "api/wire/document.h"
#include "api/wire/dungeon_document.h"
#include "api/wire/encounter_document.h"
#include "tests/fuzz/property.h"

enum { ARENA_REQUEST, ARENA_AGAIN, ARENA_ENCOUNTER };

/* Documents as large as an input, and their plans. */
#define REQUEST_BYTES ((size_t)64 << 20)

static loam_status read_plan(loam_text json, loam_arena *arena, const loam_dungeon_plan **plan) {
    static fault_list faults;
    dungeon_document document;
    loam_error error = {0};
    fault_clear(&faults);
    loam_status status = dungeon_document_read(json, NULL, arena, &document, &faults);
    if (status != LOAM_OK) {
        require_faults(status, &faults);
        return status;
    }
    status = loam_dungeon_plan_build(&document.request, arena, plan, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
    }
    return status;
}

static void require_dungeon(loam_text json) {
    const loam_dungeon_plan *plan = NULL;
    const loam_dungeon_plan *again = NULL;
    text_buffer kept;
    if (read_plan(json, empty_arena(ARENA_REQUEST, REQUEST_BYTES), &plan) != LOAM_OK) {
        return;
    }
    buffer_init(&kept, JSON_BYTES_MAX);
    dungeon_document_write(&kept, plan);
    require(buffer_status(&kept) == LOAM_OK, "a request can be kept");
    require(read_plan(buffer_view(&kept), empty_arena(ARENA_AGAIN, REQUEST_BYTES), &again) ==
                LOAM_OK,
            "a request that was kept is read");
    const digest key = key_of_dungeon(plan);
    const digest key_again = key_of_dungeon(again);
    require(digest_equal(&key, &key_again), "a request that was kept has the same key");
    buffer_fini(&kept);
}

static void require_encounter(loam_text json) {
    static fault_list faults;
    encounter_document document;
    fault_clear(&faults);
    loam_status status = encounter_document_read(
        json, NULL, empty_arena(ARENA_ENCOUNTER, REQUEST_BYTES), &document, &faults);
    if (status != LOAM_OK) {
        require_faults(status, &faults);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    loam_text json = input_text(bytes, size);
    require_dungeon(json);
    require_encounter(json);
    return 0;
}
