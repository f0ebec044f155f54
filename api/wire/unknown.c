/* SPDX-License-Identifier: MIT
 *
 * unknown.c: see unknown.h. Nothing is compared for faults that no answer lists: a document of
 * nothing but unknown names costs no more than one with FAULTS_MAX of them.
 */
#include "api/wire/unknown.h"

#include "api/wire/subgraph.h"
#include "core/base/guess.h"

static bool is_listed(const item *at) {
    return at->faults->count < FAULTS_MAX;
}

loam_status unknown_operation(const item *at) {
    name_guess guess = guess_of(loam_text_of(json_string_value(at->value)));
    for (uint32_t i = 0; is_listed(at) && i < loam_operation_count(); i++) {
        guess_offer(&guess, loam_text_of(loam_operation_at(i)->name));
    }
    guess_offer(&guess, loam_text_of(subgraph_operation.name));
    return item_fail(at, LOAM_UNKNOWN_OPERATION, "there is no operation \"%.64s\"%s",
                     json_string_value(at->value), guess_text(&guess));
}

loam_status unknown_recipe(const item *at) {
    name_guess guess = guess_of(loam_text_of(json_string_value(at->value)));
    for (uint32_t i = 0; is_listed(at) && i < loam_recipe_count(); i++) {
        guess_offer(&guess, loam_text_of(loam_recipe_at(i)->name));
    }
    return item_fail(at, LOAM_UNKNOWN_RECIPE, "there is no recipe \"%.64s\"%s",
                     json_string_value(at->value), guess_text(&guess));
}

loam_status unknown_param(const item *at, const char *owner, const loam_param_schema *params,
                          uint32_t count) {
    name_guess guess = guess_of(loam_text_of(at->key));
    for (uint32_t i = 0; is_listed(at) && i < count; i++) {
        guess_offer(&guess, loam_text_of(params[i].key));
    }
    return item_fail(at, LOAM_UNKNOWN_PARAMETER, "%s has no parameter \"%.64s\"%s", owner, at->key,
                     guess_text(&guess));
}

loam_status unknown_field(const item *at, const char *const *known) {
    name_guess guess = guess_of(loam_text_of(at->key));
    for (; is_listed(at) && *known != NULL; known++) {
        guess_offer(&guess, loam_text_of(*known));
    }
    return item_fail(at, LOAM_UNKNOWN_FIELD, "there is no field \"%.64s\" here%s", at->key,
                     guess_text(&guess));
}

/* Guesses are made for those alone who need one: most names are known. */
loam_status query_name_check(loam_text name, const char *const *known, loam_error *error) {
    for (const char *const *at = known; *at != NULL; at++) {
        if (loam_text_equal(name, loam_text_of(*at))) {
            return LOAM_OK;
        }
    }
    name_guess guess = guess_of(name);
    for (; *known != NULL; known++) {
        guess_offer(&guess, loam_text_of(*known));
    }
    return loam_fail(error, LOAM_UNKNOWN_PARAMETER, NULL,
                     "the query parameter \"%.*s\" is not known here%s",
                     name.size > NAME_BYTES_MAX ? NAME_BYTES_MAX : (int)name.size, name.bytes,
                     guess_text(&guess));
}
