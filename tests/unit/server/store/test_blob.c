/* SPDX-License-Identifier: MIT
 *
 * test_blob.c: counted bytes and their digest.
 */
#include "server/store/blob.h"

#include <criterion/criterion.h>
#include <string.h>

Test(blob, carries_its_bytes_and_their_digest) {
    blob *made = blob_create("abc", 3);
    digest expected = digest_of("abc", 3);
    cr_assert_eq(made->size, 3);
    cr_assert_eq(memcmp(made->bytes, "abc", 3), 0);
    cr_assert(digest_equal(&made->digest, &expected));
    blob_release(made);
}

Test(blob, may_be_empty) {
    blob *made = blob_create(NULL, 0);
    digest expected = digest_of("", 0);
    cr_assert_eq(made->size, 0);
    cr_assert(digest_equal(&made->digest, &expected));
    blob_release(made);
}

Test(blob, is_sealed_at_the_size_that_was_written) {
    blob *made = blob_allocate(100);
    memcpy(made->bytes, "abc", 3);
    blob_seal(made, 3);
    digest expected = digest_of("abc", 3);
    cr_assert_eq(made->size, 3);
    cr_assert(digest_equal(&made->digest, &expected));
    blob_release(made);
}

Test(blob, lives_until_its_last_holder_lets_go) {
    blob *made = blob_create("abc", 3);
    cr_assert_eq(blob_retain(made), made);
    blob_release(made);
    cr_assert_eq(made->bytes[2], 'c');
    cr_assert_eq(atomic_load(&made->count), 1);
    blob_release(made);
    blob_release(NULL);
}

Test(blob, refuses_a_size_that_no_memory_has) {
    cr_assert_null(blob_allocate(SIZE_MAX));
}
