/* SPDX-License-Identifier: MIT
 *
 * dungeon_accretion.c: drawn rooms that grow out of each other: each is slid along the walls that
 * are there until a doorway of it fits one of theirs, wall to wall or over a short corridor (the
 * way of Brogue, from its published descriptions). Loops are opened at the end.
 */
#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/grid/key_sort.h"
#include "core/layout/corridor.h"
#include "core/layout/gate.h"
#include "core/layout/open_layout.h"
#include "core/layout/room_budget.h"

enum {
    ACCRETION_ROOMS = LAYOUT_PARAMS,
    ACCRETION_TEMPLATES,
    ACCRETION_CORRIDORS,
    ACCRETION_LOOPS,
    ACCRETION_PARAMS
};

/* So many rooms in a row without a place end it. Places on walls that one room is tried at, at
 * most: those of some hundred rooms. */
enum { FAILED_ROOMS_MAX = 20, SITES_MAX = 4096, ROOMS_MOST = 1024 };
/* Cells of a corridor between two walls. */
enum { CORRIDOR_LEAST = 2, CORRIDOR_MOST = 7 };
enum { DRAW_TEMPLATE, DRAW_TURN, DRAW_CORRIDOR, DRAW_LENGTH, DRAW_X, DRAW_Y };

static const loam_param_schema accretion_params[ACCRETION_PARAMS] = {
    LAYOUT_PARAM_ROWS(LAYOUT_SIDE_MAX),
    PARAM("rooms", "Rooms", "", INT, 0, 0, 20, 1, ROOMS_MOST, 1, "So many are wanted."),
    {.key = "templates",
     .label = "Templates",
     .description = "Drawn rooms: a document of templates, or \"" TEMPLATES_DEFAULT "\".",
     .unit = "",
     .kind = LOAM_PARAM_RULES,
     .initial = LOAM_UNSET,
     .initial_text = TEMPLATES_DEFAULT},
    PARAM("corridor_chance_percent", "Corridors", "%", INT, 0, 0, 20, 0, 100, 1,
          "So often a room hangs on a corridor instead of a wall."),
    PARAM("loops_percent", "Loops", "%", INT, 0, 0, 10, 0, 100, 1,
          "So many of the links that are not in the tree become corridors."),
};

const loam_recipe dungeon_accretion_recipe = {
    .name = "dungeon.accretion",
    .version = 1,
    .title = "Accretion",
    .description = "Drawn rooms that grow out of each other, doorway to doorway.",
    .params = accretion_params,
    .param_count = ACCRETION_PARAMS,
};

/* A place for a doorway in a wall that is there. */
typedef struct wall_site {
    uint32_t room;
    uint16_t way;
    int16_t place;
} wall_site;

typedef struct accreting {
    layout_call *call;
    room_plan plan;
    template_set set;
    uint32_t used[TEMPLATES_MAX];
    wall_site *sites;
    keyed_index *order, *spare;
} accreting;

/* What is to be hung on. */
typedef struct hanging {
    const room_template *template;
    const room_shape *shape;
    int32_t length; /* of the corridor; 0: wall to wall */
} hanging;

static room_plan_sizes sizes_of(const loam_value *params) {
    return room_sizes(layout_integer(params, ACCRETION_ROOMS), 1);
}

static uint64_t accretion_steps(const loam_value *params, layout_size size) {
    uint32_t rooms = sizes_of(params).rooms;
    uint64_t tries = (uint64_t)rooms * (FAILED_ROOMS_MAX + 1) * SITES_MAX;
    return tries + place_steps(size, 1) + room_plan_steps(size, room_links_joins(rooms));
}

static uint64_t accretion_bytes(const loam_value *params, layout_size size) {
    room_plan_sizes sizes = sizes_of(params);
    return TEMPLATE_BYTES_MAX + room_bytes(size, sizes) +
           SITES_MAX * (sizeof(wall_site) + 2 * sizeof(keyed_index)) + 1024;
}

/* ---- Sites -------------------------------------------------------------------------------- */

/* Doorways that are still wall, those of the newest rooms when there are many, in hash order. */
static uint32_t list_sites(accreting *work, uint64_t key) {
    uint32_t count = 0;
    for (uint32_t room = work->plan.room_count; room-- > 0;) {
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            int32_t places = gate_count(&work->plan, room, way);
            for (int32_t i = 0; i < places && count < SITES_MAX; i++) {
                wall_gate gate = gate_at(&work->plan, room, way, i);
                if (gate_fits(&work->plan, &gate, false)) {
                    work->sites[count] = (wall_site){room, (uint16_t)way, (int16_t)i};
                    uint64_t name = (uint64_t)room << 32 | way << 16 | (uint32_t)i;
                    work->order[count] = (keyed_index){mix_pair(key, name), count};
                    count++;
                }
            }
        }
    }
    key_sort(work->order, work->spare, count);
    work->call->steps += count;
    return count;
}

