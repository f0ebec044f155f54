/* SPDX-License-Identifier: MIT
 *
 * job_change.h: what clients do to a job under way: cancellation, pause, resumption.
 */
#ifndef LOAM_SERVER_JOB_JOB_CHANGE_H
#define LOAM_SERVER_JOB_JOB_CHANGE_H

#include "server/job/job_slot.h"

extern const flow_step job_cancel_steps[];
extern const flow_step job_pause_steps[];
extern const flow_step job_resume_steps[];

#endif
