/* SPDX-License-Identifier: MIT
 *
 * token_table.h: the tokens that are good now. Reading the file again keeps what owners use of
 * their limits; one that is no longer in it is refused at once and forgotten when nothing of it is
 * left.
 */
#ifndef LOAM_SERVER_TOKEN_TOKEN_TABLE_H
#define LOAM_SERVER_TOKEN_TOKEN_TABLE_H

#include "server/token/token_owner.h"

typedef struct token_table token_table;

/* Owned; NULL with `error` as token_file_read has it. */
LOAM_MUST_USE token_table *token_table_create(const char *path, loam_error *error);
void token_table_destroy(token_table *table);
/* Reads the file again; when it cannot be read the table stays as it is. */
LOAM_MUST_USE loam_status token_table_reload(token_table *table, loam_error *error);
uint32_t token_table_count(const token_table *table);

/* Whose token this is; NULL when it is nobody's. */
token_owner *token_table_find(const token_table *table, loam_text token);
/* Who has this id, whatever he shows; NULL when the file has none. */
token_owner *token_table_find_id(const token_table *table, loam_text id);
/* The credentials of an Authorization header: "Bearer TOKEN"; empty when they are of another kind.
 */
loam_text token_of_header(loam_text authorization);

#endif
