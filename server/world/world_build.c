/* SPDX-License-Identifier: MIT
 *
 * world_build.c: a world's document into a planned revision, on a worker. What names mean is asked
 * from the store, whose answer a commit then checks again.
 */
#include "server/world/world_table.h"

#include "api/wire/asset.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "server/loop/arena_map.h"
#include "server/world/rules_shelf.h"

#include <stdio.h>
#include <stdlib.h>

/* Address space of a revision: its world and its plan; only what is touched costs memory. */
#define REVISION_ARENA_BYTES (WORLD_ARENA_BYTES + ((size_t)32 << 20))

static loam_status find_graph(void *context, const digest *graph, loam_text *document) {
    store_resolver *resolver = context;
    control_request request = {
        .operation = CONTROL_DOCUMENT_GET, .document = {.kind = DOCUMENT_GRAPH}, .key = *graph};
    loam_status status = store_control_wait(resolver->from, &request);
    if (status == LOAM_OK) {
        control_result_fini(&resolver->graph);
        resolver->graph = request.result;
        *document = request.result.documents[0].document;
    }
    return status;
}

static loam_status find_asset(void *context, loam_text name, digest *asset, loam_port_kind *kind) {
    store_resolver *resolver = context;
    control_request request = {.operation = CONTROL_ASSET_GET};
    if (!digest_parse(name, &request.key)) {
        request.name = name;
    }
    loam_status status = store_control_wait(resolver->from, &request);
    if (status == LOAM_OK) {
        *asset = request.result.assets[0].digest;
        *kind = loam_port_kind_find(request.result.assets[0].kind);
        control_result_fini(&request.result);
    }
    return status;
}

loam_status revision_row_get(store *storage, loam_text name, const digest *revision,
                             control_request *request) {
    digest wanted;
    if (revision == NULL) {
        *request = (control_request){.operation = CONTROL_WORLD_GET, .name = name};
        LOAM_TRY(store_control_wait(storage, request));
        wanted = request->result.worlds[0].revision;
        control_result_fini(&request->result);
    } else {
        wanted = *revision;
    }
    *request = (control_request){.operation = CONTROL_REVISION_GET, .name = name, .key = wanted};
    return store_control_wait(storage, request);
}

void store_resolver_init(store_resolver *resolver, store *storage) {
    *resolver = (store_resolver){
        .resolver = {.find_graph = find_graph, .find_asset = find_asset, .context = resolver},
        .graphs = {.find_graph = find_graph, .context = resolver},
        .from = storage};
}

void store_resolver_fini(store_resolver *resolver) {
    control_result_fini(&resolver->graph);
}

static loam_status build_plan(revision_entry *entry, bool check, loam_arena *scratch,
                              fault_list *faults) {
    loam_error error = {0};
    if (check && world_check(&entry->world, scratch, faults) != LOAM_OK) {
        return fault_status(faults);
    }
    if (loam_plan_build(&entry->world.graph, entry->world.seed, &entry->arena, &entry->plan,
                        &error) != LOAM_OK) {
        return fault_add(faults, &error);
    }
    return LOAM_OK;
}

/* The document of one slot against the nodes that it feeds. */
static loam_status check_slot(const world *of, uint32_t slot, store *storage, loam_arena *scratch,
                              loam_error *error) {
    blob *bytes = NULL;
    asset_data *data = NULL;
    LOAM_TRY(store_asset_read(storage, &of->slots[slot], &bytes, error));
    loam_text payload = {(const char *)bytes->bytes, bytes->size};
    loam_status status = asset_load(payload, &data, error);
    blob_release(bytes);
    if (status == LOAM_OK) {
        status = loam_graph_check_rules(&of->graph, slot, data->asset.rules, scratch, error);
        asset_destroy(data);
    }
    return status;
}

/* Rules are checked as what they are bound to: a mistake is told here, not by every cell. */
static loam_status check_rules(const world *of, store *storage, loam_arena *scratch,
                               fault_list *faults) {
    for (uint32_t i = 0; i < of->graph.slot_count; i++) {
        loam_error error = {0};
        if (of->graph.slots[i].kind == LOAM_PORT_RULES &&
            check_slot(of, i, storage, scratch, &error) != LOAM_OK) {
            fault_add(faults, &error);
        }
    }
    return fault_status(faults);
}

static loam_status build(revision_entry *entry, store *storage, loam_text document, bool check,
                         loam_arena *scratch, fault_list *faults) {
    store_resolver resolver;
    rules_shelf shelf;
    store_resolver_init(&resolver, storage);
    rules_shelf_init(&shelf, storage);
    resolver.resolver.rules = &shelf.resolver;
    loam_status status =
        world_read(document, &resolver.resolver, &entry->arena, &entry->world, faults);
    rules_shelf_fini(&shelf);
    store_resolver_fini(&resolver);
    if (status == LOAM_OK && check) {
        status = check_rules(&entry->world, storage, scratch, faults);
    }
    return status == LOAM_OK ? build_plan(entry, check, scratch, faults) : status;
}

revision_entry *revision_build(flow_state *flow, loam_text name, loam_text document, bool check,
                               loam_arena *scratch, fault_list *faults) {
    revision_entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL || !arena_map_open(&entry->arena, REVISION_ARENA_BYTES)) {
        loam_error error = {0};
        loam_fail(&error, LOAM_ARENA_FULL, NULL, "no memory for a world");
        fault_add(faults, &error);
        free(entry);
        return NULL;
    }
    snprintf(entry->name, sizeof entry->name, "%.*s", TEXT_ARGS(name));
    if (build(entry, flow->store, document, check, scratch, faults) != LOAM_OK) {
        revision_free(entry);
        return NULL;
    }
    digest_text(&entry->world.revision, entry->revision);
    return entry;
}
