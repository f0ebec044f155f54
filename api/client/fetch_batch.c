/* SPDX-License-Identifier: MIT
 *
 * fetch_batch.c: many fetches by one request. Those of one output of a world's newest revision go
 * together, the most urgent ones first; digests of those on the disk go along. The answer is taken
 * as it comes: each cell into memory of its own, hashed piece by piece, and settled with its last
 * byte, however much follows. What the daemon says is unchanged waits for its turn at the disk.
 */
#include <stdlib.h>
#include <string.h>

#include "api/client/fetcher_state.h"

/* ---- Asking ---------------------------------------------------------------------------------- */

static bool may_go_together(const fetch *of) {
    return of->cell.revision == NULL && !of->cell.cached_only && !of->alone && !of->recall;
}

static bool goes_with(const fetch *of, const fetch *first) {
    return may_go_together(of) && strcmp(of->cell.output, first->cell.output) == 0 &&
           strcmp(of->cell.world, first->cell.world) == 0;
}

/* Puts a slot among those chosen, the most urgent first; the last one gives way when all places
 * are taken. Returns how many there are. */
static uint32_t choose(const loam_fetcher *fetcher, uint32_t *slots, uint32_t count,
                       uint32_t slot) {
    uint32_t at = count;
    const fetch_turn *turn = &fetcher->turns[slot];
    while (at > 0 && fetch_turn_before(turn, &fetcher->turns[slots[at - 1]])) {
        at--;
    }
    if (at == fetcher->batch_max) {
        return count;
    }
    uint32_t moved = count < fetcher->batch_max ? count - at : count - 1 - at;
    memmove(slots + at + 1, slots + at, moved * sizeof *slots);
    slots[at] = slot;
    return count < fetcher->batch_max ? count + 1 : count;
}

uint32_t fetch_batch_gather(const loam_fetcher *fetcher, uint32_t first,
                            uint32_t slots[LOAM_CLIENT_BATCH_MAX]) {
    uint32_t count = 0;
    uint64_t now_ms = client_now_ms();
    const fetch *leader = &fetcher->fetches[first];
    bool together = fetcher->batch_max > 1 && may_go_together(leader);
    for (uint32_t i = 0; together && i < fetcher->asked_end; i++) {
        const fetch_turn *turn = &fetcher->turns[i];
        if (turn->state == FETCH_WAITING && turn->since_ms <= now_ms &&
            goes_with(&fetcher->fetches[i], leader)) {
            count = choose(fetcher, slots, count, i);
        }
    }
    slots[0] = first; /* the most urgent of all is the most urgent of these */
    return together ? count : 1;
}

bool fetch_batch_prepare(fetch_transfer *transfer, char *path, size_t capacity) {
    batch_question questions[LOAM_CLIENT_BATCH_MAX];
    const fetch *fetches = transfer->fetcher->fetches;
    const loam_client_cell *first = &fetches[transfer->slots[0]].cell;
    for (uint32_t i = 0; i < transfer->slot_count; i++) {
        const fetch *of = &fetches[transfer->slots[i]];
        questions[i] = (batch_question){.place = {of->cell.x, of->cell.z, of->cell.level},
                                        .has = of->known ? &of->facts.id : NULL};
    }
    transfer->batch = (fetch_batch){0};
    batch_question_put(&transfer->request, first->output, questions, transfer->slot_count);
    return batch_path(first->world, path, capacity) && !transfer->request.failed;
}

/* ---- Taking ---------------------------------------------------------------------------------- */

/* Whose bytes come; NULL when nobody wants them any more. */
static fetch *entry_fetch(const fetch_transfer *transfer) {
    uint32_t slot = transfer->slots[transfer->batch.next];
    return slot != FETCH_NONE ? &transfer->fetcher->fetches[slot] : NULL;
}

static void cell_end(fetch_transfer *transfer, uint32_t slot) {
    loam_fetcher *fetcher = transfer->fetcher;
    const batch_entry_head *entry = &transfer->batch.entry;
    fetch *of = &fetcher->fetches[slot];
    loam_error error = {0};
    digest found = digest_end(&transfer->stream);
    of->facts = (disk_cell){.id = entry->id, .build_key = entry->build_key};
    if (!digest_equal(&found, &entry->id)) {
        (void)loam_fail(&error, LOAM_DAMAGED, NULL,
                        "the cell does not hash to the digest it is announced with");
        of->known = false;
        of->result.http_status = 200;
        fetch_fail(fetcher, slot, &error);
        return;
    }
    digest_text(&entry->build_key, of->result.build_key);
    fetch_settle_cell(fetcher, slot, true);
}

