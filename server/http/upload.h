/* SPDX-License-Identifier: MIT
 *
 * upload.h: a body on its way to a file. All file calls run on the I/O thread: a disk that stalls
 * must not stall the loop. One block fills while the other is written; a client that is faster than
 * the disk waits.
 */
#ifndef LOAM_SERVER_HTTP_UPLOAD_H
#define LOAM_SERVER_HTTP_UPLOAD_H

#include "server/http/http_state.h"

/* For `request`, which is told by request_body_stored when a block has been written. The file
 * UPLOAD_FOLDER/<request id>.part is made with the first one. NULL when memory is short. */
LOAM_MUST_USE upload *upload_create(http_request *request);
/* How many of the bytes it took; less than `size` when both blocks are full. */
size_t upload_take(upload *upload, const char *bytes, size_t size);
/* Writes the rest and closes the file; the request is told. */
void upload_finish(upload *upload);
/* Closes and removes the file, if it is still there, and frees the upload; later, when a block is
 * being written. The request is told no more. */
void upload_abandon(upload *upload);
/* Borrowed from the upload. */
const char *upload_path(const upload *upload);

#endif
