/* SPDX-License-Identifier: MIT
 *
 * test_key_sim.c: promises P3 and P4 for every operation, over random small graphs. One thing of an
 * input is changed, near or far: where a cell's key stays, its bytes stay. What lies beyond the
 * reach of the output changes neither. A cell is a part of any larger rectangle.
 */
#include "tests/sim/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many cover the table; a build with sanitizers, which takes ten times as long, tries fewer. */
enum { GRAPHS = 1500 };
#if defined(__SANITIZE_ADDRESS__)
enum { GRAPHS_USUAL = 300 };
#else
enum { GRAPHS_USUAL = GRAPHS };
#endif
enum { EDITS = 12, METRE = LOAM_UNITS_PER_METRE, OPERATIONS_MAX = 64 };

/* What trials came to. An edit is seen when the key changes, and felt when the cell does. */
typedef struct tally {
    uint32_t edits, seen, felt, wrong;
    uint32_t felt_by[OPERATIONS_MAX];
    uint32_t far, grown;
} tally;

/* A cell with its key. */
typedef struct answer {
    loam_status status;
    uint64_t key, bytes;
} answer;

static answer ask(trial *of, loam_rect rect) {
    answer got = {.status = trial_key(of, rect, &got.key)};
    if (got.status == LOAM_OK) {
        got.status = trial_bytes(of, rect, &got.bytes);
    }
    return got;
}

static loam_rect random_cell(dice *from, sim_place place) {
    int64_t side = dice_between(from, 20, place.side_m / 2) * METRE;
    int64_t x = place.x_m * METRE + dice_between(from, 0, place.side_m * METRE - side);
    int64_t z = place.z_m * METRE + dice_between(from, 0, place.side_m * METRE - side);
    return (loam_rect){x, z, x + side, z + side};
}

static void refuse(trial *of, const char *what, loam_port_kind kind, uint32_t edit) {
    if (of->why[0] == 0) {
        snprintf(of->why, WHY_BYTES, "%s: %s, edit %u", what, loam_port_kind_name(kind), edit);
    }
}

static void count_felt(const trial *of, tally *sum) {
    sum->felt++;
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        sum->felt_by[i] += (uint32_t)(of->made.operations >> i & 1);
    }
}

static void compare(trial *of, const answer *before, const answer *after, loam_port_kind kind,
                    uint32_t edit, tally *sum) {
    bool seen = before->key != after->key, felt = before->bytes != after->bytes;
    sum->edits++;
    sum->seen += seen;
    if (felt) {
        count_felt(of, sum);
    }
    if (felt && !seen) {
        refuse(of, "another cell under the same key", kind, edit);
    }
}

static const loam_port_kind kinds[INPUT_KINDS] = {LOAM_PORT_HEIGHTFIELD, LOAM_PORT_LINES,
                                                  LOAM_PORT_AREAS, LOAM_PORT_POINTS};

static void edit_near(trial *of, dice *from, loam_rect cell, const answer *before, tally *sum) {
    static sim_inputs kept;
    for (uint32_t edit = 0; edit < EDITS; edit++) {
        loam_port_kind kind = kinds[edit % INPUT_KINDS];
        if (!trial_uses(of, kind)) {
            continue;
        }
        kept = of->inputs;
        inputs_edit(from, kind, of->made.place, &of->inputs);
        if (trial_bind(of, kind)) {
            answer after = ask(of, cell);
            if (after.status == LOAM_OK) {
                compare(of, before, &after, kind, edit, sum);
            }
        }
        of->inputs = kept;
        of->why[0] == 0 ? (void)trial_bind(of, kind) : (void)0;
    }
}

/* Copies go with the whole of what they are copies of, wherever that lies. */
static bool copies_trees(const trial *of) {
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        if ((of->made.operations >> i & 1) != 0 &&
            strcmp(loam_operation_at(i)->name, "copy.points") == 0) {
            return true;
        }
    }
    return false;
}

