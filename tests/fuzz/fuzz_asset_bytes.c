/* SPDX-License-Identifier: MIT
 *
 * fuzz_asset_bytes.c: bytes of an asset are refused with an error, or decode to an asset whose
 * canonical bytes are their own. For a heightfield, which has one spelling, they are the input.
 */
#include "api/wire/asset.h"
#include "tests/fuzz/property.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    loam_asset asset;
    text_buffer first, again;
    loam_text input = input_text(bytes, size);
    if (decode_asset(input, &asset) != LOAM_OK) {
        return 0;
    }
    buffer_init(&first, ASSET_BYTES_MAX);
    buffer_init(&again, ASSET_BYTES_MAX);
    require(asset_payload(&asset, &first) == LOAM_OK, "an accepted asset can be encoded");
    if (asset.kind == LOAM_PORT_HEIGHTFIELD) {
        require_equal(buffer_view(&first), input, "a heightfield has one spelling");
    }
    require(decode_asset(buffer_view(&first), &asset) == LOAM_OK,
            "the canonical bytes of an asset are accepted");
    require(asset_payload(&asset, &again) == LOAM_OK, "and can be encoded");
    require_equal(buffer_view(&again), buffer_view(&first), "canonical bytes are their own");
    buffer_fini(&first);
    buffer_fini(&again);
    return 0;
}
