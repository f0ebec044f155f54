/* SPDX-License-Identifier: MIT
 *
 * lane_search.c: see lane_search.h. A heap ordered by (cost and estimate, estimate, order of
 * entry): the same way on every machine. Each place is left once, so a search ends.
 */
#include "core/layout/lane_search.h"

#include "core/base/try.h"
#include "core/layout/gate.h"

enum { COST_ROCK = 10, COST_AGAIN = 3, COST_BESIDE = 40, COST_WALL = 200, COST_BEND = 5 };

/* Entries of the heap; a search that wants more has gone far astray. */
enum { ENTRIES_MAX = 1 << 18, ENTRIES_MIN = 1024 };

enum { FROM_GATE = 4, LEFT = 0x80 };

typedef struct lane_entry {
    uint32_t total, estimate, order, place;
} lane_entry;

struct lane_search {
    uint32_t *costs;
    uint16_t *stamps; /* which search a cost is of */
    uint8_t *from;    /* the way by which a place was entered; FROM_GATE + way; LEFT */
    lane_entry *heap;
    uint32_t capacity, count, order;
    uint16_t stamp;
};

/* Places that one search leaves, and more for each cell of distance; a last way out may look
 * everywhere. */
enum { PLACES_LEAST = 1024, PLACES_A_CELL = 64 };

typedef struct searching {
    room_plan *plan;
    struct lane_search *search;
    corridor_request request;
    loam_box goal;
} searching;

static uint32_t entries_of(uint64_t cells) {
    return cells > ENTRIES_MAX ? ENTRIES_MAX : (uint32_t)cells + ENTRIES_MIN;
}

uint64_t lane_search_bytes(layout_size size) {
    uint64_t cells = (uint64_t)size.width * (uint64_t)size.height;
    return cells * (sizeof(uint32_t) + sizeof(uint16_t) + 1) +
           entries_of(cells) * sizeof(lane_entry) + sizeof(struct lane_search) + 512;
}

/* Each place is left once, by four ways. */
uint64_t lane_search_steps(layout_size size) {
    return (uint64_t)size.width * (uint64_t)size.height * WAY_COUNT;
}

static loam_status take_search(room_plan *plan) {
    loam_arena *arena = plan->call->arena;
    loam_error *error = plan->call->error;
    size_t cells = grid_count(&plan->cells);
    struct lane_search *search = loam_arena_take_zero(arena, 1, sizeof *search);
    LOAM_TRY_MEMORY(search, error);
    search->capacity = entries_of(cells);
    search->costs = loam_arena_take(arena, cells, sizeof *search->costs);
    LOAM_TRY_MEMORY(search->costs, error);
    search->stamps = loam_arena_take_zero(arena, cells, sizeof *search->stamps);
    LOAM_TRY_MEMORY(search->stamps, error);
    search->from = loam_arena_take(arena, cells, 1);
    LOAM_TRY_MEMORY(search->from, error);
    search->heap = loam_arena_take(arena, search->capacity, sizeof *search->heap);
    LOAM_TRY_MEMORY(search->heap, error);
    plan->search = search;
    return LOAM_OK;
}

static void begin_search(const room_plan *plan) {
    struct lane_search *search = plan->search;
    search->count = search->order = 0;
    if (++search->stamp == 0) {
        memset(search->stamps, 0, grid_count(&plan->cells) * sizeof *search->stamps);
        search->stamp = 1;
    }
}

/* ---- Heap --------------------------------------------------------------------------------- */

static bool is_before(const lane_entry *a, const lane_entry *b) {
    if (a->total != b->total) {
        return a->total < b->total;
    }
    return a->estimate != b->estimate ? a->estimate < b->estimate : a->order < b->order;
}

static void heap_push(struct lane_search *search, lane_entry entry) {
    uint32_t at = search->count++;
    for (; at > 0 && is_before(&entry, &search->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        search->heap[at] = search->heap[(at - 1) / 2];
    }
    search->heap[at] = entry;
}

static lane_entry heap_pop(struct lane_search *search) {
    lane_entry top = search->heap[0], last = search->heap[--search->count];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= search->count) {
            break;
        }
        child +=
            child + 1 < search->count && is_before(&search->heap[child + 1], &search->heap[child]);
        if (!is_before(&search->heap[child], &last)) {
            break;
        }
        search->heap[at] = search->heap[child];
        at = child;
    }
    search->heap[at] = last;
    return top;
}

/* ---- Ways --------------------------------------------------------------------------------- */

static int32_t outside_by(int32_t at, int32_t from, int32_t size) {
    if (at < from) {
        return from - at;
    }
    return at >= from + size ? at - (from + size - 1) : 0;
}

static uint32_t estimate(const searching *run, loam_spot at) {
    int32_t dx = outside_by(at.x, run->goal.x, run->goal.width);
    int32_t dy = outside_by(at.y, run->goal.y, run->goal.height);
    return (uint32_t)(dx + dy) * COST_ROCK;
}

static uint8_t lane_limit(const searching *run) {
    static const uint8_t limits[] = {
        [FORCE_NONE] = LANE_BESIDE, [FORCE_WALLS] = LANE_WALL, [FORCE_ROOMS] = LANE_ROOM};
    return limits[run->request.force];
}

static uint32_t cost_of(const searching *run, size_t place) {
    if (run->plan->ways.cells[place] != 0) {
        return COST_AGAIN;
    }
    switch (run->plan->lanes.cells[place]) {
    case LANE_ROCK:
        return COST_ROCK;
    case LANE_BESIDE:
        return COST_BESIDE;
    default:
        return COST_WALL;
    }
}

