/* SPDX-License-Identifier: MIT
 *
 * world_table.h: worlds in memory. A revision is read from its canonical document and planned once,
 * on a worker, when it is first needed; it is held by count while requests and jobs use it, and
 * those that nobody holds give way to others. Names know their newest revision. The store is the
 * truth: this table only remembers. Network thread only.
 */
#ifndef LOAM_SERVER_WORLD_WORLD_TABLE_H
#define LOAM_SERVER_WORLD_WORLD_TABLE_H

#include "api/key/key.h"
#include "api/wire/world_document.h"
#include "server/slot/flow_state.h"

/* A revision of a world, ready to be asked. Immutable once it is in the table. */
typedef struct revision_entry {
    struct revision_entry *chain;
    struct revision_entry *newer; /* in order of use, while nobody holds it */
    struct revision_entry *older;
    uint64_t serial; /* unique in this process */
    uint32_t holds;
    bool listed; /* false: the world was deleted meanwhile */
    char name[NAME_BYTES_MAX + 1];
    char revision[DIGEST_TEXT_BYTES];
    world world;
    const loam_plan *plan;
    loam_arena arena;
} revision_entry;

/* Owned; NULL when memory is short. */
LOAM_MUST_USE world_table *world_table_create(flow_state *flow);
void world_table_destroy(world_table *table);

/* The newest revision of a name, when it is remembered. */
bool world_table_newest(const world_table *table, loam_text name, digest *revision);
void world_table_set_newest(world_table *table, loam_text name, const digest *revision);
/* What its dungeons hide may have changed with a PUT, while the revision has not: one in memory
 * that was read from another text is found no more. */
void world_table_outdate(world_table *table, const revision_entry *by);
/* The name and all its revisions are forgotten. */
void world_table_forget(world_table *table, loam_text name);

/* Held for the caller when it is in memory, else NULL. */
revision_entry *world_table_find(world_table *table, loam_text name, const digest *revision);
/* Puts a revision that revision_build made into the table, held for the caller; when it is there
 * already, that one is returned and the new one freed. `epoch` is the table's when the document was
 * asked for: if a world was deleted since, the revision is held but not found by others. */
revision_entry *world_table_add(world_table *table, revision_entry *built, uint64_t epoch);
uint64_t world_table_epoch(const world_table *table);
revision_entry *revision_retain(revision_entry *entry);
void revision_release(world_table *table, revision_entry *entry);

/* On a worker: reads a world's document (canonical, or as a client sent it) and plans it. Owned
 * until world_table_add; NULL with `faults` set. `check` estimates every output at its own level,
 * as a PUT wants. */
revision_entry *revision_build(flow_state *flow, loam_text name, loam_text document, bool check,
                               loam_arena *scratch, fault_list *faults);
/* On a worker: the row of a revision, of the newest one when `revision` is NULL, in
 * request->result.revisions[0]; control_result_fini ends it. */
LOAM_MUST_USE loam_status revision_row_get(store *storage, loam_text name, const digest *revision,
                                           control_request *request);
/* Frees what was never added. */
void revision_free(revision_entry *built);

/* What assets and graphs mean, asked from the store; for worker threads. Must be ended with
 * store_resolver_fini. */
typedef struct store_resolver {
    world_resolver resolver;
    graph_resolver graphs;
    store *from;
    control_result graph;
} store_resolver;

void store_resolver_init(store_resolver *resolver, store *storage);
void store_resolver_fini(store_resolver *resolver);

#endif
