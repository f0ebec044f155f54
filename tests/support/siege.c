/* SPDX-License-Identifier: MIT
 *
 * siege.c: see siege.h. Sockets are watched for edges, so one that is read slowly or is full costs
 * nothing until its turn comes.
 */
#include "tests/support/siege.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Fewer than there are ports for one source address. */
enum { SOCKETS_PER_ADDRESS = 2000 };
/* All of them come within so long, and as fast again when they are cut. */
enum { ARRIVAL_MS = 1500, EVENTS_AT_ONCE = 256, READ_BYTES = 65536 };
/* A slow reader offers little room, so that the daemon's side fills. */
enum { SLOW_WINDOW_BYTES = 2048 };
/* Descriptors beside the besiegers': standard streams, epoll, visitors. */
enum { DESCRIPTORS_BESIDE = 64 };

typedef struct besieger {
    int descriptor; /* -1: not connected */
    loam_text opening;
    size_t sent; /* of the opening */
    size_t dripped;
} besieger;

struct siege {
    siege_plan plan;
    pthread_t thread;
    atomic_bool stop;
    atomic_ullong cut;
    int watch;
    siege_tally tally;
    besieger besiegers[];
};

static void demand(bool holds, const char *what) {
    if (!holds) {
        perror(what);
        abort();
    }
}

static uint64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static void lose(siege *of, besieger *one) {
    close(one->descriptor);
    one->descriptor = -1;
    of->cut++;
    of->tally.standing--;
}

/* ---- To the gate ---------------------------------------------------------------------------- */

static int make_socket(const siege *of, uint32_t index) {
    struct sockaddr_in from = {.sin_family = AF_INET};
    int late = 1;
    int window = SLOW_WINDOW_BYTES;
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    demand(descriptor >= 0, "a socket of a siege");
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &late, sizeof late);
    if (of->plan.hold_answers) {
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, sizeof window);
    }
    if (of->plan.address == NULL) {
        from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + index / SOCKETS_PER_ADDRESS);
        setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &late, sizeof late);
        demand(bind(descriptor, (struct sockaddr *)&from, sizeof from) == 0, "bind");
    }
    return descriptor;
}

static void join(siege *of, uint32_t index) {
    besieger *one = &of->besiegers[index];
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(of->plan.port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
                                .data.ptr = one};
    if (of->plan.address != NULL) {
        demand(inet_pton(AF_INET, of->plan.address, &to.sin_addr) == 1, of->plan.address);
    }
    int descriptor = make_socket(of, index);
    if (connect(descriptor, (struct sockaddr *)&to, sizeof to) != 0 && errno != EINPROGRESS) {
        close(descriptor);
        return;
    }
    *one = (besieger){.descriptor = descriptor};
    if (of->plan.opening_count > 0) {
        one->opening = of->plan.openings[index % of->plan.opening_count];
    }
    demand(epoll_ctl(of->watch, EPOLL_CTL_ADD, descriptor, &event) == 0, "epoll_ctl");
    of->tally.connected++;
    of->tally.standing++;
    if (of->tally.standing > of->tally.standing_max) {
        of->tally.standing_max = of->tally.standing;
    }
}

/* ---- What one does -------------------------------------------------------------------------- */

/* False when the connection has ended. */
static bool push(siege *of, besieger *one, const char *bytes, size_t size, size_t *pushed) {
    ssize_t sent = send(one->descriptor, bytes, size, MSG_NOSIGNAL);
    *pushed = sent > 0 ? (size_t)sent : 0;
    of->tally.sent_bytes += *pushed;
    if (sent >= 0 || errno == EAGAIN) {
        return true;
    }
    lose(of, one);
    return false;
}

static void open_up(siege *of, besieger *one) {
    while (one->sent < one->opening.size) {
        size_t pushed = 0;
        const char *rest = one->opening.bytes + one->sent;
        if (!push(of, one, rest, one->opening.size - one->sent, &pushed) || pushed == 0) {
            return;
        }
        one->sent += pushed;
        if (of->plan.flood && one->sent == one->opening.size) {
            one->sent = 0;
        }
    }
}

