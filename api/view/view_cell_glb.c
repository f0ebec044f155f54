/* SPDX-License-Identifier: MIT
 *
 * view_cell_glb.c: see view_cell_glb.h. The binary chunk holds the arrow, then for each asset its
 * columns one after the other; the JSON chunk (glb_document.c) says where each begins.
 *
 * Floats are made from integers: places and scales exactly, rotations in one rounding, so that
 * every build writes the same bytes.
 */
#include "api/view/view_cell_glb.h"

#include "api/view/glb_parts.h"
#include "api/view/view_line.h"
#include "core/base/bytes.h"
#include "core/base/fixed_math.h"
#include "core/base/try.h"

#include <stdlib.h>

/* Of the format: what a file and its chunks begin with. */
enum {
    GLB_MAGIC = 0x46546c67,
    GLB_VERSION = 2,
    CHUNK_JSON = 0x4e4f534a,
    CHUNK_BINARY = 0x004e4942,
    GLB_HEADER_BYTES = 12,
    CHUNK_HEADER_BYTES = 8,
};

/* ---- The arrow ------------------------------------------------------------------------------- */

/* A tetrahedron with its nose to the north (-z) and one side longer than the other, so that it
 * looks different in a mirror. In 1/256 m. */
static const int32_t arrow_corners[ARROW_CORNERS][3] = {
    {0, 0, -128}, {-64, 0, 64}, {96, 0, 64}, {0, 192, 32}};
static const uint16_t arrow_faces[ARROW_INDICES] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

/* ---- Batches --------------------------------------------------------------------------------- */

static void batches_fini(glb_batches *all) {
    free(all->items);
    free(all->rows);
}

static uint32_t asset_of(const loam_points *points, uint32_t i) {
    return points->palette_count > 0 ? points->asset[i] : 0;
}

/* Points by their asset: counted, then dealt out in order. */
static loam_status batches_init(glb_batches *all, const loam_points *points) {
    uint32_t palette = points->palette_count > 0 ? points->palette_count : 1;
    uint32_t *next = calloc((size_t)palette + 1, sizeof *next);
    *all = (glb_batches){.items = calloc(palette, sizeof *all->items),
                         .rows = calloc((size_t)points->count + 1, sizeof *all->rows)};
    if (next == NULL || all->items == NULL || all->rows == NULL) {
        free(next);
        batches_fini(all);
        return LOAM_ARENA_FULL;
    }
    for (uint32_t i = 0; i < points->count; i++) {
        next[asset_of(points, i) + 1]++;
    }
    for (uint32_t a = 0; a < palette; a++) {
        next[a + 1] += next[a];
        if (next[a + 1] > next[a]) {
            loam_text name = points->palette_count > 0 ? points->palette[a] : (loam_text){"", 0};
            all->items[all->count++] =
                (glb_batch){name, all->rows + next[a], next[a + 1] - next[a]};
        }
    }
    for (uint32_t i = 0; i < points->count; i++) {
        all->rows[next[asset_of(points, i)]++] = i;
    }
    free(next);
    return LOAM_OK;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* value / 2^bits as a float, little endian. Exact below 2^24, else to nearest. */
static void put_float(unsigned char *to, int32_t value, unsigned bits) {
    float number = (float)value / (float)((int64_t)1 << bits);
    uint32_t raw;
    memcpy(&raw, &number, sizeof raw);
    put_u32(to, raw);
}

static void put_translation(unsigned char *to, const loam_points *points, uint32_t i) {
    put_float(to, points->x[i], UNIT_BITS);
    put_float(to + 4, points->y[i], UNIT_BITS);
    put_float(to + 8, -points->z[i], UNIT_BITS);
}

static void put_scale(unsigned char *to, const loam_points *points, uint32_t i) {
    put_float(to, points->scale_x[i], SCALE_BITS);
    put_float(to + 4, points->scale_y[i], SCALE_BITS);
    put_float(to + 8, points->scale_z[i], SCALE_BITS);
}

/* sin and cos of half an angle in 1/65,536 turn. */
static void half_sin_cos(int32_t turns, double *sine, double *cosine) {
    uint32_t quadrant = ((uint32_t)(turns + 16384) >> 15) & 3u;
    int32_t rest = (int32_t)((uint32_t)turns & 131071u) - (int32_t)(quadrant << 15);
    rest = rest > 65536 ? rest - 131072 : rest;
    double r = (double)rest * (FIXED_PI / 65536.0);
    double s = fixed_sin_small(r);
    double c = fixed_cos_small(r);
    const double sines[] = {s, c, -s, -c};
    *sine = sines[quadrant];
    *cosine = sines[(quadrant + 1) & 3u];
}

enum { QUATERNION_BITS = 29 };

/* Ry * Rx * Rz, in the mirror of z: there the x and y of the axis turn round. */
static void put_rotation(unsigned char *to, const loam_points *points, uint32_t i) {
    double sy, cy, sx, cx, sz, cz;
    half_sin_cos(points->yaw[i], &sy, &cy);
    half_sin_cos(points->pitch[i], &sx, &cx);
    half_sin_cos(points->roll[i], &sz, &cz);
    double x = cy * sx * cz + sy * cx * sz;
    double y = sy * cx * cz - cy * sx * sz;
    double z = cy * cx * sz - sy * sx * cz;
    double w = cy * cx * cz + sy * sx * sz;
    double sign = w < 0.0 ? -1.0 : 1.0;
    const double mirrored[4] = {-x * sign, -y * sign, z * sign, w * sign};
    for (int part = 0; part < 4; part++) {
        int32_t rounded = round_to_int(mirrored[part] * (double)(1 << QUATERNION_BITS));
        put_float(to + part * 4, rounded, QUATERNION_BITS);
    }
}

typedef void put_instance(unsigned char *to, const loam_points *points, uint32_t i);

static void put_id(unsigned char *to, const loam_points *points, uint32_t i) {
    put_u64(to, points->id[i]);
}

static put_instance *const putters[GLB_COLUMNS] = {
    [COLUMN_TRANSLATION] = put_translation,
    [COLUMN_ROTATION] = put_rotation,
    [COLUMN_SCALE] = put_scale,
    [COLUMN_ID] = put_id,
};

/* ---- The binary chunk ------------------------------------------------------------------------ */

static void add_arrow(text_buffer *to) {
    for (uint32_t i = 0; i < ARROW_CORNERS; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            unsigned char number[4];
            put_float(number, arrow_corners[i][axis], UNIT_BITS);
            buffer_add(to, number, sizeof number);
        }
    }
    for (uint32_t i = 0; i < ARROW_INDICES; i++) {
        unsigned char number[2];
        put_u16(number, arrow_faces[i]);
        buffer_add(to, number, sizeof number);
    }
}

