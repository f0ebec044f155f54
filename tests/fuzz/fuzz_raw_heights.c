/* SPDX-License-Identifier: MIT
 *
 * fuzz_raw_heights.c: a query, a newline and raw samples are refused with an error, or become a
 * heightfield: as many samples as the query says, each where its row belongs, rounded to nearest.
 */
#include "api/wire/asset.h"
#include "api/wire/asset_heights.h"
#include "tests/fuzz/property.h"

#include <math.h>

enum { PARAMS_READ_MAX = 16 };

/* "name=value&name=value": as in an address, nothing to decode. */
static uint32_t cut_params(loam_text query, asset_param params[PARAMS_READ_MAX]) {
    uint32_t count = 0;
    while (query.size > 0 && count < PARAMS_READ_MAX) {
        loam_text value = cut_text(&query, '&');
        params[count].name = cut_text(&value, '=');
        params[count++].value = value;
    }
    return count;
}

/* Sample `index` of a body of 16-bit numbers. */
static double sample_at(const heights_form *form, loam_text body, size_t index) {
    const unsigned char *at = (const unsigned char *)body.bytes + 2 * index;
    return form->encoding == HEIGHTS_U16LE ? at[0] | at[1] << 8 : at[0] << 8 | at[1];
}

static void require_samples(const heights_form *form, loam_text body,
                            const loam_heightfield *field) {
    for (uint32_t row = 0; row < form->height; row++) {
        uint32_t to = form->north_first ? form->height - 1 - row : row;
        for (uint32_t i = 0; i < form->width; i++) {
            double metres = form->offset_m +
                            sample_at(form, body, (size_t)row * form->width + i) * form->scale_m;
            double wanted = floor(metres * LOAM_HEIGHT_STEPS_PER_METRE + 0.5);
            require(field->samples[(size_t)to * form->width + i] == wanted,
                    "a sample is its height to the nearest step");
        }
    }
}

static void require_field(const asset_request *request, const loam_heightfield *field) {
    heights_form form;
    loam_error error = {0};
    require(heights_read_form(&request->query, false, &form, &error) == LOAM_OK,
            "an accepted query can be read");
    size_t sample_bytes = form.encoding == HEIGHTS_F32LE ? 4 : 2;
    require((size_t)form.width * form.height * sample_bytes == request->body.size,
            "a body has the size that its query says");
    require(field->width == form.width && field->height == form.height,
            "a field has the size that its query says");
    if (form.encoding != HEIGHTS_F32LE) {
        require_samples(&form, request->body, field);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    asset_param params[PARAMS_READ_MAX];
    loam_text body = input_text(bytes, size);
    uint32_t count = cut_params(cut_text(&body, '\n'), params);
    asset_request request = {.media_type = loam_text_of("application/octet-stream"),
                             .query = {params, count},
                             .body = body};
    asset_data *data = NULL;
    loam_error error = {0};
    loam_status status = asset_read(&request, &data, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
        return 0;
    }
    if (data->asset.kind == LOAM_PORT_HEIGHTFIELD) {
        require_field(&request, data->asset.heightfield);
    }
    require_asset_round_trip(&data->asset);
    asset_destroy(data);
    return 0;
}
