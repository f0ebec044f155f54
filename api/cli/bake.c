/* SPDX-License-Identifier: MIT
 *
 * bake.c: one cell of a bake and the folder's manifest. The cell is written before its key: a
 * key file never speaks of bytes that are not there.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/cli/bake.h"
#include "api/cli/cell_checks.h"
#include "api/cli/cell_file.h"
#include "api/cli/output.h"
#include "core/base/text.h"
#include "core/base/try.h"

#define MANIFEST_BYTES_MAX ((size_t)1 << 30)

static int64_t cell_x(const bake *work, uint64_t index) {
    return work->x0 + (int64_t)(index % work->columns);
}

static int64_t cell_z(const bake *work, uint64_t index) {
    return work->z0 + (int64_t)(index / work->columns);
}

static loam_status cell_path(const bake *work, uint64_t index, const char *extension,
                             char path[SHELF_PATH_BYTES], loam_error *error) {
    return cell_file_path(work->folder, cell_x(work, index), cell_z(work, index), extension, path,
                          error);
}

/* Reads a file that may be missing or damaged: both mean that the cell is made anew. */
static bool file_read(const char *path, size_t bytes_max, loam_text *content) {
    loam_error ignored = {0};
    return access(path, R_OK) == 0 && input_read(path, bytes_max, content, &ignored) == LOAM_OK;
}

static bool key_file_parse(loam_text content, bake_cell *cell) {
    const size_t line = DIGEST_TEXT_SIZE + 1;
    return content.size == 2 * line &&
           digest_parse((loam_text){content.bytes, DIGEST_TEXT_SIZE}, &cell->key) &&
           digest_parse((loam_text){content.bytes + line, DIGEST_TEXT_SIZE}, &cell->id);
}

static bool key_file_read(const char *path, bake_cell *cell) {
    loam_text content;
    if (!file_read(path, CELL_KEY_FILE_BYTES_MAX, &content)) {
        return false;
    }
    bool read = key_file_parse(content, cell);
    free((void *)(uintptr_t)content.bytes);
    return read;
}

/* `content` is owned when it is as it was made. */
static bool cell_file_check(const char *path, bake_cell *cell, loam_text *content) {
    if (!file_read(path, CELL_FILE_BYTES_MAX, content)) {
        return false;
    }
    digest found = digest_of(content->bytes, content->size);
    cell->bytes = content->size;
    if (digest_equal(&found, &cell->id)) {
        return true;
    }
    free((void *)(uintptr_t)content->bytes);
    return false;
}

static bool cell_is_current(const char *bytes_file, const char *key_file, const digest *key,
                            bake_cell *cell, loam_text *content) {
    return key_file_read(key_file, cell) && digest_equal(&cell->key, key) &&
           cell_file_check(bytes_file, cell, content);
}

static bool is_checked(const bake *work) {
    return !work->unchecked && cell_checks_wanted(work->offline);
}

/* Checks are not in the key: what was made earlier may be judged otherwise now. */
static loam_status check_kept(const bake *work, loam_rect rect, loam_text content,
                              offline_cell *scratch, loam_error *error) {
    scratch->verdict = (loam_verdict){0};
    loam_status status = !is_checked(work) ? LOAM_OK
                                           : cell_checks_read(work->offline, rect, content,
                                                              &work->run, scratch, error);
    free((void *)(uintptr_t)content.bytes);
    return status;
}

static loam_status files_write(const bake *work, uint64_t index, const offline_cell *made,
                               loam_error *error) {
    char key[DIGEST_TEXT_BYTES];
    char id[DIGEST_TEXT_BYTES];
    digest_text(&made->key, key);
    digest_text(&made->id, id);
    return cell_file_write(work->folder, cell_x(work, index), cell_z(work, index),
                           &(cell_file){{(const char *)made->bytes, made->size}, key, id}, error);
}

