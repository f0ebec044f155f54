/* SPDX-License-Identifier: MIT
 *
 * line_walk.c: line.sample at work: along every segment in sight, station by station, and at each
 * its candidates. How many they can be is counted first, then there is room for them, then each is
 * drawn, placed, and kept when it lies in what is asked.
 */
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/attribute.h"
#include "core/ops/line_points.h"
#include "core/ops/line_sample.h"
#include "core/ops/line_stations.h"

/* Part of every origin: pinned. */
enum { SIDE_ON, SIDE_LEFT, SIDE_RIGHT };

/* Stations between looks at the cancel flag. */
enum { STATIONS_PER_POLL = 4096 };

/* One candidate of every station. */
typedef struct line_row {
    int64_t left;    /* units; negative: right */
    uint64_t offset; /* units and side as they are hashed */
    uint64_t side;
    uint32_t keep; /* 1/2^24 */
} line_row;

/* Draws of a node. */
typedef struct line_draws {
    uint64_t keep, x, z;
    uint64_t span; /* 2 jitter + 1 */
    int64_t jitter;
} line_draws;

/* An evaluation under way. */
typedef struct line_walk {
    node_call *call;
    const loam_lines *lines;
    station_rule rule;
    line_row *rows;
    uint32_t row_count;
    line_draws draws;
    line_points points;
    int32_t *offset; /* of each point */
} line_walk;

static loam_status rows_init(line_walk *walk) {
    const loam_node *node = walk->call->node;
    int64_t sides = param_integer(node, LINE_SIDES);
    walk->rows = loam_arena_take(walk->call->arena, line_row_count(node), sizeof *walk->rows);
    LOAM_TRY_MEMORY(walk->rows, walk->call->error);
    for (uint32_t i = 0; i < line_list_count(node, LINE_OFFSETS); i++) {
        int64_t offset = line_list_integer(node, LINE_OFFSETS, i);
        uint32_t keep = line_list_count(node, LINE_KEEP) == 1 ? 0 : i;
        line_row row = {.offset = (uint64_t)offset,
                        .side = SIDE_ON,
                        .keep = (uint32_t)line_list_integer(node, LINE_KEEP, keep)};
        if (offset == 0) {
            walk->rows[walk->row_count++] = row;
            continue;
        }
        if (sides != SIDES_RIGHT) {
            row.left = offset;
            row.side = SIDE_LEFT;
            walk->rows[walk->row_count++] = row;
        }
        if (sides != SIDES_LEFT) {
            row.left = -offset;
            row.side = SIDE_RIGHT;
            walk->rows[walk->row_count++] = row;
        }
    }
    return LOAM_OK;
}

static loam_status walk_init(node_call *call, line_walk *walk) {
    const loam_node *node = call->node;
    int64_t jitter = param_integer(node, LINE_JITTER);
    *walk = (line_walk){
        .call = call,
        .lines = call->assets[0]->lines,
        .rule = {.spacing = param_integer(node, LINE_SPACING),
                 .by_vertex = param_integer(node, LINE_ANCHOR) == ANCHOR_VERTEX,
                 .include_end = param_integer(node, LINE_END) == END_INCLUDE,
                 .reach = line_reach(node)},
        .draws = {.keep = draw_key(call->seed, DRAW_CULL),
                  .x = draw_key(call->seed, DRAW_JITTER_X),
                  .z = draw_key(call->seed, DRAW_JITTER_Z),
                  .span = 2 * (uint64_t)jitter + 1,
                  .jitter = jitter},
    };
    return rows_init(walk);
}

/* How many candidates the segments have, counted before there is room for them. */
static loam_status candidates_count(const line_walk *walk, const line_segment *segments,
                                    uint32_t segment_count, uint32_t *count) {
    uint64_t stations = 0;
    for (uint32_t i = 0; i < segment_count; i++) {
        station_run run = station_run_of(walk->lines, segments[i], &walk->rule, walk->call->rect);
        stations = add_saturated(stations, run.count + run.end);
    }
    uint64_t candidates = multiply_saturated(stations, walk->row_count);
    if (candidates > CANDIDATES_PER_NODE_MAX) {
        return loam_fail(walk->call->error, LOAM_BUDGET_EXCEEDED, walk->call->pointer,
                         "the lines here have %llu candidates, more than %llu; use a larger "
                         "spacing or smaller cells",
                         (unsigned long long)candidates,
                         (unsigned long long)CANDIDATES_PER_NODE_MAX);
    }
    *count = (uint32_t)candidates;
    return LOAM_OK;
}

