/* SPDX-License-Identifier: MIT
 *
 * token_line.h: a line of the file of --tokens:
 *
 *   ID sha256-DIGEST SCOPES [worlds=A,B] [requests=N] [jobs=N] [asset-bytes=N] [world-count=N]
 *      [core-seconds=N]
 *
 * with blanks between; # begins a comment. The digest is that of the token's whole text. loamd
 * reads its file by this, and who writes a line reads it first: one bad line loses all tokens.
 */
#ifndef LOAM_API_WIRE_TOKEN_LINE_H
#define LOAM_API_WIRE_TOKEN_LINE_H

#include "api/key/key.h"
#include "core/base/limits.h"

/* Worlds that a token may be narrowed to; who needs more needs none of it. */
enum { TOKEN_WORLDS_MAX = 32 };
/* A line with its newline and a 0: every world of a token by name, and the rest. */
enum { TOKEN_LINE_BYTES = TOKEN_WORLDS_MAX * (NAME_BYTES_MAX + 1) + 512 };

/* 0: without limit. */
typedef struct token_limits {
    uint64_t requests;     /* at one time */
    uint64_t jobs;         /* queued, running or paused */
    uint64_t asset_bytes;  /* uploaded a day */
    uint64_t worlds;       /* put a day */
    uint64_t core_seconds; /* of workers, each minute */
} token_limits;

typedef struct token_line {
    char id[NAME_BYTES_MAX + 1];
    digest digest;
    uint32_t scopes;
    uint32_t world_count; /* 0: all */
    char worlds[TOKEN_WORLDS_MAX][NAME_BYTES_MAX + 1];
    token_limits limits;
} token_line;

/* Whether there is nothing but blanks and a comment. */
bool token_line_is_empty(const char *line);
/* LOAM_MALFORMED or LOAM_OUT_OF_RANGE with what is wrong. */
LOAM_MUST_USE loam_status token_line_read(const char *line, token_line *to, loam_error *error);

#endif
