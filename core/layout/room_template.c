/* SPDX-License-Identifier: MIT
 *
 * room_template.c: see room_template.h.
 */
#include "core/layout/room_template.h"

#include "core/base/limits.h"
#include "core/base/pointer.h"
#include "core/base/try.h"
#include "core/grid/draw.h"

enum { FIELD_NAME, FIELD_KIND, FIELD_WEIGHT, FIELD_ROWS, FIELD_ROTATE, FIELD_MOST, FIELD_COUNT };

static const char *const kinds[] = {"any", "small", "medium", "large", "boss", "entrance", NULL};

enum { WEIGHT_MAX = 1000000 };

static const loam_param_schema template_fields[FIELD_COUNT] = {
    {.key = "name", .label = "Name", .unit = "", .kind = LOAM_PARAM_STRING},
    PARAM_CHOICE("kind", "Kind", TEMPLATE_ANY, kinds, TEMPLATE_KINDS, ""),
    PARAM("weight", "Weight", "", INT, 0, 0, 1, 0, WEIGHT_MAX, 1, ""),
    {.key = "rows",
     .label = "Rows",
     .unit = "",
     .kind = LOAM_PARAM_RULES,
     .flags = LOAM_PARAM_REQUIRED},
    PARAM("rotate", "Rotate", "", BOOL, 0, 0, 1, 0, 1, 1, ""),
    PARAM("max", "Max", "", INT, 0, 0, PLAN_ROOMS_MAX, 0, PLAN_ROOMS_MAX, 1, ""),
};
static const loam_param_schema document_fields[] = {
    {.key = "templates",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .flags = LOAM_PARAM_REQUIRED,
     .items_min = 1,
     .items_max = TEMPLATES_MAX,
     .fields = template_fields,
     .field_count = FIELD_COUNT},
};

static const char built_in[] = "#+###+#\n"
                               "+.....+\n"
                               "#.....#\n"
                               "#.....#\n"
                               "+.....+\n"
                               "#+###+#\n"
                               "\n"
                               "###+###\n"
                               "##...##\n"
                               "#.....#\n"
                               "+.....+\n"
                               "#.....#\n"
                               "##...##\n"
                               "###+###\n"
                               "\n"
                               "##+######\n"
                               "#.......#\n"
                               "#.......+\n"
                               "#..###..#\n"
                               "+.......#\n"
                               "#.......#\n"
                               "######+##\n"
                               "\n"
                               "####+#####\n"
                               "#........#\n"
                               "+........#\n"
                               "#....#####\n"
                               "#....#####\n"
                               "#....#####\n"
                               "###+######\n"
                               "\n"
                               "####+####\n"
                               "###...###\n"
                               "###...###\n"
                               "#.......#\n"
                               "+.......+\n"
                               "#.......#\n"
                               "###...###\n"
                               "###...###\n"
                               "####+####\n"
                               "\n"
                               "##+####+##\n"
                               "#........#\n"
                               "+.#....#.+\n"
                               "#........#\n"
                               "#........#\n"
                               "+.#....#.+\n"
                               "#........#\n"
                               "##+####+##\n"
                               "\n"
                               "##+##\n"
                               "#...#\n"
                               "+...+\n"
                               "#...#\n"
                               "##+##\n";

/* Where one reads, and what for. */
typedef struct template_reading {
    loam_arena *arena;
    loam_error *error;
} template_reading;

static loam_status refuse(const template_reading *reading, const char *pointer, const char *why) {
    return loam_fail(reading->error, LOAM_OUT_OF_RANGE, pointer, "%s", why);
}

/* ---- Cells -------------------------------------------------------------------------------- */

static char cell_of(const room_shape *shape, int32_t x, int32_t y) {
    return shape->cells[(size_t)y * (size_t)shape->width + (size_t)x];
}

static bool is_border(const room_shape *shape, int32_t x, int32_t y) {
    return x == 0 || y == 0 || x == shape->width - 1 || y == shape->height - 1;
}

