/* SPDX-License-Identifier: MIT
 *
 * test_client_retry.c: which answers are asked for again, and after how long.
 */
#include "api/client/client.h"

#include <criterion/criterion.h>

Test(client_retry, only_busy_answers_are_repeated) {
    cr_assert(client_retry_wanted(503));
    cr_assert(client_retry_wanted(429));
    static const int others[] = {200, 202, 304, 400, 404, 409, 422, 500, 501, 502, 504};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        cr_assert_not(client_retry_wanted(others[i]), "%d", others[i]);
    }
}

Test(client_retry, delays_double_and_stop_growing) {
    cr_assert_eq(client_retry_delay_ms(0, 0, 0), CLIENT_RETRY_FIRST_MS);
    cr_assert_eq(client_retry_delay_ms(3, 0, 0), 8 * CLIENT_RETRY_FIRST_MS);
    cr_assert_eq(client_retry_delay_ms(4000000000u, 0, 0), client_retry_delay_ms(9, 0, 0));
}

Test(client_retry, retry_after_is_never_undercut_and_jitter_adds_at_most_a_quarter) {
    for (uint64_t random = 0; random < 4000; random += 7) {
        uint64_t delay = client_retry_delay_ms(0, 2000, random);
        cr_assert_geq(delay, 2000);
        cr_assert_leq(delay, 2500);
    }
}
