/* SPDX-License-Identifier: MIT
 *
 * address.c: reading the address, binding, listening.
 */
#include "server/http/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
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

/* Whether an address may be listened on, for who is on the net there. */
static loam_status check_reach(const peer_address *address, const char *name,
                               http_exposure exposure, loam_error *error) {
    if (peer_is_loopback(address) || exposure == EXPOSURE_ANY) {
        return LOAM_OK;
    }
    return exposure == EXPOSURE_LOOPBACK
               ? loam_fail(error, LOAM_FORBIDDEN, NULL,
                           "without tokens only a loopback address is listened on, not %s "
                           "(--tokens FILE)",
                           name)
               : loam_fail(error, LOAM_FORBIDDEN, NULL,
                           "beyond loopback tokens need TLS, or anybody on the way reads them: %s "
                           "(--tls-cert and --tls-key, or --plaintext)",
                           name);
}

static loam_status read_internet(const listen_wish *wish, socket_address *to, loam_error *error) {
    char bare[INET6_ADDRSTRLEN];
    peer_address peer;
    bool fits = copy_bare(wish->address, bare, sizeof bare);
    if (fits && strcmp(bare, "localhost") == 0) {
        strcpy(bare, "127.0.0.1");
    }
    if (fits && inet_pton(AF_INET, bare, &to->as.v4.sin_addr) == 1) {
        to->as.v4.sin_family = AF_INET;
        to->as.v4.sin_port = htons(wish->port);
        to->size = sizeof to->as.v4;
    } else if (fits && inet_pton(AF_INET6, bare, &to->as.v6.sin6_addr) == 1) {
        to->as.v6.sin6_family = AF_INET6;
        to->as.v6.sin6_port = htons(wish->port);
        to->size = sizeof to->as.v6;
    } else {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "not an address to listen on: %s",
                         wish->address);
    }
    peer_of_socket(&to->as.any, &peer);
    if (to->as.any.sa_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&to->as.v6.sin6_addr)) {
        return loam_fail(error, LOAM_FORBIDDEN, NULL,
                         "an IPv4 address is listened on as such, not as %s", wish->address);
    }
    return check_reach(&peer, wish->address, wish->exposure, error);
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

static bool bind_and_listen(int descriptor, const socket_address *address, uint32_t local_mode) {
    int family = address->as.any.sa_family;
    set_options(descriptor, family);
    if (family == AF_UNIX) {
        remove_stale(address);
    }
    if (bind(descriptor, &address->as.any, address->size) != 0) {
        return false;
    }
    if (family == AF_UNIX && chmod(address->as.local.sun_path, local_mode) != 0) {
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

loam_status address_listen(const listen_wish *wish, listening *to, loam_error *error) {
    socket_address wanted = {0};
    bool is_local = strncmp(wish->address, local_prefix, sizeof local_prefix - 1) == 0;
    const char *path = wish->address + (is_local ? sizeof local_prefix - 1 : 0);
    if (is_local) {
        LOAM_TRY(read_local(path, &wanted, error));
    } else {
        LOAM_TRY(read_internet(wish, &wanted, error));
    }
    int descriptor = socket(wanted.as.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    uint32_t local_mode = wish->local_mode == 0 ? 0600 : wish->local_mode;
    if (descriptor < 0 || !bind_and_listen(descriptor, &wanted, local_mode)) {
        int failure = errno;
        if (descriptor >= 0) {
            close(descriptor);
        }
        return fail_listening(wish->address, wish->port, failure, error);
    }
    *to = (listening){descriptor, bound_port(descriptor), is_local, is_local ? path : NULL};
    return LOAM_OK;
}

static bool is_listening(int descriptor) {
    int listens = 0;
    socklen_t size = sizeof listens;
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0;
}

loam_status address_adopt(int descriptor, http_exposure exposure, listening *to,
                          loam_error *error) {
    socket_address bound = {.size = sizeof bound.as};
    peer_address peer;
    char name[PEER_TEXT_BYTES];
    int flags = fcntl(descriptor, F_GETFL);
    if (!is_listening(descriptor) || flags < 0 ||
        fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0 ||
        fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0 ||
        getsockname(descriptor, &bound.as.any, &bound.size) != 0) {
        return loam_fail(error, LOAM_IO, NULL, "descriptor %d is no socket that listens",
                         descriptor);
    }
    bool is_local = bound.as.any.sa_family == AF_UNIX;
    if (peer_of_socket(&bound.as.any, &peer)) {
        peer_write(&peer, name);
        LOAM_TRY(check_reach(&peer, name, exposure, error));
    } else if (!is_local) {
        return loam_fail(error, LOAM_IO, NULL, "descriptor %d is a socket of another family",
                         descriptor);
    }
    *to = (listening){descriptor, bound_port(descriptor), is_local, NULL};
    return LOAM_OK;
}
