/* SPDX-License-Identifier: MIT
 *
 * mission.c: see mission.h.
 */
#include "core/layout/mission.h"

#include "core/base/limits.h"
#include "core/base/pointer.h"
#include "core/base/try.h"

#include <string.h>

#define ROOMS_POINTER "/params/mission/rooms"
#define EDGES_POINTER "/params/mission/edges"
#define KEYS_POINTER "/params/mission/keys"

enum { KIND_ANY, KIND_SMALL, KIND_MEDIUM, KIND_LARGE, KIND_BOSS, KIND_ENTRANCE, KINDS };

static const char *const kinds[KINDS + 1] = {"any",  "small",    "medium", "large",
                                             "boss", "entrance", NULL};

/* What a kind is in a layout, and its sides where the room does not say. */
static const struct {
    loam_room_kind kind;
    int32_t side_min, side_max;
} kind_table[KINDS] = {
    [KIND_ANY] = {LOAM_ROOM_SMALL, 5, 10},    [KIND_SMALL] = {LOAM_ROOM_SMALL, 4, 6},
    [KIND_MEDIUM] = {LOAM_ROOM_SMALL, 7, 10}, [KIND_LARGE] = {LOAM_ROOM_SMALL, 11, 14},
    [KIND_BOSS] = {LOAM_ROOM_BOSS, 9, 14},    [KIND_ENTRANCE] = {LOAM_ROOM_ENTRANCE, 5, 8},
};

/* ---- Schema -------------------------------------------------------------------------------- */

#define TEXT_FIELD(key_, label_, flags_, text_)                                                    \
    {                                                                                              \
        .key = key_, .label = label_, .description = text_, .unit = "", .kind = LOAM_PARAM_STRING, \
        .flags = flags_, .initial = 0, .initial_text = ""                                          \
    }

enum { ROOM_ID, ROOM_KIND, ROOM_SIDE_MIN, ROOM_SIDE_MAX, ROOM_FIELDS };

static const loam_param_schema room_fields[ROOM_FIELDS] = {
    TEXT_FIELD("id", "Id", LOAM_PARAM_REQUIRED, "Its name, and what edges call it."),
    PARAM_CHOICE("kind", "Kind", KIND_ANY, kinds, KINDS,
                 "What it is for; small, medium and large are sides where none are given."),
    PARAM("side_min", "Least side", "", INT, 0, 0, LOAM_UNSET, MISSION_SIDE_MIN, MISSION_SIDE_MAX,
          1, "Cells along each side, at least."),
    PARAM("side_max", "Largest side", "", INT, 0, 0, LOAM_UNSET, MISSION_SIDE_MIN, MISSION_SIDE_MAX,
          1, "Cells along each side, at most."),
};

enum { EDGE_A, EDGE_B, EDGE_LOCK, EDGE_FIELDS };

static const loam_param_schema edge_fields[EDGE_FIELDS] = {
    TEXT_FIELD("a", "Room", LOAM_PARAM_REQUIRED, "Where the corridor begins."),
    TEXT_FIELD("b", "Other room", LOAM_PARAM_REQUIRED, "Where it ends."),
    TEXT_FIELD("lock", "Lock", 0, "The key that opens it; empty: it is open."),
};

static const loam_param_schema key_fields[1] = {
    TEXT_FIELD("id", "Id", LOAM_PARAM_REQUIRED, "Its name, and what locks call it."),
};

#define LIST_FIELD(key_, label_, flags_, least_, most_, fields_, text_)                            \
    {                                                                                              \
        .key = key_, .label = label_, .description = text_, .unit = "", .kind = LOAM_PARAM_LIST,   \
        .flags = flags_, .initial = LOAM_UNSET, .items_min = least_, .items_max = most_,           \
        .fields = fields_, .field_count = COUNT_OF(fields_)                                        \
    }

const loam_param_schema mission_fields[MISSION_FIELDS] = {
    LIST_FIELD("rooms", "Rooms", LOAM_PARAM_REQUIRED, 1, MISSION_ROOMS_MAX, room_fields,
               "All rooms; each can be reached from each."),
    LIST_FIELD("edges", "Edges", LOAM_PARAM_REQUIRED, 0, MISSION_EDGES_MAX, edge_fields,
               "Pairs of rooms that a corridor joins; no others are."),
    LIST_FIELD("keys", "Keys", 0, 0, MISSION_KEYS_MAX, key_fields,
               "What locks may ask for. Where a key lies is content."),
};

