/* SPDX-License-Identifier: MIT
 *
 * mission_pack.c: see mission_pack.h. Columns first: what shares rows keeps its order and a wall
 * between, all goes as far west as it can, then rooms and corridors move toward each other, so that
 * corridors become straight. Then gates and tracks, then rows in the same way: rooms keep their
 * order where they share columns.
 */
#include "core/layout/mission_pack.h"

#include <string.h>

/* Ways through all parts that pull them toward where they should be: east, west, by turns. */
enum { PULLS = 4 };

uint64_t mission_pack_steps(void) {
    uint64_t parts = DRAW_PARTS_MAX;
    return parts * parts * (PULLS + 4) * 2;
}

/* ---- Which is left of which ---------------------------------------------------------------- */

static bool is_box(const mission_draw *draw, int32_t part) {
    return part < draw->room_count;
}

static const draw_end *end_of(const mission_draw *draw, int32_t part, int32_t side) {
    return &draw->ends[part - draw->room_count][side];
}

/* A corridor and a room of its own, or two corridors that only meet at one room, on both sides of
 * it: these do not stand in each other's way. */
static bool is_own(const mission_draw *draw, int32_t a, int32_t b) {
    if (is_box(draw, a) && is_box(draw, b)) {
        return false;
    }
    if (is_box(draw, a) || is_box(draw, b)) {
        int32_t box = is_box(draw, a) ? a : b, edge = is_box(draw, a) ? b : a;
        return end_of(draw, edge, DRAW_UP)->room == box ||
               end_of(draw, edge, DRAW_DOWN)->room == box;
    }
    return end_of(draw, a, DRAW_DOWN)->room == end_of(draw, b, DRAW_UP)->room ||
           end_of(draw, a, DRAW_UP)->room == end_of(draw, b, DRAW_DOWN)->room;
}

static void put_order(mission_draw *draw, int32_t west, int32_t east) {
    draw->east[west][east / 64] |= (uint64_t)1 << east % 64;
    draw->west[east][west / 64] |= (uint64_t)1 << west % 64;
}

/* Corridors by the sides of a room stay at these. */
static void order_beside(mission_draw *draw) {
    for (int32_t part = draw->room_count; part < draw->part_count; part++) {
        for (int32_t side = DRAW_DOWN; side < DRAW_SIDES; side++) {
            const draw_end *end = end_of(draw, part, side);
            if (end->gate == GATE_LEFT) {
                put_order(draw, part, end->room);
            } else if (end->gate == GATE_RIGHT) {
                put_order(draw, end->room, part);
            }
        }
    }
}

static void order_columns(mission_draw *draw, int32_t spread) {
    memset(draw->west, 0, sizeof draw->west);
    memset(draw->east, 0, sizeof draw->east);
    for (int32_t a = 0; a < draw->part_count; a++) {
        for (int32_t b = 0; b < draw->part_count; b++) {
            bool rows =
                draw->first[a] < draw->end[b] + spread && draw->first[b] < draw->end[a] + spread;
            if (rows && draw->x[a] < draw->x[b] && !is_own(draw, a, b)) {
                put_order(draw, a, b);
            }
        }
    }
    order_beside(draw);
}

/* ---- Columns ------------------------------------------------------------------------------- */

static void sort_parts(mission_draw *draw) {
    for (int32_t i = 0; i < draw->part_count; i++) {
        int32_t at = i;
        for (; at > 0 && draw->x[i] < draw->x[draw->order[at - 1]]; at--) {
            draw->order[at] = draw->order[at - 1];
        }
        draw->order[at] = i;
    }
}

/* The first column that what is to the west leaves free. */
static int32_t least_x(const mission_draw *draw, int32_t part) {
    int32_t least = 0;
    for (int32_t word = 0; word < DRAW_PART_WORDS; word++) {
        for (uint64_t bits = draw->west[part][word]; bits != 0; bits &= bits - 1) {
            int32_t other = word * 64 + __builtin_ctzll(bits);
            int32_t x = draw->x[other] + draw->size[other] + 1;
            least = x > least ? x : least;
        }
    }
    return least;
}

/* And the last one that what is to the east does. */
static int32_t most_x(const mission_draw *draw, int32_t part) {
    int32_t most = draw->span_x - draw->size[part];
    for (int32_t word = 0; word < DRAW_PART_WORDS; word++) {
        for (uint64_t bits = draw->east[part][word]; bits != 0; bits &= bits - 1) {
            int32_t x = draw->x[word * 64 + __builtin_ctzll(bits)] - draw->size[part] - 1;
            most = x < most ? x : most;
        }
    }
    return most;
}

/* Longest ways from the west, in no more passes than there are parts, unless orders have a cycle.
 */
