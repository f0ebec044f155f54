/* SPDX-License-Identifier: MIT
 *
 * fetcher.c: a fetcher's life, what is asked of it and taken from it, and one poll.
 */
#include <stdlib.h>
#include <string.h>

#include "api/client/fetcher_state.h"
#include "core/base/try.h"

/* The slot stands in the low bits of an id, a serial number above: no id comes twice. */
#define ID_SLOT_BITS 16

_Static_assert(FETCH_ASKED_MAX <= 1 << ID_SLOT_BITS, "a slot fits its part of an id");

static loam_status limits_adopt(loam_fetcher *fetcher, const loam_fetcher_options *options,
                                loam_error *error) {
    fetcher->in_flight_max = options->in_flight_max != 0 ? options->in_flight_max : FETCH_IN_FLIGHT;
    fetcher->asked_max = options->asked_max != 0 ? options->asked_max : FETCH_ASKED;
    fetcher->batch_max = options->batch_max != 0 ? options->batch_max : 1;
    fetcher->poll_us = options->poll_us != 0 ? options->poll_us : FETCH_POLL_US;
    fetcher->writing = FETCH_NONE;
    fetcher->writer.descriptor = -1;
    if (fetcher->in_flight_max > FETCH_IN_FLIGHT_MAX || fetcher->asked_max > FETCH_ASKED_MAX ||
        fetcher->batch_max > LOAM_CLIENT_BATCH_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                         "at most %d requests in flight, %d cells asked for, %d in a batch",
                         FETCH_IN_FLIGHT_MAX, FETCH_ASKED_MAX, LOAM_CLIENT_BATCH_MAX);
    }
    fetcher->transfers = calloc(fetcher->in_flight_max, sizeof *fetcher->transfers);
    fetcher->turns = calloc(fetcher->asked_max, sizeof *fetcher->turns);
    fetcher->fetches = calloc(fetcher->asked_max, sizeof *fetcher->fetches);
    if (fetcher->transfers == NULL || fetcher->turns == NULL || fetcher->fetches == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for a fetcher");
    }
    return LOAM_OK;
}

loam_fetcher *loam_fetcher_create(const loam_fetcher_options *options, loam_error *error) {
    static const loam_fetcher_options defaults;
    options = options != NULL ? options : &defaults;
    loam_fetcher *fetcher = calloc(1, sizeof *fetcher);
    if (fetcher == NULL) {
        (void)loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for a fetcher");
        return NULL;
    }
    fetcher->client = loam_client_create(&options->client, error);
    if (fetcher->client == NULL || limits_adopt(fetcher, options, error) != LOAM_OK ||
        fetch_network_open(fetcher, error) != LOAM_OK) {
        loam_fetcher_destroy(fetcher);
        return NULL;
    }
    return fetcher;
}

/* ---- Slots ----------------------------------------------------------------------------------- */

bool fetcher_is_late(const loam_fetcher *fetcher) {
    return client_now_us() >= fetcher->deadline_us;
}

static uint32_t *state_count(loam_fetcher *fetcher, fetch_state state) {
    switch (state) {
    case FETCH_READING:
        return &fetcher->reading;
    case FETCH_STORING:
        return &fetcher->storing;
    case FETCH_READY:
        return &fetcher->ready;
    default:
        return NULL;
    }
}

void fetch_move(loam_fetcher *fetcher, uint32_t slot, fetch_state state) {
    fetch_turn *turn = &fetcher->turns[slot];
    uint32_t *left = state_count(fetcher, turn->state);
    uint32_t *entered = state_count(fetcher, state);
    if (left != NULL) {
        (*left)--;
    }
    if (entered != NULL) {
        (*entered)++;
    }
    turn->state = state;
    if (state == FETCH_READY) {
        turn->order = fetcher->order++;
        turn->priority = 0;
    }
}

bool fetch_turn_before(const fetch_turn *a, const fetch_turn *b) {
    return a->priority != b->priority ? a->priority < b->priority : a->order < b->order;
}

uint32_t fetch_next(const loam_fetcher *fetcher, fetch_state state, uint64_t now_ms) {
    uint32_t next = FETCH_NONE;
    for (uint32_t i = 0; i < fetcher->asked_end; i++) {
        const fetch_turn *turn = &fetcher->turns[i];
        if (turn->state == state && turn->since_ms <= now_ms &&
            (next == FETCH_NONE || fetch_turn_before(turn, &fetcher->turns[next]))) {
            next = i;
        }
    }
    return next;
}

/* What came of it until it was given up. */
static void bytes_forget(fetch *of) {
    free(of->result.bytes);
    of->result.bytes = NULL;
    of->result.size = 0;
}