static loam_status columns_take(line_walk *walk, uint32_t count) {
    LOAM_TRY(line_points_take(walk->call, count, &walk->points));
    walk->offset = COLUMN_TAKE(walk->call->arena, count, int32_t);
    return node_fail(walk->call, walk->offset == NULL ? LOAM_ARENA_FULL : LOAM_OK);
}

/* A station while its candidates are made. */
typedef struct line_station {
    int64_t along;   /* the segment, 1/65,536 unit */
    int64_t counted; /* from where stations are counted */
    uint64_t origin; /* of the line and the station */
    uint16_t yaw;
} line_station;

static int64_t stray(const line_draws *draws, uint64_t key, uint32_t a, uint32_t b) {
    uint64_t bits = draw_bits(draw_row_key(key, b), a);
    return (int64_t)((bits * draws->span) >> 32) - draws->jitter;
}

static void candidate_add(line_walk *walk, const station_run *run, const line_station *station,
                          const line_row *row) {
    const line_draws *draws = &walk->draws;
    uint64_t origin = mix_pair(mix_pair(station->origin, row->offset), row->side);
    uint32_t a = (uint32_t)origin, b = (uint32_t)(origin >> 32);
    if (draw_bits(draw_row_key(draws->keep, b), a) >> 8 >= row->keep) {
        return;
    }
    int64_t xz[2];
    station_place(run, station->along, row->left, xz);
    if (draws->jitter > 0) {
        xz[0] += stray(draws, draws->x, a, b);
        xz[1] += stray(draws, draws->z, a, b);
    }
    if (!line_points_hold(&walk->points, xz)) {
        return;
    }
    line_point point = {
        .xz = xz, .station = station->counted, .origin = origin, .yaw = station->yaw};
    uint32_t at = line_points_add(&walk->points, &point);
    walk->offset[at] = (int32_t)(row->offset * (ATTRIBUTE_ONE / LOAM_UNITS_PER_METRE));
}

/* What the stations of a segment hash: the line's key, or by vertex also the vertex's place and how
 * often the line was there before. */
static uint64_t origin_of(const line_walk *walk, line_segment segment, uint32_t vertex) {
    const loam_line *line = &loam_lines_normal_form(walk->lines)->lines[segment.line];
    if (!walk->rule.by_vertex) {
        return line->key;
    }
    const int64_t *xz = line->xz + 2 * (size_t)vertex;
    uint64_t origin = mix_pair(mix_pair(line->key, (uint64_t)xz[0]), (uint64_t)xz[1]);
    return mix_pair(origin, lines_visits(walk->lines, segment.line)[vertex]);
}

static void station_add(line_walk *walk, const station_run *run, const line_station *station) {
    for (uint32_t i = 0; i < walk->row_count; i++) {
        candidate_add(walk, run, station, &walk->rows[i]);
    }
}

static loam_status segment_add(line_walk *walk, line_segment segment) {
    station_run run = station_run_of(walk->lines, segment, &walk->rule, walk->call->rect);
    uint64_t origin = origin_of(walk, segment, segment.index);
    line_station station = {.yaw = station_yaw(&run)};
    for (uint64_t i = 0; i < run.count; i++) {
        int64_t number = run.first + (int64_t)i;
        station.counted = number * walk->rule.spacing;
        station.along = station.counted - run.start;
        station.origin = mix_pair(origin, (uint64_t)number);
        station_add(walk, &run, &station);
        if (i % STATIONS_PER_POLL == 0) {
            LOAM_TRY(poll_cancel(walk->call));
        }
    }
    if (run.end) {
        station.along = run.length;
        station.counted = 0;
        station.origin = mix_pair(origin_of(walk, segment, segment.index + 1), 0);
        station_add(walk, &run, &station);
    }
    return LOAM_OK;
}

loam_status line_evaluate(node_call *call) {
    line_walk walk;
    line_segment *segments;
    uint32_t segment_count = 0, count = 0;
    LOAM_TRY(walk_init(call, &walk));
    LOAM_TRY(node_fail(call, lines_collect(walk.lines, call->rect, walk.rule.reach, call->arena,
                                           &segments, &segment_count)));
    LOAM_TRY(candidates_count(&walk, segments, segment_count, &count));
    LOAM_TRY(columns_take(&walk, count));
    for (uint32_t i = 0; i < segment_count; i++) {
        LOAM_TRY(segment_add(&walk, segments[i]));
    }
    *call->out = line_points_set(&walk.points, call);
    call->out->offset = walk.offset;
    call->path = "compact";
    return poll_cancel(call);
}
