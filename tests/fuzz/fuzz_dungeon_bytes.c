/* SPDX-License-Identifier: MIT
 *
 * fuzz_dungeon_bytes.c: bytes of a dungeon are refused with an error, or decode to one that encodes
 * to the same bytes, whose places and indices all lie in it.
 */
#include "core/loam_dungeon.h"
#include "tests/fuzz/property.h"

enum { ARENA_DUNGEON };

/* An input of some 100 KB; what is made of it again takes some 30 times as much. */
#define DUNGEON_BYTES ((size_t)32 << 20)

static void require_tiles(const loam_dungeon_floor *floor) {
    size_t cells = (size_t)floor->layout.width * (size_t)floor->layout.height;
    uint64_t instances = 0, doors = 0, without = 0;
    for (size_t i = 0; i < cells; i++) {
        uint16_t tile = floor->assembly.grid[i];
        require(tile == LOAM_TILE_NONE || tile < floor->assembly.tile_count,
                "a cell's tile is one");
        without += tile == LOAM_TILE_NONE;
        doors += tile != LOAM_TILE_NONE && floor->assembly.tiles[tile].kind == LOAM_TILE_DOOR;
    }
    for (uint32_t i = 0; i < floor->assembly.batch_count; i++) {
        instances += floor->assembly.batches[i].instance_count;
    }
    require(instances + doors + without == cells, "batches hold every floor and wall once");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    loam_dungeon dungeon;
    loam_error error = {0};
    loam_arena *arena = empty_arena(ARENA_DUNGEON, DUNGEON_BYTES);
    loam_status status = loam_dungeon_decode(bytes, size, arena, &dungeon, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
        return 0;
    }
    wanted_bytes want = {input_text(bytes, size), "a dungeon has one spelling"};
    loam_dungeon_encode(&dungeon, wanted_sink(&want));
    require(want.left.size == 0, "a dungeon is written whole");
    for (uint32_t i = 0; i < dungeon.floor_count; i++) {
        require_tiles(&dungeon.floors[i]);
    }
    return 0;
}