/* Features beyond the reach come, and move there. */
static void edit_far(trial *of, loam_rect cell, const answer *before, tally *sum) {
    static sim_inputs kept;
    const int64_t reach = loam_plan_reach(of->world->plan, 0);
    kept = of->inputs;
    for (uint32_t i = 1; i < 2 * (INPUT_KINDS - 1) + 1; i++) {
        loam_port_kind kind = kinds[1 + i % (INPUT_KINDS - 1)];
        if (!trial_uses(of, kind) || (kind == LOAM_PORT_POINTS && copies_trees(of))) {
            continue;
        }
        inputs_edit_far(kind, of->made.place, reach + 60 * METRE, i * 77, &of->inputs);
        if (!trial_bind(of, kind)) {
            refuse(of, "no asset", kind, i);
            continue;
        }
        answer after = ask(of, cell);
        sum->far++;
        if (after.status != LOAM_OK || after.key != before->key || after.bytes != before->bytes) {
            refuse(of, "changed from beyond the reach", kind, i);
        }
    }
    of->inputs = kept;
}

static void keep_cell(point_union *all, loam_rect cell) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const union_point *point = &all->points[i];
        if (point->x >= cell.x0 && point->x < cell.x1 && point->z >= cell.z0 &&
            point->z < cell.z1) {
            all->points[kept++] = *point;
        }
    }
    all->count = kept;
    union_sort(all);
}

static void grow(trial *of, dice *from, loam_rect cell, tally *sum) {
    loam_rect grown = {
        cell.x0 - dice_between(from, 0, 99 * METRE), cell.z0 - dice_between(from, 0, 99 * METRE),
        cell.x1 + dice_between(from, 0, 99 * METRE), cell.z1 + dice_between(from, 0, 99 * METRE)};
    point_union small = {0}, large = {0};
    loam_points points;
    if (trial_cell(of, cell, &points) == LOAM_OK) {
        union_add(&small, &points);
        if (trial_cell(of, grown, &points) == LOAM_OK) {
            union_add(&large, &points);
            keep_cell(&small, cell);
            keep_cell(&large, cell);
            sum->grown++;
            if (union_difference(&small, &large) >= 0) {
                refuse(of, "a larger rectangle changes a cell", LOAM_PORT_NONE, 0);
            }
        }
    }
    union_fini(&small);
    union_fini(&large);
}

static void run_trial(trial *of, uint64_t number, tally *sum) {
    dice from = {number ^ 0x5eed};
    if (!trial_begin(of, number)) {
        return;
    }
    loam_rect cell = random_cell(&from, of->made.place);
    answer before = ask(of, cell);
    if (before.status == LOAM_OK) {
        grow(of, &from, cell, sum);
        edit_near(of, &from, cell, &before, sum);
        edit_far(of, cell, &before, sum);
    }
    if (of->why[0] != 0) {
        sum->wrong++;
        trial_print(of);
        cr_expect(false, "trial %llu: %s", (unsigned long long)number, of->why);
    }
    trial_end(of);
}

/* Operations that take an input, whatever it is, can be felt through; those that only look at the
 * draw of a point cannot be told from their source, which is. */
Test(key_sim, no_edit_changes_a_cell_but_not_its_key_nor_from_beyond_the_reach, .timeout = 0) {
    static trial one;
    tally sum = {0};
    const uint32_t count = trial_count(GRAPHS_USUAL);
    for (uint64_t number = trial_first(); number < trial_first() + count; number++) {
        run_trial(&one, number, &sum);
    }
    fprintf(stderr, "%u edits: %u keys changed, %u cells; %u far edits, %u rectangles grown\n",
            sum.edits, sum.seen, sum.felt, sum.far, sum.grown);
    cr_expect_eq(sum.wrong, 0);
    if (count < GRAPHS) {
        return;
    }
    cr_expect_gt(sum.felt * 20, sum.edits, "edits hardly show");
    cr_expect_lt(sum.seen, sum.edits, "every edit changes the key");
    cr_expect_gt(sum.far, 0);
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        cr_expect_gt(sum.felt_by[i], 0, "no edit shows through %s", loam_operation_at(i)->name);
    }
}
