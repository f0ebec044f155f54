/* SPDX-License-Identifier: MIT
 *
 * ask.c: requests to a daemon under test, and what is expected of every answer.
 */
#include "api/key/key.h"
#include "tests/support/daemon.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <curl/curl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* Longer than the daemon makes anybody wait. */
enum { ASK_TIMEOUT_S = 90, URL_BYTES = 4096 };

typedef struct gather {
    char *bytes;
    size_t size;
    size_t capacity;
} gather;

static size_t gather_bytes(char *bytes, size_t one, size_t count, void *context) {
    gather *to = context;
    size_t needed = to->size + one * count + 1;
    if (needed > to->capacity) {
        to->capacity = 2 * needed; /* a sanitizer's realloc always copies */
        to->bytes = realloc(to->bytes, to->capacity);
    }
    cr_assert_not_null(to->bytes);
    memcpy(to->bytes + to->size, bytes, one * count);
    to->size += one * count;
    to->bytes[to->size] = 0;
    return one * count;
}

static struct curl_slist *header_list(const ask_options *options) {
    struct curl_slist *list = curl_slist_append(NULL, "Expect:");
    char line[256];
    if (options->type != NULL) {
        snprintf(line, sizeof line, "Content-Type: %s", options->type);
        list = curl_slist_append(list, line);
    } else {
        list = curl_slist_append(list, "Content-Type:");
    }
    for (size_t i = 0; options->headers != NULL && options->headers[i] != NULL; i++) {
        list = curl_slist_append(list, options->headers[i]);
    }
    return list;
}

static void set_body(CURL *curl, const char *method, const ask_options *options) {
    bool sends = strcmp(method, "PUT") == 0 || strcmp(method, "POST") == 0;
    if (options->body != NULL || sends) {
        const char *body = options->body == NULL ? "" : options->body;
        size_t size = options->body_bytes == 0 ? strlen(body) : options->body_bytes;
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    }
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
    curl_easy_setopt(curl, CURLOPT_NOBODY, (long)(strcmp(method, "HEAD") == 0));
}

/* Where and how, beside the address. */
static void set_way(CURL *curl, const ask_options *options, const char *url) {
    char secure[URL_BYTES];
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_REQUEST_TARGET, options->target);
    if (options->unix_path != NULL) {
        curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, options->unix_path);
    }
    if (options->trusted != NULL) {
        snprintf(secure, sizeof secure, "https%s", url + strlen("http"));
        curl_easy_setopt(curl, CURLOPT_URL, secure);
        curl_easy_setopt(curl, CURLOPT_CAINFO, options->trusted);
    }
}

static answer ask_url(const char *method, const ask_options *options, const char *url) {
    gather head = {calloc(1, 1), 0, 1};
    gather body = {calloc(1, 1), 0, 1};
    long status = 0;
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = header_list(options);
    cr_assert_not_null(curl);
    set_way(curl, options, url);
    curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)ASK_TIMEOUT_S);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, gather_bytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &head);
    set_body(curl, method, options);
    if (curl_easy_perform(curl) == CURLE_OK) {
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return (answer){
        .status = (int)status, .head = head.bytes, .body = body.bytes, .size = body.size};
}

static void write_url(const test_daemon *daemon, char url[URL_BYTES], const char *path,
                      va_list arguments) {
    int used = snprintf(url, URL_BYTES, "http://127.0.0.1:%u", daemon->port);
    vsnprintf(url + used, (size_t)(URL_BYTES - used), path, arguments);
}

answer ask(const test_daemon *daemon, const char *method, const ask_options *options,
           const char *path, ...) {
    char url[URL_BYTES];
    va_list arguments;
    va_start(arguments, path);
    write_url(daemon, url, path, arguments);
    va_end(arguments);
    return ask_url(method, options == NULL ? &(ask_options){0} : options, url);
}

answer ask_get(const test_daemon *daemon, const char *path, ...) {
    char url[URL_BYTES];
    va_list arguments;
    va_start(arguments, path);
    write_url(daemon, url, path, arguments);
    va_end(arguments);
    return ask_url("GET", &(ask_options){0}, url);
}

