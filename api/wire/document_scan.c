/* SPDX-License-Identifier: MIT
 *
 * document_scan.c: counts nesting and values of JSON in one pass over the bytes, in constant
 * memory. It checks nothing else: on text that is no JSON the counts mean little, and the parser,
 * which comes next, stops at the first fault.
 */
#include "api/wire/document.h"

#include <string.h>

_Static_assert(JSON_DEPTH_MAX <= 64, "a bit for every depth");

typedef struct scan {
    const char *at;
    const char *end;
    uint64_t objects; /* a bit for every depth: the container is an object, not an array */
    size_t depth;
    bool key_next; /* the next string is the name of a field */
    json_extent extent;
} scan;

static void skip_string(scan *state) {
    state->at++;
    while (state->at < state->end && *state->at != '"') {
        state->at += *state->at == '\\' && state->end - state->at > 1 ? 2 : 1;
    }
    state->at += state->at < state->end;
}

/* Numbers and literals: up to the next byte that ends one. */
static void skip_word(scan *state) {
    do {
        state->at++;
    } while (state->at < state->end && strchr(" \t\r\n,:{}[]\"", *state->at) == NULL);
}

static void enter(scan *state, bool object) {
    uint64_t bit = (uint64_t)1 << (state->depth & 63);
    state->objects = object ? state->objects | bit : state->objects & ~bit;
    state->depth++;
    state->key_next = object;
    state->extent.values++;
    state->extent.depth = state->depth > state->extent.depth ? state->depth : state->extent.depth;
    state->at++;
}

static bool in_object(const scan *state) {
    return state->depth > 0 && (state->objects >> ((state->depth - 1) & 63) & 1) != 0;
}

static void step(scan *state) {
    switch (*state->at) {
    case '{':
    case '[':
        enter(state, *state->at == '{');
        break;
    case '}':
    case ']':
        state->depth -= state->depth > 0;
        state->at++;
        break;
    case ',':
    case ':':
        state->key_next = *state->at == ',' && in_object(state);
        state->at++;
        break;
    case '"':
        state->extent.values += !state->key_next;
        skip_string(state);
        break;
    case ' ':
    case '\t':
    case '\r':
    case '\n':
        state->at++;
        break;
    default:
        state->extent.values++;
        skip_word(state);
    }
}

json_extent json_scan(loam_text json, size_t depth_max, size_t values_max) {
    scan state = {.at = json.bytes, .end = json.bytes + json.size};
    while (state.at < state.end && state.extent.depth <= depth_max &&
           state.extent.values <= values_max) {
        step(&state);
    }
    return state.extent;
}
