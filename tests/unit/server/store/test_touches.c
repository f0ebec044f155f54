/* SPDX-License-Identifier: MIT
 *
 * test_touches.c: the ring of noted uses.
 */
#include "server/store/touches.h"
#include "tests/support/store_calls.h"

#include <criterion/criterion.h>

Test(touches, come_out_in_the_order_they_went_in) {
    static touches notes;
    digest first = test_key(1);
    digest second = test_key(2);
    digest taken;
    touches_init(&notes);
    cr_assert_not(touches_take(&notes, &taken));
    touches_add(&notes, &first);
    touches_add(&notes, &second);
    cr_assert(touches_waiting(&notes));
    cr_assert(touches_take(&notes, &taken));
    cr_assert(digest_equal(&taken, &first));
    cr_assert(touches_take(&notes, &taken));
    cr_assert(digest_equal(&taken, &second));
    cr_assert_not(touches_waiting(&notes));
    touches_fini(&notes);
}

Test(touches, lose_the_oldest_when_there_are_too_many) {
    static touches notes;
    touches_init(&notes);
    for (uint64_t i = 0; i < TOUCHES_MAX + 3; i++) {
        digest key = test_key(i);
        touches_add(&notes, &key);
    }
    digest taken;
    digest oldest_kept = test_key(3);
    cr_assert(touches_take(&notes, &taken));
    cr_assert(digest_equal(&taken, &oldest_kept));
    touches_fini(&notes);
}

Test(touches, ask_for_the_writer_once_when_half_full) {
    static touches notes;
    unsigned asked = 0;
    touches_init(&notes);
    for (uint64_t i = 0; i < TOUCHES_MAX; i++) {
        digest key = test_key(i);
        asked += touches_add(&notes, &key);
    }
    cr_assert_eq(asked, 1);
    touches_fini(&notes);
}
