/* SPDX-License-Identifier: MIT
 *
 * fetch_settle.c: what becomes of a fetch when its answer is whole, or when none came. A GET does
 * nothing to the daemon, so that one that was lost is repeated as one that was turned away is.
 */
#include <stdio.h>
#include <string.h>

#include "api/client/fetcher_state.h"

_Static_assert(LOAM_CLIENT_DIGEST_BYTES >= DIGEST_TEXT_BYTES, "a digest fits its text");

/* Repeats what may go better later, until there were enough attempts. */
static void attempt_again(loam_fetcher *fetcher, uint32_t slot, uint32_t retry_after_ms,
                          const loam_error *error) {
    fetch *of = &fetcher->fetches[slot];
    uint64_t delay_ms =
        client_retry_delay_ms(of->attempt, retry_after_ms, client_random(fetcher->client));
    if (of->attempt >= fetcher->client->retries_max || delay_ms > CLIENT_RETRY_LONGEST_MS) {
        fetch_fail(fetcher, slot, error);
        return;
    }
    of->attempt++;
    fetch_again(fetcher, slot, delay_ms);
}

static void lost_settle(loam_fetcher *fetcher, fetch_transfer *transfer, CURLcode code) {
    loam_error error = {0};
    const loam_client *client = fetcher->client;
    if (transfer->body.failed) {
        (void)loam_fail(&error, LOAM_TOO_LARGE, NULL, "the answer is larger than %llu bytes",
                        (unsigned long long)client->body_bytes_max);
        fetch_fail(fetcher, transfer->slot, &error);
        return;
    }
    const char *fault = transfer->fault[0] != '\0' ? transfer->fault : curl_easy_strerror(code);
    (void)loam_fail(&error, LOAM_IO, NULL, "%s does not answer: %s", client_peer(client), fault);
    attempt_again(fetcher, transfer->slot, 0, &error);
}

static void cell_settle(loam_fetcher *fetcher, fetch_transfer *transfer) {
    uint32_t slot = transfer->slot;
    fetch *of = &fetcher->fetches[slot];
    loam_error error = {0};
    digest found = digest_end(&transfer->stream);
    if (client_cell_check(&transfer->response, &found, &error) != LOAM_OK) {
        fetch_fail(fetcher, slot, &error);
        return;
    }
    const char *key = loam_client_header(&transfer->response, "Loam-Build-Key");
    digest_text(&found, of->result.digest);
    (void)snprintf(of->result.build_key, sizeof of->result.build_key, "%s", key != NULL ? key : "");
    of->result.bytes = (unsigned char *)buffer_take(&transfer->body, &of->result.size);
    bool kept = fetcher->client->cache != NULL &&
                client_cell_facts(&transfer->response, &found, &of->facts);
    const char *location = loam_client_header(&transfer->response, "Content-Location");
    of->location = kept && location != NULL ? strdup(location) : NULL;
    fetch_move(fetcher, slot, kept ? FETCH_STORING : FETCH_READY);
}

static void building_settle(loam_fetcher *fetcher, fetch_transfer *transfer) {
    uint32_t slot = transfer->slot;
    uint32_t pause_ms = client_retry_after_ms(transfer->curl);
    loam_error error = {0};
    if (client_now_ms() - fetcher->fetches[slot].asked_ms > FETCH_TOTAL_MS) {
        (void)loam_fail(&error, LOAM_OVERLOADED, NULL, "the cell is still being built");
        fetch_fail(fetcher, slot, &error);
        return;
    }
    fetch_again(fetcher, slot, pause_ms != 0 ? pause_ms : FETCH_PAUSE_MS);
}

static void refusal_settle(loam_fetcher *fetcher, fetch_transfer *transfer) {
    loam_error error = {0};
    transfer->response.body = (unsigned char *)transfer->body.bytes;
    transfer->response.body_size = transfer->body.size;
    (void)client_problem_read(&transfer->response, &error);
    transfer->response.body = NULL;
    if (client_retry_wanted(transfer->response.http_status)) {
        attempt_again(fetcher, transfer->slot, client_retry_after_ms(transfer->curl), &error);
    } else {
        fetch_fail(fetcher, transfer->slot, &error);
    }
}

void fetch_settle(loam_fetcher *fetcher, fetch_transfer *transfer, CURLcode code) {
    long http_status = 0;
    fetch *of = &fetcher->fetches[transfer->slot];
    if (code != CURLE_OK) {
        lost_settle(fetcher, transfer, code);
        return;
    }
    (void)curl_easy_getinfo(transfer->curl, CURLINFO_RESPONSE_CODE, &http_status);
    transfer->response.http_status = (int)http_status;
    of->result.http_status = (int)http_status;
    if (http_status == 200) {
        cell_settle(fetcher, transfer);
    } else if (http_status == 202) {
        building_settle(fetcher, transfer);
    } else if (http_status == 304 && of->known) {
        if (!fetch_disk_read(fetcher, transfer->slot)) {
            fetch_again(fetcher, transfer->slot, 0);
        }
    } else {
        refusal_settle(fetcher, transfer);
    }
}
