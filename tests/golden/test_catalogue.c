/* SPDX-License-Identifier: MIT
 *
 * test_catalogue.c: this build computes what the catalogues say, line by line.
 */
#include "tests/golden/catalogue.h"
#include "tests/golden/contents.h"
#include "tests/golden/dungeons.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(void (*write)(FILE *to)) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    cr_assert_not_null(stream);
    write(stream);
    fclose(stream);
    return text;
}

static void expect_lines(const char *path, void (*write)(FILE *to)) {
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "run the tests from the top of the checkout");
    char *now = text_of(write);
    char *rest = now;
    char want[512];
    for (int line = 1; fgets(want, sizeof want, file) != NULL; line++) {
        char *got = strsep(&rest, "\n");
        want[strcspn(want, "\n")] = 0;
        cr_assert_not_null(got, "line %d: want \"%s\", got the end", line, want);
        cr_assert_str_eq(got, want, "line %d: got \"%s\", want \"%s\"", line, got, want);
    }
    cr_expect(rest != NULL && *rest == 0, "there is more than the catalogue has: %s", rest);
    fclose(file);
    free(now);
}

Test(catalogue, every_line_is_what_this_build_computes) {
    expect_lines("tests/golden/catalogue.txt", catalogue_write);
}

Test(catalogue, every_dungeon_is_what_this_build_computes) {
    expect_lines("tests/golden/dungeons.txt", dungeons_write);
}

Test(catalogue, what_is_in_every_dungeon_is_what_this_build_computes) {
    expect_lines("tests/golden/contents.txt", contents_write);
}
