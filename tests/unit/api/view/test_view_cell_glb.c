/* SPDX-License-Identifier: MIT
 *
 * test_view_cell_glb.c: the file is read as a viewer reads it, and places the corners of a mesh
 * that has no symmetry where the points of the cell say, seen in the mirror of z.
 */
#include "api/view/view_cell_glb.h"

#include "core/base/bytes.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586

static const loam_text palette[] = {{"", 0}, {"fir", 3}, {"pine", 4}, {"unused", 6}};

static const loam_points some = {
    .rect = {768 * 256, -256 * 256, 1024 * 256, 0},
    .count = 5,
    .id = (const uint64_t[]){1234567890, UINT64_MAX, 0, 0x0123456789abcdef, 7},
    .x = (const int32_t[]){576, 65535, 0, 1, 2},
    .y = (const int32_t[]){15744, -1, 0, 4194303, -70000},
    .z = (const int32_t[]){2560, 0, 65535, 3, 4},
    .yaw = (const uint16_t[]){16384, 65535, 0, 40001, 5461},
    .pitch = (const int16_t[]){0, -32768, 0, 8000, -1234},
    .roll = (const int16_t[]){0, 1, 0, -12345, 32767},
    .scale_x = (const uint16_t[]){4608, 65535, 4096, 4096, 2048},
    .scale_y = (const uint16_t[]){4096, 4096, 4096, 8192, 8193},
    .scale_z = (const uint16_t[]){4608, 1, 4096, 12288, 5000},
    .density = (const uint32_t[]){1, 1, 1, 1, 1},
    .asset = (const uint32_t[]){2, 1, 0, 2, 1},
    .palette = palette,
    .palette_count = 4,
};

static const cell_place place = {.world = {"demo", 4}, .output = {"trees", 5}, .x = 3, .z = -1};

/* ---- A reader -------------------------------------------------------------------------------- */

typedef struct model {
    text_buffer file;
    json_t *root;
    const unsigned char *binary;
    size_t binary_bytes;
} model;

static uint32_t word(const model *of, size_t at) {
    cr_assert_leq(at + 4, of->file.size);
    return get_u32((const unsigned char *)of->file.bytes + at);
}

