/* SPDX-License-Identifier: MIT
 *
 * test_disaster.c: some seeds of simulate.c, LOAM_SIM_SEEDS for another number of them (they
 * begin at LOAM_SIM_FIRST); those that once found something; and one seed twice, which must be the
 * same run.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 16, LINE_BYTES = 512, TRACE_BYTES = 32 };

/* Seeds that found something, and what. A seed is a run of the program as it is: it comes back to
 * the same place while the calls before that place stay the same, and is one more seed after. */
static const struct {
    unsigned long long seed;
    const char *what;
} finders[] = {
    {6, "a backup was refused: a commit between its own counts was counted half"},
    {905, "a commit that went again told more than its rows: succeeded, with one row of twelve"},
    {917, "the same, in another order of threads"},
    {423, "of the ledger: a request cut off by the power had set a cancelled job out again"},
};

/* The last seed's trace, and whether all were good; findings are said by the program. */
static bool simulate(unsigned long long first, unsigned long long count, char trace[TRACE_BYTES]) {
    char line[LINE_BYTES];
    const char *build = getenv("LOAM_BUILD");
    snprintf(line, sizeof line, "%s/disaster/simulate %llu %llu", build == NULL ? "build" : build,
             first, count);
    FILE *lines = popen(line, "r");
    cr_assert_not_null(lines);
    while (fgets(line, sizeof line, lines) != NULL) {
        const char *at = strstr(line, "trace ");
        if (at != NULL && trace != NULL) {
            snprintf(trace, TRACE_BYTES, "%.16s", at + strlen("trace "));
        }
        if (at == NULL || strstr(line, "FINDING") != NULL) {
            fputs(line, stderr);
        }
    }
    return pclose(lines) == 0;
}

static unsigned long long number_of(const char *name, unsigned long long otherwise) {
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

Test(disaster, nothing_acknowledged_is_lost_whatever_fails_and_in_whatever_order,
     .timeout = 36000) {
    cr_expect(simulate(number_of("LOAM_SIM_FIRST", 1), number_of("LOAM_SIM_SEEDS", SEEDS), NULL));
}

Test(disaster, seeds_that_found_something_find_it_no_more, .timeout = 300) {
    for (size_t i = 0; i < sizeof finders / sizeof finders[0]; i++) {
        cr_expect(simulate(finders[i].seed, 1, NULL), "seed %llu once found: %s", finders[i].seed,
                  finders[i].what);
    }
}

Test(disaster, a_seed_is_the_same_run_twice, .timeout = 300) {
    for (unsigned long long seed = 1; seed <= 3; seed++) {
        char once[TRACE_BYTES] = "";
        char again[TRACE_BYTES] = "";
        simulate(seed, 1, once);
        simulate(seed, 1, again);
        cr_expect_neq(once[0], 0);
        cr_expect_str_eq(once, again, "seed %llu", seed);
    }
}

Test(disaster, other_seeds_are_other_runs, .timeout = 300) {
    char one[TRACE_BYTES] = "";
    char other[TRACE_BYTES] = "";
    simulate(1, 1, one);
    simulate(2, 1, other);
    cr_expect_str_neq(one, other);
}
