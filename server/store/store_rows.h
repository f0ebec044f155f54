/* SPDX-License-Identifier: MIT
 *
 * store_rows.h: the rows of control.db as plain values, and the one request that reads or writes
 * them. Texts and arrays that go in are borrowed until `done`; what comes out is owned by the
 * result and freed by control_result_fini. Times are unix milliseconds given by the caller: the
 * store reads no clock. A time of 0 is "not yet".
 */
#ifndef LOAM_SERVER_STORE_ROWS_H
#define LOAM_SERVER_STORE_ROWS_H

#include "api/key/key.h"

/* What every request to the store carries. `done(context)` is called once, on a thread of the
 * store, after the outcome is final (a write: committed); it may free the request. */
typedef struct store_request {
    struct store_request *next; /* the store's own */
    uint32_t kind;              /* the store's own */
    bool pinned;                /* the store's own */
    bool alone;                 /* the store's own: in a group of its own */
    size_t weight_bytes;        /* the store's own */
    void (*done)(void *context);
    void *context;
    loam_error error; /* out: status LOAM_OK when all went well */
} store_request;

/* A named asset. Its bytes are the file assets/<digest>, written before the row. */
typedef struct asset_row {
    loam_text name; /* empty in a row found by digest that no name points at any more */
    loam_text kind;
    digest digest;         /* of kind, parameters and normalised payload */
    digest content_digest; /* of the payload alone */
    uint64_t bytes;
    loam_text summary; /* JSON */
    loam_text params;  /* JSON */
    int64_t created_ms;
} asset_row;

/* Documents kept under a digest, told apart by what they are. */
typedef enum document_kind {
    DOCUMENT_GRAPH,   /* a canonical graph under its digest */
    DOCUMENT_DUNGEON, /* a dungeon's request under its build key */
    DOCUMENT_CONTENT, /* the same with content and secret, under its content key */
    DOCUMENT_KINDS,
} document_kind;

typedef struct document_row {
    document_kind kind;
    digest digest;
    loam_text document;
    int64_t created_ms;
} document_row;

typedef struct world_row {
    loam_text name;
    digest revision; /* the newest */
    int64_t created_ms;
    int64_t updated_ms;
} world_row;

typedef struct revision_row {
    loam_text world;
    digest revision;
    loam_text document; /* canonical; empty in lists */
    int64_t created_ms;
} revision_row;

typedef struct job_row {
    loam_text id;
    digest request_key; /* of the resolved request: equal requests find the same job */
    loam_text request;  /* JSON, up to a megabyte; empty in lists */
    loam_text world;
    digest revision;
    loam_text state;
    uint64_t total;
    uint64_t done;
    uint64_t cached;
    uint64_t failed;
    uint64_t evicted;
    int64_t created_ms;
    int64_t started_ms;
    int64_t finished_ms;
    uint32_t priority;
    bool keep;
    loam_text problems; /* JSON */
    loam_text owner;    /* id of the token that set it going; empty: nobody's */
} job_row;

/* A task of a job that has ended; `n` counts from 1 in completion order. A dungeon has no output
 * and cell: x is its place in the job's list. */
typedef struct task_row {
    uint64_t n;
    loam_text output;
    uint32_t level;
    int64_t x;
    int64_t z;
    digest build_key;
    digest digest;
    uint64_t count;
    uint64_t bytes;
    bool cached;
    loam_text status;  /* of a dungeon: "failed", without a result, or its own; empty: a cell */
    loam_text reasons; /* JSON; empty: none */
} task_row;

/* What the conditions of a write were judged on, when that was read: the write ends with
 * LOAM_PRECONDITION_FAILED unless it is still so. */
typedef enum premise_kind {
    PREMISE_NONE,    /* there were no conditions */
    PREMISE_ABSENT,  /* nothing has the name */
    PREMISE_PRESENT, /* something has it, whatever that is */
    PREMISE_SAME,    /* what has it is `seen` */
} premise_kind;

typedef struct write_premise {
    premise_kind kind;
    digest seen; /* of an asset; a world's revision */
} write_premise;

/* What can be asked of control.db: name, the fields of control_request that it reads, what it
 * yields. A get that finds nothing ends with LOAM_NOT_FOUND, a list with count 0. */
typedef enum control_operation {
    /* asset, premise -> created: the name is new. The file must be there. What the name pointed at
     * before is dropped with its file unless a revision binds it or another name points at it. */
    CONTROL_ASSET_PUT,
    CONTROL_ASSET_GET,  /* name, else key = digest -> assets[1] */
    CONTROL_ASSET_LIST, /* after, limit -> assets by name */
    /* name, premise; LOAM_IN_USE with the world's name while a revision binds it. */
    CONTROL_ASSET_DELETE,
    CONTROL_DOCUMENT_PUT,  /* document -> created: it was not there */
    CONTROL_DOCUMENTS_PUT, /* documents, all or none */
    CONTROL_DOCUMENT_GET,  /* document.kind, key -> documents[1] */
    /* revision {world, revision, document, created_ms}, premise, bindings: the assets that its
     * slots bind (LOAM_NOT_FOUND when one is gone) -> created: the world is new. */
    CONTROL_WORLD_PUT,
    CONTROL_WORLD_GET,  /* name -> worlds[1] */
    CONTROL_WORLD_LIST, /* after, limit -> worlds by name */
    /* name, premise; its revisions go with it, and assets that nothing else holds */
    CONTROL_WORLD_DELETE,
    CONTROL_REVISION_GET,  /* name = world, key = revision -> revisions[1] */
    CONTROL_REVISION_LIST, /* name = world, limit -> revisions, newest first, no documents */
    CONTROL_JOB_INSERT,    /* job; LOAM_DUPLICATE when the id is taken */
    /* job.id and its changeable fields (state, counts, started, finished, problems, owner), tasks:
     * appended in the same transaction; a result that the job has already is left as it is, a
     * failure gives way. */
    CONTROL_JOB_UPDATE,
    CONTROL_JOB_GET, /* name = id -> jobs[1] */
    /* name = state or empty, after = id, limit -> jobs in order of creation, no requests */
    CONTROL_JOB_LIST,
    CONTROL_JOB_RESULTS, /* name = id, after_n, limit -> tasks by n */
    CONTROL_OPERATIONS,
} control_operation;

/* `count` rows of the kind that the operation yields; the other arrays are NULL. */
typedef struct control_result {
    bool created;
    size_t count;
    const asset_row *assets;
    const document_row *documents;
    const world_row *worlds;
    const revision_row *revisions;
    const job_row *jobs;
    const task_row *tasks;
    struct row_memory *memory; /* the store's own */
} control_result;

typedef struct control_request {
    store_request base;
    control_operation operation;
    loam_text name;
    digest key;
    write_premise premise;
    loam_text after;  /* lists begin behind this name; empty: at the first */
    uint64_t after_n; /* the same for results */
    uint32_t limit;   /* rows at most; 0 is CONTROL_ROWS_MAX */
    asset_row asset;
    document_row document;
    const document_row *documents;
    size_t document_count;
    revision_row revision;
    const digest *bindings;
    size_t binding_count;
    job_row job;
    const task_row *tasks;
    size_t task_count;
    control_result result;
} control_request;

/* Rows of one answer: a page that stays below some tens of MB with the largest documents. */
#define CONTROL_ROWS_MAX 4096u

/* Frees the rows; the result can be used again. */
void control_result_fini(control_result *result);

#endif
