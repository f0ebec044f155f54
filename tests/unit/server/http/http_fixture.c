/* SPDX-License-Identifier: MIT
 *
 * http_fixture.c: the handler's routes, and the raw client.
 */
#include "tests/unit/server/http/http_fixture.h"
#include "tests/support/pause.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BIG_BYTES = 8 << 20, SHOW_BYTES = 8192 };

typedef struct delayed {
    pool_task task;
    http_request *request;
    http_fixture *fixture;
} delayed;

static http_response *text_response(int status, const char *text, size_t size) {
    static const http_field fields[] = {{"Content-Type", "text/plain"}};
    return http_response_create(status, fields, 1, (http_body){text, size, NULL, NULL});
}

static http_response *say(int status, const char *text) {
    return text_response(status, text, strlen(text));
}

static bool is_at(const http_request *request, const char *segment) {
    return loam_text_equal(http_segment(request, 0), loam_text_of(segment));
}

static void admit(void *context, http_request *request, http_admission *admission) {
    (void)context;
    static const char *const known[] = {"ok",    "none", "same", "big",     "show",   "header",
                                        "later", "wait", "say",  "release", "events", "hush"};
    http_method method = http_request_method(request);
    if (method == HTTP_POST && (is_at(request, "echo") || is_at(request, "need"))) {
        admission->body_bytes_max = ECHO_BYTES_MAX;
        admission->body_required = is_at(request, "need");
        return;
    }
    if (method == HTTP_PUT && is_at(request, "file")) {
        admission->body_bytes_max = FILE_BYTES_MAX;
        admission->body_to_file = true;
        return;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if ((method == HTTP_GET || method == HTTP_HEAD) && is_at(request, known[i])) {
            return;
        }
    }
    admission->refusal = say(404, "not here\n");
}

static void add(char *text, size_t *size, loam_text piece, char mark) {
    int more = snprintf(text + *size, SHOW_BYTES - *size, "%c%.*s", mark, (int)piece.size,
                        piece.bytes == NULL ? "" : piece.bytes);
    *size += (size_t)more;
}

static http_response *show(const http_request *request) {
    char text[SHOW_BYTES];
    size_t size = 0;
    for (size_t i = 1; i < http_segment_count(request); i++) {
        add(text, &size, http_segment(request, i), '/');
    }
    for (size_t i = 0; i < http_query_count(request); i++) {
        add(text, &size, http_query_name(request, i), '&');
        add(text, &size, http_query_value(request, i), '=');
    }
    return text_response(200, text, size);
}

static http_response *sum_file(const http_request *request) {
    FILE *file = fopen(http_request_file(request), "rb");
    unsigned sum = 0;
    unsigned long size = 0;
    for (int byte = file == NULL ? EOF : fgetc(file); byte != EOF; byte = fgetc(file)) {
        sum = sum * 31 + (unsigned)byte;
        size++;
    }
    if (file != NULL) {
        fclose(file);
    }
    char text[64];
    snprintf(text, sizeof text, "%lu %u\n", size, sum);
    return say(200, text);
}

static void work_later(pool_task *task, pool_worker *worker) {
    (void)task;
    (void)worker;
    pause_ms(1);
}

static void done_later(pool_task *task) {
    delayed *later = (delayed *)task;
    http_reply(later->request, say(200, "later\n"));
    free(later);
}

static void start_later(http_fixture *fixture, http_request *request) {
    delayed *later = calloc(1, sizeof *later);
    later->task.work = work_later;
    later->task.done = done_later;
    later->request = request;
    later->fixture = fixture;
    if (pool_submit(fixture->workers, &later->task) != LOAM_OK) {
        free(later);
        http_reply(request, say(503, "full\n"));
    }
}

static void release_all(http_fixture *fixture) {
    for (uint32_t i = 0; i < fixture->waiting_count; i++) {
        http_reply(fixture->waiting[i], say(200, "released\n"));
    }
    fixture->waiting_count = 0;
}

static void stream_left(void *context) {
    http_fixture *fixture = context;
    fixture->stream = NULL;
    fixture->streams_left++;
}

static http_response *header_response(http_request *request) {
    loam_text value = http_header(request, "x-list");
    return text_response(200, value.bytes == NULL ? "absent" : value.bytes,
                         value.bytes == NULL ? 6 : value.size);
}

static http_response *stream_answer(http_fixture *fixture, const http_request *request) {
    if (fixture->stream == NULL) {
        return say(409, "no stream\n");
    }
    if (is_at(request, "hush")) {
        http_stream_close(fixture->stream);
        return say(200, "hushed\n");
    }
    loam_text text = http_query(request, "text");
    bool fits = http_stream_write(fixture->stream, text.bytes, text.size);
    return say(fits ? 200 : 507, "said\n");
}

