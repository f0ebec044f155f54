/* SPDX-License-Identifier: MIT
 *
 * fetch_disk.c: the fetcher's way through the disk cache, in pieces. A cell of a revision that the
 * disk has needs no request; for the newest one its digest goes with the request, and the disk is
 * read when the daemon says that it still holds. A cell that came is written before it is handed
 * over, because then its bytes are the caller's.
 */
#include <stdio.h>
#include <string.h>

#include "api/client/fetcher_state.h"

/* A fetch of a whole cell from the disk has nothing left to do. */
static void read_done(loam_fetcher *fetcher, uint32_t slot) {
    fetch *of = &fetcher->fetches[slot];
    of->result.bytes = of->reader.bytes;
    of->result.size = of->reader.size;
    of->result.http_status = 200;
    of->result.cached = true;
    digest_text(&of->facts.id, of->result.digest);
    digest_text(&of->facts.build_key, of->result.build_key);
    of->reader.bytes = NULL;
    disk_read_end(&of->reader);
    fetch_move(fetcher, slot, FETCH_READY);
}

bool fetch_disk_read(loam_fetcher *fetcher, uint32_t slot) {
    fetch *of = &fetcher->fetches[slot];
    if (!disk_read_begin(fetcher->client->cache, &of->facts.id, &of->reader)) {
        of->known = false;
        return false;
    }
    of->disk_ms = client_now_ms() + FETCH_DISK_MS;
    fetch_move(fetcher, slot, FETCH_READING);
    return true;
}

bool fetch_disk_look(loam_fetcher *fetcher, uint32_t slot) {
    char address[CLIENT_PATH_BYTES];
    fetch *of = &fetcher->fetches[slot];
    of->looked = true;
    of->known = client_cell_address(fetcher->client, &of->cell, address, sizeof address) &&
                disk_cell_find(fetcher->client->cache, address, &of->facts);
    return of->known && of->cell.revision != NULL && fetch_disk_read(fetcher, slot);
}

/* The disk has lost it, or takes too long: the daemon is asked. */
static void read_failed(loam_fetcher *fetcher, uint32_t slot) {
    fetch *of = &fetcher->fetches[slot];
    disk_read_end(&of->reader);
    of->known = false;
    fetch_again(fetcher, slot, 0);
}

static void read_work(loam_fetcher *fetcher, uint32_t slot) {
    fetch *of = &fetcher->fetches[slot];
    disk_step step;
    do {
        step = disk_read_step(fetcher->client->cache, &of->reader, FETCH_PIECE_BYTES, false);
    } while (step == DISK_MORE && !fetcher_is_late(fetcher));
    if (step == DISK_DONE) {
        read_done(fetcher, slot);
    } else if (step == DISK_FAILED || (step == DISK_LATER && client_now_ms() > of->disk_ms)) {
        read_failed(fetcher, slot);
    }
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_begin(loam_fetcher *fetcher) {
    uint32_t slot = fetch_next(fetcher, FETCH_STORING, UINT64_MAX);
    const fetch *of = &fetcher->fetches[slot];
    fetcher->writing = slot;
    fetcher->written =
        !disk_write_begin(fetcher->client->cache, &of->facts.id, of->result.size, &fetcher->writer);
}

/* A piece of the bytes; or, when they are there, the small files that say where they belong. */
static void write_step(loam_fetcher *fetcher) {
    const fetch *of = &fetcher->fetches[fetcher->writing];
    if (!fetcher->written) {
        fetcher->written =
            disk_write_step(fetcher->client->cache, &fetcher->writer, of->result.bytes,
                            of->result.size, FETCH_PIECE_BYTES) != DISK_MORE;
        return;
    }
    client_cell_note(fetcher->client, &of->cell, of->location, &of->facts);
    fetch_move(fetcher, fetcher->writing, FETCH_READY);
    fetcher->writing = FETCH_NONE;
}

static void write_work(loam_fetcher *fetcher) {
    while (fetcher->storing > 0) {
        if (fetcher->writing == FETCH_NONE) {
            write_begin(fetcher);
        }
        write_step(fetcher);
        if (fetcher_is_late(fetcher)) {
            return;
        }
    }
}

void fetch_disk_drop(loam_fetcher *fetcher, uint32_t slot) {
    if (fetcher->turns[slot].state == FETCH_READING) {
        disk_read_end(&fetcher->fetches[slot].reader);
    }
    if (fetcher->writing == slot) {
        disk_write_end(&fetcher->writer);
        fetcher->writing = FETCH_NONE;
    }
}

void fetch_disk_work(loam_fetcher *fetcher) {
    uint32_t left = fetcher->reading;
    for (uint32_t i = 0; left > 0 && i < fetcher->asked_end; i++) {
        if (fetcher->turns[i].state == FETCH_READING) {
            read_work(fetcher, i);
            left = fetcher_is_late(fetcher) ? 0 : left - 1;
        }
    }
    write_work(fetcher);
}
