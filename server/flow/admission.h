/* SPDX-License-Identifier: MIT
 *
 * admission.h: a request is judged by its headers, before any of its body is read: whether it has a
 * route, who asks, whether he may, and whether the daemon takes it on now.
 */
#ifndef LOAM_SERVER_FLOW_ADMISSION_H
#define LOAM_SERVER_FLOW_ADMISSION_H

#include "server/http/http.h"

/* Of http_handler; the context is the flow_state. Leaves the route as the request's user pointer,
 * or a refusal. */
void admission_judge(void *context, http_request *request, http_admission *admission);

#endif