/* All rock, with what is around it, but for the wall that it hangs on. */
static bool is_rock(const room_plan *plan, loam_box box) {
    loam_box common = box_common(box, (loam_box){0, 0, plan->cells.width, plan->cells.height});
    for (int32_t y = common.y; y < common.y + common.height; y++) {
        const uint8_t *row = &plan->cells.cells[grid_index(&plan->cells, common.x, y)];
        for (int32_t x = 0; x < common.width; x++) {
            if (row[x] != LOAM_CELL_WALL) {
                return false;
            }
        }
    }
    return true;
}

/* The box behind a gate for a doorway at this place of its side. */
static loam_box box_behind(const hanging *what, loam_spot ring, uint32_t way, int32_t place) {
    loam_spot step = spot_step((loam_spot){0, 0}, way);
    int32_t width = what->shape->width - 2, height = what->shape->height - 2;
    int32_t away = 1 + what->length;
    loam_box box = {ring.x + step.x * away, ring.y + step.y * away, width, height};
    if (step.x == 0) {
        box.x = ring.x - place;
        box.y -= way == WAY_NORTH ? height - 1 : 0;
    } else {
        box.y = ring.y - place;
        box.x -= way == WAY_WEST ? width - 1 : 0;
    }
    return box;
}

/* Whether the shape has floor behind a doorway there. */
static bool has_doorway(const room_shape *shape, uint32_t way, int32_t place) {
    bool drawn = memchr(shape->cells, '+', (size_t)shape->width * (size_t)shape->height) != NULL;
    int32_t x = place + 1, y = place + 1, in_x = place + 1, in_y = place + 1;
    if (way == WAY_NORTH || way == WAY_SOUTH) {
        y = way == WAY_NORTH ? 0 : shape->height - 1;
        in_y = way == WAY_NORTH ? 1 : shape->height - 2;
    } else {
        x = way == WAY_WEST ? 0 : shape->width - 1;
        in_x = way == WAY_WEST ? 1 : shape->width - 2;
    }
    char wall = shape->cells[y * shape->width + x], in = shape->cells[in_y * shape->width + in_x];
    return in == '.' && (wall == '+' || !drawn);
}

/* The corridor from wall to wall with its own walls, the wall it begins in left out. */
static loam_box corridor_box(const hanging *what, loam_spot ring, uint32_t way) {
    loam_spot step = spot_step((loam_spot){0, 0}, way);
    loam_spot end = {ring.x + step.x * what->length, ring.y + step.y * what->length};
    loam_spot first = {ring.x + step.x, ring.y + step.y};
    int32_t dx = step.x == 0, dy = step.y == 0;
    int32_t x0 = first.x < end.x ? first.x : end.x, y0 = first.y < end.y ? first.y : end.y;
    int32_t x1 = first.x < end.x ? end.x : first.x, y1 = first.y < end.y ? end.y : first.y;
    return (loam_box){x0 - dx, y0 - dy, x1 - x0 + 1 + 2 * dx, y1 - y0 + 1 + 2 * dy};
}

static bool is_inside(const room_plan *plan, loam_box box) {
    loam_box common = box_common(box, plan->inside);
    return common.width == box.width && common.height == box.height;
}

/* Room and corridor are in rock, and there is a wall between the boxes of rooms, whatever their
 * shapes. */
static bool has_space(const accreting *work, const hanging *what, loam_spot ring, uint32_t way,
                      loam_box box) {
    const room_plan *plan = &work->plan;
    bool free = is_inside(plan, box) && is_rock(plan, box_grown(box, 1));
    for (uint32_t i = 0; i < plan->room_count && free; i++) {
        free = !box_meets(box_grown(box, 1), plan->rooms[i].box);
    }
    return free && (what->length == 0 || is_rock(plan, corridor_box(what, ring, way)));
}

static void hang(accreting *work, const hanging *what, const wall_site *site, loam_box box) {
    room_plan *plan = &work->plan;
    loam_room *room = room_plan_add(plan, box, what->shape);
    loam_spot at = gate_at(plan, site->room, site->way, site->place).ring;
    room->name = what->template->name;
    work->used[what->template - work->set.templates]++;
    for (int32_t i = 0; i <= what->length; i++) {
        plan->path[plan->path_count + plan->draft_count++] = at;
        at = spot_step(at, site->way);
    }
    loam_spot a = box_center2(plan->rooms[site->room].box), b = box_center2(box);
    int64_t dx = b.x - a.x, dy = b.y - a.y;
    room_plan_lay(plan, (loam_room_edge){.a = site->room,
                                         .b = room->id,
                                         .role = LOAM_EDGE_TREE,
                                         .length2 = dx * dx + dy * dy});
}

