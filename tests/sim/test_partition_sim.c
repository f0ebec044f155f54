/* SPDX-License-Identifier: MIT
 *
 * test_partition_sim.c: promise P2 for every operation. Random small graphs, each over a square as
 * one piece and by cells of several sizes in shuffled order: the same points, whole, and in order.
 * SIM_GRAPHS=5000 makes so many graphs, SIM_FIRST=n begins with trial n.
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
enum { CELLS_MAX = 2048, METRE = LOAM_UNITS_PER_METRE, OPERATIONS_MAX = 64 };

/* What trials came to. */
typedef struct tally {
    uint32_t made, faulty, failed, empty, wrong;
    uint32_t covered[OPERATIONS_MAX], filled[OPERATIONS_MAX];
    uint64_t points;
} tally;

static int64_t floor_to(int64_t value, int64_t step) {
    int64_t rest = value % step;
    return value - rest - (rest < 0 ? step : 0);
}

/* Cells of a world's grid that meet a square, in an order of the dice. */
static uint32_t cut(dice *from, loam_rect square, int64_t cell, loam_rect *cells) {
    uint32_t count = 0;
    for (int64_t z = floor_to(square.z0, cell); z < square.z1; z += cell) {
        for (int64_t x = floor_to(square.x0, cell); x < square.x1 && count < CELLS_MAX; x += cell) {
            uint32_t at = dice_below(from, ++count);
            cells[count - 1] = cells[at];
            cells[at] = (loam_rect){x, z, x + cell, z + cell};
        }
    }
    return count;
}

static bool inside(loam_rect square, const union_point *point) {
    return point->x >= square.x0 && point->x < square.x1 && point->z >= square.z0 &&
           point->z < square.z1;
}

static void keep_inside(point_union *all, loam_rect square) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        if (inside(square, &all->points[i])) {
            all->points[kept++] = all->points[i];
        }
    }
    all->count = kept;
}

/* Canonical order: (z, x, y, id), and no point outside. */
static bool in_order(const loam_points *points) {
    for (uint32_t i = 0; i < points->count; i++) {
        if (points->x[i] < 0 || points->z[i] < 0 ||
            points->x[i] >= points->rect.x1 - points->rect.x0 ||
            points->z[i] >= points->rect.z1 - points->rect.z0) {
            return false;
        }
        if (i == 0) {
            continue;
        }
        const int64_t step[] = {points->z[i] - points->z[i - 1], points->x[i] - points->x[i - 1],
                                points->y[i] - points->y[i - 1],
                                points->id[i] > points->id[i - 1] ? 1 : -1};
        uint32_t k = 0;
        while (k < 3 && step[k] == 0) {
            k++;
        }
        if (step[k] < 0) {
            return false;
        }
    }
    return true;
}

static loam_status add_cell(trial *of, loam_rect rect, point_union *all) {
    loam_points points;
    loam_status status = trial_cell(of, rect, &points);
    if (status == LOAM_OK) {
        if (!in_order(&points)) {
            snprintf(of->why, WHY_BYTES, "a cell is not in order");
        }
        union_add(all, &points);
    }
    return status;
}

static void check_size(trial *of, dice *from, int64_t cell_m, const point_union *whole) {
    static loam_rect cells[CELLS_MAX];
    const loam_rect square = place_rect(of->made.place);
    point_union parts = {0};
    loam_status status = LOAM_OK;
    uint32_t count = cut(from, square, cell_m * METRE, cells);
    for (uint32_t i = 0; i < count && status == LOAM_OK; i++) {
        status = add_cell(of, cells[i], &parts);
    }
    keep_inside(&parts, square);
    union_sort(&parts);
    int64_t at = union_difference(whole, &parts);
    if (status == LOAM_OK && at >= 0) {
        snprintf(of->why, WHY_BYTES, "cells of %lld m: %u points, want %u, first difference %lld",
                 (long long)cell_m, parts.count, whole->count, (long long)at);
    }
    union_fini(&parts);
}

/* Whether the whole could be computed; `why` says what is wrong with its parts. */
static loam_status check_trial(trial *of, uint32_t *count) {
    static const int64_t sizes_m[] = {64, 100, 256, 333, 512, 1024};
    dice from = {of->number};
    point_union whole = {0};
    loam_status status = add_cell(of, place_rect(of->made.place), &whole);
    union_sort(&whole);
    *count = whole.count;
    bool small = of->made.place.side_m <= 300;
    for (uint32_t i = 0; i < 6 && status == LOAM_OK && of->why[0] == 0; i++) {
        if (small || dice_percent(&from, i == 0 ? 15 : 40)) {
            check_size(of, &from, sizes_m[i], &whole);
        }
    }
    union_fini(&whole);
    return status;
}

static void count_operations(const trial *of, uint32_t points, tally *sum) {
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        bool there = (of->made.operations >> i & 1) != 0;
        sum->covered[i] += there;
        sum->filled[i] += there && points > 0;
    }
}

static void run_trial(trial *of, uint64_t number, tally *sum) {
    uint32_t count = 0;
    if (!trial_begin(of, number)) {
        sum->faulty++;
        if (getenv("SIM_LOUD") != NULL) {
            fprintf(stderr, "faulty: %s %s\n", of->error.pointer, of->error.text);
            trial_print(of);
        }
        return;
    }
    loam_status status = check_trial(of, &count);
    if (status != LOAM_OK) {
        sum->failed++;
        if (getenv("SIM_LOUD") != NULL) {
            fprintf(stderr, "failed: %s %s\n", of->error.pointer, of->error.text);
            trial_print(of);
        }
    } else {
        sum->made++;
        sum->empty += count == 0;
        sum->points += count;
        count_operations(of, count, sum);
    }
    if (of->why[0] != 0) {
        sum->wrong++;
        trial_print(of);
        cr_expect(false, "trial %llu: %s", (unsigned long long)number, of->why);
    }
    trial_end(of);
}

static tally run_trials(uint64_t first, uint32_t count) {
    static trial one;
    tally sum = {0};
    for (uint64_t number = first; number < first + count; number++) {
        run_trial(&one, number, &sum);
    }
    return sum;
}

Test(partition_sim, random_graphs_of_every_operation_have_no_seams, .timeout = 0) {
    const uint32_t count = trial_count(GRAPHS_USUAL);
    tally sum = run_trials(trial_first(), count);
    fprintf(stderr, "%u graphs: %u made, %u empty, %u no graphs, %u failed, %llu points\n", count,
            sum.made, sum.empty, sum.faulty, sum.failed, (unsigned long long)sum.points);
    cr_expect_eq(sum.wrong, 0);
    if (count < GRAPHS) {
        return;
    }
    cr_expect_leq(sum.faulty * 50, count, "too many are no graphs: %u", sum.faulty);
    cr_expect_geq(sum.made * 10, count * 9, "too few can be computed: %u", sum.made);
    cr_expect_leq(sum.empty * 10, count * 3, "too many graphs are empty: %u", sum.empty);
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        const char *name = loam_operation_at(i)->name;
        cr_expect_gt(sum.covered[i], 0, "%s is in no graph", name);
        cr_expect_gt(sum.filled[i], 0, "%s is in no graph with points", name);
    }
}
