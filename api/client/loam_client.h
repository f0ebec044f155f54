/* SPDX-License-Identifier: MIT
 *
 * loam_client.h: talks to a loamd over HTTP. One client serves one thread at a time; it keeps its
 * connection open between requests, repeats a request that was turned away for load (503, 429) and
 * checks what it fetches: the bytes of a cell must hash to the digest they are announced with.
 *
 * A problem document of the daemon becomes a loam_error: its code as status, its pointer, its
 * detail. `http_status` of the response tells the three outcomes apart: 0 when no answer came at
 * all, 400 and above when the daemon said no, anything else when it said yes.
 */
#ifndef LOAM_CLIENT_H
#define LOAM_CLIENT_H

#include "core/loam.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What stands here is all that the library shows. */
#pragma GCC visibility push(default)

typedef struct loam_client loam_client;

/* Where the daemon is and how patient to be. Zero is default. */
typedef struct loam_client_options {
    /* "http://HOST:PORT", "https://...", or "unix:/PATH" of a unix socket; copied. When NULL
     * "http://127.0.0.1:7373" */
    const char *base_url;
    const char *token;   /* sent as a bearer token when not NULL; copied */
    uint32_t timeout_ms; /* of one exchange; 60 s. The daemon is asked to wait half of it at most */
    uint32_t retries_max;    /* after 503 or 429; 6. LOAM_CLIENT_NO_RETRY for none */
    uint64_t body_bytes_max; /* of an answer, decoded; 1 GiB */
    /* Certificates to believe an https daemon by; the system's. Copied. Another daemon, or one that
     * they do not vouch for, is LOAM_IO and is not asked again. */
    const char *ca_file;
    /* Cells that came are kept there by digest, for as many processes as name the same folder, and
     * checked when they are read. NULL keeps none. Copied; made when missing, its parent is not. */
    const char *cache_folder;
    uint64_t cache_bytes_max; /* of the folder; 1 GiB. At least 64 MiB */
} loam_client_options;

#define LOAM_CLIENT_NO_RETRY UINT32_MAX

/* Owned by the caller: end with loam_client_destroy. NULL, with `error` filled in, when the address
 * is none of these or memory is short. Nothing is sent yet. */
LOAM_MUST_USE loam_client *loam_client_create(const loam_client_options *options,
                                              loam_error *error);
void loam_client_destroy(loam_client *client);

/* A header or a query parameter; both texts terminated. */
typedef struct loam_client_field {
    const char *name;
    const char *value;
} loam_client_field;

/* All that is sent; borrowed until loam_client_send returns. Query values are encoded by the
 * client; the path is sent as it stands (loam_client_path_append builds one from free text). */
typedef struct loam_client_request {
    const char *method; /* "GET" when NULL */
    const char *path;   /* begins with '/' */
    const loam_client_field *query;
    size_t query_count;
    const loam_client_field *headers;
    size_t header_count;
    const char *content_type; /* of the body */
    const void *body;
    size_t body_size;
    const char *body_file; /* sent instead of `body` when not NULL */
} loam_client_request;

/* What came back. Memory is owned by the response until loam_client_response_fini. */
typedef struct loam_client_response {
    int http_status;
    unsigned char *body; /* decoded from its content coding; terminated by a 0 beyond body_size */
    size_t body_size;
    loam_client_field *fields;
    size_t field_count;
} loam_client_response;

/* Sends and reads the whole answer. LOAM_OK for an answer below 400; for any other the status of
 * its problem document (the nearest one by HTTP status when it carries none), with pointer and
 * detail in `error`. LOAM_IO when no answer came: then http_status is 0. The response must be
 * given back in every case. */
LOAM_MUST_USE loam_status loam_client_send(loam_client *client, const loam_client_request *request,
                                           loam_client_response *response, loam_error *error);
/* Value of the first header of that name, case ignored; NULL when there is none. Borrowed. */
const char *loam_client_header(const loam_client_response *response, const char *name);
/* Zeroes the response as well, so that it can be used again. */
void loam_client_response_fini(loam_client_response *response);

/* Appends '/' and the percent-encoded segment to a terminated path; false when it does not fit. */
LOAM_MUST_USE bool loam_client_path_append(char *path, size_t capacity, const char *segment);

/* One cell of the newest revision of a world, or of the one named. */
typedef struct loam_client_cell {
    const char *world;
    const char *revision; /* NULL: the newest */
    const char *output;
    int64_t x;
    int64_t z;
    uint32_t level;
    bool cached_only;
    const char *accept; /* canonical bytes when NULL */
} loam_client_cell;

