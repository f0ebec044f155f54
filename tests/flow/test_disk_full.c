/* SPDX-License-Identifier: MIT
 *
 * test_disk_full.c: a disk without room, in two ways that are real: files that may not grow any
 * more (a limit of the process, set and lifted while it runs) and a small disk of its own (tmpfs,
 * where the system lets a test mount one; it says so when not). What is there is served, what
 * cannot be kept is refused or marked, and all comes back by itself.
 */
#include "tests/support/job_calls.h"
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { END_MS = 20000, POLL_MS = 50, PATH_BYTES = 160 };

static const char hills[] =
    "{\"recipe\": \"heightmap.fbm\", \"seed\": \"5\", \"params\": {\"width\": 65, \"height\": 65}}";
static const char dungeon[] = "{\"recipe\": \"maze\", \"seed\": \"%s\", \"params\": {\"width\": "
                              "32, \"height\": 24}}";
static const char all_cells[] =
    "{\"world\": \"forest\", \"outputs\": [\"trees\"], \"level\": 0, \"cells\": \"all\"}";

/* ---- What is asked --------------------------------------------------------------------------- */

static answer get_cell(int x) {
    return ask_get(&server, "/v1/worlds/forest/cells/1/%d/0/trees", x);
}

/* A cell that is there to be had, whatever the disk does. */
static void expect_cell(int x, const char *cache_status) {
    answer of = get_cell(x);
    cr_expect_eq(of.status, 200, "%s", of.body);
    expect_hashes(&of);
    cr_expect_str_eq(answer_header(&of, "Cache-Status"), cache_status, "cell %d: %s", x,
                     answer_header(&of, "Cache-Status"));
    answer_free(&of);
}

static answer put_hills(const char *name) {
    return ask_json(&server, "PUT", hills, "/v1/assets/%s", name);
}

static answer post_dungeon(const char *seed) {
    char body[200];
    snprintf(body, sizeof body, dungeon, seed);
    return ask_json(&server, "POST", body, "/v1/dungeons");
}

static void expect_status(answer of, int status) {
    cr_expect_eq(of.status, status, "%s", of.body);
    answer_free(&of);
}

static int ready_status(void) {
    answer of = ask_get(&server, "/healthz/ready");
    int status = of.status;
    answer_free(&of);
    return status;
}

static void wait_for_ready(int status) {
    for (int waited = 0; ready_status() != status; waited += POLL_MS) {
        cr_assert_lt(waited, END_MS, "/healthz/ready stays %d", ready_status());
        pause_ms(POLL_MS);
    }
    cr_expect_eq(daemon_metric(&server, "loam_ready"), status == 200);
}

/* A cell is answered before it is written. */
static void wait_for_metric(const char *name, double least) {
    for (int waited = 0; daemon_metric(&server, name) < least; waited += POLL_MS) {
        cr_assert_lt(waited, END_MS, "%s stays %f", name, daemon_metric(&server, name));
        pause_ms(POLL_MS);
    }
}

static void expect_writes_refused(void) {
    expect_problem(put_hills("more"), 507, "storage-full", NULL);
    expect_problem(post_dungeon("2"), 507, "storage-full", NULL);
    expect_problem(ask_json(&server, "PUT", forest_world_json(), "/v1/worlds/other"), 507,
                   "storage-full", NULL);
    expect_problem(ask_json(&server, "POST", all_cells, "/v1/jobs"), 507, "storage-full", NULL);
}

static void expect_writes_taken(void) {
    expect_status(put_hills("more"), 201);
    expect_status(post_dungeon("2"), 201);
    expect_status(ask_json(&server, "PUT", forest_world_json(), "/v1/worlds/other"), 201);
    expect_status(ask_json(&server, "POST", all_cells, "/v1/jobs"), 202);
}

/* ---- Files that may not grow ----------------------------------------------------------------- */

static void limit_files(rlim_t bytes) {
    struct rlimit limit = {bytes, RLIM_INFINITY};
    cr_assert_eq(prlimit(server.pid, RLIMIT_FSIZE, &limit, NULL), 0);
}

static void restart(void) {
    char folder[DAEMON_FOLDER_BYTES];
    snprintf(folder, sizeof folder, "%s", server.folder);
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(folder, NULL);
}

