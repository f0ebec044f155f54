/* SPDX-License-Identifier: MIT
 *
 * asset_codec.c: the normalised payload of an asset, out and in (FORMAT.md, "Assets"). Areas,
 * lines and points are written in their normal forms, so equal ones give equal bytes however they
 * were drawn; lines and points by asset_lines.c.
 */
#include "core/base/bytes.h"
#include "core/base/limits.h"
#include "core/base/try.h"
#include "core/codec/asset_parts.h"
#include "core/codec/format.h"
#include "core/space/areas.h"

#include <string.h>

static void write_heightfield(byte_writer *writer, const loam_heightfield *field) {
    write_u32(writer, field->width);
    write_u32(writer, field->height);
    write_i64(writer, field->spacing_fine);
    write_i64(writer, field->origin_x);
    write_i64(writer, field->origin_z);
    write_i32_array(writer, field->samples, (size_t)field->width * field->height);
}

static void write_ring(byte_writer *writer, const loam_ring *ring) {
    write_u32(writer, ring->count);
    for (uint32_t i = 0; i < 2 * ring->count; i++) {
        write_i64(writer, ring->xz[i]);
    }
}

static void write_areas(byte_writer *writer, const loam_areas_source *source) {
    write_u32(writer, source->feature_count);
    for (uint32_t i = 0; i < source->feature_count; i++) {
        write_u64(writer, source->features[i].key);
        write_i64(writer, source->features[i].margin);
        write_i64(writer, source->features[i].buffer);
    }
    write_u32(writer, source->polygon_count);
    for (uint32_t i = 0; i < source->polygon_count; i++) {
        const loam_polygon *polygon = &source->polygons[i];
        write_u32(writer, polygon->feature);
        write_u32(writer, polygon->ring_count);
        for (uint32_t r = 0; r < polygon->ring_count; r++) {
            write_ring(writer, &polygon->rings[r]);
        }
    }
}

loam_status loam_asset_encode(const loam_asset *asset, loam_sink sink) {
    byte_writer writer;
    writer_init(&writer, sink);
    write_bytes(&writer, ASSET_MAGIC, MAGIC_BYTES);
    write_u16(&writer, ASSET_FORMAT_VERSION);
    write_u16(&writer, (uint16_t)asset->kind);
    if (asset->kind == LOAM_PORT_HEIGHTFIELD) {
        write_heightfield(&writer, asset->heightfield);
    } else if (asset->kind == LOAM_PORT_AREAS) {
        write_areas(&writer, loam_areas_normal_form(asset->areas));
    } else if (asset->kind == LOAM_PORT_LINES) {
        asset_write_lines(&writer, asset->lines);
    } else if (asset->kind == LOAM_PORT_RULES) {
        asset_write_rules(&writer, asset->rules);
    } else if (asset->kind == LOAM_PORT_POINTS) {
        asset_write_sites(&writer, asset->sites);
    } else {
        return LOAM_NOT_IMPLEMENTED;
    }
    writer_flush(&writer);
    return LOAM_OK;
}

loam_status asset_damaged(loam_error *error, const char *what) {
    return loam_fail(error, LOAM_DAMAGED, NULL, "not the bytes of an asset: %s", what);
}

static loam_status read_heightfield(byte_reader *reader, loam_arena *arena, loam_asset *asset,
                                    loam_error *error) {
    loam_heightfield *field = loam_arena_take_zero(arena, 1, sizeof *field);
    LOAM_TRY_MEMORY(field, error);
    field->width = read_u32(reader);
    field->height = read_u32(reader);
    field->spacing_fine = read_i64(reader);
    field->origin_x = read_i64(reader);
    field->origin_z = read_i64(reader);
    uint64_t count = (uint64_t)field->width * field->height;
    if (reader->failed || count > reader->left / 4 || count * 4 != reader->left) {
        return asset_damaged(error, "the number of samples is not what the header says");
    }
    int32_t *samples = loam_arena_take(arena, (size_t)count, sizeof *samples);
    LOAM_TRY_MEMORY(samples, error);
    for (uint64_t i = 0; i < count; i++) {
        samples[i] = read_i32(reader);
    }
    field->samples = samples;
    asset->heightfield = field;
    return loam_heightfield_init(field, error);
}