/* ---- Reading ------------------------------------------------------------------------------- */

static loam_status refuse(loam_error *error, loam_status status, const char *list, uint32_t item,
                          const char *field, const char *text, loam_text name) {
    pointer_text at = pointer_below(list, NULL, item);
    if (field != NULL) {
        at = pointer_below(at.text, field, 0);
    }
    int size = name.size > NAME_BYTES_MAX ? NAME_BYTES_MAX : (int)name.size;
    return loam_fail(error, status, at.text, text, size, name.bytes == NULL ? "" : name.bytes);
}

/* Ids are not empty and no two are the same. */
static loam_status check_ids(const loam_value *list, const char *pointer, loam_error *error) {
    for (uint32_t i = 0; i < list->item_count; i++) {
        loam_text id = list->items[i].items[0].text;
        if (id.size == 0) {
            return refuse(error, LOAM_BAD_NAME, pointer, i, "id", "an id is not empty%.*s", id);
        }
        for (uint32_t j = 0; j < i; j++) {
            if (loam_text_equal(id, list->items[j].items[0].text)) {
                return refuse(error, LOAM_DUPLICATE, pointer, i, "id", "\"%.*s\" is taken", id);
            }
        }
    }
    return LOAM_OK;
}

/* The item of an id, or -1. */
static int32_t find_id(const loam_value *list, loam_text id) {
    for (uint32_t i = 0; i < list->item_count; i++) {
        if (loam_text_equal(id, list->items[i].items[0].text)) {
            return (int32_t)i;
        }
    }
    return -1;
}

static loam_status read_room(const loam_value *fields, uint32_t index, mission_room *room,
                             loam_error *error) {
    int64_t kind = fields[ROOM_KIND].integer;
    bool least = fields[ROOM_SIDE_MIN].kind == LOAM_VALUE_INTEGER;
    bool most = fields[ROOM_SIDE_MAX].kind == LOAM_VALUE_INTEGER;
    *room = (mission_room){fields[ROOM_ID].text, kind_table[kind].kind, kind_table[kind].side_min,
                           kind_table[kind].side_max};
    room->side_min = least ? (int32_t)fields[ROOM_SIDE_MIN].integer : room->side_min;
    room->side_max = most ? (int32_t)fields[ROOM_SIDE_MAX].integer : room->side_max;
    if (room->side_min > room->side_max && least && most) {
        return refuse(error, LOAM_OUT_OF_RANGE, ROOMS_POINTER, index, "side_min",
                      "side_min of \"%.*s\" is above its side_max", room->id);
    }
    if (room->side_min > room->side_max) {
        room->side_min = least ? room->side_min : room->side_max;
        room->side_max = room->side_min;
    }
    return LOAM_OK;
}

static loam_status read_end(const loam_value *rooms, loam_text id, uint32_t edge, const char *field,
                            int32_t *end, loam_error *error) {
    *end = find_id(rooms, id);
    return *end >= 0 ? LOAM_OK
                     : refuse(error, LOAM_UNKNOWN_NODE, EDGES_POINTER, edge, field,
                              "no room has the id \"%.*s\"", id);
}

static loam_status read_edge(const loam_value *document, uint32_t index, room_mission *read,
                             loam_error *error) {
    const loam_value *rooms = &document[MISSION_ROOMS], *keys = &document[MISSION_KEYS];
    const loam_value *fields = document[MISSION_EDGES].items[index].items;
    int32_t *ends = &read->graph.ends[2 * index];
    LOAM_TRY(read_end(rooms, fields[EDGE_A].text, index, "a", &ends[0], error));
    LOAM_TRY(read_end(rooms, fields[EDGE_B].text, index, "b", &ends[1], error));
    if (ends[0] == ends[1]) {
        return refuse(error, LOAM_OUT_OF_RANGE, EDGES_POINTER, index, "b",
                      "an edge joins \"%.*s\" with itself", fields[EDGE_B].text);
    }
    for (uint32_t i = 0; i < index; i++) {
        const int32_t *other = &read->graph.ends[2 * i];
        if ((other[0] == ends[0] && other[1] == ends[1]) ||
            (other[0] == ends[1] && other[1] == ends[0])) {
            return refuse(error, LOAM_DUPLICATE, EDGES_POINTER, index, NULL,
                          "an earlier edge joins the same two rooms%.*s", (loam_text){0});
        }
    }
    read->locks[index] = fields[EDGE_LOCK].text;
    if (read->locks[index].size > 0 && find_id(keys, read->locks[index]) < 0) {
        return refuse(error, LOAM_OUT_OF_RANGE, EDGES_POINTER, index, "lock",
                      "no key has the id \"%.*s\"", read->locks[index]);
    }
    read->degree[ends[0]]++;
    read->degree[ends[1]]++;
    return LOAM_OK;
}

