/* SPDX-License-Identifier: MIT
 *
 * access.h: what the library calls for each request, in the order of the calls: the request line,
 * the headers, pieces of the body, its end, and the end of the answer.
 */
#ifndef LOAM_SERVER_HTTP_ACCESS_H
#define LOAM_SERVER_HTTP_ACCESS_H

#include "server/http/http_state.h"

/* The request line is in: makes the request, which the library carries from here. */
void *access_name(void *server, const char *target, struct MHD_Connection *mhd);
/* The rest, by the request's step. */
enum MHD_Result access_step(void *server, struct MHD_Connection *mhd, const char *url,
                            const char *method, const char *version, const char *bytes,
                            size_t *size, void **state);
void access_completed(void *server, struct MHD_Connection *mhd, void **state,
                      enum MHD_RequestTerminationCode code);
/* Leaves the target as it came: it is decoded by us, in one place. */
size_t access_keep_encoded(void *server, struct MHD_Connection *mhd, char *text);

#endif
