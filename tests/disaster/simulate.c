/* SPDX-License-Identifier: MIT
 *
 * simulate.c: lives of a daemon on a simulated machine, one after the other on the same disk: power
 * cuts, kills, a disk that fails, orders of threads, as each seed will have it; then a last one on
 * a disk that works, in which all that was acknowledged must be there and every job come to its
 * end, and whose databases must be sound.
 *
 *   simulate FIRST COUNT    a line for each seed; ends with 1 when one had a finding
 */
#include "tests/disaster/life.h"
#include "tests/sim/dice.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIVES_MIN = 2, LIVES_MAX = 5, STEPS_MIN = 200, STEPS_MAX = 9000 };
enum { FOLDER_BYTES = 64, COMMAND_BYTES = 256 };
/* Eviction has work with the first. */
#define CACHE_BYTES_SMALL ((uint64_t)3 << 20)
#define CACHE_BYTES_LARGE ((uint64_t)1 << 30)

static char folder[FOLDER_BYTES];

static void run_shell(const char *format) {
    char command[COMMAND_BYTES];
    snprintf(command, sizeof command, format, folder, folder, folder, folder);
    if (system(command) != 0) {
        fprintf(stderr, "cannot: %s\n", command);
        exit(1);
    }
}

static void empty_folder(void) {
    run_shell("rm -rf '%s'/* && mkdir '%s'/root '%s'/grave");
}

/* ---- Databases ------------------------------------------------------------------------------ */

static bool check_integrity(const char *name) {
    char path[COMMAND_BYTES];
    sqlite3 *db = NULL;
    sqlite3_stmt *check = NULL;
    bool sound = false;
    snprintf(path, sizeof path, "%s/root/data/%s", folder, name);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &check, NULL) == SQLITE_OK &&
        sqlite3_step(check) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(check, 0);
        sound = text != NULL && strcmp(text, "ok") == 0;
        if (!sound) {
            fprintf(stderr, "%s: %s\n", name, text == NULL ? "?" : text);
        }
    }
    sqlite3_finalize(check);
    sqlite3_close(db);
    return sound;
}

/* In a process of its own: SQLite draws its numbers once, and lives draw them from their seed. */
static bool is_sound(void) {
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        _exit(check_integrity("control.db") && check_integrity("cache.db") ? 0 : 1);
    }
    waitpid(child, &status, 0);
    return status == 0;
}

/* ---- Seeds ---------------------------------------------------------------------------------- */

static life next_life(dice *from, uint64_t seed) {
    static const life_end ends[] = {LIFE_CUT, LIFE_CUT, LIFE_CUT, LIFE_KILLED, LIFE_CLOSED};
    return (life){.folder = folder,
                  .seed = seed,
                  .order = dice_roll(from),
                  .kind = LIFE_DISTURBED,
                  .storms = dice_percent(from, 50),
                  .end = ends[dice_below(from, 5)],
                  .steps = (uint64_t)dice_between(from, STEPS_MIN, STEPS_MAX),
                  .cache_bytes = dice_percent(from, 30) ? CACHE_BYTES_SMALL : CACHE_BYTES_LARGE};
}

static bool count_end(tally *of, life_end how) {
    of->lives++;
    of->cuts += how == LIFE_CUT;
    of->kills += how == LIFE_KILLED;
    of->failed_starts += how == LIFE_STILL;
    return how != LIFE_FINDING;
}

static bool run_lives(uint64_t seed, ledger *shared) {
    dice from = {seed};
    int64_t lives = dice_between(&from, LIVES_MIN, LIVES_MAX);
    empty_folder();
    for (int64_t i = 0; i < lives; i++) {
        life one = next_life(&from, seed);
        shared->cache_is_small = one.cache_bytes == CACHE_BYTES_SMALL;
        if (!count_end(&shared->tally, life_run(&one, shared))) {
            return false;
        }
    }
    life last = {.folder = folder,
                 .seed = seed,
                 .order = dice_roll(&from),
                 .kind = LIFE_CONCLUDING,
                 .end = LIFE_CLOSED,
                 .cache_bytes = CACHE_BYTES_LARGE};
    return count_end(&shared->tally, life_run(&last, shared)) && is_sound();
}

static bool run_seed(uint64_t seed, ledger *shared) {
    reference known = shared->reference;
    *shared = (ledger){.reference = known};
    bool good = run_lives(seed, shared);
    const tally *of = &shared->tally;
    printf("seed %llu: %s, trace %016llx, %llu lives (%llu power cuts, %llu kills, %llu failed "
           "starts), %llu answers (%llu of own faults), %llu failures of the disk, %llu steps\n",
           (unsigned long long)seed, good ? "good" : "FINDING", (unsigned long long)shared->trace,
           (unsigned long long)of->lives, (unsigned long long)of->cuts,
           (unsigned long long)of->kills, (unsigned long long)of->failed_starts,
           (unsigned long long)of->answers, (unsigned long long)of->own_faults,
           (unsigned long long)of->failures, (unsigned long long)of->steps);
    fflush(stdout);
    return good;
}

static bool learn(ledger *shared) {
    life first = {.folder = folder,
                  .kind = LIFE_REFERENCE,
                  .end = LIFE_CLOSED,
                  .cache_bytes = CACHE_BYTES_LARGE};
    empty_folder();
    return life_run(&first, shared) == LIFE_CLOSED && shared->reference.known;
}

int main(int argc, char *argv[]) {
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t findings = 0;
    ledger *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    strcpy(folder, "/tmp/loam-disaster-XXXXXX");
    umask(077);
    if (shared == MAP_FAILED || mkdtemp(folder) == NULL || !learn(shared)) {
        fprintf(stderr, "no reference could be had\n");
        return 1;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!run_seed(first + i, shared)) {
            fprintf(stderr, "again: %s %llu 1\n", argv[0], (unsigned long long)(first + i));
            findings++;
        }
    }
    run_shell("rm -rf '%s'");
    printf("%llu seeds, %llu findings\n", (unsigned long long)count, (unsigned long long)findings);
    return findings == 0 ? 0 : 1;
}
