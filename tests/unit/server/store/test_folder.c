/* SPDX-License-Identifier: MIT
 *
 * test_folder.c: the data folder: made, locked, swept; and what refuses to be one.
 */
#include "server/store/folder.h"
#include "tests/support/store_calls.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[TEST_DIR_BYTES];
static char path[FOLDER_PATH_BYTES];

static void set_up(void) {
    test_dir_make(dir);
}

static void tear_down(void) {
    test_dir_remove(dir);
}

static void touch_file(const char *in, const char *name) {
    char file[FOLDER_PATH_BYTES + 64];
    snprintf(file, sizeof file, "%s/%s", in, name);
    int fd = open(file, O_WRONLY | O_CREAT, 0600);
    cr_assert_geq(fd, 0);
    close(fd);
}

static bool has_file(const char *in, const char *name) {
    char file[FOLDER_PATH_BYTES + 64];
    snprintf(file, sizeof file, "%s/%s", in, name);
    return access(file, F_OK) == 0;
}

TestSuite(folder, .init = set_up, .fini = tear_down);

Test(folder, is_made_with_its_parents_for_its_owner_alone) {
    folder made;
    struct stat found;
    loam_error error = {0};
    snprintf(path, sizeof path, "%s/a/b/c/", dir);
    cr_assert_eq(folder_open(&made, path, &error), LOAM_OK, "%s", error.text);
    cr_assert_eq(stat(path, &found), 0);
    cr_assert_eq(found.st_mode & 0777, 0700);
    cr_assert(has_file(path, "lock"));
    cr_assert(has_file(path, "assets"));
    cr_assert(has_file(path, "uploads"));
    cr_assert(has_file(path, "keys"));
    cr_assert_str_eq(made.uploads + strlen(made.uploads) - 10, "/c/uploads");
    folder_close(&made);
}

Test(folder, loses_half_written_files_and_no_others) {
    folder made;
    cr_assert_eq(folder_open(&made, dir, NULL), LOAM_OK);
    touch_file(made.uploads, "1.part");
    touch_file(made.assets, "x.7.part");
    touch_file(made.uploads, "note");
    touch_file(made.uploads, ".part.kept");
    folder_close(&made);
    cr_assert_eq(folder_open(&made, dir, NULL), LOAM_OK);
    cr_assert_not(has_file(made.uploads, "1.part"));
    cr_assert_not(has_file(made.assets, "x.7.part"));
    cr_assert(has_file(made.uploads, "note"));
    cr_assert(has_file(made.uploads, ".part.kept"));
    folder_close(&made);
}

Test(folder, is_held_by_one_and_free_again_after) {
    folder first;
    folder second;
    char pid[32];
    loam_error error = {0};
    cr_assert_eq(folder_open(&first, dir, NULL), LOAM_OK);
    cr_assert_eq(folder_open(&second, dir, &error), LOAM_LOCKED);
    snprintf(pid, sizeof pid, "(process %ld)", (long)getpid());
    cr_assert_not_null(strstr(error.text, "another loamd"), "%s", error.text);
    cr_assert_not_null(strstr(error.text, pid), "%s", error.text);
    cr_assert_not_null(strstr(error.text, dir), "%s", error.text);
    folder_close(&first);
    cr_assert_eq(folder_open(&second, dir, NULL), LOAM_OK);
    folder_close(&second);
}

Test(folder, is_free_again_when_its_holder_was_killed) {
    pid_t child = fork();
    if (child == 0) {
        folder held;
        _exit(folder_open(&held, dir, NULL) == LOAM_OK ? (raise(SIGKILL), 0) : 1);
    }
    int state;
    cr_assert_eq(waitpid(child, &state, 0), child);
    cr_assert(WIFSIGNALED(state));
    folder made;
    cr_assert_eq(folder_open(&made, dir, NULL), LOAM_OK);
    folder_close(&made);
}

Test(folder, says_which_path_cannot_be_a_folder) {
    folder made;
    loam_error error = {0};
    touch_file(dir, "file");
    snprintf(path, sizeof path, "%s/file", dir);
    cr_assert_eq(folder_open(&made, path, &error), LOAM_IO);
    cr_assert_not_null(strstr(error.text, path), "%s", error.text);
    error = (loam_error){0};
    snprintf(path, sizeof path, "%s/file/below", dir);
    cr_assert_eq(folder_open(&made, path, &error), LOAM_IO);
    cr_assert_not_null(strstr(error.text, "/file"), "%s", error.text);
}

Test(folder, says_that_it_cannot_be_written) {
    folder made;
    loam_error error = {0};
    cr_assert_eq(folder_open(&made, "/proc/self", &error), LOAM_IO);
    cr_assert_not_null(strstr(error.text, "cannot write to the data folder"), "%s", error.text);
}

Test(folder, refuses_an_empty_and_an_endless_path) {
    folder made;
    memset(path, 'x', sizeof path - 1);
    path[0] = '/';
    cr_assert_eq(folder_open(&made, "", NULL), LOAM_IO);
    cr_assert_eq(folder_open(&made, path, NULL), LOAM_IO);
    path[FOLDER_PATH_BYTES - 4] = 0;
    cr_assert_neq(folder_open(&made, path, NULL), LOAM_OK);
}
