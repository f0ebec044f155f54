/* SPDX-License-Identifier: MIT
 *
 * cancel.h: the flag by which another thread ends a computation.
 */
#ifndef LOAM_BASE_CANCEL_H
#define LOAM_BASE_CANCEL_H

#include <stdbool.h>
#include <stddef.h>

/* NULL: nobody can. */
static inline bool is_cancelled(const int *cancel) {
    return cancel != NULL && __atomic_load_n(cancel, __ATOMIC_RELAXED) != 0;
}

#endif
