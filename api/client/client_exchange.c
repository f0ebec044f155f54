/* SPDX-License-Identifier: MIT
 *
 * client_exchange.c: one request and its whole answer through libcurl. A file is streamed; an
 * answer is gathered in memory up to the client's limit. Redirects are not followed: loamd sends
 * none.
 */
#include "api/client/client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One exchange on its way. */
typedef struct exchange {
    loam_client *client;
    const loam_client_request *request;
    loam_client_response *response;
    text_buffer url;
    text_buffer body;
    struct curl_slist *headers;
    FILE *file;
    curl_off_t file_size;
} exchange;

static size_t body_take(char *bytes, size_t item, size_t count, void *context) {
    exchange *work = context;
    size_t size = item * count;
    buffer_add(&work->body, bytes, size);
    return work->body.failed ? CURL_WRITEFUNC_ERROR : size;
}

static size_t header_take(char *bytes, size_t item, size_t count, void *context) {
    exchange *work = context;
    size_t size = item * count;
    return client_response_take(work->response, bytes, size) ? size : 0;
}

static size_t file_give(char *bytes, size_t item, size_t count, void *context) {
    exchange *work = context;
    size_t read = fread(bytes, item, count, work->file);
    return ferror(work->file) ? CURL_READFUNC_ABORT : read;
}

static int file_seek(void *context, curl_off_t offset, int origin) {
    exchange *work = context;
    return fseeko(work->file, (off_t)offset, origin) == 0 ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

bool client_header_append(struct curl_slist **headers, const char *name, const char *prefix,
                          const char *value) {
    text_buffer line;
    buffer_init(&line, CLIENT_LINE_BYTES_MAX);
    buffer_add_text(&line, name);
    buffer_add_text(&line, ": ");
    buffer_add_text(&line, prefix);
    buffer_add_text(&line, value);
    buffer_add(&line, "", 1);
    struct curl_slist *longer = line.failed ? NULL : curl_slist_append(*headers, line.bytes);
    buffer_fini(&line);
    if (longer == NULL) {
        return false;
    }
    *headers = longer;
    return true;
}

static bool header_append(exchange *work, const char *name, const char *prefix, const char *value) {
    return client_header_append(&work->headers, name, prefix, value);
}

static bool headers_prepare(exchange *work) {
    const loam_client_request *request = work->request;
    const char *token = work->client->token;
    bool done = token == NULL || header_append(work, "Authorization", "Bearer ", token);
    if (request->content_type != NULL) {
        done = done && header_append(work, "Content-Type", "", request->content_type);
    }
    for (size_t i = 0; done && i < request->header_count; i++) {
        done = header_append(work, request->headers[i].name, "", request->headers[i].value);
    }
    (void)curl_easy_setopt(work->client->curl, CURLOPT_HTTPHEADER, work->headers);
    return done;
}

static bool url_prepare(exchange *work) {
    const loam_client_request *request = work->request;
    buffer_add_text(&work->url, work->client->base_url);
    buffer_add_text(&work->url, request->path);
    client_query_append(&work->url, request->query, request->query_count);
    buffer_add(&work->url, "", 1);
    return !work->url.failed &&
           curl_easy_setopt(work->client->curl, CURLOPT_URL, work->url.bytes) == CURLE_OK;
}

static loam_status file_prepare(exchange *work, loam_error *error) {
    const char *name = work->request->body_file;
    struct stat facts;
    work->file = fopen(name, "rb");
    if (work->file == NULL || fstat(fileno(work->file), &facts) != 0) {
        return loam_fail(error, LOAM_IO, NULL, "cannot read %s: %s", name, strerror(errno));
    }
    if (!S_ISREG(facts.st_mode)) {
        return loam_fail(error, LOAM_IO, NULL, "%s is no ordinary file", name);
    }
    work->file_size = (curl_off_t)facts.st_size;
    CURL *curl = work->client->curl;
    (void)curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_READFUNCTION, file_give);
    (void)curl_easy_setopt(curl, CURLOPT_READDATA, work);
    (void)curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, file_seek);
    (void)curl_easy_setopt(curl, CURLOPT_SEEKDATA, work);
    (void)curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, work->file_size);
    return LOAM_OK;
}

