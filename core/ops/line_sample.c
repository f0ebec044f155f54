/* SPDX-License-Identifier: MIT
 *
 * line_sample.c: line.sample, stations along lines. A station is k spacings from the start of its
 * line, or of its segment where every vertex starts anew; at each there is one candidate per offset
 * and side, kept by its own draw. The point's origin is a hash of the line's key, the station, the
 * offset and the side, so what happens elsewhere on the map changes nothing.
 *
 * By vertex, the last vertex of a line that is not closed is a station too, unless ends are
 * excluded; $station counts from the vertex then. Jitter moves a point by up to jitter_m along x
 * and along z, each by its own draw.
 */
#include "core/ops/line_sample.h"

#include "core/space/lines.h"

/* x, y, z, a, b, station, offset and yaw. */
enum { LINE_BYTES_EACH = 32 };
/* Room for the segments in sight, as far as an estimate knows of them. */
#define LINE_BYTES_FREE ((uint64_t)1 << 20)
/* What a plan assumes of lines that it does not know: no more of them than one every 32 m, and what
 * runs along the rectangle's border. A cell counts its own stations before it makes room. */
#define LINE_PITCH_UNITS ((uint64_t)32 * LOAM_UNITS_PER_METRE)
/* The same of vertices: one a metre. */
#define VERTEX_PITCH_UNITS ((uint64_t)LOAM_UNITS_PER_METRE)

#define OFFSET_UNITS_MAX ((int64_t)1 << 18)
#define SPACING_FINE_MAX ((int64_t)1 << 36)

/* Spacing is kept in 1/65,536 unit. */
enum { BITS_FINE = BITS_UNITS + 16 };

static const char *const anchor_choices[] = {"continuous", "vertex", NULL};
static const char *const sides_choices[] = {"left", "right", "both", NULL};
static const char *const end_choices[] = {"include", "exclude", NULL};
static const loam_port_schema line_ports[] = {{"lines", LOAM_PORT_LINES, true, 0, false}};

#define PARAM_NUMBERS(key_, label_, unit_, bits_, initial_, max_, step_, text_)                    \
    {                                                                                              \
        .key = key_, .label = label_, .description = text_, .unit = unit_,                         \
        .kind = LOAM_PARAM_LIST, .scale_bits = bits_, .initial = initial_, .max = max_,            \
        .step = step_, .item = LOAM_PARAM_FLOAT, .items_min = 1, .items_max = LIST_ITEMS_MAX       \
    }

static const loam_param_schema line_params[] = {
    PARAM("spacing_m", "Spacing", "m", FLOAT, BITS_FINE, LOAM_PARAM_REQUIRED | LOAM_PARAM_NONZERO,
          0, LOAM_FINE_PER_UNIT, SPACING_FINE_MAX, 16 * LOAM_FINE_PER_UNIT,
          "Length of line from a station to the next."),
    PARAM_CHOICE("anchor", "Anchor", ANCHOR_CONTINUOUS, anchor_choices, 2,
                 "Stations are counted along the whole line, or begin anew at each vertex, so that "
                 "edits stay local."),
    PARAM_NUMBERS("offsets_m", "Offsets", "m", BITS_UNITS, 0, OFFSET_UNITS_MAX, 64,
                  "How far beside the line points are; each is a row of its own."),
    PARAM_NUMBERS("keep", "Keep", "", BITS_DENSITY, LOAM_DENSITY_ONE, LOAM_DENSITY_ONE, 1 << 17,
                  "Share of the points that stays: one number, or one for each offset."),
    PARAM_CHOICE("sides", "Sides", SIDES_BOTH, sides_choices, 3,
                 "On which side of travel offsets are; an offset of 0 is one point, not two."),
    PARAM("jitter_m", "Jitter", "m", FLOAT, BITS_UNITS, 0, 0, 0, OFFSET_UNITS_MAX, 16,
          "How far a point strays along x and along z, at most."),
    PARAM_CHOICE("end", "End", END_INCLUDE, end_choices, 2,
                 "Whether a station on the very end of a line counts; a ring's is its first."),
};

