/* SPDX-License-Identifier: MIT
 *
 * test_token_table.c: whose token it is, and the file read again while owners are held.
 */
#include "server/token/token_table.h"

#include "api/key/token.h"
#include "api/wire/scope.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/loam-table-XXXXXX";
static loam_error error;

static void start(void) {
    close(mkstemp(path));
    error = (loam_error){0};
}

static void stop(void) {
    unlink(path);
}

TestSuite(token_table, .init = start, .fini = stop);

/* The token of an id and a secret of this byte. */
static const char *token_of(const char *id, unsigned char byte) {
    static char text[4][TOKEN_TEXT_BYTES];
    static unsigned at;
    secret_key secret;
    memset(secret.bytes, byte, sizeof secret.bytes);
    at = (at + 1) % 4;
    cr_assert_eq(token_write(loam_text_of(id), &secret, text[at], &error), LOAM_OK);
    return text[at];
}

static void add_line(FILE *file, const char *id, unsigned char byte, const char *rest) {
    const char *token = token_of(id, byte);
    char text[DIGEST_TEXT_BYTES];
    digest of = digest_of(token, strlen(token));
    digest_text(&of, text);
    fprintf(file, "%s %s %s\n", id, text, rest);
}

static token_owner *find(const token_table *table, const char *id, unsigned char byte) {
    return token_table_find(table, loam_text_of(token_of(id, byte)));
}

static token_table *table_with(const char *id, unsigned char first, unsigned char second) {
    FILE *file = fopen(path, "w");
    add_line(file, id, first, "read");
    if (second != 0) {
        add_line(file, id, second, "read");
    }
    fclose(file);
    token_table *table = token_table_create(path, &error);
    cr_assert_not_null(table, "%s", error.text);
    return table;
}

Test(token_table, both_tokens_of_an_id_are_good_and_no_other) {
    token_table *table = table_with("farm", 1, 2);
    cr_expect_not_null(find(table, "farm", 1));
    cr_expect_eq(find(table, "farm", 1), find(table, "farm", 2));
    cr_expect_null(find(table, "farm", 3));
    cr_expect_null(find(table, "barn", 1));
    cr_expect_null(token_table_find(table, loam_text_of("")));
    cr_expect_null(token_table_find(table, loam_text_of("loam_farm.short")));
    token_table_destroy(table);
}

Test(token_table, a_reload_keeps_what_is_used_and_takes_the_rest_anew) {
    token_table *table = table_with("farm", 1, 0);
    token_owner *owner = find(table, "farm", 1);
    cr_assert_eq(owner_begin_request(owner, &error), LOAM_OK);
    FILE *file = fopen(path, "w");
    add_line(file, "farm", 2, "read,upload requests=1");
    fclose(file);
    cr_assert_eq(token_table_reload(table, &error), LOAM_OK, "%s", error.text);
    cr_expect_null(find(table, "farm", 1));
    cr_expect_eq(find(table, "farm", 2), owner);
    cr_expect_eq(owner->scopes, SCOPE_READ | SCOPE_UPLOAD);
    cr_expect_eq(owner_begin_request(owner, &error), LOAM_TOO_MANY_REQUESTS);
    owner_end_request(owner);
    token_table_destroy(table);
}

Test(token_table, one_that_is_gone_is_refused_but_lives_while_it_is_held) {
    token_table *table = table_with("farm", 1, 0);
    token_owner *owner = find(table, "farm", 1);
    cr_assert_eq(owner_begin_request(owner, &error), LOAM_OK);
    fclose(fopen(path, "w"));
    cr_assert_eq(token_table_reload(table, &error), LOAM_OK);
    cr_expect_eq(token_table_count(table), 0);
    cr_expect_null(find(table, "farm", 1));
    cr_expect_str_eq(owner->id, "farm");
    FILE *file = fopen(path, "w");
    add_line(file, "farm", 1, "read");
    fclose(file);
    cr_assert_eq(token_table_reload(table, &error), LOAM_OK);
    cr_expect_eq(find(table, "farm", 1), owner, "it comes back as the one it was");
    owner_end_request(owner);
    token_table_destroy(table);
}

Test(token_table, a_file_that_went_bad_changes_nothing) {
    token_table *table = table_with("farm", 1, 0);
    FILE *file = fopen(path, "w");
    fputs("farm nonsense\n", file);
    fclose(file);
    cr_expect_neq(token_table_reload(table, &error), LOAM_OK);
    cr_expect_not_null(find(table, "farm", 1));
    token_table_destroy(table);
}

Test(token_table, the_scheme_is_bearer_in_any_case) {
    loam_text token = token_of_header(loam_text_of("bEARER   abc"));
    cr_expect_eq(token.size, 3);
    cr_expect_eq(token_of_header(loam_text_of("Basic abc")).size, 0);
    cr_expect_eq(token_of_header(loam_text_of("Bearer")).size, 0);
    cr_expect_eq(token_of_header((loam_text){NULL, 0}).size, 0);
}
