/* SPDX-License-Identifier: MIT
 *
 * wave_sample.c: samples as documents: rows of characters. Every square of N x N of it, also turned
 * and mirrored, is a tile of the model (a pattern), as heavy as it is frequent; it shows its north
 * western character, and two of them fit side by side when they agree where they overlap. A sample
 * goes on at its other side. '.' and '+' can be walked on.
 *
 * Source: Gumin, WaveFunctionCollapse (2016), the overlapping model.
 */
#include "core/base/mix.h"
#include "core/base/pointer.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/layout/wave_model.h"
#include "core/schema/schema.h"

#include <stdio.h>

enum { SAMPLE_ROWS, SAMPLE_SYMMETRY, SAMPLE_FIELDS };
enum { SAMPLE_SIDE_MAX = 64, PATTERN_SIDE_MAX = 5, SYMMETRIES = 8 };
enum { PATTERN_CELLS_MAX = PATTERN_SIDE_MAX * PATTERN_SIDE_MAX };
/* Twice as many slots as patterns. */
enum { SLOTS = 2 * WAVE_TILES_MAX, SLOT_FREE = UINT16_MAX };

static const loam_param_schema sample_fields[SAMPLE_FIELDS] = {
    {.key = "rows",
     .label = "Rows",
     .description = "Characters, a text for each row.",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .flags = LOAM_PARAM_REQUIRED,
     .item = LOAM_PARAM_STRING,
     .items_min = 1,
     .items_max = SAMPLE_SIDE_MAX},
    PARAM("symmetry", "Symmetry", "", INT, 0, 0, SYMMETRIES, 1, SYMMETRIES, 1,
          "How many of: as it is, mirrored, turned, turned and mirrored, and so on."),
};

typedef struct wave_pattern {
    uint8_t cells[PATTERN_CELLS_MAX]; /* numbers of characters, row by row */
} wave_pattern;

typedef struct sample_reading {
    int32_t width, height, side;
    uint32_t symmetry;
    const loam_value *rows;
    uint8_t numbers[256]; /* of characters; those not seen are 0 */
    char characters[256];
    uint32_t character_count;
    wave_pattern *patterns;
    uint32_t *weights;
    uint32_t count;
    uint16_t *slots;
} sample_reading;

static const loam_rules *rows_of(const loam_rules *document) {
    for (uint32_t i = 0; i < document->count; i++) {
        if (document->kind == LOAM_RULES_OBJECT &&
            loam_text_equal(document->keys[i], loam_text_of("rows"))) {
            return &document->items[i];
        }
    }
    return NULL;
}

uint32_t wave_sample_most(const loam_rules *document) {
    const loam_rules *rows = rows_of(document);
    uint64_t most = 0;
    for (uint32_t i = 0; rows != NULL && rows->kind == LOAM_RULES_LIST && i < rows->count; i++) {
        most += rows->items[i].text.size * SYMMETRIES;
    }
    return most < WAVE_TILES_MAX ? (uint32_t)most : WAVE_TILES_MAX;
}

uint64_t wave_sample_bytes(const loam_rules *document, int32_t side) {
    enum { ALIGNMENTS = 1024, NAME_BYTES = 64 };
    (void)document;
    (void)side;
    return WAVE_TILES_MAX * (sizeof(wave_pattern) + sizeof(uint32_t)) + SLOTS * sizeof(uint16_t) +
           (SAMPLE_SIDE_MAX + SAMPLE_FIELDS) * sizeof(loam_value) + WAVE_SHOWN_MAX * NAME_BYTES +
           ALIGNMENTS;
}

static loam_status read_rows(sample_reading *reading, const char *pointer, loam_error *error) {
    pointer_text at = pointer_below(pointer, "rows", 0);
    const loam_value *rows = reading->rows;
    reading->height = (int32_t)rows->item_count;
    reading->width = (int32_t)rows->items[0].text.size;
    bool seen[256] = {false};
    for (uint32_t y = 0; y < rows->item_count; y++) {
        loam_text row = rows->items[y].text;
        if ((int32_t)row.size != reading->width || row.size == 0 || row.size > SAMPLE_SIDE_MAX) {
            return loam_fail(error, LOAM_OUT_OF_RANGE, pointer_below(at.text, NULL, y).text,
                             "rows are equally long, 1 to %d characters", SAMPLE_SIDE_MAX);
        }
        for (size_t x = 0; x < row.size; x++) {
            uint8_t byte = (uint8_t)row.bytes[x];
            if (!seen[byte]) {
                seen[byte] = true;
                reading->numbers[byte] = (uint8_t)reading->character_count;
                reading->characters[reading->character_count++] = row.bytes[x];
            }
        }
    }
    if (reading->character_count > WAVE_SHOWN_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, at.text, "at most %d characters",
                         (int)WAVE_SHOWN_MAX);
    }
    return LOAM_OK;
}

static wave_pattern cut_pattern(const sample_reading *reading, int32_t x0, int32_t y0) {
    wave_pattern pattern = {{0}};
    for (int32_t y = 0; y < reading->side; y++) {
        loam_text row = reading->rows->items[(y0 + y) % reading->height].text;
        for (int32_t x = 0; x < reading->side; x++) {
            uint8_t byte = (uint8_t)row.bytes[(x0 + x) % reading->width];
            pattern.cells[y * reading->side + x] = reading->numbers[byte];
        }
    }
    return pattern;
}

