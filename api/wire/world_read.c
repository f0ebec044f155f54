/* SPDX-License-Identifier: MIT
 *
 * world_read.c: see world_document.h. The order matters: the graph is read and its canonical text
 * made before overrides change it; only then is the whole judged, since a world may give what a
 * graph leaves open.
 */
#include "api/wire/world_document.h"

#include "api/wire/anchor_document.h"
#include "api/wire/check_document.h"
#include "api/wire/document.h"
#include "api/wire/grid_read.h"
#include "api/wire/world_parts.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <string.h>

/* A world being read. */
typedef struct world_reader {
    const world_resolver *resolver;
    loam_arena *arena;
    world *to;
    graph_document document; /* of the graph, before overrides */
    loam_text graph_text;    /* canonical */
} world_reader;

/* ---- The graph ------------------------------------------------------------------------------ */

/* The graph by digest: its stored text, parsed as if it stood here. */
static loam_status parse_stored(world_reader *reader, const item *at) {
    digest id;
    loam_text text;
    LOAM_TRY(item_digest(at, &id));
    loam_status status = reader->resolver->find_graph(reader->resolver->context, &id, &text);
    if (status != LOAM_OK) {
        return item_fail(at, status,
                         status == LOAM_NOT_FOUND ? "there is no graph %.71s"
                                                  : "the graph %.71s cannot be looked up",
                         json_string_value(at->value));
    }
    json_t *root = NULL;
    LOAM_TRY(document_read(text, &root, at->faults));
    item stored = *at;
    stored.value = root;
    graph_resolver graphs = {reader->resolver->find_graph, reader->resolver->context};
    status = graph_parse(&stored, &graphs, reader->arena, &reader->document);
    json_decref(root);
    return status;
}

static loam_status read_graph(world_reader *reader, const item *at) {
    if (json_is_string(at->value)) {
        LOAM_TRY(parse_stored(reader, at));
    } else {
        graph_resolver graphs = {reader->resolver->find_graph, reader->resolver->context};
        LOAM_TRY(graph_parse(at, &graphs, reader->arena, &reader->document));
    }
    LOAM_TRY(graph_write_copy(&reader->document, at, reader->arena, &reader->graph_text));
    reader->to->graph = reader->document.graph;
    reader->to->graph_id = graph_digest(reader->graph_text);
    return LOAM_OK;
}

/* ---- Slots ---------------------------------------------------------------------------------- */

loam_status world_asset_find(const item *at, const world_resolver *resolver, loam_text name,
                             digest *id, loam_port_kind *kind) {
    digest unused;
    if (!digest_parse(name, &unused) && !text_is_name(name)) {
        return item_fail(at, LOAM_BAD_NAME, "it is neither the name nor the digest of an asset");
    }
    loam_status status = resolver->find_asset(resolver->context, name, id, kind);
    if (status != LOAM_OK) {
        return item_fail(at, status,
                         status == LOAM_NOT_FOUND ? "there is no asset \"%.*s\""
                                                  : "the asset \"%.*s\" cannot be looked up",
                         TEXT_ARGS(name));
    }
    return LOAM_OK;
}

static void bind_slot(const world_reader *reader, const item *slots, uint32_t index) {
    const loam_slot *slot = &reader->to->graph.slots[index];
    item at = item_field(slots, slot->name.bytes);
    if (!item_present(&at)) {
        item_fail(&at, LOAM_SLOT_UNBOUND, "the slot \"%s\" has no asset", slot->name.bytes);
        return;
    }
    loam_text name;
    loam_port_kind kind = LOAM_PORT_NONE;
    if (item_text(&at, &name) == LOAM_OK &&
        world_asset_find(&at, reader->resolver, name, &reader->to->slots[index], &kind) ==
            LOAM_OK &&
        kind != slot->kind) {
        item_fail(&at, LOAM_SLOT_MISMATCH, "the slot takes %s, the asset is %s",
                  loam_port_kind_name(slot->kind), loam_port_kind_name(kind));
    }
}

