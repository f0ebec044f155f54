/* SPDX-License-Identifier: MIT
 *
 * areas_index.c: the packed tree of boxes over the edges of areas. It only finds: what it gives is
 * tested exactly, so its shape never shows in a result.
 */
#include "core/base/index_sort.h"
#include "core/base/try.h"
#include "core/space/areas_parts.h"

/* Blocks while they are put in order. */
typedef struct block_list {
    area_block *blocks;
    area_box *boxes;
    uint32_t *codes;
    uint32_t count;
} block_list;

static uint32_t ring_block_count(const loam_ring *ring) {
    return (ring->count - 1 + AREA_BLOCK_EDGES - 1) / AREA_BLOCK_EDGES;
}

static uint32_t source_block_count(const loam_areas_source *normal) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < normal->polygon_count; i++) {
        for (uint32_t j = 0; j < normal->polygons[i].ring_count; j++) {
            count += ring_block_count(&normal->polygons[i].rings[j]);
        }
    }
    return count;
}

static area_box block_box(const area_block *block) {
    const int64_t *xz = block->xz;
    area_box box = {xz[0], xz[1], xz[0], xz[1]};
    for (uint32_t i = 1; i <= block->edge_count; i++) {
        box = box_join(box, (area_box){xz[2 * i], xz[2 * i + 1], xz[2 * i], xz[2 * i + 1]});
    }
    return box;
}

static void ring_cut(const loam_ring *ring, uint32_t polygon, block_list *list) {
    uint32_t edge_count = ring->count - 1;
    for (uint32_t at = 0; at < edge_count; at += AREA_BLOCK_EDGES) {
        uint32_t left = edge_count - at;
        area_block block = {.xz = ring->xz + 2 * (size_t)at,
                            .edge_count = left < AREA_BLOCK_EDGES ? left : AREA_BLOCK_EDGES,
                            .polygon = polygon};
        list->blocks[list->count] = block;
        list->boxes[list->count] = block_box(&block);
        list->count++;
    }
}

/* Every second bit of the result, from the low 16 of `value`. */
static uint32_t bits_spread(uint32_t value) {
    value = (value | value << 8) & 0x00ff00ffu;
    value = (value | value << 4) & 0x0f0f0f0fu;
    value = (value | value << 2) & 0x33333333u;
    return (value | value << 1) & 0x55555555u;
}

static void blocks_code(block_list *list) {
    area_box all = list->boxes[0];
    for (uint32_t i = 1; i < list->count; i++) {
        all = box_join(all, list->boxes[i]);
    }
    uint32_t shift = 0;
    while ((all.x1 - all.x0) >> shift > UINT16_MAX || (all.z1 - all.z0) >> shift > UINT16_MAX) {
        shift++;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        const area_box *box = &list->boxes[i];
        uint32_t x = (uint32_t)(((box->x0 + box->x1) / 2 - all.x0) >> shift);
        uint32_t z = (uint32_t)(((box->z0 + box->z1) / 2 - all.z0) >> shift);
        list->codes[i] = bits_spread(x) | bits_spread(z) << 1;
    }
}

static int code_compare(const void *context, uint32_t a, uint32_t b) {
    const uint32_t *codes = context;
    return (codes[a] > codes[b]) - (codes[a] < codes[b]);
}

/* Cuts the rings into blocks and writes them in Morton order. */
static loam_status blocks_write(const loam_areas_source *normal, uint32_t count, area_block *blocks,
                                area_box *boxes, loam_arena *scratch) {
    block_list list = {.blocks = loam_arena_take(scratch, count, sizeof(area_block)),
                       .boxes = loam_arena_take(scratch, count, sizeof(area_box)),
                       .codes = loam_arena_take(scratch, count, sizeof(uint32_t))};
    uint32_t *order = loam_arena_take(scratch, count, sizeof *order);
    uint32_t *spare = loam_arena_take(scratch, count, sizeof *spare);
    if (list.blocks == NULL || list.boxes == NULL || list.codes == NULL || order == NULL ||
        spare == NULL) {
        return LOAM_ARENA_FULL;
    }
    for (uint32_t i = 0; i < normal->polygon_count; i++) {
        for (uint32_t j = 0; j < normal->polygons[i].ring_count; j++) {
            ring_cut(&normal->polygons[i].rings[j], i, &list);
        }
    }
    blocks_code(&list);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    index_sort(order, spare, count, code_compare, list.codes);
    for (uint32_t i = 0; i < count; i++) {
        blocks[i] = list.blocks[order[i]];
        boxes[i] = list.boxes[order[i]];
    }
    return LOAM_OK;
}

static void level_write(const area_box *below, uint32_t below_count, area_box *boxes) {
    for (uint32_t i = 0; i < below_count; i++) {
        area_box *box = &boxes[i / AREA_TREE_FAN];
        *box = i % AREA_TREE_FAN == 0 ? below[i] : box_join(*box, below[i]);
    }
}

loam_status area_tree_build(area_tree *tree, const loam_areas_source *normal, loam_arena *arena) {
    *tree = (area_tree){0};
    uint32_t count = source_block_count(normal);
    if (count == 0) {
        return LOAM_OK;
    }
    area_block *blocks = loam_arena_take(arena, count, sizeof *blocks);
    area_box *boxes = loam_arena_take(arena, count, sizeof *boxes);
    if (blocks == NULL || boxes == NULL) {
        return LOAM_ARENA_FULL;
    }
    size_t mark = loam_arena_mark(arena);
    LOAM_TRY(blocks_write(normal, count, blocks, boxes, arena));
    loam_arena_reset(arena, mark);
    *tree = (area_tree){.blocks = blocks, .boxes = {boxes}, .counts = {count}, .level_count = 1};
    while (count > 1) {
        uint32_t below_count = count;
        count = (count + AREA_TREE_FAN - 1) / AREA_TREE_FAN;
        area_box *level = loam_arena_take(arena, count, sizeof *level);
        if (level == NULL) {
            return LOAM_ARENA_FULL;
        }
        level_write(tree->boxes[tree->level_count - 1], below_count, level);
        tree->boxes[tree->level_count] = level;
        tree->counts[tree->level_count++] = count;
    }
    return LOAM_OK;
}

/* A visit on its way down. */
typedef struct tree_walk {
    const area_tree *tree;
    area_box box;
    area_visit visit;
    void *context;
} tree_walk;

static void walk_down(const tree_walk *walk, uint32_t level, uint32_t index) {
    const area_tree *tree = walk->tree;
    if (!box_meets(&tree->boxes[level][index], &walk->box)) {
        return;
    }
    if (level == 0) {
        walk->visit(walk->context, &tree->blocks[index]);
        return;
    }
    uint32_t end = (index + 1) * AREA_TREE_FAN;
    end = end < tree->counts[level - 1] ? end : tree->counts[level - 1];
    for (uint32_t i = index * AREA_TREE_FAN; i < end; i++) {
        walk_down(walk, level - 1, i);
    }
}

void area_tree_visit(const area_tree *tree, const area_box *box, area_visit visit, void *context) {
    if (tree->level_count > 0) {
        tree_walk walk = {tree, *box, visit, context};
        walk_down(&walk, tree->level_count - 1, 0);
    }
}

_Static_assert((uint64_t)1 << (3 * (AREA_TREE_LEVELS - 1)) >= AREA_VERTICES_MAX,
               "the tree is deep enough for as many blocks as there may be vertices");
