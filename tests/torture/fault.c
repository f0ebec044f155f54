/* SPDX-License-Identifier: MIT
 *
 * fault.c: linked into a loamd of its own, it stands between the daemon, with all its libraries,
 * and the C library, counts the calls that may fail and lets one fail. LOAM_FAULT names which:
 *
 *   memory:N   the N-th allocation gives NULL
 *   disk:N     the N-th write, sync, cut, rename or opening for writing of a file fails (no space)
 *   full:N     and all after it
 *   read:N     the N-th read of a file fails (input/output error)
 *   socket:N   the N-th accept, receive or send fails
 *   thread:N   the N-th start of a thread fails
 *
 * LOAM_FAULT_REPORT names a file that is written at the end with what was counted. The names of the
 * C library resolve to those here first, for the libraries too, under sanitizers as well.
 */
#include "tests/support/interpose.h"

#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* The libraries are to find these. */
#pragma GCC visibility push(default)

typedef enum fault_class {
    FAULT_MEMORY,
    FAULT_DISK,
    FAULT_READ,
    FAULT_SOCKET,
    FAULT_THREAD,
    FAULT_CLASSES,
    FAULT_NONE = FAULT_CLASSES,
} fault_class;

static const char *const names[FAULT_CLASSES] = {"memory", "disk", "read", "socket", "thread"};

static atomic_long counted[FAULT_CLASSES];
static fault_class chosen = FAULT_NONE;
static long chosen_call;
static bool from_then_on;
static const char *report;

/* The sanitizers allocate before their shadow memory is there: what runs then is not instrumented.
 */
#define BARE __attribute__((no_sanitize("address", "undefined")))

BARE static bool fails(fault_class of) {
    long call = atomic_fetch_add_explicit(&counted[of], 1, memory_order_relaxed) + 1;
    return of == chosen && (from_then_on ? call >= chosen_call : call == chosen_call);
}

/* "full:12" is disk from the twelfth call on. */
static void choose(const char *text) {
    const char *number = strchr(text, ':');
    if (number == NULL) {
        return;
    }
    from_then_on = strncmp(text, "full:", 5) == 0;
    for (int i = 0; i < FAULT_CLASSES; i++) {
        if (strncmp(text, names[i], (size_t)(number - text)) == 0) {
            chosen = (fault_class)i;
        }
    }
    if (from_then_on) {
        chosen = FAULT_DISK;
    }
    chosen_call = strtol(number + 1, NULL, 10);
}

