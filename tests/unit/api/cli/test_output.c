/* SPDX-License-Identifier: MIT
 *
 * test_output.c: files and paths.
 */
#include "api/cli/output.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void folder_make(char *folder) {
    strcpy(folder, "/tmp/loam-test-output.XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

Test(output, what_is_written_reads_back_and_no_part_stays) {
    char folder[64];
    char path[128];
    loam_error error = {0};
    loam_text content;
    folder_make(folder);
    (void)snprintf(path, sizeof path, "%s/a/b/file", folder);
    cr_assert_neq(output_write(path, "abc", 3, &error), LOAM_OK, "the folder is missing");
    error = (loam_error){0};
    (void)snprintf(path, sizeof path, "%s/a/b", folder);
    cr_assert_eq(output_make_folder(path, &error), LOAM_OK, "%s", error.text);
    cr_assert_eq(output_make_folder(path, &error), LOAM_OK, "again: %s", error.text);
    strcat(path, "/file");
    cr_assert_eq(output_write(path, "abc", 3, &error), LOAM_OK, "%s", error.text);
    cr_assert_eq(input_read(path, 3, &content, &error), LOAM_OK, "%s", error.text);
    cr_assert_eq(content.size, 3);
    cr_assert_str_eq(content.bytes, "abc");
    free((void *)(uintptr_t)content.bytes);
    cr_assert_eq(unlink(path), 0);
    *strrchr(path, '/') = '\0';
    cr_assert_eq(rmdir(path), 0, "nothing else is in the folder");
    *strrchr(path, '/') = '\0';
    cr_assert_eq(rmdir(path), 0);
    cr_assert_eq(rmdir(folder), 0);
}

Test(output, a_file_over_the_limit_and_a_missing_one_are_errors) {
    loam_error error = {0};
    loam_text content;
    cr_assert_eq(input_read("/nonexistent", 10, &content, &error), LOAM_IO);
    cr_assert_not_null(strstr(error.text, "/nonexistent"));
    error = (loam_error){0};
    cr_assert_eq(input_read("/proc/self/status", 10, &content, &error), LOAM_TOO_LARGE);
    error = (loam_error){0};
    cr_assert_eq(input_read("/tmp", 10, &content, &error), LOAM_IO, "a folder is no file");
}

Test(output, extensions_count_whole_names_only) {
    cr_assert(path_has_extension("a.PNG", ".png"));
    cr_assert(path_has_extension("d/a.world.json", ".world.json"));
    cr_assert_not(path_has_extension(".png", ".png"));
    cr_assert_not(path_has_extension("png", ".png"));
}

Test(output, names_are_relative_to_the_file_that_holds_them) {
    char path[32];
    cr_assert(path_beside("d/e/f.json", "x.r16", path, sizeof path));
    cr_assert_str_eq(path, "d/e/x.r16");
    cr_assert(path_beside("f.json", "x.r16", path, sizeof path));
    cr_assert_str_eq(path, "x.r16");
    cr_assert(path_beside("d/f.json", "/x.r16", path, sizeof path));
    cr_assert_str_eq(path, "/x.r16");
    cr_assert_not(path_beside("d/f.json", "a-name-that-does-not-fit.r16.png", path, sizeof path));
}
