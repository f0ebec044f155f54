/* SPDX-License-Identifier: MIT
 *
 * dungeon_document.c: see dungeon_document.h.
 */
#include "api/wire/dungeon_document.h"

#include "api/wire/dungeon_parts.h"
#include "api/wire/rules_document.h"
#include "api/wire/unknown.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <string.h>

typedef struct dungeon_reading {
    const rules_resolver *resolver;
    loam_arena *arena;
    loam_dungeon_request *to;
} dungeon_reading;

static const loam_param_schema *param_of(const loam_recipe *recipe, const char *key) {
    for (uint32_t i = 0; i < recipe->param_count; i++) {
        if (strcmp(recipe->params[i].key, key) == 0) {
            return &recipe->params[i];
        }
    }
    return NULL;
}

/* A record that must be given (a mission) is a document of its own. */
static bool is_document(const loam_param_schema *param) {
    bool required = param != NULL && (param->flags & LOAM_PARAM_REQUIRED) != 0;
    return required && param->kind == LOAM_PARAM_RECORD;
}

static loam_status replace_name(const item *at, const rules_resolver *resolver, loam_rules *value) {
    const loam_rules *found;
    loam_status status = resolver->find_rules(resolver->context, value->text, &found);
    if (status == LOAM_OK) {
        *value = *found;
    } else if (status != LOAM_NOT_FOUND) {
        return item_fail(at, status, "the document of rules \"%.64s\" cannot be looked up",
                         value->text.bytes);
    }
    return LOAM_OK;
}

/* Puts documents in the places of names. Where any document will do, a name that nobody knows may
 * be one that core has built in, which core can tell. */
static loam_status resolve_params(const dungeon_reading *reading, const item *params,
                                  const loam_recipe *recipe, loam_rules *tree) {
    const rules_resolver *resolver = reading->resolver;
    loam_rules *items = (loam_rules *)(uintptr_t)tree->items;
    for (uint32_t i = 0; i < tree->count; i++) {
        const loam_param_schema *param = param_of(recipe, tree->keys[i].bytes);
        const loam_rules *found;
        bool named = items[i].kind == LOAM_RULES_TEXT && param != NULL;
        if (named && is_document(param)) {
            item at = item_field(params, param->key);
            LOAM_TRY(rules_reference_read(&at, resolver, reading->arena, &found));
            items[i] = *found;
        } else if (named && param->kind == LOAM_PARAM_RULES && resolver != NULL) {
            item at = item_field(params, param->key);
            LOAM_TRY(replace_name(&at, resolver, &items[i]));
        }
    }
    return LOAM_OK;
}

static loam_status read_params(const dungeon_reading *reading, const item *params,
                               const loam_recipe *recipe) {
    if (!item_present(params)) {
        return LOAM_OK;
    }
    LOAM_TRY(item_object(params));
    loam_rules *tree = loam_arena_take_zero(reading->arena, 1, sizeof *tree);
    LOAM_TRY_MEMORY(tree, NULL);
    LOAM_TRY(rules_document_read(params, reading->arena, tree));
    reading->to->params = tree;
    return resolve_params(reading, params, recipe, tree);
}

static loam_status read_recipe(const dungeon_reading *reading, const item *document,
                               const loam_recipe **recipe) {
    item name_item = item_field(document, "recipe");
    item version_item = item_field(document, "version");
    loam_text name;
    int64_t version = 0;
    LOAM_TRY(item_text(&name_item, &name));
    if (item_present(&version_item)) {
        LOAM_TRY(item_integer(&version_item, 1, UINT16_MAX, &version));
    }
    if (loam_recipe_find(name, 0) == NULL) {
        return unknown_recipe(&name_item);
    }
    *recipe = loam_recipe_find(name, (uint16_t)version);
    if (*recipe == NULL) {
        return item_fail(&version_item, LOAM_VERSION_UNAVAILABLE, "%.64s has no version %lld here",
                         name.bytes, (long long)version);
    }
    reading->to->recipe = loam_text_of((*recipe)->name);
    reading->to->version = (*recipe)->version;
    return LOAM_OK;
}

static loam_status read_policy(const item *at, loam_policy *policy) {
    loam_text name;
    if (!item_present(at)) {
        return LOAM_OK;
    }
    LOAM_TRY(item_text(at, &name));
    return loam_policy_find(name, policy)
               ? LOAM_OK
               : item_fail(at, LOAM_OUT_OF_RANGE, "policy is strict, degraded or fallback");
}

