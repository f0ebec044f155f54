/* SPDX-License-Identifier: MIT
 *
 * cell_view.c: see cell_view.h. The views are api/view's, which the daemon serves too.
 */
#include "api/cli/cell_view.h"

#include <string.h>

#include "api/cli/output.h"
#include "api/view/view_cell_csv.h"
#include "api/view/view_cell_glb.h"
#include "api/view/view_cell_json.h"
#include "api/view/view_picture.h"
#include "core/base/try.h"

/* A pixel for half a metre of the usual cell. */
#define CELL_PICTURE_SIDE 512

typedef struct format_row {
    const char *name;
    const char *media_type;
} format_row;

static const format_row formats[] = {
    [CELL_FORMAT_CELL] = {"cell", "application/vnd.loam.cell"},
    [CELL_FORMAT_JSON] = {"json", "application/json"},
    [CELL_FORMAT_PNG] = {"png", "image/png"},
    [CELL_FORMAT_CSV] = {"csv", "text/csv"},
    [CELL_FORMAT_GLB] = {"glb", "model/gltf-binary"},
};

loam_status cell_format_find(const char *name, cell_format *format, loam_error *error) {
    *format = CELL_FORMAT_CELL;
    for (size_t i = 0; name != NULL && i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            *format = (cell_format)i;
            return LOAM_OK;
        }
    }
    return name == NULL ? LOAM_OK
                        : loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                                    "--format takes cell, json, png, csv or glb, not '%s'", name);
}

const char *cell_format_media_type(cell_format format) {
    return formats[format].media_type;
}

bool cell_format_is_text(cell_format format) {
    return format == CELL_FORMAT_JSON || format == CELL_FORMAT_CSV;
}

/* Offline a world is called by its file: forest.world.json is forest. */
static loam_text world_name(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    return (loam_text){name, strcspn(name, ".")};
}

static cell_place place_of(const offline_world *offline, const offline_cell *cell,
                           cell_address address) {
    return (cell_place){.world = world_name(offline->path),
                        .revision = offline->world.revision,
                        .output = offline->world.graph.outputs[offline->output].name,
                        .level = (uint32_t)address.level,
                        .x = address.x,
                        .z = address.z,
                        .build_key = cell->key,
                        .digest = cell->id};
}

static loam_status view_write(const cell_place *place, const loam_points *points,
                              cell_format format, text_buffer *view) {
    switch (format) {
    case CELL_FORMAT_CSV:
        return view_cell_csv(points, view);
    case CELL_FORMAT_GLB:
        return view_cell_glb(place, points, view);
    case CELL_FORMAT_JSON:
    case CELL_FORMAT_CELL:
    case CELL_FORMAT_PNG:
        break;
    }
    return view_cell_json(place, points, view);
}

loam_status cell_view_write(const offline_world *offline, const offline_cell *cell,
                            cell_address address, cell_format format, text_buffer *view,
                            loam_error *error) {
    if (format == CELL_FORMAT_PNG) {
        return view_cell_picture(&cell->points, offline_heightfield(offline), CELL_PICTURE_SIDE,
                                 view, error);
    }
    cell_place place = place_of(offline, cell, address);
    loam_status status = view_write(&place, &cell->points, format, view);
    return status == LOAM_OK
               ? LOAM_OK
               : loam_fail(error, status, NULL, "the cell is too large for this view");
}