/* Keeps a way to a place when it is cheaper; false when the heap is full. */
static bool offer(searching *run, loam_spot at, uint32_t cost, uint8_t from) {
    struct lane_search *search = run->search;
    if (grid_get(&run->plan->lanes, at.x, at.y, LANE_EDGE) > lane_limit(run)) {
        return true;
    }
    size_t place = grid_index(&run->plan->cells, at.x, at.y);
    cost += cost_of(run, place);
    bool known = search->stamps[place] == search->stamp;
    if (known && (cost >= search->costs[place] || (search->from[place] & LEFT) != 0)) {
        return true;
    }
    if (search->count == search->capacity) {
        return false;
    }
    search->stamps[place] = search->stamp;
    search->costs[place] = cost;
    search->from[place] = from;
    uint32_t left = estimate(run, at);
    heap_push(search, (lane_entry){cost + left, left, search->order++, (uint32_t)place});
    return true;
}

static bool offer_gates(searching *run) {
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        int32_t count = gate_count(run->plan, run->request.a, way);
        for (int32_t i = 0; i < count; i++) {
            wall_gate from = gate_at(run->plan, run->request.a, way, i);
            if (gate_fits(run->plan, &from, run->request.force != FORCE_NONE) &&
                !offer(run, from.free, 0, (uint8_t)(FROM_GATE + way))) {
                return false;
            }
        }
    }
    return true;
}

/* The gate of the second room that a place is in front of. */
static bool is_goal(const searching *run, loam_spot at, wall_gate *to) {
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        bool level = way == WAY_NORTH || way == WAY_SOUTH;
        uint32_t room = run->request.b;
        int32_t place = gate_place(run->plan, room, way, level ? at.x : at.y);
        if (place >= 0 && place < gate_count(run->plan, room, way)) {
            *to = gate_at(run->plan, room, way, place);
            if (to->free.x == at.x && to->free.y == at.y &&
                gate_fits(run->plan, to, run->request.force != FORCE_NONE)) {
                return true;
            }
        }
    }
    return false;
}

static loam_spot spot_of(const room_plan *plan, size_t place) {
    return (loam_spot){(int32_t)(place % (size_t)plan->cells.width),
                       (int32_t)(place / (size_t)plan->cells.width)};
}

/* From the last place on; false when the heap is full. */
static bool leave(searching *run, size_t place) {
    struct lane_search *search = run->search;
    uint8_t from = search->from[place] & (uint8_t)(LEFT - 1);
    search->from[place] |= LEFT;
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        uint32_t bend = way == (from & 3u) ? 0 : COST_BEND;
        loam_spot next = spot_step(spot_of(run->plan, place), way);
        if (!offer(run, next, search->costs[place] + bend, (uint8_t)way)) {
            return false;
        }
    }
    return true;
}

/* ---- The draft ---------------------------------------------------------------------------- */

static bool add(room_plan *plan, loam_spot at) {
    if (plan->draft_count >= plan->path_capacity - plan->path_count) {
        return false;
    }
    plan->path[plan->path_count + plan->draft_count++] = at;
    return true;
}

static void turn_round(room_plan *plan) {
    loam_spot *draft = &plan->path[plan->path_count];
    for (uint32_t i = 0, j = plan->draft_count - 1; i < j; i++, j--) {
        loam_spot kept = draft[i];
        draft[i] = draft[j];
        draft[j] = kept;
    }
}

/* From the second room's wall back to the first's, then turned round. */
static bool write_draft(searching *run, const wall_gate *to) {
    room_plan *plan = run->plan;
    loam_spot at = to->ring;
    plan->draft_count = 0;
    bool fits = add(plan, at);
    while (fits && (at.x != to->free.x || at.y != to->free.y)) {
        at = spot_step(at, to->way);
        fits = add(plan, at);
    }
    uint8_t from = run->search->from[grid_index(&plan->cells, at.x, at.y)];
    while (fits && (from & FROM_GATE) == 0) {
        at = spot_step(at, (from + 2u) & 3u);
        from = run->search->from[grid_index(&plan->cells, at.x, at.y)];
        fits = add(plan, at);
    }
    uint32_t back = (from + 2u) & 3u;
    for (int32_t left = gate_depth(plan, from & 3u); fits && left > 0; left--) {
        at = spot_step(at, back);
        fits = add(plan, at);
    }
    turn_round(plan);
    return fits;
}

static uint64_t places_most(const searching *run) {
    loam_box from = run->plan->rooms[run->request.a].box;
    int32_t dx = outside_by(from.x, run->goal.x, run->goal.width);
    int32_t dy = outside_by(from.y, run->goal.y, run->goal.height);
    bool all = run->request.force == FORCE_ROOMS;
    return all ? UINT64_MAX : PLACES_LEAST + (uint64_t)(dx + dy) * PLACES_A_CELL;
}

loam_status lane_search_draft(room_plan *plan, corridor_request request, bool *drafted) {
    if (plan->search == NULL) {
        LOAM_TRY(take_search(plan));
    }
    room_plan_open_lanes(plan);
    searching run = {plan, plan->search, request, plan->rooms[request.b].box};
    begin_search(plan);
    bool going = offer_gates(&run);
    uint64_t left = places_most(&run);
    *drafted = false;
    while (going && run.search->count > 0 && left-- > 0 && !*drafted) {
        size_t place = heap_pop(run.search).place;
        wall_gate to;
        plan->call->steps++;
        if ((run.search->from[place] & LEFT) != 0) {
            continue;
        }
        if (is_goal(&run, spot_of(plan, place), &to)) {
            going = *drafted = write_draft(&run, &to);
        } else {
            going = leave(&run, place);
        }
    }
    return LOAM_OK;
}
