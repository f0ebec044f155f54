/* SPDX-License-Identifier: MIT
 *
 * job_submit.h: what commands that submit a job have in common.
 */
#ifndef API_CLI_JOB_SUBMIT_H
#define API_CLI_JOB_SUBMIT_H

#include "api/cli/options.h"

/* Submits a job's document, prints its id and, with --wait, waits for its end; the exit code. */
int job_submit(const cli_arguments *arguments, const char *document);

#endif