static void take_answers(siege *of, besieger *one, size_t size_max) {
    static _Thread_local char dropped[READ_BYTES];
    ssize_t got = 1;
    while (one->descriptor >= 0 && got > 0 && size_max > 0) {
        got = recv(one->descriptor, dropped, size_max < READ_BYTES ? size_max : READ_BYTES, 0);
        if (got == 0 || (got < 0 && errno != EAGAIN)) {
            lose(of, one);
            return;
        }
        of->tally.received_bytes += got > 0 ? (uint64_t)got : 0;
        size_max -= got > 0 ? (size_t)got : 0;
    }
}

static void hear(siege *of, besieger *one, uint32_t events) {
    if (one->descriptor < 0) {
        return;
    }
    if ((events & EPOLLIN) != 0 && !of->plan.hold_answers) {
        take_answers(of, one, SIZE_MAX);
    }
    if (one->descriptor >= 0 && (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) {
        lose(of, one);
    } else if ((events & EPOLLOUT) != 0) {
        open_up(of, one);
    }
}

static void act(siege *of, besieger *one) {
    const siege_plan *plan = &of->plan;
    if (plan->hold_answers && plan->sip_bytes > 0) {
        take_answers(of, one, plan->sip_bytes);
    }
    if (one->descriptor >= 0 && plan->drip != NULL && one->sent == one->opening.size) {
        size_t pushed = 0;
        size_t at = one->dripped++ % strlen(plan->drip);
        (void)push(of, one, plan->drip + at, 1, &pushed);
    }
}

/* ---- All of them ---------------------------------------------------------------------------- */

static void tick(siege *of) {
    uint32_t room = of->plan.sockets * of->plan.tick_ms / ARRIVAL_MS + 1;
    for (uint32_t i = 0; i < of->plan.sockets; i++) {
        if (of->besiegers[i].descriptor >= 0) {
            act(of, &of->besiegers[i]);
        } else if (room > 0) {
            room--;
            join(of, i);
        }
    }
}

static void *run_siege(void *context) {
    siege *of = context;
    uint64_t next_ms = now_ms();
    struct epoll_event events[EVENTS_AT_ONCE];
    while (!of->stop) {
        uint64_t time_ms = now_ms();
        if (time_ms >= next_ms) {
            tick(of);
            next_ms = time_ms + of->plan.tick_ms;
        }
        int count = epoll_wait(of->watch, events, EVENTS_AT_ONCE, (int)of->plan.tick_ms / 4 + 1);
        for (int i = 0; i < count; i++) {
            hear(of, events[i].data.ptr, events[i].events);
        }
    }
    return NULL;
}

static void want_descriptors(uint32_t count) {
    struct rlimit limit;
    demand(getrlimit(RLIMIT_NOFILE, &limit) == 0, "getrlimit");
    limit.rlim_cur = limit.rlim_max;
    demand(setrlimit(RLIMIT_NOFILE, &limit) == 0, "setrlimit");
    if (limit.rlim_max < count + DESCRIPTORS_BESIDE) {
        fprintf(stderr, "%u sockets are more than the %llu descriptors that are allowed\n", count,
                (unsigned long long)limit.rlim_max);
        abort();
    }
}

siege *siege_begin(const siege_plan *plan) {
    siege *of = calloc(1, sizeof *of + plan->sockets * sizeof of->besiegers[0]);
    demand(of != NULL, "memory for a siege");
    want_descriptors(plan->sockets);
    of->plan = *plan;
    of->watch = epoll_create1(EPOLL_CLOEXEC);
    demand(of->watch >= 0, "epoll_create1");
    for (uint32_t i = 0; i < plan->sockets; i++) {
        of->besiegers[i].descriptor = -1;
    }
    demand(pthread_create(&of->thread, NULL, run_siege, of) == 0, "a thread");
    return of;
}

uint64_t siege_cut(const siege *of) {
    return of->cut;
}

siege_tally siege_end(siege *of) {
    of->stop = true;
    pthread_join(of->thread, NULL);
    for (uint32_t i = 0; i < of->plan.sockets; i++) {
        if (of->besiegers[i].descriptor >= 0) {
            close(of->besiegers[i].descriptor);
        }
    }
    close(of->watch);
    siege_tally tally = of->tally;
    tally.cut = of->cut;
    free(of);
    return tally;
}
