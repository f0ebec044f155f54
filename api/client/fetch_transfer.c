/* SPDX-License-Identifier: MIT
 *
 * fetch_transfer.c: requests of a fetcher through libcurl's multi interface, driven by polls alone.
 *
 * What could make a poll wait is kept out of it. The daemon's name is looked up when the fetcher is
 * made and handed to libcurl, so that it starts no resolver; no proxy is asked, whose name it would
 * look up. Bodies come as they are: decoding would take the loop's time, and canonical columns are
 * packed already. When a poll is late, a transfer that has more to give is paused, and goes on
 * first thing in the next. The first https connection reads the system's certificates, which takes
 * tens of milliseconds: it is made when the fetcher is, and libcurl keeps what it read.
 */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/client/fetcher_state.h"
#include "core/base/try.h"

/* A name, a port, some addresses of at most 46 bytes. */
#define ADDRESS_LINE_BYTES 1024
/* A name with more addresses is served by the first ones. */
#define ADDRESSES_MAX 8

/* And no refusal of it. */
static bool answer_is_batch(const fetch_transfer *transfer) {
    long http_status = 0;
    (void)curl_easy_getinfo(transfer->curl, CURLINFO_RESPONSE_CODE, &http_status);
    return http_status == 200;
}

static size_t body_take(char *bytes, size_t item, size_t count, void *context) {
    fetch_transfer *transfer = context;
    loam_fetcher *fetcher = transfer->fetcher;
    size_t size = item * count;
    if (fetcher->taken && fetcher_is_late(fetcher)) {
        transfer->paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    fetcher->taken = true;
    if (transfer->slot_count > 1 && answer_is_batch(transfer)) {
        return fetch_batch_take(transfer, bytes, size) ? size : CURL_WRITEFUNC_ERROR;
    }
    buffer_add(&transfer->body, bytes, size);
    digest_update(&transfer->stream, bytes, size);
    return transfer->body.failed ? CURL_WRITEFUNC_ERROR : size;
}

static size_t head_take(char *bytes, size_t item, size_t count, void *context) {
    fetch_transfer *transfer = context;
    return client_response_take(&transfer->response, bytes, item * count) ? item * count : 0;
}

/* ---- Sending --------------------------------------------------------------------------------- */

static bool tag_prepare(fetch_transfer *transfer, const fetch *of) {
    char id[DIGEST_TEXT_BYTES];
    char tag[DIGEST_TEXT_BYTES + 2];
    if (transfer->slot_count > 1 || !of->known) {
        return true;
    }
    digest_text(&of->facts.id, id);
    (void)snprintf(tag, sizeof tag, "\"%s\"", id);
    return client_header_append(&transfer->headers, "If-None-Match", "", tag);
}

static bool headers_prepare(fetch_transfer *transfer, const fetch *of) {
    const loam_client *client = transfer->fetcher->client;
    struct curl_slist **headers = &transfer->headers;
    bool batch = transfer->slot_count > 1;
    const char *media_type = batch ? batch_media_type : client_cell_type;
    char prefer[32];
    (void)snprintf(prefer, sizeof prefer, "wait=%u", client_wait_s(client, FETCH_WAIT_S));
    bool done = client_header_append(headers, "Accept", "", media_type) &&
                client_header_append(headers, "Prefer", "", prefer) &&
                (!batch || client_header_append(headers, "Content-Type", "", "application/json"));
    if (client->token != NULL) {
        done = done && client_header_append(headers, "Authorization", "Bearer ", client->token);
    }
    return done && tag_prepare(transfer, of);
}

static void options_prepare(fetch_transfer *transfer, const char *url) {
    loam_fetcher *fetcher = transfer->fetcher;
    CURL *curl = transfer->curl;
    curl_easy_reset(curl);
    client_easy_prepare(fetcher->client, curl);
    (void)curl_easy_setopt(curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, transfer->headers);
    (void)curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    (void)curl_easy_setopt(curl, CURLOPT_PROXY, "");
    (void)curl_easy_setopt(curl, CURLOPT_RESOLVE, fetcher->addresses);
    (void)curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)FETCH_CONNECT_MS);
    (void)curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, transfer->fault);
    (void)curl_easy_setopt(curl, CURLOPT_PRIVATE, transfer);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, body_take);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, transfer);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, head_take);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERDATA, transfer);
}

static fetch_transfer *transfer_idle(const loam_fetcher *fetcher) {
    for (uint32_t i = 0; i < fetcher->in_flight_max; i++) {
        if (fetcher->transfers[i].slot_count == 0) {
            return &fetcher->transfers[i];
        }
    }
    return NULL;
}

static bool path_prepare(fetch_transfer *transfer, const fetch *of, char *path, size_t capacity) {
    return transfer->slot_count > 1 ? fetch_batch_prepare(transfer, path, capacity)
                                    : client_cell_path(&of->cell, path, capacity);
}