void fetch_again(loam_fetcher *fetcher, uint32_t slot, uint64_t delay_ms) {
    bytes_forget(&fetcher->fetches[slot]);
    fetch_move(fetcher, slot, FETCH_WAITING);
    fetcher->turns[slot].since_ms = client_now_ms() + delay_ms;
}

void fetch_fail(loam_fetcher *fetcher, uint32_t slot, const loam_error *error) {
    bytes_forget(&fetcher->fetches[slot]);
    fetcher->fetches[slot].result.error = *error;
    fetch_move(fetcher, slot, FETCH_READY);
}

static uint32_t slot_find(const loam_fetcher *fetcher, loam_fetch_id id) {
    uint32_t slot = (uint32_t)id & ((1u << ID_SLOT_BITS) - 1);
    return slot < fetcher->asked_end && fetcher->fetches[slot].result.id == id &&
                   fetcher->turns[slot].state != FETCH_FREE
               ? slot
               : FETCH_NONE;
}

static void slot_free(loam_fetcher *fetcher, uint32_t slot) {
    fetch *of = &fetcher->fetches[slot];
    fetch_state state = fetcher->turns[slot].state;
    if (state == FETCH_SENT) {
        fetch_transfer_drop(fetcher, slot);
    } else if (state == FETCH_READING || state == FETCH_STORING) {
        fetch_disk_drop(fetcher, slot);
    }
    fetch_move(fetcher, slot, FETCH_FREE);
    free(of->texts);
    free(of->location);
    free(of->result.bytes);
    memset(of, 0, sizeof *of);
    fetcher->asked--;
}

void loam_fetcher_destroy(loam_fetcher *fetcher) {
    if (fetcher == NULL) {
        return;
    }
    for (uint32_t i = 0; fetcher->fetches != NULL && i < fetcher->asked_end; i++) {
        if (fetcher->turns[i].state != FETCH_FREE) {
            slot_free(fetcher, i);
        }
    }
    fetch_network_close(fetcher);
    loam_client_destroy(fetcher->client);
    free(fetcher->transfers);
    free(fetcher->turns);
    free(fetcher->fetches);
    free(fetcher);
}

/* ---- Asking and taking ----------------------------------------------------------------------- */

/* All texts of a cell in one piece of memory. */
static bool cell_copy(const loam_client_cell *from, fetch *to) {
    size_t world = strlen(from->world) + 1;
    size_t output = strlen(from->output) + 1;
    size_t revision = from->revision != NULL ? strlen(from->revision) + 1 : 0;
    to->texts = malloc(world + output + revision);
    if (to->texts == NULL) {
        return false;
    }
    to->cell = *from;
    to->cell.accept = NULL;
    to->cell.world = memcpy(to->texts, from->world, world);
    to->cell.output = memcpy(to->texts + world, from->output, output);
    if (from->revision != NULL) {
        to->cell.revision = memcpy(to->texts + world + output, from->revision, revision);
    }
    return true;
}

/* There is one: fewer are asked for than may be. */
static uint32_t slot_take(loam_fetcher *fetcher) {
    for (uint32_t i = 0; fetcher->asked < fetcher->asked_end; i++) {
        if (fetcher->turns[i].state == FETCH_FREE) {
            return i;
        }
    }
    return fetcher->asked_end++;
}

loam_status loam_fetcher_ask(loam_fetcher *fetcher, const loam_client_cell *cell, int32_t priority,
                             void *user, loam_fetch_id *id, loam_error *error) {
    char path[CLIENT_PATH_BYTES];
    if (!client_cell_path(cell, path, sizeof path)) {
        return loam_fail(error, LOAM_URI_TOO_LONG, NULL, "the cell's address is too long");
    }
    if (fetcher->asked == fetcher->asked_max) {
        return loam_fail(error, LOAM_OVERLOADED, NULL, "%u cells are asked for already",
                         fetcher->asked_max);
    }
    uint32_t slot = slot_take(fetcher);
    fetch *to = &fetcher->fetches[slot];
    if (!cell_copy(cell, to)) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the cell's address");
    }
    to->result.id = ++fetcher->serial << ID_SLOT_BITS | slot;
    to->result.user = user;
    to->asked_ms = client_now_ms();
    fetcher->turns[slot] = (fetch_turn){.order = fetcher->order++, .priority = priority};
    fetch_move(fetcher, slot, FETCH_WAITING);
    fetcher->asked++;
    *id = to->result.id;
    return LOAM_OK;
}

bool loam_fetcher_prioritise(loam_fetcher *fetcher, loam_fetch_id id, int32_t priority) {
    uint32_t slot = slot_find(fetcher, id);
    if (slot == FETCH_NONE || fetcher->turns[slot].state != FETCH_WAITING) {
        return false;
    }
    fetcher->turns[slot].priority = priority;
    return true;
}

