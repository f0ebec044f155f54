/* SPDX-License-Identifier: MIT
 *
 * test_shelf.c: assets by name from an assets file.
 */
#include "api/cli/shelf.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/wire/document.h"
#include "tests/support/program.h"

static char folder[64];
static char path[128];
static loam_error error;

static void shelf_begin(void) {
    program_folder_make(folder);
    (void)snprintf(path, sizeof path, "%s/assets.json", folder);
    cr_assert_eq(wire_init(&error), LOAM_OK);
}

static void shelf_end(void) {
    program_folder_remove(folder);
}

TestSuite(shelf, .init = shelf_begin, .fini = shelf_end);

static void file_write(const char *name, const char *bytes, size_t size) {
    char file[128];
    (void)snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *to = fopen(file, "wb");
    cr_assert_not_null(to);
    cr_assert_eq(fwrite(bytes, 1, size, to), size);
    cr_assert_eq(fclose(to), 0);
}

static void assets_write(const char *text) {
    file_write("assets.json", text, strlen(text));
}

#define FLAT                                                                                       \
    "\"kind\": \"heightfield\", \"width\": 2, \"height\": 2, \"spacing_m\": 8, "                   \
    "\"encoding\": \"u16le\", \"row0\": \"north\""

Test(shelf, an_asset_is_read_once_and_found_by_its_digest) {
    asset_shelf shelf = {.count = 0};
    const shelf_asset *first;
    const shelf_asset *again;
    file_write("h.r16", "\1\0\2\0\3\0\4\0", 8);
    assets_write("{\"a\": {\"file\": \"h.r16\", " FLAT ", \"offset_m\": 10, \"scale_m\": 0.5}}");
    cr_assert_eq(shelf_open(&shelf, path, &error), LOAM_OK, "%s", error.text);
    cr_assert_eq(shelf_find(&shelf, loam_text_of("a"), &first, &error), LOAM_OK, "%s", error.text);
    cr_assert_eq(shelf_find(&shelf, loam_text_of("a"), &again, &error), LOAM_OK);
    cr_assert_eq(first, again);
    const loam_asset *asset = shelf_at(&shelf, &first->id);
    cr_assert_eq(asset, &first->data->asset);
    cr_assert_eq(asset->heightfield->samples[0], 10 * 65536 + 3 * 32768, "row 0 is the south");
    digest other = {{0}};
    cr_assert_null(shelf_at(&shelf, &other));
    shelf_close(&shelf);
}

Test(shelf, a_recipe_is_the_same_inline_and_from_its_file) {
    static const char recipe[] = "{\"recipe\": \"heightmap.fbm\", \"seed\": \"7\", "
                                 "\"params\": {\"width\": 5, \"height\": 9, \"base_m\": 0.25}}";
    char text[512];
    asset_shelf shelf = {.count = 0};
    const shelf_asset *one;
    const shelf_asset *two;
    file_write("r.json", recipe, strlen(recipe));
    (void)snprintf(text, sizeof text, "{\"one\": %s, \"two\": {\"file\": \"r.json\"}}", recipe);
    assets_write(text);
    cr_assert_eq(shelf_open(&shelf, path, &error), LOAM_OK, "%s", error.text);
    cr_assert_eq(shelf_find(&shelf, loam_text_of("one"), &one, &error), LOAM_OK, "%s", error.text);
    cr_assert_eq(shelf_find(&shelf, loam_text_of("two"), &two, &error), LOAM_OK, "%s", error.text);
    cr_assert(digest_equal(&one->id, &two->id));
    shelf_close(&shelf);
}

typedef struct bad_shelf {
    const char *text;
    loam_status status;
    const char *said;
} bad_shelf;

Test(shelf, what_is_wrong_is_said_with_the_name_of_the_asset) {
    static const bad_shelf bad[] = {
        {"{}", LOAM_NOT_FOUND, "asset a"},
        {"{\"b\": {}}", LOAM_NOT_FOUND, "asset a"},
        {"{\"a\": {}}", LOAM_MISSING_FIELD, "asset a"},
        {"{\"a\": {\"file\": 3}}", LOAM_MISSING_FIELD, "asset a"},
        {"{\"a\": {\"file\": \"none.r16\", " FLAT "}}", LOAM_IO, "none.r16"},
        {"{\"a\": {\"file\": \"h.r16\", " FLAT ", \"scale_m\": 1, \"offset_m\": 0, \"hue\": 1}}",
         LOAM_UNKNOWN_PARAMETER, "hue"},
        {"{\"a\": {\"file\": \"short.r16\", " FLAT ", \"scale_m\": 1, \"offset_m\": 0}}",
         LOAM_SIZE_MISMATCH, "asset a"},
        {"{\"a\": {\"recipe\": \"heightmap.fbm\", \"seed\": 7}}", LOAM_SEED_OUT_OF_RANGE, "/seed"},
    };
    file_write("h.r16", "\1\0\2\0\3\0\4\0", 8);
    file_write("short.r16", "\1\0\2\0\3\0\4", 7);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        asset_shelf shelf = {.count = 0};
        const shelf_asset *found;
        loam_error fault = {0};
        assets_write(bad[i].text);
        cr_assert_eq(shelf_open(&shelf, path, &fault), LOAM_OK, "%s", bad[i].text);
        cr_assert_eq(shelf_find(&shelf, loam_text_of("a"), &found, &fault), bad[i].status, "%s: %s",
                     bad[i].text, fault.text);
        cr_assert_not_null(strstr(fault.text, bad[i].said), "%s: %s", bad[i].text, fault.text);
        shelf_close(&shelf);
    }
}

Test(shelf, a_file_that_is_no_object_is_refused) {
    static const char *const bad[] = {"[]", "{", "{\"a\": 1, \"a\": 2}", ""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        asset_shelf shelf = {.count = 0};
        loam_error fault = {0};
        assets_write(bad[i]);
        cr_assert_eq(shelf_open(&shelf, path, &fault), LOAM_MALFORMED, "%s", bad[i]);
        shelf_close(&shelf);
    }
}
