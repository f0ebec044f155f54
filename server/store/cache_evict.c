/* SPDX-License-Identifier: MIT
 *
 * cache_evict.c: keeps the pages in use of cache.db below its cap. The file never shrinks: evicted
 * pages go to SQLite's free list and are used again. Oldest use first, in batches; a pinned result
 * is moved to the young end, so that who goes on does not meet it again. A walk that has gone once
 * around, which may take several transactions and several groups, has met all there was.
 */
#include "core/base/try.h"
#include "server/store/cache_writer.h"

/* Payload of an overflow page: all of it but a pointer. */
enum { PAGE_PAYLOAD_BYTES = CACHE_PAGE_BYTES - 4 };

typedef struct victim {
    int64_t id;
    int64_t blob;
    int64_t used;
    digest key;
} victim;

uint64_t cache_put_bytes(size_t blob_bytes) {
    if (blob_bytes <= CACHE_PAGE_BYTES / 8) {
        return (blob_bytes + PUT_BYTES_EXTRA) * 3 / 2; /* shared leaves, two thirds full */
    }
    uint64_t pages = (blob_bytes + PAGE_PAYLOAD_BYTES - 1) / PAGE_PAYLOAD_BYTES;
    return (pages + 1) * CACHE_PAGE_BYTES;
}

static loam_status read_pages(cache_writer *writer, cache_statement which, int64_t *pages,
                              loam_error *error) {
    bool row;
    sqlite3_stmt *statement = writer->statements[which];
    LOAM_TRY(database_step_row(statement, &row, error));
    *pages = row ? sqlite3_column_int64(statement, 0) : 0;
    database_reset(statement);
    return LOAM_OK;
}

loam_status cache_bytes_used(cache_writer *writer, uint64_t *bytes, loam_error *error) {
    int64_t pages;
    int64_t pages_free;
    LOAM_TRY(read_pages(writer, CACHE_PAGES, &pages, error));
    LOAM_TRY(read_pages(writer, CACHE_PAGES_FREE, &pages_free, error));
    *bytes = (uint64_t)(pages - pages_free) * CACHE_PAGE_BYTES;
    return LOAM_OK;
}

static loam_status read_oldest(cache_writer *writer, victim victims[EVICT_BATCH], int *count,
                               loam_error *error) {
    sqlite3_stmt *statement = writer->statements[CACHE_RESULTS_OLDEST];
    bool row;
    *count = 0;
    database_bind_number(statement, 1, EVICT_BATCH);
    for (;;) {
        LOAM_TRY(database_step_row(statement, &row, error));
        if (!row) {
            return LOAM_OK;
        }
        victims[(*count)++] = (victim){.id = sqlite3_column_int64(statement, 0),
                                       .blob = sqlite3_column_int64(statement, 1),
                                       .used = sqlite3_column_int64(statement, 2),
                                       .key = database_column_digest(statement, 3)};
    }
}

static loam_status spare(cache_writer *writer, const victim *pinned, loam_error *error) {
    sqlite3_stmt *statement = writer->statements[CACHE_RESULT_USED];
    database_bind_number(statement, 1, cache_next_use(writer));
    database_bind_number(statement, 2, pinned->id);
    return database_step_done(statement, error);
}

static loam_status evict(cache_writer *writer, const victim *evicted, loam_error *error) {
    sqlite3_stmt *result = writer->statements[CACHE_RESULT_DELETE];
    database_bind_number(result, 1, evicted->id);
    LOAM_TRY(database_step_done(result, error));
    sqlite3_stmt *blob_row = writer->statements[CACHE_BLOB_DELETE_ORPHAN];
    database_bind_number(blob_row, 1, evicted->blob);
    LOAM_TRY(database_step_done(blob_row, error));
    writer->blobs_change -= sqlite3_changes(writer->db);
    writer->evicted_change++;
    return LOAM_OK;
}

