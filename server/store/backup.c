/* SPDX-License-Identifier: MIT
 *
 * backup.c: a copy of all that cannot be made again, while the daemon goes on: control.db as of one
 * moment, then the assets that this copy names, then keys. It grows in `name`.part and has its name
 * only when everything is on the disk. Put in place of a data folder it serves the same; cache.db
 * is not in it, results are built again.
 *
 * While it runs no asset's file is removed (control_writer.h), so that what the copy names is
 * there.
 */
#include "core/base/try.h"
#include "server/store/asset_files.h"
#include "server/store/backup_check.h"
#include "server/store/upkeep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_MODE = 0600, WALK_DESCRIPTORS = 8 };

static const char VACUUM_SQL[] = "VACUUM INTO ?1";
static const char ASSETS_SQL[] = "SELECT digest FROM assets";

typedef struct backup {
    upkeep *of;
    store_upkeep *request;
    char part[FOLDER_PATH_BYTES];
    char control[FOLDER_PATH_BYTES];
    char assets[FOLDER_PATH_BYTES];
    char keys[FOLDER_PATH_BYTES];
    int part_fd; /* locked while the copy grows */
    row_census before;
    row_census after;
    uint64_t assets_named;
} backup;

/* ---- control.db ----------------------------------------------------------------------------- */

static int is_unwanted(void *context) {
    const backup *work = context;
    return upkeep_check(work->of, work->request, NULL) != LOAM_OK;
}

/* VACUUM INTO fills an empty file, which keeps the mode that it was made with, and does not sync
 * it. The connection cannot write to its own file: that was opened for reading. */
static loam_status copy_out(backup *work, sqlite3 *db, loam_error *error) {
    sqlite3_stmt *statement;
    LOAM_TRY(database_set(db, "query_only", 0, error));
    sqlite3_progress_handler(db, BACKUP_STEPS, is_unwanted, work);
    LOAM_TRY(database_prepare(db, VACUUM_SQL, &statement, error));
    sqlite3_bind_text(statement, 1, work->control, -1, SQLITE_STATIC);
    loam_status status = database_step_done(statement, error);
    sqlite3_finalize(statement);
    return status;
}

static loam_status sync_file(const char *path, uint64_t *bytes, loam_error *error) {
    struct stat found = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return folder_fail(error, errno, "cannot open", path);
    }
    int failed = fsync(fd) != 0 || fstat(fd, &found) != 0 ? errno : 0;
    close(fd);
    *bytes += (uint64_t)found.st_size;
    return failed == 0 ? LOAM_OK : folder_fail(error, failed, "cannot sync", path);
}

/* With a census on both sides of it, by the connection that sees whether there were commits. */
static loam_status copy_counted(backup *work, sqlite3 *db, loam_error *error) {
    LOAM_TRY(row_census_take(db, &work->before, error));
    LOAM_TRY(copy_out(work, db, error));
    return row_census_take(db, &work->after, error);
}

static loam_status copy_control(backup *work, loam_error *error) {
    sqlite3 *db;
    loam_error failure = {0};
    int fd = open(work->control, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, COPY_MODE);
    if (fd < 0) {
        return folder_fail(error, errno, "cannot make", work->control);
    }
    close(fd);
    LOAM_TRY(database_open_reader(work->of->folder->control, &db, error));
    loam_status status = copy_counted(work, db, &failure);
    database_close(db);
    LOAM_TRY(upkeep_check(work->of, work->request, error));
    if (status != LOAM_OK) {
        *error = failure;
        return status;
    }
    return sync_file(work->control, &work->request->report.bytes, error);
}

static loam_status check_control(backup *work, loam_error *error) {
    row_census copied;
    store_report *report = &work->request->report;
    LOAM_TRY(backup_check(work->control, &work->before, &work->after, &copied, error));
    work->assets_named = (uint64_t)copied.assets;
    report->worlds = (uint64_t)copied.worlds;
    report->jobs = (uint64_t)copied.jobs;
    return LOAM_OK;
}