loam_status dungeon_parts_read(const item *at, const rules_resolver *resolver, loam_arena *arena,
                               loam_dungeon_request *to) {
    const dungeon_reading reading = {resolver, arena, to};
    const loam_recipe *recipe = NULL;
    item params = item_field(at, "params"), policy = item_field(at, "policy");
    loam_status recipe_status = read_recipe(&reading, at, &recipe);
    if (recipe_status == LOAM_OK) {
        recipe_status = read_params(&reading, &params, recipe);
    }
    loam_status policy_status = read_policy(&policy, &to->policy);
    LOAM_TRY(recipe_status);
    return policy_status;
}

static loam_status read_secret(const item *at, dungeon_hidden *to) {
    if (!item_present(at)) {
        return LOAM_OK;
    }
    to->secret_given = true;
    return item_seed(at, &to->secret_seed);
}

loam_status dungeon_hidden_read(const item *at, const rules_resolver *resolver, loam_arena *arena,
                                dungeon_hidden *to) {
    item content = item_field(at, "content"), secret = item_field(at, "secret_seed");
    loam_status secret_status = read_secret(&secret, to);
    if (item_present(&content)) {
        LOAM_TRY(rules_reference_read(&content, resolver, arena, &to->content));
    }
    return secret_status;
}

/* Every field is looked at, so that one answer names every fault. */
loam_status dungeon_item_read(const item *document, const rules_resolver *resolver,
                              loam_arena *arena, dungeon_document *to) {
    static const char *const fields[] = {"recipe", "version", "seed",        "params",
                                         "policy", "content", "secret_seed", NULL};
    *to = (dungeon_document){0};
    LOAM_TRY(item_object(document));
    (void)item_fields(document, fields);
    item seed = item_field(document, "seed");
    dungeon_hidden hidden = {0};
    loam_status parts_status = dungeon_parts_read(document, resolver, arena, &to->request);
    loam_status seed_status = item_seed(&seed, &to->request.seed);
    loam_status hidden_status = dungeon_hidden_read(document, resolver, arena, &hidden);
    to->content = hidden.content;
    to->secret_given = hidden.secret_given;
    to->secret_seed = hidden.secret_seed;
    LOAM_TRY(parts_status);
    LOAM_TRY(seed_status);
    LOAM_TRY(hidden_status);
    return fault_status(document->faults);
}

size_t dungeon_document_bytes(loam_text json) {
    return rules_document_bytes(json_scan(json, JSON_DEPTH_MAX, JSON_VALUES_MAX).values, json.size);
}

loam_status dungeon_document_read(loam_text json, const rules_resolver *resolver, loam_arena *arena,
                                  dungeon_document *to, fault_list *faults) {
    json_t *root = NULL;
    *to = (dungeon_document){0};
    LOAM_TRY(document_read(json, &root, faults));
    item document = document_item(root, faults);
    loam_status status = dungeon_item_read(&document, resolver, arena, to);
    json_decref(root);
    return status == LOAM_OK ? LOAM_OK : fault_status(faults);
}

static void write_fields(text_buffer *buffer, const loam_dungeon_plan *plan) {
    buffer_key(buffer, "recipe");
    buffer_string(buffer, plan->recipe->name);
    buffer_key(buffer, "version");
    buffer_unsigned(buffer, plan->recipe->version);
    buffer_key(buffer, "seed");
    buffer_unsigned_string(buffer, plan->seed);
    buffer_key(buffer, "params");
    rules_document_write(buffer, plan->params);
    buffer_key(buffer, "policy");
    buffer_string(buffer, loam_policy_name(plan->policy));
}

void dungeon_document_write(text_buffer *buffer, const loam_dungeon_plan *plan) {
    buffer_open_object(buffer);
    write_fields(buffer, plan);
    buffer_close_object(buffer);
}

void dungeon_document_write_secret(text_buffer *buffer, const loam_dungeon_plan *plan,
                                   const dungeon_document *document) {
    buffer_open_object(buffer);
    write_fields(buffer, plan);
    if (document->content != NULL) {
        buffer_key(buffer, "content");
        rules_document_write(buffer, document->content);
    }
    if (document->secret_given) {
        buffer_key(buffer, "secret_seed");
        buffer_unsigned_string(buffer, document->secret_seed);
    }
    buffer_close_object(buffer);
}
