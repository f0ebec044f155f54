/* SPDX-License-Identifier: MIT
 *
 * routes.c: see routes.h.
 */
#include "server/flow/routes.h"

#include "server/admin/admin.h"
#include "server/cell/batch_flow.h"
#include "server/cell/cell_flow.h"
#include "server/cell/cell_trace_flow.h"
#include "server/cell/place_flow.h"
#include "server/dungeon/dungeon_flow.h"
#include "server/flow/catalogue.h"
#include "server/flow/health.h"
#include "server/job/job_change.h"
#include "server/job/job_events.h"
#include "server/job/job_get.h"
#include "server/job/job_post.h"
#include "server/world/asset_get.h"
#include "server/world/asset_put.h"
#include "server/world/graph_flow.h"
#include "server/world/world_get.h"
#include "server/world/world_put.h"

static const char *const any_query[] = {"*", NULL};
static const char *const page_query[] = {"after", "limit", NULL};
static const char *const limit_query[] = {"limit", NULL};
static const char *const cell_query[] = {"cached", NULL};
static const char *const content_query[] = {"content", NULL};
static const char *const gc_query[] = {"bytes", NULL};
static const char *const scrub_query[] = {"bytes_per_s", NULL};
static const char *const job_list_query[] = {"state", "after", "limit", NULL};

#define WORLD "/v1/worlds/{world}"
#define REVISION WORLD "/revisions/{rev}"
#define CELL "/cells/{level}/{x}/{z}/{output}"
#define JOB "/v1/jobs/{id}"
#define DUNGEON "/v1/dungeons/{key}"

/* What a verb needs where the route does not say otherwise. */
enum {
    SCOPE_GET = SCOPE_READ,
    SCOPE_POST = SCOPE_GENERATE,
    SCOPE_PUT = SCOPE_UPLOAD,
    SCOPE_DELETE = SCOPE_UPLOAD,
};

