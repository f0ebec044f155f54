/* SPDX-License-Identifier: MIT
 *
 * job_post.h: jobs asked for, and what clients do to them: cancellation, pause, resumption,
 * retries.
 */
#ifndef LOAM_SERVER_FLOW_JOB_POST_H
#define LOAM_SERVER_FLOW_JOB_POST_H

#include "server/flow/job_slot.h"

extern const flow_step job_post_steps[];
extern const flow_step job_cancel_steps[];
extern const flow_step job_pause_steps[];
extern const flow_step job_resume_steps[];
extern const flow_step job_retry_steps[];

#endif
