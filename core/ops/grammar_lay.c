/* SPDX-License-Identifier: MIT
 *
 * grammar_lay.c: lays a grammar's modules out along a length. An element is laid out only where the
 * shortest that it can be fits beside the shortest of all that must follow; then it cannot fail, so
 * nothing is ever taken back. A choice is drawn among those of its alternatives that fit.
 */
#include "core/base/mix.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/ops/grammar.h"

static int64_t length_add(int64_t a, int64_t b) {
    return a > GRAMMAR_LENGTH_MAX - b ? GRAMMAR_LENGTH_MAX : a + b;
}

static int64_t length_times(int64_t length, uint32_t count) {
    return count > 0 && length > GRAMMAR_LENGTH_MAX / count ? GRAMMAR_LENGTH_MAX : length * count;
}

/* ---- What it is made of --------------------------------------------------------------------- */

static loam_status resolve_module(grammar_element *element, const grammar_module *modules,
                                  uint32_t module_count, const char *pointer, loam_error *error) {
    for (uint32_t i = 0; i < module_count; i++) {
        if (loam_text_equal(modules[i].symbol, element->symbol)) {
            element->module = i;
            element->least = modules[i].length;
            return LOAM_OK;
        }
    }
    return loam_fail(error, LOAM_NOT_FOUND, pointer, "byte %u of the grammar: no module is %.*s",
                     element->at, TEXT_ARGS(element->symbol));
}

/* The shortest of an element whose children have theirs. */
static int64_t least_of(const grammar *of, const grammar_element *element) {
    const grammar_element *elements = of->elements;
    if (element->kind == GRAMMAR_REPEAT) {
        return length_times(elements[element->child].least, element->count);
    }
    int64_t sum = 0, least = GRAMMAR_LENGTH_MAX;
    for (uint32_t c = element->child; c != GRAMMAR_NONE; c = elements[c].next) {
        sum = length_add(sum, elements[c].least);
        least = elements[c].least < least ? elements[c].least : least;
    }
    return element->kind == GRAMMAR_SEQUENCE ? sum : least;
}

static loam_status resolve_element(grammar *of, uint32_t index, const grammar_module *modules,
                                   uint32_t module_count, const char *pointer, loam_error *error) {
    grammar_element *element = &of->elements[index];
    if (element->kind == GRAMMAR_MODULE) {
        return resolve_module(element, modules, module_count, pointer, error);
    }
    for (uint32_t c = element->child; c != GRAMMAR_NONE; c = of->elements[c].next) {
        LOAM_TRY(resolve_element(of, c, modules, module_count, pointer, error));
    }
    element->least = least_of(of, element);
    if (element->open && of->elements[element->child].least == 0) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer,
                         "byte %u of the grammar: what repeats as often as it fits must have a "
                         "length",
                         element->at);
    }
    return LOAM_OK;
}

loam_status grammar_resolve(grammar *of, const grammar_module *modules, uint32_t module_count,
                            const char *pointer, loam_error *error) {
    return resolve_element(of, of->root, modules, module_count, pointer, error);
}

/* ---- Laying out ----------------------------------------------------------------------------- */

typedef struct grammar_state {
    const grammar_layout *layout;
    int64_t used;
    uint32_t count;
    uint32_t choices;
    uint32_t steps;
    bool incomplete; /* the length is too short for all that must be there */
    bool ended;      /* a module did not fit, or there is no room for more */
    loam_status status;
} grammar_state;

/* What is left when what must follow has its own; an incomplete row leaves nothing for it. */
static int64_t room_of(const grammar_state *state, int64_t follow) {
    return state->layout->length - state->used - (state->incomplete ? 0 : follow);
}

static void place_module(grammar_state *state, const grammar_element *element) {
    int64_t length = state->layout->modules[element->module].length;
    if (length > state->layout->length - state->used) {
        state->ended = true;
        return;
    }
    if (state->count == GRAMMAR_PLACED_MAX) {
        state->ended = true;
        state->status = LOAM_TOO_MANY;
        return;
    }
    state->layout->placed[state->count++] = (grammar_placed){element->module, state->used};
    state->used += length;
}