static loam_status read_ring(byte_reader *reader, loam_arena *arena, loam_ring *ring,
                             loam_error *error) {
    ring->count = read_u32(reader);
    if (reader->failed || ring->count > reader->left / 16) {
        return asset_damaged(error, "a ring is cut");
    }
    int64_t *xz = loam_arena_take(arena, (size_t)ring->count * 2, sizeof *xz);
    LOAM_TRY_MEMORY(xz, error);
    for (uint32_t i = 0; i < 2 * ring->count; i++) {
        xz[i] = read_i64(reader);
    }
    ring->xz = xz;
    return LOAM_OK;
}

static loam_status read_polygon(byte_reader *reader, loam_arena *arena, uint32_t feature_count,
                                loam_polygon *polygon, loam_error *error) {
    polygon->feature = read_u32(reader);
    polygon->ring_count = read_u32(reader);
    if (reader->failed || polygon->feature >= feature_count ||
        polygon->ring_count > reader->left / 4) {
        return asset_damaged(error, "a polygon is cut");
    }
    loam_ring *rings = loam_arena_take(arena, polygon->ring_count + 1u, sizeof *rings);
    LOAM_TRY_MEMORY(rings, error);
    for (uint32_t r = 0; r < polygon->ring_count; r++) {
        LOAM_TRY(read_ring(reader, arena, &rings[r], error));
    }
    polygon->rings = rings;
    return LOAM_OK;
}

static loam_status read_areas(byte_reader *reader, loam_arena *arena, loam_asset *asset,
                              loam_error *error) {
    loam_areas_source source = {.feature_count = read_u32(reader)};
    if (reader->failed || source.feature_count > reader->left / 24) {
        return asset_damaged(error, "features are cut");
    }
    loam_area_feature *features =
        loam_arena_take(arena, source.feature_count + 1u, sizeof *features);
    LOAM_TRY_MEMORY(features, error);
    for (uint32_t i = 0; i < source.feature_count; i++) {
        features[i].key = read_u64(reader);
        features[i].margin = read_i64(reader);
        features[i].buffer = read_i64(reader);
    }
    source.polygon_count = read_u32(reader);
    if (reader->failed || source.polygon_count > reader->left / 8) {
        return asset_damaged(error, "polygons are cut");
    }
    loam_polygon *polygons = loam_arena_take(arena, source.polygon_count + 1u, sizeof *polygons);
    LOAM_TRY_MEMORY(polygons, error);
    for (uint32_t i = 0; i < source.polygon_count; i++) {
        LOAM_TRY(read_polygon(reader, arena, source.feature_count, &polygons[i], error));
    }
    if (reader->left != 0) {
        return asset_damaged(error, "bytes are left over");
    }
    source.features = features;
    source.polygons = polygons;
    return loam_areas_build(&source, arena, &asset->areas, error);
}

loam_status loam_asset_decode(const void *bytes, size_t size, loam_arena *arena, loam_asset *asset,
                              loam_error *error) {
    byte_reader reader;
    reader_init(&reader, bytes, size);
    *asset = (loam_asset){0};
    const unsigned char *magic = read_bytes(&reader, MAGIC_BYTES);
    if (magic == NULL || memcmp(magic, ASSET_MAGIC, MAGIC_BYTES) != 0) {
        return asset_damaged(error, "the first bytes are not LOAMASST");
    }
    if (read_u16(&reader) != ASSET_FORMAT_VERSION) {
        return asset_damaged(error, "another format version");
    }
    uint16_t kind = read_u16(&reader);
    asset->kind = (loam_port_kind)kind;
    if (!reader.failed && kind == LOAM_PORT_HEIGHTFIELD) {
        return read_heightfield(&reader, arena, asset, error);
    }
    if (!reader.failed && kind == LOAM_PORT_AREAS) {
        return read_areas(&reader, arena, asset, error);
    }
    if (!reader.failed && kind == LOAM_PORT_LINES) {
        return asset_read_lines(&reader, arena, asset, error);
    }
    if (!reader.failed && kind == LOAM_PORT_POINTS) {
        return asset_read_sites(&reader, arena, asset, error);
    }
    if (!reader.failed && kind == LOAM_PORT_RULES) {
        return asset_read_rules(&reader, arena, asset, error);
    }
    return asset_damaged(error, "a kind that this version does not have");
}