/* ---- Assets --------------------------------------------------------------------------------- */

/* One that is damaged or gone must not keep the others from being saved: it is counted. */
static loam_status copy_asset(backup *work, const digest *of, loam_error *error) {
    store_report *report = &work->request->report;
    blob *asset = NULL;
    loam_error failure = {0};
    loam_status status = asset_file_read(work->of->folder->assets, of, &asset, &failure);
    if (status == LOAM_NOT_FOUND || status == LOAM_DAMAGED) {
        *(status == LOAM_DAMAGED ? &report->assets_damaged : &report->assets_missing) += 1;
        return LOAM_OK;
    }
    if (status == LOAM_OK) {
        report->assets++;
        report->bytes += asset->size;
        status = asset_file_write(work->assets, asset, &failure);
    }
    blob_release(asset);
    if (status != LOAM_OK) {
        *error = failure;
    }
    return status;
}

static loam_status copy_each(backup *work, sqlite3_stmt *names, loam_error *error) {
    uint64_t seen = 0;
    for (;;) {
        bool row;
        LOAM_TRY(upkeep_check(work->of, work->request, error));
        LOAM_TRY(database_step_row(names, &row, error));
        if (!row) {
            return LOAM_OK;
        }
        digest of = database_column_digest(names, 0);
        LOAM_TRY(copy_asset(work, &of, error));
        upkeep_progress(work->of, ++seen, work->assets_named);
    }
}

/* Those that the copy names. */
static loam_status copy_assets(backup *work, loam_error *error) {
    sqlite3 *db;
    sqlite3_stmt *names = NULL;
    LOAM_TRY(database_open_reader(work->control, &db, error));
    loam_status status = database_prepare(db, ASSETS_SQL, &names, error);
    if (status == LOAM_OK) {
        status = copy_each(work, names, error);
    }
    sqlite3_finalize(names);
    database_close(db);
    return status;
}

/* ---- Keys ----------------------------------------------------------------------------------- */

static int write_key(const char *path, const void *bytes, size_t size) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, COPY_MODE);
    if (fd < 0) {
        return errno;
    }
    ssize_t written = write(fd, bytes, size);
    int failed = written < 0 ? errno : written != (ssize_t)size ? ENOSPC : 0;
    if (failed == 0 && fsync(fd) != 0) {
        failed = errno;
    }
    close(fd);
    return failed;
}

static loam_status copy_key(backup *work, const char *name, loam_error *error) {
    static unsigned char bytes[KEY_FILE_BYTES_MAX]; /* of the one thread that makes backups */
    char from[FOLDER_PATH_BYTES];
    char to[FOLDER_PATH_BYTES];
    LOAM_TRY(folder_path(work->of->folder->keys, name, from, error));
    LOAM_TRY(folder_path(work->keys, name, to, error));
    int fd = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) {
        return folder_fail(error, errno, "cannot read", from);
    }
    ssize_t size = read(fd, bytes, sizeof bytes);
    close(fd);
    if (size < 0 || size == (ssize_t)sizeof bytes) {
        return folder_fail(error, size < 0 ? errno : EFBIG, "cannot read", from);
    }
    int failed = write_key(to, bytes, (size_t)size);
    work->request->report.keys++;
    return failed == 0 ? LOAM_OK : folder_fail(error, failed, "cannot write", to);
}

/* Files that are being made under another name are no keys yet. */
static bool is_key(const struct dirent *entry) {
    return entry->d_name[0] != '.' && strstr(entry->d_name, ".part") == NULL;
}

