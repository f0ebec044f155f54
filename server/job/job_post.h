/* SPDX-License-Identifier: MIT
 *
 * job_post.h: jobs asked for: anew, and once more when they failed.
 */
#ifndef LOAM_SERVER_JOB_JOB_POST_H
#define LOAM_SERVER_JOB_JOB_POST_H

#include "server/job/job_slot.h"

extern const flow_step job_post_steps[];
extern const flow_step job_retry_steps[];

#endif
