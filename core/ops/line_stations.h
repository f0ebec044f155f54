/* SPDX-License-Identifier: MIT
 *
 * line_stations.h: where the stations of one segment are, as integers: which of them can matter to
 * a rectangle, and the place beside each at an offset.
 */
#ifndef LOAM_OPS_LINE_STATIONS_H
#define LOAM_OPS_LINE_STATIONS_H

#include "core/space/lines.h"

/* How stations are counted. Lengths are in 1/65,536 unit. */
typedef struct station_rule {
    int64_t spacing;
    bool by_vertex;   /* from each vertex anew, not from the line's start */
    bool include_end; /* of a line that is not closed */
    int64_t reach;    /* units: how far a point strays from its station, at most */
} station_rule;

/* A segment with its stations first, first + 1, ... : station k lies (k * spacing - start) along
 * it. One more, `end`, is the last vertex of a line by vertex. */
typedef struct station_run {
    int64_t x0, z0, dx, dz;
    int64_t length;
    int64_t start; /* what its low end is counted as */
    int64_t first;
    uint64_t count;
    bool end;
} station_run;

/* The stations of a segment whose points may lie in the closed box grown by the rule's reach; maybe
 * some more. */
station_run station_run_of(const loam_lines *lines, line_segment segment, const station_rule *rule,
                           loam_rect rect);

/* The place `along` a segment, `left` units to its left (negative: right), rounded once. Sideways
 * it is never farther than that along either axis. */
void station_place(const station_run *run, int64_t along, int64_t left, int64_t xz[2]);

/* The tangent's compass angle in 1/65,536 turns. */
uint16_t station_yaw(const station_run *run);

#endif
