/* SPDX-License-Identifier: MIT
 *
 * control_rows.h: the inside of control requests: memory of results, and one function per
 * operation, grouped by what the rows are about.
 */
#ifndef LOAM_SERVER_STORE_CONTROL_ROWS_H
#define LOAM_SERVER_STORE_CONTROL_ROWS_H

#include "server/store/control_writer.h"

/* Room for one row more of `row_bytes`, cleared; the array may move. NULL when there is no memory.
 */
LOAM_MUST_USE void *result_row(control_result *result, size_t row_bytes);
/* A copy of a text column, kept by the result; empty when there is no memory or no text. */
loam_text result_text(control_result *result, sqlite3_stmt *statement, int column);
/* The rows so far. */
void *result_rows(const control_result *result);

/* Reads the current row of a statement into one value. */
typedef bool (*row_reader)(control_result *result, sqlite3_stmt *statement);
/* Reads every row of a bound statement. */
LOAM_MUST_USE loam_status result_read(control_result *result, sqlite3_stmt *statement,
                                      row_reader read, loam_error *error);
bool read_asset(control_result *result, sqlite3_stmt *statement);
bool read_document(control_result *result, sqlite3_stmt *statement);
bool read_world(control_result *result, sqlite3_stmt *statement);
bool read_revision(control_result *result, sqlite3_stmt *statement);
bool read_job(control_result *result, sqlite3_stmt *statement);
bool read_task(control_result *result, sqlite3_stmt *statement);

/* The number in the first column of a bound statement; *found is false without a row. */
LOAM_MUST_USE loam_status control_number(sqlite3_stmt *statement, bool *found, int64_t *number,
                                         loam_error *error);
int64_t control_limit(const control_request *request);
/* LOAM_NOT_FOUND unless the result has a row. */
loam_status control_expect_row(const control_request *request, loam_error *error);
/* LOAM_PRECONDITION_FAILED unless the request's premise holds of what has the name; NULL: nothing.
 */
LOAM_MUST_USE loam_status control_check_premise(const control_request *request, const digest *there,
                                                loam_error *error);

LOAM_MUST_USE loam_status digest_list_add(digest_list *list, const digest *added,
                                          loam_error *error);

typedef loam_status (*control_function)(control_writer *writer, control_request *request,
                                        loam_error *error);

loam_status control_asset_put(control_writer *writer, control_request *request, loam_error *error);
loam_status control_asset_get(control_writer *writer, control_request *request, loam_error *error);
loam_status control_asset_list(control_writer *writer, control_request *request, loam_error *error);
loam_status control_asset_delete(control_writer *writer, control_request *request,
                                 loam_error *error);
/* Deletes the row of an asset that no name and no revision holds, and notes its files. */
LOAM_MUST_USE loam_status control_asset_drop(control_writer *writer, const digest *unused,
                                             loam_error *error);

loam_status control_document_put(control_writer *writer, control_request *request,
                                 loam_error *error);
loam_status control_documents_put(control_writer *writer, control_request *request,
                                  loam_error *error);
loam_status control_document_get(control_writer *writer, control_request *request,
                                 loam_error *error);

loam_status control_world_put(control_writer *writer, control_request *request, loam_error *error);
loam_status control_world_get(control_writer *writer, control_request *request, loam_error *error);
loam_status control_world_list(control_writer *writer, control_request *request, loam_error *error);
loam_status control_world_delete(control_writer *writer, control_request *request,
                                 loam_error *error);
loam_status control_revision_get(control_writer *writer, control_request *request,
                                 loam_error *error);
loam_status control_revision_list(control_writer *writer, control_request *request,
                                  loam_error *error);

loam_status control_job_insert(control_writer *writer, control_request *request, loam_error *error);
loam_status control_job_update(control_writer *writer, control_request *request, loam_error *error);
loam_status control_job_get(control_writer *writer, control_request *request, loam_error *error);
loam_status control_job_list(control_writer *writer, control_request *request, loam_error *error);
loam_status control_job_results(control_writer *writer, control_request *request,
                                loam_error *error);

#endif
