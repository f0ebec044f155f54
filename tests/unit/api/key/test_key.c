/* SPDX-License-Identifier: MIT
 *
 * test_key.c: digests against published vectors (FIPS 180-4), their one spelling, and domains.
 */
#include "api/key/key.h"

#include <criterion/criterion.h>
#include <string.h>

#define ABC_DIGEST "sha256-ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

Test(key, a_digest_of_abc_is_the_published_one) {
    digest got = digest_of("abc", 3);
    char text[DIGEST_TEXT_BYTES];
    digest_text(&got, text);
    cr_assert_str_eq(text, ABC_DIGEST);
}

Test(key, a_digest_of_nothing_is_the_published_one) {
    digest got = digest_of(NULL, 0);
    char text[DIGEST_TEXT_BYTES];
    digest_text(&got, text);
    cr_assert_str_eq(text,
                     "sha256-e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

Test(key, a_stream_in_pieces_equals_one_piece) {
    digest_stream stream;
    digest_begin(&stream);
    loam_sink sink = digest_sink(&stream);
    sink.write(sink.context, "a", 1);
    sink.write(sink.context, "", 0);
    sink.write(sink.context, "bc", 2);
    digest pieces = digest_end(&stream);
    digest whole = digest_of("abc", 3);
    cr_assert(digest_equal(&pieces, &whole));
}

Test(key, a_domain_stands_before_the_bytes_with_a_newline) {
    digest got = digest_of_domain(DIGEST_DOMAIN_GRAPH, "abc", 3);
    digest want = digest_of("loam-graph/1\nabc", 16);
    digest other = digest_of_domain(DIGEST_DOMAIN_JOB, "abc", 3);
    cr_assert(digest_equal(&got, &want));
    cr_assert_not(digest_equal(&got, &other));
}

Test(key, a_text_comes_back_as_the_same_digest) {
    digest want = digest_of("abc", 3);
    digest got;
    cr_assert(digest_parse(loam_text_of(ABC_DIGEST), &got));
    cr_assert(digest_equal(&got, &want));
}

Test(key, only_one_spelling_of_a_digest_is_taken) {
    digest got;
    char text[DIGEST_TEXT_BYTES] = ABC_DIGEST;
    cr_assert_not(digest_parse((loam_text){text, DIGEST_TEXT_SIZE - 1}, &got), "short");
    cr_assert_not(digest_parse(loam_text_of(ABC_DIGEST "0"), &got), "long");
    cr_assert_not(digest_parse(loam_text_of(""), &got), "empty");
    text[7] = 'B';
    cr_assert_not(digest_parse(loam_text_of(text), &got), "upper case");
    text[7] = 'g';
    cr_assert_not(digest_parse(loam_text_of(text), &got), "no hex digit");
    memcpy(text, "SHA256-b", 8);
    cr_assert_not(digest_parse(loam_text_of(text), &got), "another prefix");
}
