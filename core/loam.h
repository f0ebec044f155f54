/* SPDX-License-Identifier: MIT
 *
 * loam.h: the public face of libloam.a, all that a game server or a tool needs to generate and to
 * verify cells without a daemon. Pure functions over the caller's memory: no malloc, no threads, no
 * clock, no input or output, libc only.
 *
 * The way through: build a loam_graph (or decode one), make a loam_plan of it for a seed, bind
 * assets to its slots, then ask for the key or the points of any rectangle, and encode them.
 *
 * Frame: left-handed, y up, x east, z north. One unit is 1/256 m; rectangles are half-open and in
 * units. All numbers are integers; a parameter's scale is in its schema.
 */
#ifndef LOAM_H
#define LOAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What stands here is all that the library shows. */
#pragma GCC visibility push(default)

#define LOAM_VERSION_TEXT "0.1.0"

/* Units of length in a metre; a cell of 256 m spans 65,536 of them. */
#define LOAM_UNITS_PER_METRE 256
/* Heights of heightfield vertices, in a metre. */
#define LOAM_HEIGHT_STEPS_PER_METRE 65536
/* Lengths that repeat (heightfield spacing), steps in a unit. */
#define LOAM_FINE_PER_UNIT 65536
/* 1.0 of a density. */
#define LOAM_DENSITY_ONE (1 << 24)
/* 1.0 of a scale. */
#define LOAM_SCALE_ONE 4096
/* A full turn of an angle. */
#define LOAM_TURN 65536

#define LOAM_MUST_USE __attribute__((warn_unused_result))

/* ---- Status -------------------------------------------------------------------------------- */

/* Name, pinned number, stable code (the `code` of a problem document), what it means. Numbers and
 * codes are never reused. */
#define LOAM_STATUS_TABLE(X)                                                                       \
    X(OK, 0, "ok", "done")                                                                         \
    X(INTERNAL, 1, "internal", "an internal fault")                                                \
    X(ARENA_FULL, 2, "arena-full", "the evaluation needs more memory than it was given")           \
    X(CANCELLED, 3, "cancelled", "the work was cancelled")                                         \
    X(SELF_TEST_FAILED, 4, "self-test-failed", "this build does not compute the same bytes")       \
    X(ROUNDING_MODE, 5, "rounding-mode", "the floating-point rounding mode is not to nearest")     \
    X(BUFFER_TOO_SMALL, 6, "buffer-too-small", "the buffer is too small")                          \
    X(MALFORMED, 10, "malformed", "the document does not parse")                                   \
    X(UNKNOWN_FIELD, 11, "unknown-field", "the field is not known here")                           \
    X(UNKNOWN_OPERATION, 12, "unknown-operation", "no operation has this name")                    \
    X(UNKNOWN_PARAMETER, 13, "unknown-parameter", "the operation has no such parameter")           \
    X(WRONG_TYPE, 14, "wrong-type", "the value has the wrong type")                                \
    X(OUT_OF_RANGE, 15, "out-of-range", "the value is out of range")                               \
    X(MISSING_FIELD, 16, "missing-field", "a required field is missing")                           \
    X(BAD_NAME, 17, "bad-name", "the name is not a legal name")                                    \
    X(SEED_OUT_OF_RANGE, 18, "seed-out-of-range", "a seed is a decimal string below 2^64")         \
    X(CYCLE, 19, "cycle", "the nodes form a cycle")                                                \
    X(MISSING_INPUT, 20, "missing-input", "a required port has no input")                          \
    X(UNKNOWN_NODE, 21, "unknown-node", "no node has this name")                                   \
    X(PORT_MISMATCH, 22, "port-mismatch", "the port takes another kind of value")                  \
    X(UNKNOWN_PORT, 23, "unknown-port", "the operation has no such port")                          \
    X(SLOT_UNBOUND, 24, "slot-unbound", "the slot has no asset")                                   \
    X(SLOT_MISMATCH, 25, "slot-mismatch", "the slot takes another kind of asset")                  \
    X(UNKNOWN_SLOT, 26, "unknown-slot", "no slot has this name")                                   \
    X(UNKNOWN_OUTPUT, 27, "unknown-output", "the graph has no such output")                        \
    X(VERSION_UNAVAILABLE, 28, "version-unavailable", "this build lacks that version")             \
    X(BUDGET_EXCEEDED, 29, "budget-exceeded", "the estimate exceeds the budget")                   \
    X(TOO_MANY, 30, "too-many", "there are too many of them")                                      \
    X(DUPLICATE, 31, "duplicate", "the name is taken")                                             \
    X(OUTSIDE_WORLD, 32, "outside-world", "the place lies outside the world")                      \
    X(NOT_GENERATED, 33, "not-generated", "the cell has not been generated")                       \
    X(BOUNDS_NOT_ALIGNED, 34, "bounds-not-aligned", "bounds are multiples of every cell size")     \
    X(COORDINATE_RANGE, 35, "coordinate-range", "the coordinate is out of range")                  \
    X(NO_BOUNDS, 36, "no-bounds", "the world has no bounds")                                       \
    X(UNKNOWN_RECIPE, 37, "unknown-recipe", "no recipe has this name")                             \
    X(SIZE_MISMATCH, 40, "size-mismatch", "the body has the wrong size")                           \
    X(NOT_FINITE, 41, "not-finite", "the number is not finite")                                    \
    X(CRS_MISSING, 42, "crs-missing", "crs=local is required: coordinates are metres [x, z]")      \
    X(RING_OPEN, 43, "ring-open", "the ring is not closed")                                        \
    X(RING_CROSSES, 44, "ring-crosses", "the ring crosses itself")                                 \
    X(RING_DEGENERATE, 45, "ring-degenerate", "the ring has no area")                              \
    X(PNG_UNSUPPORTED, 46, "png-unsupported", "the PNG is not 16-bit gray")                        \
    X(GEOMETRY_UNSUPPORTED, 47, "geometry-unsupported", "the geometry is of another kind")         \
    X(DAMAGED, 48, "damaged", "the bytes are damaged")                                             \
    X(LINE_DEGENERATE, 49, "line-degenerate", "the line has fewer than two points")                \
    X(NOT_FOUND, 60, "not-found", "there is nothing here")                                         \
    X(METHOD_NOT_ALLOWED, 61, "method-not-allowed", "the resource does not take this method")      \
    X(NOT_ACCEPTABLE, 62, "not-acceptable", "no representation fits the Accept header")            \
    X(IN_USE, 63, "in-use", "it is still in use")                                                  \
    X(PRECONDITION_FAILED, 64, "precondition-failed", "the precondition does not hold")            \
    X(TOO_LARGE, 65, "too-large", "the body is too large")                                         \
    X(UNSUPPORTED_MEDIA, 66, "unsupported-media", "the media type or coding is not supported")     \
    X(EXPECTATION_FAILED, 67, "expectation-failed", "only 100-continue can be expected")           \
    X(MISDIRECTED, 68, "misdirected", "the Host header does not name this server")                 \
    X(OVERLOADED, 69, "overloaded", "the queue is full")                                           \
    X(NOT_IMPLEMENTED, 70, "not-implemented", "the method is not implemented")                     \
    X(FORBIDDEN, 71, "forbidden", "this origin may not ask")                                       \
    X(URI_TOO_LONG, 72, "uri-too-long", "the address is too long")                                 \
    X(LENGTH_REQUIRED, 73, "length-required", "the request needs a Content-Length")                \
    X(HEADERS_TOO_LARGE, 74, "headers-too-large", "the headers are too large")                     \
    X(SHUTTING_DOWN, 75, "shutting-down", "the daemon is shutting down")                           \
    X(STORAGE_FULL, 76, "storage-full", "the disk is full")                                        \
    X(IO, 77, "io", "reading or writing failed")                                                   \
    X(LOCKED, 78, "locked", "another process holds the folder")                                    \
    X(CACHE_TOO_SMALL, 79, "cache-too-small", "the results would not fit in the cache")            \
    X(CHECK_FAILED, 80, "check-failed", "the cell failed its checks")                              \
    X(BAD_STATE, 81, "bad-state", "it is not in a state that allows this")                         \
    X(UNBOUNDED_SOURCE, 82, "unbounded-source", "the source has no bounds of its own")             \
    X(INFEASIBLE, 83, "infeasible", "what is asked for cannot be made")                            \
    X(NOT_ACHIEVED, 84, "not-achieved", "no attempt did what was asked for")                       \
    X(UNAUTHORIZED, 85, "unauthorized", "a token is needed that this daemon knows")                \
    X(TOO_MANY_REQUESTS, 86, "too-many-requests", "a limit of who asks is reached")                \
    X(RANGE_UNSATISFIABLE, 87, "range-unsatisfiable", "there are no bytes in that range")

