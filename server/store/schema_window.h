/* SPDX-License-Identifier: MIT
 *
 * schema_window.h: whether this program may open a database of a newer schema: the file itself says
 * which is the oldest program that may (schema_info). loamd writes what it opens, so who may only
 * read refuses, and says which side to change.
 */
#ifndef LOAM_SERVER_STORE_SCHEMA_WINDOW_H
#define LOAM_SERVER_STORE_SCHEMA_WINDOW_H

#include "server/store/database.h"

/* Versions of the schema: what a program must know at least. */
typedef struct schema_window {
    int min_reader;
    int min_writer;
} schema_window;

/* What the file says; one that says nothing is for programs that know `version`. Changes nothing.
 */
LOAM_MUST_USE loam_status schema_window_read(sqlite3 *db, int version, schema_window *window,
                                             loam_error *error);
/* LOAM_VERSION_UNAVAILABLE, with what to do in one line, unless a program that knows `known` may
 * write a file of schema `version`. */
LOAM_MUST_USE loam_status schema_window_check(const schema_window *window, const char *path,
                                              int version, int known, loam_error *error);

#endif
