/* SPDX-License-Identifier: MIT
 *
 * scrub.c: hashes what lies on the disk, row by row and file by file, each in a statement of its
 * own. A damaged blob goes, as when a reader finds it, and its results are built again; a damaged
 * asset cannot be made again: its file is set aside, so that the same upload fills its place.
 */
#include "core/base/try.h"
#include "server/store/asset_files.h"
#include "server/store/backup_check.h"
#include "server/store/migrate.h"
#include "server/store/upkeep.h"

#include <time.h>

static const char BLOB_SQL[] =
    "SELECT id, digest, bytes FROM blobs WHERE id > ?1 ORDER BY id LIMIT 1";
static const char BLOBS_FIRST_SQL[] = "SELECT min(id) FROM blobs";
static const char BLOBS_LAST_SQL[] = "SELECT max(id) FROM blobs";
static const char ASSET_BYTES_SQL[] = "SELECT total(bytes) FROM assets";
static const char RESULTS_LAST_SQL[] = "SELECT max(id) FROM results";
static const char RESULTS_SQL[] = "SELECT r.key, r.blob FROM results r JOIN blobs b ON b.id = "
                                  "r.blob WHERE r.id > ?1 AND r.id <= ?2 AND r.digest IS NOT "
                                  "b.digest";
static const char ASSET_SQL[] =
    "SELECT digest, bytes FROM assets WHERE digest > ?1 ORDER BY digest LIMIT 1";
static const char ASSET_THERE_SQL[] = "SELECT 1 FROM assets WHERE digest = ?1";

typedef struct scrub {
    upkeep *of;
    store_upkeep *request;
    sqlite3 *db;
    sqlite3_stmt *next;
    sqlite3_stmt *there; /* of assets */
    uint64_t owed_ns;
    /* Bytes, for who asks how far it is: of the cache as its pages, by the ids of its rows. */
    uint64_t cache_bytes;
    uint64_t asset_bytes;
    uint64_t asset_bytes_done;
    int64_t id_first;
    int64_t id_last;
} scrub;

/* Pauses for as long as these bytes may take. */
static loam_status take_time(scrub *work, uint64_t bytes, loam_error *error) {
    uint64_t rate = work->request->bytes_per_s == 0 ? 1 : work->request->bytes_per_s;
    work->request->report.bytes += bytes;
    work->owed_ns += (uint64_t)((double)bytes * 1e9 / (double)rate);
    for (; work->owed_ns >= SCRUB_PAUSE_NS; work->owed_ns -= SCRUB_PAUSE_NS) {
        LOAM_TRY(upkeep_check(work->of, work->request, error));
        nanosleep(&(struct timespec){.tv_nsec = SCRUB_PAUSE_NS}, NULL);
    }
    return upkeep_check(work->of, work->request, error);
}

static void note_damage(scrub *work, const cache_removal *removal, uint64_t *count) {
    *count += 1;
    atomic_fetch_add(&work->of->cache->counters.damaged, 1);
    if (removal != NULL) {
        cache_writer_remove(work->of->cache, removal);
    }
}

/* ---- How far -------------------------------------------------------------------------------- */

static void tell_blobs(scrub *work, int64_t id) {
    double part = (double)(id - work->id_first + 1) / (double)(work->id_last - work->id_first + 1);
    upkeep_progress(work->of, (uint64_t)(part * (double)work->cache_bytes),
                    work->cache_bytes + work->asset_bytes);
}

static void tell_assets(scrub *work, uint64_t bytes) {
    work->asset_bytes_done += bytes;
    upkeep_progress(work->of, work->cache_bytes + work->asset_bytes_done,
                    work->cache_bytes + work->asset_bytes);
}

/* ---- Blobs ---------------------------------------------------------------------------------- */

static loam_status check_row(scrub *work, int64_t *id, uint64_t *bytes, loam_error *error) {
    store_report *report = &work->request->report;
    const void *held = sqlite3_column_blob(work->next, 2);
    size_t size = (size_t)sqlite3_column_bytes(work->next, 2);
    if (held == NULL && size > 0) {
        return database_fail(work->db, error);
    }
    digest named = database_column_digest(work->next, 1);
    digest found = digest_of(held, size);
    *id = sqlite3_column_int64(work->next, 0);
    *bytes = size;
    report->blobs++;
    if (!digest_equal(&named, &found)) {
        note_damage(work, &(cache_removal){.blob = *id}, &report->blobs_damaged);
    }
    return LOAM_OK;
}