typedef enum loam_status {
#define LOAM_STATUS_ENUM(name, number, code, text) LOAM_##name = number,
    LOAM_STATUS_TABLE(LOAM_STATUS_ENUM)
#undef LOAM_STATUS_ENUM
} loam_status;

/* The stable code and the sentence of a status; "internal" for a number that is none. Static. */
const char *loam_status_code(loam_status status);
const char *loam_status_text(loam_status status);

#define LOAM_POINTER_BYTES 256
#define LOAM_ERROR_TEXT_BYTES 320

/* What went wrong and where: the first error wins, later ones are dropped. `pointer` is a JSON
 * pointer into the document that was read, empty for the whole of it. Zero is "no error". */
typedef struct loam_error {
    loam_status status;
    char pointer[LOAM_POINTER_BYTES];
    char text[LOAM_ERROR_TEXT_BYTES];
} loam_error;

/* Notes an error unless one is noted already (or `error` is NULL) and returns `status`. `pointer`
 * may be NULL; `format` is printf's and may only use %s %d %u %zu %lld %llu. */
loam_status loam_fail(loam_error *error, loam_status status, const char *pointer,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* ---- Memory -------------------------------------------------------------------------------- */

/* A piece of the caller's memory, handed out from the front and given back all at once. */
typedef struct loam_arena {
    unsigned char *memory;
    size_t size;
    size_t used;
    size_t peak;
} loam_arena;

/* Borrows `memory` until the arena is no longer used. */
void loam_arena_init(loam_arena *arena, void *memory, size_t size);
/* `count` items of `item_bytes`, 64-byte aligned, not cleared; NULL when they do not fit. */
LOAM_MUST_USE void *loam_arena_take(loam_arena *arena, size_t count, size_t item_bytes);
/* The same, cleared. */
LOAM_MUST_USE void *loam_arena_take_zero(loam_arena *arena, size_t count, size_t item_bytes);
/* Where the arena stands, and back to there: everything taken since is given back. */
size_t loam_arena_mark(const loam_arena *arena);
void loam_arena_reset(loam_arena *arena, size_t mark);

/* Bytes with a length; not terminated. Borrowed. */
typedef struct loam_text {
    const char *bytes;
    size_t size;
} loam_text;

loam_text loam_text_of(const char *terminated);
bool loam_text_equal(loam_text a, loam_text b);
/* Bytewise order, shorter first on a common start. */
int loam_text_compare(loam_text a, loam_text b);

/* Takes bytes in order; used for keys and encodings, so that the host can hash what it is given. */
typedef struct loam_sink {
    void (*write)(void *context, const void *bytes, size_t size);
    void *context;
} loam_sink;

/* ---- Assets -------------------------------------------------------------------------------- */

typedef enum loam_port_kind {
    LOAM_PORT_NONE,
    LOAM_PORT_POINTS,
    LOAM_PORT_HEIGHTFIELD,
    LOAM_PORT_LINES,
    LOAM_PORT_AREAS,
    LOAM_PORT_SPATIAL,
    LOAM_PORT_RULES,
} loam_port_kind;

/* "points", "heightfield", ...; and back (LOAM_PORT_NONE when unknown). */
const char *loam_port_kind_name(loam_port_kind kind);
loam_port_kind loam_port_kind_find(loam_text name);

/* Heights on a square lattice of vertices; row 0 is the southernmost, columns run east.
 * Vertex i of a row stands at origin_x + floor((i * spacing_fine + 32768) / 65536) units. */
typedef struct loam_heightfield {
    uint32_t width;
    uint32_t height;
    int64_t spacing_fine; /* 1/65,536 unit */
    int64_t origin_x;     /* units, the south-west vertex */
    int64_t origin_z;
    const int32_t *samples; /* width * height, 1/65,536 m; borrowed */
    uint32_t relief;        /* largest difference between two corners of one quad */
} loam_heightfield;

/* Fills in `relief` and checks sizes, spacing and sample range; borrows samples. */
LOAM_MUST_USE loam_status loam_heightfield_init(loam_heightfield *field, loam_error *error);

/* Polygons with holes, grouped in features. Opaque; lives in one piece of memory. */
typedef struct loam_areas loam_areas;

/* One ring: `count` vertices x, z in units, the last equal to the first. */
typedef struct loam_ring {
    const int64_t *xz;
    uint32_t count;
} loam_ring;

/* A polygon: its outer ring and holes, and the feature that it belongs to. */
typedef struct loam_polygon {
    const loam_ring *rings;
    uint32_t ring_count;
    uint32_t feature;
} loam_polygon;

#define LOAM_UNSET INT64_MIN

/* A feature's own properties that operations read. Lengths in units, LOAM_UNSET when absent. */
typedef struct loam_area_feature {
    uint64_t key; /* feature key: hash of id, else properties.id, else first vertex */
    int64_t margin;
    int64_t buffer;
} loam_area_feature;

typedef struct loam_areas_source {
    const loam_polygon *polygons;
    uint32_t polygon_count;
    const loam_area_feature *features;
    uint32_t feature_count;
} loam_areas_source;

/* Checks every ring (closed, not crossing itself or another ring of its polygon, not degenerate) in
 * n log n and builds the index. `error`'s pointer names /features/i for the first bad one. Memory
 * from `arena` stays in use by the result; scratch is given back. */
LOAM_MUST_USE loam_status loam_areas_build(const loam_areas_source *source, loam_arena *arena,
                                           const loam_areas **areas, loam_error *error);
/* The normal form, borrowed from `areas`, itself a legal source that builds equal areas: vertices
 * never repeat, rings wind counterclockwise (x east, z north) from their least (z, x) vertex and
 * stand in order of their vertices, so do polygons of a feature; features stand in order of (key,
 * margin, buffer, polygons); what is there twice, or has no polygon, is left out. */
const loam_areas_source *loam_areas_normal_form(const loam_areas *areas);
/* All vertices of the normal form, the closing ones counted. */
uint32_t loam_areas_vertex_count(const loam_areas *areas);

/* Polylines, each with a direction of travel. Opaque; lives in one piece of memory. */
typedef struct loam_lines loam_lines;

/* One line: `count` vertices x, z in units, in order of travel; closed when the last equals the
 * first. The parts of a MultiLineString are lines of one key. */
typedef struct loam_line {
    const int64_t *xz;
    uint32_t count;
    uint32_t feature; /* which of the document, for errors */
    uint64_t key;     /* feature key: hash of id, else properties.id, else first vertex */
} loam_line;

typedef struct loam_lines_source {
    const loam_line *lines;
    uint32_t line_count;
} loam_lines_source;

/* Drops repeated vertices, lines without length and lines that are there twice, tells lines of one
 * key apart by their first vertices, and builds the index. A line of one vertex is an error;
 * `error`'s pointer names /features/i. Memory from `arena` stays in use by the result. */
LOAM_MUST_USE loam_status loam_lines_build(const loam_lines_source *source, loam_arena *arena,
                                           const loam_lines **lines, loam_error *error);
/* The normal form, borrowed from `lines`: no vertex repeats its predecessor, every line has a
 * length and a key of its own, lines stand in order of (key, vertices). `feature` is the line's own
 * number. */
const loam_lines_source *loam_lines_normal_form(const loam_lines *lines);
/* All vertices of the normal form, the closing ones counted. */
uint32_t loam_lines_vertex_count(const loam_lines *lines);
/* Arc length of a line of the normal form, in 1/65,536 unit. */
int64_t loam_line_length_fine(const loam_lines *lines, uint32_t line);

typedef enum loam_attribute_kind {
    LOAM_ATTRIBUTE_INT,
    LOAM_ATTRIBUTE_FLOAT,  /* 1/65,536 */
    LOAM_ATTRIBUTE_STRING, /* index into texts */
} loam_attribute_kind;

typedef struct loam_attribute {
    loam_text name;
    loam_attribute_kind kind;
    const int32_t *values;
    const loam_text *texts;
    uint32_t text_count;
} loam_attribute;

/* A point's own number or text that it does not have. */
#define LOAM_MISSING INT32_MIN

/* Given points with what they bring. Opaque; lives in one piece of memory. */
typedef struct loam_sites loam_sites;

typedef struct loam_site {
    int64_t x, z; /* units */
    int32_t y;
    uint32_t feature; /* which of the document, for errors */
    uint64_t key;     /* feature key, as of lines */
} loam_site;

typedef struct loam_sites_source {
    const loam_site *sites;
    uint32_t count;
    const loam_attribute *properties; /* `count` values each, LOAM_MISSING where there is none */
    uint32_t property_count;
} loam_sites_source;

/* Drops points that are there twice, tells points of one key apart by their place, and builds the
 * index. Names and texts are copied. */
LOAM_MUST_USE loam_status loam_sites_build(const loam_sites_source *source, loam_arena *arena,
                                           const loam_sites **sites, loam_error *error);
/* The normal form, borrowed from `sites`: every point has a key of its own, points stand in order
 * of (z, x, y, key), properties in order of their names, texts of a property in bytewise order and
 * each of them used. `feature` is the point's own number. */
const loam_sites_source *loam_sites_normal_form(const loam_sites *sites);

typedef enum loam_rules_kind {
    LOAM_RULES_NULL,
    LOAM_RULES_FALSE,
    LOAM_RULES_TRUE,
    LOAM_RULES_NUMBER,
    LOAM_RULES_TEXT,
    LOAM_RULES_LIST,
    LOAM_RULES_OBJECT,
} loam_rules_kind;

/* A document of rules, or a value in it, as JSON has it: numbers by value, fields in order of their
 * names. Which operation can read it, its schema says when it is used. */
typedef struct loam_rules {
    loam_rules_kind kind;
    int32_t exponent; /* of a number, mantissa * 2^exponent: the mantissa is odd, or both are 0 */
    int64_t mantissa;
    loam_text text;
    const loam_text *keys; /* of an object, strictly rising */
    const struct loam_rules *items;
    uint32_t count;
} loam_rules;

/* An asset bound to a slot. */
typedef struct loam_asset {
    loam_port_kind kind;
    const loam_heightfield *heightfield;
    const loam_areas *areas;
    const loam_lines *lines;
    const loam_sites *sites; /* kind is points */
    const loam_rules *rules;
} loam_asset;

/* Canonical bytes of an asset (codec/FORMAT.md), and back: `decode` checks everything and takes
 * what it builds from `arena`; the result borrows nothing from `bytes`. */
LOAM_MUST_USE loam_status loam_asset_encode(const loam_asset *asset, loam_sink sink);
LOAM_MUST_USE loam_status loam_asset_decode(const void *bytes, size_t size, loam_arena *arena,
                                            loam_asset *asset, loam_error *error);

/* ---- Schemas ------------------------------------------------------------------------------- */

typedef enum loam_param_kind {
    LOAM_PARAM_INT,
    LOAM_PARAM_FLOAT, /* a number in JSON; an integer with scale_bits here */
    LOAM_PARAM_BOOL,
    LOAM_PARAM_STRING,
    LOAM_PARAM_CHOICE, /* the index of the choice */
    LOAM_PARAM_LIST,   /* of numbers, texts, or records with `fields` */
    LOAM_PARAM_CURVE,  /* a choice of shapes (an integer), or points: a LIST of LISTs [x, y] */
    LOAM_PARAM_RECORD, /* an object with `fields`: a LIST of their values; UNSET when not given */
    LOAM_PARAM_RULES,  /* any document; UNSET when not given. These two are not for graphs */
} loam_param_kind;

enum {
    LOAM_PARAM_REQUIRED = 1,  /* has no default */
    LOAM_PARAM_ROUND_UP = 2,  /* to the next step: what comes out is never closer than asked */
    LOAM_PARAM_NONZERO = 4,   /* must not become 0 */
    LOAM_PARAM_ADVANCED = 8,  /* tools hide it at first */
    LOAM_PARAM_ATTRIBUTE = 16 /* may be driven by an attribute */
};

/* One parameter of an operation or a recipe. value in JSON = integer / 2^scale_bits. */
typedef struct loam_param_schema {
    const char *key;
    const char *label;
    const char *description;
    const char *unit; /* "m", "deg", "" */
    loam_param_kind kind;
    uint8_t scale_bits;
    uint8_t flags;
    /* The default, scaled; a list of numbers begins with items_min of it; LOAM_UNSET: none. */
    int64_t initial;
    int64_t min;
    int64_t max;
    int64_t step;                           /* what a slider moves by, scaled */
    const char *const *choices;             /* NULL-terminated; NULL unless CHOICE or CURVE */
    loam_param_kind item;                   /* of a LIST without fields: INT, FLOAT or STRING */
    uint16_t items_min, items_max;          /* of a LIST; 0 for both: any number */
    const struct loam_param_schema *fields; /* of a RECORD, and of records of a LIST, in order */
    uint8_t field_count;
    const char *initial_text; /* default of a STRING; or the attribute that a number goes by */
} loam_param_schema;

/* A port; takes `kind`, and every kind whose bit (1 << kind) is in `also`. */
typedef struct loam_port_schema {
    const char *name;
    loam_port_kind kind;
    bool required;
    uint16_t also;
    bool aside; /* points that are only looked at and never come out: `against`, `to` */
} loam_port_schema;

typedef struct loam_operation {
    const char *name;
    uint16_t version;
    const char *category;
    const char *title;
    const char *description;
    const char *reach; /* the reach rule in words */
    const loam_port_schema *ports;
    uint8_t port_count;
    const loam_param_schema *params;
    uint8_t param_count;
    bool seeded;                       /* draws, noise or ids use the node's seed */
    bool sided;                        /* its result has sides #true and #false */
    loam_port_kind gives;              /* LOAM_PORT_NONE stands for points */
    const loam_port_schema *open_port; /* inputs by any other name are such; NULL: there are none */
    const loam_param_schema *rules;    /* fields of the document that its port of rules takes */
    uint8_t rules_count;
} loam_operation;

/* The table of operations; index in [0, loam_operation_count()). */
uint32_t loam_operation_count(void);
const loam_operation *loam_operation_at(uint32_t index);
/* `version` 0 is the newest. NULL when there is none. */
const loam_operation *loam_operation_find(loam_text name, uint16_t version);

typedef struct loam_recipe {
    const char *name;
    uint16_t version;
    const char *title;
    const char *description;
    const loam_param_schema *params;
    uint8_t param_count;
} loam_recipe;

uint32_t loam_recipe_count(void);
const loam_recipe *loam_recipe_at(uint32_t index);
const loam_recipe *loam_recipe_find(loam_text name, uint16_t version);

/* ---- Graphs -------------------------------------------------------------------------------- */

typedef enum loam_value_kind {
    LOAM_VALUE_UNSET,
    LOAM_VALUE_INTEGER, /* also bool (0, 1) and choice (index) */
    LOAM_VALUE_TEXT,
    LOAM_VALUE_LIST,
    LOAM_VALUE_ATTRIBUTE, /* text names it, items are default and max */
    LOAM_VALUE_RULES,     /* a document, borrowed */
} loam_value_kind;

typedef struct loam_value {
    loam_value_kind kind;
    int64_t integer;
    loam_text text;
    const struct loam_value *items;
    uint32_t item_count;
    const loam_rules *rules;
} loam_value;

/* What a parameter has when nobody gives a value: its default; unset when it is required, a
 * record or a document, or may stay so. Items come from `arena`. */
LOAM_MUST_USE loam_status loam_value_default(const loam_param_schema *schema, loam_arena *arena,
                                             loam_value *value, loam_error *error);

typedef enum loam_source_kind {
    LOAM_SOURCE_UNBOUND,
    LOAM_SOURCE_NODE,
    LOAM_SOURCE_SLOT,
} loam_source_kind;

/* Which side of a branch an input or an output takes. */
typedef enum loam_side { LOAM_SIDE_ALL, LOAM_SIDE_TRUE, LOAM_SIDE_FALSE } loam_side;

typedef struct loam_source {
    loam_source_kind kind;
    loam_side side;
    uint32_t index;
} loam_source;

typedef struct loam_node {
    loam_text name;
    const loam_operation *operation;
    loam_value *params;  /* operation->param_count */
    loam_source *inputs; /* of the operation's ports, then of open ports */
    bool seed_pinned;    /* `seed` stands in for the hash of the name */
    uint64_t seed;
    const loam_text *open_names; /* of the inputs at open ports, in order */
    uint32_t open_count;
} loam_node;

/* How many inputs a node has, bound or not. */
static inline uint32_t loam_node_input_count(const loam_node *node) {
    return node->operation->port_count + node->open_count;
}
/* The name and the schema of the port that an input is at. */
loam_text loam_node_input_name(const loam_node *node, uint32_t input);
const loam_port_schema *loam_node_input_port(const loam_node *node, uint32_t input);

typedef struct loam_slot {
    loam_text name;
    loam_port_kind kind;
} loam_slot;

typedef struct loam_output {
    loam_text name;
    uint32_t node;
    loam_side side;
    uint8_t level; /* default level of jobs */
} loam_output;

/* An exposed parameter: a world may override it by name. */
typedef struct loam_exposed {
    loam_text name;
    uint32_t node;
    uint32_t param;
} loam_exposed;

typedef struct loam_graph {
    loam_node *nodes;
    loam_slot *slots;
    loam_output *outputs;
    loam_exposed *exposed;
    uint32_t node_count, node_capacity;
    uint32_t slot_count, slot_capacity;
    uint32_t output_count, output_capacity;
    uint32_t exposed_count, exposed_capacity;
    loam_arena *arena;
} loam_graph;

typedef struct loam_graph_sizes {
    uint32_t nodes, slots, outputs, exposed;
} loam_graph_sizes;

/* An empty graph with room for so many parts; everything it holds comes from `arena`, names and
 * texts are copied. Adding beyond the room fails with LOAM_TOO_MANY. */
LOAM_MUST_USE loam_status loam_graph_init(loam_graph *graph, loam_graph_sizes sizes,
                                          loam_arena *arena, loam_error *error);
LOAM_MUST_USE loam_status loam_graph_add_slot(loam_graph *graph, loam_text name,
                                              loam_port_kind kind, loam_error *error);
/* `version` 0 is the newest. Every parameter begins with its default. */
LOAM_MUST_USE loam_status loam_graph_add_node(loam_graph *graph, loam_text name,
                                              loam_text operation, uint16_t version,
                                              loam_error *error);
/* The same for a node of an inlined graph, whose name is a path: "outer.inner". */
LOAM_MUST_USE loam_status loam_graph_add_inlined(loam_graph *graph, loam_text name,
                                                 loam_text operation, uint16_t version,
                                                 loam_error *error);
/* `source` is "$slot", "node", "node#true" or "node#false"; nodes and slots must exist. A port of
 * another name is opened where the operation has open ports. */
LOAM_MUST_USE loam_status loam_graph_connect(loam_graph *graph, loam_text node, loam_text port,
                                             loam_text source, loam_error *error);
/* Checks kind and range against the schema; texts and items are copied. */
LOAM_MUST_USE loam_status loam_graph_set(loam_graph *graph, loam_text node, loam_text key,
                                         const loam_value *value, loam_error *error);
LOAM_MUST_USE loam_status loam_graph_pin_seed(loam_graph *graph, loam_text node, uint64_t seed,
                                              loam_error *error);
LOAM_MUST_USE loam_status loam_graph_expose(loam_graph *graph, loam_text name, loam_text node,
                                            loam_text key, loam_error *error);
LOAM_MUST_USE loam_status loam_graph_add_output(loam_graph *graph, loam_text name, loam_text source,
                                                uint8_t level, loam_error *error);
/* Index of a name, or -1. */
int32_t loam_graph_find_node(const loam_graph *graph, loam_text name);
int32_t loam_graph_find_slot(const loam_graph *graph, loam_text name);
int32_t loam_graph_find_output(const loam_graph *graph, loam_text name);

/* Sorts everything by name, so that equal graphs are equal structures. */
LOAM_MUST_USE loam_status loam_graph_sort(loam_graph *graph);

/* All that is wrong with a whole graph: missing inputs and parameters, kinds that do not fit,
 * cycles, parameters that contradict each other, outputs that are no points. Writes at most
 * `capacity` faults and returns how many there are. Pointers are into the JSON document. */
uint32_t loam_graph_faults(const loam_graph *graph, loam_error *faults, uint32_t capacity);

/* Whether a document is what every node wants that a slot of rules feeds; the error says where in
 * the document it is not. `scratch` is given back. */
LOAM_MUST_USE loam_status loam_graph_check_rules(const loam_graph *graph, uint32_t slot,
                                                 const loam_rules *rules, loam_arena *scratch,
                                                 loam_error *error);

/* Binary form of a graph (codec/FORMAT.md), for hosts that have no JSON. */
LOAM_MUST_USE loam_status loam_graph_encode(const loam_graph *graph, loam_sink sink);
LOAM_MUST_USE loam_status loam_graph_decode(const void *bytes, size_t size, loam_arena *arena,
                                            loam_graph *graph, loam_error *error);

/* The hash of a node's name that its seed derives from; what `seed` pins. */
uint64_t loam_name_seed(loam_text name);
/* The seed that a node of an inlined graph is pinned to, of its own and that of the node around it:
 * so that two uses of one graph draw differently. */
uint64_t loam_inlined_seed(uint64_t outer, uint64_t inner);

/* ---- Plans and cells ----------------------------------------------------------------------- */

/* Half-open square or rectangle of the world, in units. */
typedef struct loam_rect {
    int64_t x0, z0, x1, z1;
} loam_rect;

/* A graph made ready for one seed: validated, ordered, reach summed. Opaque. */
typedef struct loam_plan loam_plan;

/* Borrows `graph` (and its arena) as long as the plan lives. */
LOAM_MUST_USE loam_status loam_plan_build(const loam_graph *graph, uint64_t seed, loam_arena *arena,
                                          const loam_plan **plan, loam_error *error);
/* How far, in units, an output looks beyond the rectangle asked of it. */
int64_t loam_plan_reach(const loam_plan *plan, uint32_t output);

/* What a rectangle of an output costs at most, before anything is allocated. */
typedef struct loam_estimate {
    uint64_t candidates;      /* offered, over all nodes */
    uint64_t candidates_node; /* rows of the largest node */
    uint64_t tests;           /* neighbour and segment tests */
    uint64_t arena_bytes;     /* what an evaluation needs of its arena */
} loam_estimate;

/* Fails with LOAM_BUDGET_EXCEEDED, the estimate and the limit in the text, when it is too much. */
LOAM_MUST_USE loam_status loam_plan_estimate(const loam_plan *plan, uint32_t output, loam_rect rect,
                                             loam_estimate *estimate, loam_error *error);

/* One question: an output over a rectangle, with an asset for every slot that it uses
 * (`slots[i].kind` LOAM_PORT_NONE for an unbound one). */
typedef struct loam_query {
    const loam_plan *plan;
    uint32_t output;
    loam_rect rect;
    const loam_asset *slots; /* the graph's slot_count */
} loam_query;

/* Writes the bytes whose SHA-256 is the build key. Equal bytes, equal results. `scratch` is given
 * back. */
LOAM_MUST_USE loam_status loam_cell_key(const loam_query *query, loam_sink sink,
                                        loam_arena *scratch, loam_error *error);

typedef enum loam_simd {
    LOAM_SIMD_BEST,
    LOAM_SIMD_BASELINE,
    LOAM_SIMD_AVX2,
    LOAM_SIMD_AVX512,
} loam_simd;

/* "best", "baseline", "avx2", "avx512". */
const char *loam_simd_name(loam_simd level);
/* Whether this build and this processor have the level. */
bool loam_simd_available(loam_simd level);

/* A node's part in one evaluation. Counts of the cell itself add up over cells; those of the window
 * include the reach. */
typedef struct loam_trace_node {
    uint32_t node; /* index in the graph */
    uint64_t points_in, points_out;
    uint64_t window_in, window_out;
    int64_t bounds[6];   /* min x y z, max x y z of the points out, units; when points_out > 0 */
    int64_t density_sum; /* of the points out, 1/2^24 */
    uint64_t ticks;
    const char *path; /* which code path was taken; static */
} loam_trace_node;

typedef struct loam_trace {
    loam_trace_node *nodes; /* in key order; capacity is the graph's node_count */
    uint32_t node_count;
} loam_trace;

/* The bytes that a caller keeps of a stage. */
typedef struct loam_stage {
    const void *bytes;
    size_t size;
    void *owner; /* the caller's own */
} loam_stage;

/* Where stages are kept from one evaluation to the next: what many cells need and what is the same
 * for all of them, as a filled rectangle, the source of copies, the layout of a long line. A key
 * (codec/FORMAT.md) holds all that decides its stage and nothing else, so that one place serves any
 * worlds at once; bytes that are damaged are computed anew. Called by the thread that evaluates: a
 * place that several evaluations share must allow for that. */
typedef struct loam_stages {
    /* Whether there is one; its bytes are borrowed, and stay as they are, until release. */
    bool (*find)(void *context, loam_text key, loam_stage *stage);
    void (*release)(void *context, const loam_stage *stage);
    /* Borrows both for the call; may as well keep nothing. */
    void (*keep)(void *context, loam_text key, loam_text bytes);
    void *context;
} loam_stages;

/* How to evaluate. Nothing here changes a result. Zero, but for the arena, is default. */
typedef struct loam_run {
    loam_arena *arena;               /* results and scratch; reset by the caller */
    loam_simd level;                 /* LOAM_SIMD_BEST, or forced */
    bool general_path;               /* take no fast path where there is a general one */
    const int *cancel;               /* polled between blocks; nonzero ends with LOAM_CANCELLED */
    uint64_t (*tick)(void *context); /* a clock for the trace, or NULL */
    void *tick_context;
    loam_trace *trace;         /* filled in when not NULL */
    const loam_stages *stages; /* NULL: every stage is computed */
} loam_run;

/* The points of a cell in canonical order (z, x, y, id). Columns of `count` values. */
typedef struct loam_points {
    loam_rect rect;
    uint32_t count;
    const uint64_t *id;
    const int32_t *x; /* units from rect.x0, z from rect.z0, y absolute */
    const int32_t *y;
    const int32_t *z;
    const uint16_t *yaw;  /* turns / 65,536, compass */
    const int16_t *pitch; /* positive is nose down */
    const int16_t *roll;
    const uint16_t *scale_x; /* 1/4,096 */
    const uint16_t *scale_y;
    const uint16_t *scale_z;
    const uint32_t *density;  /* 1/2^24 */
    const uint32_t *asset;    /* index into palette */
    const loam_text *palette; /* sorted, used names only; "" stands for none */
    uint32_t palette_count;
    const loam_attribute *attributes; /* sorted by name */
    uint32_t attribute_count;
} loam_points;

/* Evaluates; the points borrow from run->arena (and texts from the graph). */
LOAM_MUST_USE loam_status loam_cell_build(const loam_query *query, const loam_run *run,
                                          loam_points *points, loam_error *error);

#define LOAM_KEPT UINT32_MAX

/* What became of one candidate. */
typedef struct loam_fate {
    uint64_t id;
    int64_t x, y, z;     /* where it stands, or stood when it was dropped; units */
    uint32_t dropped_by; /* node of the graph, or LOAM_KEPT */
    const char *reason;  /* "slope", "draw", "distance", "undecided", ...; static; NULL: kept */
    bool measured;       /* whether there is a value and a limit */
    uint8_t scale_bits;  /* of both */
    int64_t value, limit;
} loam_fate;

/* Why is there no tree here? The fate of every candidate within `radius` units of (x, z), by id.
 * The query's rectangle is not looked at. `count` is how many there are; at most `capacity` are
 * written.
 * A candidate that several ways lead to an output is kept when one of them keeps it. */
typedef struct loam_place {
    int64_t x, z, radius;
} loam_place;
LOAM_MUST_USE loam_status loam_explain(const loam_query *query, loam_place place,
                                       const loam_run *run, loam_fate *fates, uint32_t capacity,
                                       uint32_t *count, loam_error *error);

/* Canonical bytes of a cell (codec/FORMAT.md): `bound` sizes the buffer. */
size_t loam_cell_bound(const loam_points *points);
LOAM_MUST_USE loam_status loam_cell_encode(const loam_points *points, void *buffer, size_t capacity,
                                           size_t *size);
/* Checks everything; columns come from `arena`, texts are borrowed from `bytes`. */
LOAM_MUST_USE loam_status loam_cell_decode(const void *bytes, size_t size, loam_arena *arena,
                                           loam_points *points, loam_error *error);

/* How many points canonical bytes hold, from their header alone; 0 when they are none. */
uint32_t loam_cell_count(const void *bytes, size_t size);
/* An arena of that many bytes is enough to decode them; 0 when they are none. From the header
 * alone. */
size_t loam_cell_memory(const void *bytes, size_t size);

/* ---- Checks -------------------------------------------------------------------------------- */

/* What is expected of every cell of an output. Checks judge what was built and change nothing of
 * it: no build key knows them. */
typedef enum loam_check_kind {
    LOAM_CHECK_COUNT,    /* instances per km2 are in a band */
    LOAM_CHECK_SPACING,  /* no two instances are closer, also across the cell's border */
    LOAM_CHECK_RING,     /* no instance in a zone, on its border or nearer to it than a width */
    LOAM_CHECK_FLOATING, /* sampled instances stand on the ground */
    LOAM_CHECK_KINDS,
} loam_check_kind;

/* "count", "spacing", "ring", "floating". */
const char *loam_check_name(loam_check_kind kind);

/* Zero asks for nothing. Lengths in units. */
typedef struct loam_check {
    uint32_t kinds; /* a bit (1 << kind) for each that is asked for; of others nothing is read */
    int64_t count_min, count_max; /* per km2, 1/256, at most LOAM_CHECK_COUNT_MAX */
    int64_t spacing;
    bool bounded;     /* neighbours count in `bounds` only: beyond the world there are none */
    loam_rect bounds; /* whole cells */
    uint32_t zones;   /* slot of areas */
    int64_t ring;
    uint32_t surface; /* slot of a heightfield */
    int64_t floating;
    uint32_t samples; /* instances that are looked at */
} loam_check;

static inline bool loam_check_asks(const loam_check *check, loam_check_kind kind) {
    return (check->kinds >> kind & 1u) != 0;
}

/* The strips around a cell that its neighbours' instances can come from: `spacing` wide, without
 * overlap, cut to the check's bounds. Returns how many are not empty. */
enum { LOAM_CHECK_STRIPS = 4 };
uint32_t loam_check_strips(const loam_check *check, loam_rect cell,
                           loam_rect strips[LOAM_CHECK_STRIPS]);

/* A thousand instances a square metre: no cell of 1 m or more can pass it within a budget. */
#define LOAM_CHECK_COUNT_MAX ((int64_t)1000000000 * 256)

/* Why a cell failed one check: the first place in canonical order. */
typedef struct loam_check_reason {
    loam_check_kind kind;
    uint32_t failures; /* instances that fail; of spacing at least so many pairs */
    uint32_t id_count;
    uint64_t ids[2];
    int64_t x, y, z; /* of the first id, units in the world; when there is one */
    bool measured;   /* false: there is no ground to measure from */
    bool inside;     /* of ring: in the zone itself */
    uint8_t scale_bits;
    int64_t value, limit; /* count: per km2; else metres; both / 2^scale_bits */
} loam_check_reason;

typedef struct loam_verdict {
    uint32_t reason_count; /* 0: the cell passed */
    loam_check_reason reasons[LOAM_CHECK_KINDS];
} loam_verdict;

/* Writes the bytes that tell apart what a verdict can depend on beside the artifact: the check, and
 * what it can see from the cell of zones, ground and neighbours. Equal bytes and an equal artifact,
 * equal verdicts. `query` is the cell's; `scratch` is given back. */
LOAM_MUST_USE loam_status loam_check_key(const loam_check *check, const loam_query *query,
                                         loam_sink sink, loam_arena *scratch, loam_error *error);

/* Judges the points of a query's rectangle. Spacing evaluates the strips around it; memory comes
 * from run->arena and is given back. */
LOAM_MUST_USE loam_status loam_check_cell(const loam_check *check, const loam_query *query,
                                          const loam_points *points, const loam_run *run,
                                          loam_verdict *verdict, loam_error *error);

/* ---- Recipes ------------------------------------------------------------------------------- */

/* Parameters of heightmap.fbm, scaled as in its schema. */
typedef struct loam_heightmap {
    uint64_t seed;
    uint32_t width, height;
    int64_t spacing_fine; /* 1/65,536 unit */
    int64_t origin_x, origin_z;
    int64_t wavelength; /* units */
    int64_t amplitude;  /* 1/65,536 m */
    int64_t base;       /* 1/65,536 m */
    int64_t warp;       /* units */
    uint32_t octaves;
    bool ridged;
} loam_heightmap;

/* Fills `samples` (width * height, row 0 south). A pure function of the parameters: the sample at a
 * world position does not depend on where the field begins. */
LOAM_MUST_USE loam_status loam_heightmap_fbm(const loam_heightmap *recipe, loam_simd level,
                                             int32_t *samples, loam_error *error);

/* ---- Self-test ----------------------------------------------------------------------------- */

/* Recomputes some thousand noise, hash and math values and compares them with built-in digests.
 * Called by loam_plan_build once per process. */
LOAM_MUST_USE loam_status loam_self_test(loam_error *error);
/* The three digests (noise, hash, math) as 16 hex digits each, for /v1/version. */
void loam_self_test_digests(uint64_t digests[3]);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