/* ---- What it must be ----------------------------------------------------------------------- */

/* As many passes as the longest way has edges. */
static loam_status check_joined(const room_mission *read, loam_error *error) {
    bool reached[MISSION_ROOMS_MAX] = {true}, more = true;
    while (more) {
        more = false;
        for (int32_t edge = 0; edge < read->graph.edge_count; edge++) {
            int32_t a = read->graph.ends[2 * edge], b = read->graph.ends[2 * edge + 1];
            more |= reached[a] != reached[b];
            reached[a] = reached[b] = reached[a] || reached[b];
        }
    }
    for (int32_t room = 0; room < read->graph.node_count; room++) {
        if (!reached[room]) {
            return refuse(error, LOAM_INFEASIBLE, ROOMS_POINTER, (uint32_t)room, NULL,
                          "no edges lead from the first room to \"%.*s\"", read->rooms[room].id);
        }
    }
    return LOAM_OK;
}

static loam_status check_planar(room_mission *read, loam_error *error) {
    if (planar_embed(&read->graph)) {
        return LOAM_OK;
    }
    int32_t edge = planar_first_fault(&read->graph);
    return refuse(error, LOAM_INFEASIBLE, EDGES_POINTER, (uint32_t)edge, NULL,
                  "this corridor must cross others: the edges up to it cannot be drawn on a plane; "
                  "it begins at \"%.*s\"",
                  read->rooms[read->graph.ends[2 * edge]].id);
}

static loam_status check_ports(room_mission *read, int32_t corridor_width, loam_error *error) {
    for (int32_t i = 0; i < read->graph.node_count; i++) {
        mission_room *room = &read->rooms[i];
        int32_t ports = 4 * mission_ports(room->side_max, corridor_width);
        pointer_text at = pointer_below(ROOMS_POINTER, NULL, (uint32_t)i);
        if (ports < read->degree[i] || ports == 0) {
            return loam_fail(error, LOAM_INFEASIBLE, pointer_below(at.text, "side_max", 0).text,
                             "at most %d corridors of width %d leave a room with sides of %d: %d "
                             "are wanted",
                             ports, corridor_width, room->side_max, read->degree[i]);
        }
        room->side_min = room->side_min < corridor_width ? corridor_width : room->side_min;
    }
    return LOAM_OK;
}

loam_status mission_read(const loam_value *value, int32_t corridor_width, room_mission *read,
                         loam_error *error) {
    const loam_value *document = value->items;
    memset(read, 0, sizeof *read);
    LOAM_TRY(check_ids(&document[MISSION_ROOMS], ROOMS_POINTER, error));
    LOAM_TRY(check_ids(&document[MISSION_KEYS], KEYS_POINTER, error));
    read->graph.node_count = (int32_t)document[MISSION_ROOMS].item_count;
    read->graph.edge_count = (int32_t)document[MISSION_EDGES].item_count;
    for (uint32_t i = 0; i < document[MISSION_ROOMS].item_count; i++) {
        LOAM_TRY(read_room(document[MISSION_ROOMS].items[i].items, i, &read->rooms[i], error));
    }
    for (uint32_t i = 0; i < document[MISSION_EDGES].item_count; i++) {
        LOAM_TRY(read_edge(document, i, read, error));
    }
    LOAM_TRY(check_planar(read, error));
    LOAM_TRY(check_joined(read, error));
    return check_ports(read, corridor_width, error);
}
