/* SPDX-License-Identifier: MIT
 *
 * fuzz_geojson.c: GeoJSON is refused with an error, or becomes areas, lines or points whose
 * canonical bytes are their own. What the scanner accepts is JSON to another reader, too.
 */
#include "api/wire/asset.h"
#include "api/wire/asset_scan.h"
#include "api/wire/geojson.h"
#include "tests/fuzz/property.h"

#include <jansson.h>
#include <string.h>

/* Where the two readers may differ: numbers beyond binary64, escapes that are no character or end a
 * name are left to those who read them; the scanner has limits of its own; and the other one passes
 * over a byte of zero behind a number. */
static bool may_differ(loam_text document, const json_error_t *fault, const loam_error *error) {
    return json_error_code(fault) == json_error_numeric_overflow ||
           (document.size > 0 && memchr(document.bytes, 0, document.size) != NULL) ||
           text_holds(document, "\\ud") || text_holds(document, "\\u0000") ||
           text_holds(loam_text_of(error->text), "too deep") ||
           text_holds(loam_text_of(error->text), "too long") || error->status == LOAM_TOO_MANY;
}

static void require_same_grammar(loam_text document) {
    static const scan_limits limits = {GEOJSON_DEPTH_MAX, GEOJSON_NUMBERS_MAX};
    uint32_t numbers = 0;
    json_error_t fault = {0};
    loam_error error = {0};
    size_t flags = JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL;
    loam_status status = scan_check(document, limits, &numbers, &error);
    json_t *root = json_loadb(document.bytes, document.size, flags, &fault);
    if (status != LOAM_OK) {
        require_fault(status, &error);
    }
    require((root != NULL) == (status == LOAM_OK) || may_differ(document, &fault, &error),
            "what one reader takes for JSON the other does");
    json_decref(root);
}

static void require_kind(loam_text kind, loam_text document) {
    const asset_param params[] = {{{"kind", 4}, kind}, {{"crs", 3}, {"local", 5}}};
    asset_request request = {
        .media_type = loam_text_of("application/geo+json"), .query = {params, 2}, .body = document};
    asset_data *data = NULL;
    loam_error error = {0};
    loam_status status = asset_read(&request, &data, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
        return;
    }
    require_asset_round_trip(&data->asset);
    asset_destroy(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    loam_text document = input_text(bytes, size);
    require_same_grammar(document);
    require_kind(loam_text_of("areas"), document);
    require_kind(loam_text_of("lines"), document);
    require_kind(loam_text_of("points"), document);
    return 0;
}
