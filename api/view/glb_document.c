/* SPDX-License-Identifier: MIT
 *
 * glb_document.c: the JSON chunk of a cell as binary glTF: the scene, and where everything lies in
 * the binary chunk. See view_cell_glb.h.
 */
#include "api/view/glb_parts.h"


/* Accessors of the arrow, then as many for each asset as it has columns. */
enum { ACCESSOR_CORNERS, ACCESSOR_INDICES, ACCESSORS_SHARED };

const glb_column glb_columns[GLB_COLUMNS] = {
    [COLUMN_TRANSLATION] = {"TRANSLATION", "VEC3", TYPE_FLOAT, 12},
    [COLUMN_ROTATION] = {"ROTATION", "VEC4", TYPE_FLOAT, 16},
    [COLUMN_SCALE] = {"SCALE", "VEC3", TYPE_FLOAT, 12},
    [COLUMN_ID] = {"_ID", "VEC4", TYPE_UNSIGNED_SHORT, 8},
};

size_t glb_binary_bytes(const glb_batches *all) {
    size_t bytes = all->count > 0 ? ARROW_CORNER_BYTES + ARROW_INDEX_BYTES : 0;
    for (uint32_t b = 0; b < all->count; b++) {
        for (uint32_t c = 0; c < GLB_COLUMNS; c++) {
            bytes += (size_t)all->items[b].count * glb_columns[c].bytes;
        }
    }
    return bytes;
}

static void write_count(text_buffer *to, const char *key, uint64_t value) {
    buffer_key(to, key);
    buffer_unsigned(to, value);
}

static void write_string(text_buffer *to, const char *key, loam_text text) {
    buffer_key(to, key);
    buffer_string_text(to, text);
}

static void write_head(text_buffer *to, const glb_batches *all) {
    buffer_key(to, "asset");
    buffer_open_object(to);
    write_string(to, "generator", loam_text_of("loam"));
    write_string(to, "version", loam_text_of("2.0"));
    buffer_close_object(to);
    static const char *const lists[] = {"extensionsUsed", "extensionsRequired"};
    for (uint32_t i = 0; i < 2 && all->count > 0; i++) {
        buffer_key(to, lists[i]);
        buffer_open_array(to);
        buffer_string(to, "EXT_mesh_gpu_instancing");
        buffer_close_array(to);
    }
    write_count(to, "scene", 0);
    buffer_key(to, "scenes");
    buffer_json(to, loam_text_of("[{\"nodes\":[0]}]"));
}

static void write_place(text_buffer *to, const cell_place *place) {
    buffer_key(to, "extras");
    buffer_open_object(to);
    write_string(to, "world", place->world);
    buffer_key(to, "revision");
    buffer_digest(to, &place->revision);
    write_string(to, "output", place->output);
    write_count(to, "level", place->level);
    buffer_key(to, "x");
    buffer_integer(to, place->x);
    buffer_key(to, "z");
    buffer_integer(to, place->z);
    buffer_key(to, "build_key");
    buffer_digest(to, &place->build_key);
    buffer_key(to, "digest");
    buffer_digest(to, &place->digest);
    buffer_close_object(to);
}

static void write_root(text_buffer *to, const cell_place *place, const loam_points *points,
                       const glb_batches *all) {
    buffer_open_object(to);
    write_string(to, "name", place->output);
    buffer_field_place(to, "translation", (const int64_t[]){points->rect.x0, 0, -points->rect.z0},
                       3);
    if (all->count > 0) {
        buffer_key(to, "children");
        buffer_open_array(to);
        for (uint32_t b = 0; b < all->count; b++) {
            buffer_unsigned(to, 1 + b);
        }
        buffer_close_array(to);
    }
    write_place(to, place);
    buffer_close_object(to);
}

