/* SPDX-License-Identifier: MIT
 *
 * name_table.c: see name_table.h.
 */
#include "core/points/name_table.h"

#include "core/base/mix.h"
#include "core/base/try.h"

/* Room for so many names at first; it doubles. */
enum { NAMES_FIRST = 64 };

static uint32_t *slot_of(const name_table *table, loam_text name) {
    uint32_t mask = table->slot_count - 1;
    uint32_t at = (uint32_t)mix_bytes(0, name.bytes, name.size) & mask;
    while (table->slots[at] != 0 && !loam_text_equal(table->names[table->slots[at] - 1], name)) {
        at = (at + 1) & mask;
    }
    return &table->slots[at];
}

/* Twice the room, at most half full. */
static loam_status grow(name_table *table, uint32_t capacity) {
    loam_text *names = loam_arena_take(table->arena, capacity, sizeof *names);
    LOAM_TRY_MEMORY(names, NULL);
    table->slots = loam_arena_take_zero(table->arena, (size_t)capacity * 2, sizeof *table->slots);
    LOAM_TRY_MEMORY(table->slots, NULL);
    for (uint32_t i = 0; i < table->count; i++) {
        names[i] = table->names[i];
    }
    table->names = names;
    table->capacity = capacity;
    table->slot_count = capacity * 2;
    for (uint32_t i = 0; i < table->count; i++) {
        *slot_of(table, names[i]) = i + 1;
    }
    return LOAM_OK;
}

loam_status name_table_init(name_table *table, const loam_text *names, uint32_t count,
                            loam_arena *arena, loam_error *error) {
    *table = (name_table){.arena = arena};
    uint32_t capacity = NAMES_FIRST;
    while (capacity < 2 * count) {
        capacity *= 2;
    }
    if (grow(table, capacity) != LOAM_OK) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "%s", loam_status_text(LOAM_ARENA_FULL));
    }
    for (uint32_t i = 0; i < count; i++) {
        table->names[table->count++] = names[i];
        *slot_of(table, names[i]) = table->count;
    }
    return LOAM_OK;
}

loam_status name_table_add(name_table *table, loam_text name, uint32_t *index) {
    uint32_t *slot = slot_of(table, name);
    if (*slot == 0) {
        if (table->count == table->capacity) {
            LOAM_TRY(grow(table, table->capacity * 2));
            slot = slot_of(table, name);
        }
        table->names[table->count++] = name;
        *slot = table->count;
    }
    *index = *slot - 1;
    return LOAM_OK;
}