answer ask_json(const test_daemon *daemon, const char *method, const char *json, const char *path,
                ...) {
    char url[URL_BYTES];
    va_list arguments;
    va_start(arguments, path);
    write_url(daemon, url, path, arguments);
    va_end(arguments);
    return ask_url(method, &(ask_options){.body = json, .type = "application/json"}, url);
}

void answer_free(answer *of) {
    free(of->head);
    free(of->body);
    *of = (answer){0};
}

const char *answer_header(const answer *of, const char *name) {
    static char value[2048];
    size_t size = strlen(name);
    const char *line = of->head;
    for (; line != NULL && *line != 0; line = strchr(line, '\n') + 1) {
        if (strncasecmp(line, name, size) == 0 && line[size] == ':') {
            const char *start = line + size + 1;
            start += strspn(start, " ");
            snprintf(value, sizeof value, "%.*s", (int)strcspn(start, "\r\n"), start);
            return value;
        }
        if (strchr(line, '\n') == NULL) {
            break;
        }
    }
    return NULL;
}

json_t *answer_json(const answer *of) {
    json_error_t error;
    json_t *root = json_loadb(of->body, of->size, 0, &error);
    cr_assert(root != NULL, "no JSON (%s): %.200s", error.text, of->body);
    return root;
}

static const char *field(const json_t *root, const char *key) {
    const char *text = json_string_value(json_object_get(root, key));
    return text == NULL ? "" : text;
}

void expect_problem(answer of, int status, const char *code, const char *pointer) {
    cr_assert_eq(of.status, status, "status %d, not %d: %.300s", of.status, status, of.body);
    const char *type = answer_header(&of, "Content-Type");
    cr_expect(type != NULL && strcmp(type, "application/problem+json") == 0);
    json_t *root = answer_json(&of);
    cr_expect_eq(json_integer_value(json_object_get(root, "status")), status);
    cr_expect_str_eq(field(root, "code"), code, "%s", of.body);
    cr_expect_str_eq(field(root, "pointer"), pointer == NULL ? "" : pointer, "%s", of.body);
    cr_expect(field(root, "detail")[0] != 0 && field(root, "title")[0] != 0);
    json_decref(root);
    answer_free(&of);
}

void expect_hashes(const answer *of) {
    char text[DIGEST_TEXT_BYTES];
    char quoted[DIGEST_TEXT_BYTES + 2];
    digest hash = digest_of(of->body, of->size);
    digest_text(&hash, text);
    snprintf(quoted, sizeof quoted, "\"%s\"", text);
    const char *etag = answer_header(of, "ETag");
    cr_assert_not_null(etag);
    cr_assert_str_eq(etag, quoted, "the body is not what its entity tag says");
    cr_assert_not_null(answer_header(of, "Repr-Digest"));
}

double daemon_metric(const test_daemon *daemon, const char *name) {
    answer metrics = ask_get(daemon, "/metrics");
    double value = -1;
    size_t size = strlen(name);
    for (const char *line = metrics.body; line != NULL;
         line = strchr(line, '\n') == NULL ? NULL : strchr(line, '\n') + 1) {
        if (strncmp(line, name, size) == 0 && line[size] == ' ') {
            value = strtod(line + size, NULL);
        }
    }
    answer_free(&metrics);
    return value;
}

size_t daemon_raw(const test_daemon *daemon, const void *bytes, size_t size, unsigned wait_ms,
                  char *reply, size_t reply_size) {
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(daemon->port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    size_t used = 0;
    ssize_t got = 1;
    cr_assert_eq(connect(descriptor, (struct sockaddr *)&to, sizeof to), 0);
    cr_assert_eq(send(descriptor, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
    while (got > 0 && used + 1 < reply_size) {
        struct pollfd waits = {.fd = descriptor, .events = POLLIN};
        if (poll(&waits, 1, (int)wait_ms) <= 0) {
            break;
        }
        got = recv(descriptor, reply + used, reply_size - used - 1, 0);
        used += got > 0 ? (size_t)got : 0;
    }
    reply[used] = 0;
    close(descriptor);
    return used;
}