static void add_binary(const loam_points *points, const glb_batches *all, text_buffer *to) {
    add_arrow(to);
    for (uint32_t b = 0; b < all->count; b++) {
        for (uint32_t c = 0; c < GLB_COLUMNS; c++) {
            for (uint32_t i = 0; i < all->items[b].count && !to->failed; i++) {
                unsigned char bytes[16];
                putters[c](bytes, points, all->items[b].rows[i]);
                buffer_add(to, bytes, glb_columns[c].bytes);
            }
        }
    }
}

/* ---- The file -------------------------------------------------------------------------------- */

static void add_u32(text_buffer *to, size_t value) {
    unsigned char bytes[4];
    put_u32(bytes, (uint32_t)value);
    buffer_add(to, bytes, sizeof bytes);
}

static loam_status add_file(const cell_place *place, const loam_points *points,
                            const glb_batches *all, text_buffer *json, text_buffer *to) {
    glb_write_document(place, points, all, json);
    LOAM_TRY(buffer_status(json));
    size_t binary = glb_binary_bytes(all);
    size_t total = GLB_HEADER_BYTES + CHUNK_HEADER_BYTES + json->size +
                   (binary > 0 ? CHUNK_HEADER_BYTES + binary : 0);
    if (total > UINT32_MAX) {
        return LOAM_TOO_LARGE;
    }
    add_u32(to, GLB_MAGIC);
    add_u32(to, GLB_VERSION);
    add_u32(to, total);
    add_u32(to, json->size);
    add_u32(to, CHUNK_JSON);
    buffer_add(to, json->bytes, json->size);
    if (binary > 0) {
        add_u32(to, binary);
        add_u32(to, CHUNK_BINARY);
        add_binary(points, all, to);
    }
    return buffer_status(to);
}

loam_status view_cell_glb(const cell_place *place, const loam_points *points, text_buffer *to) {
    glb_batches all;
    text_buffer json;
    LOAM_TRY(batches_init(&all, points));
    buffer_init(&json, to->bytes_max);
    loam_status status = add_file(place, points, &all, &json, to);
    buffer_fini(&json);
    batches_fini(&all);
    return status;
}