/* The cell inside of one at the border; corners have none. */
static bool has_floor_behind(const room_shape *shape, int32_t x, int32_t y) {
    bool side = x == 0 || x == shape->width - 1, end = y == 0 || y == shape->height - 1;
    int32_t dx = side ? (x == 0 ? 1 : -1) : 0, dy = end ? (y == 0 ? 1 : -1) : 0;
    return side != end && cell_of(shape, x + dx, y + dy) == '.';
}

static loam_status check_cell(const template_reading *reading, const room_shape *shape, int32_t x,
                              int32_t y, const char *pointer) {
    char cell = cell_of(shape, x, y);
    if (cell != '#' && cell != '.' && cell != '+') {
        return refuse(reading, pointer, "rows are made of '#', '.' and '+'");
    }
    if (is_border(shape, x, y)) {
        bool wall = cell == '#' || (cell == '+' && has_floor_behind(shape, x, y));
        return wall ? LOAM_OK
                    : refuse(reading, pointer, "a template has '#' around it, or '+' before a '.'");
    }
    return cell == '+' ? refuse(reading, pointer, "a '+' is at the border") : LOAM_OK;
}

/* Floor that is reached from the first cell of it; `seen` and `stack` have room for all cells. */
static uint32_t count_piece(const room_shape *shape, uint32_t first, bool *seen, uint32_t *stack) {
    uint32_t count = 0, depth = 1;
    stack[0] = first;
    seen[first] = true;
    while (depth > 0) {
        uint32_t place = stack[--depth];
        loam_spot at = {(int32_t)(place % (uint32_t)shape->width),
                        (int32_t)(place / (uint32_t)shape->width)};
        count++;
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            loam_spot next = spot_step(at, way);
            uint32_t there = (uint32_t)(next.y * shape->width + next.x);
            if (shape->cells[there] == '.' && !seen[there]) {
                seen[there] = true;
                stack[depth++] = there;
            }
        }
    }
    return count;
}

static loam_status check_floor(const template_reading *reading, const room_shape *shape,
                               const char *pointer) {
    bool seen[TEMPLATE_SIDE_MAX * TEMPLATE_SIDE_MAX] = {false};
    uint32_t stack[TEMPLATE_SIDE_MAX * TEMPLATE_SIDE_MAX];
    uint32_t floor = 0, first = 0, cells = (uint32_t)(shape->width * shape->height);
    for (uint32_t i = cells; i-- > 0;) {
        floor += shape->cells[i] == '.';
        first = shape->cells[i] == '.' ? i : first;
    }
    bool whole = floor > 0 && count_piece(shape, first, seen, stack) == floor;
    return whole ? LOAM_OK : refuse(reading, pointer, "the floor of a template is one piece");
}

static loam_status check_shape(const template_reading *reading, const room_shape *shape,
                               const char *pointer) {
    for (int32_t y = 0; y < shape->height; y++) {
        for (int32_t x = 0; x < shape->width; x++) {
            LOAM_TRY(
                check_cell(reading, shape, x, y, pointer_below(pointer, NULL, (uint32_t)y).text));
        }
    }
    return check_floor(reading, shape, pointer);
}

/* ---- Rows --------------------------------------------------------------------------------- */

/* The next line of a text, which moves on. */
static loam_text take_line(loam_text *text) {
    const char *end = text->size == 0 ? NULL : memchr(text->bytes, '\n', text->size);
    size_t size = end == NULL ? text->size : (size_t)(end - text->bytes);
    loam_text line = {text->bytes, size};
    size_t skipped = end == NULL ? size : size + 1;
    *text = (loam_text){text->bytes + skipped, text->size - skipped};
    if (line.size > 0 && line.bytes[line.size - 1] == '\r') {
        line.size--;
    }
    return line;
}

static loam_status add_row(const template_reading *reading, room_shape *shape, char *cells,
                           loam_text row, const char *pointer) {
    if (shape->height == 0) {
        shape->width = row.size > TEMPLATE_SIDE_MAX ? TEMPLATE_SIDE_MAX + 1 : (int32_t)row.size;
    }
    if (shape->width > TEMPLATE_SIDE_MAX || shape->height >= TEMPLATE_SIDE_MAX ||
        row.size != (size_t)shape->width) {
        return loam_fail(reading->error, LOAM_OUT_OF_RANGE,
                         pointer_below(pointer, NULL, (uint32_t)shape->height).text,
                         "rows of a template are of one length, %d by %d cells at most",
                         TEMPLATE_SIDE_MAX, TEMPLATE_SIDE_MAX);
    }
    memcpy(cells + (size_t)shape->height * row.size, row.bytes, row.size);
    shape->height++;
    return LOAM_OK;
}