static void open_model(model *of, const loam_points *points) {
    buffer_init(&of->file, 1 << 20);
    cr_assert_eq(view_cell_glb(&place, points, &of->file), LOAM_OK);
    cr_assert_eq(memcmp(of->file.bytes, "glTF", 4), 0);
    cr_assert_eq(word(of, 4), 2);
    cr_assert_eq(word(of, 8), of->file.size);
    uint32_t json = word(of, 12);
    cr_assert_eq(memcmp(of->file.bytes + 16, "JSON", 4), 0);
    cr_assert_eq(json % 4, 0);
    of->root = json_loadb(of->file.bytes + 20, json, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(of->root, "%.*s", (int)json, of->file.bytes + 20);
    of->binary = NULL;
    of->binary_bytes = 0;
    if (20 + json < of->file.size) {
        of->binary_bytes = word(of, 20 + json);
        cr_assert_eq(memcmp(of->file.bytes + 24 + json, "BIN\0", 4), 0);
        of->binary = (const unsigned char *)of->file.bytes + 28 + json;
        cr_assert_eq(28 + json + of->binary_bytes, of->file.size);
    }
}

static void close_model(model *of) {
    json_decref(of->root);
    buffer_fini(&of->file);
}

static json_t *part(const model *of, const char *list, json_int_t index) {
    json_t *found = json_array_get(json_object_get(of->root, list), (size_t)index);
    cr_assert_not_null(found, "%s %lld", list, (long long)index);
    return found;
}

static json_int_t whole(json_t *of, const char *key) {
    json_t *value = json_object_get(of, key);
    cr_assert(json_is_integer(value), "%s", key);
    return json_integer_value(value);
}

/* Where an accessor's elements begin; its type, size and bounds are checked. */
static const unsigned char *elements(const model *of, json_int_t index, const char *type,
                                     uint32_t component, uint32_t bytes, uint32_t *count) {
    json_t *accessor = part(of, "accessors", index);
    json_t *view = part(of, "bufferViews", whole(accessor, "bufferView"));
    json_int_t offset = whole(view, "byteOffset");
    *count = (uint32_t)whole(accessor, "count");
    cr_assert_str_eq(json_string_value(json_object_get(accessor, "type")), type);
    cr_assert_eq(whole(accessor, "componentType"), component);
    cr_assert_eq(whole(view, "byteLength"), (json_int_t)bytes * *count);
    cr_assert_eq(offset % 4, 0);
    cr_assert_leq((size_t)(offset + whole(view, "byteLength")), of->binary_bytes);
    return of->binary + offset;
}

static double number(const unsigned char *at) {
    uint32_t raw = get_u32(at);
    float value;
    memcpy(&value, &raw, sizeof value);
    return value;
}

/* ---- What the columns mean ------------------------------------------------------------------- */

/* A corner of a mesh in loam's frame to the world: scale, roll, pitch, yaw, place. */
static void place_corner(const loam_points *points, uint32_t i, const double corner[3],
                         double world[3]) {
    double x = corner[0] * points->scale_x[i] / 4096.0;
    double y = corner[1] * points->scale_y[i] / 4096.0;
    double z = corner[2] * points->scale_z[i] / 4096.0;
    double roll = points->roll[i] * TURN / 65536;
    double pitch = points->pitch[i] * TURN / 65536;
    double yaw = points->yaw[i] * TURN / 65536;
    /* Positive roll turns x to y. */
    double rolled[3] = {x * cos(roll) - y * sin(roll), x * sin(roll) + y * cos(roll), z};
    /* Positive pitch turns z to -y. */
    double pitched[3] = {rolled[0], rolled[1] * cos(pitch) - rolled[2] * sin(pitch),
                         rolled[1] * sin(pitch) + rolled[2] * cos(pitch)};
    /* A compass turns z, north, to x, east. */
    world[0] = pitched[0] * cos(yaw) + pitched[2] * sin(yaw);
    world[1] = pitched[1] + points->y[i] / 256.0;
    world[2] = pitched[2] * cos(yaw) - pitched[0] * sin(yaw);
    world[0] += (double)(points->rect.x0 + points->x[i]) / 256.0;
    world[2] += (double)(points->rect.z0 + points->z[i]) / 256.0;
}

/* The same as a viewer does it: v + 2 w (q x v) + 2 q x (q x v), then the places. */
static void view_corner(const unsigned char *at[3], uint32_t i, const double corner[3],
                        const double root[3], double world[3]) {
    double v[3], q[4], a[3], b[3];
    for (int axis = 0; axis < 3; axis++) {
        v[axis] = corner[axis] * number(at[2] + i * 12 + axis * 4);
    }
    for (int k = 0; k < 4; k++) {
        q[k] = number(at[1] + i * 16 + k * 4);
    }
    cr_assert_float_eq(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1.0, 1e-6);
    for (int axis = 0; axis < 3; axis++) {
        int n = (axis + 1) % 3, m = (axis + 2) % 3;
        a[axis] = q[n] * v[m] - q[m] * v[n];
    }
    for (int axis = 0; axis < 3; axis++) {
        int n = (axis + 1) % 3, m = (axis + 2) % 3;
        b[axis] = q[n] * a[m] - q[m] * a[n];
    }
    for (int axis = 0; axis < 3; axis++) {
        world[axis] = v[axis] + 2 * (q[3] * a[axis] + b[axis]) + number(at[0] + i * 12 + axis * 4) +
                      root[axis];
    }
}

static void expect_instance(const model *of, const unsigned char *at[3], uint32_t instance,
                            uint32_t point) {
    static const double corners[][3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {0.5, -0.25, 4}};
    json_t *translation = json_object_get(part(of, "nodes", 0), "translation");
    double root[3];
    for (size_t axis = 0; axis < 3; axis++) {
        root[axis] = json_number_value(json_array_get(translation, axis));
    }
    for (size_t c = 0; c < sizeof corners / sizeof *corners; c++) {
        const double mirrored[3] = {corners[c][0], corners[c][1], -corners[c][2]};
        double want[3], got[3];
        place_corner(&some, point, corners[c], want);
        view_corner(at, instance, mirrored, root, got);
        cr_expect_float_eq(got[0], want[0], 2e-5, "point %u corner %zu", point, c);
        cr_expect_float_eq(got[1], want[1], 2e-5, "point %u corner %zu", point, c);
        cr_expect_float_eq(-got[2], want[2], 2e-5, "point %u corner %zu", point, c);
    }
}

/* One node: its name, its points in canonical order. */
static void expect_batch(const model *of, json_int_t node, const char *name, const uint32_t *points,
                         uint32_t point_count) {
    json_t *found = part(of, "nodes", node);
    json_t *mesh = part(of, "meshes", whole(found, "mesh"));
    const char *got = json_string_value(json_object_get(found, "name"));
    cr_assert(name == NULL ? got == NULL : strcmp(got, name) == 0);
    got = json_string_value(json_object_get(mesh, "name"));
    cr_assert(name == NULL ? got == NULL : strcmp(got, name) == 0);
    json_t *attributes = json_object_get(
        json_object_get(json_object_get(found, "extensions"), "EXT_mesh_gpu_instancing"),
        "attributes");
    uint32_t count[4];
    const unsigned char *at[3] = {
        elements(of, whole(attributes, "TRANSLATION"), "VEC3", 5126, 12, &count[0]),
        elements(of, whole(attributes, "ROTATION"), "VEC4", 5126, 16, &count[1]),
        elements(of, whole(attributes, "SCALE"), "VEC3", 5126, 12, &count[2]),
    };
    const unsigned char *ids = elements(of, whole(attributes, "_ID"), "VEC4", 5123, 8, &count[3]);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(count[i], point_count);
    }
    for (uint32_t i = 0; i < point_count; i++) {
        cr_expect_eq(get_u64(ids + i * 8), some.id[points[i]]);
        expect_instance(of, at, i, points[i]);
    }
}

