/* SPDX-License-Identifier: MIT
 *
 * room_place.c: see room_place.h. Whether a box is free is asked of a grid of buckets as large as
 * the largest room with its gap: nine of them at most hold what is near.
 */
#include "core/layout/room_place.h"

#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/layout/open_layout.h"
#include "core/layout/room_apart.h"

const char *const placements[PLACEMENTS + 1] = {"cooling", "separation", NULL};

/* At each level so many tries, and sides less by so much; so many rooms in a row without a place
 * end it. */
enum { LEVELS = 4, TRIES_A_LEVEL = 40, COOLING_SIDE = 2, FAILED_ROOMS_MAX = 8 };
enum { DRAW_TEMPLATE, DRAW_WIDTH, DRAW_HEIGHT, DRAW_X, DRAW_Y, DRAWS_A_TRY };

#define NONE UINT32_MAX

typedef struct placing {
    room_plan *plan;
    const place_options *options;
    int32_t bucket_side, columns, rows;
    uint32_t *buckets; /* the last room of each; by the place of its corner */
    uint32_t *before;  /* the one before a room in its bucket */
    uint32_t *used;    /* rooms of each template */
} placing;

/* What is to be placed. */
typedef struct room_wish {
    int32_t width, height;
    const room_template *template;
    const room_shape *shape;
} room_wish;

bool place_keep_fitting(template_set *set, loam_box inside, int32_t corridor_width) {
    bool any = false;
    for (uint32_t i = 0; i < set->count; i++) {
        room_template *template = &set->templates[i];
        template->most = template_fits(template, inside, corridor_width) ? template->most : 0;
        any |= template->most > 0;
    }
    return any;
}

uint64_t place_bytes(layout_size size, uint32_t rooms) {
    uint64_t buckets = ((uint64_t)size.width + 1) * ((uint64_t)size.height + 1);
    return (buckets + rooms + TEMPLATES_MAX) * sizeof(uint32_t) + room_apart_bytes(rooms) + 4096;
}

/* Each try looks at nine buckets. */
uint64_t place_steps(layout_size size, uint32_t rooms) {
    return (uint64_t)rooms * LEVELS * TRIES_A_LEVEL * 2 + room_apart_steps(size, rooms) + 1024;
}

/* ---- Buckets ------------------------------------------------------------------------------ */

static int32_t side_most(const place_options *options) {
    return options->templates == NULL ? options->side_max : TEMPLATE_SIDE_MAX;
}

static loam_status take_buckets(placing *place) {
    loam_arena *arena = place->plan->call->arena;
    layout_size size = place->plan->call->size;
    place->bucket_side = side_most(place->options) + place->options->gap;
    place->columns = size.width / place->bucket_side + 1;
    place->rows = size.height / place->bucket_side + 1;
    size_t count = (size_t)place->columns * (size_t)place->rows;
    place->buckets = loam_arena_take(arena, count, sizeof *place->buckets);
    LOAM_TRY_MEMORY(place->buckets, place->plan->call->error);
    memset(place->buckets, 0xff, count * sizeof *place->buckets);
    place->before = loam_arena_take(arena, place->plan->room_capacity, sizeof *place->before);
    LOAM_TRY_MEMORY(place->before, place->plan->call->error);
    place->used = loam_arena_take_zero(arena, TEMPLATES_MAX, sizeof *place->used);
    LOAM_TRY_MEMORY(place->used, place->plan->call->error);
    return LOAM_OK;
}

static uint32_t *bucket_of(const placing *place, int32_t column, int32_t row) {
    bool inside = column >= 0 && row >= 0 && column < place->columns && row < place->rows;
    return inside ? &place->buckets[row * place->columns + column] : NULL;
}

static bool bucket_is_free(const placing *place, const uint32_t *bucket, loam_box grown) {
    for (uint32_t room = bucket == NULL ? NONE : *bucket; room != NONE;
         room = place->before[room]) {
        if (box_meets(grown, place->plan->rooms[room].box)) {
            return false;
        }
    }
    return true;
}

/* Rooms that reach here begin at most one bucket before. */
static bool is_free(const placing *place, loam_box box) {
    loam_box grown = box_grown(box, place->options->gap);
    int32_t column = box.x / place->bucket_side, row = box.y / place->bucket_side;
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            if (!bucket_is_free(place, bucket_of(place, column + dx, row + dy), grown)) {
                return false;
            }
        }
    }
    return true;
}