static loam_status read_rows(const template_reading *reading, const loam_rules *rows,
                             room_shape *shape, char *cells, const char *pointer) {
    if (rows->kind == LOAM_RULES_TEXT) {
        for (loam_text left = rows->text; left.size > 0;) {
            LOAM_TRY(add_row(reading, shape, cells, take_line(&left), pointer));
        }
        return LOAM_OK;
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->kind != LOAM_RULES_LIST || rows->items[i].kind != LOAM_RULES_TEXT) {
            return loam_fail(reading->error, LOAM_WRONG_TYPE, pointer, "rows are texts");
        }
        LOAM_TRY(add_row(reading, shape, cells, rows->items[i].text, pointer));
    }
    return LOAM_OK;
}

/* A quarter turn clockwise. */
static loam_status turn_shape(const template_reading *reading, const room_shape *from,
                              room_shape *to) {
    char *cells = loam_arena_take(reading->arena, (size_t)from->width * (size_t)from->height, 1);
    LOAM_TRY_MEMORY(cells, reading->error);
    *to = (room_shape){.width = from->height, .height = from->width, .cells = cells};
    for (int32_t y = 0; y < to->height; y++) {
        for (int32_t x = 0; x < to->width; x++) {
            cells[y * to->width + x] = cell_of(from, y, from->height - 1 - x);
        }
    }
    return LOAM_OK;
}

static loam_status finish_template(const template_reading *reading, room_template *template,
                                   bool rotate, const char *pointer) {
    const room_shape *shape = &template->shapes[0];
    if (shape->width < TEMPLATE_SIDE_MIN || shape->height < TEMPLATE_SIDE_MIN) {
        return loam_fail(reading->error, LOAM_OUT_OF_RANGE, pointer,
                         "a template has at least %d by %d cells", TEMPLATE_SIDE_MIN,
                         TEMPLATE_SIDE_MIN);
    }
    LOAM_TRY(check_shape(reading, shape, pointer));
    template->shape_count = rotate ? 4 : 1;
    for (uint32_t turn = 1; turn < template->shape_count; turn++) {
        LOAM_TRY(turn_shape(reading, &template->shapes[turn - 1], &template->shapes[turn]));
    }
    return LOAM_OK;
}

static loam_status take_cells(const template_reading *reading, room_template *template,
                              char **cells) {
    *cells = loam_arena_take(reading->arena, TEMPLATE_SIDE_MAX * TEMPLATE_SIDE_MAX, 1);
    LOAM_TRY_MEMORY(*cells, reading->error);
    template->shapes[0] = (room_shape){.cells = *cells};
    return LOAM_OK;
}

static loam_status read_template(const template_reading *reading, const loam_value *values,
                                 room_template *template, const char *pointer) {
    char *cells;
    pointer_text at = pointer_below(pointer, "rows", 0);
    *template = (room_template){.name = values[FIELD_NAME].text,
                                .kind = (template_kind)values[FIELD_KIND].integer,
                                .weight = (uint32_t)values[FIELD_WEIGHT].integer,
                                .most = (uint32_t)values[FIELD_MOST].integer};
    LOAM_TRY(take_cells(reading, template, &cells));
    LOAM_TRY(read_rows(reading, values[FIELD_ROWS].rules, &template->shapes[0], cells, at.text));
    return finish_template(reading, template, values[FIELD_ROTATE].integer != 0, at.text);
}

/* ---- Documents ---------------------------------------------------------------------------- */

