/* SPDX-License-Identifier: MIT
 *
 * test_negotiate.c: Accept, Accept-Encoding, Content-Type and Prefer, as clients write them.
 */
#include "server/slot/negotiate.h"

#include <criterion/criterion.h>

static const char *const offers[] = {"application/vnd.loam.cell", "application/json", "image/png",
                                     NULL};

static int32_t media(const char *accept) {
    return negotiate_media(accept == NULL ? (loam_text){NULL, 0} : loam_text_of(accept), offers);
}

Test(negotiate, without_accept_the_first_offer_is_sent) {
    cr_expect_eq(media(NULL), 0);
    cr_expect_eq(media(""), 0);
    cr_expect_eq(media("*/*"), 0);
}

Test(negotiate, the_exact_type_wins_whatever_its_case_and_parameters) {
    cr_expect_eq(media("application/json"), 1);
    cr_expect_eq(media("Application/JSON; charset=utf-8"), 1);
    cr_expect_eq(media("text/html, image/png"), 2);
    cr_expect_eq(media("image/*"), 2);
}

Test(negotiate, weights_decide_and_the_most_exact_range_gives_them) {
    cr_expect_eq(media("application/json;q=0.5, image/png;q=0.8"), 2);
    cr_expect_eq(media("application/json;q=0.8, image/png;q=0.8"), 1);
    cr_expect_eq(media("*/*;q=0.1, image/png"), 2);
    cr_expect_eq(media("*/*, application/vnd.loam.cell;q=0"), 1);
    cr_expect_eq(media("application/*;q=0.2, application/json;q=0.9"), 1);
}

Test(negotiate, what_is_not_offered_or_weighs_nothing_is_not_acceptable) {
    cr_expect_eq(media("text/html"), -1);
    cr_expect_eq(media("application/json;q=0"), -1);
    cr_expect_eq(media("*/*;q=0"), -1);
    cr_expect_eq(media("application/json;q=x"), -1);
    cr_expect_eq(media(",;,="), -1);
}

Test(negotiate, a_comma_in_quotes_does_not_end_an_element) {
    cr_expect_eq(media("text/html;x=\"a, image/png\", application/json"), 1);
}

static content_coding coding(const char *accepted) {
    return negotiate_content_coding(accepted == NULL ? (loam_text){NULL, 0}
                                                     : loam_text_of(accepted));
}

Test(negotiate, zstd_goes_before_gzip_before_identity) {
    cr_expect_eq(coding(NULL), CODING_IDENTITY);
    cr_expect_eq(coding("gzip, deflate, br, zstd"), CODING_ZSTD);
    cr_expect_eq(coding("gzip;q=1.0, zstd;q=0"), CODING_GZIP);
    cr_expect_eq(coding("*"), CODING_ZSTD);
    cr_expect_eq(coding("br"), CODING_IDENTITY);
    cr_expect_eq(coding("identity"), CODING_IDENTITY);
}

Test(negotiate, who_refuses_identity_gets_a_coding_whatever_the_size) {
    cr_expect_eq(coding("identity;q=0, gzip"), CODING_GZIP_ALWAYS);
    cr_expect_eq(coding("zstd, gzip, identity;q=0"), CODING_ZSTD_ALWAYS);
    cr_expect_eq(coding("gzip, *;q=0"), CODING_GZIP_ALWAYS);
    cr_expect_eq(coding("gzip, *;q=0, identity;q=0.1"), CODING_GZIP);
    cr_expect_eq(coding("identity;q=0"), CODING_IDENTITY);
    cr_expect_not(negotiate_has_coding(loam_text_of("identity;q=0")));
    cr_expect(negotiate_has_coding(loam_text_of("identity;q=0, gzip")));
    cr_expect(negotiate_has_coding((loam_text){NULL, 0}));
}

Test(negotiate, a_media_type_is_compared_without_its_parameters) {
    cr_expect(media_type_is(loam_text_of("application/json; charset=utf-8"), "application/json"));
    cr_expect(media_type_is(loam_text_of(" Application/Json"), "application/json"));
    cr_expect_not(media_type_is(loam_text_of("application/jsonx"), "application/json"));
    cr_expect_not(media_type_is((loam_text){NULL, 0}, "application/json"));
}

Test(negotiate, preferences_are_read_and_unknown_ones_passed_over) {
    preference read = preference_read(loam_text_of("respond-async, wait=10"));
    cr_expect(read.respond_async && read.wait_given);
    cr_expect_eq(read.wait_s, 10);
    read = preference_read(loam_text_of("handling=lenient; x, Wait=\"7\", wait=9"));
    cr_expect_not(read.respond_async);
    cr_expect_eq(read.wait_s, 7, "the first one counts");
    read = preference_read(loam_text_of("wait=-1, wait=x, wait"));
    cr_expect_not(read.wait_given);
    read = preference_read(loam_text_of("wait=99999999999999999999"));
    cr_expect_eq(read.wait_s, 999999999);
    read = preference_read((loam_text){NULL, 0});
    cr_expect_not(read.wait_given);
}

Test(negotiate, only_who_refuses_all_three_codings_gets_none) {
    static const struct {
        const char *accepted;
        bool has;
    } cases[] = {
        {"", true},
        {"br", true},
        {"identity", true},
        {"identity;q=0, gzip", true},
        {"*", true},
        {"identity, *;q=0", true},
        {"*;q=0", false},
        {"identity;q=0", false},
        {"gzip;q=0", true},
        {"identity;q=0, br", false},
        {"zstd, *;q=0", true},
    };
    cr_expect(negotiate_has_coding((loam_text){NULL, 0}));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(negotiate_has_coding(loam_text_of(cases[i].accepted)), cases[i].has, "%s",
                     cases[i].accepted);
    }
}