static void put_room(placing *place, loam_box box, const room_wish *wish) {
    uint32_t *bucket = bucket_of(place, box.x / place->bucket_side, box.y / place->bucket_side);
    loam_room *room = room_plan_add(place->plan, box, wish->shape);
    place->before[room->id] = *bucket;
    *bucket = room->id;
    if (wish->template != NULL) {
        static const loam_room_kind kinds[TEMPLATE_KINDS] = {[TEMPLATE_MEDIUM] = LOAM_ROOM_MEDIUM,
                                                             [TEMPLATE_LARGE] = LOAM_ROOM_LARGE,
                                                             [TEMPLATE_BOSS] = LOAM_ROOM_BOSS,
                                                             [TEMPLATE_ENTRANCE] =
                                                                 LOAM_ROOM_ENTRANCE};
        room->name = wish->template->name;
        room->kind = kinds[wish->template->kind];
        place->used[wish->template - place->options->templates->templates]++;
    }
}

/* ---- Sizes -------------------------------------------------------------------------------- */

static void wish_template(room_wish *wish, const room_template *template, uint64_t bits) {
    const room_shape *shape = &template->shapes[draw_below(bits, template->shape_count)];
    *wish = (room_wish){.width = shape->width - 2,
                        .height = shape->height - 2,
                        .template = template,
                        .shape = shape};
}

static int32_t cooled(const place_options *options, uint32_t level) {
    int32_t side = options->side_max - (int32_t)level * COOLING_SIDE;
    return side > options->side_min ? side : options->side_min;
}

/* A template, or sides between the least and what this level allows; false: no template is left. */
static bool draw_wish(const placing *place, uint64_t key, uint32_t first, uint32_t level,
                      const room_template *must, room_wish *wish) {
    const place_options *options = place->options;
    uint64_t width_bits = draw_at(key, first + DRAW_WIDTH);
    uint64_t height_bits = draw_at(key, first + DRAW_HEIGHT);
    if (options->templates != NULL) {
        uint64_t bits = draw_at(key, first + DRAW_TEMPLATE);
        const room_template *template =
            must != NULL ? must : template_pick(options->templates, place->used, bits);
        if (template != NULL) {
            wish_template(wish, template, width_bits);
        }
        return template != NULL;
    }
    int32_t most = cooled(options, level);
    *wish = (room_wish){.width = draw_between(width_bits, options->side_min, most),
                        .height = draw_between(height_bits, options->side_min, most)};
    return true;
}

/* ---- Reserved cells ----------------------------------------------------------------------- */

/* Whether all reserved cells are inside a box, or far enough for a room of their own. */
static bool spares_reserved(const placing *place, loam_box box) {
    const layout_call *call = place->plan->call;
    loam_box grown = box_grown(box, place->options->gap);
    for (uint32_t i = 0; i < call->reserved_count; i++) {
        loam_spot at = call->reserved[i];
        if (box_has(grown, at.x, at.y) && !box_has(box, at.x, at.y)) {
            return false;
        }
    }
    return true;
}

static bool is_in_room(const room_plan *plan, loam_spot at) {
    for (uint32_t i = 0; i < plan->room_count; i++) {
        if (box_has(plan->rooms[i].box, at.x, at.y)) {
            return true;
        }
    }
    return false;
}

static bool is_inside(const room_plan *plan, loam_box box) {
    loam_box common = box_common(box, plan->inside);
    return common.width == box.width && common.height == box.height;
}

/* A plain box around a cell, by draws. */
static bool try_around(placing *place, loam_spot at, uint64_t key, uint32_t first) {
    int32_t least = place->options->side_min, most = place->options->side_max;
    uint64_t width_bits = draw_at(key, first + DRAW_WIDTH);
    uint64_t height_bits = draw_at(key, first + DRAW_HEIGHT);
    uint64_t x_bits = draw_at(key, first + DRAW_X), y_bits = draw_at(key, first + DRAW_Y);
    loam_box box = {.width = draw_between(width_bits, least, most),
                    .height = draw_between(height_bits, least, most)};
    box.x = at.x - (int32_t)draw_below(x_bits, (uint32_t)box.width);
    box.y = at.y - (int32_t)draw_below(y_bits, (uint32_t)box.height);
    if (!is_inside(place->plan, box) || !spares_reserved(place, box) || !is_free(place, box)) {
        return false;
    }
    put_room(place, box, &(room_wish){.width = box.width, .height = box.height});
    return true;
}

/* All reserved cells in one box: they are so near that no room is between. */
static void put_around_all(placing *place) {
    const layout_call *call = place->plan->call;
    loam_spot low = call->reserved[0], high = low;
    for (uint32_t i = 1; i < call->reserved_count; i++) {
        loam_spot at = call->reserved[i];
        low = (loam_spot){at.x < low.x ? at.x : low.x, at.y < low.y ? at.y : low.y};
        high = (loam_spot){at.x > high.x ? at.x : high.x, at.y > high.y ? at.y : high.y};
    }
    loam_box box = {low.x, low.y, high.x - low.x + 1, high.y - low.y + 1};
    int32_t least = place->options->side_min;
    loam_box inside = place->plan->inside;
    for (; box.width < least && box.width < inside.width; box.width++) {
        box.x -= box.x + box.width >= inside.x + inside.width;
    }
    for (; box.height < least && box.height < inside.height; box.height++) {
        box.y -= box.y + box.height >= inside.y + inside.height;
    }
    put_room(place, box, &(room_wish){.width = box.width, .height = box.height});
}

