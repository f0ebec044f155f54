/* SPDX-License-Identifier: MIT
 *
 * test_key_dungeon.c: what is drawn with a secret, against another implementation of HMAC-SHA-256.
 */
#include "api/key/key.h"

#include <criterion/criterion.h>

static digest digest_of_text(const char *text) {
    loam_text view = loam_text_of(text);
    return digest_of(view.bytes, view.size);
}

Test(key_dungeon, a_content_key_is_the_hmac_of_build_key_and_rules) {
    char text[DIGEST_TEXT_BYTES];
    const secret_key secret = secret_of_seed(1234567890123u);
    const digest first = digest_of_text("layout"), second = digest_of_text("rules");
    const digest key = key_of_content(&secret, &first, &second);
    digest_text(&key, text);
    cr_expect_str_eq(text,
                     "sha256-4b938948c417f368822674eda8c987b935cdcce49573610489e397eb962006af");
    const digest swapped = key_of_content(&secret, &second, &first);
    cr_expect(!digest_equal(&key, &swapped));
}

Test(key_dungeon, seeds_of_stages_are_its_first_bits_and_differ) {
    const secret_key secret = secret_of_seed(1234567890123u);
    const digest first = digest_of_text("layout"), second = digest_of_text("rules");
    cr_expect_eq(secret_draw_seed(&secret, &first, &second, SECRET_CONTENT), 12796330101582538815u);
    cr_expect_eq(secret_draw_seed(&secret, &first, &second, SECRET_ENCOUNTER), 718973975535555518u);
}

Test(key_dungeon, another_seed_is_another_secret_at_both_ends_of_the_range) {
    const digest any = digest_of_text("layout");
    const secret_key none = secret_of_seed(0), all = secret_of_seed(UINT64_MAX);
    const digest a = key_of_content(&none, &any, &any), b = key_of_content(&all, &any, &any);
    cr_expect(!digest_equal(&a, &b));
}
