/* SPDX-License-Identifier: MIT
 *
 * real.h: the C library's own functions, for the machine that stands before them.
 */
#ifndef LOAM_TESTS_DISASTER_REAL_H
#define LOAM_TESTS_DISASTER_REAL_H

#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

struct epoll_event;

/* X(type, name, parameters): looked up before main. */
#define REAL_CALLS(X)                                                                              \
    X(int, pthread_create,                                                                         \
      (pthread_t * thread, const pthread_attr_t *how, void *(*body)(void *), void *context))       \
    X(int, pthread_join, (pthread_t thread, void **result))                                        \
    X(int, pthread_mutex_lock, (pthread_mutex_t * mutex))                                          \
    X(int, pthread_mutex_trylock, (pthread_mutex_t * mutex))                                       \
    X(int, pthread_mutex_unlock, (pthread_mutex_t * mutex))                                        \
    X(int, poll, (struct pollfd * polled, nfds_t count, int timeout_ms))                           \
    X(int, epoll_wait, (int set, struct epoll_event *events, int max, int timeout_ms))             \
    X(int, clock_gettime, (clockid_t clock, struct timespec * now))                                \
    X(int, nanosleep, (const struct timespec *span, struct timespec *left))                        \
    X(int, openat64, (int folder, const char *path, int flags, ...))                               \
    X(int, close, (int file))                                                                      \
    X(ssize_t, write, (int file, const void *from, size_t size))                                   \
    X(ssize_t, pwrite64, (int file, const void *from, size_t size, off64_t at))                    \
    X(ssize_t, read, (int file, void *to, size_t size))                                            \
    X(ssize_t, pread64, (int file, void *to, size_t size, off64_t at))                             \
    X(int, fsync, (int file))                                                                      \
    X(int, fdatasync, (int file))                                                                  \
    X(int, ftruncate64, (int file, off64_t size))                                                  \
    X(int, rename, (const char *from, const char *to))                                             \
    X(int, unlink, (const char *path))                                                             \
    X(int, unlinkat, (int folder, const char *path, int flags))                                    \
    X(int, mkdir, (const char *path, mode_t mode))                                                 \
    X(int, rmdir, (const char *path))                                                              \
    X(ssize_t, getrandom, (void *to, size_t size, unsigned flags))

#define REAL_DECLARE(type, name, parameters) extern type(*real_##name) parameters;
REAL_CALLS(REAL_DECLARE)
#undef REAL_DECLARE

#endif
