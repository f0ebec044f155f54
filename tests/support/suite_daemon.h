/* SPDX-License-Identifier: MIT
 *
 * suite_daemon.h: the daemon of a suite whose every test has one of its own, from before the test
 * until behind it: TestSuite(NAME, .init = server_start, .fini = server_stop).
 */
#ifndef LOAM_TESTS_SUPPORT_SUITE_DAEMON_H
#define LOAM_TESTS_SUPPORT_SUITE_DAEMON_H

#include "tests/support/daemon.h"

extern test_daemon server;

/* In a fresh folder, as it starts when nothing is said. */
void server_start(void);
/* The same, with the world "forest". */
void server_start_forest(void);
/* Ends it, which must go well, and removes its folder. */
void server_stop(void);

#endif
