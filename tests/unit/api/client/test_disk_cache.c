/* SPDX-License-Identifier: MIT
 *
 * test_disk_cache.c: what was kept comes back or does not, but never comes back wrong; the folder
 * stays below its size, whoever writes.
 */
#include "api/client/disk_cache.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/program.h"

enum { MIB = 1 << 20 };

TestSuite(disk_cache, .init = program_folder_begin, .fini = program_folder_end, .timeout = 60);

static disk_cache *cache_open(void) {
    loam_error error = {0};
    disk_cache *cache = disk_cache_open(program_folder, DISK_CACHE_BYTES_MIN, &error);
    cr_assert_not_null(cache, "%s", error.text);
    return cache;
}

/* `size` bytes that begin with `number`. */
static digest blob_keep(disk_cache *cache, uint32_t number, size_t size) {
    unsigned char *bytes = calloc(1, size);
    memcpy(bytes, &number, sizeof number);
    digest id = digest_of(bytes, size);
    disk_blob_keep(cache, &id, bytes, size);
    free(bytes);
    return id;
}

static bool blob_is_there(const disk_cache *cache, const digest *id, size_t size) {
    unsigned char *bytes;
    size_t got;
    if (!disk_blob_read(cache, id, &bytes, &got)) {
        return false;
    }
    digest found = digest_of(bytes, got);
    cr_assert(digest_equal(&found, id));
    cr_assert_eq(got, size);
    free(bytes);
    return true;
}

static void blob_path(const digest *id, char path[256]) {
    char text[DIGEST_TEXT_BYTES];
    digest_text(id, text);
    (void)snprintf(path, 256, "%s/%02x/%s.cell", program_folder, id->bytes[0] % DISK_SHARDS,
                   text + 7);
}

Test(disk_cache, what_was_kept_comes_back_from_another_cache_of_the_folder) {
    disk_cache *cache = cache_open();
    digest small = blob_keep(cache, 1, 4);
    digest large = blob_keep(cache, 2, 300000);
    disk_cache_close(cache);
    cache = cache_open();
    cr_expect(blob_is_there(cache, &small, 4));
    cr_expect(blob_is_there(cache, &large, 300000));
    digest other = digest_of("other", 5);
    cr_expect_not(blob_is_there(cache, &other, 5));
    disk_cache_close(cache);
}

Test(disk_cache, an_address_says_what_it_meant_last) {
    disk_cache *cache = cache_open();
    disk_cell got;
    disk_cell first = {digest_of("a", 1), digest_of("key", 3)};
    disk_cell second = {digest_of("b", 1), digest_of("key", 3)};
    cr_expect_not(disk_cell_find(cache, "here", &got));
    disk_cell_keep(cache, "here", &first);
    cr_assert(disk_cell_find(cache, "here", &got));
    cr_expect(digest_equal(&got.id, &first.id) && digest_equal(&got.build_key, &first.build_key));
    disk_cell_keep(cache, "here", &second);
    cr_assert(disk_cell_find(cache, "here", &got));
    cr_expect(digest_equal(&got.id, &second.id));
    cr_expect_not(disk_cell_find(cache, "there", &got));
    disk_cache_close(cache);
}

Test(disk_cache, one_changed_byte_is_a_miss_and_the_file_goes) {
    disk_cache *cache = cache_open();
    char path[256];
    digest id = blob_keep(cache, 7, 100000);
    blob_path(&id, path);
    int file = open(path, O_WRONLY);
    cr_assert(file >= 0);
    cr_assert_eq(pwrite(file, "x", 1, 99999), 1);
    (void)close(file);
    cr_expect_not(blob_is_there(cache, &id, 100000));
    cr_expect_neq(access(path, F_OK), 0);
    (void)blob_keep(cache, 7, 100000);
    cr_expect(blob_is_there(cache, &id, 100000), "it can be kept again");
    cr_assert_eq(truncate(path, 5), 0);
    cr_expect_not(blob_is_there(cache, &id, 100000), "cut");
    disk_cache_close(cache);
}

/* Bytes of files below the folder. */
static uint64_t folder_bytes(void) {
    char command[192];
    char line[64] = "";
    (void)snprintf(command, sizeof command,
                   "find '%s' -type f -printf '%%s\\n' | awk '{n += $1} END {print n + 0}'",
                   program_folder);
    FILE *pipe = popen(command, "r");
    cr_assert_not_null(fgets(line, sizeof line, pipe));
    (void)pclose(pipe);
    return strtoull(line, NULL, 10);
}

Test(disk_cache, the_folder_stays_below_its_size_and_what_is_used_stays) {
    disk_cache *cache = cache_open();
    struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    char path[256];
    digest used = blob_keep(cache, 0, MIB / 4);
    blob_path(&used, path);
    cr_assert_eq(utimensat(AT_FDCWD, path, old, 0), 0);
    cr_assert(blob_is_there(cache, &used, MIB / 4), "this marks it as used");
    for (uint32_t i = 1; i <= 400; i++) {
        (void)blob_keep(cache, i, MIB / 4);
        if (i % 20 == 0) {
            cr_assert_eq(utimensat(AT_FDCWD, path, NULL, 0), 0);
        }
    }
    cr_expect_leq(folder_bytes(), DISK_CACHE_BYTES_MIN);
    cr_expect_geq(folder_bytes(), DISK_CACHE_BYTES_MIN / 2, "%llu",
                  (unsigned long long)folder_bytes());
    cr_expect(blob_is_there(cache, &used, MIB / 4));
    disk_cache_close(cache);
}

