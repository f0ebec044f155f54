/* SPDX-License-Identifier: MIT
 *
 * daemon.h: the parts of loamd put together, run, and taken apart in the right order.
 */
#ifndef LOAM_SERVER_DAEMON_H
#define LOAM_SERVER_DAEMON_H

#include "server/config/config.h"

/* Runs until a signal ends it. The error is one sentence for stderr: what could not be had. */
LOAM_MUST_USE loam_status daemon_run(const config *settings, loam_error *error);

#endif
