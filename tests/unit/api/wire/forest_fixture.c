/* SPDX-License-Identifier: MIT
 *
 * forest_fixture.c: see forest_fixture.h.
 */
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOREST                                                                                     \
    "{ \"loam_graph\": 1,\n"                                                                       \
    "  \"slots\": { \"terrain\": \"heightfield\", \"village\": \"areas\" },\n"                     \
    "  \"nodes\": {\n"                                                                             \
    "    \"sites\":  { \"op\": \"surface.sample\", \"in\": { \"surface\": \"$terrain\" },"         \
    " \"params\": { \"spacing_m\": 0.6 } },\n"                                                     \
    "    \"gentle\": { \"op\": \"filter.slope\", \"in\": { \"points\": \"sites\" },"               \
    " \"params\": { \"max_deg\": 25 } },\n"                                                        \
    "    \"band\":   { \"op\": \"filter.height\", \"in\": { \"points\": \"gentle\" },"             \
    " \"params\": { \"min_m\": 20, \"max_m\": 420 } },\n"                                          \
    "    \"field\":  { \"op\": \"density.noise\", \"in\": { \"points\": \"band\" },"               \
    " \"params\": { \"wavelength_m\": 96, \"octaves\": 2, \"contrast\": 1.6 } },\n"                \
    "    \"drawn\":  { \"op\": \"density.cull\", \"in\": { \"points\": \"field\" } },\n"           \
    "    \"spaced\": { \"op\": \"self.prune\", \"in\": { \"points\": \"drawn\" },"                 \
    " \"params\": { \"radius_m\": 1.2 } },\n"                                                      \
    "    \"kept\":   { \"op\": \"zone.exclude\", \"in\": { \"points\": \"spaced\","                \
    " \"zones\": \"$village\" } },\n"                                                              \
    "    \"trees\":  { \"op\": \"transform.scatter\", \"in\": { \"points\": \"kept\" },"           \
    " \"params\": { \"scale_min\": 0.8, \"scale_max\": 1.6, \"yaw\": \"random\","                  \
    " \"tilt_max_deg\": 6, \"asset\": \"pine\" } } },\n"                                           \
    "  \"parameters\": { \"spacing_m\": { \"node\": \"sites\", \"key\": \"spacing_m\" } },\n"      \
    "  \"outputs\": { \"trees\": { \"node\": \"trees\", \"level\": 0 } } }"

const char forest_graph[] = FOREST;
const char forest_world[] =
    "{ \"seed\": \"42\", \"graph\": " FOREST ",\n"
    "  \"slots\": { \"terrain\": \"hills\", \"village\": \"houses\" },\n"
    "  \"grid\": { \"levels\": [ { \"cell_size_m\": 256 }, { \"cell_size_m\": 64 } ],"
    " \"bounds_m\": { \"min\": [-512, 0], \"max\": [8192, 8192] } } }";

enum { COPIES_MAX = 64 };
static char *copies[COPIES_MAX];
static size_t copy_count;
static unsigned char *memory;
static loam_arena arena;
static fault_list faults;

char *forest_with(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    cr_assert_not_null(at, "nothing to replace: %s", from);
    cr_assert_lt(copy_count, COPIES_MAX);
    size_t size = strlen(text) + strlen(to) + 1;
    char *copy = malloc(size);
    snprintf(copy, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    copies[copy_count++] = copy;
    return copy;
}

loam_arena *forest_arena(void) {
    if (memory == NULL) {
        memory = malloc(WORLD_ARENA_BYTES);
    }
    loam_arena_init(&arena, memory, WORLD_ARENA_BYTES);
    return &arena;
}

fault_list *forest_faults(void) {
    fault_clear(&faults);
    return &faults;
}

void forest_fini(void) {
    while (copy_count > 0) {
        free(copies[--copy_count]);
    }
    free(memory);
    memory = NULL;
}

bool forest_has_fault(loam_status status, const char *pointer) {
    for (uint32_t i = 0; i < fault_kept(&faults); i++) {
        const loam_error *fault = &faults.items[i];
        if (fault->status == status && strcmp(fault->pointer, pointer) == 0) {
            return true;
        }
    }
    for (uint32_t i = 0; i < fault_kept(&faults); i++) {
        const loam_error *fault = &faults.items[i];
        fprintf(stderr, "  %s at %s: %s\n", loam_status_code(fault->status), fault->pointer,
                fault->text);
    }
    return false;
}

const loam_error *forest_fault(void) {
    return &faults.items[0];
}

uint32_t forest_fault_count(void) {
    return faults.count;
}

static const struct {
    const char *name;
    loam_port_kind kind;
} assets[] = {
    {"hills", LOAM_PORT_HEIGHTFIELD}, {"houses", LOAM_PORT_AREAS}, {"gates", LOAM_PORT_POINTS}};

static loam_status find_asset(void *context, loam_text name, digest *id, loam_port_kind *kind) {
    (void)context;
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++) {
        digest known = digest_of(assets[i].name, strlen(assets[i].name));
        digest asked;
        if (loam_text_equal(name, loam_text_of(assets[i].name)) ||
            (digest_parse(name, &asked) && digest_equal(&asked, &known))) {
            *id = known;
            *kind = assets[i].kind;
            return LOAM_OK;
        }
    }
    return LOAM_NOT_FOUND;
}

/* The stored graph is the canonical text of the forest. */
static loam_status find_graph(void *context, const digest *id, loam_text *document) {
    static unsigned char stored_memory[1 << 20];
    static char stored_text[1 << 14];
    static fault_list none;
    loam_arena stored;
    graph_document document_of;
    text_buffer buffer;
    (void)context;
    loam_arena_init(&stored, stored_memory, sizeof stored_memory);
    cr_assert_eq(graph_read(loam_text_of(forest_graph), NULL, &stored, &document_of, &none),
                 LOAM_OK);
    buffer_init(&buffer, sizeof stored_text);
    cr_assert_eq(graph_write(&document_of, &buffer), LOAM_OK);
    memcpy(stored_text, buffer.bytes, buffer.size);
    *document = (loam_text){stored_text, buffer.size};
    buffer_fini(&buffer);
    digest known = graph_digest(*document);
    return digest_equal(&known, id) ? LOAM_OK : LOAM_NOT_FOUND;
}

const world_resolver forest_resolver = {.find_graph = find_graph, .find_asset = find_asset};

void forest_read_world(const char *json, world *to) {
    loam_status status =
        world_read(loam_text_of(json), &forest_resolver, forest_arena(), to, forest_faults());
    cr_assert_eq(status, LOAM_OK, "%s at %s: %s", loam_status_code(status), faults.items[0].pointer,
                 faults.items[0].text);
}
