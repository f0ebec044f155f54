/* SPDX-License-Identifier: MIT
 *
 * test_coding.c: what is coded decodes to the same bytes, and a buffer that is too small is told.
 */
#include "api/view/coding.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

static const char text[] =
    "half a league, half a league, half a league onward, all in the valley of";

static size_t encode(content_coding coding, loam_text bytes, char **coded) {
    size_t size = 0;
    size_t bound = coding_bound(coding, bytes.size);
    *coded = malloc(bound);
    cr_assert_eq(coding_encode(coding, bytes, *coded, bound, &size), LOAM_OK);
    return size;
}

Test(coding, zstd_comes_back) {
    char *coded = NULL;
    char back[sizeof text];
    size_t size = encode(CODING_ZSTD, loam_text_of(text), &coded);
    cr_assert_eq(ZSTD_decompress(back, sizeof back, coded, size), strlen(text));
    cr_expect_eq(memcmp(back, text, strlen(text)), 0);
    free(coded);
}

Test(coding, gzip_comes_back_and_holds_no_time) {
    char *coded = NULL;
    char back[sizeof text];
    size_t size = encode(CODING_GZIP, loam_text_of(text), &coded);
    z_stream stream = {.next_in = (Bytef *)coded,
                       .avail_in = (uInt)size,
                       .next_out = (Bytef *)back,
                       .avail_out = sizeof back};
    cr_assert_eq(inflateInit2(&stream, 15 + 16), Z_OK);
    cr_assert_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
    cr_expect_eq(stream.total_out, strlen(text));
    cr_expect_eq(memcmp(back, text, strlen(text)), 0);
    cr_expect_eq(memcmp(coded + 4, "\0\0\0\0", 4), 0);
    inflateEnd(&stream);
    free(coded);
}

Test(coding, bytes_that_do_not_compress_fit_the_bound) {
    enum { BYTES = 100000 };
    static char noise[BYTES];
    unsigned state = 1;
    for (size_t i = 0; i < BYTES; i++) {
        state = state * 1664525u + 1013904223u;
        noise[i] = (char)(state >> 24);
    }
    for (content_coding coding = CODING_GZIP; coding <= CODING_ZSTD; coding++) {
        char *coded = NULL;
        cr_expect_gt(encode(coding, (loam_text){noise, BYTES}, &coded), BYTES / 2);
        free(coded);
    }
}

Test(coding, nothing_is_something_when_coded) {
    for (content_coding coding = CODING_GZIP; coding <= CODING_ZSTD; coding++) {
        char *coded = NULL;
        cr_expect_gt(encode(coding, (loam_text){"", 0}, &coded), 0);
        free(coded);
    }
}

Test(coding, a_buffer_that_is_too_small_is_an_error) {
    char small[4];
    size_t size = 0;
    cr_expect_neq(coding_encode(CODING_ZSTD, loam_text_of(text), small, sizeof small, &size),
                  LOAM_OK);
    cr_expect_neq(coding_encode(CODING_GZIP, loam_text_of(text), small, sizeof small, &size),
                  LOAM_OK);
}
