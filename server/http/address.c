/* SPDX-License-Identifier: MIT
 *
 * address.c: reading the address, binding, listening.
 */
#include "server/http/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/try.h"
#include "server/http/http_limits.h"

typedef struct socket_address {
    socklen_t size;
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_un local;
    } as;
} socket_address;

static const char local_prefix[] = "unix:";

static loam_status read_local(const char *path, socket_address *to, loam_error *error) {
    size_t size = strlen(path);
    if (size == 0 || size >= sizeof to->as.local.sun_path) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "a socket's path has 1 to %zu bytes: %s",
                         sizeof to->as.local.sun_path - 1, path);
    }
    to->as.local.sun_family = AF_UNIX;
    memcpy(to->as.local.sun_path, path, size + 1);
    to->size = sizeof to->as.local;
    return LOAM_OK;
}

/* Copies "[::1]" without its brackets. False when it is too long to be an address. */
static bool copy_bare(const char *address, char *bare, size_t bare_size) {
    size_t size = strlen(address);
    if (size >= 2 && address[0] == '[' && address[size - 1] == ']') {
        address++;
        size -= 2;
    }
    if (size >= bare_size) {
        return false;
    }
    memcpy(bare, address, size);
    bare[size] = 0;
    return true;
}

static loam_status read_internet(const char *address, uint16_t port, socket_address *to,
                                 loam_error *error) {
    char bare[INET6_ADDRSTRLEN];
    bool fits = copy_bare(address, bare, sizeof bare);
    bool is_loopback = false;
    if (fits && strcmp(bare, "localhost") == 0) {
        strcpy(bare, "127.0.0.1");
    }
    if (fits && inet_pton(AF_INET, bare, &to->as.v4.sin_addr) == 1) {
        to->as.v4.sin_family = AF_INET;
        to->as.v4.sin_port = htons(port);
        to->size = sizeof to->as.v4;
        is_loopback = ntohl(to->as.v4.sin_addr.s_addr) >> 24 == 127;
    } else if (fits && inet_pton(AF_INET6, bare, &to->as.v6.sin6_addr) == 1) {
        to->as.v6.sin6_family = AF_INET6;
        to->as.v6.sin6_port = htons(port);
        to->size = sizeof to->as.v6;
        is_loopback = IN6_IS_ADDR_LOOPBACK(&to->as.v6.sin6_addr);
    } else {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "not an address to listen on: %s",
                         address);
    }
    if (!is_loopback) {
        return loam_fail(error, LOAM_FORBIDDEN, NULL,
                         "without tokens only a loopback address is listened on, not %s", address);
    }
    return LOAM_OK;
}

static uint16_t bound_port(int descriptor) {
    socket_address bound = {.size = sizeof bound.as};
    if (getsockname(descriptor, &bound.as.any, &bound.size) != 0) {
        return 0;
    }
    if (bound.as.any.sa_family == AF_INET) {
        return ntohs(bound.as.v4.sin_port);
    }
    return bound.as.any.sa_family == AF_INET6 ? ntohs(bound.as.v6.sin6_port) : 0;
}

/* Accepted sockets inherit these. */
static void set_options(int descriptor, int family) {
    int on = 1;
    int send_bytes = SEND_BUFFER_BYTES;
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &send_bytes, sizeof send_bytes);
    if (family != AF_UNIX) {
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    }
    if (family == AF_INET6) {
        setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    }
}

/* A socket file stays behind when its daemon is killed; only one that nobody answers on goes. */
static void remove_stale(const socket_address *address) {
    struct stat about;
    if (lstat(address->as.local.sun_path, &about) != 0 || !S_ISSOCK(about.st_mode)) {
        return;
    }
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0) {
        return;
    }
    if (connect(probe, &address->as.any, address->size) != 0 && errno == ECONNREFUSED) {
        unlink(address->as.local.sun_path);
    }
    close(probe);
}

static bool bind_and_listen(int descriptor, const socket_address *address) {
    int family = address->as.any.sa_family;
    set_options(descriptor, family);
    if (family == AF_UNIX) {
        remove_stale(address);
    }
    if (bind(descriptor, &address->as.any, address->size) != 0) {
        return false;
    }
    if (family == AF_UNIX && chmod(address->as.local.sun_path, 0600) != 0) {
        return false;
    }
    return listen(descriptor, LISTEN_BACKLOG) == 0;
}

static loam_status fail_listening(const char *address, uint16_t port, int failure,
                                  loam_error *error) {
    if (strncmp(address, local_prefix, sizeof local_prefix - 1) == 0) {
        return loam_fail(error, LOAM_IO, NULL, "cannot listen on %s: %s", address,
                         strerror(failure));
    }
    return loam_fail(error, LOAM_IO, NULL, "cannot listen on %s:%u: %s", address, (unsigned)port,
                     strerror(failure));
}

loam_status address_listen(const char *address, uint16_t port, listening *to, loam_error *error) {
    socket_address wanted = {0};
    bool is_local = strncmp(address, local_prefix, sizeof local_prefix - 1) == 0;
    const char *path = address + sizeof local_prefix - 1;
    if (is_local) {
        LOAM_TRY(read_local(path, &wanted, error));
    } else {
        LOAM_TRY(read_internet(address, port, &wanted, error));
    }
    int descriptor = socket(wanted.as.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0 || !bind_and_listen(descriptor, &wanted)) {
        int failure = errno;
        if (descriptor >= 0) {
            close(descriptor);
        }
        return fail_listening(address, port, failure, error);
    }
    *to = (listening){descriptor, bound_port(descriptor), is_local ? path : NULL};
    return LOAM_OK;
}
