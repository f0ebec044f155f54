/* SPDX-License-Identifier: MIT
 *
 * place_flow.c: see place_flow.h. Both questions walk the same steps but for their limit of the
 * radius and for the work.
 */
#include "server/cell/place_flow.h"

#include "api/key/stage_cache.h"
#include "api/view/view_cell_json.h"
#include "api/view/view_explain_json.h"
#include "core/base/try.h"
#include "server/slot/negotiate.h"
#include "server/slot/reply.h"

#include <stdlib.h>

/* What a person asks on a map; core takes no larger place either. */
enum { EXPLAIN_RADIUS_M_MAX = 64 };
/* The square around is at most as wide as a rectangle of any cell is in practice. */
enum { POINTS_RADIUS_M_MAX = 512 };
/* Rows of an answer: some megabytes of text. Beyond them "truncated" is true. */
enum { PLACE_CANDIDATES_MAX = 10000, PLACE_POINTS_MAX = 10000 };
/* Both, with 64 attributes of a point. */
#define PLACE_BYTES_MAX ((size_t)64 << 20)

static step_result explain_parse(void *subject);
static step_result explain_evaluate(void *subject);
static step_result points_parse(void *subject);
static step_result points_evaluate(void *subject);
static step_result place_locate(void *subject);
static step_result place_assets(void *subject);
static step_result place_answer(void *subject);

const flow_step explain_steps[] = {
    {"parse", explain_parse, false},       REVISION_STEPS,
    {"place", place_locate, false},        {"assets", place_assets, false},
    {"evaluate", explain_evaluate, false}, /* worker */
    {"answer", place_answer, false},       SLOT_END,
};

const flow_step points_steps[] = {
    {"parse", points_parse, false},       REVISION_STEPS,
    {"place", place_locate, false},       {"assets", place_assets, false},
    {"evaluate", points_evaluate, false}, /* worker */
    {"answer", place_answer, false},      SLOT_END,
};

/* ---- Before the work ------------------------------------------------------------------------ */

static step_result parse(place_slot *slot, int64_t radius_m_max) {
    flow_slot *base = &slot->base.base;
    static const char *const types[] = {MEDIA_JSON, NULL};
    if (negotiate_media(http_header(base->request, "Accept"), types) < 0) {
        return slot_fail(base, LOAM_NOT_ACCEPTABLE, NULL, "the answer is %s", MEDIA_JSON);
    }
    return slot_result(base,
                       place_read(base->request, radius_m_max, &slot->question, &base->error));
}

static step_result explain_parse(void *subject) {
    return parse(subject, EXPLAIN_RADIUS_M_MAX);
}

static step_result points_parse(void *subject) {
    return parse(subject, POINTS_RADIUS_M_MAX);
}

static step_result place_locate(void *subject) {
    place_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    return slot_result(base, place_find(&slot->question, &slot->base.revision->world, &slot->output,
                                        &base->error));
}

static step_result place_assets(void *subject) {
    place_slot *slot = subject;
    return asset_hold_world(&slot->assets, &slot->base.base, &slot->base.revision->world);
}

/* ---- Work ----------------------------------------------------------------------------------- */

static loam_query query_of(const place_slot *slot) {
    return (loam_query){.plan = slot->base.revision->plan,
                        .output = slot->output,
                        .rect = place_rect(&slot->question.place, &slot->base.revision->world),
                        .slots = slot->assets.set.slots};
}

static loam_run run_of(const place_slot *slot, pool_worker *worker) {
    return (loam_run){.arena = pool_worker_arena(worker),
                      .level = (loam_simd)slot->base.base.flow->settings->simd,
                      .cancel = &slot->cancel,
                      .stages = stage_cache_stages(slot->base.base.flow->stages)};
}

/* Candidates beyond the bounds are in no cell. Returns how many are left. */
static uint32_t drop_outside(const world *of, loam_fate *fates, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (place_in_world(of, fates[i].x, fates[i].z)) {
            fates[kept++] = fates[i];
        }
    }
    return kept;
}