static uint32_t draw_choice(grammar_state *state) {
    uint64_t origin = mix_pair(state->layout->line_key, state->choices++);
    return draw_bits(draw_row_key(state->layout->choice_key, (uint32_t)(origin >> 32)),
                     (uint32_t)origin);
}

/* The drawn one of the alternatives that fit; of all when none does. */
static uint32_t choose(grammar_state *state, const grammar_element *element, int64_t room) {
    const grammar_element *elements = state->layout->of->elements;
    uint64_t total = 0;
    for (uint32_t c = element->child; c != GRAMMAR_NONE; c = elements[c].next) {
        total += elements[c].least <= room ? elements[c].weight : 0;
    }
    if (total == 0) {
        return choose(state, element, GRAMMAR_LENGTH_MAX);
    }
    uint64_t share = (draw_choice(state) * total) >> 32;
    uint32_t chosen = element->child;
    for (uint32_t c = element->child; c != GRAMMAR_NONE; c = elements[c].next) {
        uint64_t weight = elements[c].least <= room ? elements[c].weight : 0;
        if (share < weight) {
            chosen = c;
            break;
        }
        share -= weight;
    }
    return chosen;
}

/* The first alternative that fits, else the last. */
static uint32_t prefer(const grammar_state *state, const grammar_element *element, int64_t room) {
    const grammar_element *elements = state->layout->of->elements;
    uint32_t chosen = element->child;
    while (elements[chosen].least > room && elements[chosen].next != GRAMMAR_NONE) {
        chosen = elements[chosen].next;
    }
    return chosen;
}

static void lay_element(grammar_state *state, uint32_t index, int64_t follow);

static void lay_sequence(grammar_state *state, const grammar_element *element, int64_t follow) {
    const grammar_element *elements = state->layout->of->elements;
    for (uint32_t c = element->child; c != GRAMMAR_NONE && !state->ended; c = elements[c].next) {
        int64_t after = follow;
        for (uint32_t n = elements[c].next; n != GRAMMAR_NONE; n = elements[n].next) {
            after = length_add(after, elements[n].least);
        }
        lay_element(state, c, after);
    }
}

static void lay_repeat(grammar_state *state, const grammar_element *element, int64_t follow) {
    int64_t least = state->layout->of->elements[element->child].least;
    for (uint32_t i = 0; i < element->count && !state->ended; i++) {
        int64_t after = length_add(follow, length_times(least, element->count - 1 - i));
        lay_element(state, element->child, after);
    }
    while (element->open && !state->ended &&
           least <= state->layout->length - state->used - follow) {
        lay_element(state, element->child, follow);
    }
}

static void lay_element(grammar_state *state, uint32_t index, int64_t follow) {
    const grammar_element *element = &state->layout->of->elements[index];
    if (++state->steps > GRAMMAR_STEPS_MAX) {
        state->ended = true;
        state->status = LOAM_TOO_MANY;
        return;
    }
    switch (element->kind) {
    case GRAMMAR_MODULE:
        place_module(state, element);
        return;
    case GRAMMAR_SEQUENCE:
        lay_sequence(state, element, follow);
        return;
    case GRAMMAR_CHOICE:
        lay_element(state, choose(state, element, room_of(state, follow)), follow);
        return;
    case GRAMMAR_PRIORITY:
        lay_element(state, prefer(state, element, room_of(state, follow)), follow);
        return;
    case GRAMMAR_REPEAT:
        lay_repeat(state, element, follow);
        return;
    }
}

loam_status grammar_lay_out(const grammar_layout *layout, uint32_t *count) {
    grammar_state state = {.layout = layout};
    state.incomplete = layout->of->elements[layout->of->root].least > layout->length;
    *count = 0;
    if (state.incomplete && !layout->accept_incomplete) {
        return LOAM_OK;
    }
    lay_element(&state, layout->of->root, 0);
    *count = state.count;
    return state.status;
}
