/* SPDX-License-Identifier: MIT
 *
 * suite_daemon.c: see suite_daemon.h.
 */
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>

test_daemon server;

void server_start(void) {
    server = daemon_start(NULL, NULL);
}

void server_start_forest(void) {
    server_start();
    forest_put(&server);
}

void server_stop(void) {
    cr_expect_eq(daemon_end(&server), 0, "the daemon did not end well");
    daemon_remove_folder(&server);
}
