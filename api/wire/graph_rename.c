/* SPDX-License-Identifier: MIT
 *
 * graph_rename.c: see graph_rename.h. The document's tree is changed, then read as any other.
 */
#include "api/wire/graph_rename.h"

#include "api/wire/document.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct renaming {
    loam_text from;
    loam_text to;
    bool failed; /* memory was short */
} renaming;

static void note(renaming *state, int result) {
    state->failed = state->failed || result != 0;
}

/* A source that is the node, or a side of it, becomes the same of the new name. */
static void rename_source(renaming *state, json_t *owner, const char *key) {
    const json_t *value = json_object_get(owner, key);
    const char *text = json_string_value(value);
    size_t size = text == NULL ? 0 : strcspn(text, "#");
    if (text == NULL || !loam_text_equal((loam_text){text, size}, state->from)) {
        return;
    }
    note(state, json_object_set_new(owner, key,
                                    json_sprintf("%.*s%s", TEXT_ARGS(state->to), text + size)));
}

static void rename_inputs(renaming *state, json_t *nodes) {
    const char *name;
    json_t *node;
    json_object_foreach(nodes, name, node) {
        json_t *inputs = json_object_get(node, "in");
        const char *port;
        json_t *source;
        json_object_foreach(inputs, port, source) {
            rename_source(state, inputs, port);
        }
    }
}

static void rename_named(renaming *state, json_t *section) {
    const char *name;
    json_t *part;
    json_object_foreach(section, name, part) {
        rename_source(state, part, "node");
    }
}

static void pin_seed(renaming *state, json_t *node) {
    if (json_is_object(node) && json_object_get(node, "seed") == NULL) {
        note(state, json_object_set_new(node, "seed",
                                        json_sprintf("%" PRIu64, loam_name_seed(state->from))));
    }
}

static void rename_node(renaming *state, json_t *nodes) {
    json_t *node = json_object_getn(nodes, state->from.bytes, state->from.size);
    pin_seed(state, node);
    note(state, json_object_setn(nodes, state->to.bytes, state->to.size, node));
    note(state, json_object_deln(nodes, state->from.bytes, state->from.size));
}

static loam_status check_names(const item *nodes, const renaming *state) {
    item whole = *nodes->parent;
    LOAM_TRY(item_object(nodes));
    if (json_object_getn(nodes->value, state->from.bytes, state->from.size) == NULL) {
        return item_fail(nodes, LOAM_UNKNOWN_NODE, "no node is called %.*s",
                         TEXT_ARGS(state->from));
    }
    if (!text_is_node_name(state->to)) {
        return item_fail(&whole, LOAM_BAD_NAME, "a node's name is [a-z0-9][a-z0-9_-]{0,63}");
    }
    if (json_object_getn(nodes->value, state->to.bytes, state->to.size) != NULL) {
        return item_fail(nodes, LOAM_DUPLICATE, "a node is called %.*s already",
                         TEXT_ARGS(state->to));
    }
    return LOAM_OK;
}

static loam_status rename_tree(const item *whole, renaming *state) {
    item nodes = item_field(whole, "nodes");
    LOAM_TRY(check_names(&nodes, state));
    rename_node(state, nodes.value);
    rename_inputs(state, nodes.value);
    rename_named(state, json_object_get(whole->value, "outputs"));
    rename_named(state, json_object_get(whole->value, "parameters"));
    return state->failed ? item_fail(whole, LOAM_ARENA_FULL, "no memory for the document")
                         : LOAM_OK;
}

loam_status graph_rename(loam_text json, const graph_resolver *resolver, loam_text from,
                         loam_text to, loam_arena *arena, text_buffer *buffer, fault_list *faults) {
    json_t *root = NULL;
    renaming state = {.from = from, .to = to};
    graph_document document;
    size_t mark = loam_arena_mark(arena);
    /* What is wrong before is said of the document as it is. */
    LOAM_TRY(graph_read(json, resolver, arena, &document, faults));
    LOAM_TRY(document_read(json, &root, faults));
    item whole = document_item(root, faults);
    loam_status status = rename_tree(&whole, &state);
    if (status == LOAM_OK) {
        loam_arena_reset(arena, mark);
        status = graph_parse(&whole, resolver, arena, &document);
    }
    json_decref(root);
    return status == LOAM_OK ? graph_write(&document, buffer) : status;
}