/* The largest box that still has a place around a cell. */
static bool put_tight(placing *place, loam_spot at) {
    for (int32_t side = place->options->side_min; side > 0; side--) {
        for (int32_t i = 0; i < side * side; i++) {
            loam_box box = {at.x - i % side, at.y - i / side, side, side};
            if (is_inside(place->plan, box) && spares_reserved(place, box) && is_free(place, box)) {
                put_room(place, box, &(room_wish){.width = side, .height = side});
                return true;
            }
        }
    }
    return false;
}

static void place_reserved(placing *place) {
    const layout_call *call = place->plan->call;
    for (uint32_t i = 0; i < call->reserved_count; i++) {
        uint64_t key = draw_for(call->seed, STAGE_PLACE, PLAN_ROOMS_MAX + i, 0);
        bool done = is_in_room(place->plan, call->reserved[i]);
        for (uint32_t t = 0; t < LEVELS * TRIES_A_LEVEL && !done; t++) {
            done = try_around(place, call->reserved[i], key, t * DRAWS_A_TRY);
        }
        if (!done && !put_tight(place, call->reserved[i]) && place->plan->room_count == 0) {
            put_around_all(place);
        }
    }
}

/* ---- Cooling ------------------------------------------------------------------------------ */

/* A drawn room may have its only gate at any side: it stays away from the edge by its wall and a
 * corridor, where there is so much. */
static int32_t rim_of(const placing *place, const room_wish *wish, int32_t free) {
    int32_t rim = wish->shape == NULL ? 0 : 1 + place->plan->width;
    return 2 * rim <= free ? rim : 0;
}

static bool try_once(placing *place, uint64_t key, uint32_t first, uint32_t level,
                     const room_template *must) {
    room_wish wish;
    loam_box inside = place->plan->inside;
    if (!draw_wish(place, key, first, level, must, &wish) || wish.width > inside.width ||
        wish.height > inside.height) {
        return false;
    }
    uint64_t x_bits = draw_at(key, first + DRAW_X), y_bits = draw_at(key, first + DRAW_Y);
    int32_t free_x = inside.width - wish.width, free_y = inside.height - wish.height;
    int32_t rim_x = rim_of(place, &wish, free_x), rim_y = rim_of(place, &wish, free_y);
    loam_box box = {.x = draw_between(x_bits, inside.x + rim_x, inside.x + free_x - rim_x),
                    .y = draw_between(y_bits, inside.y + rim_y, inside.y + free_y - rim_y),
                    .width = wish.width,
                    .height = wish.height};
    if (!spares_reserved(place, box) || !is_free(place, box)) {
        return false;
    }
    put_room(place, box, &wish);
    return true;
}

static bool place_one(placing *place, uint32_t number, const room_template *must) {
    for (uint32_t level = 0; level < LEVELS; level++) {
        uint64_t key = draw_for(place->plan->call->seed, STAGE_PLACE, number, level);
        for (uint32_t t = 0; t < TRIES_A_LEVEL; t++) {
            place->plan->call->steps++;
            if (try_once(place, key, t * DRAWS_A_TRY, level, must)) {
                return true;
            }
        }
    }
    return false;
}

/* One room of each template of a boss or an entrance. */
static void place_musts(placing *place) {
    const template_set *set = place->options->templates;
    for (uint32_t i = 0; set != NULL && i < set->count; i++) {
        const room_template *template = &set->templates[i];
        if (template->kind >= TEMPLATE_BOSS && template->most > 0 &&
            place->plan->room_count < place->options->rooms) {
            (void)place_one(place, place->plan->room_count, template);
        }
    }
}

static void place_cooling(placing *place) {
    uint32_t failed = 0, number = place->plan->room_count;
    for (; place->plan->room_count < place->options->rooms && failed < FAILED_ROOMS_MAX; number++) {
        failed = place_one(place, number, NULL) ? 0 : failed + 1;
    }
}

loam_status place_rooms(room_plan *plan, const place_options *options) {
    placing place = {.plan = plan, .options = options};
    size_t mark = loam_arena_mark(plan->call->arena);
    LOAM_TRY(take_buckets(&place));
    place_reserved(&place);
    place_musts(&place);
    if (options->placement == PLACE_SEPARATION && options->templates == NULL) {
        LOAM_TRY(room_apart(plan, options));
    } else {
        place_cooling(&place);
    }
    loam_arena_reset(plan->call->arena, mark);
    plan->call->out->rooms_wanted = options->rooms;
    return layout_poll(plan->call);
}
