/* SPDX-License-Identifier: MIT
 *
 * upkeep_calls.h: upkeep as its tests want it: one request that is waited for, and assets put.
 */
#ifndef LOAM_TESTS_UNIT_STORE_UPKEEP_CALLS_H
#define LOAM_TESTS_UNIT_STORE_UPKEEP_CALLS_H

#include "tests/unit/server/store/store_suite.h"

static void upkeep_wait(store_upkeep *request) {
    test_latch *latch = test_latch_create();
    request->base.done = test_latch_done;
    request->base.context = latch;
    cr_assert_eq(store_upkeep_begin(opened, request), LOAM_OK);
    test_latch_wait(latch, 1);
    test_latch_destroy(latch);
}

/* An asset of that name with bytes of a number; its digest. */
__attribute__((unused)) static digest upkeep_put_asset(const char *name, uint64_t number) {
    loam_error error = {0};
    blob *bytes = test_blob(number, 5000);
    digest of = bytes->digest;
    cr_assert_eq(store_asset_write(opened, bytes, &error), LOAM_OK, "%s", error.text);
    control_request put = {.operation = CONTROL_ASSET_PUT,
                           .asset = {.name = loam_text_of(name),
                                     .kind = loam_text_of("heightfield"),
                                     .digest = of,
                                     .content_digest = of,
                                     .bytes = bytes->size,
                                     .summary = loam_text_of("{}"),
                                     .params = loam_text_of("{}"),
                                     .created_ms = 1}};
    cr_assert_eq(store_control_wait(opened, &put), LOAM_OK, "%s", put.base.error.text);
    control_result_fini(&put.result);
    blob_release(bytes);
    return of;
}

/* The path of a file of a folder that is named by a digest. */
__attribute__((unused)) static void upkeep_path(const char *dir, const digest *of,
                                                const char *suffix, char path[FOLDER_PATH_BYTES]) {
    char text[DIGEST_TEXT_BYTES];
    digest_text(of, text);
    snprintf(path, FOLDER_PATH_BYTES, "%s/assets/%s%s", dir, text, suffix);
}

#endif
