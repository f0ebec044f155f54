/* SPDX-License-Identifier: MIT
 *
 * job_events.h: GET /v1/jobs/{id}/events: the job's document as it changes, at most four times a
 * second, and once more, as "finished", when it has ended.
 */
#ifndef LOAM_SERVER_JOB_JOB_EVENTS_H
#define LOAM_SERVER_JOB_JOB_EVENTS_H

#include "server/slot/step.h"

extern const flow_step job_events_steps[];

#endif
