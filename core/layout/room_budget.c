/* SPDX-License-Identifier: MIT
 *
 * room_budget.c: see room_budget.h.
 */
#include "core/layout/room_budget.h"

room_plan_sizes room_sizes(int64_t rooms, int32_t corridor_width) {
    uint32_t most = (uint32_t)rooms + PLACE_EXTRA;
    return (room_plan_sizes){
        .rooms = most, .edges = most * LINKS_A_ROOM, .corridor_width = corridor_width};
}

uint64_t room_steps(layout_size size, uint32_t rooms) {
    return place_steps(size, rooms) + room_plan_steps(size, room_links_joins(rooms));
}

uint64_t room_bytes(layout_size size, room_plan_sizes sizes) {
    return place_bytes(size, sizes.rooms) + room_plan_bytes(size, sizes) +
           room_links_bytes(sizes.rooms);
}