/* ---- Tests ----------------------------------------------------------------------------------- */

Test(view_cell_glb, a_node_for_each_asset_places_its_points) {
    model of;
    open_model(&of, &some);
    cr_assert_eq(json_array_size(json_object_get(of.root, "nodes")), 4);
    cr_assert_eq(json_array_size(json_object_get(part(&of, "nodes", 0), "children")), 3);
    expect_batch(&of, 1, NULL, (const uint32_t[]){2}, 1);
    expect_batch(&of, 2, "fir", (const uint32_t[]){1, 4}, 2);
    expect_batch(&of, 3, "pine", (const uint32_t[]){0, 3}, 2);
    close_model(&of);
}

Test(view_cell_glb, the_corner_of_the_cell_is_on_the_root) {
    model of;
    open_model(&of, &some);
    json_t *root = part(&of, "nodes", 0);
    json_t *translation = json_object_get(root, "translation");
    cr_expect_eq(json_number_value(json_array_get(translation, 0)), 768);
    cr_expect_eq(json_number_value(json_array_get(translation, 1)), 0);
    cr_expect_eq(json_number_value(json_array_get(translation, 2)), 256);
    cr_expect_str_eq(json_string_value(json_object_get(root, "name")), "trees");
    cr_expect_eq(whole(json_object_get(root, "extras"), "z"), -1);
    close_model(&of);
}

Test(view_cell_glb, extensions_are_declared) {
    model of;
    open_model(&of, &some);
    static const char *const lists[] = {"extensionsUsed", "extensionsRequired"};
    for (size_t i = 0; i < 2; i++) {
        json_t *list = json_object_get(of.root, lists[i]);
        cr_expect_eq(json_array_size(list), 1);
        cr_expect_str_eq(json_string_value(json_array_get(list, 0)), "EXT_mesh_gpu_instancing");
    }
    cr_expect_str_eq(
        json_string_value(json_object_get(json_object_get(of.root, "asset"), "version")), "2.0");
    cr_expect_eq((size_t)whole(part(&of, "buffers", 0), "byteLength"), of.binary_bytes);
    close_model(&of);
}

