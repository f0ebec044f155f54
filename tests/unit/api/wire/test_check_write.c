/* SPDX-License-Identifier: MIT
 *
 * test_check_write.c: reasons of verdicts as documents and as sentences.
 */
#include "api/wire/check_document.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_written(const loam_verdict *verdict, const char *json, const char *words) {
    char text[LOAM_ERROR_TEXT_BYTES];
    text_buffer buffer;
    buffer_init(&buffer, CHECK_REASONS_BYTES_MAX);
    reasons_write(&buffer, verdict);
    cr_expect(loam_text_equal(buffer_view(&buffer), loam_text_of(json)), "%.*s", (int)buffer.size,
              buffer.bytes);
    reasons_tell(verdict, text);
    cr_expect_str_eq(text, words);
    buffer_fini(&buffer);
}

Test(check_write, a_verdict_without_reasons_is_empty) {
    expect_written(&(loam_verdict){0}, "[]", "");
}

Test(check_write, a_count_says_which_end_it_missed) {
    loam_verdict verdict = {.reason_count = 1,
                            .reasons = {{.kind = LOAM_CHECK_COUNT,
                                         .failures = 1,
                                         .measured = true,
                                         .scale_bits = 8,
                                         .value = 384,
                                         .limit = 512}}};
    expect_written(&verdict,
                   "[{\"check\":\"count\",\"failures\":1,\"value\":1.5,\"limit\":2,\"unit\":"
                   "\"1/km2\"}]",
                   "count: 1.500 instances per km2, at least 2.000 wanted");
    verdict.reasons[0].limit = 0;
    expect_written(&verdict,
                   "[{\"check\":\"count\",\"failures\":1,\"value\":1.5,\"limit\":0,\"unit\":"
                   "\"1/km2\"}]",
                   "count: 1.500 instances per km2, at most 0.000 wanted");
}

static loam_verdict pair(void) {
    return (loam_verdict){.reason_count = 1,
                          .reasons = {{.kind = LOAM_CHECK_SPACING,
                                       .failures = 1,
                                       .id_count = 2,
                                       .ids = {7, UINT64_MAX},
                                       .x = -128,
                                       .y = 256,
                                       .z = 1,
                                       .measured = true,
                                       .scale_bits = 16,
                                       .value = 32768,
                                       .limit = 78848}}};
}

Test(check_write, a_pair_names_both_and_where) {
    loam_verdict verdict = pair();
    expect_written(&verdict,
                   "[{\"check\":\"spacing\",\"ids\":[\"7\",\"18446744073709551615\"],"
                   "\"position_m\":[-0.5,1,0.00390625],\"failures\":1,\"value\":0.5,\"limit\":"
                   "1.203125,\"unit\":\"m\"}]",
                   "spacing: instances 7 and 18446744073709551615 are 0.500 m apart, 1.203 m "
                   "wanted");
}

Test(check_write, what_cannot_be_measured_is_null) {
    loam_verdict verdict = {.reason_count = 2,
                            .reasons = {{.kind = LOAM_CHECK_RING,
                                         .failures = 3,
                                         .id_count = 1,
                                         .ids = {7},
                                         .measured = true,
                                         .inside = true,
                                         .scale_bits = 16,
                                         .limit = 65536},
                                        {.kind = LOAM_CHECK_FLOATING,
                                         .failures = 2,
                                         .id_count = 1,
                                         .ids = {9},
                                         .scale_bits = 16,
                                         .limit = 65536}}};
    expect_written(&verdict,
                   "[{\"check\":\"ring\",\"ids\":[\"7\"],\"position_m\":[0,0,0],\"inside\":true,"
                   "\"failures\":3,\"value\":0,\"limit\":1,\"unit\":\"m\"},{\"check\":\"floating\","
                   "\"ids\":[\"9\"],\"position_m\":[0,0,0],\"failures\":2,\"value\":null,\"limit\":"
                   "1,\"unit\":\"m\"}]",
                   "ring: 3 instances, first 7, which is in a zone; floating: 2 samples, first 9, "
                   "below which is no ground");
}

Test(check_write, a_sentence_that_is_too_long_is_cut) {
    loam_verdict verdict = pair();
    char text[LOAM_ERROR_TEXT_BYTES];
    verdict.reason_count = LOAM_CHECK_KINDS;
    for (uint32_t i = 1; i < LOAM_CHECK_KINDS; i++) {
        verdict.reasons[i] = verdict.reasons[0];
        verdict.reasons[i].ids[0] = UINT64_MAX;
    }
    reasons_tell(&verdict, text);
    cr_expect_eq(strlen(text), LOAM_ERROR_TEXT_BYTES - 1);
    cr_expect_null(strpbrk(text, "\"\\\n"), "it can stand in a header");
}
