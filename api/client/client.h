/* SPDX-License-Identifier: MIT
 *
 * client.h: what the files of this room share: the client itself, one exchange without repeats, and
 * the rules for repeating one.
 */
#ifndef API_CLIENT_CLIENT_H
#define API_CLIENT_CLIENT_H

#include <curl/curl.h>

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
    char *base_url; /* no slash at its end; owned */
    char *token;    /* or NULL; owned */
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

/* Sends once. LOAM_IO when no answer came; LOAM_OK for every answer. */
LOAM_MUST_USE loam_status client_exchange(loam_client *client, const loam_client_request *request,
                                          loam_client_response *response, client_hint *hint,
                                          loam_error *error);

/* Whether an answer means "later", and how long to wait before attempt + 1: the Retry-After or the
 * doubling delay, whichever is longer, and up to a quarter of it more by `random`. */
bool client_retry_wanted(int http_status);
uint64_t client_retry_delay_ms(uint32_t attempt, uint32_t retry_after_ms, uint64_t random);
void client_sleep_ms(uint64_t ms);
/* Milliseconds of a clock that only goes forward. */
uint64_t client_now_ms(void);

/* Turns the body of a refusal into an error and returns its status. */
loam_status client_problem_read(const loam_client_response *response, loam_error *error);

/* Appends "?name=value&..." with everything encoded. */
void client_query_append(text_buffer *url, const loam_client_field *query, size_t count);

#endif