loam_status bake_one(const bake *work, uint64_t index, offline_cell *scratch, bake_cell *result,
                     loam_error *error) {
    char bytes_file[SHELF_PATH_BYTES];
    char key_file[SHELF_PATH_BYTES];
    loam_rect rect;
    LOAM_TRY(cell_path(work, index, ".cell", bytes_file, error));
    LOAM_TRY(cell_path(work, index, ".key", key_file, error));
    LOAM_TRY(world_cell(&work->offline->world, work->level, cell_x(work, index),
                        cell_z(work, index), &rect, error));
    LOAM_TRY(offline_key(work->offline, rect, scratch, error));
    loam_text content;
    if (cell_is_current(bytes_file, key_file, &scratch->key, result, &content)) {
        result->kept = true;
        LOAM_TRY(check_kept(work, rect, content, scratch, error));
        result->unfit = scratch->verdict.reason_count > 0;
        return LOAM_OK;
    }
    LOAM_TRY(offline_build(work->offline, rect, &work->run, scratch, error));
    *result = (bake_cell){.key = scratch->key, .id = scratch->id, .bytes = scratch->size};
    LOAM_TRY(files_write(work, index, scratch, error));
    scratch->verdict = (loam_verdict){0};
    if (is_checked(work)) {
        LOAM_TRY(cell_checks_run(work->offline, &work->run, scratch, error));
    }
    result->unfit = scratch->verdict.reason_count > 0;
    return LOAM_OK;
}

static void manifest_put_cell(text_buffer *buffer, const bake *work, uint64_t index) {
    const bake_cell *cell = &work->cells[index];
    buffer_open_object(buffer);
    buffer_key(buffer, "cell");
    buffer_open_array(buffer);
    buffer_integer(buffer, cell_x(work, index));
    buffer_integer(buffer, cell_z(work, index));
    buffer_close_array(buffer);
    buffer_key(buffer, "build_key");
    buffer_digest(buffer, &cell->key);
    buffer_key(buffer, "digest");
    buffer_digest(buffer, &cell->id);
    buffer_key(buffer, "bytes");
    buffer_unsigned(buffer, cell->bytes);
    if (cell->unfit) {
        buffer_key(buffer, "checks");
        buffer_string(buffer, "failed");
    }
    buffer_close_object(buffer);
}

static void manifest_put(text_buffer *buffer, const bake *work) {
    const loam_graph *graph = &work->offline->world.graph;
    buffer_open_object(buffer);
    buffer_key(buffer, "loam_bake");
    buffer_integer(buffer, 1);
    buffer_key(buffer, "revision");
    buffer_digest(buffer, &work->offline->world.revision);
    buffer_key(buffer, "output");
    buffer_string_text(buffer, graph->outputs[work->offline->output].name);
    buffer_key(buffer, "level");
    buffer_unsigned(buffer, work->level);
    buffer_key(buffer, "cells");
    buffer_open_array(buffer);
    for (uint64_t i = 0; i < (uint64_t)work->rows * work->columns; i++) {
        manifest_put_cell(buffer, work, i);
    }
    buffer_close_array(buffer);
    buffer_close_object(buffer);
    buffer_add_text(buffer, "\n");
}

loam_status bake_write_manifest(const bake *work, loam_error *error) {
    char path[SHELF_PATH_BYTES];
    text_buffer buffer;
    int length = snprintf(path, sizeof path, "%s/manifest.json", work->folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        return loam_fail(error, LOAM_IO, NULL, "the folder's name is too long");
    }
    buffer_init(&buffer, MANIFEST_BYTES_MAX);
    manifest_put(&buffer, work);
    loam_status status = buffer_status(&buffer);
    status = status == LOAM_OK
                 ? output_write(path, buffer.bytes, buffer.size, error)
                 : loam_fail(error, status, NULL, "the manifest of so many cells is too large");
    buffer_fini(&buffer);
    return status;
}