/* Routes that answer later or not at all. */
static bool handle_slow(http_fixture *fixture, http_request *request) {
    if (is_at(request, "later")) {
        start_later(fixture, request);
        return true;
    }
    if (is_at(request, "wait") && fixture->waiting_count < WAITING_MAX) {
        fixture->waiting[fixture->waiting_count++] = request;
        return true;
    }
    if (is_at(request, "events")) {
        fixture->stream = http_stream_open(request, stream_left, fixture);
        return true;
    }
    return false;
}

static http_response *answer(http_fixture *fixture, http_request *request) {
    if (is_at(request, "ok")) {
        return http_response_retain(fixture->ok);
    }
    if (is_at(request, "big")) {
        return http_response_retain(fixture->big);
    }
    if (is_at(request, "none") || is_at(request, "same")) {
        return say(is_at(request, "none") ? 204 : 304, "");
    }
    if (is_at(request, "show")) {
        return show(request);
    }
    if (is_at(request, "header")) {
        return header_response(request);
    }
    if (is_at(request, "file")) {
        return sum_file(request);
    }
    if (is_at(request, "release")) {
        release_all(fixture);
        return say(200, "released\n");
    }
    if (is_at(request, "say") || is_at(request, "hush")) {
        return stream_answer(fixture, request);
    }
    loam_text body = http_request_body(request);
    return text_response(200, body.bytes, body.size);
}

static void handle(void *context, http_request *request) {
    http_fixture *fixture = context;
    fixture->handled++;
    if (!handle_slow(fixture, request)) {
        http_reply(request, answer(fixture, request));
    }
}

static void gone(void *context, http_request *request) {
    http_fixture *fixture = context;
    fixture->gone++;
    for (uint32_t i = 0; i < fixture->waiting_count && !fixture->answers_late; i++) {
        if (fixture->waiting[i] == request) {
            fixture->waiting[i] = fixture->waiting[--fixture->waiting_count];
            http_reply(request, NULL);
            return;
        }
    }
}

static void finished(void *context, const http_finish *finish) {
    http_fixture *fixture = context;
    fixture->last_status = finish->status;
    fixture->finished++;
}

static void log_line(void *context, const char *text, uint64_t dropped) {
    (void)text;
    (void)dropped;
    http_fixture *fixture = context;
    fixture->log_lines++;
}

static void *run(void *context) {
    http_fixture *fixture = context;
    loop_run(fixture->loop);
    return NULL;
}

static void stop_loop(loop_task *task) {
    http_fixture *fixture = (http_fixture *)(void *)((char *)task - offsetof(http_fixture, stop));
    pool_drain(fixture->workers);
    loop_run_posted(fixture->loop);
    http_stop(fixture->server);
    release_all(fixture);
    loop_stop(fixture->loop);
}

static void make_pools(http_fixture *fixture) {
    loam_error error = {0};
    fixture->workers = pool_create(
        fixture->loop, &(pool_options){.threads = 2, .queue_max = {2000, 2000}}, &error);
    fixture->io =
        pool_create(fixture->loop, &(pool_options){.threads = 1, .queue_max = {2000, 0}}, &error);
    cr_assert_eq(error.status, LOAM_OK, "%s", error.text);
}

static void make_responses(http_fixture *fixture) {
    char *big = malloc(BIG_BYTES);
    memset(big, 'b', BIG_BYTES);
    fixture->big = http_response_create(200, NULL, 0, (http_body){big, BIG_BYTES, free, big});
    fixture->ok = say(200, "ok\n");
}

void fixture_start(http_fixture *fixture, http_options options) {
    loam_error error = {0};
    memset(fixture, 0, sizeof *fixture);
    strcpy(fixture->folder, "/tmp/loam-http-XXXXXX");
    cr_assert_not_null(mkdtemp(fixture->folder));
    fixture->loop = loop_create();
    make_pools(fixture);
    make_responses(fixture);
    options.address = options.address == NULL ? "127.0.0.1" : options.address;
    options.io = fixture->io;
    options.upload_folder = fixture->folder;
    options.handler = (http_handler){.context = fixture,
                                     .admit = admit,
                                     .handle = handle,
                                     .gone = gone,
                                     .finished = finished,
                                     .log = log_line};
    fixture->options = options;
    fixture->server = http_start(fixture->loop, &fixture->options, &error);
    cr_assert_not_null(fixture->server, "%s", error.text);
    fixture->port = http_port(fixture->server);
    fixture->stop.run = stop_loop;
    pthread_create(&fixture->thread, NULL, run, fixture);
}

