/* SPDX-License-Identifier: MIT
 *
 * flow_threads.c: a whole daemon in this process, and everything at once: cells and batches asked
 * for by many, jobs that run, pause and end, their events followed, dungeons, collections, scrubs
 * and backups, metrics, clients that leave, while its tokens are read again and again; for TSan.
 * Ends with 0 when every answer was one that may come.
 */
#include "api/key/token.h"
#include "api/wire/document.h"
#include "core/base/assert.h"
#include "server/config/config.h"
#include "server/daemon.h"
#include "server/watch/log.h"
#include "tests/support/pause.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { CLIENTS = 6, ROUNDS = 40, PATH_BYTES = 128, ANSWER_BYTES = 1 << 16, REQUEST_BYTES = 2048 };
enum { WAIT_S = 20, START_POLL_MS = 20, START_POLLS_MAX = 3000, RELOAD_MS = 30 };

#define GRAPH                                                                                      \
    "{\"loam_graph\": 1, \"nodes\": {\"sites\": {\"op\": \"grid.sample\", \"params\": "            \
    "{\"spacing_m\": 3}}, \"trees\": {\"op\": \"self.prune\", \"in\": {\"points\": \"sites\"}, "   \
    "\"params\": {\"radius_m\": 4}}}, \"outputs\": {\"trees\": {\"node\": \"trees\", \"level\": "  \
    "0}}}"
#define GRID                                                                                       \
    "{\"levels\": [{\"cell_size_m\": 64}], \"bounds_m\": {\"min\": [0, 0], \"max\": [512, 512]}}"

static char folder[] = "/tmp/loam-flow-threads-XXXXXX";
static config settings;
static char bearer[TOKEN_TEXT_BYTES];
static atomic_int faults;
static atomic_bool over;
static atomic_bool daemon_failed;

static void path_of(const char *name, char path[PATH_BYTES]) {
    snprintf(path, PATH_BYTES, "%s/%s", folder, name);
}

/* ---- Tokens --------------------------------------------------------------------------------- */

/* A second token comes and goes; the first stays good. Written whole, then renamed. */
static void write_tokens(bool second) {
    char path[PATH_BYTES], part[PATH_BYTES], text[DIGEST_TEXT_BYTES];
    path_of("tokens", path);
    path_of("tokens.part", part);
    digest of = digest_of(bearer, strlen(bearer));
    digest_text(&of, text);
    FILE *file = fopen(part, "we");
    LOAM_ASSERT(file != NULL && fchmod(fileno(file), 0600) == 0);
    fprintf(file, "all %s read,generate,upload,server\n", text);
    if (second) {
        of = digest_of(text, strlen(text));
        digest_text(&of, text);
        fprintf(file, "other %s read\n", text);
    }
    fclose(file);
    LOAM_ASSERT(rename(part, path) == 0);
}

static void *reload_tokens(void *context) {
    (void)context;
    for (bool second = true; !atomic_load(&over); second = !second) {
        write_tokens(second);
        kill(getpid(), SIGHUP);
        pause_ms(RELOAD_MS);
    }
    return NULL;
}

/* ---- Requests ------------------------------------------------------------------------------- */

static int connect_client(void) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    struct timeval patience = {.tv_sec = WAIT_S};
    snprintf(to.sun_path, sizeof to.sun_path, "%s/socket", folder);
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (client >= 0 && connect(client, (struct sockaddr *)&to, sizeof to) != 0) {
        close(client);
        client = -1;
    }
    return client;
}

