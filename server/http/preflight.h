/* SPDX-License-Identifier: MIT
 *
 * preflight.h: CORS, for pages of an allowed origin: the question that a browser asks first, and
 * the fields without which it hides the answer from the page (fetch.spec.whatwg.org, section 3.2).
 */
#ifndef LOAM_SERVER_HTTP_PREFLIGHT_H
#define LOAM_SERVER_HTTP_PREFLIGHT_H

#include "server/http/http_state.h"

enum { PREFLIGHT_ANSWER_FIELDS = 3 };

bool preflight_is_asked(http_request *request);
/* Owned; NULL when memory is short. */
LOAM_MUST_USE http_response *preflight_answer(void);
/* What an answer says about origins. Fills at most PREFLIGHT_ANSWER_FIELDS, which borrow from the
 * request, and returns how many. */
size_t preflight_answer_fields(const http_request *request, http_field *fields);

#endif
