/* SPDX-License-Identifier: MIT
 *
 * test_secret_file.c: secrets are made once, are the same ever after, and are their owner's alone;
 * what has another size is told and left as it is.
 */
#include "server/store/folder.h"
#include "server/store/secret_file.h"
#include "tests/support/store_calls.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECRET_BYTES = 32 };

static char dir[TEST_DIR_BYTES];
static char path[FOLDER_PATH_BYTES];

static void set_up(void) {
    test_dir_make(dir);
    snprintf(path, sizeof path, "%s/dungeons", dir);
}

static void tear_down(void) {
    test_dir_remove(dir);
}

TestSuite(secret_file, .init = set_up, .fini = tear_down);

static loam_status read_it(unsigned char secret[SECRET_BYTES]) {
    loam_error error = {0};
    return secret_file_read(dir, "dungeons", secret, SECRET_BYTES, &error);
}

static void write_it(const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

Test(secret_file, what_was_made_once_is_read_again) {
    unsigned char first[SECRET_BYTES] = {0}, second[SECRET_BYTES] = {0}, none[SECRET_BYTES] = {0};
    cr_assert_eq(read_it(first), LOAM_OK);
    cr_assert_eq(read_it(second), LOAM_OK);
    cr_expect_arr_eq(first, second, SECRET_BYTES);
    cr_expect_arr_neq(first, none, SECRET_BYTES);
}

Test(secret_file, two_secrets_differ) {
    unsigned char one[SECRET_BYTES], other[SECRET_BYTES];
    loam_error error = {0};
    cr_assert_eq(read_it(one), LOAM_OK);
    cr_assert_eq(secret_file_read(dir, "other", other, SECRET_BYTES, &error), LOAM_OK);
    cr_expect_arr_neq(one, other, SECRET_BYTES);
}

Test(secret_file, its_owner_alone_may_read_it_and_nothing_else_is_left) {
    unsigned char secret[SECRET_BYTES];
    char part[FOLDER_PATH_BYTES];
    struct stat found;
    cr_assert_eq(read_it(secret), LOAM_OK);
    cr_assert_eq(stat(path, &found), 0);
    cr_expect_eq(found.st_mode & 0777, 0600);
    cr_expect_eq(found.st_size, SECRET_BYTES);
    snprintf(part, sizeof part, "%s/secret.part", dir);
    cr_expect_neq(access(part, F_OK), 0);
}

Test(secret_file, what_a_crash_left_half_is_written_over) {
    unsigned char secret[SECRET_BYTES], again[SECRET_BYTES];
    char part[FOLDER_PATH_BYTES];
    snprintf(part, sizeof part, "%s/secret.part", dir);
    FILE *file = fopen(part, "wb");
    cr_assert_not_null(file);
    cr_assert_geq(fputs("more bytes than a secret has, of another start of the daemon", file), 0);
    cr_assert_eq(fclose(file), 0);
    cr_assert_eq(read_it(secret), LOAM_OK);
    cr_assert_eq(read_it(again), LOAM_OK);
    cr_expect_arr_eq(secret, again, SECRET_BYTES);
}

Test(secret_file, another_size_is_damage_and_is_left_as_it_is) {
    static const char bytes[SECRET_BYTES + 1] = {1, 2, 3};
    static const size_t sizes[] = {0, 1, SECRET_BYTES - 1, SECRET_BYTES + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char secret[SECRET_BYTES];
        struct stat found;
        write_it(bytes, sizes[i]);
        cr_expect_eq(read_it(secret), LOAM_DAMAGED, "%zu", sizes[i]);
        cr_assert_eq(stat(path, &found), 0);
        cr_expect_eq((size_t)found.st_size, sizes[i]);
    }
}

Test(secret_file, a_link_is_not_followed) {
    unsigned char secret[SECRET_BYTES];
    cr_assert_eq(symlink("/etc/hostname", path), 0);
    cr_expect_neq(read_it(secret), LOAM_OK);
}

Test(secret_file, a_folder_that_is_not_there_is_told) {
    unsigned char secret[SECRET_BYTES];
    loam_error error = {0};
    loam_status status =
        secret_file_read("/nowhere-at-all", "dungeons", secret, SECRET_BYTES, &error);
    cr_expect_neq(status, LOAM_OK);
    cr_expect_neq(error.text[0], 0);
}
