/* SPDX-License-Identifier: MIT
 *
 * asset_lines.c: lines and given points as bytes, in their normal forms, with the keys that they
 * have: what was told apart once stays so.
 */
#include "core/base/limits.h"
#include "core/base/try.h"
#include "core/codec/asset_parts.h"
#include "core/space/lines.h"
#include "core/space/sites.h"

/* Bytes that one takes at least: what is announced cannot be more than what is left. */
enum { LINE_BYTES = 12, VERTEX_BYTES = 16, SITE_BYTES = 28, PROPERTY_BYTES = 9, TEXT_BYTES = 4 };

/* ---- Lines --------------------------------------------------------------------------------- */

void asset_write_lines(byte_writer *writer, const loam_lines *lines) {
    const loam_lines_source *source = loam_lines_normal_form(lines);
    write_u32(writer, source->line_count);
    for (uint32_t i = 0; i < source->line_count; i++) {
        const loam_line *line = &source->lines[i];
        write_u64(writer, line->key);
        write_u32(writer, line->count);
        for (size_t j = 0; j < 2 * (size_t)line->count; j++) {
            write_i64(writer, line->xz[j]);
        }
    }
}

static loam_status read_line(byte_reader *reader, loam_arena *arena, loam_line *line,
                             loam_error *error) {
    line->key = read_u64(reader);
    line->count = read_u32(reader);
    if (reader->failed || line->count > reader->left / VERTEX_BYTES) {
        return asset_damaged(error, "a line is cut");
    }
    int64_t *xz = loam_arena_take(arena, line->count, 2 * sizeof *xz);
    LOAM_TRY_MEMORY(xz, error);
    for (size_t i = 0; i < 2 * (size_t)line->count; i++) {
        xz[i] = read_i64(reader);
    }
    line->xz = xz;
    return LOAM_OK;
}

loam_status asset_read_lines(byte_reader *reader, loam_arena *arena, loam_asset *asset,
                             loam_error *error) {
    loam_lines_source source = {.line_count = read_u32(reader)};
    if (reader->failed || source.line_count > reader->left / LINE_BYTES) {
        return asset_damaged(error, "lines are cut");
    }
    loam_line *lines = loam_arena_take(arena, source.line_count, sizeof *lines);
    LOAM_TRY_MEMORY(lines, error);
    for (uint32_t i = 0; i < source.line_count; i++) {
        lines[i] = (loam_line){.feature = i};
        LOAM_TRY(read_line(reader, arena, &lines[i], error));
    }
    if (reader->left != 0) {
        return asset_damaged(error, "bytes are left over");
    }
    source.lines = lines;
    return lines_restore(&source, arena, &asset->lines, error);
}

/* ---- Points -------------------------------------------------------------------------------- */

static void write_property(byte_writer *writer, const loam_attribute *property, uint32_t count) {
    write_text(writer, property->name);
    write_u8(writer, (uint8_t)property->kind);
    write_u32(writer, property->text_count);
    for (uint32_t i = 0; i < property->text_count; i++) {
        write_text(writer, property->texts[i]);
    }
    write_i32_array(writer, property->values, count);
}

void asset_write_sites(byte_writer *writer, const loam_sites *sites) {
    const loam_sites_source *source = loam_sites_normal_form(sites);
    write_u32(writer, source->count);
    for (uint32_t i = 0; i < source->count; i++) {
        write_u64(writer, source->sites[i].key);
        write_i64(writer, source->sites[i].x);
        write_i64(writer, source->sites[i].z);
        write_i32(writer, source->sites[i].y);
    }
    write_u32(writer, source->property_count);
    for (uint32_t i = 0; i < source->property_count; i++) {
        write_property(writer, &source->properties[i], source->count);
    }
}

static loam_status read_texts(byte_reader *reader, loam_arena *arena, loam_attribute *property,
                              loam_error *error) {
    property->text_count = read_u32(reader);
    if (reader->failed || property->text_count > reader->left / TEXT_BYTES) {
        return asset_damaged(error, "texts are cut");
    }
    loam_text *texts = loam_arena_take(arena, property->text_count, sizeof *texts);
    LOAM_TRY_MEMORY(texts, error);
    for (uint32_t i = 0; i < property->text_count; i++) {
        texts[i] = read_text(reader);
    }
    property->texts = texts;
    return LOAM_OK;
}

static loam_status read_property(byte_reader *reader, loam_arena *arena, uint32_t count,
                                 loam_attribute *property, loam_error *error) {
    *property = (loam_attribute){.name = read_text(reader)};
    property->kind = (loam_attribute_kind)read_u8(reader);
    LOAM_TRY(read_texts(reader, arena, property, error));
    if (reader->failed || count > reader->left / sizeof(int32_t)) {
        return asset_damaged(error, "a property is cut");
    }
    int32_t *values = loam_arena_take(arena, count, sizeof *values);
    LOAM_TRY_MEMORY(values, error);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = read_i32(reader);
    }
    property->values = values;
    return LOAM_OK;
}

static loam_status read_properties(byte_reader *reader, loam_arena *arena,
                                   loam_sites_source *source, loam_error *error) {
    source->property_count = read_u32(reader);
    if (reader->failed || source->property_count > reader->left / PROPERTY_BYTES) {
        return asset_damaged(error, "properties are cut");
    }
    loam_attribute *properties = loam_arena_take(arena, source->property_count, sizeof *properties);
    LOAM_TRY_MEMORY(properties, error);
    for (uint32_t i = 0; i < source->property_count; i++) {
        LOAM_TRY(read_property(reader, arena, source->count, &properties[i], error));
    }
    source->properties = properties;
    return LOAM_OK;
}

loam_status asset_read_sites(byte_reader *reader, loam_arena *arena, loam_asset *asset,
                             loam_error *error) {
    loam_sites_source source = {.count = read_u32(reader)};
    if (reader->failed || source.count > reader->left / SITE_BYTES) {
        return asset_damaged(error, "points are cut");
    }
    loam_site *sites = loam_arena_take(arena, source.count, sizeof *sites);
    LOAM_TRY_MEMORY(sites, error);
    for (uint32_t i = 0; i < source.count; i++) {
        sites[i].feature = i;
        sites[i].key = read_u64(reader);
        sites[i].x = read_i64(reader);
        sites[i].z = read_i64(reader);
        sites[i].y = read_i32(reader);
    }
    LOAM_TRY(read_properties(reader, arena, &source, error));
    if (reader->failed || reader->left != 0) {
        return asset_damaged(error, "bytes are left over");
    }
    source.sites = sites;
    return sites_restore(&source, arena, &asset->sites, error);
}
