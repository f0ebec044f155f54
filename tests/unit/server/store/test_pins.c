/* SPDX-License-Identifier: MIT
 *
 * test_pins.c: counted pins against a plain model.
 */
#include "server/store/pins.h"

#include "core/base/bytes.h"
#include "core/base/mix.h"

#include <criterion/criterion.h>

enum { KEYS = 5000, STEPS = 200000 };

/* Keys whose low bits collide: only bits from 20 up differ for most. */
static digest crowded_key(uint32_t number) {
    digest key = {{0}};
    put_u64(key.bytes, (uint64_t)number << 20 | number % 7);
    return key;
}

Test(pins, has_what_was_added_as_often_as_it_was_added) {
    pins table;
    pins_init(&table);
    digest key = crowded_key(1);
    cr_assert_not(pins_has(&table, &key));
    cr_assert(pins_add(&table, &key));
    cr_assert(pins_add(&table, &key));
    cr_assert_eq(pins_count(&table), 1);
    pins_remove(&table, &key);
    cr_assert(pins_has(&table, &key));
    pins_remove(&table, &key);
    cr_assert_not(pins_has(&table, &key));
    cr_assert_eq(pins_count(&table), 0);
    pins_fini(&table);
}

Test(pins, ignores_the_removal_of_what_is_not_there) {
    pins table;
    pins_init(&table);
    digest key = crowded_key(1);
    pins_remove(&table, &key);
    digest other = crowded_key(2);
    cr_assert(pins_add(&table, &other));
    pins_remove(&table, &key);
    cr_assert(pins_has(&table, &other));
    pins_fini(&table);
}

Test(pins, has_what_is_in_a_set_while_that_is_attached) {
    pins table;
    pins first;
    pins second;
    pins_init(&table);
    pins_init(&first);
    pins_init(&second);
    digest key = crowded_key(1);
    digest other = crowded_key(2);
    cr_assert(pins_add(&first, &key));
    cr_assert_not(pins_has(&table, &key));
    pins_attach(&table, &first);
    pins_attach(&table, &second);
    cr_assert(pins_has(&table, &key));
    cr_assert(pins_add(&second, &key));
    cr_assert(pins_add(&second, &other));
    cr_assert_eq(pins_count(&table), 3);
    pins_detach(&table, &first);
    cr_assert(pins_has(&table, &key), "the other set has it");
    pins_detach(&table, &second);
    cr_assert_not(pins_has(&table, &key));
    cr_assert_not(pins_has(&table, &other));
    cr_assert_eq(pins_count(&table), 0);
    pins_fini(&first);
    pins_fini(&second);
    pins_fini(&table);
}

Test(pins, agrees_with_a_model_over_many_steps_with_colliding_keys) {
    static uint8_t model[KEYS];
    pins table;
    pins_init(&table);
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t number = mix32(step) % KEYS;
        digest key = crowded_key(number);
        if ((mix32(step ^ 0x5555u) & 1) != 0) {
            cr_assert(pins_add(&table, &key));
            model[number]++;
        } else {
            pins_remove(&table, &key);
            model[number] = (uint8_t)(model[number] - (model[number] > 0));
        }
    }
    size_t expected = 0;
    for (uint32_t number = 0; number < KEYS; number++) {
        digest key = crowded_key(number);
        cr_assert_eq(pins_has(&table, &key), model[number] > 0, "key %u", number);
        expected += model[number] > 0;
    }
    cr_assert_eq(pins_count(&table), expected);
    pins_fini(&table);
}
