/* SPDX-License-Identifier: MIT
 *
 * scope.h: what who asks may do (API.md): read what is there, have things generated, upload, see
 * what only game servers may, run the daemon. A token has a set of them; a daemon without tokens
 * grants the same set to everyone, which never has `admin` in it.
 */
#ifndef LOAM_API_WIRE_SCOPE_H
#define LOAM_API_WIRE_SCOPE_H

#include "core/loam.h"

/* Bits of a set. */
typedef enum scope {
    SCOPE_NONE = 0, /* open to everyone who reaches the daemon */
    SCOPE_READ = 1,
    SCOPE_GENERATE = 2,
    SCOPE_UPLOAD = 4,
    SCOPE_SERVER = 8,
    SCOPE_ADMIN = 16,
    SCOPES_ALL = 31,
} scope;

/* "read", "generate", "upload", "server", "admin". Static. */
const char *scope_name(scope of);
/* Names with commas between them, each once; an empty text is none. LOAM_OUT_OF_RANGE names the one
 * that is none of `allowed`. */
LOAM_MUST_USE loam_status scope_list_read(loam_text text, uint32_t allowed, uint32_t *scopes,
                                          loam_error *error);

#endif