uint32_t line_list_count(const loam_node *node, uint32_t param) {
    return node->params[param].item_count;
}

int64_t line_list_integer(const loam_node *node, uint32_t param, uint32_t index) {
    return node->params[param].items[index].integer;
}

static loam_status line_check(const loam_node *node, const char *pointer, loam_error *error) {
    uint32_t offsets = line_list_count(node, LINE_OFFSETS);
    uint32_t keeps = line_list_count(node, LINE_KEEP);
    if (keeps != 1 && keeps != offsets) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer,
                         "keep has %u numbers; it takes 1, or as many as offsets_m, which is %u",
                         keeps, offsets);
    }
    for (uint32_t i = 0; i < offsets; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (line_list_integer(node, LINE_OFFSETS, i) ==
                line_list_integer(node, LINE_OFFSETS, j)) {
                return loam_fail(error, LOAM_OUT_OF_RANGE, pointer,
                                 "offsets_m %u and %u are the same, to 1/256 m", j, i);
            }
        }
    }
    return LOAM_OK;
}

int64_t line_reach(const loam_node *node) {
    int64_t most = 0;
    for (uint32_t i = 0; i < line_list_count(node, LINE_OFFSETS); i++) {
        int64_t offset = line_list_integer(node, LINE_OFFSETS, i);
        most = offset > most ? offset : most;
    }
    return most + param_integer(node, LINE_JITTER);
}

uint32_t line_row_count(const loam_node *node) {
    uint32_t rows = 0;
    for (uint32_t i = 0; i < line_list_count(node, LINE_OFFSETS); i++) {
        bool twice = param_integer(node, LINE_SIDES) == SIDES_BOTH &&
                     line_list_integer(node, LINE_OFFSETS, i) != 0;
        rows += twice ? 2 : 1;
    }
    return rows;
}

static void line_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                      node_cost *cost) {
    (void)inputs;
    uint64_t reach = (uint64_t)line_reach(node);
    uint64_t width = (uint64_t)(rect.x1 - rect.x0) + 2 * reach;
    uint64_t height = (uint64_t)(rect.z1 - rect.z0) + 2 * reach;
    uint64_t length = width * height / LINE_PITCH_UNITS + 2 * (width + height);
    uint64_t spacing = (uint64_t)param_integer(node, LINE_SPACING);
    uint64_t stations = length * LOAM_FINE_PER_UNIT / spacing + 1;
    if (param_integer(node, LINE_ANCHOR) == ANCHOR_VERTEX) {
        stations += length / VERTEX_PITCH_UNITS;
    }
    uint32_t rows = line_row_count(node);
    *cost = (node_cost){.candidates = multiply_saturated(stations, rows),
                        .spacing_min = (int64_t)(spacing / LOAM_FINE_PER_UNIT),
                        .crowd = rows};
    cost->fresh = cost->candidates;
    cost->bytes =
        add_saturated(multiply_saturated(cost->candidates, LINE_BYTES_EACH), LINE_BYTES_FREE);
}

static loam_status line_see(const loam_node *node, uint32_t port, loam_rect rect,
                            const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)port;
    lines_what what =
        param_integer(node, LINE_ANCHOR) == ANCHOR_VERTEX ? LINES_VERTICES : LINES_STATIONS;
    return lines_key_write(writer, asset->lines, rect, line_reach(node), what, scratch);
}

const loam_operation line_sample_operation = {
    .name = "line.sample",
    .version = 1,
    .category = "sampling",
    .title = "Line sample",
    .description = "Stations along lines, with points at offsets beside them, turned the way that "
                   "the line goes.",
    .reach = "largest offset + jitter",
    .ports = line_ports,
    .port_count = COUNT_OF(line_ports),
    .params = line_params,
    .param_count = COUNT_OF(line_params),
    .seeded = true,
};
const operation_code line_sample_code = {.check = line_check,
                                         .reach = line_reach,
                                         .cost = line_cost,
                                         .see = line_see,
                                         .evaluate = line_evaluate};
