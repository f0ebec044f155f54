/* SPDX-License-Identifier: MIT
 *
 * maker.h: random small graphs, as lines that graph_world reads. What can stand where is taken from
 * the table of operations: ports with the kinds that they take, parameters with kinds, ranges,
 * choices, lists and records. A graph holds the operation that it is made for, and what that needs.
 */
#ifndef LOAM_SIM_MAKER_H
#define LOAM_SIM_MAKER_H

#include "tests/sim/inputs.h"

enum {
    MADE_LINES = 40,
    MADE_LINE_BYTES = 2000,
    MADE_NODES = 14,  /* past this no more than what a node needs is added */
    MADE_PARAMS = 24, /* of one operation */
    MADE_LAYERS = 3,
};

typedef struct made_graph {
    char lines[MADE_LINES][MADE_LINE_BYTES];
    const char *text[MADE_LINES + 1]; /* NULL at the end */
    uint32_t line_count;
    uint64_t seed;
    uint64_t operations;               /* bit: index in the table */
    char biome_rules[MADE_LINE_BYTES]; /* JSON; empty: no slot of that name */
    char grammar_rules[MADE_LINE_BYTES];
    sim_place place;
} made_graph;

/* A pointer at which one is made. */
typedef struct maker maker;

/* `operation`: index of what it must hold. */
void graph_make(dice *from, sim_place place, uint32_t operation, made_graph *made);

/* Adds text to the line that is being written; printf's format. */
void maker_write(maker *make, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Whether a text is in that line. */
bool maker_wrote(const maker *make, const char *text);
dice *maker_dice(maker *make);
sim_place maker_place(const maker *make);

/* Writes the parameters of a node: " key=value ...". */
void params_make(maker *make, const loam_operation *operation);

/* JSON documents for a node's port of rules. */
void biome_rules_make(dice *from, char *json);
void grammar_rules_make(dice *from, char *json);
/* A grammar over the symbols of those rules. */
void grammar_make(dice *from, char *text, uint32_t capacity);

#endif