static loam_status copy_keys(backup *work, loam_error *error) {
    loam_status status = LOAM_OK;
    DIR *listing = opendir(work->of->folder->keys);
    if (listing == NULL) {
        return folder_fail(error, errno, "cannot read the folder", work->of->folder->keys);
    }
    for (struct dirent *entry = readdir(listing); entry != NULL && status == LOAM_OK;
         entry = readdir(listing)) {
        if (is_key(entry)) {
            status = copy_key(work, entry->d_name, error);
        }
    }
    closedir(listing);
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------ */

static loam_status make_folders(backup *work, loam_error *error) {
    char name[STORE_BACKUP_NAME_BYTES + 8];
    snprintf(name, sizeof name, "%s.part", work->request->name);
    LOAM_TRY(folder_make(work->request->dir, error));
    LOAM_TRY(folder_path(work->request->dir, name, work->part, error));
    LOAM_TRY(folder_path(work->part, "control.db", work->control, error));
    LOAM_TRY(folder_path(work->part, "assets", work->assets, error));
    LOAM_TRY(folder_path(work->part, "keys", work->keys, error));
    LOAM_TRY(folder_make(work->part, error));
    work->part_fd = folder_hold(work->part);
    LOAM_TRY(folder_make(work->assets, error));
    return folder_make(work->keys, error);
}

static loam_status fill(backup *work, loam_error *error) {
    LOAM_TRY(make_folders(work, error));
    LOAM_TRY(copy_control(work, error));
    LOAM_TRY(check_control(work, error));
    LOAM_TRY(copy_assets(work, error));
    LOAM_TRY(copy_keys(work, error));
    LOAM_TRY(folder_sync(work->assets, error));
    LOAM_TRY(folder_sync(work->keys, error));
    return folder_sync(work->part, error);
}

static loam_status name_it(backup *work, const char *path, loam_error *error) {
    if (rename(work->part, path) != 0) {
        return folder_fail(error, errno, "cannot rename", work->part);
    }
    return folder_sync(work->request->dir, error);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where) {
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

/* The form of names that loamd gives, 20260131T235959.123Z, while they are not done. */
static bool is_part_of_ours(const char *name) {
    static const char FORM[] = "ddddddddTdddddd.dddZ.part"; /* d: a digit */
    bool alike = strlen(name) == sizeof FORM - 1;
    for (size_t i = 0; alike && FORM[i] != 0; i++) {
        bool digit = name[i] >= '0' && name[i] <= '9';
        alike = FORM[i] == 'd' ? digit : name[i] == FORM[i];
    }
    return alike;
}

/* Unless a daemon that lives is making it: that one holds it. */
static void remove_part(const char *dir, const char *name) {
    char path[FOLDER_PATH_BYTES];
    if (folder_path(dir, name, path, NULL) != LOAM_OK) {
        return;
    }
    int fd = folder_hold(path);
    if (fd >= 0) {
        nftw(path, remove_one, WALK_DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
        close(fd);
    }
}

/* What a daemon that was killed left half-made. */
static void sweep_parts(const char *dir) {
    DIR *listing = opendir(dir);
    if (listing == NULL) {
        return; /* not made yet */
    }
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        if (is_part_of_ours(entry->d_name)) {
            remove_part(dir, entry->d_name);
        }
    }
    closedir(listing);
}

loam_status backup_run(upkeep *of, store_upkeep *request, loam_error *error) {
    backup work = {.of = of, .request = request, .part_fd = -1};
    char path[FOLDER_PATH_BYTES];
    LOAM_TRY(folder_path(request->dir, request->name, path, error));
    if (access(path, F_OK) == 0) {
        return loam_fail(error, LOAM_DUPLICATE, NULL, "there is a backup %s", request->name);
    }
    sweep_parts(request->dir);
    atomic_store(&of->control->files_held, true);
    loam_status status = fill(&work, error);
    atomic_store(&of->control->files_held, false);
    if (status == LOAM_OK) {
        status = name_it(&work, path, error);
    }
    if (status != LOAM_OK && work.part[0] != 0) {
        nftw(work.part, remove_one, WALK_DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
    }
    if (work.part_fd >= 0) {
        close(work.part_fd);
    }
    return status;
}
