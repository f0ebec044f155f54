/* SPDX-License-Identifier: MIT
 *
 * parse_memory.h: memory of the JSON parser. jansson's lexer does not look whether its text could
 * grow: a string that was cut short there is read beyond its end, and written. So a parse begins
 * with a reserve. From the first allocation that fails, all come from it until the parse has ended;
 * then what was made is thrown away. Memory that is never needed is never touched.
 */
#ifndef LOAM_API_WIRE_PARSE_MEMORY_H
#define LOAM_API_WIRE_PARSE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes the parser take its memory here; once, before any thread parses. */
void parse_memory_init(void);
/* Before a parse of so much on this thread; false when there is no memory for the reserve. */
bool parse_memory_begin(size_t json_bytes, size_t values);
/* Whether the reserve was drawn on: what was parsed must be freed before parse_memory_end. */
bool parse_memory_was_short(void);
void parse_memory_end(void);

#endif