static void body_prepare(fetch_transfer *transfer) {
    if (transfer->slot_count > 1) {
        (void)curl_easy_setopt(transfer->curl, CURLOPT_POSTFIELDSIZE_LARGE,
                               (curl_off_t)transfer->request.size);
        (void)curl_easy_setopt(transfer->curl, CURLOPT_POSTFIELDS, transfer->request.bytes);
    }
}

static bool transfer_begin(loam_fetcher *fetcher, fetch_transfer *transfer, const fetch *of) {
    char path[CLIENT_PATH_BYTES];
    text_buffer url;
    buffer_init(&url, CLIENT_LINE_BYTES_MAX);
    buffer_add_text(&url, fetcher->client->base_url);
    buffer_add_text(&url, path_prepare(transfer, of, path, sizeof path) ? path : "");
    buffer_add_text(&url, of->cell.cached_only ? "?cached=only" : "");
    buffer_add(&url, "", 1);
    bool done = !url.failed && !transfer->request.failed && headers_prepare(transfer, of);
    if (done) {
        options_prepare(transfer, url.bytes);
        body_prepare(transfer);
        done = curl_multi_add_handle(fetcher->multi, transfer->curl) == CURLM_OK;
    }
    buffer_fini(&url);
    return done;
}

static void transfer_end(fetch_transfer *transfer) {
    (void)curl_multi_remove_handle(transfer->fetcher->multi, transfer->curl);
    curl_slist_free_all(transfer->headers);
    transfer->headers = NULL;
    transfer->paused = false;
    transfer->fetcher->in_flight -= transfer->slot_count > 0;
    transfer->slot_count = 0;
    loam_client_response_fini(&transfer->response);
    buffer_fini(&transfer->request);
    buffer_fini(&transfer->body);
}

/* Takes an idle one for these. */
static fetch_transfer *transfer_take(loam_fetcher *fetcher, const uint32_t *slots, uint32_t count) {
    fetch_transfer *transfer = transfer_idle(fetcher);
    memcpy(transfer->slots, slots, count * sizeof *slots);
    transfer->slot_count = count;
    transfer->random = client_random(fetcher->client);
    transfer->fault[0] = '\0';
    buffer_init(&transfer->request, BATCH_REQUEST_BYTES_MAX);
    buffer_init(&transfer->body, (size_t)fetcher->client->body_bytes_max);
    digest_begin(&transfer->stream);
    fetcher->in_flight++;
    return transfer;
}

void fetch_send(loam_fetcher *fetcher, const uint32_t *slots, uint32_t count) {
    fetch_transfer *transfer = transfer_take(fetcher, slots, count);
    bool begun = transfer_begin(fetcher, transfer, &fetcher->fetches[slots[0]]);
    loam_error error = {0};
    (void)loam_fail(&error, LOAM_ARENA_FULL, NULL, "no memory for the request");
    for (uint32_t i = 0; i < count; i++) {
        fetcher->fetches[slots[i]].transfer = (uint32_t)(transfer - fetcher->transfers);
        if (begun) {
            fetch_move(fetcher, slots[i], FETCH_SENT);
        } else {
            fetch_fail(fetcher, slots[i], &error);
        }
    }
    if (!begun) {
        transfer_end(transfer);
    }
}

/* Others of a batch want the rest of it. */
void fetch_transfer_drop(loam_fetcher *fetcher, uint32_t slot) {
    fetch_transfer *transfer = &fetcher->transfers[fetcher->fetches[slot].transfer];
    bool wanted = false;
    for (uint32_t i = 0; i < transfer->slot_count; i++) {
        transfer->slots[i] = transfer->slots[i] != slot ? transfer->slots[i] : FETCH_NONE;
        wanted = wanted || transfer->slots[i] != FETCH_NONE;
    }
    if (!wanted) {
        transfer_end(transfer);
    }
}

/* ---- Taking ---------------------------------------------------------------------------------- */

static void transfers_resume(loam_fetcher *fetcher) {
    for (uint32_t i = 0; i < fetcher->in_flight_max; i++) {
        fetch_transfer *transfer = &fetcher->transfers[i];
        if (transfer->paused) {
            transfer->paused = false;
            (void)curl_easy_pause(transfer->curl, CURLPAUSE_CONT);
        }
    }
}

/* Several that end in one poll are all settled: the bytes are there and hashed already. */
static void transfers_settle(loam_fetcher *fetcher) {
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(fetcher->multi, &left)) != NULL) {
        char *private = NULL;
        if (message->msg != CURLMSG_DONE) {
            continue;
        }
        CURLcode code = message->data.result;
        (void)curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
        fetch_transfer *transfer = (fetch_transfer *)(void *)private;
        fetch_settle(fetcher, transfer, code);
        transfer_end(transfer);
    }
}

void fetch_network_work(loam_fetcher *fetcher) {
    int running = 0;
    if (fetcher->in_flight == 0) {
        return;
    }
    transfers_resume(fetcher);
    (void)curl_multi_perform(fetcher->multi, &running);
    transfers_settle(fetcher);
}

