/* SPDX-License-Identifier: MIT
 *
 * test_catalogue.c: this build computes what the catalogue says, line by line.
 */
#include "tests/golden/catalogue.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char *catalogue_now(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    cr_assert_not_null(stream);
    catalogue_write(stream);
    fclose(stream);
    return text;
}

Test(catalogue, every_line_is_what_this_build_computes) {
    FILE *file = fopen("tests/golden/catalogue.txt", "r");
    cr_assert_not_null(file, "run the tests from the top of the checkout");
    char *now = catalogue_now();
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
