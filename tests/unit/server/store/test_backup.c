/* SPDX-License-Identifier: MIT
 *
 * test_backup.c: what is saved while the store runs serves the same in a fresh folder, and nothing
 * half-made is left behind.
 */
#include "tests/unit/server/store/upkeep_calls.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char backups[TEST_DIR_BYTES];

static void begin(void) {
    suite_open();
    test_dir_make(backups);
}

static void end(void) {
    suite_close();
    test_dir_remove(backups);
}

TestSuite(backup, .init = begin, .fini = end, .timeout = 60);

static store_upkeep back_up(const char *name) {
    store_upkeep request = {.kind = STORE_BACKUP, .dir = backups};
    snprintf(request.name, sizeof request.name, "%s", name);
    upkeep_wait(&request);
    return request;
}

static unsigned count_entries(void) {
    unsigned count = 0;
    DIR *listing = opendir(backups);
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        count += entry->d_name[0] != '.';
    }
    closedir(listing);
    return count;
}

static void put_world(const digest *asset) {
    control_request put = {.operation = CONTROL_WORLD_PUT,
                           .revision = {.world = loam_text_of("forest"),
                                        .revision = test_key(77),
                                        .document = loam_text_of("{\"seed\":\"1\"}"),
                                        .created_ms = 5},
                           .bindings = asset,
                           .binding_count = 1};
    cr_assert_eq(store_control_wait(opened, &put), LOAM_OK, "%s", put.base.error.text);
    control_result_fini(&put.result);
}

static void expect_world(store *of) {
    control_request get = {
        .operation = CONTROL_REVISION_GET, .name = loam_text_of("forest"), .key = test_key(77)};
    cr_assert_eq(store_control_wait(of, &get), LOAM_OK, "%s", get.base.error.text);
    cr_expect(loam_text_equal(get.result.revisions[0].document, loam_text_of("{\"seed\":\"1\"}")));
    control_result_fini(&get.result);
}

Test(backup, serves_the_same_from_a_fresh_folder) {
    char dir[TEST_DIR_BYTES + STORE_BACKUP_NAME_BYTES];
    unsigned char secret[32];
    unsigned char restored_secret[32];
    loam_error error = {0};
    blob *asset = NULL;
    digest hills = upkeep_put_asset("hills", 1);
    put_world(&hills);
    cr_assert_eq(store_secret_read(opened, secret, sizeof secret, &error), LOAM_OK);
    store_upkeep made = back_up("one");
    cr_assert_eq(made.base.error.status, LOAM_OK, "%s", made.base.error.text);
    cr_expect_eq(made.report.assets, 1);
    cr_expect_eq(made.report.keys, 1);
    cr_expect_gt(made.report.bytes, 5000);
    upkeep_put_asset("later", 2);
    snprintf(dir, sizeof dir, "%s/one", backups);
    store *restored = test_store_open(dir, 0);
    expect_world(restored);
    cr_assert_eq(store_asset_read(restored, &hills, &asset, &error), LOAM_OK, "%s", error.text);
    blob_release(asset);
    cr_assert_eq(store_secret_read(restored, restored_secret, sizeof restored_secret, &error),
                 LOAM_OK);
    cr_expect_eq(memcmp(secret, restored_secret, sizeof secret), 0);
    control_request later = {.operation = CONTROL_ASSET_GET, .name = loam_text_of("later")};
    cr_expect_eq(store_control_wait(restored, &later), LOAM_NOT_FOUND, "of one moment");
    store_close(restored);
}

Test(backup, is_read_by_its_owner_alone) {
    struct stat about;
    char path[FOLDER_PATH_BYTES];
    back_up("one");
    snprintf(path, sizeof path, "%s/one", backups);
    cr_assert_eq(stat(path, &about), 0);
    cr_expect_eq(about.st_mode & 0777, 0700);
    snprintf(path, sizeof path, "%s/one/control.db", backups);
    cr_assert_eq(stat(path, &about), 0);
    cr_expect_eq(about.st_mode & 0777, 0600);
}

Test(backup, never_replaces_another_one) {
    back_up("one");
    store_upkeep again = back_up("one");
    cr_expect_eq(again.base.error.status, LOAM_DUPLICATE);
    cr_expect_eq(count_entries(), 1);
}

