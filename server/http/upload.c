/* SPDX-License-Identifier: MIT
 *
 * upload.c: at most one task of an upload is with the I/O thread at a time; while it is (busy), the
 * members below "the I/O thread's" are that thread's alone.
 */
#include "server/http/upload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/http/request_body.h"

typedef struct upload_block {
    size_t size;
    char bytes[UPLOAD_BLOCK_BYTES];
} upload_block;

struct upload {
    pool_task task;
    worker_pool *io;
    http_request *request; /* NULL once abandoned */
    bool busy;
    bool finishing;
    uint8_t filling; /* index of the block that takes bytes; the other is written */
    upload_block blocks[2];
    /* The I/O thread's: */
    int descriptor;
    int failure; /* errno of the first that failed */
    bool last;   /* close after this block */
    bool remove; /* close and unlink */
    size_t path_size;
    char path[];
};

upload *upload_create(http_request *request) {
    const http_server *server = request->server;
    const char *format = "%s/%llu.part";
    unsigned long long id = request->id;
    int path_size = snprintf(NULL, 0, format, server->upload_folder, id);
    if (path_size < 0) {
        return NULL;
    }
    upload *made = malloc(sizeof *made + (size_t)path_size + 1);
    if (made == NULL) {
        return NULL;
    }
    /* Blocks are not cleared: most bodies touch little of them. */
    memset(made, 0, offsetof(upload, blocks));
    made->blocks[0].size = 0;
    made->blocks[1].size = 0;
    made->io = server->io;
    made->request = request;
    made->descriptor = -1;
    made->failure = 0;
    made->last = false;
    made->remove = false;
    made->path_size = (size_t)path_size;
    snprintf(made->path, made->path_size + 1, format, server->upload_folder, id);
    return made;
}

static void write_all(upload *at, const upload_block *block) {
    size_t written = 0;
    while (written < block->size && at->failure == 0) {
        ssize_t count = write(at->descriptor, block->bytes + written, block->size - written);
        if (count < 0 && errno != EINTR) {
            at->failure = errno;
        } else if (count > 0) {
            written += (size_t)count;
        }
    }
}

static void close_file(upload *at) {
    if (at->descriptor >= 0 && close(at->descriptor) != 0 && at->failure == 0) {
        at->failure = errno;
    }
    at->descriptor = -1;
}

static void work(pool_task *task, pool_worker *worker) {
    (void)worker;
    upload *at = (upload *)task;
    if (at->remove) {
        close_file(at);
        unlink(at->path);
        return;
    }
    if (at->descriptor < 0 && at->failure == 0) {
        at->descriptor = open(at->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        at->failure = at->descriptor < 0 ? errno : 0;
    }
    upload_block *block = &at->blocks[1 - at->filling];
    write_all(at, block);
    block->size = 0;
    if (at->last) {
        close_file(at);
    }
}

static void free_removed(pool_task *task) {
    free(task);
}

static void remove_file(upload *at) {
    at->remove = true;
    at->task.work = work; /* an upload that ended within its first block had no task yet */
    at->task.priority = POOL_INTERACTIVE;
    at->task.done = free_removed;
    if (pool_submit(at->io, &at->task) != LOAM_OK) {
        /* At the end, or in a crowd: better here than a file left over. */
        work(&at->task, NULL);
        free(at);
    }
}

static void submit(upload *at);

static void done(pool_task *task) {
    upload *at = (upload *)task;
    at->busy = false;
    if (at->request == NULL) {
        remove_file(at);
        return;
    }
    bool is_full = at->blocks[at->filling].size == UPLOAD_BLOCK_BYTES;
    if (at->failure == 0 && !at->last && (is_full || at->finishing)) {
        submit(at);
    }
    if (!at->busy || !at->finishing) {
        request_body_stored(at->request, at->failure);
    }
}

/* Turns the blocks round and hands the full one to the I/O thread. */
static void submit(upload *at) {
    at->filling = (uint8_t)(1 - at->filling);
    at->last = at->finishing;
    at->task.work = work;
    at->task.done = done;
    at->task.priority = POOL_INTERACTIVE;
    at->busy = pool_submit(at->io, &at->task) == LOAM_OK;
    if (!at->busy) {
        at->failure = EAGAIN;
    }
}

/* The I/O thread's members may be read when it is not at work. */
static bool has_failed(const upload *at) {
    return !at->busy && at->failure != 0;
}

size_t upload_take(upload *at, const char *bytes, size_t size) {
    size_t taken = 0;
    while (taken < size && !has_failed(at)) {
        upload_block *block = &at->blocks[at->filling];
        size_t room = UPLOAD_BLOCK_BYTES - block->size;
        size_t piece = size - taken < room ? size - taken : room;
        memcpy(block->bytes + block->size, bytes + taken, piece);
        block->size += piece;
        taken += piece;
        if (block->size == UPLOAD_BLOCK_BYTES) {
            if (at->busy) {
                return taken;
            }
            submit(at);
        }
    }
    if (has_failed(at)) {
        request_body_stored(at->request, at->failure);
        return size;
    }
    return taken;
}

void upload_finish(upload *at) {
    at->finishing = true;
    if (!at->busy) {
        submit(at);
        if (!at->busy) {
            request_body_stored(at->request, at->failure);
        }
    }
}

void upload_abandon(upload *at) {
    at->request = NULL;
    if (!at->busy) {
        remove_file(at);
    }
}

const char *upload_path(const upload *at) {
    return at->path;
}
