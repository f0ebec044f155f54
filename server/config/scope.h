/* SPDX-License-Identifier: MIT
 *
 * scope.h: what who asks may do (API.md): read what is there, have things generated, upload, see
 * what only game servers may. A daemon without tokens grants the same to everyone.
 */
#ifndef LOAM_SERVER_CONFIG_SCOPE_H
#define LOAM_SERVER_CONFIG_SCOPE_H

#include "core/loam.h"

/* Bits of a set. */
typedef enum scope {
    SCOPE_NONE = 0, /* open to everyone who reaches the daemon */
    SCOPE_READ = 1,
    SCOPE_GENERATE = 2,
    SCOPE_UPLOAD = 4,
    SCOPE_SERVER = 8,
} scope;

/* "read", "generate", "upload", "server". Static. */
const char *scope_name(scope of);
/* Names with commas between them; an empty text is none. `admin` is never granted without a token.
 */
LOAM_MUST_USE loam_status scope_list_read(const char *text, uint32_t *scopes, loam_error *error);

#endif
