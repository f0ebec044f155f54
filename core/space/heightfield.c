/* SPDX-License-Identifier: MIT
 *
 * heightfield.c: checks of a heightfield, the choice of a path and the scalar path. The scalar path
 * is the definition; heightfield_kernel.c must agree with it bit for bit.
 */
#include "core/space/heightfield.h"

#include "core/base/fixed_math.h"
#include "core/base/limits.h"
#include "core/base/portable.h"
#include "core/base/try.h"

/* 3 * relief * spacing^2 must stay an exact double, and relief an int32 with room for its sign. */
#define VECTOR_SUM_MAX ((double)((int64_t)1 << 52))
#define VECTOR_RELIEF_MAX (1u << 29)
/* Below 2 units the reciprocal has no room; above 2^15 its error exceeds one step. */
enum { VECTOR_SPACING_MIN = 2, VECTOR_SPACING_MAX = 32768 };
/* The 32-bit path: squares of the spacing stay below 2^30. */
enum { SHIFT_MIN = 3, SHIFT_SPACING_MAX = 1 << 14 };
/* Offsets in a window times spacing stay below 2^38, so that the reciprocal is off by at most one.
 */
#define VECTOR_OFFSET_MAX ((int64_t)1 << 23)

static uint32_t corner_relief(const int32_t *south, const int32_t *north) {
    int32_t low = south[0];
    int32_t high = south[0];
    const int32_t others[] = {south[1], north[0], north[1]};
    for (size_t i = 0; i < 3; i++) {
        low = others[i] < low ? others[i] : low;
        high = others[i] > high ? others[i] : high;
    }
    return (uint32_t)high - (uint32_t)low;
}

static loam_status check_samples(const loam_heightfield *field, loam_error *error) {
    uint64_t total = (uint64_t)field->width * field->height;
    for (uint64_t i = 0; i < total; i++) {
        if (field->samples[i] <= -HEIGHT_SAMPLE_MAX || field->samples[i] >= HEIGHT_SAMPLE_MAX) {
            return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                             "sample %llu lies outside of +-16384 m", (unsigned long long)i);
        }
    }
    return LOAM_OK;
}

loam_status loam_heightfield_init(loam_heightfield *field, loam_error *error) {
    if (field->width < 2 || field->height < 2 || field->width > HEIGHTFIELD_SIDE_MAX ||
        field->height > HEIGHTFIELD_SIDE_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "a heightfield has 2 to %u samples a side",
                         HEIGHTFIELD_SIDE_MAX);
    }
    if ((uint64_t)field->width * field->height > HEIGHTFIELD_SAMPLES_MAX) {
        return loam_fail(error, LOAM_TOO_LARGE, NULL, "%u x %u samples are more than %llu",
                         field->width, field->height, (unsigned long long)HEIGHTFIELD_SAMPLES_MAX);
    }
    if (field->spacing_fine < LOAM_FINE_PER_UNIT ||
        field->spacing_fine > HEIGHTFIELD_SPACING_FINE_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "the spacing is 1/256 m to 256 m");
    }
    if (field->origin_x < -POSITION_UNITS_MAX || field->origin_x > POSITION_UNITS_MAX ||
        field->origin_z < -POSITION_UNITS_MAX || field->origin_z > POSITION_UNITS_MAX) {
        return loam_fail(error, LOAM_COORDINATE_RANGE, NULL, "the origin is too far away");
    }
    LOAM_TRY(check_samples(field, error));
    field->relief = 0;
    for (uint32_t j = 0; j + 1 < field->height; j++) {
        const int32_t *row = field->samples + (uint64_t)j * field->width;
        for (uint32_t i = 0; i + 1 < field->width; i++) {
            uint32_t relief = corner_relief(row + i, row + field->width + i);
            field->relief = relief > field->relief ? relief : field->relief;
        }
    }
    return LOAM_OK;
}

int64_t heightfield_vertex(const loam_heightfield *field, int64_t index) {
    return (index * field->spacing_fine + LOAM_FINE_PER_UNIT / 2) >> 16;
}

int64_t heightfield_index(const loam_heightfield *field, int64_t offset_units) {
    int64_t index = floor_divide(offset_units * LOAM_FINE_PER_UNIT, field->spacing_fine);
    while (heightfield_vertex(field, index) > offset_units) {
        index--;
    }
    while (heightfield_vertex(field, index + 1) <= offset_units) {
        index++;
    }
    return index;
}

/* The quad along one axis, where in it, and its length. False when outside. */
static bool find_quad(const loam_heightfield *field, uint32_t vertices, int64_t offset,
                      int64_t *quad, int64_t *inside, int64_t *length) {
    if (offset < 0 || offset > heightfield_vertex(field, (int64_t)vertices - 1)) {
        return false;
    }
    int64_t index = heightfield_index(field, offset);
    int64_t last = (int64_t)vertices - 2;
    *quad = index > last ? last : index;
    int64_t start = heightfield_vertex(field, *quad);
    *inside = offset - start;
    *length = heightfield_vertex(field, *quad + 1) - start;
    return true;
}

/* round(16 * sum / area) for a gradient, clamped. */
static int32_t gradient_of(int64_t sum, int64_t area) {
    int64_t gradient = floor_divide(32 * sum + area, 2 * area);
    gradient = gradient > GRADIENT_MAX ? GRADIENT_MAX : gradient;
    return (int32_t)(gradient < -GRADIENT_MAX ? -GRADIENT_MAX : gradient);
}

