/* SPDX-License-Identifier: MIT
 *
 * operator.h: what an operator asks of the daemon, by its unix socket, while one of its calls
 * fails; a backup that was answered as made is put in place of a data folder.
 */
#ifndef LOAM_TESTS_TORTURE_OPERATOR_H
#define LOAM_TESTS_TORTURE_OPERATOR_H

#include "tests/support/daemon.h"

#include <stdbool.h>

enum { BACKUP_NAME_BYTES = 48 };

/* daemon_try_start, in a folder that is there, with the socket and backups/ in it. */
bool operator_try_start(test_daemon *server, const char *const *args);
/* Evicts every result. */
void operator_collect(const test_daemon *server, const char *fault);
/* Statistics, a scrub, a backup: `name` stays empty unless one was answered as made. Fails the test
 * when what is well is said to be damaged. */
void operator_walk(const test_daemon *server, const char *fault, char name[BACKUP_NAME_BYTES]);
/* The folder of a daemon (of nothing else yet) whose data is this backup. */
test_daemon operator_restore(const test_daemon *made, const char *name);

#endif
