/* SPDX-License-Identifier: MIT
 *
 * token_file.h: the file of --tokens, a line for each token (api/wire/token_line.h). A second line
 * of an id is its next token, and says the same but for the digest.
 */
#ifndef LOAM_SERVER_TOKEN_TOKEN_FILE_H
#define LOAM_SERVER_TOKEN_TOKEN_FILE_H

#include "server/token/token_owner.h"

enum { TOKEN_OWNERS_MAX = 4096 };

/* Owners of a file, each a block of its own, sorted by id. */
typedef struct token_list {
    token_owner **owners;
    uint32_t count;
} token_list;

/* LOAM_FORBIDDEN for a file that everybody can read, LOAM_IO, LOAM_TOO_MANY, or LOAM_MALFORMED with
 * the line. Ended with token_list_fini, also after an error. */
LOAM_MUST_USE loam_status token_file_read(const char *path, token_list *to, loam_error *error);
void token_list_fini(token_list *list);
/* NULL when there is none. */
token_owner *token_list_find(const token_list *list, loam_text id);

#endif