Test(backup, tells_of_assets_that_it_could_not_save) {
    char path[FOLDER_PATH_BYTES];
    digest hills = upkeep_put_asset("hills", 1);
    digest coast = upkeep_put_asset("coast", 2);
    upkeep_put_asset("huts", 3);
    upkeep_path(suite_dir, &hills, "", path);
    cr_assert_eq(truncate(path, 100), 0);
    upkeep_path(suite_dir, &coast, "", path);
    cr_assert_eq(unlink(path), 0);
    store_upkeep made = back_up("one");
    cr_assert_eq(made.base.error.status, LOAM_OK);
    cr_expect_eq(made.report.assets, 1);
    cr_expect_eq(made.report.assets_damaged, 1);
    cr_expect_eq(made.report.assets_missing, 1);
}

Test(backup, leaves_nothing_behind_when_it_fails) {
    char path[FOLDER_PATH_BYTES];
    snprintf(path, sizeof path, "%s/keys/large", suite_dir);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    cr_assert_eq(ftruncate(fileno(file), 1 << 20), 0);
    fclose(file);
    upkeep_put_asset("hills", 1);
    store_upkeep made = back_up("one");
    cr_expect_neq(made.base.error.status, LOAM_OK);
    cr_expect_not_null(strstr(made.base.error.text, "large"), "%s", made.base.error.text);
    cr_expect_eq(count_entries(), 0);
    cr_assert_eq(unlink(path), 0);
    cr_expect_eq(back_up("one").base.error.status, LOAM_OK, "and the next one is well");
}

Test(backup, says_where_it_cannot_write) {
    store_upkeep request = {.kind = STORE_BACKUP, .dir = "/proc/none", .name = "one"};
    upkeep_wait(&request);
    cr_expect_eq(request.base.error.status, LOAM_IO);
    cr_expect_not_null(strstr(request.base.error.text, "/proc/none"));
}

/* ---- What was left half-made ----------------------------------------------------------------- */

static bool is_there(const char *name) {
    char path[TEST_DIR_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", backups, name);
    return access(path, F_OK) == 0;
}

static void make_left(const char *name) {
    char command[3 * TEST_DIR_BYTES + 128];
    snprintf(command, sizeof command, "mkdir -p '%s/%s/assets' && echo x > '%s/%s/control.db'",
             backups, name, backups, name);
    cr_assert_eq(system(command), 0);
}

Test(backup, removes_what_a_killed_daemon_left_half_made_and_nothing_else) {
    static const char *const others[] = {
        "20260131T235959.123Z",
        "20260131T235959.123Z.part2",
        "20260131T235959.123.part",
        "2026013xT235959.123Z.part",
        "mine.part",
        "20260131T235959.123Z.part.old",
    };
    make_left("20260131T235959.123Z.part");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        make_left(others[i]);
    }
    cr_assert_eq(back_up("now").base.error.status, LOAM_OK);
    cr_expect_not(is_there("20260131T235959.123Z.part"));
    cr_expect(is_there("now"));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        cr_expect(is_there(others[i]), "%s is gone", others[i]);
    }
}

Test(backup, leaves_alone_what_another_daemon_is_making) {
    char path[FOLDER_PATH_BYTES];
    make_left("20260131T235959.123Z.part");
    snprintf(path, sizeof path, "%s/20260131T235959.123Z.part", backups);
    int held = folder_hold(path);
    cr_assert_geq(held, 0);
    cr_assert_eq(back_up("one").base.error.status, LOAM_OK);
    cr_expect(is_there("20260131T235959.123Z.part"));
    close(held);
    cr_assert_eq(back_up("two").base.error.status, LOAM_OK);
    cr_expect_not(is_there("20260131T235959.123Z.part"));
}

Test(backup, counts_what_the_copy_holds) {
    digest hills = upkeep_put_asset("hills", 1);
    put_world(&hills);
    store_upkeep made = back_up("one");
    cr_assert_eq(made.base.error.status, LOAM_OK);
    cr_expect_eq(made.report.worlds, 1);
    cr_expect_eq(made.report.jobs, 0);
    cr_expect_eq(store_statistics_read(opened).upkeep_kind, -1);
}
