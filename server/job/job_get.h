/* SPDX-License-Identifier: MIT
 *
 * job_get.h: the list of jobs, one of them, its results.
 */
#ifndef LOAM_SERVER_JOB_JOB_GET_H
#define LOAM_SERVER_JOB_JOB_GET_H

#include "server/job/job_slot.h"

extern const flow_step job_list_steps[];
extern const flow_step job_get_steps[];
extern const flow_step job_results_steps[];

#endif
