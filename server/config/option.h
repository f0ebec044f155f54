/* SPDX-License-Identifier: MIT
 *
 * option.h: the one table of the daemon's options. The command line, the configuration file, --help
 * and /v1/capabilities are all made from it, so none of them can say something that the others do
 * not know.
 */
#ifndef LOAM_SERVER_CONFIG_OPTION_H
#define LOAM_SERVER_CONFIG_OPTION_H

#include "core/loam.h"

typedef enum option_kind {
    OPTION_COUNT,   /* an integer */
    OPTION_BYTES,   /* an integer; K, M, G, T are powers of 1,024 */
    OPTION_SECONDS, /* an integer */
    OPTION_TEXT,    /* a path or an address */
    OPTION_LIST,    /* texts: may be given several times */
    OPTION_CHOICE,  /* the index of one of `choices` */
    OPTION_FLAG,    /* the same of no and yes; given without a value it is yes */
} option_kind;

typedef struct option_schema {
    const char *name;
    const char *argument; /* how --help names the value */
    option_kind kind;
    size_t offset; /* where the value stands in struct config */
    int64_t initial;
    int64_t min;
    int64_t max;
    const char *initial_text;   /* for texts; NULL is empty */
    const char *const *choices; /* NULL-terminated; for choices */
    const char *help;
    bool command_line_only;
} option_schema;

enum { OPTION_COUNT_MAX = 64 };

uint32_t option_count(void);
const option_schema *option_at(uint32_t index);
/* -1 when there is none. */
int32_t option_find(loam_text name);

#endif