/* Sets the method last: the body options choose one of their own. */
static loam_status body_prepare(exchange *work, const char *method, loam_error *error) {
    const loam_client_request *request = work->request;
    CURL *curl = work->client->curl;
    if (request->body_file != NULL) {
        loam_status status = file_prepare(work, error);
        if (status != LOAM_OK) {
            return status;
        }
    } else if (request->body != NULL) {
        (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
        (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
    } else if (strcmp(method, "POST") == 0 || strcmp(method, "PUT") == 0) {
        (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)0);
        (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDS, "");
    } else if (strcmp(method, "HEAD") == 0) {
        (void)curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    }
    (void)curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
    return LOAM_OK;
}

/* Options of the last request must not reach into this one; the connection stays. */
static void options_prepare(exchange *work) {
    loam_client *client = work->client;
    CURL *curl = client->curl;
    (void)curl_easy_setopt(curl, CURLOPT_NOBODY, 0L);
    (void)curl_easy_setopt(curl, CURLOPT_UPLOAD, 0L);
    (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDS, NULL);
    (void)curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
    client_easy_prepare(client, curl);
    (void)curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
    (void)curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, client->fault);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, body_take);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, work);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, header_take);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERDATA, work);
}

bool client_is_distrust(CURLcode code) {
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE;
}

loam_status client_lost(const loam_client *client, CURLcode code, const char *fault, bool full,
                        loam_error *error) {
    if (full) {
        return loam_fail(error, LOAM_TOO_LARGE, NULL, "the answer is larger than %llu bytes",
                         (unsigned long long)client->body_bytes_max);
    }
    fault = fault[0] != '\0' ? fault : curl_easy_strerror(code);
    if (client_is_distrust(code)) {
        const char *believed = client->ca_file != NULL ? client->ca_file : "the system";
        return loam_fail(error, LOAM_IO, NULL, "%s is not believed by the certificates of %s: %s",
                         client_peer(client), believed, fault);
    }
    return loam_fail(error, LOAM_IO, NULL, "%s does not answer: %s", client_peer(client), fault);
}

/* The 0 behind the body lets JSON and text be read in place. */
static loam_status body_hand_over(exchange *work, int http_status, loam_error *error) {
    loam_client_response *response = work->response;
    size_t size = work->body.size;
    buffer_add(&work->body, "", 1);
    response->body = (unsigned char *)buffer_take(&work->body, &size);
    if (response->body == NULL) {
        return loam_fail(error, LOAM_TOO_LARGE, NULL, "no memory for the answer");
    }
    response->body_size = size - 1;
    response->http_status = http_status;
    return LOAM_OK;
}

static loam_status transfer_run(exchange *work, client_hint *hint, loam_error *error) {
    loam_client *client = work->client;
    client->fault[0] = '\0';
    CURLcode code = curl_easy_perform(client->curl);
    if (code != CURLE_OK) {
        return client_lost(client, code, client->fault, work->body.failed, error);
    }
    long http_status = 0;
    (void)curl_easy_getinfo(client->curl, CURLINFO_RESPONSE_CODE, &http_status);
    hint->retry_after_ms = client_retry_after_ms(client->curl);
    return body_hand_over(work, (int)http_status, error);
}

static loam_status exchange_run(exchange *work, client_hint *hint, loam_error *error) {
    const char *method = work->request->method != NULL ? work->request->method : "GET";
    options_prepare(work);
    if (!url_prepare(work) || !headers_prepare(work)) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the request");
    }
    loam_status status = body_prepare(work, method, error);
    return status != LOAM_OK ? status : transfer_run(work, hint, error);
}

loam_status client_exchange(loam_client *client, const loam_client_request *request,
                            loam_client_response *response, client_hint *hint, loam_error *error) {
    exchange work = {.client = client, .request = request, .response = response};
    buffer_init(&work.url, CLIENT_LINE_BYTES_MAX);
    buffer_init(&work.body, (size_t)client->body_bytes_max + 1);
    loam_status status = exchange_run(&work, hint, error);
    (void)curl_easy_setopt(client->curl, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(work.headers);
    buffer_fini(&work.url);
    buffer_fini(&work.body);
    if (work.file != NULL) {
        (void)fclose(work.file);
    }
    return status;
}