/* Fetches a cell and waits while the daemon builds it. Canonical bytes are hashed and compared with
 * the digest they are announced with: LOAM_DAMAGED when they differ. Headers of the response:
 * Loam-Build-Key, Loam-Digest, ETag, Cache-Status, Content-Location.
 *
 * With a cache, a cell of a named revision that is in it is not asked for at all; one of the newest
 * revision is asked for by its digest. What came from the cache has Cache-Status "loam-client; hit"
 * and no Content-Location. */
LOAM_MUST_USE loam_status loam_client_cell_get(loam_client *client, const loam_client_cell *cell,
                                               loam_client_response *response, loam_error *error);

/* Canonical bytes as columns. Zero is empty; memory is owned until loam_client_columns_fini. */
typedef struct loam_client_columns {
    loam_points points;
    void *memory;
} loam_client_columns;

/* Decodes and checks the canonical bytes of a cell. Columns have memory of their own, texts are
 * borrowed from `bytes`. Pure: it may run on another thread, and takes time by the size. */
LOAM_MUST_USE loam_status loam_client_columns_read(const void *bytes, size_t size,
                                                   loam_client_columns *columns, loam_error *error);
void loam_client_columns_fini(loam_client_columns *columns);

/* ---- Many cells in one answer --------------------------------------------------------------- */

/* Cells of a batch: a square of 16, the surroundings of a player. */
#define LOAM_CLIENT_BATCH_MAX 256

typedef struct loam_client_place {
    int64_t x;
    int64_t z;
    uint32_t level;
} loam_client_place;

typedef struct loam_client_batch {
    const char *world; /* its newest revision */
    const char *output;
    const loam_client_place *places;
    size_t place_count;
} loam_client_batch;

/* What came of one place. `bytes` are borrowed from the batch's memory; NULL unless `http_status`
 * is 200: 202 is not built yet (ask again), 413 did not fit (ask for it alone), other ones as a GET
 * of the cell would say, with `error`. */
typedef struct loam_client_batch_cell {
    int http_status;
    const unsigned char *bytes;
    size_t size;
    bool cached; /* from this machine's disk */
    loam_error error;
} loam_client_batch_cell;

typedef struct loam_client_batch_result {
    loam_client_batch_cell *cells; /* place_count, in the order of the places */
    size_t cell_count;
    loam_client_response response; /* what the bytes are borrowed from */
    unsigned char **kept;          /* or these */
} loam_client_batch_result;

/* Fetches cells by one request; with a cache, the daemon sends only those that are not in it, and
 * what is new is kept. Every cell is checked against its digest: one that differs has the status
 * LOAM_DAMAGED and no bytes. LOAM_OK when the batch itself was answered. The result must be given
 * back in every case. */
LOAM_MUST_USE loam_status loam_client_batch_get(loam_client *client, const loam_client_batch *batch,
                                                loam_client_batch_result *result,
                                                loam_error *error);
void loam_client_batch_result_fini(loam_client_batch_result *result);

/* ---- Jobs ----------------------------------------------------------------------------------- */

#define LOAM_CLIENT_ID_BYTES 128

typedef enum loam_client_job_state {
    LOAM_CLIENT_JOB_QUEUED,
    LOAM_CLIENT_JOB_RUNNING,
    LOAM_CLIENT_JOB_PAUSED,
    LOAM_CLIENT_JOB_SUCCEEDED,
    LOAM_CLIENT_JOB_FAILED,
    LOAM_CLIENT_JOB_CANCELLED,
} loam_client_job_state;

/* Where a job stands. A plain value. */
typedef struct loam_client_job {
    char id[LOAM_CLIENT_ID_BYTES];
    loam_client_job_state state;
    uint64_t total;
    uint64_t done; /* cached ones included */
    uint64_t cached;
    uint64_t failed;
    double rate_per_s; /* 0 when not known yet */
    double eta_s;
} loam_client_job;

/* "queued", "running", ... */
const char *loam_client_job_state_name(loam_client_job_state state);
bool loam_client_job_ended(const loam_client_job *job);

/* Submits a job document (JSON) and reads the job that the daemon made or had. The response keeps
 * the daemon's own document. */
LOAM_MUST_USE loam_status loam_client_job_submit(loam_client *client, const char *document,
                                                 loam_client_job *job,
                                                 loam_client_response *response, loam_error *error);
/* Reads a job. */
LOAM_MUST_USE loam_status loam_client_job_get(loam_client *client, const char *id,
                                              loam_client_job *job, loam_client_response *response,
                                              loam_error *error);

/* Called at every change that the client sees; returning false ends the wait (the job goes on). */
typedef bool (*loam_client_progress)(void *context, const loam_client_job *job);

/* Waits until the job has ended (LOAM_OK, whatever its end), `progress` ended the wait
 * (LOAM_CANCELLED), or asking failed. A daemon that is restarted meanwhile is asked again for
 * half a minute. `progress` may be NULL. */
