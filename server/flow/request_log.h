/* SPDX-License-Identifier: MIT
 *
 * request_log.h: what is told of a request that has ended, and of what HTTP has to say: a line of
 * the log, and metrics.
 */
#ifndef LOAM_SERVER_FLOW_REQUEST_LOG_H
#define LOAM_SERVER_FLOW_REQUEST_LOG_H

#include "server/http/http.h"

/* Of http_handler; the context is not looked at. */
void request_log_finish(void *context, const http_finish *finish);
void request_log_note(void *context, const char *text, uint64_t dropped);

#endif
