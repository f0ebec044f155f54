/* SPDX-License-Identifier: MIT
 *
 * test_token.c: tokens as text.
 */
#include "api/key/token.h"

#include <criterion/criterion.h>
#include <string.h>

Test(token, a_token_is_read_back_with_its_id_and_digest) {
    secret_key secret = {{0, 1, 2, 253, 254, 255}};
    char text[TOKEN_TEXT_BYTES];
    loam_error error = {0};
    loam_text id;
    digest of;
    cr_assert_eq(token_write(loam_text_of("build.farm-1"), &secret, text, &error), LOAM_OK);
    cr_assert_str_eq(text, "loam_build.farm-1.AAEC_f7_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    cr_assert(token_read(loam_text_of(text), &id, &of));
    cr_expect(loam_text_equal(id, loam_text_of("build.farm-1")));
    digest wanted = digest_of(text, strlen(text));
    cr_expect(token_digest_equal(&of, &wanted));
    wanted.bytes[31] ^= 1;
    cr_expect(!token_digest_equal(&of, &wanted));
}

Test(token, an_id_is_a_name) {
    secret_key secret = {{0}};
    char text[TOKEN_TEXT_BYTES];
    loam_error error = {0};
    cr_expect_eq(token_write(loam_text_of("Farm"), &secret, text, &error), LOAM_BAD_NAME);
    cr_expect_eq(token_write(loam_text_of(""), &secret, text, &error), LOAM_BAD_NAME);
}

Test(token, what_has_not_its_form_is_none) {
#define SECRET "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    static const char *const bad[] = {
        "",
        "loam_",
        "loam_." SECRET,
        "loam_a" SECRET,
        "a." SECRET,
        "loam_A." SECRET,
        "loam_a." SECRET "A=",
        "loam_a.AAAA",
        "loam_a.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+A",
    };
    loam_text id;
    digest of;
    cr_expect(token_read(loam_text_of("loam_a." SECRET), &id, &of));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect(!token_read(loam_text_of(bad[i]), &id, &of), "%s", bad[i]);
    }
}
