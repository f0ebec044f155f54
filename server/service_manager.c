/* SPDX-License-Identifier: MIT
 *
 * service_manager.c: see service_manager.h; the protocols are those of sd_listen_fds(3) and
 * sd_notify(3).
 */
#include "server/service_manager.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The first descriptor that is handed over. */
enum { SOCKETS_START = 3 };

/* A variable as a number; 0 when it is none. */
static uint64_t read_number(const char *name) {
    const char *text = getenv(name);
    char *end = NULL;
    unsigned long long value = text == NULL ? 0 : strtoull(text, &end, 10);
    return text == NULL || text[0] < '0' || text[0] > '9' || *end != 0 ? 0 : value;
}

loam_status service_sockets(inherited_sockets *to, loam_error *error) {
    to->count = 0;
    uint64_t count = read_number("LISTEN_FDS");
    bool ours = read_number("LISTEN_PID") == (uint64_t)getpid();
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    if (!ours) {
        return LOAM_OK;
    }
    if (count > HTTP_LISTENERS_MAX - 1) {
        return loam_fail(error, LOAM_TOO_MANY, NULL, "LISTEN_FDS: more than %d sockets",
                         HTTP_LISTENERS_MAX - 1);
    }
    for (size_t i = 0; i < count; i++) {
        to->descriptors[to->count++] = SOCKETS_START + (int)i;
    }
    return LOAM_OK;
}

void service_notify(const char *state) {
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t size = path == NULL ? 0 : strlen(path);
    if (size < 2 || size >= sizeof to.sun_path || (path[0] != '/' && path[0] != '@')) {
        return;
    }
    memcpy(to.sun_path, path, size);
    if (path[0] == '@') {
        to.sun_path[0] = 0; /* a name that is in no folder */
    }
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
        return;
    }
    socklen_t address_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size);
    sendto(descriptor, state, strlen(state), MSG_NOSIGNAL,
           (const struct sockaddr *)(const void *)&to, address_size);
    close(descriptor);
}

static void feed(void *context) {
    (void)context;
    service_notify("WATCHDOG=1");
}

loop_timer *service_watchdog(event_loop *loop) {
    uint64_t period_ms = read_number("WATCHDOG_USEC") / 1000;
    uint64_t pid = read_number("WATCHDOG_PID");
    if (period_ms < 2 || (pid != 0 && pid != (uint64_t)getpid())) {
        return NULL;
    }
    loop_timer *timer = loop_timer_create(loop, feed, NULL);
    if (timer != NULL) {
        loop_timer_start(timer, period_ms / 2, period_ms / 2);
    }
    return timer;
}