Test(disk_cache, what_is_larger_than_half_a_share_is_not_kept) {
    disk_cache *cache = cache_open();
    digest id = blob_keep(cache, 1, MIB);
    cr_expect_not(blob_is_there(cache, &id, MIB));
    disk_cache_close(cache);
}

Test(disk_cache, processes_share_a_folder) {
    enum { PROCESSES = 4, BLOBS = 200 };
    pid_t pids[PROCESSES];
    for (int p = 0; p < PROCESSES; p++) {
        pids[p] = fork();
        if (pids[p] == 0) {
            disk_cache *cache = cache_open();
            for (uint32_t i = 0; i < BLOBS; i++) {
                digest id = blob_keep(cache, i, 20000 + i);
                disk_cell cell = {id, id};
                disk_cell_keep(cache, "one address of all", &cell);
                cr_assert(blob_is_there(cache, &id, 20000 + i));
            }
            _exit(0);
        }
    }
    for (int p = 0; p < PROCESSES; p++) {
        int status;
        cr_assert_eq(waitpid(pids[p], &status, 0), pids[p]);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    disk_cache *cache = cache_open();
    disk_cell cell;
    cr_expect(disk_cell_find(cache, "one address of all", &cell));
    char command[192];
    (void)snprintf(command, sizeof command, "! find '%s' -name '*.part' | grep -q .",
                   program_folder);
    cr_expect_eq(system(command), 0, "nothing unfinished is left");
    disk_cache_close(cache);
}

Test(disk_cache, an_unfinished_file_of_the_past_goes_and_one_of_now_stays) {
    disk_cache *cache = cache_open();
    char now[256];
    char past[256];
    struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    digest id = blob_keep(cache, 3, 10);
    (void)snprintf(now, sizeof now, "%s/%02x/now.1.part", program_folder,
                   id.bytes[0] % DISK_SHARDS);
    (void)snprintf(past, sizeof past, "%s/%02x/past.1.part", program_folder,
                   id.bytes[0] % DISK_SHARDS);
    (void)close(open(now, O_CREAT | O_WRONLY, 0600));
    (void)close(open(past, O_CREAT | O_WRONLY, 0600));
    cr_assert_eq(utimensat(AT_FDCWD, past, old, 0), 0);
    now[strlen(now) - strlen("/now.1.part")] = '\0';
    disk_shard_trim(now, MIB);
    now[strlen(now)] = '/';
    cr_expect_eq(access(now, F_OK), 0);
    cr_expect_neq(access(past, F_OK), 0);
    disk_cache_close(cache);
}

/* More than one look takes in: a sample tells how much there is, and of it the oldest go, look by
 * look. */
Test(disk_cache, a_shard_of_many_small_files_comes_below_its_share) {
    enum { FILES = 6000, FRESH = 1000, LEFT_MAX = 1300 };
    char path[256];
    char shard[200];
    struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    (void)snprintf(shard, sizeof shard, "%s/many", program_folder);
    cr_assert_eq(mkdir(shard, 0700), 0);
    for (int i = 0; i < FILES; i++) {
        (void)snprintf(path, sizeof path, "%s/%d.at", shard, i);
        int file = open(path, O_CREAT | O_WRONLY, 0600);
        cr_assert_eq(write(file, "x", 1), 1);
        cr_assert(i < FRESH || futimens(file, old) == 0);
        (void)close(file);
    }
    int looks = 1;
    for (; !disk_shard_trim(shard, (uint64_t)(LEFT_MAX - 100) * DISK_BLOCK_BYTES); looks++) {
        cr_assert_lt(looks, 100);
    }
    int fresh = 0, left = 0;
    for (int i = 0; i < FILES; i++) {
        (void)snprintf(path, sizeof path, "%s/%d.at", shard, i);
        bool is_there = access(path, F_OK) == 0;
        left += is_there;
        fresh += is_there && i < FRESH;
    }
    cr_expect_gt(looks, 1);
    cr_expect(left > LEFT_MAX / 2 && left <= LEFT_MAX, "%d are left", left);
    cr_expect_gt(fresh, FRESH * 9 / 10, "%d that were used are left", fresh);
}

Test(disk_cache, a_folder_that_cannot_be_is_an_error) {
    loam_error error = {0};
    cr_expect_null(disk_cache_open("/proc/none/cache", 0, &error));
    cr_expect_eq(error.status, LOAM_IO);
    error = (loam_error){0};
    cr_expect_null(disk_cache_open("/dev/null", 0, &error));
    cr_expect_eq(error.status, LOAM_IO);
    error = (loam_error){0};
    cr_expect_null(disk_cache_open(program_folder, 1000, &error));
    cr_expect_eq(error.status, LOAM_OUT_OF_RANGE);
    error = (loam_error){0};
    cr_expect_null(disk_cache_open("", 0, &error));
    cr_expect_eq(error.status, LOAM_BAD_NAME);
}
