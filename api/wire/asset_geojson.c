/* SPDX-License-Identifier: MIT
 *
 * asset_geojson.c: areas, lines and points from GeoJSON. How much memory one needs only its builder
 * knows, so sizes are found by trying.
 */
#include "api/wire/asset_readers.h"
#include "api/wire/geojson.h"
#include "core/base/try.h"

/* Memory: a first try, and how often it is doubled: from 256 bytes a vertex to 64 KB. */
enum {
    BUILD_BYTES_MIN = 1 << 20,
    BUILD_BYTES_PER_VERTEX = 256,
    BUILD_TRIES_MAX = 9,
};

/* A source of one kind. */
typedef union geojson_source {
    geojson_areas areas;
    geojson_lines lines;
    geojson_points points;
} geojson_source;

/* How one kind is read and built. `build` leaves errors with pointers into the document. */
typedef struct geojson_way {
    loam_port_kind kind;
    loam_status (*read)(loam_text document, geojson_source *source, loam_error *error);
    uint32_t (*vertices)(const geojson_source *source);
    loam_status (*build)(const geojson_source *source, asset_data *data, loam_error *fault);
    void (*fini)(geojson_source *source);
} geojson_way;

static loam_status areas_read(loam_text document, geojson_source *source, loam_error *error) {
    return geojson_read_areas(document, &source->areas, error);
}

static uint32_t areas_vertices(const geojson_source *source) {
    return source->areas.vertex_count;
}

static loam_status areas_build(const geojson_source *source, asset_data *data, loam_error *fault) {
    loam_status status =
        loam_areas_build(&source->areas.source, &data->arena, &data->asset.areas, fault);
    geojson_place_error(&source->areas, fault);
    return status;
}

static void areas_fini(geojson_source *source) {
    geojson_fini(&source->areas);
}

static loam_status lines_read(loam_text document, geojson_source *source, loam_error *error) {
    return geojson_read_lines(document, &source->lines, error);
}

static uint32_t lines_vertices(const geojson_source *source) {
    return source->lines.vertex_count;
}

static loam_status lines_build(const geojson_source *source, asset_data *data, loam_error *fault) {
    loam_status status =
        loam_lines_build(&source->lines.source, &data->arena, &data->asset.lines, fault);
    geojson_place_number(source->lines.collection, fault);
    return status;
}

static void lines_fini(geojson_source *source) {
    geojson_lines_fini(&source->lines);
}

static loam_status points_read(loam_text document, geojson_source *source, loam_error *error) {
    return geojson_read_points(document, &source->points, error);
}

static uint32_t points_vertices(const geojson_source *source) {
    return source->points.source.count;
}

static loam_status points_build(const geojson_source *source, asset_data *data, loam_error *fault) {
    loam_status status =
        loam_sites_build(&source->points.source, &data->arena, &data->asset.sites, fault);
    geojson_place_number(source->points.collection, fault);
    return status;
}

static void points_fini(geojson_source *source) {
    geojson_points_fini(&source->points);
}

static const geojson_way ways[] = {
    {LOAM_PORT_AREAS, areas_read, areas_vertices, areas_build, areas_fini},
    {LOAM_PORT_LINES, lines_read, lines_vertices, lines_build, lines_fini},
    {LOAM_PORT_POINTS, points_read, points_vertices, points_build, points_fini},
};

static loam_status build(const geojson_way *way, const geojson_source *source, asset_data *data,
                         loam_error *error) {
    size_t size = BUILD_BYTES_MIN + (size_t)way->vertices(source) * BUILD_BYTES_PER_VERTEX;
    for (int i = 0; i < BUILD_TRIES_MAX && asset_take_arena(data, size); i++, size *= 2) {
        loam_error fault = {0};
        loam_status status = way->build(source, data, &fault);
        if (status == LOAM_OK) {
            data->asset.kind = way->kind;
            return LOAM_OK;
        }
        if (status != LOAM_ARENA_FULL) {
            return loam_fail(error, status, fault.pointer, "%s", fault.text);
        }
    }
    return asset_fail_memory(error);
}

static const geojson_way *way_of(loam_port_kind kind) {
    const geojson_way *way = ways;
    while (way->kind != kind) {
        way++;
    }
    return way;
}

loam_status asset_read_geojson(const asset_request *request, loam_port_kind kind, asset_data *data,
                               loam_error *error) {
    static const char *const known[] = {"kind", "crs", NULL};
    const geojson_way *way = way_of(kind);
    geojson_source source;
    LOAM_TRY(query_check_names(&request->query, known, error));
    loam_text crs = query_find(&request->query, "crs");
    if (crs.bytes == NULL || !loam_text_equal(crs, loam_text_of("local"))) {
        return loam_fail(error, LOAM_CRS_MISSING, NULL, "%s", loam_status_text(LOAM_CRS_MISSING));
    }
    LOAM_TRY(way->read(request->body, &source, error));
    loam_status status = build(way, &source, data, error);
    way->fini(&source);
    return status;
}