__attribute__((destructor)) static void write_report(void) {
    FILE *file = NULL;
    chosen = FAULT_NONE;
    if (report != NULL) {
        file = fopen(report, "we");
    }
    for (int i = 0; file != NULL && i < FAULT_CLASSES; i++) {
        fprintf(file, "%s %ld\n", names[i], atomic_load(&counted[i]));
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* ---- Memory --------------------------------------------------------------------------------- */

#ifdef __SANITIZE_ADDRESS__
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *old, size_t size);

BARE void *malloc(size_t size) {
    if (fails(FAULT_MEMORY)) {
        errno = ENOMEM;
        return NULL;
    }
    return REAL(malloc)(size);
}

BARE void *calloc(size_t count, size_t size) {
    if (fails(FAULT_MEMORY)) {
        errno = ENOMEM;
        return NULL;
    }
    return REAL(calloc)(count, size);
}

BARE void *realloc(void *old, size_t size) {
    if (fails(FAULT_MEMORY)) {
        errno = ENOMEM;
        return NULL;
    }
    return REAL(realloc)(old, size);
}

/* ---- What all others share ------------------------------------------------------------------ */

/* Files alone: the daemon wakes its own threads through pipes and counters. */
BARE static bool is_file(int descriptor) {
    struct stat state;
    int kept = errno;
    bool file = fstat(descriptor, &state) == 0 && S_ISREG(state.st_mode);
    errno = kept;
    return file;
}

BARE static bool is_socket(int descriptor) {
    struct stat state;
    int kept = errno;
    bool socket = fstat(descriptor, &state) == 0 && S_ISSOCK(state.st_mode);
    errno = kept;
    return socket;
}

/* X(type, name, parameters, arguments, class, whether it counts, errno): a call that is passed on.
 */
#define CALLS(X)                                                                                   \
    X(ssize_t, write, (int file, const void *from, size_t size), (file, from, size), FAULT_DISK,   \
      is_file(file), ENOSPC)                                                                       \
    X(ssize_t, pwrite, (int file, const void *from, size_t size, off_t at),                        \
      (file, from, size, at), FAULT_DISK, is_file(file), ENOSPC)                                   \
    X(ssize_t, pwrite64, (int file, const void *from, size_t size, off64_t at),                    \
      (file, from, size, at), FAULT_DISK, is_file(file), ENOSPC)                                   \
    X(int, fsync, (int file), (file), FAULT_DISK, true, EIO)                                       \
    X(int, fdatasync, (int file), (file), FAULT_DISK, true, EIO)                                   \
    X(int, ftruncate, (int file, off_t size), (file, size), FAULT_DISK, is_file(file), EIO)        \
    X(int, ftruncate64, (int file, off64_t size), (file, size), FAULT_DISK, is_file(file), EIO)    \
    X(int, rename, (const char *from, const char *to), (from, to), FAULT_DISK, true, EIO)          \
    X(int, mkdir, (const char *path, mode_t mode), (path, mode), FAULT_DISK, true, ENOSPC)         \
    X(ssize_t, read, (int file, void *to, size_t size), (file, to, size), FAULT_READ,              \
      is_file(file), EIO)                                                                          \
    X(ssize_t, pread, (int file, void *to, size_t size, off_t at), (file, to, size, at),           \
      FAULT_READ, is_file(file), EIO)                                                              \
    X(ssize_t, pread64, (int file, void *to, size_t size, off64_t at), (file, to, size, at),       \
      FAULT_READ, is_file(file), EIO)                                                              \
    X(ssize_t, send, (int to, const void *from, size_t size, int flags), (to, from, size, flags),  \
      FAULT_SOCKET, true, ECONNRESET)                                                              \
    X(ssize_t, sendmsg, (int to, const struct msghdr *message, int flags), (to, message, flags),   \
      FAULT_SOCKET, is_socket(to), ECONNRESET)                                                     \
    X(ssize_t, recv, (int from, void *to, size_t size, int flags), (from, to, size, flags),        \
      FAULT_SOCKET, true, ECONNRESET)                                                              \
    X(int, accept4, (int at, __SOCKADDR_ARG from, socklen_t *size, int flags),                     \
      (at, from, size, flags), FAULT_SOCKET, true, EMFILE)                                         \
    X(int, pthread_create,                                                                         \
      (pthread_t * thread, const pthread_attr_t *how, void *(*body)(void *), void *context),       \
      (thread, how, body, context), FAULT_THREAD, true, 0)

#define RESOLVE(type, name, parameters, arguments, class, counts, code)                            \
    if (real_##name == NULL) {                                                                     \
        INTERPOSE_FIND(real_##name, #name);                                                        \
    }

/* Start-up code of libraries calls some before begin() has looked all of them up. */
#define DEFINE(type, name, parameters, arguments, class, counts, code)                             \
    static type(*real_##name) parameters;                                                          \
    BARE type name parameters {                                                                    \
        RESOLVE(type, name, parameters, arguments, class, counts, code)                            \
        if ((counts) && fails(class)) {                                                            \
            errno = code;                                                                          \
            return (class) == FAULT_THREAD ? (type)EAGAIN : (type)-1;                              \
        }                                                                                          \
        return real_##name arguments;                                                              \
    }

CALLS(DEFINE)

/* ---- Opening, which takes a mode now and then ----------------------------------------------- */

static bool opens_to_write(const char *path, int flags) {
    bool system = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    return !system && ((flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0);
}

static int open_real(const char *path, int flags, mode_t mode) {
    static int (*real_openat)(int, const char *, int, ...);
    if (real_openat == NULL) {
        INTERPOSE_FIND(real_openat, "openat64");
    }
    if (opens_to_write(path, flags) && fails(FAULT_DISK)) {
        errno = ENOSPC;
        return -1;
    }
    return real_openat(AT_FDCWD, path, flags, mode);
}

INTERPOSE_OPEN(open, open_real)
INTERPOSE_OPEN(open64, open_real)

/* ---- Where it crashed ----------------------------------------------------------------------- */

#ifndef __SANITIZE_ADDRESS__
enum { FRAMES_MAX = 48 };

/* Addresses for addr2line; then the signal does what it always does. */
static void tell_where(int number) {
    void *frames[FRAMES_MAX];
    chosen = FAULT_NONE;
    backtrace_symbols_fd(frames, backtrace(frames, FRAMES_MAX), STDERR_FILENO);
    signal(number, SIG_DFL);
    raise(number);
}

/* The first look at a stack loads a library, which a broken heap could not. */
static void watch_crashes(void) {
    static const int crashes[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE};
    void *frame;
    (void)backtrace(&frame, 1);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
        signal(crashes[i], tell_where);
    }
}
#else
static void watch_crashes(void) {
}
#endif

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("LOAM_FAULT");
    CALLS(RESOLVE)
    watch_crashes();
    report = getenv("LOAM_FAULT_REPORT");
    if (text != NULL) {
        choose(text);
    }
}

#pragma GCC visibility pop