/* The first doorway of the room that fits at a site. */
static bool try_site(accreting *work, const hanging *what, const wall_site *site) {
    uint32_t opposite = (site->way + 2u) & 3u;
    bool level = site->way == WAY_NORTH || site->way == WAY_SOUTH;
    int32_t places = (level ? what->shape->width : what->shape->height) - 2;
    loam_spot ring = gate_at(&work->plan, site->room, site->way, site->place).ring;
    for (int32_t i = 0; i < places; i++) {
        loam_box box = box_behind(what, ring, site->way, i);
        if (has_doorway(what->shape, opposite, i) && has_space(work, what, ring, site->way, box)) {
            hang(work, what, site, box);
            return true;
        }
    }
    return false;
}

static bool grow(accreting *work, uint32_t number) {
    uint64_t key = draw_for(work->call->seed, STAGE_ACCRETE, number, 0);
    uint64_t template_bits = draw_at(key, DRAW_TEMPLATE), turn_bits = draw_at(key, DRAW_TURN);
    uint64_t corridor_bits = draw_at(key, DRAW_CORRIDOR), length_bits = draw_at(key, DRAW_LENGTH);
    hanging what = {.template = template_pick(&work->set, work->used, template_bits)};
    if (what.template == NULL) {
        return false;
    }
    what.shape = &what.template->shapes[draw_below(turn_bits, what.template->shape_count)];
    if (draw_percent(corridor_bits, layout_integer(work->call->params, ACCRETION_CORRIDORS))) {
        what.length = draw_between(length_bits, CORRIDOR_LEAST, CORRIDOR_MOST);
    }
    uint32_t count = list_sites(work, key);
    for (uint32_t i = 0; i < count; i++) {
        work->call->steps++;
        if (try_site(work, &what, &work->sites[work->order[i].index])) {
            return true;
        }
    }
    return false;
}

/* ---- The whole ---------------------------------------------------------------------------- */

static loam_status take(accreting *work) {
    layout_call *call = work->call;
    work->sites = loam_arena_take(call->arena, SITES_MAX, sizeof *work->sites);
    work->order = loam_arena_take(call->arena, SITES_MAX, sizeof *work->order);
    work->spare = loam_arena_take(call->arena, SITES_MAX, sizeof *work->spare);
    LOAM_TRY_MEMORY(work->sites, call->error);
    LOAM_TRY_MEMORY(work->order, call->error);
    LOAM_TRY_MEMORY(work->spare, call->error);
    const loam_value *given = &call->params[ACCRETION_TEMPLATES];
    const loam_rules named = {.kind = LOAM_RULES_TEXT, .text = loam_text_of(TEMPLATES_DEFAULT)};
    LOAM_TRY(template_set_read(given->kind == LOAM_VALUE_UNSET ? &named : given->rules,
                               "/params/templates", call->arena, &work->set, call->error));
    return place_keep_fitting(&work->set, work->plan.inside, 1)
               ? LOAM_OK
               : loam_fail(call->error, LOAM_INFEASIBLE, "/params/templates",
                           "no template fits in %d by %d cells", work->plan.inside.width,
                           work->plan.inside.height);
}

/* Over reserved cells, else anywhere: what the others grow out of. */
static loam_status place_first(accreting *work) {
    place_options options = {
        .rooms = 1, .side_min = 3, .side_max = 7, .gap = 1, .templates = &work->set};
    LOAM_TRY(place_rooms(&work->plan, &options));
    for (uint32_t i = 0; i < work->set.count; i++) {
        const room_template *template = &work->set.templates[i];
        for (uint32_t turn = 0; turn < template->shape_count; turn++) {
            work->used[i] += work->plan.shapes[0] == &template->shapes[turn];
        }
    }
    work->call->out->rooms_wanted = (uint32_t)layout_integer(work->call->params, ACCRETION_ROOMS);
    return LOAM_OK;
}

static loam_status accretion_make(layout_call *call) {
    accreting work = {.call = call};
    LOAM_TRY(room_plan_begin(&work.plan, call, sizes_of(call->params)));
    LOAM_TRY(take(&work));
    LOAM_TRY(place_first(&work));
    uint32_t wanted = call->out->rooms_wanted, failed = 0;
    for (uint32_t n = 0; work.plan.room_count < wanted && failed < FAILED_ROOMS_MAX; n++) {
        LOAM_TRY(layout_poll(call));
        failed = grow(&work, n) ? 0 : failed + 1;
    }
    room_plan_open(&work.plan);
    room_links_options options = {.style = CORRIDOR_MIXED,
                                  .loops_percent = layout_integer(call->params, ACCRETION_LOOPS)};
    LOAM_TRY(room_links_join(&work.plan, options));
    return room_plan_end(&work.plan);
}

const recipe_code dungeon_accretion_code = {
    .steps = accretion_steps,
    .bytes = accretion_bytes,
    .make = accretion_make,
};
