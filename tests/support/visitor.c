/* SPDX-License-Identifier: MIT
 *
 * visitor.c: see visitor.h. Blocking sockets; times are taken around what a client waits for.
 */
#include "tests/support/visitor.h"

#include "tests/support/timing.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Longer than any answer that is ready takes, however busy the machine. */
enum { PATIENCE_S = 10 };
/* The largest cell that is asked for, and its headers. */
enum { ANSWER_BYTES_MAX = 4 << 20, HEAD_BYTES_MAX = 1024, TIMES_FIRST = 4096 };

struct visitor {
    visit_plan plan;
    pthread_t thread;
    atomic_bool stop;
    atomic_bool done;
    int descriptor; /* of a connection that is kept; -1: none */
    uint64_t *times;
    size_t time_count;
    size_t time_room;
    visits seen;
    char *answer;
};

static void demand(bool holds, const char *what) {
    if (!holds) {
        perror(what);
        abort();
    }
}

static uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int connect_to(uint16_t port) {
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct timeval patience = {.tv_sec = PATIENCE_S};
    int at_once = 1;
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    demand(descriptor >= 0, "socket");
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    if (connect(descriptor, (struct sockaddr *)&to, sizeof to) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

/* The whole size of the answer whose headers are in; 0: not yet all of them. */
static size_t answer_bytes(const char *answer) {
    const char *end = strstr(answer, "\r\n\r\n");
    const char *length = strcasestr(answer, "\r\nContent-Length:");
    if (end == NULL) {
        return 0;
    }
    size_t body = length == NULL || length > end ? 0 : (size_t)strtoull(length + 17, NULL, 10);
    return (size_t)(end - answer) + 4 + body;
}

/* The status of the answer, 0 when none came whole. */
static int read_answer(visitor *of) {
    size_t used = 0;
    size_t whole = 0;
    while (whole == 0 || used < whole) {
        ssize_t got = recv(of->descriptor, of->answer + used, ANSWER_BYTES_MAX - used, 0);
        if (got <= 0) {
            return 0;
        }
        used += (size_t)got;
        of->answer[used] = 0;
        whole = whole == 0 ? answer_bytes(of->answer) : whole;
        demand(whole <= ANSWER_BYTES_MAX, "an answer too large for its reader");
    }
    return atoi(of->answer + sizeof "HTTP/1.1");
}

static int ask_once(visitor *of, uint32_t n) {
    const visit_plan *plan = &of->plan;
    char path[VISIT_PATH_BYTES];
    char head[HEAD_BYTES_MAX];
    (void)snprintf(path, sizeof path, "%s", plan->path == NULL ? "" : plan->path);
    if (plan->write_path != NULL) {
        plan->write_path(plan->context, n, path);
    }
    int size =
        snprintf(head, sizeof head, "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\n\r\n",
                 path, plan->accept == NULL ? "*/*" : plan->accept);
    if (of->descriptor < 0) {
        of->descriptor = connect_to(plan->port);
    }
    bool sent =
        of->descriptor >= 0 && send(of->descriptor, head, (size_t)size, MSG_NOSIGNAL) == size;
    return sent ? read_answer(of) : 0;
}

static void note_time(visitor *of, uint64_t nanoseconds) {
    if (of->time_count == of->time_room) {
        of->time_room = of->time_room == 0 ? TIMES_FIRST : of->time_room * 2;
        of->times = realloc(of->times, of->time_room * sizeof of->times[0]);
        demand(of->times != NULL, "memory for times");
    }
    of->times[of->time_count++] = nanoseconds;
}

static void let_go(visitor *of) {
    if (of->descriptor >= 0) {
        close(of->descriptor);
    }
    of->descriptor = -1;
}

/* A failure takes part in the times: whoever gets no answer has waited all the same. */
static void visit(visitor *of, uint32_t n) {
    uint64_t start = now_ns();
    int status = ask_once(of, n);
    note_time(of, now_ns() - start);
    if (status == 200) {
        of->seen.count++;
    } else {
        of->seen.failed++;
        of->seen.status = status;
    }
    if (status == 0 || of->plan.fresh) {
        let_go(of);
    }
}

static void *run_visitor(void *context) {
    visitor *of = context;
    struct timespec pause = {.tv_sec = of->plan.pause_us / 1000000,
                             .tv_nsec = (long)(of->plan.pause_us % 1000000) * 1000};
    uint32_t n = 0;
    while (!of->stop && (of->plan.count_max == 0 || n < of->plan.count_max)) {
        visit(of, n++);
        nanosleep(&pause, NULL);
    }
    of->done = true;
    return NULL;
}

visitor *visitor_start(const visit_plan *plan) {
    visitor *of = calloc(1, sizeof *of);
    demand(of != NULL, "memory for a visitor");
    of->plan = *plan;
    of->descriptor = -1;
    of->answer = malloc(ANSWER_BYTES_MAX + 1);
    demand(of->answer != NULL, "memory for answers");
    demand(pthread_create(&of->thread, NULL, run_visitor, of) == 0, "a thread");
    return of;
}

bool visitor_is_done(const visitor *of) {
    return of->done;
}

static double milliseconds_at(const visitor *of, size_t percent) {
    return of->time_count == 0 ? 0 : (double)of->times[(of->time_count - 1) * percent / 100] / 1e6;
}

visits visitor_end(visitor *of) {
    of->stop = true;
    pthread_join(of->thread, NULL);
    let_go(of);
    if (of->time_count > 0) {
        qsort(of->times, of->time_count, sizeof of->times[0], timing_compare);
    }
    visits seen = of->seen;
    seen.p50_ms = milliseconds_at(of, 50);
    seen.p99_ms = milliseconds_at(of, 99);
    seen.max_ms = milliseconds_at(of, 100);
    free(of->times);
    free(of->answer);
    free(of);
    return seen;
}
