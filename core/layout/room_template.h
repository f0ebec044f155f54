/* SPDX-License-Identifier: MIT
 *
 * room_template.h: rooms that somebody drew: '#' wall, '.' floor, '+' where a gate may be, wall all
 * around. A document {"templates": [{name, kind, weight, rows, rotate, max}]}, whose rows are a
 * list or one text of lines; or a text alone, whose templates stand apart by an empty line; or the
 * name of what is built in.
 */
#ifndef LOAM_LAYOUT_ROOM_TEMPLATE_H
#define LOAM_LAYOUT_ROOM_TEMPLATE_H

#include "core/layout/room_plan.h"

#define TEMPLATES_DEFAULT "templates.default/1"

/* Wall included: with four turns of each that is 4 MB at most. */
enum { TEMPLATES_MAX = 256, TEMPLATE_SIDE_MAX = 64, TEMPLATE_SIDE_MIN = 3 };
#define TEMPLATE_BYTES_MAX                                                                         \
    ((uint64_t)TEMPLATES_MAX * (4 * TEMPLATE_SIDE_MAX * TEMPLATE_SIDE_MAX + 4096))

typedef enum template_kind {
    TEMPLATE_ANY,
    TEMPLATE_SMALL,
    TEMPLATE_MEDIUM,
    TEMPLATE_LARGE,
    TEMPLATE_BOSS,     /* one such room, placed first; the exit is there */
    TEMPLATE_ENTRANCE, /* the same with the entrance */
    TEMPLATE_KINDS
} template_kind;

typedef struct room_template {
    loam_text name;
    template_kind kind;
    uint32_t weight;
    uint32_t most;        /* rooms of it */
    room_shape shapes[4]; /* by quarter turn, clockwise */
    uint32_t shape_count; /* 1 or 4 */
} room_template;

typedef struct template_set {
    room_template *templates;
    uint32_t count;
} template_set;

/* Reads and checks: rows of one length, wall around, floor in one piece, and floor behind each '+'.
 * Errors point below `pointer`. Everything but texts comes from the arena. */
LOAM_MUST_USE loam_status template_set_read(const loam_rules *document, const char *pointer,
                                            loam_arena *arena, template_set *set,
                                            loam_error *error);

/* Of the templates that may still be used, one by weight; NULL when there is none. `used` counts
 * rooms of each; boss and entrance are left out. */
const room_template *template_pick(const template_set *set, const uint32_t *used, uint64_t bits);

/* Whether it is of any use: a box holds it, turned somehow, and a corridor gets in. */
bool template_fits(const room_template *template, loam_box inside, int32_t corridor_width);

#endif
