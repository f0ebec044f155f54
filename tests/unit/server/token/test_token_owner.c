/* SPDX-License-Identifier: MIT
 *
 * test_token_owner.c: what is counted against the limits of a token, with a clock of the test's
 * own.
 */
#include "server/token/token_owner.h"

#include <criterion/criterion.h>

#define SECOND ((uint64_t)1000000)

static loam_error error;

static void start(void) {
    error = (loam_error){0};
}

TestSuite(token_owner, .init = start);

Test(token_owner, requests_at_one_time_are_limited_and_end) {
    token_owner owner = {.limits = {.requests = 2}};
    cr_expect_eq(owner_begin_request(&owner, &error), LOAM_OK);
    cr_expect_eq(owner_begin_request(&owner, &error), LOAM_OK);
    cr_expect_eq(owner_begin_request(&owner, &error), LOAM_TOO_MANY_REQUESTS);
    owner_end_request(&owner);
    cr_expect_eq(owner_begin_request(&owner, &error), LOAM_OK);
    cr_expect_eq(owner.held, 2);
}

Test(token_owner, without_limits_nothing_is_refused) {
    token_owner owner = {0};
    int32_t wait_s = 0;
    for (int i = 0; i < 1000; i++) {
        cr_expect_eq(owner_begin_request(&owner, &error), LOAM_OK);
    }
    owner_charge_core(&owner, SECOND, 1000 * SECOND);
    cr_expect_eq(owner_check_core(&owner, SECOND, &wait_s, &error), LOAM_OK);
    cr_expect_eq(owner_add_asset(&owner, SECOND, UINT64_MAX / 2, &wait_s, &error), LOAM_OK);
    cr_expect_eq(owner_check_job(&owner, &error), LOAM_OK);
}

Test(token_owner, core_time_is_a_minutes_worth_and_comes_back) {
    token_owner owner = {.limits = {.core_seconds = 30}};
    int32_t wait_s = 0;
    uint64_t now = 1000 * SECOND;
    cr_expect_eq(owner_check_core(&owner, now, &wait_s, &error), LOAM_OK);
    owner_charge_core(&owner, now, 31 * SECOND);
    cr_expect_eq(owner_check_core(&owner, now, &wait_s, &error), LOAM_TOO_MANY_REQUESTS);
    cr_expect_eq(wait_s, 3, "half a core-second comes back each second");
    cr_expect_eq(owner_check_core(&owner, now + 3 * SECOND, &wait_s, &error), LOAM_OK);
    cr_expect_eq(owner_check_core(&owner, now + 3600 * SECOND, &wait_s, &error), LOAM_OK);
    cr_expect_eq(owner.core_us_left, (int64_t)(30 * SECOND), "never more than a minute's worth");
}

Test(token_owner, a_day_has_its_bytes_and_worlds_and_the_next_day_new_ones) {
    token_owner owner = {.limits = {.asset_bytes = 100, .worlds = 1}};
    int32_t wait_s = 0;
    uint64_t now = 5 * SECOND;
    cr_expect_eq(owner_add_asset(&owner, now, 60, &wait_s, &error), LOAM_OK);
    cr_expect_eq(owner_add_asset(&owner, now, 41, &wait_s, &error), LOAM_TOO_MANY_REQUESTS);
    cr_expect_eq(owner_add_asset(&owner, now, 40, &wait_s, &error), LOAM_OK);
    cr_expect_eq(owner_add_world(&owner, now, &wait_s, &error), LOAM_OK);
    cr_expect_eq(owner_add_world(&owner, now + 3600 * SECOND, &wait_s, &error),
                 LOAM_TOO_MANY_REQUESTS);
    cr_expect_eq(wait_s, 23 * 3600 + 1);
    cr_expect_eq(owner_add_world(&owner, now + 86400 * SECOND, &wait_s, &error), LOAM_OK);
}

Test(token_owner, jobs_under_way_are_limited_and_end) {
    token_owner owner = {.limits = {.jobs = 1}};
    cr_expect_eq(owner_check_job(&owner, &error), LOAM_OK);
    owner_begin_job(&owner);
    cr_expect_eq(owner_check_job(&owner, &error), LOAM_TOO_MANY_REQUESTS);
    owner_end_job(&owner);
    cr_expect_eq(owner_check_job(&owner, &error), LOAM_OK);
}