static loam_status check_blobs(scrub *work, loam_error *error) {
    int64_t id = 0;
    for (;;) {
        bool row;
        uint64_t bytes = 0;
        database_bind_number(work->next, 1, id);
        LOAM_TRY(database_step_row(work->next, &row, error));
        if (!row) {
            return LOAM_OK;
        }
        loam_status status = check_row(work, &id, &bytes, error);
        database_reset(work->next);
        LOAM_TRY(status);
        tell_blobs(work, id);
        LOAM_TRY(take_time(work, bytes, error));
    }
}

/* Results that name other bytes than their row holds, among those behind `id`. */
static loam_status check_some_results(scrub *work, int64_t id, loam_error *error) {
    database_bind_number(work->next, 1, id);
    database_bind_number(work->next, 2, id + SCRUB_RESULTS);
    for (;;) {
        bool row;
        LOAM_TRY(database_step_row(work->next, &row, error));
        if (!row) {
            return LOAM_OK;
        }
        cache_removal removal = {.key = database_column_digest(work->next, 0),
                                 .blob = sqlite3_column_int64(work->next, 1)};
        note_damage(work, &removal, &work->request->report.results_wrong);
    }
}

static loam_status check_results(scrub *work, loam_error *error) {
    int64_t last;
    LOAM_TRY(database_number(work->db, RESULTS_LAST_SQL, &last, error));
    for (int64_t id = 0; id < last; id += SCRUB_RESULTS) {
        LOAM_TRY(upkeep_check(work->of, work->request, error));
        LOAM_TRY(check_some_results(work, id, error));
    }
    return LOAM_OK;
}

/* ---- Assets --------------------------------------------------------------------------------- */

/* Between its row and its file an asset may have been deleted. */
static loam_status check_missing(scrub *work, const digest *of, loam_error *error) {
    bool row;
    database_bind_digest(work->there, 1, of);
    LOAM_TRY(database_step_row(work->there, &row, error));
    database_reset(work->there);
    work->request->report.assets_missing += row;
    return LOAM_OK;
}

static loam_status check_asset(scrub *work, const digest *of, loam_error *error) {
    const char *dir = work->of->folder->assets;
    blob *asset = NULL;
    loam_error found = {0};
    loam_status status = asset_file_read(dir, of, &asset, &found);
    blob_release(asset);
    if (status == LOAM_NOT_FOUND) {
        return check_missing(work, of, error);
    }
    if (status == LOAM_DAMAGED) {
        note_damage(work, NULL, &work->request->report.assets_damaged);
        return asset_file_set_aside(dir, of, error);
    }
    if (status != LOAM_OK) {
        *error = found;
    }
    return status;
}

static loam_status check_assets(scrub *work, loam_error *error) {
    digest of = {{0}};
    for (;;) {
        bool row;
        database_bind_digest(work->next, 1, &of);
        LOAM_TRY(database_step_row(work->next, &row, error));
        if (!row) {
            return LOAM_OK;
        }
        uint64_t bytes = (uint64_t)sqlite3_column_int64(work->next, 1);
        digest next = database_column_digest(work->next, 0);
        database_reset(work->next);
        of = next;
        work->request->report.assets++;
        LOAM_TRY(check_asset(work, &of, error));
        tell_assets(work, bytes);
        LOAM_TRY(take_time(work, bytes, error));
    }
}

/* ---- The cache ------------------------------------------------------------------------------ */

static loam_status begin(scrub *work, const char *path, const char *sql, loam_error *error) {
    if (work->db == NULL) {
        LOAM_TRY(database_open_reader(path, &work->db, error));
    }
    sqlite3_finalize(work->next);
    work->next = NULL;
    return database_prepare(work->db, sql, &work->next, error);
}

static void end(scrub *work) {
    sqlite3_finalize(work->next);
    sqlite3_finalize(work->there);
    database_close(work->db);
    work->next = NULL;
    work->there = NULL;
    work->db = NULL;
}

/* Pages of blobs are read one after the other below: SQLite's own check of that table would read
 * all of it in one go, as fast as it can. */
static loam_status check_tables(scrub *work, loam_error *error) {
    static const char *const CHECKS[] = {"PRAGMA quick_check(results)",
                                         "PRAGMA quick_check(verdicts)"};
    for (size_t i = 0; i < sizeof CHECKS / sizeof CHECKS[0]; i++) {
        bool sound;
        LOAM_TRY(upkeep_check(work->of, work->request, error));
        LOAM_TRY(database_is_sound(work->db, CHECKS[i], &sound, error));
        if (!sound) {
            return loam_fail(error, LOAM_DAMAGED, NULL, "pages of the cache are damaged");
        }
    }
    return LOAM_OK;
}

