/* SPDX-License-Identifier: MIT
 *
 * fuzz_numbers.c: text that is read as a seed, a coordinate or a digest is the one text of it.
 */
#include "api/key/key.h"
#include "api/wire/seed.h"
#include "tests/fuzz/property.h"

#include <inttypes.h>
#include <stdio.h>

static void require_text(loam_text text, const char *written) {
    require_equal(loam_text_of(written), text, "a value has one spelling");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    loam_text text = input_text(bytes, size);
    char written[DIGEST_TEXT_BYTES];
    uint64_t seed = 0;
    int64_t coordinate = 0;
    digest value;
    if (seed_parse(text, &seed)) {
        snprintf(written, sizeof written, "%" PRIu64, seed);
        require_text(text, written);
    }
    if (coordinate_parse(text, &coordinate)) {
        snprintf(written, sizeof written, "%" PRId64, coordinate);
        require_text(text, written);
    }
    if (digest_parse(text, &value)) {
        digest_text(&value, written);
        require_text(text, written);
    }
    return 0;
}