bool loam_fetcher_cancel(loam_fetcher *fetcher, loam_fetch_id id) {
    uint32_t slot = slot_find(fetcher, id);
    if (slot != FETCH_NONE) {
        slot_free(fetcher, slot);
    }
    return slot != FETCH_NONE;
}

uint32_t loam_fetcher_count(const loam_fetcher *fetcher) {
    return fetcher->asked;
}

bool loam_fetcher_take(loam_fetcher *fetcher, loam_fetch_result *result) {
    *result = (loam_fetch_result){0};
    if (fetcher->ready == 0) {
        return false;
    }
    uint32_t slot = fetch_next(fetcher, FETCH_READY, UINT64_MAX);
    *result = fetcher->fetches[slot].result;
    fetcher->fetches[slot].result.bytes = NULL;
    slot_free(fetcher, slot);
    return true;
}

void loam_fetch_result_fini(loam_fetch_result *result) {
    free(result->bytes);
    *result = (loam_fetch_result){0};
}

/* ---- One poll -------------------------------------------------------------------------------- */

/* Asks the disk first; false when it has the cell. */
static bool fetch_look(loam_fetcher *fetcher, uint32_t slot) {
    fetch *of = &fetcher->fetches[slot];
    if (of->recall) {
        of->recall = false;
        return !fetch_disk_read(fetcher, slot);
    }
    return of->looked || fetcher->client->cache == NULL || !fetch_disk_look(fetcher, slot);
}

/* With those that may go along. The disk is asked about each of them first, over as many polls as
 * that takes. */
static void fetch_send_with(loam_fetcher *fetcher, uint32_t first) {
    uint32_t slots[LOAM_CLIENT_BATCH_MAX];
    uint32_t count = fetch_batch_gather(fetcher, first, slots);
    bool looked = false;
    for (uint32_t i = 0; fetcher->client->cache != NULL && i < count; i++) {
        if (fetcher->fetches[slots[i]].looked) {
            continue;
        }
        if (looked && fetcher_is_late(fetcher)) {
            return;
        }
        (void)fetch_look(fetcher, slots[i]); /* the newest one's bytes are never enough */
        looked = true;
    }
    fetch_send(fetcher, slots, count);
}

/* Readers hold a file each: as many as requests. */
static bool fetch_start(loam_fetcher *fetcher) {
    if (fetcher->in_flight == fetcher->in_flight_max ||
        fetcher->reading >= fetcher->in_flight_max) {
        return false;
    }
    uint32_t slot = fetch_next(fetcher, FETCH_WAITING, client_now_ms());
    if (slot == FETCH_NONE) {
        return false;
    }
    if (fetch_look(fetcher, slot)) {
        fetch_send_with(fetcher, slot);
    }
    return true;
}

uint32_t loam_fetcher_poll(loam_fetcher *fetcher) {
    fetcher->deadline_us = client_now_us() + fetcher->poll_us;
    fetcher->taken = false;
    while (fetch_start(fetcher) && !fetcher_is_late(fetcher)) {
        continue;
    }
    fetch_network_work(fetcher);
    fetch_disk_work(fetcher);
    return fetcher->ready;
}

/* Until when nothing happens by itself. */
static uint32_t quiet_ms(const loam_fetcher *fetcher, uint32_t timeout_ms) {
    uint64_t now_ms = client_now_ms();
    uint64_t until_ms = now_ms + timeout_ms;
    bool room = fetcher->in_flight < fetcher->in_flight_max;
    if (fetcher->ready > 0 || fetcher->storing > 0) {
        return 0;
    }
    for (uint32_t i = 0; room && i < fetcher->asked_end; i++) {
        const fetch_turn *turn = &fetcher->turns[i];
        if (turn->state == FETCH_WAITING && turn->since_ms < until_ms) {
            until_ms = turn->since_ms > now_ms ? turn->since_ms : now_ms;
        }
    }
    for (uint32_t i = 0; i < fetcher->in_flight_max; i++) {
        if (fetcher->transfers[i].paused) {
            return 0;
        }
    }
    uint32_t quiet = (uint32_t)(until_ms - now_ms);
    return fetcher->reading > 0 && quiet > 1 ? 1 : quiet; /* the disk sends no signal */
}

uint32_t loam_fetcher_wait(loam_fetcher *fetcher, uint32_t timeout_ms) {
    uint32_t ready = loam_fetcher_poll(fetcher);
    if (ready > 0) {
        return ready;
    }
    (void)curl_multi_poll(fetcher->multi, NULL, 0, (int)quiet_ms(fetcher, timeout_ms), NULL);
    return loam_fetcher_poll(fetcher);
}
