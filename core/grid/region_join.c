/* SPDX-License-Identifier: MIT
 *
 * region_join.c: see region_join.h. Marks lie on a grid with a closed ring around it, so that no
 * step asks whether it leaves the grid.
 */
#include "core/grid/region_join.h"

#include "core/base/try.h"

enum { MARK_ROCK = 0 };
#define MARK_CLOSED UINT32_MAX

/* Marks are region + 1; distances count the steps through rock back to the region. */
typedef struct join_field {
    size_t stride;
    uint32_t *marks;
    uint16_t *distances;
    uint32_t *queue; /* places; later the meetings, place * 2 + (1: to the south, 0: to the east) */
    size_t queued;
    uint32_t *parents; /* of regions, in the tree */
    loam_box within;
} join_field;

static size_t field_cells(int32_t width, int32_t height) {
    return ((size_t)width + 2) * ((size_t)height + 2);
}

/* The longest passage: each front walks no farther than from corner to corner. */
static size_t length_count(int32_t width, int32_t height) {
    return 2 * ((size_t)width + (size_t)height) + 1;
}

uint64_t region_join_bytes(int32_t width, int32_t height) {
    uint64_t cells = field_cells(width, height);
    uint64_t regions = (uint64_t)width * (uint64_t)height / 2 + 1;
    return cells * (3 * sizeof(uint32_t) + sizeof(uint16_t)) + regions * sizeof(uint32_t) +
           (length_count(width, height) + 1) * sizeof(uint32_t) + (uint64_t)5 * BITS_A_WORD;
}

static size_t place_of(const join_field *field, int32_t x, int32_t y) {
    return ((size_t)y + 1) * field->stride + (size_t)x + 1;
}

static loam_spot spot_of(const join_field *field, size_t place) {
    return (loam_spot){(int32_t)(place % field->stride) - 1, (int32_t)(place / field->stride) - 1};
}

static loam_status take_field(const grid_regions *regions, loam_box within, loam_arena *arena,
                              join_field *field, loam_error *error) {
    size_t cells = field_cells(regions->width, regions->height);
    *field = (join_field){.stride = (size_t)regions->width + 2, .within = within};
    field->marks = loam_arena_take(arena, cells, sizeof *field->marks);
    field->distances = loam_arena_take_zero(arena, cells, sizeof *field->distances);
    field->queue = loam_arena_take(arena, 2 * cells, sizeof *field->queue);
    field->parents = loam_arena_take(arena, regions->count, sizeof *field->parents);
    LOAM_TRY_MEMORY(field->marks, error);
    LOAM_TRY_MEMORY(field->distances, error);
    LOAM_TRY_MEMORY(field->queue, error);
    LOAM_TRY_MEMORY(field->parents, error);
    memset(field->marks, 0xff, cells * sizeof *field->marks);
    return LOAM_OK;
}

static void mark_regions(join_field *field, const grid_regions *regions) {
    for (int32_t y = field->within.y; y < field->within.y + field->within.height; y++) {
        memset(&field->marks[place_of(field, field->within.x, y)], MARK_ROCK,
               (size_t)field->within.width * sizeof *field->marks);
    }
    for (int32_t y = 0; y < regions->height; y++) {
        for (uint32_t i = regions->row_starts[y]; i < regions->row_starts[y + 1]; i++) {
            const region_run *run = &regions->runs[i];
            for (int32_t x = run->x0; x < run->x1; x++) {
                field->marks[place_of(field, x, y)] = run->region + 1;
            }
        }
    }
}

static inline void spread_to(join_field *field, size_t from, size_t to) {
    if (field->marks[to] == MARK_ROCK) {
        field->marks[to] = field->marks[from];
        field->distances[to] = (uint16_t)(field->distances[from] + 1);
        field->queue[field->queued++] = (uint32_t)to;
    }
}

static inline void spread_from(join_field *field, size_t place) {
    spread_to(field, place, place - field->stride);
    spread_to(field, place, place + 1);
    spread_to(field, place, place + field->stride);
    spread_to(field, place, place - 1);
}

/* Marks that are looked at together: most lie in the middle of a region, or of what it reached. */
enum { CHUNK = 8 };

static inline bool has_rock(const uint32_t *marks) {
    uint32_t any = 0;
    for (uint32_t i = 0; i < CHUNK; i++) {
        any |= marks[i] == MARK_ROCK;
    }
    return any != 0;
}

/* Inside a run only what is north and south of it can be rock. */
static void spread_run(join_field *field, size_t first, size_t end) {
    for (size_t place = first; place < end;) {
        size_t stop = end - place > CHUNK ? place + CHUNK : end;
        bool inner = place > first && stop < end &&
                     !has_rock(field->marks + place - field->stride) &&
                     !has_rock(field->marks + place + field->stride);
        for (; !inner && place < stop; place++) {
            spread_from(field, place);
        }
        place = stop;
    }
}

static void spread(join_field *field, const grid_regions *regions) {
    for (int32_t y = 0; y < regions->height; y++) {
        for (uint32_t i = regions->row_starts[y]; i < regions->row_starts[y + 1]; i++) {
            const region_run *run = &regions->runs[i];
            spread_run(field, place_of(field, run->x0, y), place_of(field, run->x1, y));
        }
    }
    for (size_t at = 0; at < field->queued; at++) {
        spread_from(field, field->queue[at]);
    }
}