static loam_status bind_slots(const world_reader *reader, const item *slots) {
    const loam_graph *graph = &reader->to->graph;
    if (item_present(slots)) {
        LOAM_TRY(item_object(slots));
    }
    item child;
    for (void *i = item_next(slots, NULL, &child); i != NULL; i = item_next(slots, i, &child)) {
        if (loam_graph_find_slot(graph, loam_text_of(child.key)) < 0) {
            item_fail(&child, LOAM_UNKNOWN_SLOT, "the graph has no slot \"%.64s\"", child.key);
        }
    }
    reader->to->slots = loam_arena_take_zero(reader->arena, graph->slot_count + WORLD_DUNGEONS_MAX,
                                             sizeof *reader->to->slots);
    if (reader->to->slots == NULL) {
        return item_fail_memory(slots);
    }
    for (uint32_t i = 0; i < graph->slot_count; i++) {
        bind_slot(reader, slots, i);
    }
    return LOAM_OK;
}

/* ---- The whole ------------------------------------------------------------------------------ */

/* An output's own level must be one of the grid's. */
static void check_output_levels(const item *graph, const world *to) {
    for (uint32_t i = 0; i < to->graph.output_count; i++) {
        const loam_output *output = &to->graph.outputs[i];
        if (output->level >= to->level_count) {
            item outputs = item_field(graph, "outputs");
            item at = item_field(&outputs, output->name.bytes);
            item level = item_field(&at, "level");
            item_fail(json_is_object(graph->value) ? &level : graph, LOAM_OUT_OF_RANGE,
                      "the grid has %u levels, none is number %u", (unsigned)to->level_count,
                      (unsigned)output->level);
        }
    }
}

static loam_status write_text(const world_reader *reader, const item *document, bool hidden,
                              loam_text *text) {
    text_buffer buffer;
    buffer_init(&buffer, JSON_BYTES_MAX);
    loam_status status = world_write(reader->to, reader->graph_text, hidden, &buffer);
    if (status != LOAM_OK) {
        item_fail(document, status,
                  status == LOAM_TOO_LARGE ? "the world is too large with its defaults written out"
                                           : "no memory to write the world out");
    } else if (buffer_copy(&buffer, reader->arena, text) != LOAM_OK) {
        status = item_fail_memory(document);
    }
    buffer_fini(&buffer);
    return status;
}

static bool hides_something(const world *of) {
    uint32_t i = 0;
    while (i < of->dungeon_count && of->dungeons[i].content.size == 0 &&
           !of->dungeons[i].secret_given) {
        i++;
    }
    return i < of->dungeon_count;
}

static loam_status write_canonical(const world_reader *reader, const item *document) {
    world *to = reader->to;
    LOAM_TRY(write_text(reader, document, false, &to->canonical));
    to->revision = world_revision(to->canonical);
    to->kept = to->canonical;
    return hides_something(to) ? write_text(reader, document, true, &to->kept) : LOAM_OK;
}

static loam_status read_world(world_reader *reader, const item *document) {
    static const char *const fields[] = {"seed", "graph",  "slots",    "parameters",
                                         "grid", "checks", "dungeons", NULL};
    LOAM_TRY(item_object(document));
    item_fields(document, fields);
    item seed = item_field(document, "seed");
    item graph = item_field(document, "graph");
    item slots = item_field(document, "slots");
    item parameters = item_field(document, "parameters");
    item grid = item_field(document, "grid");
    item checks = item_field(document, "checks");
    item dungeons = item_field(document, "dungeons");
    loam_status seed_status = item_seed(&seed, &reader->to->seed);
    loam_status grid_status = grid_read(&grid, reader->to);
    LOAM_TRY(read_graph(reader, &graph));
    LOAM_TRY(bind_slots(reader, &slots));
    graph_override(&parameters, reader->arena, &reader->to->graph);
    loam_status checks_status = checks_read(&checks, reader->arena, reader->to);
    loam_status dungeons_status =
        anchors_read(&dungeons, reader->resolver, reader->arena, reader->to);
    LOAM_TRY(grid_status);
    LOAM_TRY(checks_status);
    LOAM_TRY(dungeons_status);
    LOAM_TRY(seed_status);
    check_output_levels(&graph, reader->to);
    LOAM_TRY(fault_status(document->faults));
    LOAM_TRY(graph_check(&graph, &reader->to->graph));
    return write_canonical(reader, document);
}

loam_status world_read(loam_text json, const world_resolver *resolver, loam_arena *arena, world *to,
                       fault_list *faults) {
    json_t *root = NULL;
    *to = (world){0};
    LOAM_TRY(document_read(json, &root, faults));
    item document = document_item(root, faults);
    world_reader reader = {.resolver = resolver, .arena = arena, .to = to};
    loam_status status = read_world(&reader, &document);
    json_decref(root);
    return status == LOAM_OK ? LOAM_OK : fault_status(faults);
}