/* The daemon's own user is the operator, as long as he shows no token. */
static void send_request(int client, const char *method, const char *path, const char *body) {
    char request[REQUEST_BYTES];
    bool operates = strncmp(path, "/v1/admin/", strlen("/v1/admin/")) == 0;
    bool sends = strcmp(method, "GET") != 0;
    int size = snprintf(request, sizeof request,
                        "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n", method, path);
    if (!operates) {
        size += snprintf(request + size, sizeof request - (size_t)size,
                         "Authorization: Bearer %s\r\n", bearer);
    }
    if (sends) {
        size += snprintf(request + size, sizeof request - (size_t)size,
                         "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
    }
    size += snprintf(request + size, sizeof request - (size_t)size, "\r\n%s", sends ? body : "");
    LOAM_ASSERT(size < REQUEST_BYTES);
    send(client, request, (size_t)size, MSG_NOSIGNAL);
}

/* All of it, as far as there is room; the status. */
static int receive(int client, char answer[ANSWER_BYTES]) {
    size_t used = 0;
    ssize_t got = 1;
    char scrap[4096];
    int status = 0;
    while (got > 0) {
        size_t room = ANSWER_BYTES - 1 - used;
        got =
            room > 0 ? recv(client, answer + used, room, 0) : recv(client, scrap, sizeof scrap, 0);
        used += got > 0 && room > 0 ? (size_t)got : 0;
    }
    answer[used] = 0;
    return sscanf(answer, "HTTP/1.1 %d", &status) == 1 ? status : 0;
}

static int ask(const char *method, const char *path, const char *body, char answer[ANSWER_BYTES]) {
    int client = connect_client();
    if (client < 0) {
        return 0;
    }
    send_request(client, method, path, body);
    int status = receive(client, answer);
    close(client);
    return status;
}

static void expect(const char *method, const char *path, const char *body) {
    char *answer = malloc(ANSWER_BYTES);
    int status = ask(method, path, body, answer);
    bool may = (status >= 200 && status < 300) || status == 409;
    if (!may) {
        fprintf(stderr, "%s %s: %d %.400s\n", method, path, status, answer);
        atomic_fetch_add(&faults, 1);
    }
    free(answer);
}

static void leave(const char *path) {
    int client = connect_client();
    if (client >= 0) {
        send_request(client, "GET", path, "");
        close(client);
    }
}

/* ---- What clients do ------------------------------------------------------------------------ */

static void put_world(uint32_t number, uint32_t seed) {
    char path[PATH_BYTES], body[REQUEST_BYTES / 2];
    snprintf(path, sizeof path, "/v1/worlds/world%u", number);
    snprintf(body, sizeof body, "{\"seed\": \"%u\", \"graph\": " GRAPH ", \"grid\": " GRID "}",
             seed);
    expect("PUT", path, body);
}

static void follow_job(uint32_t number, uint32_t round) {
    char body[REQUEST_BYTES / 2], path[PATH_BYTES], id[64] = "";
    char *answer = malloc(ANSWER_BYTES);
    snprintf(body, sizeof body,
             "{\"world\": \"world%u\", \"outputs\": [\"trees\"], \"level\": 0, \"cells\": "
             "{\"min\": [%u, 0], \"max\": [7, 7]}}",
             number, round % 8);
    int status = ask("POST", "/v1/jobs", body, answer);
    const char *at = strstr(answer, "\"id\":");
    if ((status != 200 && status != 202) || at == NULL ||
        sscanf(at + strlen("\"id\":"), " \"%63[^\"]", id) != 1) {
        fprintf(stderr, "job: %d %.400s\n", status, answer);
        atomic_fetch_add(&faults, 1);
        free(answer);
        return;
    }
    free(answer);
    snprintf(path, sizeof path, "/v1/jobs/%s/%s", id, round % 2 == 0 ? "pause" : "cancellation");
    expect(round % 3 == 0 ? "POST" : "GET", round % 3 == 0 ? path : "/v1/jobs", "");
    snprintf(path, sizeof path, "/v1/jobs/%s/resumption", id);
    expect("POST", path, "");
    snprintf(path, sizeof path, "/v1/jobs/%s/events", id);
    round % 4 == 0 ? leave(path) : expect("GET", path, "");
    snprintf(path, sizeof path, "/v1/jobs/%s/results", id);
    expect("GET", path, "");
}

static void ask_cells(uint32_t number, uint32_t round) {
    char path[PATH_BYTES], body[REQUEST_BYTES / 2];
    snprintf(path, sizeof path, "/v1/worlds/world%u/cells/0/%u/%u/trees", round % CLIENTS,
             round % 8, number);
    expect("GET", path, "");
    leave(path);
    snprintf(path, sizeof path, "/v1/worlds/world%u/cell-batches", number);
    snprintf(body, sizeof body, "{\"output\": \"trees\", \"cells\": [[0, %u, 1], [0, 2, %u]]}",
             round % 8, number);
    expect("POST", path, body);
    snprintf(path, sizeof path, "/v1/worlds/world%u/cells/0/1/%u/trees/trace", number, round % 8);
    expect("GET", path, "");
}

static void ask_dungeon(uint32_t round) {
    char body[REQUEST_BYTES / 2];
    snprintf(body, sizeof body,
             "{\"recipe\": \"dungeon.rooms\", \"seed\": \"%u\", \"params\": {\"width\": 32, "
             "\"height\": 32}}",
             round % 5);
    expect("POST", "/v1/dungeons", body);
}

/* Backups have the time as their names: one client makes them all. */
static void ask_operator(uint32_t number, uint32_t round) {
    static const char *const paths[] = {"/v1/admin/gc?bytes=200000", "/v1/admin/scrub",
                                        "/v1/admin/gc?bytes=0", "/v1/admin/backup"};
    expect("POST", paths[round % (number < 3 ? 4 : 3)], "");
    expect("GET", "/v1/admin/stats", "");
    expect("GET", "/metrics", "");
    expect("GET", "/healthz/ready", "");
}

static void *run_client(void *context) {
    uint32_t number = (uint32_t)(uintptr_t)context;
    for (uint32_t round = 0; round < ROUNDS && !atomic_load(&daemon_failed); round++) {
        if (round % 10 == 0) {
            put_world(number, round % 20);
        }
        ask_cells(number, round);
        if (number % 3 == 0) {
            follow_job(number, round);
        } else if (number % 3 == 1) {
            ask_dungeon(round);
        } else {
            ask_operator(number, round);
        }
    }
    return NULL;
}

/* ---- The daemon ----------------------------------------------------------------------------- */

static void *run_daemon(void *context) {
    loam_error error = {0};
    (void)context;
    if (wire_init(&error) != LOAM_OK || daemon_run(&settings, &error) != LOAM_OK) {
        fprintf(stderr, "the daemon: %s\n", error.text);
        atomic_store(&daemon_failed, true);
    }
    return NULL;
}

static void read_settings(void) {
    char data[PATH_BYTES], backups[PATH_BYTES], listener[PATH_BYTES], tokens[PATH_BYTES];
    loam_error error = {0};
    path_of("data", data);
    path_of("backups", backups);
    path_of("socket", listener);
    path_of("tokens", tokens);
    char *argv[] = {"loamd", "--listen",     "none",    "--unix",   listener, "--data",
                    data,    "--backup-dir", backups,   "--tokens", tokens,   "--workers",
                    "3",     "--log-level",  "warning", NULL};
    LOAM_ASSERT(config_read(&settings, (int)(sizeof argv / sizeof argv[0]) - 1, argv, &error) ==
                CONFIG_RUN);
    log_set_level(LOG_WARNING);
}

static void make_token(void) {
    loam_error error = {0};
    secret_key secret;
    memset(secret.bytes, 7, sizeof secret.bytes);
    LOAM_ASSERT(token_write(loam_text_of("all"), &secret, bearer, &error) == LOAM_OK);
    write_tokens(false);
}

static bool await_ready(void) {
    char *answer = malloc(ANSWER_BYTES);
    int status = 0;
    for (int i = 0; i < START_POLLS_MAX && status != 200 && !atomic_load(&daemon_failed); i++) {
        pause_ms(START_POLL_MS);
        status = ask("GET", "/healthz/ready", "", answer);
    }
    free(answer);
    return status == 200;
}

static void run_clients(void) {
    pthread_t clients[CLIENTS];
    for (uint32_t i = 0; i < CLIENTS; i++) {
        put_world(i, 0);
    }
    for (uintptr_t i = 0; i < CLIENTS; i++) {
        LOAM_ASSERT(pthread_create(&clients[i], NULL, run_client, (void *)i) == 0);
    }
    for (uint32_t i = 0; i < CLIENTS; i++) {
        pthread_join(clients[i], NULL);
    }
}

/* Signals are the daemon's: they would end a client's wait for its answer. */
static void start_daemon(pthread_t *daemon) {
    sigset_t signals;
    LOAM_ASSERT(pthread_create(daemon, NULL, run_daemon, NULL) == 0);
    sigemptyset(&signals);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

int main(void) {
    char command[PATH_BYTES];
    pthread_t daemon, reloader;
    LOAM_ASSERT(mkdtemp(folder) != NULL);
    umask(077);
    make_token();
    read_settings();
    start_daemon(&daemon);
    bool ready = await_ready();
    if (ready) {
        LOAM_ASSERT(pthread_create(&reloader, NULL, reload_tokens, NULL) == 0);
        run_clients();
        atomic_store(&over, true);
        pthread_join(reloader, NULL);
        kill(getpid(), SIGTERM);
    }
    pthread_join(daemon, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    bool clean = system(command) == 0;
    printf("flow_threads: %d faults\n", faults);
    return ready && clean && faults == 0 && !daemon_failed ? 0 : 1;
}
