/* SPDX-License-Identifier: MIT
 *
 * test_content_table.c: one copy for all who read, a budget, and copies that go when nobody reads.
 */
#include "server/world/content_table.h"
#include "tests/unit/server/store/store_suite.h"

enum { CONTENT_BYTES = 1000, BUDGET_BYTES = 2500 };

static event_loop *loop;
static content_table *table;

static void set_up(void) {
    suite_open();
    loop = loop_create();
    table = content_table_create(loop, BUDGET_BYTES);
    cr_assert_not_null(table);
}

static void tear_down(void) {
    content_table_destroy(table);
    loop_destroy(loop);
    suite_close();
}

TestSuite(content_table, .init = set_up, .fini = tear_down);

/* An asset's file of so many bytes, all the same. */
static digest put_file(char filler, size_t size) {
    char bytes[4 * CONTENT_BYTES];
    memset(bytes, filler, size);
    blob *asset = blob_create(bytes, size);
    digest of = asset->digest;
    cr_assert_eq(store_asset_write(opened, asset, NULL), LOAM_OK);
    blob_release(asset);
    return of;
}

/* NULL: refused for want of room. */
static blob *take(const digest *of, uint64_t bytes) {
    loam_error error = {0};
    blob *taken = NULL;
    loam_status status =
        content_table_take(table, opened, (content_wish){of, bytes}, &taken, &error);
    cr_assert(status == LOAM_OK || status == LOAM_OVERLOADED, "%s", error.text);
    cr_assert_eq(status == LOAM_OK, taken != NULL);
    return taken;
}

Test(content_table, all_who_read_have_one_copy) {
    digest of = put_file('a', CONTENT_BYTES);
    blob *first = take(&of, CONTENT_BYTES);
    blob *second = take(&of, CONTENT_BYTES);
    cr_expect_eq(first, second);
    cr_expect_eq(content_table_bytes(table), CONTENT_BYTES);
    blob_release(first);
    blob_release(second);
}

Test(content_table, one_too_many_is_refused_until_another_is_read) {
    digest of[] = {put_file('a', CONTENT_BYTES), put_file('b', CONTENT_BYTES),
                   put_file('c', CONTENT_BYTES)};
    blob *first = take(&of[0], CONTENT_BYTES);
    blob *second = take(&of[1], CONTENT_BYTES);
    cr_expect_null(take(&of[2], CONTENT_BYTES));
    cr_expect_eq(content_table_bytes(table), 2 * CONTENT_BYTES, "nothing is booked for it");
    blob *again = take(&of[0], CONTENT_BYTES);
    cr_expect_eq(again, first, "what is there takes no room");
    blob_release(second);
    blob *third = take(&of[2], CONTENT_BYTES);
    cr_expect_not_null(third, "an idle one makes room");
    cr_expect_eq(content_table_bytes(table), 2 * CONTENT_BYTES);
    blob_release(first);
    blob_release(again);
    blob_release(third);
}

Test(content_table, one_alone_may_be_larger_than_the_budget) {
    digest large = put_file('a', 4 * CONTENT_BYTES);
    digest small = put_file('b', CONTENT_BYTES);
    blob *first = take(&large, 4 * CONTENT_BYTES);
    cr_expect_not_null(first);
    cr_expect_null(take(&small, CONTENT_BYTES));
    blob_release(first);
    blob *second = take(&small, CONTENT_BYTES);
    cr_expect_not_null(second);
    blob_release(second);
}

Test(content_table, a_copy_that_nobody_reads_goes_at_the_second_look) {
    digest of = put_file('a', CONTENT_BYTES);
    blob *held = take(&of, CONTENT_BYTES);
    cr_expect(content_table_look(table));
    cr_expect(content_table_look(table), "while it is read it stays");
    blob_release(held);
    cr_expect(content_table_look(table), "a next part may be asked for");
    held = take(&of, CONTENT_BYTES);
    blob_release(held);
    cr_expect(content_table_look(table));
    cr_expect_not(content_table_look(table));
    cr_expect_eq(content_table_bytes(table), 0);
}

Test(content_table, one_that_cannot_be_read_leaves_nothing_booked) {
    digest none = {{1}};
    loam_error error = {0};
    blob *taken = NULL;
    cr_expect_eq(
        content_table_take(table, opened, (content_wish){&none, CONTENT_BYTES}, &taken, &error),
        LOAM_NOT_FOUND);
    cr_expect_null(taken);
    cr_expect_eq(content_table_bytes(table), 0);
}
