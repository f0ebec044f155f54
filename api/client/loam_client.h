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

typedef struct loam_client loam_client;

/* Where the daemon is and how patient to be. Zero is default. */
typedef struct loam_client_options {
    const char *base_url;    /* "http://127.0.0.1:7373" when NULL; copied */
    const char *token;       /* sent as a bearer token when not NULL; copied */
    uint32_t timeout_ms;     /* of one exchange; 60 s. A wait asked of the daemon counts */
    uint32_t retries_max;    /* after 503 or 429; 6. LOAM_CLIENT_NO_RETRY for none */
    uint64_t body_bytes_max; /* of an answer, decoded; 1 GiB */
} loam_client_options;

#define LOAM_CLIENT_NO_RETRY UINT32_MAX

/* Owned by the caller: end with loam_client_destroy. NULL, with `error` filled in, when the address
 * is no http address or memory is short. Nothing is sent yet. */
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
 * Loam-Build-Key, Loam-Digest, ETag, Cache-Status, Content-Location. */
LOAM_MUST_USE loam_status loam_client_cell_get(loam_client *client, const loam_client_cell *cell,
                                               loam_client_response *response, loam_error *error);

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

#ifdef __cplusplus
}
#endif

#endif
