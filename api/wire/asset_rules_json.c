/* SPDX-License-Identifier: MIT
 *
 * asset_rules_json.c: a JSON document of rules as an asset: documents that mean the same are the
 * same asset. What the fields are is not looked at here: the operation that a world binds the
 * document to knows.
 */
#include "api/wire/asset_readers.h"
#include "api/wire/document.h"
#include "api/wire/rules_document.h"
#include "core/base/try.h"

static loam_status read_document(loam_text json, json_t *root, asset_data *data,
                                 fault_list *faults) {
    item whole = document_item(root, faults);
    LOAM_TRY(item_object(&whole));
    json_extent extent = json_scan(json, JSON_DEPTH_MAX, JSON_VALUES_MAX);
    if (!asset_take_arena(data, rules_document_bytes(extent.values, json.size))) {
        return item_fail_memory(&whole);
    }
    loam_rules *rules = loam_arena_take_zero(&data->arena, 1, sizeof *rules);
    if (rules == NULL) {
        return item_fail_memory(&whole);
    }
    LOAM_TRY(rules_document_read(&whole, &data->arena, rules));
    data->asset = (loam_asset){.kind = LOAM_PORT_RULES, .rules = rules};
    return LOAM_OK;
}

loam_status asset_read_rules_json(const asset_request *request, asset_data *data,
                                  loam_error *error) {
    static const char *const known[] = {"kind", NULL};
    fault_list faults = {0};
    json_t *root = NULL;
    LOAM_TRY(query_check_names(&request->query, known, error));
    loam_status status = document_read(request->body, &root, &faults);
    if (status == LOAM_OK) {
        status = read_document(request->body, root, data, &faults);
    }
    json_decref(root);
    return status == LOAM_OK ? LOAM_OK : fault_first(&faults, error);
}
