/* SPDX-License-Identifier: MIT
 *
 * rules_shelf.c: see rules_shelf.h.
 */
#include "server/world/rules_shelf.h"

#include "core/base/text.h"
#include "core/base/try.h"

/* Which asset is meant; LOAM_NOT_FOUND for one of another kind too. */
static loam_status find_digest(store *from, loam_text name, digest *of) {
    control_request request = {.operation = CONTROL_ASSET_GET};
    if (!digest_parse(name, &request.key)) {
        request.name = name;
    }
    LOAM_TRY(store_control_wait(from, &request));
    const asset_row *row = &request.result.assets[0];
    bool rules = loam_port_kind_find(row->kind) == LOAM_PORT_RULES;
    *of = row->digest;
    control_result_fini(&request.result);
    return rules ? LOAM_OK : LOAM_NOT_FOUND;
}

static loam_status load(store *from, const digest *of, asset_data **data) {
    loam_error error = {0};
    blob *bytes = NULL;
    LOAM_TRY(store_asset_read(from, of, &bytes, &error));
    loam_status status =
        asset_load((loam_text){(const char *)bytes->bytes, bytes->size}, data, &error);
    blob_release(bytes);
    return status;
}

static loam_status find_rules(void *context, loam_text name, const loam_rules **rules) {
    rules_shelf *shelf = context;
    digest of;
    LOAM_TRY(find_digest(shelf->from, name, &of));
    uint32_t at = 0;
    while (at < shelf->count && !digest_equal(&shelf->digests[at], &of)) {
        at++;
    }
    if (at == RULES_SHELF_MAX) {
        return LOAM_TOO_MANY;
    }
    if (at == shelf->count) {
        LOAM_TRY(load(shelf->from, &of, &shelf->assets[at]));
        shelf->digests[shelf->count++] = of;
    }
    *rules = shelf->assets[at]->asset.rules;
    return LOAM_OK;
}

void rules_shelf_init(rules_shelf *shelf, store *from) {
    *shelf = (rules_shelf){.resolver = {.find_rules = find_rules, .context = shelf}, .from = from};
}

void rules_shelf_fini(rules_shelf *shelf) {
    for (uint32_t i = 0; i < shelf->count; i++) {
        asset_destroy(shelf->assets[i]);
    }
    shelf->count = 0;
}
