/* SPDX-License-Identifier: MIT
 *
 * test_guess.c: what is near enough to have been meant.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "core/base/guess.h"

typedef struct guess_row {
    const char *wanted;
    const char *offered[4];
    const char *nearest; /* "": none */
} guess_row;

static const guess_row rows[] = {
    {"grid.sampl", {"grid.sample", "surface.sample"}, "grid.sample"}, /* one too few */
    {"spacing_mm", {"spacing_m", "seed"}, "spacing_m"},               /* one too many */
    {"radius-m", {"radius_m"}, "radius_m"},                           /* another one */
    {"slef.prune", {"self.prune"}, "self.prune"},                     /* places changed */
    {"sampel", {"sample", "simple"}, "sample"},                       /* the nearer one */
    {"cel", {"cell", "cells"}, "cell"},                               /* and the first */
    {"surface_smaple", {"surface.sample"}, "surface.sample"},         /* two slips */
    {"at", {"to"}, ""},                                               /* another word */
    {"x", {"y", "z"}, ""},                                            /* no letter is right */
    {"seed", {"level", "output"}, ""},
    {"", {"a"}, ""},
    {"listen", {""}, ""},
    {"anything", {NULL}, ""},
};

Test(guess, finds_what_a_slip_or_two_lie_between) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[128] = "";
        name_guess guess = guess_of(loam_text_of(rows[i].wanted));
        for (const char *const *at = rows[i].offered; *at != NULL; at++) {
            guess_offer(&guess, loam_text_of(*at));
        }
        if (rows[i].nearest[0] != 0) {
            (void)snprintf(text, sizeof text, "; did you mean \"%s\"?", rows[i].nearest);
        }
        cr_expect_str_eq(guess_text(&guess), text, "%s: %s", rows[i].wanted, guess.text);
    }
}

Test(guess, takes_names_of_any_length) {
    char longest[NAME_BYTES_MAX + 2];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    name_guess guess = guess_of((loam_text){longest, NAME_BYTES_MAX});
    guess_offer(&guess, loam_text_of(longest));
    cr_expect_str_empty(guess_text(&guess), "longer than a name may be");
    guess_offer(&guess, (loam_text){longest, NAME_BYTES_MAX - 1});
    cr_expect_eq(strlen(guess_text(&guess)), NAME_BYTES_MAX - 1 + strlen("; did you mean \"\"?"));
    guess = guess_of(loam_text_of(longest));
    guess_offer(&guess, (loam_text){longest, NAME_BYTES_MAX});
    cr_expect_str_empty(guess_text(&guess));
}

Test(guess, reads_the_name_of_an_option) {
    name_guess guess = guess_of_option("--wokers=4");
    guess_offer(&guess, loam_text_of("workers"));
    cr_expect_str_eq(guess_text(&guess), "; did you mean \"workers\"?");
}