LOAM_MUST_USE loam_status loam_client_job_wait(loam_client *client, const char *id,
                                               loam_client_progress progress, void *context,
                                               loam_client_job *job, loam_client_response *response,
                                               loam_error *error);

/* ---- Cells for a loop that must not wait ----------------------------------------------------- */

/* A fetcher brings cells without blocking and without threads of its own: a game asks, polls once a
 * frame, and takes what has come. Poll stops working after its budget of time and goes on at the
 * next: reading, hashing and writing to disk are done in pieces. Names of hosts are looked up when
 * the fetcher is made, and an https daemon is greeted then, so that no frame waits for either: when
 * a daemon has moved to another address, every fetch is LOAM_IO until the fetcher is made anew.
 *
 * What is asked is bounded, what is in flight is bounded, the most urgent goes first. A fetch that
 * meets a daemon that is busy, restarting or still building is repeated, like a client's own. One
 * fetcher serves one thread at a time. */
typedef struct loam_fetcher loam_fetcher;

/* Zero is default. */
typedef struct loam_fetcher_options {
    loam_client_options client; /* where the daemon is, the cache, how patient to be */
    uint32_t in_flight_max;     /* requests at one time; 8, at most 64 */
    uint32_t asked_max;         /* cells asked for and not yet taken; 1,024, at most 16,384 */
    uint32_t poll_us;           /* budget of one poll; 500 */
    /* Cells of one request; 1, at most LOAM_CLIENT_BATCH_MAX. What waits when its turn comes and is
     * of the same output of the same world goes together, the most urgent first; cells of a named
     * revision and `cached_only` ones go alone, as does what did not fit. Nothing else changes:
     * each cell is verified, kept, told of and cancelled by itself. The daemon answers a batch
     * when all of it is built or 2 s are over, so large ones suit what is far ahead of a player; a
     * token needs the scope generate for it. */
    uint32_t batch_max;
} loam_fetcher_options;

/* Owned: end with loam_fetcher_destroy. NULL with an error, as loam_client_create. This may take
 * its time, up to seconds when the daemon's name does not resolve. */
LOAM_MUST_USE loam_fetcher *loam_fetcher_create(const loam_fetcher_options *options,
                                                loam_error *error);
/* Drops whatever is under way. */
void loam_fetcher_destroy(loam_fetcher *fetcher);

/* Names a fetch; never 0, never the same twice. */
typedef uint64_t loam_fetch_id;

/* Asks for the canonical bytes of a cell (`accept` is not looked at). Lower priorities go first,
 * among equals who asked first. `user` comes back with the result. Texts are copied.
 * LOAM_OVERLOADED when `asked_max` are asked for. */
LOAM_MUST_USE loam_status loam_fetcher_ask(loam_fetcher *fetcher, const loam_client_cell *cell,
                                           int32_t priority, void *user, loam_fetch_id *id,
                                           loam_error *error);
/* False when there is no such fetch any more, or it is past waiting. */
bool loam_fetcher_prioritise(loam_fetcher *fetcher, loam_fetch_id id, int32_t priority);
/* Forgets a fetch, wherever it is: it gives no result. False when there is no such fetch. */
bool loam_fetcher_cancel(loam_fetcher *fetcher, loam_fetch_id id);

/* Works for at most about `poll_us` and returns how many results wait to be taken. */
uint32_t loam_fetcher_poll(loam_fetcher *fetcher);
/* The same for who has nothing else to do: waits up to `timeout_ms` for something to happen. */
uint32_t loam_fetcher_wait(loam_fetcher *fetcher, uint32_t timeout_ms);
/* Asked for and not yet taken, results included. */
uint32_t loam_fetcher_count(const loam_fetcher *fetcher);

/* "sha256-" and 64 hex digits, terminated. */
#define LOAM_CLIENT_DIGEST_BYTES 72

/* What came of a fetch. Bytes are owned until loam_fetch_result_fini. */
typedef struct loam_fetch_result {
    loam_fetch_id id;
    void *user;
    int http_status;      /* 200; 0 when no answer came; else what the daemon said */
    loam_error error;     /* its status is LOAM_OK for a cell */
    unsigned char *bytes; /* verified; NULL unless it is a cell */
    size_t size;
    bool cached;                              /* from this machine's disk */
    char digest[LOAM_CLIENT_DIGEST_BYTES];    /* of a cell, as Loam-Digest says it */
    char build_key[LOAM_CLIENT_DIGEST_BYTES]; /* of a cell; empty when the daemon did not say */
} loam_fetch_result;

/* Takes the next result; false when there is none. */
bool loam_fetcher_take(loam_fetcher *fetcher, loam_fetch_result *result);
void loam_fetch_result_fini(loam_fetch_result *result);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
