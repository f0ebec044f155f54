/* SPDX-License-Identifier: MIT
 *
 * cache_room.c: the room for the puts of a group: how much they need, who gets of it, and what is
 * said to those for whom it does not suffice. Where it comes from: cache_evict.c.
 */
#include "core/base/try.h"
#include "server/store/cache_writer.h"

static uint64_t request_bytes(const store_request *request) {
    if (request->kind == CACHE_REQUEST_PUT) {
        return cache_put_bytes(((const store_put *)request)->blob->size);
    }
    return request->kind == CACHE_REQUEST_VERDICT
               ? cache_put_bytes(((const store_verdict *)request)->text->size)
               : 0;
}

static bool could_fit(const cache_room *room, const store_request *request) {
    return request_bytes(request) + GROUP_BYTES_EXTRA <= room->cap;
}

static void refuse(const cache_writer *writer, const cache_room *room, store_request *request) {
    loam_error *error = &request->error;
    if (room->walk_goes_on && could_fit(room, request)) {
        loam_fail(error, LOAM_OVERLOADED, NULL, "room is looked for between pinned results");
    } else if (atomic_load(&writer->frugal)) {
        loam_fail(error, LOAM_STORAGE_FULL, NULL,
                  "the disk is nearly full, and the cache must not grow");
    } else {
        loam_fail(error, LOAM_CACHE_TOO_SMALL, NULL,
                  "the result does not fit in the cache beside pinned results");
    }
}

bool cache_room_take(const cache_writer *writer, cache_room *room, store_request *request) {
    uint64_t bytes = request_bytes(request);
    if (bytes > room->bytes) {
        refuse(writer, room, request);
        return false;
    }
    room->bytes -= bytes;
    return true;
}

loam_status cache_room_find(cache_writer *writer, cache_room *room, const store_request *group,
                            loam_error *error) {
    uint64_t needed = 0;
    LOAM_TRY(cache_cap(writer, &room->cap, error));
    for (const store_request *request = group; request != NULL; request = request->next) {
        /* For what could not fit nothing goes in vain. */
        needed += could_fit(room, request) ? request_bytes(request) : 0;
    }
    return cache_make_room(writer, needed, room, error);
}
