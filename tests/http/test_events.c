/* SPDX-License-Identifier: MIT
 *
 * test_events.c: streams of a job's events: what one hears, what one hears again after a break, and
 * a thousand listeners.
 */
#include "tests/support/daemon.h"
#include "tests/support/pause.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REPLY_BYTES = 1 << 16, PATIENCE_MS = 10000, CROWD = 1000 };

/* A job whose cells take a while; bounds leave 64 of them. */
static const char slow_world[] =
    "{\"seed\": \"5\", \"graph\": {\"loam_graph\": 1, \"nodes\": {"
    "\"sites\": {\"op\": \"grid.sample\", \"params\": {\"spacing_m\": 0.6}}, "
    "\"spaced\": {\"op\": \"self.prune\", \"in\": {\"points\": \"sites\"}, "
    "\"params\": {\"radius_m\": 1.2}}}, "
    "\"outputs\": {\"trees\": {\"node\": \"spaced\", \"level\": 0}}}, "
    "\"grid\": {\"levels\": [{\"cell_size_m\": 1024}], "
    "\"bounds_m\": {\"min\": [0, 0], \"max\": [8192, 8192]}}}";

static test_daemon server;
static char job_path[96];

static void start(void) {
    server = daemon_start(NULL, (const char *const[]){"--workers", "1", "--drain-s", "2", NULL});
    answer put = ask_json(&server, "PUT", slow_world, "/v1/worlds/slow");
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer made = ask_json(&server, "POST",
                           "{\"world\": \"slow\", \"outputs\": [\"trees\"], \"level\": 0, "
                           "\"cells\": \"all\"}",
                           "/v1/jobs");
    cr_assert_eq(made.status, 202, "%s", made.body);
    snprintf(job_path, sizeof job_path, "%s", answer_header(&made, "Location"));
    answer_free(&put);
    answer_free(&made);
}

static void stop(void) {
    if (server.pid != 0) {
        cr_expect_eq(daemon_end(&server), 0);
    }
    daemon_remove_folder(&server);
}

TestSuite(events, .init = start, .fini = stop, .timeout = 120);