/* Looks at the oldest results; *last says that none older than the search is left. */
static loam_status evict_batch(cache_writer *writer, int64_t search_began, int *spared, bool *last,
                               loam_error *error) {
    victim victims[EVICT_BATCH];
    int count;
    LOAM_TRY(read_oldest(writer, victims, &count, error));
    *last = count == 0;
    for (int i = 0; i < count && !*last; i++) {
        if (victims[i].used > search_began) {
            *last = true;
        } else if (pins_has(&writer->pins, &victims[i].key)) {
            LOAM_TRY(spare(writer, &victims[i], error));
            *spared += 1;
        } else {
            LOAM_TRY(evict(writer, &victims[i], error));
        }
    }
    return LOAM_OK;
}

loam_status cache_cap(cache_writer *writer, uint64_t *cap, loam_error *error) {
    int64_t pages;
    *cap = writer->bytes_max;
    if (!atomic_load(&writer->frugal)) {
        return LOAM_OK;
    }
    LOAM_TRY(read_pages(writer, CACHE_PAGES, &pages, error));
    uint64_t bytes = (uint64_t)pages * CACHE_PAGE_BYTES;
    *cap = bytes < *cap ? bytes : *cap;
    return LOAM_OK;
}

static loam_status measure_room(cache_writer *writer, cache_room *room, loam_error *error) {
    uint64_t used;
    LOAM_TRY(cache_bytes_used(writer, &used, error));
    used += GROUP_BYTES_EXTRA;
    room->bytes = used < room->cap ? room->cap - used : 0;
    return LOAM_OK;
}

static void walk_begin(cache_writer *writer) {
    cache_walk *walk = &writer->walk;
    uint64_t sets_ended = pins_sets_ended(&writer->pins);
    if (walk->sets_ended != sets_ended) {
        walk->sets_ended = sets_ended;
        walk->missed = true;
        walk->in_vain = false;
    }
    if (walk->began == 0) {
        walk->began = (int64_t)atomic_load(&writer->counters.uses);
        walk->missed = false;
    }
}

/* Whether it goes on. What it missed is looked for once more, but not for ever: who uses a result
 * all the time must not keep a refusal up. After a walk in vain another would be so, too. */
static bool walk_end(cache_walk *walk, bool enough, bool last) {
    bool once_more = last && walk->missed && !walk->again;
    bool goes_on = !enough && !walk->in_vain && (!last || once_more);
    walk->again = goes_on && (walk->again || last);
    walk->in_vain = !enough && !goes_on;
    walk->began = goes_on && !last ? walk->began : 0;
    return goes_on;
}

loam_status cache_make_room(cache_writer *writer, uint64_t needed, cache_room *room,
                            loam_error *error) {
    int spared = 0;
    bool last = false;
    room->walk_goes_on = false;
    LOAM_TRY(measure_room(writer, room, error));
    if (room->bytes >= needed) {
        return LOAM_OK;
    }
    walk_begin(writer);
    while (room->bytes < needed && !last && spared < EVICT_SPARED_MAX) {
        LOAM_TRY(evict_batch(writer, writer->walk.began, &spared, &last, error));
        LOAM_TRY(measure_room(writer, room, error));
    }
    room->walk_goes_on = walk_end(&writer->walk, room->bytes >= needed, last);
    return LOAM_OK;
}

loam_status cache_collect(cache_writer *writer, cache_collection *request, loam_error *error) {
    uint64_t evicted_before = writer->evicted_change;
    int spared = 0;
    bool last = false;
    if (request->search_began == 0) {
        request->search_began = (int64_t)atomic_load(&writer->counters.uses);
    }
    request->ended = false;
    for (int batches = 0; batches < COLLECT_BATCHES && !request->ended; batches++) {
        uint64_t used;
        LOAM_TRY(cache_bytes_used(writer, &used, error));
        request->ended = last || used <= request->bytes_max;
        if (!request->ended) {
            LOAM_TRY(evict_batch(writer, request->search_began, &spared, &last, error));
        }
    }
    request->evicted = writer->evicted_change - evicted_before;
    return LOAM_OK;
}