static bool push_west(mission_draw *draw) {
    bool more = true;
    sort_parts(draw);
    for (int32_t part = 0; part < draw->part_count; part++) {
        draw->x[part] = 0;
    }
    for (int32_t pass = 0; pass <= draw->part_count && more; pass++) {
        more = false;
        for (int32_t i = 0; i < draw->part_count; i++) {
            int32_t part = draw->order[i], x = least_x(draw, part);
            more |= x > draw->x[part];
            draw->x[part] = x;
        }
    }
    draw->span_x = 0;
    for (int32_t part = 0; part < draw->part_count; part++) {
        int32_t end = draw->x[part] + draw->size[part];
        draw->span_x = end > draw->span_x ? end : draw->span_x;
    }
    return !more;
}

/* Columns from which a corridor goes straight into a room, or just beside it. */
static void set_reach(mission_draw *draw, draw_end *end, int32_t index, int32_t count) {
    int32_t pitch = draw->width + 1;
    const draw_room *room = &draw->rooms[end->room];
    int32_t x = draw->x[end->room];
    if (end->gate == GATE_LEVEL) {
        end->place_min = x + index * pitch;
        end->place_max = x + room->width - draw->width - (count - 1 - index) * pitch;
    } else if (end->gate == GATE_LEFT) {
        end->place_min = end->place_max = x - pitch;
    } else {
        end->place_min = end->place_max = x + room->width + 1;
    }
}

static void set_reaches(mission_draw *draw, int32_t node) {
    const draw_room *room = &draw->rooms[node];
    for (int32_t side = DRAW_DOWN; side < DRAW_SIDES; side++) {
        int32_t count = room->count[side] - room->left[side] - room->right[side];
        for (int32_t i = 0; i < room->count[side]; i++) {
            set_reach(draw, &draw->ends[room->edges[side][i]][side], i - room->left[side], count);
        }
    }
}

/* Straight into both rooms where that can be, else between. */
static int32_t wanted_column(mission_draw *draw, int32_t part) {
    const draw_end *one = end_of(draw, part, DRAW_DOWN), *two = end_of(draw, part, DRAW_UP);
    int32_t least = one->place_min > two->place_min ? one->place_min : two->place_min;
    int32_t most = one->place_max < two->place_max ? one->place_max : two->place_max;
    int32_t x = draw->x[part];
    if (least > most) {
        return most + (least - most) / 2;
    }
    return x < least ? least : x > most ? most : x;
}

/* The middle of its corridors. */
static int32_t wanted_box(const mission_draw *draw, int32_t node) {
    const draw_room *room = &draw->rooms[node];
    int32_t sum = 0, count = room->count[DRAW_DOWN] + room->count[DRAW_UP];
    for (int32_t side = DRAW_DOWN; side < DRAW_SIDES; side++) {
        for (int32_t i = 0; i < room->count[side]; i++) {
            sum += draw->x[draw->room_count + room->edges[side][i]];
        }
    }
    return count == 0 ? 0 : sum / count - (room->width - draw->width) / 2;
}

static int32_t wanted_x(mission_draw *draw, int32_t part) {
    return is_box(draw, part) ? wanted_box(draw, part) : wanted_column(draw, part);
}

static void set_all_reaches(mission_draw *draw) {
    for (int32_t node = 0; node < draw->room_count; node++) {
        set_reaches(draw, node);
    }
}

/* All parts once, from the side toward which they move. */
static void pull(mission_draw *draw, bool east) {
    sort_parts(draw);
    set_all_reaches(draw);
    for (int32_t i = 0; i < draw->part_count; i++) {
        int32_t part = draw->order[east ? draw->part_count - 1 - i : i];
        int32_t wanted = wanted_x(draw, part);
        int32_t bound = east ? most_x(draw, part) : least_x(draw, part);
        if (east && wanted > draw->x[part]) {
            draw->x[part] = wanted < bound ? wanted : bound;
        } else if (!east && wanted < draw->x[part]) {
            draw->x[part] = wanted > bound ? wanted : bound;
        }
        if (is_box(draw, part)) {
            set_reaches(draw, part);
        }
    }
}

/* ---- Gates and tracks ---------------------------------------------------------------------- */

/* Gates in the order of columns, as near to them as they can be. */
static void place_level_gates(mission_draw *draw, const draw_room *room, int32_t side) {
    int32_t last = room->count[side] - room->right[side];
    int32_t least = INT32_MIN;
    for (int32_t i = room->left[side]; i < last; i++) {
        draw_end *end = &draw->ends[room->edges[side][i]][side];
        int32_t x = draw->x[draw->room_count + room->edges[side][i]];
        int32_t place = x > end->place_max ? end->place_max : x;
        place = place < end->place_min ? end->place_min : place;
        end->place = place < least ? least : place;
        least = end->place + draw->width + 1;
    }
}

/* One side's tracks, of those that go west and of those that go east: a corridor passes outside of
 * the one before when it would meet it. */