static loam_status work_explain(flow_slot *base, pool_worker *worker) {
    place_slot *slot = (place_slot *)base;
    const world *of = &slot->base.revision->world;
    loam_query query = query_of(slot);
    loam_run run = run_of(slot, worker);
    uint32_t count = 0;
    loam_fate *fates = loam_arena_take(run.arena, PLACE_CANDIDATES_MAX, sizeof *fates);
    LOAM_TRY_MEMORY(fates, &base->error);
    LOAM_TRY(loam_explain(&query, slot->question.place, &run, fates, PLACE_CANDIDATES_MAX, &count,
                          &base->error));
    bool truncated = count > PLACE_CANDIDATES_MAX;
    count = drop_outside(of, fates, truncated ? PLACE_CANDIDATES_MAX : count);
    buffer_init(&slot->text, PLACE_BYTES_MAX);
    return view_explain_json(fates, count, truncated, &of->graph, &slot->text);
}

/* A point by how near it is. */
typedef struct near_point {
    int64_t squared;
    uint64_t id;
    uint32_t row;
} near_point;

static int compare_near(const void *a, const void *b) {
    const near_point *one = a, *other = b;
    if (one->squared != other->squared) {
        return one->squared < other->squared ? -1 : 1;
    }
    return one->id < other->id ? -1 : one->id > other->id;
}

/* Points within the radius; room for all of them. */
static uint32_t list_near(const loam_points *points, const loam_place *place, near_point *list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        int64_t dx = points->rect.x0 + points->x[i] - place->x;
        int64_t dz = points->rect.z0 + points->z[i] - place->z;
        int64_t squared = dx * dx + dz * dz;
        if (squared <= place->radius * place->radius) {
            list[count++] = (near_point){squared, points->id[i], i};
        }
    }
    return count;
}

static loam_status write_points(place_slot *slot, const loam_points *points, const uint32_t *rows,
                                uint32_t count, bool truncated) {
    const revision_entry *revision = slot->base.revision;
    text_buffer *to = &slot->text;
    buffer_init(to, PLACE_BYTES_MAX);
    buffer_open_object(to);
    buffer_key(to, "world");
    buffer_string(to, revision->name);
    buffer_key(to, "revision");
    buffer_string(to, revision->revision);
    buffer_key(to, "output");
    buffer_string_text(to, revision->world.graph.outputs[slot->output].name);
    buffer_key(to, "count");
    buffer_unsigned(to, count);
    buffer_key(to, "truncated");
    buffer_bool(to, truncated);
    buffer_key(to, "points");
    LOAM_TRY(view_points_json(points, rows, count, to));
    buffer_close_object(to);
    return buffer_status(to);
}

static loam_status work_points(flow_slot *base, pool_worker *worker) {
    place_slot *slot = (place_slot *)base;
    loam_query query = query_of(slot);
    loam_run run = run_of(slot, worker);
    loam_points points;
    LOAM_TRY(loam_cell_build(&query, &run, &points, &base->error));
    near_point *list = loam_arena_take(run.arena, (size_t)points.count + 1, sizeof *list);
    uint32_t *rows = loam_arena_take(run.arena, PLACE_POINTS_MAX, sizeof *rows);
    LOAM_TRY_MEMORY(list, &base->error);
    LOAM_TRY_MEMORY(rows, &base->error);
    uint32_t count = list_near(&points, &slot->question.place, list);
    qsort(list, count, sizeof *list, compare_near);
    bool truncated = count > PLACE_POINTS_MAX;
    count = truncated ? PLACE_POINTS_MAX : count;
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = list[i].row;
    }
    return write_points(slot, &points, rows, count, truncated);
}

/* The client has left: the worker stops at the next block, and the walk ends as usual. */
static void place_leave(flow_slot *base) {
    __atomic_store_n(&((place_slot *)base)->cancel, 1, __ATOMIC_RELAXED);
}

static step_result explain_evaluate(void *subject) {
    place_slot *slot = subject;
    slot->base.base.leave = place_leave;
    return slot_work(&slot->base.base, work_explain);
}

static step_result points_evaluate(void *subject) {
    place_slot *slot = subject;
    slot->base.base.leave = place_leave;
    return slot_work(&slot->base.base, work_points);
}

static step_result place_answer(void *subject) {
    place_slot *slot = subject;
    slot->base.base.leave = NULL;
    return slot_answer_document(&slot->base.base, &slot->text,
                                (reply_form){.cache = CACHE_REVALIDATE});
}

void place_fini(flow_slot *base) {
    place_slot *slot = (place_slot *)base;
    asset_hold_end(&slot->assets);
    buffer_fini(&slot->text);
    revision_slot_fini(base);
}