/* Templates that stand apart by an empty line. */
static loam_status read_drawing(const template_reading *reading, loam_text text,
                                const char *pointer, room_template *templates, uint32_t *count) {
    while (text.size > 0 && *count < TEMPLATES_MAX) {
        loam_text line = take_line(&text);
        if (line.size == 0) {
            continue;
        }
        room_template *template = &templates[(*count)++];
        char *cells;
        *template = (room_template){.weight = 1, .most = PLAN_ROOMS_MAX};
        LOAM_TRY(take_cells(reading, template, &cells));
        for (; line.size > 0; line = take_line(&text)) {
            LOAM_TRY(add_row(reading, &template->shapes[0], cells, line, pointer));
        }
        LOAM_TRY(finish_template(reading, template, true, pointer));
    }
    return *count > 0 && text.size == 0 ? LOAM_OK
                                        : loam_fail(reading->error, LOAM_TOO_MANY, pointer,
                                                    "there are 1 to %d templates", TEMPLATES_MAX);
}

static loam_status read_list(const template_reading *reading, const loam_rules *document,
                             const char *pointer, room_template *templates, uint32_t *count) {
    const loam_value *values;
    LOAM_TRY(
        rules_read(document, document_fields, 1, pointer, reading->arena, &values, reading->error));
    pointer_text list = pointer_below(pointer, "templates", 0);
    for (; *count < values[0].item_count; (*count)++) {
        LOAM_TRY(read_template(reading, values[0].items[*count].items, &templates[*count],
                               pointer_below(list.text, NULL, *count).text));
    }
    return LOAM_OK;
}

loam_status template_set_read(const loam_rules *document, const char *pointer, loam_arena *arena,
                              template_set *set, loam_error *error) {
    template_reading reading = {arena, error};
    room_template *templates = loam_arena_take(arena, TEMPLATES_MAX, sizeof *templates);
    LOAM_TRY_MEMORY(templates, error);
    *set = (template_set){.templates = templates};
    if (document->kind != LOAM_RULES_TEXT) {
        return read_list(&reading, document, pointer, templates, &set->count);
    }
    bool named = loam_text_equal(document->text, loam_text_of(TEMPLATES_DEFAULT));
    return read_drawing(&reading, named ? loam_text_of(built_in) : document->text, pointer,
                        templates, &set->count);
}

static bool may_be_used(const room_template *template, uint32_t used) {
    return template->kind < TEMPLATE_BOSS && used < template->most;
}

const room_template *template_pick(const template_set *set, const uint32_t *used, uint64_t bits) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        sum += may_be_used(&set->templates[i], used[i]) ? set->templates[i].weight : 0;
    }
    if (sum == 0) {
        return NULL;
    }
    uint32_t left = draw_below(bits, sum);
    for (uint32_t i = 0;; i++) {
        uint32_t weight = may_be_used(&set->templates[i], used[i]) ? set->templates[i].weight : 0;
        if (left < weight) {
            return &set->templates[i];
        }
        left -= weight;
    }
}

/* A side of a shape as one walks along it: the wall, and the cell behind it. */
static bool has_gate(const room_shape *shape, bool level, bool far, int32_t corridor_width) {
    bool drawn = memchr(shape->cells, '+', (size_t)shape->width * (size_t)shape->height) != NULL;
    int32_t length = level ? shape->width : shape->height;
    int32_t wall = far ? (level ? shape->height : shape->width) - 1 : 0;
    int32_t behind = far ? wall - 1 : 1, run = 0, door = -1;
    for (int32_t i = 1; i + 1 < length; i++) {
        bool floor = (level ? cell_of(shape, i, behind) : cell_of(shape, behind, i)) == '.';
        bool plus = (level ? cell_of(shape, i, wall) : cell_of(shape, wall, i)) == '+';
        run = floor ? run + 1 : 0;
        door = plus || !drawn ? i : door;
        if (run >= corridor_width && door > i - corridor_width) {
            return true;
        }
    }
    return false;
}

bool template_fits(const room_template *template, loam_box inside, int32_t corridor_width) {
    const room_shape *shape = &template->shapes[0];
    bool gate = false, fits = false;
    for (int side = 0; side < 4; side++) {
        gate |= has_gate(shape, (side & 1) != 0, (side & 2) != 0, corridor_width);
    }
    for (uint32_t turn = 0; turn < template->shape_count; turn++) {
        shape = &template->shapes[turn];
        fits |= shape->width - 2 <= inside.width && shape->height - 2 <= inside.height;
    }
    return gate && fits;
}