static void write_instances(text_buffer *to, const glb_batches *all, uint32_t b) {
    buffer_open_object(to);
    if (all->items[b].name.size > 0) {
        write_string(to, "name", all->items[b].name);
    }
    write_count(to, "mesh", b);
    buffer_key(to, "extensions");
    buffer_open_object(to);
    buffer_key(to, "EXT_mesh_gpu_instancing");
    buffer_open_object(to);
    buffer_key(to, "attributes");
    buffer_open_object(to);
    for (uint32_t c = 0; c < GLB_COLUMNS; c++) {
        write_count(to, glb_columns[c].semantic, ACCESSORS_SHARED + b * GLB_COLUMNS + c);
    }
    buffer_close_object(to);
    buffer_close_object(to);
    buffer_close_object(to);
    buffer_close_object(to);
}

static void write_meshes(text_buffer *to, const glb_batches *all) {
    buffer_key(to, "meshes");
    buffer_open_array(to);
    for (uint32_t b = 0; b < all->count; b++) {
        buffer_open_object(to);
        if (all->items[b].name.size > 0) {
            write_string(to, "name", all->items[b].name);
        }
        buffer_key(to, "primitives");
        buffer_json(to, loam_text_of("[{\"attributes\":{\"POSITION\":0},\"indices\":1}]"));
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

static void open_accessor(text_buffer *to, uint32_t view, uint32_t component, uint32_t count,
                          const char *type) {
    buffer_open_object(to);
    write_count(to, "bufferView", view);
    write_count(to, "componentType", component);
    write_count(to, "count", count);
    write_string(to, "type", loam_text_of(type));
}

static void write_accessors(text_buffer *to, const glb_batches *all) {
    buffer_key(to, "accessors");
    buffer_open_array(to);
    open_accessor(to, ACCESSOR_CORNERS, TYPE_FLOAT, ARROW_CORNERS, "VEC3");
    buffer_field_place(to, "min", (const int64_t[]){-64, 0, -128}, 3);
    buffer_field_place(to, "max", (const int64_t[]){96, 192, 64}, 3);
    buffer_close_object(to);
    open_accessor(to, ACCESSOR_INDICES, TYPE_UNSIGNED_SHORT, ARROW_INDICES, "SCALAR");
    buffer_close_object(to);
    for (uint32_t b = 0; b < all->count; b++) {
        for (uint32_t c = 0; c < GLB_COLUMNS; c++) {
            open_accessor(to, ACCESSORS_SHARED + b * GLB_COLUMNS + c, glb_columns[c].component,
                          all->items[b].count, glb_columns[c].type);
            buffer_close_object(to);
        }
    }
    buffer_close_array(to);
}

static size_t write_view(text_buffer *to, size_t offset, size_t bytes) {
    buffer_open_object(to);
    write_count(to, "buffer", 0);
    write_count(to, "byteOffset", offset);
    write_count(to, "byteLength", bytes);
    buffer_close_object(to);
    return offset + bytes;
}

static void write_views(text_buffer *to, const glb_batches *all) {
    buffer_key(to, "bufferViews");
    buffer_open_array(to);
    size_t offset = write_view(to, 0, ARROW_CORNER_BYTES);
    offset = write_view(to, offset, ARROW_INDEX_BYTES);
    for (uint32_t b = 0; b < all->count; b++) {
        for (uint32_t c = 0; c < GLB_COLUMNS; c++) {
            offset = write_view(to, offset, (size_t)all->items[b].count * glb_columns[c].bytes);
        }
    }
    buffer_close_array(to);
}

void glb_write_document(const cell_place *place, const loam_points *points, const glb_batches *all,
                        text_buffer *to) {
    buffer_open_object(to);
    write_head(to, all);
    buffer_key(to, "nodes");
    buffer_open_array(to);
    write_root(to, place, points, all);
    for (uint32_t b = 0; b < all->count; b++) {
        write_instances(to, all, b);
    }
    buffer_close_array(to);
    if (all->count > 0) {
        write_meshes(to, all);
        write_accessors(to, all);
        write_views(to, all);
        buffer_key(to, "buffers");
        buffer_open_array(to);
        buffer_open_object(to);
        write_count(to, "byteLength", glb_binary_bytes(all));
        buffer_close_object(to);
        buffer_close_array(to);
    }
    buffer_close_object(to);
    while (to->size % 4 != 0 && !to->failed) {
        buffer_add_text(to, " ");
    }
}
