/* SPDX-License-Identifier: MIT
 *
 * limits.h: every fixed limit of core, each with its reason. A limit that depends on the machine is
 * a parameter of the caller instead.
 */
#ifndef LOAM_BASE_LIMITS_H
#define LOAM_BASE_LIMITS_H

#include <stdint.h>

/* World positions: |p| <= 2^40 units is 4.3 million km; sums and products by a frequency below 2^22
 * stay in int64. */
#define POSITION_UNITS_MAX ((int64_t)1 << 40)

/* A rectangle's side: 4,096 m cells and some, so that window offsets stay far below int32 even
 * with the largest reach on both sides. */
#define RECT_SIDE_UNITS_MAX ((int64_t)1 << 21)

/* Heights of points that an operation moves: 32 km up or down, so that they fit an attribute. */
#define POINT_Y_UNITS_MAX (((int64_t)1 << 23) - 1)

/* Reach of an output: 8 km. Beyond it a cell costs more than its neighbours together. */
#define REACH_UNITS_MAX ((int64_t)8192 * 256)

/* Candidates of one node and of one cell: at about 60 bytes a candidate the first is 0.5 GB. */
#define CANDIDATES_PER_NODE_MAX ((uint64_t)8 << 20)
#define CANDIDATES_PER_CELL_MAX ((uint64_t)32 << 20)

/* Neighbour or segment tests of one cell: some seconds of one core. */
#define TESTS_PER_CELL_MAX ((uint64_t)1 << 31)

/* Nodes of a graph after inlining: order and reach are quadratic in the worst case. */
#define NODES_MAX 256
/* Evaluations of nodes in one cell: a node may serve cells and, apart from that, a stage. So many
 * costs are kept on the stack of an estimate, 32 KB. */
#define EVALUATIONS_MAX (NODES_MAX + 32)
#define SLOTS_MAX 64
#define OUTPUTS_MAX 64
#define EXPOSED_MAX 256

/* Inputs of one node, open ports included, and parameters of one operation: sizes of fixed arrays.
 * 28 biomes are more than one place has. */
#define PORTS_MAX 32
#define PARAMS_MAX 24

/* Items in a list parameter, and nesting of values. */
#define LIST_ITEMS_MAX 256
#define VALUE_DEPTH_MAX 4

/* Numbers of a curve's points, scaled: those of attributes, so that products stay in int64. */
#define CURVE_NUMBER_MAX ((int64_t)1 << 31)

/* Documents of rules: deeper than any schema nests, and as many values as a document may have. */
#define RULES_DEPTH_MAX 16
#define RULES_VALUES_MAX 20000u

/* Names of nodes, slots, outputs; and of assets of instances. */
#define NAME_BYTES_MAX 64
#define ASSET_NAME_BYTES_MAX 256

/* Graphs in graphs: deeper nobody follows them. The name of a node that comes from there is made of
 * those of the nodes around it and its own, with dots between. */
#define SUBGRAPH_DEPTH_MAX 8
#define NODE_PATH_BYTES_MAX ((NAME_BYTES_MAX + 1) * (SUBGRAPH_DEPTH_MAX + 1))

/* Rounds of self.prune: six is past any visible gain and reaches 11 radii. */
#define PRUNE_ROUNDS_MAX 6

/* Octaves of a noise: eight halve the wavelength 128 times over, below a unit for most. */
#define OCTAVES_MAX 8

/* Heightfields: vertex heights below 2^30 (16 km) and spacing up to 256 m keep the exact bilinear
 * sum, height * spacing^2, inside int64. 8,193 squared samples are 256 MB. */
#define HEIGHT_SAMPLE_MAX ((int32_t)1 << 30)
#define HEIGHTFIELD_SPACING_FINE_MAX ((int64_t)256 * 256 * 65536)
#define HEIGHTFIELD_SAMPLES_MAX ((uint64_t)8193 * 8193)
#define HEIGHTFIELD_SIDE_MAX 65536u

/* Areas, lines and points: vertices of one asset. 32 MB of GeoJSON hold no more than 2 M numbers.
 */
#define AREA_VERTICES_MAX 1000000u

/* Lines: arc length in 1/65,536 unit; as far as the world is wide, so that products of a station
 * with the sides of a segment stay below 2^100. */
#define LINE_LENGTH_FINE_MAX ((int64_t)1 << 58)

/* Given points: heights as far as the highest samples, and as many properties as a set of points
 * has attributes. */
#define SITE_Y_UNITS_MAX ((int64_t)1 << 22)
#define SITE_PROPERTIES_MAX 32

/* A margin or buffer around a zone: the reach limit holds for it too. */
#define ZONE_MARGIN_UNITS_MAX ((int64_t)1 << 18)

/* Checks of a cell: a spacing beyond 1 km is no spacing of instances, and the strips around a cell
 * stay legal rectangles; so many samples tell as much as all. */
#define CHECK_SPACING_UNITS_MAX ((int64_t)1 << 18)
#define CHECK_SAMPLES_MAX 10000

/* A column of points holds at most so many: indices are uint32 with room to spare. */
#define POINTS_MAX CANDIDATES_PER_CELL_MAX

#endif