void fixture_stop(http_fixture *fixture) {
    loop_post(fixture->loop, &fixture->stop);
    pthread_join(fixture->thread, NULL);
    pool_destroy(fixture->workers);
    pool_drain(fixture->io);
    loop_run_posted(fixture->loop);
    pool_destroy(fixture->io);
    loop_destroy(fixture->loop);
    http_response_release(fixture->ok);
    http_response_release(fixture->big);
    cr_assert_eq(rmdir(fixture->folder), 0, "files are left in %s", fixture->folder);
}

/* ---- Client -------------------------------------------------------------------------------- */

int client_connect(const http_fixture *fixture, const char *text) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(fixture->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_eq(connect(client, (struct sockaddr *)&address, sizeof address), 0, "%s",
                 strerror(errno));
    if (text != NULL) {
        client_send(client, text, strlen(text));
    }
    return client;
}

void client_send(int client, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t sent = send(client, at, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return;
        }
        at += sent;
        size -= (size_t)sent;
    }
}

size_t client_read(int client, char *to, size_t size_max, int timeout_ms) {
    size_t size = 0;
    struct pollfd waits = {.fd = client, .events = POLLIN};
    while (size < size_max && poll(&waits, 1, timeout_ms) == 1) {
        ssize_t count = recv(client, to + size, size_max - size, 0);
        if (count <= 0) {
            break;
        }
        size += (size_t)count;
    }
    to[size] = 0;
    return size;
}

bool client_sees_end(int client, int timeout_ms) {
    struct pollfd waits = {.fd = client, .events = POLLIN};
    char bytes[4096];
    while (poll(&waits, 1, timeout_ms) == 1) {
        if (recv(client, bytes, sizeof bytes, 0) <= 0) {
            return true;
        }
    }
    return false;
}

static size_t content_length(const reply *from) {
    char value[32];
    reply_header(from, "Content-Length", value, sizeof value);
    return strtoul(value, NULL, 10);
}

static const char *find_body(const char *bytes) {
    const char *end = strstr(bytes, "\r\n\r\n");
    return end == NULL ? NULL : end + 4;
}

/* Reads until the head and as much body as it promises are there. */
static void read_reply(int client, bool head_only, int timeout_ms, reply *to) {
    struct pollfd waits = {.fd = client, .events = POLLIN};
    while (to->size < sizeof to->bytes - 1 && poll(&waits, 1, timeout_ms) == 1) {
        ssize_t count = recv(client, to->bytes + to->size, sizeof to->bytes - 1 - to->size, 0);
        if (count <= 0) {
            to->closed = true;
            break;
        }
        to->size += (size_t)count;
        to->bytes[to->size] = 0;
        to->body = find_body(to->bytes);
        if (to->body != NULL && head_only) {
            break;
        }
        if (to->body != NULL && to->size - (size_t)(to->body - to->bytes) >= content_length(to)) {
            break;
        }
    }
}

void exchange(const http_fixture *fixture, const char *text, reply *to) {
    exchange_until(fixture, text, 0, to);
}

void exchange_until(const http_fixture *fixture, const char *text, int end_ms, reply *to) {
    memset(to, 0, sizeof *to);
    int client = client_connect(fixture, text);
    read_reply(client, strncmp(text, "HEAD ", 5) == 0, 2000, to);
    if (to->size > 12 && strncmp(to->bytes, "HTTP/1.1 ", 9) == 0) {
        to->status = atoi(to->bytes + 9);
    }
    to->body = to->body == NULL ? "" : to->body;
    to->body_size = to->size - (to->body[0] == 0 ? to->size : (size_t)(to->body - to->bytes));
    if (!to->closed) {
        to->closed = client_sees_end(client, end_ms);
    }
    close(client);
}

void reply_header(const reply *from, const char *name, char *to, size_t size) {
    size_t name_size = strlen(name);
    to[0] = 0;
    for (const char *line = strstr(from->bytes, "\r\n"); line != NULL;
         line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, name_size) == 0 && line[2 + name_size] == ':') {
            const char *value = line + 2 + name_size + 2;
            snprintf(to, size, "%.*s", (int)strcspn(value, "\r"), value);
            return;
        }
    }
}

bool wait_for(atomic_uint *counter, uint32_t value, int timeout_ms) {
    for (int waited = 0; atomic_load(counter) < value; waited++) {
        if (waited >= timeout_ms) {
            return false;
        }
        pause_ms(1);
    }
    return true;
}
