/* SPDX-License-Identifier: MIT
 *
 * links.c: the order of links, the spanning tree and the order of loops; see links.h.
 */
#include "core/grid/links.h"

#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/grid/key_sort.h"

uint32_t union_root(uint32_t *parents, uint32_t item) {
    while (parents[item] != item) {
        parents[item] = parents[parents[item]];
        item = parents[item];
    }
    return item;
}

bool union_join(uint32_t *parents, uint32_t a, uint32_t b) {
    uint32_t first = union_root(parents, a), second = union_root(parents, b);
    if (first == second) {
        return false;
    }
    if (first < second) {
        parents[second] = first;
    } else {
        parents[first] = second;
    }
    return true;
}

/* The second key first. */
loam_status links_sort(link_list *list, loam_arena *arena, loam_error *error) {
    size_t mark = loam_arena_mark(arena);
    keyed_index *items = loam_arena_take(arena, list->count, sizeof *items);
    keyed_index *spare = loam_arena_take(arena, list->count, sizeof *spare);
    point_link *links = loam_arena_take(arena, list->count, sizeof *links);
    LOAM_TRY_MEMORY(items, error);
    LOAM_TRY_MEMORY(spare, error);
    LOAM_TRY_MEMORY(links, error);
    for (uint32_t i = 0; i < list->count; i++) {
        items[i] = (keyed_index){list->links[i].place, i};
        links[i] = list->links[i];
    }
    key_sort(items, spare, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        items[i].key = (uint64_t)links[items[i].index].length2;
    }
    key_sort(items, spare, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        list->links[i] = links[items[i].index];
    }
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}

loam_status links_tree(const link_list *list, uint32_t point_count, loam_arena *arena,
                       bool *in_tree, loam_error *error) {
    size_t mark = loam_arena_mark(arena);
    uint32_t *parents = loam_arena_take(arena, point_count, sizeof *parents);
    LOAM_TRY_MEMORY(parents, error);
    for (uint32_t i = 0; i < point_count; i++) {
        parents[i] = i;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        in_tree[i] = union_join(parents, list->links[i].a, list->links[i].b);
    }
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}

loam_status links_shuffle(const link_list *list, const bool *in_tree, uint64_t seed,
                          loam_arena *arena, uint32_t **order, uint32_t *count, loam_error *error) {
    *order = loam_arena_take(arena, list->count, sizeof **order);
    LOAM_TRY_MEMORY(*order, error);
    size_t mark = loam_arena_mark(arena);
    keyed_index *items = loam_arena_take(arena, list->count, sizeof *items);
    keyed_index *spare = loam_arena_take(arena, list->count, sizeof *spare);
    LOAM_TRY_MEMORY(items, error);
    LOAM_TRY_MEMORY(spare, error);
    uint32_t left = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!in_tree[i]) {
            uint64_t key = draw_for(seed, STAGE_LOOP, list->links[i].place, 0);
            items[left++] = (keyed_index){draw_at(key, 0), i};
        }
    }
    key_sort(items, spare, left);
    for (uint32_t i = 0; i < left; i++) {
        (*order)[i] = items[i].index;
    }
    *count = left;
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}
