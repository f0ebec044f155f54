/* SPDX-License-Identifier: MIT
 *
 * cell_checks.c: see cell_checks.h.
 */
#include "api/cli/cell_checks.h"

#include <inttypes.h>
#include <stdio.h>

#include "api/cli/memory.h"
#include "api/wire/check_document.h"
#include "core/base/text.h"
#include "core/base/try.h"

/* Beside the evaluation of a strip: a table of the cell's points, zones in sight. */
#define JUDGE_ARENA_BYTES_MIN ((size_t)1 << 30)

bool cell_checks_wanted(const offline_world *offline) {
    return checks_of(&offline->world, offline->output) != NULL;
}

/* Room for the dearest strip. */
static loam_status judge_arena_open(const offline_world *offline, const loam_check *check,
                                    loam_rect rect, loam_arena *arena, loam_error *error) {
    loam_rect strips[LOAM_CHECK_STRIPS];
    uint64_t most = 0;
    uint32_t count =
        loam_check_asks(check, LOAM_CHECK_SPACING) ? loam_check_strips(check, rect, strips) : 0;
    for (uint32_t i = 0; i < count; i++) {
        loam_estimate estimate;
        LOAM_TRY(loam_plan_estimate(offline->plan, offline->output, strips[i], &estimate, error));
        most = estimate.arena_bytes > most ? estimate.arena_bytes : most;
    }
    return memory_open(arena, JUDGE_ARENA_BYTES_MIN + (size_t)most, error);
}

loam_status cell_checks_run(const offline_world *offline, const loam_run *run, offline_cell *cell,
                            loam_error *error) {
    const loam_check *check = checks_of(&offline->world, offline->output);
    loam_run own = *run;
    loam_arena arena = {0};
    cell->verdict = (loam_verdict){0};
    if (check == NULL) {
        return LOAM_OK;
    }
    const loam_query query = {.plan = offline->plan,
                              .output = offline->output,
                              .rect = cell->points.rect,
                              .slots = offline->slots};
    LOAM_TRY(judge_arena_open(offline, check, cell->points.rect, &arena, error));
    own.arena = &arena;
    own.trace = NULL;
    loam_status status = loam_check_cell(check, &query, &cell->points, &own, &cell->verdict, error);
    memory_close(&arena);
    return status;
}

loam_status cell_checks_read(const offline_world *offline, loam_rect rect, loam_text bytes,
                             const loam_run *run, offline_cell *cell, loam_error *error) {
    LOAM_TRY(offline_prepare(offline, rect, cell, error));
    LOAM_TRY(loam_cell_decode(bytes.bytes, bytes.size, &cell->arena, &cell->points, error));
    return cell_checks_run(offline, run, cell, error);
}

bool cell_checks_tell(const offline_world *offline, cell_address address,
                      const offline_cell *cell) {
    char words[LOAM_ERROR_TEXT_BYTES];
    bool warns = offline->world.check_warns;
    if (cell->verdict.reason_count == 0) {
        return false;
    }
    reasons_tell(&cell->verdict, words);
    (void)fprintf(stderr, "%s %" PRId64 "/%" PRId64 "/%" PRId64 ": %s: %s\n",
                  offline->world.graph.outputs[offline->output].name.bytes, address.level,
                  address.x, address.z, warns ? "warning" : loam_status_code(LOAM_CHECK_FAILED),
                  words);
    return !warns;
}
