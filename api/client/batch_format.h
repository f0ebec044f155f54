/* SPDX-License-Identifier: MIT
 *
 * batch_format.h: the request for a batch of cells, and the numbers of its answer
 * (api/view/BATCH.md). Who reads an answer in memory and who takes it as it comes share them.
 */
#ifndef API_CLIENT_BATCH_FORMAT_H
#define API_CLIENT_BATCH_FORMAT_H

#include "api/client/disk_cache.h"
#include "api/client/loam_client.h"
#include "api/wire/text_buffer.h"

enum {
    BATCH_HEAD_BYTES = 16,  /* before the first cell */
    BATCH_ENTRY_BYTES = 96, /* before what comes of a cell */
    BATCH_ALIGNMENT_BYTES = 8,
    /* 256 cells, each with three numbers and a digest, their signs and quotes */
    BATCH_REQUEST_BYTES_MAX = 1 << 18,
};

extern const char batch_media_type[];

/* A cell of the request. */
typedef struct batch_question {
    loam_client_place place;
    const digest *has; /* on the disk, or NULL */
} batch_question;

/* What stands before the bytes of a cell. */
typedef struct batch_entry_head {
    loam_client_place place;
    int http_status;
    digest build_key;
    digest id;
    uint64_t size;
} batch_entry_head;

/* "/v1/worlds/WORLD/cell-batches"; false when it does not fit. */
LOAM_MUST_USE bool batch_path(const char *world, char *path, size_t capacity);
void batch_question_put(text_buffer *json, const char *output, const batch_question *questions,
                        size_t count);

/* Whether an answer of so many cells begins like that. */
bool batch_head_is_right(const unsigned char head[BATCH_HEAD_BYTES], size_t count);
void batch_entry_read(const unsigned char bytes[BATCH_ENTRY_BYTES], batch_entry_head *head);
/* Whether it tells of this place. */
bool batch_entry_is_of(const batch_entry_head *head, const loam_client_place *place);
/* Zero bytes behind the bytes of a cell. */
size_t batch_padding(uint64_t size);

#endif
