/* SPDX-License-Identifier: MIT
 *
 * try.h: forwards a failed call to the caller.
 */
#ifndef LOAM_BASE_TRY_H
#define LOAM_BASE_TRY_H

#include "core/loam.h"

#define LOAM_TRY(call)                                                                             \
    do {                                                                                           \
        loam_status try_status = (call);                                                           \
        if (try_status != LOAM_OK) {                                                               \
            return try_status;                                                                     \
        }                                                                                          \
    } while (0)

/* A pointer that must be there: NULL from an arena means that it is full. */
#define LOAM_TRY_MEMORY(pointer, error)                                                            \
    do {                                                                                           \
        if ((pointer) == NULL) {                                                                   \
            return loam_fail((error), LOAM_ARENA_FULL, NULL, "%s",                                 \
                             loam_status_text(LOAM_ARENA_FULL));                                   \
        }                                                                                          \
    } while (0)

#endif
