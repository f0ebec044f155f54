/* SPDX-License-Identifier: MIT
 *
 * test_verdict.c: verdicts as texts, and those that are remembered.
 */
#include "server/cell/verdict.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ENTRIES = 16 };

static verdict_cache *cache;

static void start(void) {
    cache = verdict_cache_create(ENTRIES);
    cr_assert_not_null(cache);
}

static void stop(void) {
    verdict_cache_destroy(cache);
}

TestSuite(verdict, .init = start, .fini = stop);

static digest number_digest(uint64_t number) {
    return digest_of(&number, sizeof number);
}

static bool is(loam_text text, const char *wanted) {
    return loam_text_equal(text, loam_text_of(wanted));
}

Test(verdict, what_passed_is_empty) {
    blob *passed = verdict_make(&(loam_verdict){0});
    cr_expect(verdict_passed(passed));
    cr_expect_eq(verdict_detail(passed).size, 0);
    cr_expect_eq(verdict_reasons(passed).size, 0);
    blob_release(passed);
}

Test(verdict, what_failed_has_a_sentence_and_reasons) {
    loam_verdict of = {.reason_count = 1,
                       .reasons = {{.kind = LOAM_CHECK_COUNT,
                                    .failures = 1,
                                    .measured = true,
                                    .scale_bits = 8,
                                    .value = 256,
                                    .limit = 512}}};
    blob *failed = verdict_make(&of);
    cr_expect_not(verdict_passed(failed));
    cr_expect(is(verdict_detail(failed), "count: 1.000 instances per km2, at least 2.000 wanted"));
    cr_expect(is(verdict_reasons(failed), "[{\"check\":\"count\",\"failures\":1,\"value\":1,"
                                          "\"limit\":2,\"unit\":\"1/km2\"}]"));
    blob_release(failed);
}

Test(verdict, a_text_without_reasons_has_none) {
    blob *odd = blob_create("only words", 10);
    cr_expect(is(verdict_detail(odd), "only words"));
    cr_expect_eq(verdict_reasons(odd).size, 0);
    cr_expect_eq(verdict_detail(NULL).size, 0);
    cr_expect_eq(verdict_reasons(NULL).size, 0);
    blob_release(odd);
}

Test(verdict, a_verdict_is_found_under_both_its_names_alone) {
    digest a = number_digest(1), b = number_digest(2), c = number_digest(3);
    blob *text = blob_create("x", 1);
    verdict_cache_add(cache, &a, &b, text);
    blob *found = verdict_cache_find(cache, &a, &b);
    cr_expect_eq(found, text);
    blob_release(found);
    cr_expect_null(verdict_cache_find(cache, &b, &a));
    cr_expect_null(verdict_cache_find(cache, &a, &c));
    cr_expect_null(verdict_cache_find(cache, &c, &b));
    blob_release(text);
}

Test(verdict, many_push_out_old_ones_and_are_never_mixed_up) {
    digest checks = number_digest(0);
    uint32_t kept = 0;
    for (uint64_t i = 1; i <= 1000; i++) {
        digest artifact = number_digest(i);
        blob *text = blob_create(&i, sizeof i);
        verdict_cache_add(cache, &artifact, &checks, text);
        verdict_cache_add(cache, &artifact, &checks, text);
        blob_release(text);
    }
    for (uint64_t i = 1; i <= 1000; i++) {
        digest artifact = number_digest(i);
        blob *found = verdict_cache_find(cache, &artifact, &checks);
        if (found != NULL) {
            cr_assert_eq(memcmp(found->bytes, &i, sizeof i), 0);
            kept++;
            blob_release(found);
        }
    }
    cr_expect(kept > ENTRIES / 2 && kept <= ENTRIES, "%u", kept);
}
