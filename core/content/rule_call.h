/* SPDX-License-Identifier: MIT
 *
 * rule_call.h: one rule on its way through a floor, and what it asks of one cell: whether it may
 * stand there, whether there is room, and taking it. Which cells it is asked for is up to
 * rule_run.c.
 */
#ifndef LOAM_CONTENT_RULE_CALL_H
#define LOAM_CONTENT_RULE_CALL_H

#include "core/content/content_place.h"
#include "core/grid/key_sort.h"

/* Rooms by area, as their kinds are. */
enum { SMALL_CELLS_MAX = 36, MEDIUM_CELLS_MAX = 100 };

/* A rule on its way through the floor. */
typedef struct rule_call {
    content_work *work;
    const content_rule *rule;
    uint32_t index;
    uint32_t room; /* the only one, or LOAM_ROOM_NONE */
    uint64_t key, chance_key;
    uint32_t first;             /* of its placements */
    keyed_index *cells, *spare; /* as many as the floor has reached cells and rooms */
    uint32_t cell_count;
    uint32_t candidates; /* cells that were tried */
    uint32_t *room_counts;
    uint32_t *buckets, *next; /* of its placements, by place: for spacing */
    uint32_t bucket_columns;
} rule_call;

/* Ready to keep its placements apart. */
LOAM_MUST_USE loam_status rule_call_space(rule_call *call);
/* What holds of a cell whatever is placed: only such cells are listed. */
bool rule_call_may_take(const rule_call *call, uint32_t cell);
bool rule_call_is_floor_full(const rule_call *call);
bool rule_call_is_full(const rule_call *call);
bool rule_call_is_room_full(const rule_call *call, uint32_t room);
/* Places it there, whatever speaks against it. */
void rule_call_put(rule_call *call, uint32_t cell, loam_spot guards);
/* Places it there unless something forbids it. */
bool rule_call_try(rule_call *call, uint32_t cell);

#endif