Test(disk_full, refuses_writes_serves_reads_and_recovers, .timeout = 120) {
    server_start_forest();
    expect_status(put_hills("early"), 201);
    expect_status(post_dungeon("1"), 201);
    expect_cell(0, "loam; fwd=miss; stored");
    wait_for_metric("loam_store_blobs", 2);
    cr_assert_eq(ready_status(), 200);

    limit_files(0);
    expect_writes_refused();
    expect_problem(ask_get(&server, "/healthz/ready"), 507, "storage-full", NULL);
    expect_cell(0, "loam; hit");
    double failures = daemon_metric(&server, "loam_store_write_failures_total");
    expect_status(get_cell(1), 200); /* the first that finds no room */
    wait_for_metric("loam_store_write_failures_total", failures + 1);
    expect_cell(2, "loam; fwd=miss; stored=?0");
    wait_for_metric("loam_store_write_failures_total", failures + 2);
    expect_cell(2, "loam; hit"); /* from memory */

    limit_files(RLIM_INFINITY);
    wait_for_ready(200);
    expect_cell(3, "loam; fwd=miss; stored");
    expect_writes_taken();
    restart();
    expect_cell(0, "loam; hit");
    expect_cell(3, "loam; hit");
    expect_cell(2, "loam; fwd=miss; stored"); /* it was not kept, and is no worse for that */
    expect_status(ask_get(&server, "/v1/assets/early"), 200);
    expect_status(ask_get(&server, "/v1/assets/more"), 200);
    cr_expect_eq(daemon_metric(&server, "loam_store_damaged_total"), 0);
    server_stop();
}

Test(disk_full, an_upload_that_finds_no_room_is_507_and_leaves_nothing, .timeout = 120) {
    static char samples[2 * 513 * 513];
    server = daemon_start(NULL, NULL);
    limit_files(100000);
    const ask_options body = {
        .body = samples, .body_bytes = sizeof samples, .type = "application/octet-stream"};
    expect_problem(ask(&server, "PUT", &body,
                       "/v1/assets/plain?kind=heightfield&width=513&height=513&spacing_m=30&"
                       "offset_m=0&scale_m=1&encoding=u16le&row0=north"),
                   507, "storage-full", NULL);
    limit_files(RLIM_INFINITY);
    char command[2 * PATH_BYTES];
    snprintf(command, sizeof command,
             "[ -z \"$(ls -A '%s/data/uploads' '%s/data/assets' | grep -v "
             ":)\" ]",
             server.folder, server.folder);
    cr_expect_eq(system(command), 0, "something is left of it");
    server_stop();
}

Test(disk_full, a_folder_that_cannot_be_written_is_503_until_it_can, .timeout = 120) {
    char from[PATH_BYTES], to[PATH_BYTES];
    server = daemon_start(NULL, NULL);
    snprintf(from, sizeof from, "%s/data/assets", server.folder);
    snprintf(to, sizeof to, "%s/data/elsewhere", server.folder);
    cr_assert_eq(rename(from, to), 0);
    expect_problem(put_hills("lost"), 503, "io", NULL);
    cr_assert_eq(rename(to, from), 0);
    expect_status(put_hills("lost"), 201);
    server_stop();
}

static const char coarse_cells[] =
    "{\"world\": \"forest\", \"outputs\": [\"trees\"], \"level\": 1, \"cells\": \"all\"}";

static void wait_for_state(const char *id, const char *state) {
    for (int waited = 0; !job_is(&server, id, state); waited += POLL_MS) {
        cr_assert_lt(waited, END_MS, "the job is not %s", state);
        pause_ms(POLL_MS);
    }
}

Test(disk_full, a_job_waits_for_room_and_loses_nothing, .timeout = 120) {
    char id[JOB_ID_TEXT_BYTES];
    server = daemon_start(NULL, (const char *const[]){"--workers", "1", NULL});
    forest_put(&server);
    job_post(&server, coarse_cells, id);
    limit_files(0);
    wait_for_metric("loam_store_write_failures_total", 3);
    cr_expect_eq(job_count(&server, id, "failed"), 0);
    cr_expect_lt(job_count(&server, id, "done"), job_count(&server, id, "total"));
    limit_files(RLIM_INFINITY);
    wait_for_state(id, "succeeded");
    cr_expect_eq(job_count(&server, id, "done"), job_count(&server, id, "total"));
    server_stop();
}