static bool meets(const join_field *field, size_t a, size_t b) {
    uint32_t here = field->marks[a], there = field->marks[b];
    return here != there && here != MARK_CLOSED && there != MARK_CLOSED;
}

static size_t length_of(const join_field *field, size_t a, size_t b) {
    return (size_t)field->distances[a] + field->distances[b];
}

/* Whether a chunk and what is east and south of it are of one mark. */
static inline bool is_one(const join_field *field, size_t first) {
    const uint32_t *marks = field->marks + first;
    uint32_t differ = 0;
    for (uint32_t i = 0; i < CHUNK; i++) {
        differ |= (marks[i] ^ marks[i + 1]) | (marks[i] ^ marks[i + field->stride]);
    }
    return differ == 0;
}

/* Counts the length of a meeting into `ends`, or, when `place` is true, puts it where its length
 * has its next place. */
static void visit_meeting(join_field *field, size_t a, uint32_t south, uint32_t *ends, bool place) {
    size_t b = south != 0 ? a + field->stride : a + 1;
    if (meets(field, a, b)) {
        uint32_t at = ends[length_of(field, a, b)]++;
        if (place) {
            field->queue[at] = (uint32_t)(a * 2 + south);
        }
    }
}

/* Visits all meetings, row by row. */
static void visit_meetings(join_field *field, uint32_t *ends, bool place) {
    for (int32_t y = field->within.y; y < field->within.y + field->within.height; y++) {
        size_t first = place_of(field, field->within.x, y);
        size_t end = first + (size_t)field->within.width;
        for (size_t a = first; a < end;) {
            if (end - a >= CHUNK && is_one(field, a)) {
                a += CHUNK;
                continue;
            }
            visit_meeting(field, a, 0, ends, place);
            visit_meeting(field, a, 1, ends, place);
            a++;
        }
    }
}

/* The meetings in order of their lengths, by counting; in field->queue. */
static loam_status sort_meetings(join_field *field, const grid_regions *regions, loam_arena *arena,
                                 uint32_t *count, loam_error *error) {
    size_t lengths = length_count(regions->width, regions->height);
    uint32_t *ends = loam_arena_take_zero(arena, lengths, sizeof *ends);
    LOAM_TRY_MEMORY(ends, error);
    visit_meetings(field, ends, false);
    uint32_t sum = 0;
    for (size_t i = 0; i < lengths; i++) {
        uint32_t own = ends[i];
        ends[i] = sum;
        sum += own;
    }
    visit_meetings(field, ends, true);
    *count = sum;
    return LOAM_OK;
}

static uint32_t tree_root(join_field *field, uint32_t region) {
    while (field->parents[region] != region) {
        field->parents[region] = field->parents[field->parents[region]];
        region = field->parents[region];
    }
    return region;
}

void passage_dig(cell_grid *cells, loam_box within, loam_spot at, int32_t width, uint8_t value) {
    int32_t before = (width - 1) / 2;
    loam_box brush = {at.x - before, at.y - before, width, width};
    grid_fill(cells, box_common(brush, within), value);
}

/* Digs from a place back to its region: always to the first side that is a step nearer. */
static void dig_back(const join_field *field, cell_grid *cells, size_t place,
                     const join_options *options) {
    const size_t stride = field->stride;
    while (field->distances[place] > 0) {
        passage_dig(cells, options->within, spot_of(field, place), options->width, options->value);
        const size_t sides[WAY_COUNT] = {place - stride, place + 1, place + stride, place - 1};
        uint32_t way = 0;
        while (way + 1 < WAY_COUNT &&
               (field->marks[sides[way]] != field->marks[place] ||
                field->distances[sides[way]] + 1 != field->distances[place])) {
            way++;
        }
        place = sides[way];
    }
    passage_dig(cells, options->within, spot_of(field, place), options->width, options->value);
}

static void dig_tree(join_field *field, cell_grid *cells, uint32_t meeting_count,
                     uint32_t region_count, const join_options *options) {
    for (uint32_t i = 0; i < region_count; i++) {
        field->parents[i] = i;
    }
    uint32_t joined = 1;
    for (uint32_t i = 0; i < meeting_count && joined < region_count; i++) {
        size_t a = field->queue[i] / 2;
        size_t b = field->queue[i] % 2 != 0 ? a + field->stride : a + 1;
        uint32_t one = tree_root(field, field->marks[a] - 1);
        uint32_t other = tree_root(field, field->marks[b] - 1);
        if (one != other) {
            field->parents[one > other ? one : other] = one > other ? other : one;
            dig_back(field, cells, a, options);
            dig_back(field, cells, b, options);
            joined++;
        }
    }
}

loam_status region_join(cell_grid *cells, const grid_regions *regions, join_options options,
                        loam_arena *arena, uint64_t *steps, loam_error *error) {
    if (regions->count < 2) {
        return LOAM_OK;
    }
    size_t mark = loam_arena_mark(arena);
    join_field field;
    uint32_t meetings = 0;
    LOAM_TRY(take_field(regions, options.within, arena, &field, error));
    mark_regions(&field, regions);
    spread(&field, regions);
    *steps += field.queued;
    LOAM_TRY(sort_meetings(&field, regions, arena, &meetings, error));
    dig_tree(&field, cells, meetings, regions->count, &options);
    *steps += meetings;
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}
