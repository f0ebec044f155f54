/* SPDX-License-Identifier: MIT
 *
 * problem.h: errors on the wire: the one place that knows which HTTP status belongs to which
 * loam_status, and the problem document of RFC 9457.
 */
#ifndef LOAM_API_WIRE_PROBLEM_H
#define LOAM_API_WIRE_PROBLEM_H

#include "api/wire/fault.h"
#include "api/wire/text_buffer.h"
#include "core/loam.h"

#define PROBLEM_MEDIA_TYPE "application/problem+json"

/* Largest problem document: every byte of an error escaped, the fields around it, the reasons of a
 * verdict. */
#define PROBLEM_BYTES_MAX 12288

/* 200 for LOAM_OK. An error with a pointer is about a part of a body that did parse: what is a 404
 * or 501 of the address is then 422. */
int problem_http_status(const loam_error *error);
/* "Unprocessable Content", ... for any status that is sent; "Unknown" for others. Static. */
const char *problem_reason(int http_status);
/* {type, title, status, detail, code, pointer?}. */
void problem_write(const loam_error *error, text_buffer *buffer);
/* The same with `reasons`, a JSON array; empty: none. */
void problem_write_reasons(const loam_error *error, loam_text reasons, text_buffer *buffer);
/* One line for a terminal: code, pointer and text. */
void problem_write_line(const loam_error *error, text_buffer *buffer);

#endif
