/* SPDX-License-Identifier: MIT
 *
 * script.h: what visitors of a daemon do, and what they may expect of every answer.
 */
#ifndef LOAM_TESTS_DISASTER_SCRIPT_H
#define LOAM_TESTS_DISASTER_SCRIPT_H

#include "tests/disaster/ledger.h"

/* Asks for everything once. */
void script_learn(ledger *shared);
/* The life of one visitor: looks whether everything that he was told still holds, then does what
 * the seed says. With `storms` he changes the weather too. */
void script_visit(ledger *shared, uint32_t visitor, uint64_t seed, bool storms);
/* Drives every job to its end and looks at all there is; in good weather. */
void script_conclude(ledger *shared, uint32_t visitor);

#endif
