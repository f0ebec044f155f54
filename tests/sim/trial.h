/* SPDX-License-Identifier: MIT
 *
 * trial.h: one number, and all that follows from it: a place, inputs there, a graph, its plan. What
 * a trial is asked it answers in memory that the next question takes.
 */
#ifndef LOAM_SIM_TRIAL_H
#define LOAM_SIM_TRIAL_H

#include "tests/sim/maker.h"
#include "tests/support/graph_world.h"

enum { WHY_BYTES = 400 };

typedef struct trial {
    uint64_t number;
    made_graph made;
    sim_inputs inputs;
    graph_world *world;
    loam_arena assets;
    uint32_t questions; /* so far: code paths and levels take turns, since none changes a result */
    loam_error error;   /* of the last question */
    char why[WHY_BYTES];
} trial;

/* Lives as long as the program; one at a time. False: the graph is none, `error` says why. */
bool trial_begin(trial *of, uint64_t number);
void trial_end(trial *of);

/* Binds one of the inputs again, after it was changed. False when it is no asset any more. */
bool trial_bind(trial *of, loam_port_kind kind);
bool trial_uses(const trial *of, loam_port_kind kind);

/* The points of a rectangle, until the next question; in an arena of the size that the estimate
 * says, and not one byte more. */
LOAM_MUST_USE loam_status trial_cell(trial *of, loam_rect rect, loam_points *points);
/* A hash of a rectangle's canonical bytes, and of its key bytes. */
LOAM_MUST_USE loam_status trial_bytes(trial *of, loam_rect rect, uint64_t *hash);
LOAM_MUST_USE loam_status trial_key(trial *of, loam_rect rect, uint64_t *hash);

/* The rectangle of a place. */
loam_rect place_rect(sim_place place);

/* Prints the graph, so that it can be read by graph_world and by people. */
void trial_print(const trial *of);

/* How many trials a test makes: the default, or SIM_GRAPHS of the environment. */
uint32_t trial_count(uint32_t usual);
/* The first of them: SIM_FIRST of the environment, or 0. */
uint64_t trial_first(void);

#endif
