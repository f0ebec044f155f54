/* SPDX-License-Identifier: MIT
 *
 * job_calls.h: jobs of a daemon, as tests send and look at them.
 */
#ifndef LOAM_TESTS_SUPPORT_JOB_CALLS_H
#define LOAM_TESTS_SUPPORT_JOB_CALLS_H

#include "tests/support/daemon.h"

enum { JOB_ID_TEXT_BYTES = 64 };

/* Sends the job, which is a new one, and keeps its id. */
void job_post(const test_daemon *daemon, const char *document, char id[JOB_ID_TEXT_BYTES]);
/* Its document; owned. */
json_t *job_get(const test_daemon *daemon, const char *id);
bool job_is(const test_daemon *daemon, const char *id, const char *state);
/* A number of its document. */
json_int_t job_count(const test_daemon *daemon, const char *id, const char *key);

#endif
