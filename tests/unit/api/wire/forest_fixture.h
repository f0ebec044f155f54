/* SPDX-License-Identifier: MIT
 *
 * forest_fixture.h: the forest of the contract as text, and ways to change it for a test.
 */
#ifndef LOAM_TESTS_FOREST_FIXTURE_H
#define LOAM_TESTS_FOREST_FIXTURE_H

#include "api/wire/world_document.h"

/* The graph document of API.md, and a world with it inline. */
extern const char forest_graph[];
extern const char forest_world[];

/* A copy with the first `from` replaced by `to`; fails the test when there is none. Freed by
 * forest_fini. */
char *forest_with(const char *text, const char *from, const char *to);

/* An arena and a list of faults, empty. */
loam_arena *forest_arena(void);
fault_list *forest_faults(void);
void forest_fini(void);

/* Whether there is a fault of a status at a place; prints all when there is none. */
bool forest_has_fault(loam_status status, const char *pointer);
/* The first fault that was noted, and how many were. */
const loam_error *forest_fault(void);
uint32_t forest_fault_count(void);

/* Knows the assets terrain (heightfield) and village (areas), gates (points), by name and digest,
 * and the forest's graph by its digest. */
extern const world_resolver forest_resolver;
/* Reads a world that must be sound. */
void forest_read_world(const char *json, world *to);

#endif
