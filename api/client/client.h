/* SPDX-License-Identifier: MIT
 *
 * client.h: what the files of this room share: the client itself, one exchange without repeats, and
 * the rules for repeating one.
 */
#ifndef API_CLIENT_CLIENT_H
#define API_CLIENT_CLIENT_H

#include <curl/curl.h>

#include "api/client/disk_cache.h"
#include "api/client/loam_client.h"
#include "api/wire/text_buffer.h"

/* Long enough for a wait of 30 s and the transfer of a large cell after it. */
#define CLIENT_TIMEOUT_MS 60000
/* With doubling delays six repeats span about half a minute. */
#define CLIENT_RETRIES_MAX 6
/* More than any cell (32 M candidates never all survive) and small enough to refuse a runaway. */
#define CLIENT_BODY_BYTES_MAX ((uint64_t)1 << 30)
/* First delay before a repeat, and the longest one that is waited out. */
#define CLIENT_RETRY_FIRST_MS 100
#define CLIENT_RETRY_LONGEST_MS 60000
/* Names and numbers of an address: every segment of ours is far shorter. */
#define CLIENT_PATH_BYTES 2048
/* One address or header line that is sent. */
#define CLIENT_LINE_BYTES_MAX 65536

struct loam_client {
    CURL *curl;
    char *base_url;    /* no slash at its end; owned */
    char *socket_path; /* of a unix socket, beside which base_url only names the host; or NULL;
                          owned */
    char *token;       /* or NULL; owned */
    char *ca_file;     /* or NULL; owned */
    disk_cache *cache; /* or NULL; owned */
    uint32_t timeout_ms;
    uint32_t retries_max;
    uint64_t body_bytes_max;
    uint64_t random; /* for jitter only */
    char fault[CURL_ERROR_SIZE];
};

/* What an exchange says about repeating it. */
typedef struct client_hint {
    uint32_t retry_after_ms; /* 0 when the answer has no Retry-After */
} client_hint;

/* Whom the client asks, as messages say it. */
const char *client_peer(const loam_client *client);

/* Options that every exchange of a client has. */
void client_easy_prepare(const loam_client *client, CURL *curl);
/* Appends "name: prefix value" to a list of headers; false when memory is short. */
LOAM_MUST_USE bool client_header_append(struct curl_slist **headers, const char *name,
                                        const char *prefix, const char *value);

/* Takes a line of an answer's head; a status line begins the fields anew, since an interim answer
 * (100) may have come before. False when memory is short. */
LOAM_MUST_USE bool client_response_take(loam_client_response *response, const char *line,
                                        size_t size);
/* The Retry-After of an answer that has come, 0 without one. */
uint32_t client_retry_after_ms(CURL *curl);

/* Why no answer came: LOAM_IO, or LOAM_TOO_LARGE when `full`. */
loam_status client_lost(const loam_client *client, CURLcode code, const char *fault, bool full,
                        loam_error *error);
/* Whether that was for a certificate, which will be the same the next time. */
bool client_is_distrust(CURLcode code);

/* Sends once. LOAM_IO when no answer came; LOAM_OK for every answer. */
LOAM_MUST_USE loam_status client_exchange(loam_client *client, const loam_client_request *request,
                                          loam_client_response *response, client_hint *hint,
                                          loam_error *error);

/* Whether an answer means "later", and how long to wait before attempt + 1: the Retry-After or the
 * doubling delay, whichever is longer, and up to a quarter of it more by `random`. */
bool client_retry_wanted(int http_status);
uint64_t client_retry_delay_ms(uint32_t attempt, uint32_t retry_after_ms, uint64_t random);
void client_sleep_ms(uint64_t ms);
/* How long to ask the daemon to wait: an exchange that times out meanwhile would look like a daemon
 * that is not there. */
uint32_t client_wait_s(const loam_client *client, uint32_t most_s);
/* Milliseconds of a clock that only goes forward. */
uint64_t client_now_ms(void);

uint64_t client_now_us(void);
/* A small generator: jitter must only differ between clients. */
uint64_t client_random(loam_client *client);

/* ---- Cells (client_cell.c) ------------------------------------------------------------------ */

extern const char client_cell_type[];

/* The path of a cell, and what it is called in the disk cache: a revision's cell means the same
 * bytes forever and from every daemon, the newest one is asked for again. False: too long. */
LOAM_MUST_USE bool client_cell_path(const loam_client_cell *cell, char *path, size_t capacity);
LOAM_MUST_USE bool client_cell_address(const loam_client *client, const loam_client_cell *cell,
                                       char *address, size_t capacity);
/* Whether what came (`found` is the digest of its bytes) is what was announced. */
LOAM_MUST_USE loam_status client_cell_check(const loam_client_response *response,
                                            const digest *found, loam_error *error);
/* What the disk cache should know of an answer that was checked; false: nothing. */
bool client_cell_facts(const loam_client_response *response, const digest *found, disk_cell *facts);
/* Keeps at which addresses the cell stands: the one asked for, and its revision's own, which is in
 * `location` (a Content-Location, or NULL). */
void client_cell_note(loam_client *client, const loam_client_cell *cell, const char *location,
                      const disk_cell *facts);

/* Turns the body of a refusal into an error and returns its status. */
loam_status client_problem_read(const loam_client_response *response, loam_error *error);

/* Appends "?name=value&..." with everything encoded. */
void client_query_append(text_buffer *url, const loam_client_field *query, size_t count);

#endif
