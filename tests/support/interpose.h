/* SPDX-License-Identifier: MIT
 *
 * interpose.h: functions that stand before those of the C library with the same name: a program
 * that has them finds them first, for its libraries too.
 */
#ifndef LOAM_TESTS_SUPPORT_INTERPOSE_H
#define LOAM_TESTS_SUPPORT_INTERPOSE_H

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>

/* Points `function` at the C library's own. */
#define INTERPOSE_FIND(function, name) (*(void **)(&(function)) = dlsym(RTLD_NEXT, (name)))

/* open or open64, passed on with a mode that is 0 where none was given. */
#define INTERPOSE_OPEN(name, pass_on)                                                              \
    int name(const char *path, int flags, ...) {                                                   \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;                           \
        va_end(rest);                                                                              \
        return pass_on(path, flags, mode);                                                         \
    }

#endif
