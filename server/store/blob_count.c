/* SPDX-License-Identifier: MIT
 *
 * blob_count.c: see blob_count.h.
 */
#include "server/store/blob_count.h"

#include "core/base/try.h"

static loam_status take_picture(sqlite3 *db, loam_error *error) {
    int64_t tables;
    LOAM_TRY(database_run(db, "BEGIN", error));
    return database_number(db, "SELECT count(*) FROM sqlite_schema", &tables, error);
}

loam_status blob_count_open(blob_count *count, cache_writer *writer, loam_error *error) {
    *count = (blob_count){.counters = &writer->counters};
    if (!writer->uncounted) {
        return LOAM_OK;
    }
    LOAM_TRY(database_open_reader(writer->path, &count->db, error));
    loam_status status = database_set(count->db, "mmap_size", CACHE_MAP_BYTES, error);
    if (status == LOAM_OK) {
        status = take_picture(count->db, error);
    }
    if (status != LOAM_OK) {
        blob_count_close(count);
    }
    return status;
}

/* What cannot be counted stays uncounted: the number is told, and weighs uses; no more. */
void blob_count_run(blob_count *count) {
    int64_t blobs;
    loam_error dropped = {0};
    if (count->db == NULL) {
        return;
    }
    if (database_number(count->db, CACHE_COUNT_SQL, &blobs, &dropped) == LOAM_OK) {
        atomic_fetch_add(&count->counters->blobs, (uint64_t)blobs);
    }
    sqlite3_exec(count->db, "COMMIT", NULL, NULL, NULL);
}

void blob_count_interrupt(blob_count *count) {
    if (count->db != NULL) {
        sqlite3_interrupt(count->db);
    }
}

void blob_count_close(blob_count *count) {
    database_close(count->db);
    count->db = NULL;
}
