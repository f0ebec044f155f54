/* SPDX-License-Identifier: MIT
 *
 * line_stations.c: see line_stations.h. A segment's length is a floored root, so it is never less
 * than the extent along an axis: a place to its side is within the offset along each axis,
 * and the reach of a node is exact.
 */
#include "core/ops/line_stations.h"

#include "core/base/fixed_math.h"

__extension__ typedef __int128 station_wide;

/* Segments this long (8 km) and shorter, with offsets that a node may have, stay in int64. */
#define STATION_NARROW_LENGTH ((int64_t)1 << 37)

static int64_t wide_floor_divide(station_wide a, int64_t b) {
    station_wide quotient = a / b;
    return (int64_t)(quotient - (a % b < 0));
}

typedef struct along_range {
    int64_t low, high;
} along_range;

/* Cuts a range of lengths along a segment to where one axis is inside [low, high]. */
static void range_cut(along_range *range, int64_t length, int64_t from, int64_t step, int64_t low,
                      int64_t high) {
    if (step == 0) {
        return;
    }
    station_wide near = (station_wide)(step > 0 ? low - from : from - high) * length;
    station_wide far = (station_wide)(step > 0 ? high - from : from - low) * length;
    int64_t size = step > 0 ? step : -step;
    if (near > 0) {
        int64_t cut = near >= (station_wide)size * length ? length : wide_floor_divide(near, size);
        range->low = cut > range->low ? cut : range->low;
    }
    if (far < (station_wide)size * length) {
        int64_t cut = far < 0 ? 0 : wide_floor_divide(far, size) + 1;
        range->high = cut < range->high ? cut : range->high;
    }
}

/* A point's place is rounded by up to half a unit, so one more unit is looked at. */
static along_range range_of(const station_run *run, int64_t reach, loam_rect rect) {
    along_range range = {0, run->length};
    range_cut(&range, run->length, run->x0, run->dx, rect.x0 - reach - 1, rect.x1 + reach);
    range_cut(&range, run->length, run->z0, run->dz, rect.z0 - reach - 1, rect.z1 + reach);
    return range;
}

/* The last length along the segment that is its own: its end is the next one's, if there is one. */
static int64_t own_last(const loam_line *line, line_segment segment, const station_rule *rule,
                        int64_t length) {
    bool last = segment.index + 2 == line->count;
    bool ends = last && !rule->by_vertex && rule->include_end && !line_is_closed(line);
    return ends ? length : length - 1;
}

station_run station_run_of(const loam_lines *lines, line_segment segment, const station_rule *rule,
                           loam_rect rect) {
    const loam_line *line = &loam_lines_normal_form(lines)->lines[segment.line];
    const int64_t *xz = line->xz + 2 * (size_t)segment.index;
    const int64_t *arc = lines_arc(lines, segment.line) + segment.index;
    station_run run = {.x0 = xz[0],
                       .z0 = xz[1],
                       .dx = xz[2] - xz[0],
                       .dz = xz[3] - xz[1],
                       .length = arc[1] - arc[0],
                       .start = rule->by_vertex ? 0 : arc[0]};
    along_range range = range_of(&run, rule->reach, rect);
    int64_t last = own_last(line, segment, rule, run.length);
    last = range.high < last ? range.high : last;
    run.first = -floor_divide(-(run.start + range.low), rule->spacing);
    int64_t end = floor_divide(run.start + last, rule->spacing);
    run.count = end >= run.first ? (uint64_t)(end - run.first + 1) : 0;
    run.end = rule->by_vertex && rule->include_end && segment.index + 2 == line->count &&
              !line_is_closed(line) && range.high == run.length;
    return run;
}

/* floor(a / b + 1/2). */
static int64_t rounded(int64_t a, int64_t b) {
    return floor_divide(2 * a + b, 2 * b);
}

static int64_t wide_rounded(station_wide a, int64_t b) {
    station_wide twice = 2 * a + b;
    station_wide quotient = twice / b;
    quotient -= twice % b < 0;
    return (int64_t)(quotient >> 1);
}

void station_place(const station_run *run, int64_t along, int64_t left, int64_t xz[2]) {
    int64_t side = left * LOAM_FINE_PER_UNIT;
    if (run->length <= STATION_NARROW_LENGTH) {
        xz[0] = run->x0 + rounded(run->dx * along - run->dz * side, run->length);
        xz[1] = run->z0 + rounded(run->dz * along + run->dx * side, run->length);
        return;
    }
    station_wide x = (station_wide)run->dx * along - (station_wide)run->dz * side;
    station_wide z = (station_wide)run->dz * along + (station_wide)run->dx * side;
    xz[0] = run->x0 + wide_rounded(x, run->length);
    xz[1] = run->z0 + wide_rounded(z, run->length);
}

uint16_t station_yaw(const station_run *run) {
    double turns = fixed_atan2_turns((double)run->dx, (double)run->dz);
    return (uint16_t)(round_to_int(turns * LOAM_TURN) & (LOAM_TURN - 1));
}
