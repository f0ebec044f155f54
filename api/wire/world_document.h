/* SPDX-License-Identifier: MIT
 *
 * world_document.h: a world, from JSON and back. Assets and graphs stand in it by name or digest;
 * a resolver, which the server or the command line gives, says what they are. The canonical text
 * holds the whole graph with its versions, digests instead of names, and exact numbers: its digest
 * is the revision, and the world can be made from it again.
 */
#ifndef LOAM_API_WIRE_WORLD_DOCUMENT_H
#define LOAM_API_WIRE_WORLD_DOCUMENT_H

#include "api/key/key.h"
#include "api/wire/fault.h"
#include "api/wire/graph_document.h"
#include "api/wire/rules_reference.h"
#include "api/wire/text_buffer.h"
#include "core/loam_dungeon.h"

/* Cells: a metre is the least that bounds can name, 4 km the most a rectangle may be. */
#define CELL_SIZE_M_MAX 4096
/* Bounds: the whole world, |p| <= 2^40 units. */
#define BOUNDS_M_MAX ((int64_t)1 << 32)

/* Kinds of dungeons that a world binds to points: each is planned when the world is read. */
#define WORLD_DUNGEONS_MAX 64

/* The arena of a world: its graph, the canonical text and the kept one (1 MB each), slots, and
 * dungeons, whose parameters and rules are a part of those texts. */
#define WORLD_ARENA_BYTES (GRAPH_ARENA_BYTES + ((size_t)5 << 20))

/* A dungeon at each point of an asset (anchor_document.h). */
typedef struct world_dungeon {
    loam_text name; /* terminated */
    digest anchors; /* points */
    const loam_recipe *recipe;
    loam_policy policy;
    loam_text params; /* all of them, as JSON */
    /* What it hides, which is no part of the revision and in no document that is told. */
    loam_text content; /* rules, as JSON; empty: the default */
    bool secret_given;
    uint64_t secret_seed;
} world_dungeon;

typedef struct world {
    uint64_t seed;
    loam_graph graph; /* flat and sorted, overrides applied */
    digest graph_id;  /* of the canonical graph, before overrides */
    digest *slots;    /* an asset for each of graph.slot_count, then the anchors of each dungeon */
    uint32_t level_count;
    uint32_t cell_size_m[LEVELS_MAX];
    bool bounded;
    int64_t min_m[2]; /* x, z; when bounded */
    int64_t max_m[2];
    loam_check *checks;      /* one for each output; NULL: none (check_document.h) */
    bool check_warns;        /* what fails them is served all the same */
    world_dungeon *dungeons; /* in order of names */
    uint32_t dungeon_count;
    loam_text canonical;
    loam_text kept; /* the same with what its dungeons hide; for the store alone */
    digest revision;
} world;

/* What names mean. All answer LOAM_NOT_FOUND when there is no such thing. */
typedef struct world_resolver {
    /* The canonical text of a stored graph, borrowed until the world is read. */
    loam_status (*find_graph)(void *context, const digest *graph, loam_text *document);
    /* An asset by its name or digest. */
    loam_status (*find_asset)(void *context, loam_text name, digest *asset, loam_port_kind *kind);
    void *context;
    const rules_resolver *rules; /* of dungeons; NULL: no name is known */
} world_resolver;

/* Reads and checks. Everything the world holds is owned by `arena`, which its graph keeps pointing
 * at. LOAM_OK, or the status of the
 * first fault in `faults`. */
LOAM_MUST_USE loam_status world_read(loam_text json, const world_resolver *resolver,
                                     loam_arena *arena, world *to, fault_list *faults);
/* Plans the graph and estimates a cell of each output at its own level; `scratch` is given back. */
LOAM_MUST_USE loam_status world_check(const world *of, loam_arena *scratch, fault_list *faults);

/* The rectangle of a cell. LOAM_OUT_OF_RANGE for a level that the grid lacks, LOAM_COORDINATE_RANGE
 * beyond any world, LOAM_OUTSIDE_WORLD beyond the bounds of this one. */
LOAM_MUST_USE loam_status world_cell(const world *of, uint32_t level, int64_t x, int64_t z,
                                     loam_rect *rect, loam_error *error);

/* The canonical text; `hidden`: with what its dungeons hide. Takes the canonical text of the graph
 * before overrides. */
LOAM_MUST_USE loam_status world_write(const world *of, loam_text graph, bool hidden,
                                      text_buffer *buffer);
digest world_revision(loam_text canonical);
/* What a client gets: the name, the revision, the graph's digest and the canonical fields. */
void world_write_document(const world *of, loam_text name, text_buffer *buffer);

#endif
