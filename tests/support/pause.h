/* SPDX-License-Identifier: MIT
 *
 * pause.h: a thread of a test that has to let time pass.
 */
#ifndef LOAM_TESTS_SUPPORT_PAUSE_H
#define LOAM_TESTS_SUPPORT_PAUSE_H

#include <stdint.h>

void pause_ms(uint32_t milliseconds);

#endif
