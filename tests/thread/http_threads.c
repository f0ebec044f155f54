/* SPDX-License-Identifier: MIT
 *
 * http_threads.c: client threads against one server whose answers come from workers, whose uploads
 * go through the I/O thread, and some of whose clients leave early; for TSan, and for leaks under
 * ASan. Each answer must be whole and the one that was asked for.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/http/http.h"

enum { CLIENTS = 6, ROUNDS = 60, UPLOAD_BYTES = 300000, BODY_BYTES = 20000 };

typedef struct service {
    event_loop *loop;
    worker_pool *workers;
    worker_pool *io;
    http_server *server;
    http_response *shared;
    char folder[32];
    loop_task stop;
    atomic_int faults;
    int finished;
} service;

typedef struct job {
    pool_task task;
    http_request *request;
    http_response *response;
} job;

static service at;

static http_response *number_response(uint64_t number) {
    char text[32];
    int size = snprintf(text, sizeof text, "%llu\n", (unsigned long long)number);
    return http_response_create(200, NULL, 0, (http_body){text, (size_t)size, NULL, NULL});
}

static void admit(void *context, http_request *request, http_admission *admission) {
    (void)context;
    admission->body_bytes_max = 1 << 20;
    admission->body_to_file = http_request_method(request) == HTTP_PUT;
}

static void work(pool_task *task, pool_worker *worker) {
    (void)worker;
    job *mine = (job *)task;
    mine->response = number_response(http_request_body_bytes(mine->request));
}

static void done(pool_task *task) {
    job *mine = (job *)task;
    http_reply(mine->request, mine->response);
    free(mine);
}

static void handle(void *context, http_request *request) {
    (void)context;
    if (http_request_method(request) == HTTP_GET) {
        http_reply(request, http_response_retain(at.shared));
        return;
    }
    job *made = calloc(1, sizeof *made);
    made->task = (pool_task){.work = work, .done = done};
    made->request = request;
    if (pool_submit(at.workers, &made->task) != LOAM_OK) {
        free(made);
        http_reply(request, NULL);
    }
}

static void finished(void *context, const http_finish *finish) {
    (void)context;
    at.finished += finish->sent;
}

static void stop(loop_task *task) {
    (void)task;
    pool_drain(at.workers);
    loop_run_posted(at.loop);
    http_stop(at.server);
    loop_stop(at.loop);
}

static int connect_client(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(http_port(at.server))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return connect(client, (struct sockaddr *)&address, sizeof address) == 0 ? client : -1;
}

static void send_all(int client, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t sent = send(client, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
}

/* One request with `size` bytes of body; the answer must end with `wanted`. */
static void ask(const char *method, size_t size, const char *wanted, bool leave) {
    static const char body[UPLOAD_BYTES];
    char text[4096];
    int client = connect_client();
    snprintf(text, sizeof text,
             "%s /x HTTP/1.1\r\nHost: localhost\r\nContent-Type: t\r\n"
             "Connection: close\r\nContent-Length: %zu\r\n\r\n",
             method, size);
    send_all(client, text, strlen(text));
    send_all(client, body, leave ? size / 2 : size);
    size_t got = 0;
    while (!leave && got < sizeof text - 1) {
        ssize_t count = recv(client, text + got, sizeof text - 1 - got, 0);
        if (count <= 0) {
            break;
        }
        got += (size_t)count;
    }
    text[got] = 0;
    size_t size_wanted = strlen(wanted);
    if (!leave && (got < size_wanted || strcmp(text + got - size_wanted, wanted) != 0)) {
        at.faults++;
    }
    close(client);
}

static void *run_client(void *context) {
    (void)context;
    for (int i = 0; i < ROUNDS; i++) {
        ask("GET", 0, "shared\n", false);
        ask("POST", BODY_BYTES, "20000\n", false);
        ask("POST", BODY_BYTES, "", true);
        if (i % 10 == 0) {
            ask("PUT", UPLOAD_BYTES, "300000\n", false);
            ask("PUT", UPLOAD_BYTES, "", true);
        }
    }
    return NULL;
}

static void *run_loop(void *context) {
    (void)context;
    loop_run(at.loop);
    return NULL;
}

static bool start(loam_error *error) {
    strcpy(at.folder, "/tmp/loam-threads-XXXXXX");
    at.loop = loop_create();
    at.workers = pool_create(at.loop, &(pool_options){.threads = 2, .queue_max = {1000, 0}}, error);
    at.io = pool_create(at.loop, &(pool_options){.threads = 1, .queue_max = {1000, 0}}, error);
    at.shared = http_response_create(200, NULL, 0, (http_body){"shared\n", 7, NULL, NULL});
    if (mkdtemp(at.folder) == NULL || at.workers == NULL || at.io == NULL || at.shared == NULL) {
        return false;
    }
    http_options options = {.address = "127.0.0.1",
                            .io = at.io,
                            .upload_folder = at.folder,
                            .handler = {NULL, admit, handle, NULL, finished, NULL}};
    at.server = http_start(at.loop, &options, error);
    return at.server != NULL;
}

static void finish(pthread_t loop_thread) {
    at.stop.run = stop;
    loop_post(at.loop, &at.stop);
    pthread_join(loop_thread, NULL);
    pool_destroy(at.workers);
    pool_drain(at.io);
    loop_run_posted(at.loop);
    pool_destroy(at.io);
    loop_destroy(at.loop);
    http_response_release(at.shared);
}

int main(void) {
    loam_error error = {0};
    if (!start(&error)) {
        fprintf(stderr, "cannot start: %s\n", error.text);
        return 1;
    }
    pthread_t loop_thread;
    pthread_t clients[CLIENTS];
    pthread_create(&loop_thread, NULL, run_loop, NULL);
    for (int i = 0; i < CLIENTS; i++) {
        pthread_create(&clients[i], NULL, run_client, NULL);
    }
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(clients[i], NULL);
    }
    finish(loop_thread);
    bool is_clean = rmdir(at.folder) == 0;
    printf("%d answers, %d faults, upload folder %s\n", at.finished, at.faults,
           is_clean ? "empty" : "not empty");
    return at.faults == 0 && is_clean ? 0 : 1;
}
