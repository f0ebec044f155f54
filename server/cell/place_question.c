/* SPDX-License-Identifier: MIT
 *
 * place_question.c: see place_question.h.
 */
#include "server/cell/place_question.h"

#include "api/wire/asset_query.h"
#include "api/wire/asset_round.h"
#include "core/base/limits.h"
#include "core/base/try.h"

/* Parameters of one query: more than there are names is a repeated one. */
enum { PLACE_PARAMS_MAX = 8 };

const char *const place_query[] = {"output", "x_m", "z_m", "radius_m", NULL};

static loam_status read_length(const asset_query *query, const char *name, int64_t units_max,
                               int64_t *units, loam_error *error) {
    double metres = 0;
    loam_text text;
    LOAM_TRY(query_require(query, name, &text, error));
    LOAM_TRY(query_number(query, name, &metres, error));
    if (!round_nearest(metres, LOAM_UNITS_PER_METRE, units_max, units)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "the query parameter %s is at most %lld m",
                         name, (long long)(units_max / LOAM_UNITS_PER_METRE));
    }
    return LOAM_OK;
}

loam_status place_read(const http_request *request, int64_t radius_m_max, place_question *question,
                       loam_error *error) {
    asset_param params[PLACE_PARAMS_MAX];
    asset_query query = {.params = params};
    for (size_t i = 0; i < http_query_count(request) && i < PLACE_PARAMS_MAX; i++) {
        params[query.count++] =
            (asset_param){http_query_name(request, i), http_query_value(request, i)};
    }
    loam_place *place = &question->place;
    LOAM_TRY(query_check_names(&query, place_query, error));
    LOAM_TRY(query_require(&query, "output", &question->output_name, error));
    LOAM_TRY(read_length(&query, "x_m", POSITION_UNITS_MAX, &place->x, error));
    LOAM_TRY(read_length(&query, "z_m", POSITION_UNITS_MAX, &place->z, error));
    LOAM_TRY(read_length(&query, "radius_m", radius_m_max * LOAM_UNITS_PER_METRE, &place->radius,
                         error));
    return place->radius >= 0 ? LOAM_OK
                              : loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                                          "the query parameter radius_m is not negative");
}

bool place_in_world(const world *of, int64_t x, int64_t z) {
    const int64_t metre = LOAM_UNITS_PER_METRE;
    return !of->bounded || (x >= of->min_m[0] * metre && x < of->max_m[0] * metre &&
                            z >= of->min_m[1] * metre && z < of->max_m[1] * metre);
}

loam_status place_find(const place_question *question, const world *of, uint32_t *output,
                       loam_error *error) {
    int32_t found = loam_graph_find_output(&of->graph, question->output_name);
    if (found < 0) {
        return loam_fail(error, LOAM_NOT_FOUND, NULL, "the world has no output of this name");
    }
    if (!place_in_world(of, question->place.x, question->place.z)) {
        return loam_fail(error, LOAM_OUTSIDE_WORLD, NULL, "the place lies outside the world");
    }
    *output = (uint32_t)found;
    return LOAM_OK;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

loam_rect place_rect(const loam_place *place, const world *of) {
    const int64_t metre = LOAM_UNITS_PER_METRE;
    loam_rect rect = {place->x - place->radius, place->z - place->radius,
                      place->x + place->radius + 1, place->z + place->radius + 1};
    if (of->bounded) {
        rect.x0 = larger(rect.x0, of->min_m[0] * metre);
        rect.z0 = larger(rect.z0, of->min_m[1] * metre);
        rect.x1 = smaller(rect.x1, of->max_m[0] * metre);
        rect.z1 = smaller(rect.z1, of->max_m[1] * metre);
    }
    return rect;
}
