/* SPDX-License-Identifier: MIT
 *
 * guess.h: what was meant by a name that is not there: the nearest of those that are, when a slip
 * or two lie between (a letter too many, too few, another one, or two that changed places).
 */
#ifndef LOAM_BASE_GUESS_H
#define LOAM_BASE_GUESS_H

#include "core/base/limits.h"
#include "core/loam.h"

typedef struct name_guess {
    loam_text wanted;
    loam_text nearest;
    uint32_t slips; /* between the two */
    char text[NAME_BYTES_MAX + sizeof "; did you mean \"\"?"];
} name_guess;

/* Borrows the bytes of `wanted`, and those of what is offered. */
name_guess guess_of(loam_text wanted);
/* The same for an option's name in a word of the command line: "--name=value" without the rest. */
name_guess guess_of_option(const char *word);
/* The first of several that are as near wins. Longer ones than a name may be are passed over. */
void guess_offer(name_guess *guess, loam_text candidate);
/* What to put behind an error's text: `; did you mean "..."?`, or nothing. Lives in `guess`. */
const char *guess_text(name_guess *guess);

#endif