/* ---- Opening --------------------------------------------------------------------------------- */

static void addresses_print(const struct addrinfo *list, char *line) {
    char host[NI_MAXHOST];
    size_t used = strlen(line);
    for (int i = 0; list != NULL && i < ADDRESSES_MAX; list = list->ai_next, i++) {
        if (getnameinfo(list->ai_addr, list->ai_addrlen, host, sizeof host, NULL, 0,
                        NI_NUMERICHOST) == 0 &&
            used + strlen(host) + 2 < ADDRESS_LINE_BYTES) {
            used += (size_t)snprintf(line + used, ADDRESS_LINE_BYTES - used, "%s%s",
                                     i > 0 ? "," : "", host);
        }
    }
}

/* A number needs no looking up, and libcurl knows localhost by itself. */
static bool host_is_plain(const char *host) {
    return host[0] == '[' || strspn(host, "0123456789.") == strlen(host) ||
           strcasecmp(host, "localhost") == 0;
}

static loam_status host_resolve(loam_fetcher *fetcher, const char *host, const char *port,
                                loam_error *error) {
    char line[ADDRESS_LINE_BYTES];
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    if (host_is_plain(host)) {
        return LOAM_OK;
    }
    int fault = getaddrinfo(host, port, &hints, &list);
    if (fault != 0) {
        return loam_fail(error, LOAM_IO, NULL, "%s has no address: %s", host, gai_strerror(fault));
    }
    (void)snprintf(line, sizeof line, "%.255s:%.5s:", host, port);
    addresses_print(list, line);
    freeaddrinfo(list);
    fetcher->addresses = curl_slist_append(NULL, line);
    return fetcher->addresses != NULL
               ? LOAM_OK
               : loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for an address");
}

static loam_status url_resolve(loam_fetcher *fetcher, loam_error *error) {
    const char *base = fetcher->client->base_url;
    char *host = NULL;
    char *port = NULL;
    CURLU *url = curl_url();
    bool parsed = url != NULL && curl_url_set(url, CURLUPART_URL, base, 0) == CURLUE_OK &&
                  curl_url_get(url, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
                  curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK;
    loam_status status = parsed
                             ? host_resolve(fetcher, host, port, error)
                             : loam_fail(error, LOAM_MALFORMED, NULL, "'%s' is no address", base);
    curl_free(host);
    curl_free(port);
    curl_url_cleanup(url);
    return status;
}

/* Whether anybody answers does not matter: the daemon may come later. */
static void https_greet(loam_fetcher *fetcher) {
    char url[CLIENT_PATH_BYTES];
    int running = 0;
    uint64_t until_ms = client_now_ms() + FETCH_CONNECT_MS;
    if (strncasecmp(fetcher->client->base_url, "https:", 6) != 0) {
        return;
    }
    fetch_transfer *transfer = &fetcher->transfers[0];
    (void)snprintf(url, sizeof url, "%s/healthz/live", fetcher->client->base_url);
    options_prepare(transfer, url);
    buffer_init(&transfer->body, CLIENT_LINE_BYTES_MAX);
    digest_begin(&transfer->stream);
    fetcher->deadline_us = UINT64_MAX;
    if (curl_multi_add_handle(fetcher->multi, transfer->curl) == CURLM_OK) {
        do {
            (void)curl_multi_perform(fetcher->multi, &running);
            (void)curl_multi_poll(fetcher->multi, NULL, 0, running > 0 ? 50 : 0, NULL);
        } while (running > 0 && client_now_ms() < until_ms);
    }
    transfer_end(transfer);
}

loam_status fetch_network_open(loam_fetcher *fetcher, loam_error *error) {
    fetcher->multi = curl_multi_init();
    bool done = fetcher->multi != NULL;
    for (uint32_t i = 0; i < fetcher->in_flight_max; i++) {
        fetch_transfer *transfer = &fetcher->transfers[i];
        transfer->fetcher = fetcher;
        transfer->curl = curl_easy_init();
        done = done && transfer->curl != NULL;
    }
    if (!done) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for a fetcher");
    }
    (void)curl_multi_setopt(fetcher->multi, CURLMOPT_MAXCONNECTS, (long)fetcher->in_flight_max);
    LOAM_TRY(url_resolve(fetcher, error));
    https_greet(fetcher);
    return LOAM_OK;
}

void fetch_network_close(loam_fetcher *fetcher) {
    for (uint32_t i = 0; fetcher->transfers != NULL && i < fetcher->in_flight_max; i++) {
        if (fetcher->transfers[i].slot_count > 0) { /* all its cells came, its end did not */
            transfer_end(&fetcher->transfers[i]);
        }
        curl_easy_cleanup(fetcher->transfers[i].curl);
    }
    (void)curl_multi_cleanup(fetcher->multi);
    curl_slist_free_all(fetcher->addresses);
}
