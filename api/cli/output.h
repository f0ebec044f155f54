/* SPDX-License-Identifier: MIT
 *
 * output.h: what leaves the program: files, standard output, and errors that say what to do. Data
 * goes to stdout, everything said about it to stderr.
 */
#ifndef API_CLI_OUTPUT_H
#define API_CLI_OUTPUT_H

#include <stdio.h>

#include "api/client/loam_client.h"
#include "api/wire/fault.h"
#include "core/loam.h"

/* Reads a whole file, "-" being stdin; the bytes are owned by the caller (free) and followed by a
 * 0. Fails with LOAM_TOO_LARGE beyond `bytes_max`. */
LOAM_MUST_USE loam_status input_read(const char *path, size_t bytes_max, loam_text *content,
                                     loam_error *error);

/* Writes a whole file by a temporary name beside it, so that it is never seen half-written; a link
 * stays, and the file behind it is written; a device or a pipe is written to as it is. `path` NULL
 * or "-" is stdout. */
LOAM_MUST_USE loam_status output_write(const char *path, const void *bytes, size_t size,
                                       loam_error *error);
/* The same for bytes that are no text: refuses a terminal. */
LOAM_MUST_USE loam_status output_write_binary(const char *path, const void *bytes, size_t size,
                                              loam_error *error);
/* Makes a folder and those above it. */
LOAM_MUST_USE loam_status output_make_folder(const char *path, loam_error *error);

/* Whether `path` ends with the extension (".png"), case ignored. */
bool path_has_extension(const char *path, const char *extension);
/* Puts the folder of `file` before `name`, unless `name` is absolute; false when it does not fit.
 */
LOAM_MUST_USE bool path_beside(const char *file, const char *name, char *path, size_t capacity);

/* Says on stderr what went wrong, where, and what to do; returns CLI_FAILED. */
int output_failure(const char *command, const loam_error *error);
/* The same for a request: CLI_REFUSED when the daemon answered, CLI_UNREACHABLE when it did not. */
int output_refusal(const char *command, const loam_client_response *response,
                   const loam_error *error);
/* Every fault of a document, each with its place and what to do. */
void output_faults(FILE *to, const char *path, const fault_list *faults);
/* What a person can do about a status; "" when nothing is known. Static. */
const char *output_hint(loam_status status);

#endif
