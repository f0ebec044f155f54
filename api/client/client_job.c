/* SPDX-License-Identifier: MIT
 *
 * client_job.c: submits jobs, reads them and waits for their end. Waiting asks the daemon to answer
 * at the next change, so progress costs a request per change and no polling of a quiet job.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "api/client/client.h"
#include "core/base/try.h"

/* How long the daemon may hold back an answer while nothing changes. */
#define JOB_WAIT_S 20
/* At most ten changes a second are seen: nobody reads faster. */
#define JOB_PAUSE_MS 100
/* A daemon that restarts is given so long to come back. */
#define JOB_ABSENCE_MS 30000

typedef struct job_state_name {
    const char *name;
    loam_client_job_state state;
} job_state_name;

static const job_state_name job_states[] = {
    {"queued", LOAM_CLIENT_JOB_QUEUED}, {"running", LOAM_CLIENT_JOB_RUNNING},
    {"paused", LOAM_CLIENT_JOB_PAUSED}, {"succeeded", LOAM_CLIENT_JOB_SUCCEEDED},
    {"failed", LOAM_CLIENT_JOB_FAILED}, {"cancelled", LOAM_CLIENT_JOB_CANCELLED},
};

#define JOB_STATE_COUNT (sizeof job_states / sizeof job_states[0])

const char *loam_client_job_state_name(loam_client_job_state state) {
    for (size_t i = 0; i < JOB_STATE_COUNT; i++) {
        if (job_states[i].state == state) {
            return job_states[i].name;
        }
    }
    return "unknown";
}

bool loam_client_job_ended(const loam_client_job *job) {
    return job->state == LOAM_CLIENT_JOB_SUCCEEDED || job->state == LOAM_CLIENT_JOB_FAILED ||
           job->state == LOAM_CLIENT_JOB_CANCELLED;
}

static uint64_t member_count(const json_t *document, const char *key) {
    json_int_t value = json_integer_value(json_object_get(document, key));
    return value > 0 ? (uint64_t)value : 0;
}

static bool state_find(const char *name, loam_client_job_state *state) {
    for (size_t i = 0; name != NULL && i < JOB_STATE_COUNT; i++) {
        if (strcmp(job_states[i].name, name) == 0) {
            *state = job_states[i].state;
            return true;
        }
    }
    return false;
}

static bool job_read_members(const json_t *document, loam_client_job *job) {
    const char *id = json_string_value(json_object_get(document, "id"));
    const char *state = json_string_value(json_object_get(document, "state"));
    memset(job, 0, sizeof *job);
    if (id == NULL || strlen(id) >= sizeof job->id || !state_find(state, &job->state)) {
        return false;
    }
    (void)snprintf(job->id, sizeof job->id, "%s", id);
    job->total = member_count(document, "total");
    job->done = member_count(document, "done");
    job->cached = member_count(document, "cached");
    job->failed = member_count(document, "failed");
    job->rate_per_s = json_number_value(json_object_get(document, "rate_per_s"));
    job->eta_s = json_number_value(json_object_get(document, "eta_s"));
    return true;
}

static loam_status job_read(const loam_client_response *response, loam_client_job *job,
                            loam_error *error) {
    json_t *document = json_loadb((const char *)response->body, response->body_size, 0, NULL);
    bool read = document != NULL && job_read_members(document, job);
    json_decref(document);
    return read ? LOAM_OK : loam_fail(error, LOAM_MALFORMED, NULL, "the answer is no job document");
}

loam_status loam_client_job_submit(loam_client *client, const char *document, loam_client_job *job,
                                   loam_client_response *response, loam_error *error) {
    loam_client_request request = {.method = "POST",
                                   .path = "/v1/jobs",
                                   .content_type = "application/json",
                                   .body = document,
                                   .body_size = strlen(document)};
    LOAM_TRY(loam_client_send(client, &request, response, error));
    return job_read(response, job, error);
}

static loam_status job_path(const char *id, char path[CLIENT_PATH_BYTES], loam_error *error) {
    (void)snprintf(path, CLIENT_PATH_BYTES, "/v1/jobs");
    return loam_client_path_append(path, CLIENT_PATH_BYTES, id)
               ? LOAM_OK
               : loam_fail(error, LOAM_URI_TOO_LONG, NULL, "the job's id is too long");
}

loam_status loam_client_job_get(loam_client *client, const char *id, loam_client_job *job,
                                loam_client_response *response, loam_error *error) {
    char path[CLIENT_PATH_BYTES];
    memset(response, 0, sizeof *response);
    LOAM_TRY(job_path(id, path, error));
    loam_client_request request = {.path = path};
    LOAM_TRY(loam_client_send(client, &request, response, error));
    return job_read(response, job, error);
}

/* The tag of the document that was seen last; the daemon answers when it no longer fits. */
typedef struct job_watch {
    char path[CLIENT_PATH_BYTES];
    char tag[DIGEST_TEXT_BYTES + 64];
    uint64_t answered_ms; /* when the daemon was last heard */
} job_watch;

static void watch_note(job_watch *watch, const loam_client_response *response) {
    const char *tag = loam_client_header(response, "ETag");
    bool fits = tag != NULL && strlen(tag) < sizeof watch->tag;
    (void)snprintf(watch->tag, sizeof watch->tag, "%s", fits ? tag : "");
    watch->answered_ms = client_now_ms();
}

/* One look: LOAM_OK with the newest document, or with http_status 304 when nothing changed, or
 * with 0 when the daemon is away but may come back. */
static loam_status watch_ask(loam_client *client, job_watch *watch, loam_client_job *job,
                             loam_client_response *response, loam_error *error) {
    char prefer[32];
    (void)snprintf(prefer, sizeof prefer, "wait=%u", client_wait_s(client, JOB_WAIT_S));
    const loam_client_field headers[] = {{"Prefer", prefer}, {"If-None-Match", watch->tag}};
    loam_client_request request = {.path = watch->path, .headers = headers, .header_count = 2};
    if (watch->tag[0] == '\0') {
        request.header_count = 0;
    }
    loam_error fault = {0};
    loam_status status = loam_client_send(client, &request, response, &fault);
    if (status == LOAM_IO && client_now_ms() - watch->answered_ms < JOB_ABSENCE_MS) {
        return LOAM_OK;
    }
    if (status != LOAM_OK) {
        return loam_fail(error, fault.status, fault.pointer, "%s", fault.text);
    }
    if (response->http_status == 304) {
        watch->answered_ms = client_now_ms();
        return LOAM_OK;
    }
    watch_note(watch, response);
    return job_read(response, job, error);
}

loam_status loam_client_job_wait(loam_client *client, const char *id, loam_client_progress progress,
                                 void *context, loam_client_job *job,
                                 loam_client_response *response, loam_error *error) {
    job_watch watch = {.answered_ms = 0};
    memset(response, 0, sizeof *response);
    LOAM_TRY(job_path(id, watch.path, error)); /* first: the id may be the job's own */
    memset(job, 0, sizeof *job);
    for (;;) {
        loam_client_response_fini(response);
        LOAM_TRY(watch_ask(client, &watch, job, response, error));
        bool changed = response->http_status != 0 && response->http_status != 304;
        if (changed && progress != NULL && !progress(context, job)) {
            return loam_fail(error, LOAM_CANCELLED, NULL, "the wait was ended");
        }
        if (changed && loam_client_job_ended(job)) {
            return LOAM_OK;
        }
        client_sleep_ms(JOB_PAUSE_MS);
    }
}