static int listen_to(const char *last_id) {
    char text[512];
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(server.port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_geq(client, 0);
    cr_assert_eq(connect(client, (struct sockaddr *)&to, sizeof to), 0);
    int size =
        snprintf(text, sizeof text, "GET %s/events HTTP/1.1\r\nHost: localhost\r\n%s%s%s\r\n",
                 job_path, last_id == NULL ? "" : "Last-Event-ID: ", last_id == NULL ? "" : last_id,
                 last_id == NULL ? "" : "\r\n");
    cr_assert_eq(send(client, text, (size_t)size, MSG_NOSIGNAL), size);
    return client;
}

/* Reads until the text has come; false at the end or when it does not come. */
static bool read_until(int client, const char *wanted, char reply[REPLY_BYTES]) {
    size_t used = 0;
    struct pollfd waits = {.fd = client, .events = POLLIN};
    reply[0] = 0;
    while (strstr(reply, wanted) == NULL && used + 1 < REPLY_BYTES &&
           poll(&waits, 1, PATIENCE_MS) == 1) {
        ssize_t got = recv(client, reply + used, REPLY_BYTES - used - 1, 0);
        if (got <= 0) {
            break;
        }
        used += (size_t)got;
        reply[used] = 0;
    }
    return strstr(reply, wanted) != NULL;
}

static void cancel(void) {
    answer of = ask(&server, "POST", NULL, "%s/cancellation", job_path);
    answer_free(&of);
}

/* The id of the first event of a reply. */
static void first_id(const char *reply, char id[64]) {
    const char *at = strstr(reply, "\nid: ");
    cr_assert_not_null(at, "%s", reply);
    snprintf(id, 64, "%.*s", (int)strcspn(at + 5, "\r\n"), at + 5);
}

Test(events, a_listener_hears_progress_and_the_end) {
    char reply[REPLY_BYTES];
    int client = listen_to(NULL);
    cr_expect(read_until(client, "event: progress", reply), "%s", reply);
    cr_expect_not_null(strstr(reply, "Content-Type: text/event-stream"));
    cr_expect_not_null(strstr(reply, "X-Accel-Buffering: no"));
    cr_expect_not_null(strstr(reply, "\"state\":"));
    cancel();
    cr_expect(read_until(client, "\r\n0\r\n\r\n", reply), "the stream is over: %s", reply);
    cr_expect_not_null(strstr(reply, "event: finished"), "%s", reply);
    cr_expect_not_null(strstr(reply, "\"state\":\"cancelled\""), "%s", reply);
    close(client);
    answer later = ask_get(&server, "%s/events", job_path);
    cr_expect_eq(later.status, 200);
    cr_expect_not_null(strstr(later.body, "event: finished"), "a job that has ended says so");
    answer_free(&later);
}

Test(events, a_listener_hears_that_a_job_has_succeeded) {
    char reply[REPLY_BYTES];
    answer made = ask_json(&server, "POST",
                           "{\"world\": \"slow\", \"outputs\": [\"trees\"], \"level\": 0, "
                           "\"cells\": [[0, 0]], \"priority\": 9}",
                           "/v1/jobs");
    cr_assert_eq(made.status, 202, "%s", made.body);
    snprintf(job_path, sizeof job_path, "%s", answer_header(&made, "Location"));
    int client = listen_to(NULL);
    cr_expect(read_until(client, "\r\n0\r\n\r\n", reply), "the stream is over: %s", reply);
    const char *end = strstr(reply, "event: finished");
    cr_assert_not_null(end, "%s", reply);
    cr_expect_not_null(strstr(end, "\"state\":\"succeeded\""), "%s", end);
    cr_expect_null(strstr(end, "\"finished\":null"), "%s", end);
    close(client);
    answer_free(&made);
}

static int connect_deaf(void) {
    int room = 2048; /* the least that the kernel gives */
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(server.port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_eq(setsockopt(client, SOL_SOCKET, SO_RCVBUF, &room, sizeof room), 0);
    cr_assert_eq(connect(client, (struct sockaddr *)&to, sizeof to), 0);
    return client;
}

/* Asks so often and reads nothing. */
static void ask_deaf(int client, int times) {
    static const char one[] = "GET /healthz/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (int i = 0; i < times; i++) {
        cr_assert_eq(send(client, one, sizeof one - 1, MSG_NOSIGNAL), (ssize_t)sizeof one - 1);
    }
}

static int answered_deaf(void) {
    return (int)daemon_metric(&server, "loam_http_requests_total{route=\"/healthz/live\",method="
                                       "\"GET\",status=\"200\"}");
}

/* A stream that is closed before its client has room for it stays for as long as that is slow:
 * longer than a heartbeat. */
Test(events, a_stream_that_has_ended_and_cannot_be_sent_yet_gets_no_heartbeat) {
    enum { AROUND = 6, MANY = 4000, HEARTBEAT_S = 15 };
    int clients[2 * AROUND + 1];
    char request[160];
    cancel();
    int before = answered_deaf();
    int probe = connect_deaf();
    ask_deaf(probe, MANY);
    pause_ms(1000);
    int fit = answered_deaf() - before;
    cr_assert(fit > AROUND && fit < MANY, "%d answers fit into the buffers", fit);
    int size = snprintf(request, sizeof request,
                        "GET %s/events HTTP/1.1\r\nHost: localhost\r\n\r\n", job_path);
    for (int i = 0; i < 2 * AROUND + 1; i++) {
        clients[i] = connect_deaf();
        ask_deaf(clients[i], fit - AROUND + i);
        cr_assert_eq(send(clients[i], request, (size_t)size, MSG_NOSIGNAL), size);
    }
    pause_ms((HEARTBEAT_S + 2) * 1000);
    answer alive = ask_get(&server, "/healthz/live");
    cr_expect_eq(alive.status, 200);
    answer_free(&alive);
    for (int i = 0; i < 2 * AROUND + 1; i++) {
        close(clients[i]);
    }
    close(probe);
}

/* The number of an id. */
static long number_of(const char *id) {
    return strtol(strchr(id, '-') + 1, NULL, 10);
}

Test(events, who_comes_back_hears_what_was_missed_or_is_told_to_ask_anew) {
    char reply[REPLY_BYTES];
    char id[64];
    char next[64];
    char wanted[32];
    int watcher = listen_to(NULL); /* the feed goes on while the client is away */
    int client = listen_to(NULL);
    cr_assert(read_until(client, "event: progress", reply), "%s", reply);
    first_id(reply, id);
    close(client);
    snprintf(wanted, sizeof wanted, "-%ld\n", number_of(id) + 2);
    cr_assert(read_until(watcher, wanted, reply), "%s", reply);
    client = listen_to(id);
    cr_assert(read_until(client, wanted, reply), "%s", reply);
    first_id(reply, next);
    cr_expect_eq(number_of(next), number_of(id) + 1, "%s follows %s", next, id);
    cr_expect_null(strstr(reply, "resync"));
    close(client);
    client = listen_to("1234-5");
    cr_expect(read_until(client, "event: progress", reply), "%s", reply);
    cr_expect_not_null(strstr(reply, "event: resync"), "%s", reply);
    close(client);
    close(watcher);
    cancel();
}

/* Clock ticks that the daemon has spent. */
static double cpu_seconds(void) {
    char path[64];
    char text[1024];
    unsigned long user = 0;
    unsigned long system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)server.pid);
    FILE *stat = fopen(path, "re");
    cr_assert_not_null(stat);
    cr_assert_not_null(fgets(text, sizeof text, stat));
    fclose(stat);
    sscanf(strrchr(text, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
           &system);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static void raise_descriptors(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

Test(events, a_thousand_listeners_cost_nothing_while_nothing_happens) {
    static int clients[CROWD];
    char reply[REPLY_BYTES];
    raise_descriptors();
    answer paused = ask(&server, "POST", NULL, "%s/pause", job_path);
    answer_free(&paused);
    for (int i = 0; i < CROWD; i++) {
        clients[i] = listen_to(NULL);
    }
    for (int i = 0; i < CROWD; i++) {
        cr_assert(read_until(clients[i], "event: progress", reply), "listener %d", i);
    }
    while (daemon_metric(&server, "loam_flights") > 0) { /* cells that were under way */
        pause_ms(20);
    }
    double before = cpu_seconds();
    pause_ms(1000);
    double spent = cpu_seconds() - before;
    fprintf(stderr, "cpu of %d idle streams: %.0f ms a second\n", CROWD, spent * 1000);
    cr_expect_lt(spent, 0.1, "%f s", spent);
    answer live = ask_get(&server, "/healthz/live");
    cr_expect_eq(live.status, 200);
    answer_free(&live);
    cancel();
    for (int i = 0; i < CROWD; i++) {
        cr_expect(read_until(clients[i], "event: finished", reply), "listener %d", i);
        close(clients[i]);
    }
}

Test(events, the_end_of_the_daemon_ends_streams_at_once) {
    char reply[REPLY_BYTES];
    struct timespec before;
    struct timespec after;
    int client = listen_to(NULL);
    cr_assert(read_until(client, "event: progress", reply));
    clock_gettime(CLOCK_MONOTONIC, &before);
    kill(server.pid, SIGTERM);
    while (recv(client, reply, REPLY_BYTES, 0) > 0) {
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    cr_expect_lt(after.tv_sec - before.tv_sec, 2, "not after --drain-s");
    close(client);
    cr_expect_eq(daemon_end(&server), 0);
    server.pid = 0;
}
