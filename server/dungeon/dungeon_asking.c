/* SPDX-License-Identifier: MIT
 *
 * dungeon_asking.c: see dungeon_asking.h.
 */
#include "server/dungeon/dungeon_asking.h"

#include "api/wire/document.h"
#include "core/base/try.h"
#include "server/dungeon/content_work.h"

#include <stdio.h>

/* The plan's own document: what is kept can be read again, and gives the same plan. */
static loam_status keep_request(dungeon_asking *asking, const loam_dungeon_plan *plan,
                                loam_error *error) {
    asking->key = key_of_dungeon(plan);
    dungeon_document_write(&asking->request, plan);
    return !asking->request.failed && document_fits(buffer_view(&asking->request))
               ? LOAM_OK
               : loam_fail(error, LOAM_BUDGET_EXCEEDED, "/params",
                           "the parameters with all their documents are too large: at most %zu "
                           "bytes and %d values",
                           JSON_BYTES_MAX, JSON_VALUES_MAX);
}

/* A secret, or content that is not the default, is kept under a key that only its owner is told. */
static loam_status keep_content(dungeon_asking *asking, const dungeon_asker *by,
                                const loam_dungeon_plan *plan, const dungeon_document *document,
                                loam_error *error) {
    asking->secret = by->server;
    if (!asking->secret) {
        return document->secret_given
                   ? loam_fail(error, LOAM_FORBIDDEN, "/secret_seed", "this needs the scope %s",
                               scope_name(SCOPE_SERVER))
                   : LOAM_OK;
    }
    LOAM_TRY(content_key_make(document, &by->flow->secret, &asking->key, &asking->content_key));
    if (document->content == NULL && !document->secret_given) {
        return LOAM_OK;
    }
    dungeon_document_write_secret(&asking->content, plan, document);
    return !asking->content.failed && document_fits(buffer_view(&asking->content))
               ? LOAM_OK
               : loam_fail(error, LOAM_BUDGET_EXCEEDED, "/content",
                           "the request with its content is too large: at most %zu bytes and %d "
                           "values",
                           JSON_BYTES_MAX, JSON_VALUES_MAX);
}

/* The rules against their schema: a mistake is told here, not by every question. */
static loam_status check_content(const loam_rules *rules, loam_arena *arena, loam_error *error) {
    loam_error fault = {0};
    loam_status status = rules == NULL ? LOAM_OK : loam_content_check(rules, arena, &fault);
    if (status != LOAM_OK) {
        char pointer[LOAM_POINTER_BYTES];
        snprintf(pointer, sizeof pointer, "/content%.*s", (int)sizeof pointer - 16, fault.pointer);
        return loam_fail(error, status, pointer, "%s", fault.text);
    }
    return LOAM_OK;
}

loam_status dungeon_asking_make(dungeon_asking *asking, const dungeon_asker *by,
                                const dungeon_document *document, const loam_dungeon_plan *plan,
                                loam_arena *scratch, loam_error *error) {
    *asking = (dungeon_asking){0};
    buffer_init(&asking->request, JSON_BYTES_MAX);
    buffer_init(&asking->content, JSON_BYTES_MAX);
    LOAM_TRY(check_content(document->content, scratch, error));
    LOAM_TRY(keep_request(asking, plan, error));
    return keep_content(asking, by, plan, document, error);
}

void dungeon_asking_fini(dungeon_asking *asking) {
    buffer_fini(&asking->request);
    buffer_fini(&asking->content);
}
