/* SPDX-License-Identifier: MIT
 *
 * assert.h: LOAM_ASSERT stays on in release builds, for what cannot happen; client data is never
 * asserted, it is answered with an error.
 */
#ifndef LOAM_BASE_ASSERT_H
#define LOAM_BASE_ASSERT_H

#define LOAM_ASSERT(condition)                                                                     \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0)) {                                                   \
            __builtin_trap();                                                                      \
        }                                                                                          \
    } while (0)

#endif