static void problem_end(fetch_transfer *transfer, uint32_t slot) {
    const loam_client_response told = {.http_status = transfer->batch.entry.http_status,
                                       .body = (unsigned char *)transfer->body.bytes,
                                       .body_size = transfer->body.size};
    fetch_settle_refusal(transfer->fetcher, slot, &told, 0, transfer->random);
}

static void unchanged_end(fetch_transfer *transfer, uint32_t slot) {
    fetch *of = &transfer->fetcher->fetches[slot];
    if (of->known) {
        of->recall = true;
        fetch_again(transfer->fetcher, slot, 0);
    } else {
        problem_end(transfer, slot); /* nobody said so */
    }
}

/* All of a cell has come, and its fetch is settled. */
static void entry_end(fetch_transfer *transfer) {
    loam_fetcher *fetcher = transfer->fetcher;
    uint32_t *place = &transfer->slots[transfer->batch.next++];
    uint32_t slot = *place;
    *place = FETCH_NONE;
    if (slot == FETCH_NONE) {
        return;
    }
    switch (transfer->batch.entry.http_status) {
    case 200:
        cell_end(transfer, slot);
        break;
    case 202:
        fetch_settle_building(fetcher, slot, 0);
        break;
    case 304:
        unchanged_end(transfer, slot);
        break;
    case 413:
        fetcher->fetches[slot].alone = true;
        fetch_again(fetcher, slot, 0);
        break;
    default:
        problem_end(transfer, slot);
    }
}

/* A head is whole; false when it is not what must come next. */
static bool entry_begin(fetch_transfer *transfer) {
    fetch_batch *batch = &transfer->batch;
    batch_entry_read(batch->head, &batch->entry);
    batch->left = batch->entry.size;
    batch->padding = batch_padding(batch->entry.size);
    buffer_clear(&transfer->body);
    digest_begin(&transfer->stream);
    uint64_t room = transfer->fetcher->client->body_bytes_max - batch->taken;
    if (batch->left > room) {
        return false;
    }
    batch->taken += batch->left;
    fetch *of = entry_fetch(transfer);
    if (of == NULL) {
        return true;
    }
    const loam_client_place place = {of->cell.x, of->cell.z, of->cell.level};
    if (!batch_entry_is_of(&batch->entry, &place)) {
        return false;
    }
    if (batch->entry.http_status == 200) {
        of->result.bytes = malloc((size_t)batch->left + 1);
        of->result.size = 0;
    }
    return batch->entry.http_status != 200 || of->result.bytes != NULL;
}

/* Takes what is missing of a head, and looks at it when it is whole. */
static size_t head_take(fetch_transfer *transfer, const char *bytes, size_t size) {
    fetch_batch *batch = &transfer->batch;
    size_t whole = batch->begun ? BATCH_ENTRY_BYTES : BATCH_HEAD_BYTES;
    size_t used = size < whole - batch->head_size ? size : whole - batch->head_size;
    memcpy(batch->head + batch->head_size, bytes, used);
    batch->head_size += used;
    if (batch->head_size < whole) {
        return used;
    }
    batch->head_size = 0;
    if (batch->begun) {
        batch->wrong = !entry_begin(transfer);
    } else {
        batch->begun = batch_head_is_right(batch->head, transfer->slot_count);
        batch->wrong = !batch->begun;
        return used;
    }
    if (!batch->wrong && batch->left == 0) {
        entry_end(transfer);
    }
    return used;
}

static size_t bytes_take(fetch_transfer *transfer, const char *bytes, size_t size) {
    fetch_batch *batch = &transfer->batch;
    size_t used = size < batch->left ? size : (size_t)batch->left;
    fetch *of = entry_fetch(transfer);
    if (of != NULL && batch->entry.http_status == 200) {
        memcpy(of->result.bytes + of->result.size, bytes, used);
        of->result.size += used;
        digest_update(&transfer->stream, bytes, used);
    } else if (of != NULL) {
        buffer_add(&transfer->body, bytes, used);
    }
    batch->left -= used;
    if (batch->left == 0) {
        entry_end(transfer);
    }
    return used;
}

bool fetch_batch_take(fetch_transfer *transfer, const char *bytes, size_t size) {
    fetch_batch *batch = &transfer->batch;
    while (size > 0 && !batch->wrong) {
        size_t used = 0;
        if (batch->left > 0) {
            used = bytes_take(transfer, bytes, size);
        } else if (batch->padding > 0) {
            used = size < batch->padding ? size : batch->padding;
            batch->padding -= used;
        } else if (batch->next < transfer->slot_count) {
            used = head_take(transfer, bytes, size);
        } else {
            batch->wrong = true; /* more than was asked for */
        }
        bytes += used;
        size -= used;
    }
    return !batch->wrong;
}