Test(view_cell_glb, the_mesh_is_closed_and_its_bounds_are_told) {
    model of;
    open_model(&of, &some);
    json_t *primitive = json_array_get(json_object_get(part(&of, "meshes", 0), "primitives"), 0);
    uint32_t corner_count, index_count;
    const unsigned char *corners =
        elements(&of, whole(json_object_get(primitive, "attributes"), "POSITION"), "VEC3", 5126, 12,
                 &corner_count);
    const unsigned char *indices =
        elements(&of, whole(primitive, "indices"), "SCALAR", 5123, 2, &index_count);
    json_t *accessor = part(&of, "accessors", 0);
    for (size_t axis = 0; axis < 3; axis++) {
        double low = 1e9, high = -1e9;
        for (uint32_t i = 0; i < corner_count; i++) {
            low = fmin(low, number(corners + i * 12 + axis * 4));
            high = fmax(high, number(corners + i * 12 + axis * 4));
        }
        cr_expect_eq(json_number_value(json_array_get(json_object_get(accessor, "min"), axis)),
                     low);
        cr_expect_eq(json_number_value(json_array_get(json_object_get(accessor, "max"), axis)),
                     high);
    }
    /* Faces turn counter-clockwise seen from outside: the volume below them is positive. */
    double volume = 0;
    for (uint32_t f = 0; f < index_count; f += 3) {
        double p[3][3];
        for (uint32_t k = 0; k < 3; k++) {
            uint16_t index = get_u16(indices + (f + k) * 2);
            cr_assert_lt(index, corner_count);
            for (uint32_t axis = 0; axis < 3; axis++) {
                p[k][axis] = number(corners + index * 12 + axis * 4);
            }
        }
        volume += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                  p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                  p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    cr_expect_gt(volume, 0);
    close_model(&of);
}

Test(view_cell_glb, a_cell_without_points_is_a_scene_without_a_mesh) {
    loam_points none = {.rect = some.rect};
    model of;
    open_model(&of, &none);
    cr_expect_eq(json_array_size(json_object_get(of.root, "nodes")), 1);
    cr_expect_null(json_object_get(part(&of, "nodes", 0), "children"));
    static const char *const absent[] = {"meshes",  "accessors",      "bufferViews",
                                         "buffers", "extensionsUsed", "extensionsRequired"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        cr_expect_null(json_object_get(of.root, absent[i]), "%s", absent[i]);
    }
    cr_expect_eq(of.binary_bytes, 0);
    close_model(&of);
}

/* Every yaw, with what the floats were rounded from: 1/2^29. */
Test(view_cell_glb, rotations_are_right_to_the_last_bits_of_a_float) {
    for (uint32_t yaw = 0; yaw < 65536; yaw += 257) {
        loam_points one = some;
        one.count = 1;
        one.yaw = (const uint16_t[]){(uint16_t)yaw};
        model of;
        open_model(&of, &one);
        json_t *extension = json_object_get(json_object_get(part(&of, "nodes", 1), "extensions"),
                                            "EXT_mesh_gpu_instancing");
        uint32_t count;
        const unsigned char *at =
            elements(&of, whole(json_object_get(extension, "attributes"), "ROTATION"), "VEC4", 5126,
                     16, &count);
        double half = yaw * TURN / 131072;
        double sign = cos(half) < 0 ? -1 : 1;
        cr_assert_float_eq(number(at + 4), -sin(half) * sign, 6e-8);
        cr_assert_float_eq(number(at + 12), cos(half) * sign, 6e-8);
        close_model(&of);
    }
}

Test(view_cell_glb, it_stops_at_the_limit_of_its_buffer) {
    for (size_t limit = 0; limit < 2500; limit += 100) {
        text_buffer to;
        buffer_init(&to, limit);
        cr_expect_eq(view_cell_glb(&place, &some, &to), LOAM_TOO_LARGE, "%zu", limit);
        buffer_fini(&to);
    }
}