static loam_status scrub_cache(scrub *work, loam_error *error) {
    const char *path = work->of->folder->cache;
    LOAM_TRY(begin(work, path, BLOB_SQL, error));
    LOAM_TRY(database_number(work->db, BLOBS_FIRST_SQL, &work->id_first, error));
    LOAM_TRY(database_number(work->db, BLOBS_LAST_SQL, &work->id_last, error));
    LOAM_TRY(check_tables(work, error));
    LOAM_TRY(check_blobs(work, error));
    LOAM_TRY(begin(work, path, RESULTS_SQL, error));
    return check_results(work, error);
}

/* ---- control.db ----------------------------------------------------------------------------- */

/* Pages that cannot be read; or tables that are not there, for which SQLite has no code of its own:
 * a statement that is always the same does not compile. */
static bool is_broken(const scrub *work, loam_status status) {
    return status == LOAM_DAMAGED ||
           (status == LOAM_IO && work->db != NULL && sqlite3_errcode(work->db) == SQLITE_ERROR);
}

static loam_status check_control(scrub *work, loam_error *error) {
    bool sound = false;
    int64_t bytes = 0;
    row_census census;
    LOAM_TRY(begin(work, work->of->folder->control, ASSET_BYTES_SQL, error));
    LOAM_TRY(database_number(work->db, ASSET_BYTES_SQL, &bytes, error));
    work->asset_bytes = (uint64_t)bytes;
    LOAM_TRY(row_census_take(work->db, &census, error));
    LOAM_TRY(database_check(work->db, "PRAGMA quick_check", &sound, error));
    return sound ? LOAM_OK : loam_fail(error, LOAM_DAMAGED, NULL, "control.db is damaged");
}

/* A read that fails once may look like damage, to SQLite's check and to its reader of the schema:
 * what was found has to be found again, by another connection. Nobody can mend it: it is told,
 * once, and the rest is looked at. */
static loam_status look_again(scrub *work, loam_error *error) {
    loam_error found = {0};
    end(work);
    loam_status status = check_control(work, &found);
    if (!is_broken(work, status)) {
        return status == LOAM_OK ? LOAM_OK : loam_fail(error, status, NULL, "%s", found.text);
    }
    if (!work->request->report.control_damaged) {
        work->request->report.control_damaged = true;
        atomic_fetch_add(&work->of->cache->counters.damaged, 1);
    }
    return LOAM_OK;
}

static loam_status scrub_control(scrub *work, loam_error *error) {
    loam_error found = {0};
    loam_status status = check_control(work, &found);
    if (is_broken(work, status)) {
        return look_again(work, error);
    }
    return status == LOAM_OK ? LOAM_OK : loam_fail(error, status, NULL, "%s", found.text);
}

static loam_status read_assets(scrub *work, loam_error *error) {
    LOAM_TRY(begin(work, work->of->folder->control, ASSET_SQL, error));
    LOAM_TRY(database_prepare(work->db, ASSET_THERE_SQL, &work->there, error));
    return check_assets(work, error);
}

/* Without its table nobody knows the assets; with it, the scrub has not seen them all. */
static loam_status scrub_assets(scrub *work, loam_error *error) {
    loam_error found = {0};
    loam_status status = read_assets(work, &found);
    if (is_broken(work, status)) {
        LOAM_TRY(look_again(work, error));
        status = work->request->report.control_damaged ? LOAM_OK : LOAM_IO;
    }
    return status == LOAM_OK ? LOAM_OK : loam_fail(error, status, NULL, "%s", found.text);
}

/* ---- The whole ------------------------------------------------------------------------------ */

/* Pages of cache.db that SQLite cannot read end its part: the file is begun anew at the next start.
 */
loam_status scrub_run(upkeep *of, store_upkeep *request, loam_error *error) {
    scrub work = {
        .of = of, .request = request, .cache_bytes = atomic_load(&of->cache->counters.bytes_used)};
    loam_error failure = {0};
    loam_status status = scrub_control(&work, error);
    end(&work);
    LOAM_TRY(status);
    status = scrub_cache(&work, &failure);
    end(&work);
    if (status == LOAM_DAMAGED) {
        request->report.file_damaged = true;
        atomic_fetch_add(&of->cache->counters.damaged, 1);
        cache_database_note_damage(of->folder->cache);
    } else if (status != LOAM_OK) {
        *error = failure;
        return status;
    }
    status = scrub_assets(&work, error);
    end(&work);
    LOAM_TRY(status);
    return request->report.file_damaged ? LOAM_OK : upkeep_collect(of, request, UINT64_MAX, error);
}
