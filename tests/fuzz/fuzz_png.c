/* SPDX-License-Identifier: MIT
 *
 * fuzz_png.c: a picture is refused with an error, or becomes a heightfield of its size whose
 * canonical bytes are their own. Chunks carry checksums, which random changes break before anything
 * is read: so the mutator here mends them, most of the time.
 */
#include "api/wire/asset.h"
#include "tests/fuzz/property.h"

#include <zlib.h>

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t size_max);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t size_max, unsigned seed);

/* A picture is a signature and chunks: length, type, content, checksum of type and content. */
enum { SIGNATURE_BYTES = 8, CHUNK_HEAD_BYTES = 8, CHUNK_BYTES = 12 };

static uint32_t get_big_u32(const uint8_t *from) {
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static void put_big_u32(uint8_t *to, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        to[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static void mend_checksums(uint8_t *bytes, size_t size) {
    size_t at = SIGNATURE_BYTES;
    while (size >= CHUNK_BYTES && at <= size - CHUNK_BYTES) {
        uint32_t length = get_big_u32(bytes + at);
        if (length > size - CHUNK_BYTES - at) {
            return;
        }
        uint8_t *end = bytes + at + CHUNK_HEAD_BYTES + length;
        put_big_u32(end, (uint32_t)crc32(0, bytes + at + 4, length + 4));
        at += CHUNK_BYTES + length;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t size_max, unsigned seed) {
    size = LLVMFuzzerMutate(bytes, size, size_max);
    if (seed % 8 != 0) {
        mend_checksums(bytes, size);
    }
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const asset_param params[] = {{{"kind", 4}, {"heightfield", 11}},
                                         {{"spacing_m", 9}, {"2.5", 3}},
                                         {{"row0", 4}, {"north", 5}},
                                         {{"scale_m", 7}, {"0.125", 5}}};
    asset_request request = {.media_type = loam_text_of("image/png"),
                             .query = {params, 4},
                             .body = input_text(bytes, size)};
    asset_data *data = NULL;
    loam_error error = {0};
    loam_status status = asset_read(&request, &data, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
        return 0;
    }
    const loam_heightfield *field = data->asset.heightfield;
    size_t size_at = SIGNATURE_BYTES + CHUNK_HEAD_BYTES;
    require(size > size_at + 8 && field->width == get_big_u32(bytes + size_at) &&
                field->height == get_big_u32(bytes + size_at + 4),
            "a field has the size of its picture");
    require_asset_round_trip(&data->asset);
    asset_destroy(data);
    return 0;
}
