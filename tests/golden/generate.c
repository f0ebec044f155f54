/* SPDX-License-Identifier: MIT
 *
 * generate.c: `generate FILE` writes the case file for `make cross`; `generate
 * --catalogue`, `--dungeons` and `--contents` print the catalogues that this build computes, for a
 * deliberate change.
 */
#include "tests/golden/catalogue.h"
#include "tests/golden/contents.h"
#include "tests/golden/dungeons.h"

#include <string.h>

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "--catalogue") == 0) {
        catalogue_write(stdout);
        return fflush(stdout) == 0 ? 0 : 1;
    }
    if (count == 2 && strcmp(arguments[1], "--dungeons") == 0) {
        dungeons_write(stdout);
        return fflush(stdout) == 0 ? 0 : 1;
    }
    if (count == 2 && strcmp(arguments[1], "--contents") == 0) {
        contents_write(stdout);
        return fflush(stdout) == 0 ? 0 : 1;
    }
    FILE *file = count == 2 ? fopen(arguments[1], "wb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: generate FILE | --catalogue | --dungeons | --contents\n");
        return 1;
    }
    catalogue_write_cases(file);
    return fclose(file) == 0 ? 0 : 1;
}