static void sample_point(const loam_heightfield *field, int64_t offset_x, int64_t offset_z,
                         uint32_t i, surface_columns columns) {
    int64_t qx, qz, fx, fz, w, d;
    columns.y[i] = columns.gradient_x[i] = columns.gradient_z[i] = 0;
    if (!find_quad(field, field->width, offset_x, &qx, &fx, &w) ||
        !find_quad(field, field->height, offset_z, &qz, &fz, &d)) {
        columns.live[i] = 0;
        return;
    }
    const int32_t *south = field->samples + qz * (int64_t)field->width + qx;
    const int32_t *north = south + field->width;
    int64_t sw = south[0], se = south[1], nw = north[0], ne = north[1];
    int64_t sum = (sw * (w - fx) + se * fx) * (d - fz) + (nw * (w - fx) + ne * fx) * fz;
    columns.y[i] = (int32_t)((floor_divide(sum, w * d) + 128) >> 8);
    columns.gradient_x[i] = gradient_of((se - sw) * (d - fz) + (ne - nw) * fz, w * d);
    columns.gradient_z[i] = gradient_of((nw - sw) * (w - fx) + (ne - se) * fx, w * d);
}

bool heightfield_value(const loam_heightfield *field, int64_t x, int64_t z, int64_t *value) {
    int64_t qx, qz, fx, fz, w, d;
    if (!find_quad(field, field->width, x - field->origin_x, &qx, &fx, &w) ||
        !find_quad(field, field->height, z - field->origin_z, &qz, &fz, &d)) {
        return false;
    }
    const int32_t *south = field->samples + qz * (int64_t)field->width + qx;
    const int32_t *north = south + field->width;
    int64_t low = south[0] * (w - fx) + south[1] * fx;
    int64_t high = north[0] * (w - fx) + north[1] * fx;
    *value = floor_divide(low * (d - fz) + high * fz, w * d);
    return true;
}

/* Where the window begins, along one axis; false when the vector path cannot hold it. */
static bool window_axis(const loam_heightfield *field, uint32_t vertices, int64_t offset,
                        int32_t *quad, int32_t *inside) {
    int64_t spacing = field->spacing_fine >> 16;
    int64_t reach = (int64_t)vertices * spacing;
    if (offset > reach || offset < -VECTOR_OFFSET_MAX) {
        return false;
    }
    *quad = (int32_t)floor_divide(offset, spacing);
    *inside = (int32_t)(offset - *quad * spacing);
    return true;
}

/* log2 of a spacing that the 32-bit path can take; else 0. Its largest sum is below 4 * relief *
 * spacing, and it needs 3 bits of fraction to round a gradient. */
static int32_t shift_of(int64_t spacing, uint32_t relief) {
    int32_t shift = SHIFT_MIN;
    while (((int64_t)1 << shift) < spacing) {
        shift++;
    }
    bool low = 8 * (int64_t)relief * spacing < INT32_MAX && spacing <= SHIFT_SPACING_MAX;
    return low && ((int64_t)1 << shift) == spacing ? shift : 0;
}

static bool window_init(const loam_heightfield *field, int64_t offset_x, int64_t offset_z,
                        surface_window *window) {
    int64_t spacing = field->spacing_fine >> 16;
    if ((field->spacing_fine & 0xffff) != 0 || spacing < VECTOR_SPACING_MIN ||
        spacing > VECTOR_SPACING_MAX || field->relief >= VECTOR_RELIEF_MAX) {
        return false;
    }
    double steep = 3.0 * (double)field->relief * (double)(spacing * spacing);
    double steps = 64.0 * (double)field->relief * (double)spacing;
    if (steep >= VECTOR_SUM_MAX || steps >= VECTOR_SUM_MAX ||
        16 * (int64_t)field->relief / spacing >= VECTOR_RELIEF_MAX) {
        return false;
    }
    *window = (surface_window){
        .samples = field->samples,
        .width = (int32_t)field->width,
        .height = (int32_t)field->height,
        .spacing = (int32_t)spacing,
        .reciprocal = (uint32_t)(((uint64_t)1 << 32) / (uint64_t)spacing),
        .shift = shift_of(spacing, field->relief),
    };
    return window_axis(field, field->width, offset_x, &window->quad_x, &window->inside_x) &&
           window_axis(field, field->height, offset_z, &window->quad_z, &window->inside_z);
}

const char *heightfield_sample(const loam_heightfield *field, loam_simd level, bool general_path,
                               int64_t base_x, int64_t base_z, const int32_t *x, const int32_t *z,
                               uint32_t count, surface_columns columns) {
    int64_t offset_x = base_x - field->origin_x;
    int64_t offset_z = base_z - field->origin_z;
    surface_window window;
    if (!general_path && window_init(field, offset_x, offset_z, &window)) {
        const surface_kernels *kernels = SIMD_SELECT(surface_kernels, level);
        (window.shift != 0 ? kernels->sample_shifted : kernels->sample)(
            &window, x, z, count, columns.y, columns.gradient_x, columns.gradient_z, columns.live);
        return window.shift != 0 ? "vector32" : "vector64";
    }
    for (uint32_t i = 0; i < count; i++) {
        sample_point(field, offset_x + x[i], offset_z + z[i], i, columns);
    }
    return "scalar";
}
