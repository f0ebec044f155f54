/* SPDX-License-Identifier: MIT
 *
 * grammar.h: a grammar of modules, as a tree of elements that is read from its text, given the
 * lengths of modules, and laid out along a length. Lengths are in 1/65,536 unit.
 *
 *   A,B  one after the other     [A,B]      the same, as one element
 *   A3   three of A              A* A+      as many as fit, at least none or one
 *   {A:2,B:1}  one by weight     <A,B>      the first that fits
 *
 * A symbol is letters, '-' and '_', so that what follows it is a count.
 */
#ifndef LOAM_OPS_GRAMMAR_H
#define LOAM_OPS_GRAMMAR_H

#include "core/base/limits.h"
#include "core/loam.h"

/* A text of 256 bytes has no more elements; nesting bounds recursion. */
enum { GRAMMAR_ELEMENTS_MAX = 2 * ASSET_NAME_BYTES_MAX, GRAMMAR_DEPTH_MAX = 32 };
/* Modules in a row: some 1,000 km of 1 m each. */
#define GRAMMAR_PLACED_MAX (1u << 20)
/* Elements visited for a row: repeats of what turns out empty place nothing. */
#define GRAMMAR_STEPS_MAX (1u << 23)
/* Lengths are not summed beyond this. */
#define GRAMMAR_LENGTH_MAX ((int64_t)1 << 60)

typedef enum grammar_kind {
    GRAMMAR_MODULE,
    GRAMMAR_SEQUENCE,
    GRAMMAR_CHOICE,   /* by weight */
    GRAMMAR_PRIORITY, /* the first that fits */
    GRAMMAR_REPEAT,   /* its only child, `count` times, and more when it is open */
} grammar_kind;

#define GRAMMAR_NONE UINT32_MAX

typedef struct grammar_element {
    grammar_kind kind;
    uint32_t child; /* the first, and of a child the next; GRAMMAR_NONE ends */
    uint32_t next;
    uint32_t count;
    bool open;
    uint32_t weight;  /* as a child of a choice */
    uint32_t at;      /* byte of the text, for errors */
    loam_text symbol; /* of a module; borrowed from the text */
    uint32_t module;  /* its number among the rules */
    int64_t least;    /* the shortest that it can be */
} grammar_element;

typedef struct grammar {
    grammar_element elements[GRAMMAR_ELEMENTS_MAX];
    uint32_t count;
    uint32_t root;
} grammar;

/* Whether a text is a symbol, as a whole. */
bool grammar_is_symbol(loam_text text);
/* Reads a text; errors name the byte. */
LOAM_MUST_USE loam_status grammar_read(loam_text text, grammar *read, const char *pointer,
                                       loam_error *error);

/* A module by its symbol. */
typedef struct grammar_module {
    loam_text symbol;
    int64_t length;
} grammar_module;

/* Finds the modules and the shortest lengths; unknown symbols, and what would repeat without end,
 * are errors. */
LOAM_MUST_USE loam_status grammar_resolve(grammar *of, const grammar_module *modules,
                                          uint32_t module_count, const char *pointer,
                                          loam_error *error);

/* A module laid out. */
typedef struct grammar_placed {
    uint32_t module;
    int64_t start;
} grammar_placed;

/* What a layout is asked. */
typedef struct grammar_layout {
    const grammar *of;
    const grammar_module *modules;
    uint32_t module_count;
    int64_t length;
    bool accept_incomplete;
    uint64_t choice_key; /* draws of choices, in order, under this key and that of the line */
    uint64_t line_key;
    grammar_placed *placed; /* room for GRAMMAR_PLACED_MAX */
} grammar_layout;

/* Lays modules out; `count` is how many. LOAM_TOO_MANY when they are more than there is room for,
 * or take too many steps. */
LOAM_MUST_USE loam_status grammar_lay_out(const grammar_layout *layout, uint32_t *count);

#endif