static void place_tracks(mission_draw *draw, draw_room *room, int32_t side, bool west) {
    int32_t first = room->left[side], count = room->count[side] - first - room->right[side];
    int32_t track = -1, before = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t edge = room->edges[side][first + (west ? i : count - 1 - i)];
        draw_end *end = &draw->ends[edge][side];
        int32_t x = draw->x[draw->room_count + edge];
        if (x == end->place) {
            end->track = -1;
        }
        if (west ? x >= end->place : x <= end->place) {
            track = -1;
            continue;
        }
        bool meets = west ? x <= before + draw->width : x + draw->width >= before;
        track = track >= 0 && meets ? track + 1 : 0;
        before = end->place;
        end->track = track;
        room->tracks[side] = track + 1 > room->tracks[side] ? track + 1 : room->tracks[side];
    }
}

/* Rows of gates at left and right, above the box's first row: downward ones from below, the first
 * one outermost; upward ones from above. */
static void place_side_gates(mission_draw *draw, const draw_room *room, int32_t side) {
    int32_t pitch = draw->width + 1, count = room->count[side];
    for (int32_t i = 0; i < count; i++) {
        draw_end *end = &draw->ends[room->edges[side][i]][side];
        bool left = i < room->left[side];
        int32_t all = left ? room->left[side] : room->right[side];
        int32_t outer = left ? i : count - 1 - i;
        if (end->gate != GATE_LEVEL) {
            end->track = -1;
            /* The outermost column has the innermost row: nearest to the middle of the side. */
            end->place = side == DRAW_DOWN ? (all - 1 - outer) * pitch
                                           : room->height - draw->width - (all - 1 - outer) * pitch;
        }
    }
}

static void place_gates(mission_draw *draw) {
    set_all_reaches(draw);
    for (int32_t node = 0; node < draw->room_count; node++) {
        draw_room *room = &draw->rooms[node];
        for (int32_t side = DRAW_DOWN; side < DRAW_SIDES; side++) {
            room->tracks[side] = 0;
            place_level_gates(draw, room, side);
            place_side_gates(draw, room, side);
            place_tracks(draw, room, side, true);
            place_tracks(draw, room, side, false);
        }
    }
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* Columns of floor of a room and all its corridors: first, and one past the last. */
static void extent_of(const mission_draw *draw, int32_t node, int32_t *first, int32_t *end) {
    const draw_room *room = &draw->rooms[node];
    *first = draw->x[node];
    *end = *first + room->width;
    for (int32_t side = DRAW_DOWN; side < DRAW_SIDES; side++) {
        for (int32_t i = 0; i < room->count[side]; i++) {
            int32_t x = draw->x[draw->room_count + room->edges[side][i]];
            *first = x < *first ? x : *first;
            *end = x + draw->width > *end ? x + draw->width : *end;
        }
    }
}

typedef struct pack_rows {
    int32_t first[MISSION_ROOMS_MAX], end[MISSION_ROOMS_MAX]; /* columns */
    int32_t order[MISSION_ROOMS_MAX];                         /* by level */
} pack_rows;

static void sort_rows(const mission_draw *draw, pack_rows *rows) {
    for (int32_t i = 0; i < draw->room_count; i++) {
        int32_t at = i;
        extent_of(draw, i, &rows->first[i], &rows->end[i]);
        for (; at > 0 && draw->rooms[i].level < draw->rooms[rows->order[at - 1]].level; at--) {
            rows->order[at] = rows->order[at - 1];
        }
        rows->order[at] = i;
    }
}

/* As low as rooms below it, in the same columns, let each room be; two share the wall between. */
static void push_down(mission_draw *draw) {
    pack_rows rows;
    sort_rows(draw, &rows);
    draw->span_y = 0;
    for (int32_t i = 0; i < draw->room_count; i++) {
        int32_t node = rows.order[i], level = 0;
        for (int32_t j = 0; j < i; j++) {
            int32_t below = rows.order[j];
            const draw_room *room = &draw->rooms[below];
            int32_t end = room->level + draw_room_rows(room, draw->width) - 1;
            bool meets = rows.first[node] <= rows.end[below] && rows.first[below] <= rows.end[node];
            level = meets && end > level ? end : level;
        }
        draw->rooms[node].level = level;
        int32_t end = level + draw_room_rows(&draw->rooms[node], draw->width) - 2;
        draw->span_y = end > draw->span_y ? end : draw->span_y;
    }
}

/* Rows of all parts, the wall that rooms share left out. */
static void set_rows(mission_draw *draw) {
    for (int32_t node = 0; node < draw->room_count; node++) {
        const draw_room *room = &draw->rooms[node];
        draw->first[node] = room->level;
        draw->end[node] = room->level + draw_room_rows(room, draw->width) - 1;
    }
    for (int32_t part = draw->room_count; part < draw->part_count; part++) {
        draw->first[part] = draw->first[end_of(draw, part, DRAW_UP)->room];
        draw->end[part] = draw->end[end_of(draw, part, DRAW_DOWN)->room];
    }
}

bool mission_pack(mission_draw *draw, int32_t spread) {
    order_columns(draw, spread);
    if (!push_west(draw)) {
        return false;
    }
    for (uint32_t i = 0; i < PULLS; i++) {
        pull(draw, i % 2 == 0);
    }
    place_gates(draw);
    push_down(draw);
    set_rows(draw);
    return true;
}
