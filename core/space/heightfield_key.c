/* SPDX-License-Identifier: MIT
 *
 * heightfield_key.c: what a cell can see of a heightfield, as key bytes. Samples go in by blocks of
 * B x B, B the largest power of two with B * spacing <= 32 m (at least 1), counted from
 * floor(origin / spacing) so that moving a field by whole blocks and editing far samples change
 * nothing here. An entry is the block's position, the spacing and the decoded samples; a block
 * without samples is an entry too ("absent"), as a hole decides where points are.
 */
#include "core/base/fixed_math.h"
#include "core/space/heightfield.h"

/* A finer grain would hash more entries, a coarser one rebuild more cells after an edit. */
#define BLOCK_SIDE_FINE_MAX ((int64_t)32 * LOAM_UNITS_PER_METRE * LOAM_FINE_PER_UNIT)

/* Vertices [first, end) of one axis, in the field's own count. */
typedef struct vertex_range {
    int64_t first, end;
} vertex_range;

/* Which vertices a point in [low, high) reads: the two of its quad, and the last edge belongs to
 * the last quad. */
static vertex_range vertices_read(const loam_heightfield *field, uint32_t vertices, int64_t low,
                                  int64_t high) {
    int64_t first = heightfield_index(field, low);
    first -= first == (int64_t)vertices - 1;
    return (vertex_range){first, heightfield_index(field, high - 1) + 2};
}

static int64_t block_vertices(const loam_heightfield *field) {
    int64_t vertices = 1;
    while (vertices * 2 * field->spacing_fine <= BLOCK_SIDE_FINE_MAX) {
        vertices *= 2;
    }
    return vertices;
}

static vertex_range cut(int64_t first, int64_t size, uint32_t vertices) {
    int64_t low = first < 0 ? 0 : first;
    int64_t high = first + size > (int64_t)vertices ? (int64_t)vertices : first + size;
    return (vertex_range){low, high < low ? low : high};
}

/* One block: its position in the world's count, which of its samples exist, and those. */
static void write_block(byte_writer *writer, const loam_heightfield *field, int64_t block_x,
                        int64_t block_z, int64_t first_x, int64_t first_z, int64_t size) {
    vertex_range x = cut(first_x, size, field->width);
    vertex_range z = cut(first_z, size, field->height);
    bool absent = x.first == x.end || z.first == z.end;
    write_i64(writer, block_x);
    write_i64(writer, block_z);
    write_u8(writer, absent ? 0 : 1);
    if (absent) {
        return;
    }
    write_u32(writer, (uint32_t)(x.first - first_x));
    write_u32(writer, (uint32_t)(x.end - first_x));
    write_u32(writer, (uint32_t)(z.first - first_z));
    write_u32(writer, (uint32_t)(z.end - first_z));
    for (int64_t j = z.first; j < z.end; j++) {
        write_i32_array(writer, field->samples + j * (int64_t)field->width + x.first,
                        (size_t)(x.end - x.first));
    }
}

/* The lattice that the samples stand on, up to a shift by whole blocks. */
static void write_lattice(byte_writer *writer, const loam_heightfield *field, int64_t low_x,
                          int64_t low_z) {
    bool whole = field->spacing_fine % LOAM_FINE_PER_UNIT == 0;
    int64_t spacing = field->spacing_fine;
    write_i64(writer, spacing);
    write_i64(writer, field->origin_x * LOAM_FINE_PER_UNIT - low_x * spacing);
    write_i64(writer, field->origin_z * LOAM_FINE_PER_UNIT - low_z * spacing);
    write_u8(writer, whole);
    if (!whole) {
        /* Vertices are rounded by their own index, so here a shift does change them. */
        write_i64(writer, low_x);
        write_i64(writer, low_z);
    }
}

void heightfield_see(const loam_heightfield *field, loam_rect rect, byte_writer *writer) {
    int64_t size = block_vertices(field);
    int64_t low_x = floor_divide(field->origin_x * LOAM_FINE_PER_UNIT, field->spacing_fine);
    int64_t low_z = floor_divide(field->origin_z * LOAM_FINE_PER_UNIT, field->spacing_fine);
    vertex_range x =
        vertices_read(field, field->width, rect.x0 - field->origin_x, rect.x1 - field->origin_x);
    vertex_range z =
        vertices_read(field, field->height, rect.z0 - field->origin_z, rect.z1 - field->origin_z);
    vertex_range blocks_x = {floor_divide(low_x + x.first, size),
                             floor_divide(low_x + x.end - 1, size)};
    vertex_range blocks_z = {floor_divide(low_z + z.first, size),
                             floor_divide(low_z + z.end - 1, size)};
    write_lattice(writer, field, low_x, low_z);
    for (int64_t j = blocks_z.first; j <= blocks_z.end; j++) {
        for (int64_t i = blocks_x.first; i <= blocks_x.end; i++) {
            write_block(writer, field, i, j, i * size - low_x, j * size - low_z, size);
        }
    }
}