static wave_pattern mirror_pattern(const wave_pattern *from, int32_t side) {
    wave_pattern to = {{0}};
    for (int32_t y = 0; y < side; y++) {
        for (int32_t x = 0; x < side; x++) {
            to.cells[y * side + x] = from->cells[y * side + side - 1 - x];
        }
    }
    return to;
}

static wave_pattern turn_pattern(const wave_pattern *from, int32_t side) {
    wave_pattern to = {{0}};
    for (int32_t y = 0; y < side; y++) {
        for (int32_t x = 0; x < side; x++) {
            to.cells[y * side + x] = from->cells[x * side + side - 1 - y];
        }
    }
    return to;
}

/* Counts a pattern, a new one behind all others; false when there are too many. */
static bool count_pattern(sample_reading *reading, const wave_pattern *pattern) {
    uint64_t hash = mix_bytes(0, pattern->cells, PATTERN_CELLS_MAX);
    for (uint32_t slot = (uint32_t)(hash % SLOTS);; slot = (slot + 1) % SLOTS) {
        uint16_t at = reading->slots[slot];
        if (at == SLOT_FREE) {
            if (reading->count == WAVE_TILES_MAX) {
                return false;
            }
            reading->slots[slot] = (uint16_t)reading->count;
            reading->patterns[reading->count] = *pattern;
            reading->weights[reading->count++] = 1;
            return true;
        }
        if (memcmp(reading->patterns[at].cells, pattern->cells, PATTERN_CELLS_MAX) == 0) {
            reading->weights[at]++;
            return true;
        }
    }
}

static bool count_patterns(sample_reading *reading) {
    for (int32_t y = 0; y < reading->height; y++) {
        for (int32_t x = 0; x < reading->width; x++) {
            wave_pattern pattern = cut_pattern(reading, x, y);
            for (uint32_t i = 0; i < reading->symmetry; i += 2) {
                wave_pattern mirror = mirror_pattern(&pattern, reading->side);
                if (!count_pattern(reading, &pattern) ||
                    (i + 1 < reading->symmetry && !count_pattern(reading, &mirror))) {
                    return false;
                }
                pattern = turn_pattern(&pattern, reading->side);
            }
        }
    }
    return true;
}

/* Whether `b`, a cell further to the east or south, agrees with `a` where both are. */
static bool agree(const wave_pattern *a, const wave_pattern *b, int32_t side, uint32_t way) {
    int32_t dx = way == WAY_EAST, dy = way == WAY_SOUTH;
    for (int32_t y = dy; y < side; y++) {
        for (int32_t x = dx; x < side; x++) {
            if (a->cells[y * side + x] != b->cells[(y - dy) * side + x - dx]) {
                return false;
            }
        }
    }
    return true;
}

static loam_status fill_model(const sample_reading *reading, loam_arena *arena, wave_model *model,
                              loam_error *error) {
    LOAM_TRY(wave_model_take(reading->count, reading->character_count, arena, model, error));
    for (uint32_t i = 0; i < reading->character_count; i++) {
        loam_text name = {&reading->characters[i], 1};
        if (text_copy(name, arena, &model->names[i]) != LOAM_OK) {
            return loam_fail(error, LOAM_ARENA_FULL, NULL, "%s", loam_status_text(LOAM_ARENA_FULL));
        }
    }
    for (uint32_t a = 0; a < reading->count; a++) {
        uint8_t shown = reading->patterns[a].cells[0];
        char character = reading->characters[shown];
        model->tiles[a] = (wave_tile){.weight = reading->weights[a],
                                      .shown = shown,
                                      .walkable = character == '.' || character == '+'};
        for (uint32_t b = 0; b < reading->count; b++) {
            for (uint32_t way = WAY_EAST; way <= WAY_SOUTH; way++) {
                if (agree(&reading->patterns[a], &reading->patterns[b], reading->side, way)) {
                    wave_model_pair(model, a, way, b);
                }
            }
        }
    }
    return wave_model_close(model, arena, error);
}

loam_status wave_model_of_sample(const loam_rules *document, int32_t side, const char *pointer,
                                 loam_arena *arena, wave_model *model, loam_error *error) {
    const loam_value *fields;
    LOAM_TRY(rules_read(document, sample_fields, SAMPLE_FIELDS, pointer, arena, &fields, error));
    sample_reading reading = {.side = side,
                              .symmetry = (uint32_t)fields[SAMPLE_SYMMETRY].integer,
                              .rows = &fields[SAMPLE_ROWS]};
    LOAM_TRY(read_rows(&reading, pointer, error));
    reading.patterns = loam_arena_take(arena, WAVE_TILES_MAX, sizeof *reading.patterns);
    reading.weights = loam_arena_take(arena, WAVE_TILES_MAX, sizeof *reading.weights);
    reading.slots = loam_arena_take(arena, SLOTS, sizeof *reading.slots);
    LOAM_TRY_MEMORY(reading.patterns, error);
    LOAM_TRY_MEMORY(reading.weights, error);
    LOAM_TRY_MEMORY(reading.slots, error);
    memset(reading.slots, 0xff, SLOTS * sizeof *reading.slots);
    if (!count_patterns(&reading)) {
        return loam_fail(error, LOAM_TOO_MANY, pointer_below(pointer, "rows", 0).text,
                         "the sample has more than %d patterns of %d x %d", WAVE_TILES_MAX, side,
                         side);
    }
    return fill_model(&reading, arena, model, error);
}
