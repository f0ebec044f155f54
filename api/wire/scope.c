/* SPDX-License-Identifier: MIT
 *
 * scope.c: see scope.h.
 */
#include "api/wire/scope.h"

#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

static const struct {
    scope bit;
    const char *name;
} scopes_known[] = {
    {SCOPE_READ, "read"},     {SCOPE_GENERATE, "generate"}, {SCOPE_UPLOAD, "upload"},
    {SCOPE_SERVER, "server"}, {SCOPE_ADMIN, "admin"},
};

enum { SCOPES_KNOWN = sizeof scopes_known / sizeof scopes_known[0] };

const char *scope_name(scope of) {
    for (size_t i = 0; i < SCOPES_KNOWN; i++) {
        if (scopes_known[i].bit == of) {
            return scopes_known[i].name;
        }
    }
    return "";
}

static uint32_t find_scope(loam_text name, uint32_t allowed) {
    for (size_t i = 0; i < SCOPES_KNOWN; i++) {
        if ((allowed & scopes_known[i].bit) != 0 &&
            loam_text_equal(name, loam_text_of(scopes_known[i].name))) {
            return scopes_known[i].bit;
        }
    }
    return 0;
}

static loam_status fail_scope(loam_text name, uint32_t allowed, loam_error *error) {
    char all[64] = "";
    for (size_t i = 0; i < SCOPES_KNOWN; i++) {
        size_t used = strlen(all);
        if ((allowed & scopes_known[i].bit) != 0) {
            snprintf(all + used, sizeof all - used, "%s%s", used == 0 ? "" : ", ",
                     scopes_known[i].name);
        }
    }
    return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "\"%.*s\" is none of the scopes %s",
                     (int)(name.size > 64 ? 64 : name.size), name.bytes, all);
}

loam_status scope_list_read(loam_text text, uint32_t allowed, uint32_t *scopes, loam_error *error) {
    *scopes = 0;
    while (text.size > 0) {
        const char *comma = memchr(text.bytes, ',', text.size);
        size_t size = comma == NULL ? text.size : (size_t)(comma - text.bytes);
        uint32_t found = find_scope((loam_text){text.bytes, size}, allowed & ~*scopes);
        if (found == 0) {
            return fail_scope((loam_text){text.bytes, size}, allowed, error);
        }
        *scopes |= found;
        text.bytes += size + (comma != NULL);
        text.size -= size + (comma != NULL);
    }
    return LOAM_OK;
}
