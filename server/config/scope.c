/* SPDX-License-Identifier: MIT
 *
 * scope.c: see scope.h.
 */
#include "server/config/scope.h"

#include "core/base/text.h"

#include <string.h>

static const struct {
    scope bit;
    const char *name;
} scopes_known[] = {
    {SCOPE_READ, "read"},
    {SCOPE_GENERATE, "generate"},
    {SCOPE_UPLOAD, "upload"},
    {SCOPE_SERVER, "server"},
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

static uint32_t find_scope(loam_text name) {
    for (size_t i = 0; i < SCOPES_KNOWN; i++) {
        if (loam_text_equal(name, loam_text_of(scopes_known[i].name))) {
            return scopes_known[i].bit;
        }
    }
    return 0;
}

loam_status scope_list_read(const char *text, uint32_t *scopes, loam_error *error) {
    *scopes = 0;
    while (*text != 0) {
        size_t size = strcspn(text, ",");
        uint32_t found = find_scope((loam_text){text, size});
        if (found == 0) {
            return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                             "--anonymous-scopes: \"%.*s\" is none of read, generate, upload, "
                             "server",
                             (int)(size > 64 ? 64 : size), text);
        }
        *scopes |= found;
        text += size + (text[size] == ',');
    }
    return LOAM_OK;
}
