/* SPDX-License-Identifier: MIT
 *
 * fuzz_world_json.c: a world is refused with a fault, or its canonical text is accepted and has the
 * same revision; its cells are squares of their level inside its bounds.
 */
#include "api/wire/document.h"
#include "api/wire/world_document.h"
#include "tests/fuzz/property.h"

#include <stdlib.h>
#include <string.h>

enum { ARENA_WORLD, ARENA_SCRATCH };

static loam_status find_no_graph(void *context, const digest *graph, loam_text *document) {
    (void)context;
    (void)graph;
    (void)document;
    return LOAM_NOT_FOUND;
}

/* Every name is an asset, of the kind that its first letter begins; its digest begins with that
 * letter, so that the canonical text, which names assets by digest, finds the same. */
static loam_status find_asset(void *context, loam_text name, digest *asset, loam_port_kind *kind) {
    (void)context;
    if (!digest_parse(name, asset)) {
        *asset = digest_of(name.bytes, name.size);
        asset->bytes[0] = name.size == 0 ? 0 : (unsigned char)name.bytes[0];
    }
    *kind = asset->bytes[0] == 'a'   ? LOAM_PORT_AREAS
            : asset->bytes[0] == 'h' ? LOAM_PORT_HEIGHTFIELD
            : asset->bytes[0] == 'p' ? LOAM_PORT_POINTS
            : asset->bytes[0] == 'r' ? LOAM_PORT_RULES
                                     : LOAM_PORT_LINES;
    return asset->bytes[0] == '0' ? LOAM_NOT_FOUND : LOAM_OK;
}

static const world_resolver resolver = {find_no_graph, find_asset, NULL, NULL};

static bool read_world(loam_text json, world *to) {
    static fault_list faults;
    fault_clear(&faults);
    loam_status status =
        world_read(json, &resolver, empty_arena(ARENA_WORLD, WORLD_ARENA_BYTES), to, &faults);
    if (status != LOAM_OK) {
        require_faults(status, &faults);
        return false;
    }
    require(faults.count == 0, "an accepted world has no fault");
    return true;
}

static void require_check(const world *of) {
    static fault_list faults;
    fault_clear(&faults);
    loam_status status = world_check(of, empty_arena(ARENA_SCRATCH, GRAPH_ARENA_BYTES), &faults);
    if (status != LOAM_OK) {
        require_faults(status, &faults);
    }
}

static void require_cells(const world *of) {
    for (uint32_t level = 0; level < of->level_count; level++) {
        int64_t side = (int64_t)of->cell_size_m[level] * LOAM_UNITS_PER_METRE;
        for (int64_t x = -2; x <= 2; x++) {
            loam_rect rect = {0};
            loam_error error = {0};
            loam_status status = world_cell(of, level, x, x, &rect, &error);
            if (status != LOAM_OK) {
                require_fault(status, &error);
                continue;
            }
            require(rect.x0 == x * side && rect.x1 == rect.x0 + side && rect.z0 == rect.x0 &&
                        rect.z1 == rect.x1,
                    "a cell is the square of its level at its place");
            require(!of->bounded || (rect.x0 >= of->min_m[0] * LOAM_UNITS_PER_METRE &&
                                     rect.x1 <= of->max_m[0] * LOAM_UNITS_PER_METRE),
                    "a cell lies inside of the bounds");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    world first, again;
    if (!read_world(input_text(bytes, size), &first)) {
        return 0;
    }
    require(first.canonical.size <= JSON_BYTES_MAX, "a canonical text can be sent");
    require_check(&first);
    require_cells(&first);
    digest revision = first.revision;
    size_t text_size = first.canonical.size;
    char *text = malloc(text_size);
    memcpy(text, first.canonical.bytes, text_size);
    require(read_world((loam_text){text, text_size}, &again), "a canonical text is accepted");
    require_equal(again.canonical, (loam_text){text, text_size}, "a canonical text is its own");
    require(digest_equal(&again.revision, &revision), "equal texts are one revision");
    free(text);
    return 0;
}
