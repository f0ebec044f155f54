/* SPDX-License-Identifier: MIT
 *
 * fuzz_rules_json.c: a document of rules that is uploaded is refused with an error, or has
 * canonical bytes that are their own; written as JSON it is the same document.
 */
#include "api/key/key.h"
#include "api/wire/asset.h"
#include "api/wire/rules_document.h"
#include "tests/fuzz/property.h"

static loam_status read_rules(loam_text document, asset_data **data) {
    static const asset_param params[] = {{{"kind", 4}, {"rules", 5}}};
    const asset_request request = {
        .media_type = loam_text_of("application/json"), .query = {params, 1}, .body = document};
    loam_error error = {0};
    loam_status status = asset_read(&request, data, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
    }
    return status;
}

static void require_written(const loam_rules *rules) {
    asset_data *again = NULL;
    text_buffer text;
    digest key = {{0}}, key_again = {{1}};
    buffer_init(&text, (size_t)32 << 20);
    rules_document_write(&text, rules);
    if (buffer_status(&text) == LOAM_OK && text.size <= JSON_BYTES_MAX) {
        require(read_rules(buffer_view(&text), &again) == LOAM_OK,
                "rules that are written are read");
        require(key_of_rules(rules, &key) == LOAM_OK &&
                    key_of_rules(again->asset.rules, &key_again) == LOAM_OK &&
                    digest_equal(&key, &key_again),
                "rules that are written are the same");
        asset_destroy(again);
    }
    buffer_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    asset_data *data = NULL;
    if (read_rules(input_text(bytes, size), &data) != LOAM_OK) {
        return 0;
    }
    require_asset_round_trip(&data->asset);
    require_written(data->asset.rules);
    asset_destroy(data);
    return 0;
}
