/* SPDX-License-Identifier: MIT
 *
 * anchor_read.c: `dungeons` of a world from JSON; see anchor_document.h.
 */
#include "api/wire/anchor_document.h"

#include "api/wire/dungeon_parts.h"
#include "api/wire/rules_document.h"
#include "api/wire/world_parts.h"
#include "core/base/try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct anchor_reader {
    const world_resolver *resolver;
    loam_arena *arena;
} anchor_reader;

static loam_status read_anchors(const anchor_reader *reader, const item *dungeon, digest *anchors) {
    item at = item_field(dungeon, "anchors");
    loam_text name;
    loam_port_kind kind = LOAM_PORT_NONE;
    LOAM_TRY(item_text(&at, &name));
    LOAM_TRY(world_asset_find(&at, reader->resolver, name, anchors, &kind));
    return kind == LOAM_PORT_POINTS
               ? LOAM_OK
               : item_fail(&at, LOAM_SLOT_MISMATCH, "anchors are points, the asset is %s",
                           loam_port_kind_name(kind));
}

/* A fault that core found, whose place is below this item. */
static loam_status refuse_plan(const item *at, const loam_error *fault) {
    loam_error error = *fault;
    char pointer[LOAM_POINTER_BYTES];
    item_pointer(at, pointer, sizeof pointer);
    size_t size = strlen(pointer);
    (void)snprintf(pointer + size, sizeof pointer - size, "%s", fault->pointer);
    memcpy(error.pointer, pointer, sizeof pointer);
    return fault_add(at->faults, &error);
}

/* All parameters as text, for which no seed matters. What the plan took is given back first. */
static loam_status plan_params(const anchor_reader *reader, const item *at,
                               const loam_dungeon_request *request, size_t mark,
                               loam_text *params) {
    const loam_dungeon_plan *plan = NULL;
    loam_error error = {0};
    text_buffer buffer;
    if (loam_dungeon_plan_build(request, reader->arena, &plan, &error) != LOAM_OK) {
        return refuse_plan(at, &error);
    }
    buffer_init(&buffer, JSON_BYTES_MAX);
    rules_document_write(&buffer, plan->params);
    loam_arena_reset(reader->arena, mark);
    loam_status status = buffer_copy(&buffer, reader->arena, params);
    buffer_fini(&buffer);
    return status == LOAM_OK ? LOAM_OK
                             : item_fail(at, status,
                                         "the parameters with all their documents are "
                                         "too large");
}

/* Rules are checked as what they are: a mistake is told here, not by every question. */
static loam_status check_content(const anchor_reader *reader, const item *at,
                                 const loam_rules *rules) {
    item content = item_field(at, "content");
    loam_error error = {0};
    return loam_content_check(rules, reader->arena, &error) == LOAM_OK
               ? LOAM_OK
               : refuse_plan(&content, &error);
}

/* What it hides, rules as text. What reading them took is given back first. */
static loam_status read_hidden(const anchor_reader *reader, const item *at, world_dungeon *to) {
    size_t mark = loam_arena_mark(reader->arena);
    dungeon_hidden hidden = {0};
    text_buffer buffer;
    LOAM_TRY(dungeon_hidden_read(at, reader->resolver->rules, reader->arena, &hidden));
    to->secret_given = hidden.secret_given;
    to->secret_seed = hidden.secret_seed;
    if (hidden.content == NULL) {
        return LOAM_OK;
    }
    LOAM_TRY(check_content(reader, at, hidden.content));
    buffer_init(&buffer, JSON_BYTES_MAX);
    rules_document_write(&buffer, hidden.content);
    loam_arena_reset(reader->arena, mark);
    loam_status status = buffer_copy(&buffer, reader->arena, &to->content);
    buffer_fini(&buffer);
    return status == LOAM_OK ? LOAM_OK : item_fail(at, status, "the content is too large");
}

static loam_status copy_name(const anchor_reader *reader, const item *at, loam_text *copy) {
    loam_text name;
    LOAM_TRY(item_key_name(at, &name));
    char *bytes = loam_arena_take(reader->arena, name.size + 1, 1);
    if (bytes == NULL) {
        return item_fail_memory(at);
    }
    memcpy(bytes, name.bytes, name.size);
    bytes[name.size] = 0;
    *copy = (loam_text){bytes, name.size};
    return LOAM_OK;
}

static loam_status read_dungeon(const anchor_reader *reader, const item *at, world_dungeon *to) {
    static const char *const fields[] = {"anchors", "recipe",  "version",     "params",
                                         "policy",  "content", "secret_seed", NULL};
    loam_dungeon_request request = {0};
    LOAM_TRY(copy_name(reader, at, &to->name));
    LOAM_TRY(item_object(at));
    loam_status known = item_fields(at, fields);
    loam_status anchors = read_anchors(reader, at, &to->anchors);
    size_t mark = loam_arena_mark(reader->arena);
    LOAM_TRY(dungeon_parts_read(at, reader->resolver->rules, reader->arena, &request));
    to->recipe = loam_recipe_find(request.recipe, request.version);
    to->policy = request.policy;
    loam_status status = plan_params(reader, at, &request, mark, &to->params);
    loam_status hidden = read_hidden(reader, at, to);
    LOAM_TRY(hidden);
    LOAM_TRY(known);
    LOAM_TRY(anchors);
    return status;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const world_dungeon *)a)->name.bytes, ((const world_dungeon *)b)->name.bytes);
}

/* In order of names, and their assets behind those of the slots. */
static void settle(world *to) {
    qsort(to->dungeons, to->dungeon_count, sizeof *to->dungeons, compare_names);
    for (uint32_t i = 0; i < to->dungeon_count; i++) {
        to->slots[to->graph.slot_count + i] = to->dungeons[i].anchors;
    }
}

loam_status anchors_read(const item *at, const world_resolver *resolver, loam_arena *arena,
                         world *to) {
    if (!item_present(at)) {
        return LOAM_OK;
    }
    LOAM_TRY(item_object(at));
    size_t count = json_object_size(at->value);
    if (count > WORLD_DUNGEONS_MAX) {
        return item_fail(at, LOAM_TOO_MANY, "at most %d dungeons are allowed, not %zu",
                         WORLD_DUNGEONS_MAX, count);
    }
    to->dungeons = loam_arena_take_zero(arena, count, sizeof *to->dungeons);
    if (to->dungeons == NULL) {
        return item_fail_memory(at);
    }
    const anchor_reader reader = {resolver, arena};
    loam_status status = LOAM_OK;
    uint32_t read = 0;
    item child;
    for (void *i = item_next(at, NULL, &child); i != NULL; i = item_next(at, i, &child)) {
        loam_status one = read_dungeon(&reader, &child, &to->dungeons[read++]);
        status = status == LOAM_OK ? one : status;
    }
    LOAM_TRY(status);
    to->dungeon_count = read;
    settle(to);
    return LOAM_OK;
}
