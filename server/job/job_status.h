/* SPDX-License-Identifier: MIT
 *
 * job_status.h: a job as a client sees it, from its row in the store or from its entry in memory.
 */
#ifndef LOAM_SERVER_JOB_JOB_STATUS_H
#define LOAM_SERVER_JOB_JOB_STATUS_H

#include "api/wire/text_buffer.h"
#include "server/job/job_table.h"

/* 20 problems and the counts. */
#define JOB_DOCUMENT_BYTES_MAX ((size_t)64 << 10)

void job_row_write(const job_row *row, text_buffer *buffer);
void job_entry_write(const job_entry *entry, text_buffer *buffer);

#endif
