/* SPDX-License-Identifier: MIT
 *
 * test_asset_files.c: files of assets: whole or not there, and hashed at every read.
 */
#include "server/store/asset_files.h"
#include "server/store/folder.h"
#include "tests/support/store_calls.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[TEST_DIR_BYTES];

static void set_up(void) {
    test_dir_make(dir);
}

static void tear_down(void) {
    test_dir_remove(dir);
}

static void path_of(const digest *of, char path[FOLDER_PATH_BYTES]) {
    char text[DIGEST_TEXT_BYTES];
    digest_text(of, text);
    snprintf(path, FOLDER_PATH_BYTES, "%s/%s", dir, text);
}

TestSuite(asset_files, .init = set_up, .fini = tear_down);

Test(asset_files, give_back_what_was_written) {
    static const size_t sizes[] = {0, 1, 4096, 300000};
    for (size_t i = 0; i < 4; i++) {
        blob *asset = test_blob(i, sizes[i]);
        blob *read;
        cr_assert_not(asset_file_exists(dir, &asset->digest));
        cr_assert_eq(asset_file_write(dir, asset, NULL), LOAM_OK);
        cr_assert_eq(asset_file_write(dir, asset, NULL), LOAM_OK, "again is nothing");
        cr_assert(asset_file_exists(dir, &asset->digest));
        cr_assert_eq(asset_file_read(dir, &asset->digest, &read, NULL), LOAM_OK);
        cr_assert_eq(read->size, asset->size);
        cr_assert(digest_equal(&read->digest, &asset->digest));
        blob_release(read);
        blob_release(asset);
    }
}

Test(asset_files, are_readable_by_their_owner_alone) {
    char path[FOLDER_PATH_BYTES];
    struct stat found;
    blob *asset = test_blob(1, 100);
    cr_assert_eq(asset_file_write(dir, asset, NULL), LOAM_OK);
    path_of(&asset->digest, path);
    cr_assert_eq(stat(path, &found), 0);
    cr_assert_eq(found.st_mode & 0777, 0600);
    blob_release(asset);
}

Test(asset_files, that_are_missing_are_not_found) {
    digest missing = test_key(1);
    blob *read;
    cr_assert_eq(asset_file_read(dir, &missing, &read, NULL), LOAM_NOT_FOUND);
    cr_assert_null(read);
}

Test(asset_files, that_changed_or_shrank_are_damaged) {
    char path[FOLDER_PATH_BYTES];
    blob *asset = test_blob(1, 1000);
    blob *read;
    cr_assert_eq(asset_file_write(dir, asset, NULL), LOAM_OK);
    path_of(&asset->digest, path);
    int fd = open(path, O_RDWR);
    cr_assert_eq(pwrite(fd, "x", 1, 500), 1);
    cr_assert_eq(asset_file_read(dir, &asset->digest, &read, NULL), LOAM_DAMAGED);
    cr_assert_eq(pwrite(fd, asset->bytes + 500, 1, 500), 1);
    cr_assert_eq(asset_file_read(dir, &asset->digest, &read, NULL), LOAM_OK);
    blob_release(read);
    cr_assert_eq(ftruncate(fd, 999), 0);
    cr_assert_eq(asset_file_read(dir, &asset->digest, &read, NULL), LOAM_DAMAGED);
    close(fd);
    blob_release(asset);
}

static bool keep_one(void *context, const digest *of) {
    return digest_equal(context, of);
}

Test(asset_files, without_a_row_are_swept_and_strangers_left_alone) {
    blob *kept = test_blob(1, 10);
    blob *lost = test_blob(2, 10);
    char stranger[FOLDER_PATH_BYTES];
    cr_assert_eq(asset_file_write(dir, kept, NULL), LOAM_OK);
    cr_assert_eq(asset_file_write(dir, lost, NULL), LOAM_OK);
    snprintf(stranger, sizeof stranger, "%s/sha256-abc", dir);
    close(open(stranger, O_WRONLY | O_CREAT, 0600));
    cr_assert_eq(asset_files_sweep(dir, keep_one, &kept->digest, NULL), LOAM_OK);
    cr_assert(asset_file_exists(dir, &kept->digest));
    cr_assert_not(asset_file_exists(dir, &lost->digest));
    cr_assert_eq(access(stranger, F_OK), 0);
    blob_release(kept);
    blob_release(lost);
}

/* In a child: the limit of a process cannot be raised again by everybody. */
static int write_on_a_full_disk(void) {
    struct rlimit limit = {5000, 5000};
    blob *asset = test_blob(1, 10000);
    loam_error error = {0};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    loam_status status = asset_file_write(dir, asset, &error);
    bool hidden = !asset_file_exists(dir, &asset->digest);
    blob_release(asset);
    return status == LOAM_STORAGE_FULL && hidden ? 0 : 1;
}

Test(asset_files, that_do_not_fit_on_the_disk_are_not_there) {
    pid_t child = fork();
    if (child == 0) {
        _exit(write_on_a_full_disk());
    }
    int state;
    cr_assert_eq(waitpid(child, &state, 0), child);
    cr_assert(WIFEXITED(state) && WEXITSTATUS(state) == 0);
    folder opened;
    cr_assert_eq(folder_open(&opened, dir, NULL), LOAM_OK);
    folder_close(&opened);
}
