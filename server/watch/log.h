/* SPDX-License-Identifier: MIT
 *
 * log.h: one JSON line per event on stderr. A line is gathered in the caller's memory and written
 * with one call, so lines of several threads never mix. What callers never put in: tokens, query
 * strings, bodies.
 */
#ifndef LOAM_SERVER_WATCH_LOG_H
#define LOAM_SERVER_WATCH_LOG_H

#include "core/loam.h"

/* In the order of the option log-level. */
typedef enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG } log_level;

/* A line that would be longer loses its last fields, never its shape. */
enum { LOG_LINE_BYTES = 2048 };

typedef struct log_line {
    bool wanted;
    size_t used;
    char bytes[LOG_LINE_BYTES];
} log_line;

/* Set once, before threads start. */
void log_set_level(log_level level);
bool log_wants(log_level level);
/* Where lines go; stderr at first. For tests. */
void log_set_file(int descriptor);

/* {"time": "...", "level": "...", "event": "..."; fields follow, log_end writes. All calls are
 * without effect when the level is not wanted. */
void log_begin(log_line *line, log_level level, const char *event);
void log_text(log_line *line, const char *name, loam_text text);
void log_string(log_line *line, const char *name, const char *text);
void log_number(log_line *line, const char *name, int64_t number);
/* Status code, pointer and text of an error. */
void log_error(log_line *line, const loam_error *error);
void log_end(log_line *line);

#endif
