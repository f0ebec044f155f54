/* SPDX-License-Identifier: MIT
 *
 * fetch_settle.c: what becomes of a fetch when its answer is whole, or when none came; of all that
 * are left of a batch when it is at its end. What is asked does nothing to the daemon, so that what
 * was lost is repeated as what was turned away is.
 */
#include <stdio.h>
#include <string.h>

#include "api/client/fetcher_state.h"

_Static_assert(LOAM_CLIENT_DIGEST_BYTES >= DIGEST_TEXT_BYTES, "a digest fits its text");

/* ---- One fetch ------------------------------------------------------------------------------- */

/* Repeats what may go better later, until there were enough attempts. */
static void attempt_again(loam_fetcher *fetcher, uint32_t slot, uint32_t retry_after_ms,
                          uint64_t random, const loam_error *error) {
    fetch *of = &fetcher->fetches[slot];
    uint64_t delay_ms = client_retry_delay_ms(of->attempt, retry_after_ms, random);
    if (of->attempt >= fetcher->client->retries_max || delay_ms > CLIENT_RETRY_LONGEST_MS) {
        fetch_fail(fetcher, slot, error);
        return;
    }
    of->attempt++;
    fetch_again(fetcher, slot, delay_ms);
}

void fetch_settle_cell(loam_fetcher *fetcher, uint32_t slot, bool kept) {
    fetch *of = &fetcher->fetches[slot];
    of->result.http_status = 200;
    digest_text(&of->facts.id, of->result.digest);
    fetch_move(fetcher, slot, kept && fetcher->client->cache != NULL ? FETCH_STORING : FETCH_READY);
}

void fetch_settle_building(loam_fetcher *fetcher, uint32_t slot, uint32_t pause_ms) {
    loam_error error = {0};
    fetcher->fetches[slot].result.http_status = 202;
    if (client_now_ms() - fetcher->fetches[slot].asked_ms > FETCH_TOTAL_MS) {
        (void)loam_fail(&error, LOAM_OVERLOADED, NULL, "the cell is still being built");
        fetch_fail(fetcher, slot, &error);
        return;
    }
    fetch_again(fetcher, slot, pause_ms != 0 ? pause_ms : FETCH_PAUSE_MS);
}

void fetch_settle_refusal(loam_fetcher *fetcher, uint32_t slot, const loam_client_response *told,
                          uint32_t retry_after_ms, uint64_t random) {
    loam_error error = {0};
    fetcher->fetches[slot].result.http_status = told->http_status;
    (void)client_problem_read(told, &error);
    if (client_retry_wanted(told->http_status)) {
        attempt_again(fetcher, slot, retry_after_ms, random, &error);
    } else {
        fetch_fail(fetcher, slot, &error);
    }
}

/* ---- One answer ------------------------------------------------------------------------------ */

static void cell_settle(loam_fetcher *fetcher, fetch_transfer *transfer, uint32_t slot) {
    fetch *of = &fetcher->fetches[slot];
    loam_error error = {0};
    digest found = digest_end(&transfer->stream);
    if (client_cell_check(&transfer->response, &found, &error) != LOAM_OK) {
        of->result.http_status = 200;
        fetch_fail(fetcher, slot, &error);
        return;
    }
    const char *key = loam_client_header(&transfer->response, "Loam-Build-Key");
    const char *location = loam_client_header(&transfer->response, "Content-Location");
    bool kept = client_cell_facts(&transfer->response, &found, &of->facts);
    of->location = kept && location != NULL ? strdup(location) : NULL;
    (void)snprintf(of->result.build_key, sizeof of->result.build_key, "%s", key != NULL ? key : "");
    of->result.bytes = (unsigned char *)buffer_take(&transfer->body, &of->result.size);
    fetch_settle_cell(fetcher, slot, kept);
}

static void lost_settle(loam_fetcher *fetcher, fetch_transfer *transfer, CURLcode code,
                        uint32_t slot) {
    loam_error error = {0};
    loam_status status =
        client_lost(fetcher->client, code, transfer->fault, transfer->body.failed, &error);
    if (status == LOAM_TOO_LARGE || client_is_distrust(code)) {
        fetch_fail(fetcher, slot, &error);
    } else {
        attempt_again(fetcher, slot, 0, transfer->random, &error);
    }
}

static void refusal_settle(loam_fetcher *fetcher, fetch_transfer *transfer, uint32_t slot) {
    const loam_client_response told = {.http_status = transfer->response.http_status,
                                       .body = (unsigned char *)transfer->body.bytes,
                                       .body_size = transfer->body.size};
    fetch_settle_refusal(fetcher, slot, &told, client_retry_after_ms(transfer->curl),
                         transfer->random);
}

/* It is no answer to what was asked. */
static void broken_settle(loam_fetcher *fetcher, uint32_t slot) {
    loam_error error = {0};
    fetcher->fetches[slot].result.http_status = 200;
    (void)loam_fail(&error, LOAM_MALFORMED, NULL, "the answer is not the batch asked for");
    fetch_fail(fetcher, slot, &error);
}

static void unchanged_settle(loam_fetcher *fetcher, uint32_t slot) {
    if (!fetch_disk_read(fetcher, slot)) {
        fetch_again(fetcher, slot, 0);
    }
}

static void slot_settle(loam_fetcher *fetcher, fetch_transfer *transfer, CURLcode code,
                        uint32_t slot) {
    int http_status = transfer->response.http_status;
    bool batch = transfer->slot_count > 1;
    if (batch && transfer->batch.wrong) {
        broken_settle(fetcher, slot);
    } else if (code != CURLE_OK) {
        lost_settle(fetcher, transfer, code, slot);
    } else if (http_status == 200 && batch) { /* it ended before it was whole */
        lost_settle(fetcher, transfer, CURLE_PARTIAL_FILE, slot);
    } else if (http_status == 200) {
        cell_settle(fetcher, transfer, slot);
    } else if (http_status == 202) {
        fetch_settle_building(fetcher, slot, client_retry_after_ms(transfer->curl));
    } else if (http_status == 304 && fetcher->fetches[slot].known) {
        unchanged_settle(fetcher, slot);
    } else {
        refusal_settle(fetcher, transfer, slot);
    }
}

void fetch_settle(loam_fetcher *fetcher, fetch_transfer *transfer, CURLcode code) {
    long http_status = 0;
    (void)curl_easy_getinfo(transfer->curl, CURLINFO_RESPONSE_CODE, &http_status);
    transfer->response.http_status = code == CURLE_OK ? (int)http_status : 0;
    for (uint32_t i = 0; i < transfer->slot_count; i++) {
        if (transfer->slots[i] != FETCH_NONE) {
            slot_settle(fetcher, transfer, code, transfer->slots[i]);
        }
    }
}
