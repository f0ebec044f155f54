/* SPDX-License-Identifier: MIT
 *
 * trace_parent.h: W3C Trace Context, level 1: "00-TRACE-PARENT-FLAGS" in lower-case hex, 32, 16 and
 * 2 digits, the first two not all zero. What is not of this form is as good as absent.
 */
#ifndef LOAM_SERVER_HTTP_TRACE_PARENT_H
#define LOAM_SERVER_HTTP_TRACE_PARENT_H

#include "core/loam.h"

enum { TRACE_PARENT_SIZE = 55, TRACE_PARENT_BYTES = TRACE_PARENT_SIZE + 1 };

/* Copies it, terminated; an empty text when it is none. A later version may have more behind. */
void trace_parent_read(loam_text header, char to[TRACE_PARENT_BYTES]);

#endif
