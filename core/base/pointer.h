/* SPDX-License-Identifier: MIT
 *
 * pointer.h: JSON pointers (RFC 6901) into the document that somebody sent, for errors. What does
 * not fit is cut.
 */
#ifndef LOAM_BASE_POINTER_H
#define LOAM_BASE_POINTER_H

#include "core/loam.h"

/* A pointer under construction. */
typedef struct pointer_text {
    char text[LOAM_POINTER_BYTES];
} pointer_text;

/* Appends one part, "~" and "/" in it escaped. */
void pointer_append(pointer_text *pointer, loam_text part);

/* "/nodes/name", "/nodes/name/params/key", "/outputs/name": the last part may be NULL. A node of an
 * inlined graph, "outer.inner", stands at "/nodes/outer/params/graph/nodes/inner". */
pointer_text pointer_to(const char *section, loam_text name, const char *part, const char *key);

/* The pointer of a field below another, or of an item where `field` is NULL. */
pointer_text pointer_below(const char *pointer, const char *field, uint32_t item);

#endif