/* clang-format off */
/* Answered at once, to everyone. */
#define QUICK(verb, path, handler, names)                                                          \
    {.method = HTTP_##verb, .template = path, .quick = handler, .queries = names}
/* Walks `table` in a slot of `type`, which `end` ends; refused as `class` says. */
#define STEPS_SHED(class, verb, path, table, type, end, kind, names)                               \
    {.method = HTTP_##verb, .template = path, .steps = table, .slot_bytes = sizeof(type),          \
     .fini = end, .body = kind, .shed = class, .scope = (scope)SCOPE_##verb, .queries = names}
#define STEPS(verb, path, table, type, end, kind, names)                                           \
    STEPS_SHED(SHED_SINGLE, verb, path, table, type, end, kind, names)
/* The daemon's own user over its unix socket. */
#define ADMIN(path, table, names)                                                                  \
    {.method = HTTP_POST, .template = path, .steps = table, .slot_bytes = sizeof(admin_slot),      \
     .body = BODY_EMPTY, .scope = SCOPE_ADMIN, .queries = names}
/* Both: what is not answered at once walks. */
#define CELLS(path)                                                                                \
    {.method = HTTP_GET, .template = path, .quick = cell_quick, .steps = cell_steps,               \
     .slot_bytes = sizeof(cell_slot), .fini = cell_fini, .scope = SCOPE_READ,                      \
     .queries = cell_query}

/* What everyone may see of a dungeon, and what only game servers may. */
#define DUNGEONS(path, handler, table)                                                             \
    {.method = HTTP_GET, .template = path, .quick = handler, .steps = table,                       \
     .slot_bytes = sizeof(dungeon_slot), .fini = dungeon_fini, .scope = SCOPE_READ}
#define SECRETS(path, handler, table)                                                              \
    {.method = HTTP_GET, .template = path, .quick = handler, .steps = table,                       \
     .slot_bytes = sizeof(dungeon_slot), .fini = dungeon_fini, .scope = SCOPE_SERVER,              \
     .queries = content_query}
#define ENCOUNTERS(path, table)                                                                    \
    {.method = HTTP_POST, .template = path, .steps = table, .slot_bytes = sizeof(dungeon_slot),    \
     .fini = dungeon_fini, .body = BODY_JSON, .scope = SCOPE_SERVER, .queries = content_query}
/* A dungeon with all its parts. */
#define DUNGEON_PARTS(path, handler, table, hidden, encounters)                                    \
    DUNGEONS(path, handler, table),                                                                \
    DUNGEONS(path "/layout", handler, table),                                                      \
    DUNGEONS(path "/assembly", handler, table),                                                    \
    SECRETS(path "/content", handler, hidden),                                                     \
    SECRETS(path "/spawns", handler, hidden),                                                      \
    ENCOUNTERS(path "/encounters", encounters)
#define ANCHOR_PARTS(path)                                                                         \
    DUNGEON_PARTS(path "/dungeons/{anchor}", anchor_quick, anchor_steps, anchor_content_steps,     \
                  anchor_encounter_steps)

static const flow_route routes[] = {
    QUICK(GET, "/healthz/live", health_live, any_query),
    QUICK(GET, "/healthz/ready", health_ready, any_query),
    QUICK(GET, "/metrics", health_metrics, any_query),
    QUICK(GET, "/openapi.yaml", catalogue_contract, NULL),
    QUICK(GET, "/v1/version", catalogue_version, NULL),
    QUICK(GET, "/v1/capabilities", catalogue_capabilities, NULL),
    QUICK(GET, "/v1/operations", catalogue_operations, NULL),
    QUICK(GET, "/v1/operations/{name}", catalogue_operation, NULL),
    QUICK(GET, "/v1/recipes", catalogue_recipes, NULL),
    QUICK(GET, "/v1/recipes/{name}", catalogue_recipe, NULL),

    STEPS(GET, "/v1/assets", asset_list_steps, flow_slot, NULL, BODY_NONE, page_query),
    STEPS(GET, "/v1/assets/{name}", asset_get_steps, flow_slot, NULL, BODY_NONE, NULL),
    STEPS(PUT, "/v1/assets/{name}", asset_put_steps, asset_put_slot, asset_put_fini, BODY_ASSET,
          any_query),
    STEPS(DELETE, "/v1/assets/{name}", asset_delete_steps, flow_slot, NULL, BODY_NONE, NULL),
    STEPS(GET, "/v1/assets/{name}/content", asset_content_steps, asset_content_slot,
          asset_content_fini, BODY_NONE, NULL),

    STEPS(POST, "/v1/graph-validations", graph_validate_steps, graph_slot, graph_fini, BODY_JSON,
          NULL),
    STEPS(POST, "/v1/graphs", graph_post_steps, graph_slot, graph_fini, BODY_JSON, NULL),
    STEPS(GET, "/v1/graphs/{digest}", graph_get_steps, graph_slot, graph_fini, BODY_NONE, NULL),

    STEPS(GET, "/v1/worlds", world_list_steps, flow_slot, NULL, BODY_NONE, page_query),
    STEPS(GET, WORLD, world_get_steps, revision_slot, revision_slot_fini, BODY_NONE, NULL),
    STEPS(PUT, WORLD, world_put_steps, world_put_slot, world_put_fini, BODY_JSON, NULL),
    STEPS(DELETE, WORLD, world_delete_steps, world_put_slot, world_put_fini, BODY_NONE, NULL),
    STEPS(GET, WORLD "/revisions", revision_list_steps, flow_slot, NULL, BODY_NONE, limit_query),
    STEPS(GET, REVISION, world_get_steps, revision_slot, revision_slot_fini, BODY_NONE, NULL),

    CELLS(WORLD CELL),
    CELLS(REVISION CELL),
    STEPS(GET, WORLD CELL "/trace", trace_steps, trace_slot, trace_fini, BODY_NONE, NULL),
    STEPS(GET, REVISION CELL "/trace", trace_steps, trace_slot, trace_fini, BODY_NONE, NULL),

    STEPS(GET, WORLD "/explain", explain_steps, place_slot, place_fini, BODY_NONE, place_query),
    STEPS(GET, WORLD "/points", points_steps, place_slot, place_fini, BODY_NONE, place_query),
    STEPS_SHED(SHED_BULK, POST, WORLD "/cell-batches", batch_steps, batch_slot, batch_fini,
               BODY_JSON, NULL),

    ANCHOR_PARTS(WORLD),
    ANCHOR_PARTS(REVISION),

    STEPS(POST, "/v1/dungeons", dungeon_post_steps, dungeon_slot, dungeon_fini, BODY_JSON, NULL),
    DUNGEON_PARTS(DUNGEON, dungeon_quick, dungeon_get_steps, content_steps, encounter_steps),

    STEPS_SHED(SHED_JOB, POST, "/v1/jobs", job_post_steps, job_slot, job_slot_fini, BODY_JSON,
               NULL),
    STEPS(GET, "/v1/jobs", job_list_steps, flow_slot, NULL, BODY_NONE, job_list_query),
    STEPS(GET, JOB, job_get_steps, job_slot, job_slot_fini, BODY_NONE, NULL),
    STEPS(GET, JOB "/results", job_results_steps, job_slot, job_slot_fini, BODY_NONE, page_query),
    STEPS(GET, JOB "/events", job_events_steps, job_slot, job_slot_fini, BODY_NONE, NULL),
    STEPS(POST, JOB "/cancellation", job_cancel_steps, job_slot, job_slot_fini, BODY_EMPTY, NULL),
    STEPS(POST, JOB "/pause", job_pause_steps, job_slot, job_slot_fini, BODY_EMPTY, NULL),
    STEPS_SHED(SHED_JOB, POST, JOB "/resumption", job_resume_steps, job_slot, job_slot_fini,
               BODY_EMPTY, NULL),
    STEPS_SHED(SHED_JOB, POST, JOB "/retries", job_retry_steps, job_slot, job_slot_fini,
               BODY_EMPTY, NULL),

    {.method = HTTP_GET, .template = "/v1/admin/stats", .quick = admin_stats,
     .scope = SCOPE_ADMIN},
    ADMIN("/v1/admin/gc", admin_gc_steps, gc_query),
    ADMIN("/v1/admin/scrub", admin_scrub_steps, scrub_query),
    ADMIN("/v1/admin/backup", admin_backup_steps, NULL),
};
/* clang-format on */

void routes_init(void) {
    route_set_all(routes, (uint32_t)(sizeof routes / sizeof routes[0]));
}