static answer change_job(const char *id, const char *how) {
    return ask(&server, "POST", NULL, "/v1/jobs/%s/%s", id, how);
}

Test(disk_full, what_is_done_to_a_job_is_refused_like_other_writes_and_holds, .timeout = 120) {
    char id[JOB_ID_TEXT_BYTES];
    server = daemon_start(NULL, (const char *const[]){"--workers", "1", NULL});
    forest_put(&server);
    job_post(&server, coarse_cells, id);
    limit_files(0);
    expect_problem(change_job(id, "pause"), 507, "storage-full", NULL);
    expect_problem(change_job(id, "resumption"), 507, "storage-full", NULL);
    expect_problem(change_job(id, "pause"), 507, "storage-full", NULL);
    limit_files(RLIM_INFINITY);
    wait_for_ready(200);
    expect_status(change_job(id, "pause"), 202);
    restart();
    cr_expect(job_is(&server, id, "paused"));
    expect_status(change_job(id, "cancellation"), 202);
    server_stop();
}

/* ---- A small disk ---------------------------------------------------------------------------- */

/* In a name space of the test's own, which ends with it; false when the system has none for us. */
static bool mount_small(const char *folder) {
    bool alone = unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
    return alone && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", folder, "tmpfs", 0, "size=64m") == 0;
}

static long long bytes_free(void) {
    struct statvfs found;
    cr_assert_eq(statvfs(server.folder, &found), 0);
    return (long long)found.f_bavail * (long long)found.f_frsize;
}

/* Takes room until so much is left. */
static void fill_until(long long left) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/ballast", server.folder);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    struct stat found;
    cr_assert_eq(fstat(fd, &found), 0);
    long long more = bytes_free() - left;
    cr_assert_gt(more, 0);
    cr_assert_eq(posix_fallocate(fd, found.st_size, more), 0);
    close(fd);
}

/* What the daemon gives back behind its answers (an upload's own file, a log) is taken as well. */
static void fill_to_the_brim(void) {
    for (int still = 0; still < 5; still++) {
        if (bytes_free() > 0) {
            fill_until(0);
            still = 0;
        }
        pause_ms(100);
    }
}

static void empty_again(void) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/ballast", server.folder);
    cr_assert_eq(unlink(path), 0);
}

static void expect_low(void) {
    answer of = ask_get(&server, "/healthz/ready");
    cr_expect_eq(of.status, 507);
    cr_expect(strstr(of.body, "the disk is nearly full: ") != NULL, "%s", of.body);
    answer_free(&of);
    cr_expect_lt(daemon_metric(&server, "loam_disk_free_bytes"),
                 daemon_metric(&server, "loam_disk_needed_bytes"));
}

Test(disk_full, a_disk_that_runs_low_drops_readiness_before_it_is_full, .timeout = 120) {
    char folder[] = "/tmp/loam-disk-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    if (!mount_small(folder)) {
        rmdir(folder);
        cr_skip_test("no disk of its own can be had here (%s)", strerror(errno));
    }
    server = daemon_start(folder, (const char *const[]){"--cache-bytes", "16M", NULL});
    forest_put(&server);
    expect_cell(0, "loam; fwd=miss; stored");
    wait_for_ready(200);

    fill_until(2 << 20);
    wait_for_ready(507);
    expect_low();
    expect_cell(0, "loam; hit");
    expect_status(put_hills("early"), 201); /* what is left is for this */

    fill_to_the_brim();
    expect_problem(put_hills("more"), 507, "storage-full", NULL);
    expect_cell(0, "loam; hit");
    expect_status(get_cell(1), 200);

    empty_again();
    wait_for_ready(200);
    expect_status(put_hills("more"), 201);
    expect_cell(2, "loam; fwd=miss; stored");
    expect_status(ask_get(&server, "/v1/assets/early"), 200);
    cr_expect_eq(daemon_end(&server), 0);
}
