/* SPDX-License-Identifier: MIT
 *
 * task.h: a classic task of placement as an artist would set it: a world written to a folder, on
 * real data where LOAM_TEST_DATA is and on made inputs otherwise (and it says so), baked by the
 * program, its cells read back as points.
 */
#ifndef LOAM_TESTS_SUPPORT_TASK_H
#define LOAM_TESTS_SUPPORT_TASK_H

#include "tests/support/union.h"

/* What a slot is bound to; `fields` are the members beside "file" in an assets file. */
typedef struct task_asset {
    const char *slot;
    const char *made; /* from the project's root */
    const char *made_fields;
    const char *real; /* from LOAM_TEST_DATA; NULL: there is none, what is made is taken */
    const char *real_fields;
} task_asset;

#define TASK_LINES "\"kind\": \"lines\", \"crs\": \"local\""
#define TASK_AREAS "\"kind\": \"areas\", \"crs\": \"local\""
#define TASK_HEIGHTS "\"kind\": \"heightfield\", \"encoding\": \"u16le\", \"row0\": \"north\", "
#define TASK_BAYREUTH                                                                              \
    "terrain/bayreuth.r16", TASK_HEIGHTS "\"width\": 257, \"height\": 257, \"spacing_m\": 32, "    \
                                         "\"offset_m\": 307, \"scale_m\": 0.00390625"
#define TASK_CAPE_FLATTERY                                                                         \
    "terrain/cape_flattery.r16",                                                                   \
        TASK_HEIGHTS "\"width\": 513, \"height\": 513, \"spacing_m\": 30, \"offset_m\": -11, "     \
                     "\"scale_m\": 0.015625"

typedef struct task {
    const char *graph;      /* a file, or a document that begins with '{' */
    const char *parameters; /* members of the object; NULL: none */
    const char *from, *to;  /* one text of the graph in place of another; NULL: as it is */
    uint32_t cell_m;
    const task_asset *assets; /* ended by a slot of NULL */
} task;

typedef struct task_points {
    point_union all; /* sorted */
    int64_t *x, *y, *z;
    uint32_t *scale; /* along x, 1/4,096 */
    uint32_t count, capacity;
} task_points;

/* Whether real data is there. */
bool task_is_real(void);
/* The file that stands for a slot, for the test's own reading; static. */
const char *task_file(const task *of, const char *slot);
/* Writes the world and its assets file into `folder`, bakes cells `area` (x0, z0, x1, z1,
 * inclusive) and reads them. Fails the test when the program does. */
task_points task_bake(const char *folder, const task *of, const char *output, const int area[4]);
void task_points_fini(task_points *points);

#endif
