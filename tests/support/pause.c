/* SPDX-License-Identifier: MIT
 *
 * pause.c: see pause.h.
 */
#include "tests/support/pause.h"

#include <time.h>

void pause_ms(uint32_t milliseconds) {
    struct timespec span = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    (void)nanosleep(&span, NULL);
}
