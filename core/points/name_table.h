/* SPDX-License-Identifier: MIT
 *
 * name_table.h: the names of one evaluation: those of the plan's parameters, and those that
 * features and rules bring. Assets and string attributes are indices into it; a cell's palette is
 * made of the names that are used, by their bytes, so the order of the table decides nothing.
 */
#ifndef LOAM_POINTS_NAME_TABLE_H
#define LOAM_POINTS_NAME_TABLE_H

#include "core/loam.h"

typedef struct name_table {
    loam_text *names;
    uint32_t count, capacity;
    uint32_t *slots; /* open addressing: index + 1, 0 is free */
    uint32_t slot_count;
    loam_arena *arena;
} name_table;

/* Starts with the plan's names, which keep their indices; texts are borrowed, tables come from the
 * arena. */
LOAM_MUST_USE loam_status name_table_init(name_table *table, const loam_text *names, uint32_t count,
                                          loam_arena *arena, loam_error *error);
/* The index of a name, which is added when it is new; its bytes are borrowed as long as the table
 * lives. */
LOAM_MUST_USE loam_status name_table_add(name_table *table, loam_text name, uint32_t *index);

#endif
