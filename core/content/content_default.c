/* SPDX-License-Identifier: MIT
 *
 * content_default.c: content.default/1, and the names of what content is made of. A change of the
 * document is a new one with a new number.
 */
#include "core/loam_dungeon.h"

/* Values as a document has them: an odd mantissa, or 0. */
#define TEXT_VALUE(text_)                                                                          \
    {                                                                                              \
        .kind = LOAM_RULES_TEXT, .text = { text_, sizeof(text_) - 1 }                              \
    }
#define ZEROS_OF(number_) __builtin_ctz((number_) | ((number_) == 0))
#define NUMBER_VALUE(number_)                                                                      \
    {                                                                                              \
        .kind = LOAM_RULES_NUMBER, .mantissa = (number_) >> ZEROS_OF(number_),                     \
        .exponent = ZEROS_OF(number_)                                                              \
    }
#define BOOL_VALUE(bool_)                                                                          \
    { .kind = (bool_) ? LOAM_RULES_TRUE : LOAM_RULES_FALSE }
#define KEY_TEXT(text_)                                                                            \
    { text_, sizeof(text_) - 1 }

/* Name, object, where, chance, most in a room, spacing, blocking. */
#define DEFAULT_RULES(X)                                                                           \
    X("ambush", "spawn_ambush", "corner", 250, 1, 6, 0)                                            \
    X("chest_large", "chest", "room_large", 400, 2, 4, 0)                                          \
    X("chest_small", "chest", "room_small", 700, 1, 0, 0)                                          \
    X("decor", "decor", "corner", 300, 2, 0, 0)                                                    \
    X("nest", "spawn_nest", "room_small", 300, 1, 0, 0)                                            \
    X("patrol_corridor", "spawn_patrol", "corridor", 40, 1, 12, 0)                                 \
    X("patrol_large", "spawn_patrol", "room_large", 600, 1, 0, 0)                                  \
    X("patrol_medium", "spawn_patrol", "room_medium", 400, 1, 0, 0)                                \
    X("pillar", "pillar", "open", 120, 4, 3, 1)                                                    \
    X("stairs", "stairs", "exit", 1000, 1, 0, 0)                                                   \
    X("trap", "trap", "dead_end", 500, 1, 0, 0)

enum { RULE_FIELDS = 7 };

static const loam_text rule_keys[RULE_FIELDS] = {
    KEY_TEXT("blocking"),     KEY_TEXT("chance_permille"), KEY_TEXT("name"),  KEY_TEXT("object"),
    KEY_TEXT("per_room_max"), KEY_TEXT("spacing"),         KEY_TEXT("where"),
};

static const loam_rules rule_values[][RULE_FIELDS] = {
#define DEFAULT_VALUES(name_, object_, where_, chance_, room_, spacing_, blocking_)                \
    {BOOL_VALUE(blocking_), NUMBER_VALUE(chance_),  TEXT_VALUE(name_), TEXT_VALUE(object_),        \
     NUMBER_VALUE(room_),   NUMBER_VALUE(spacing_), TEXT_VALUE(where_)},
    DEFAULT_RULES(DEFAULT_VALUES)
#undef DEFAULT_VALUES
};

enum { RULE_COUNT = sizeof rule_values / sizeof rule_values[0] };

#define DEFAULT_RULE(index_)                                                                       \
    {                                                                                              \
        .kind = LOAM_RULES_OBJECT, .keys = rule_keys, .items = rule_values[index_],                \
        .count = RULE_FIELDS                                                                       \
    }
static const loam_rules rule_list[] = {
    DEFAULT_RULE(0), DEFAULT_RULE(1), DEFAULT_RULE(2),  DEFAULT_RULE(3),
    DEFAULT_RULE(4), DEFAULT_RULE(5), DEFAULT_RULE(6),  DEFAULT_RULE(7),
    DEFAULT_RULE(8), DEFAULT_RULE(9), DEFAULT_RULE(10),
};
_Static_assert(sizeof rule_list / sizeof rule_list[0] == RULE_COUNT, "every rule is in the list");

static const loam_text content_keys[] = {KEY_TEXT("rules")};
static const loam_rules content_values[] = {
    {.kind = LOAM_RULES_LIST, .items = rule_list, .count = RULE_COUNT}};
static const loam_rules content_default = {
    .kind = LOAM_RULES_OBJECT, .keys = content_keys, .items = content_values, .count = 1};

const loam_rules *loam_content_default(void) {
    return &content_default;
}

/* ---- Names ---------------------------------------------------------------------------------- */

const char *loam_object_kind_name(loam_object_kind kind) {
    static const char *const names[LOAM_OBJECT_KINDS] = {"chest", "trap",   "pillar",
                                                         "decor", "stairs", "key"};
    return (unsigned)kind < LOAM_OBJECT_KINDS ? names[kind] : "";
}

const char *loam_spawn_kind_name(loam_spawn_kind kind) {
    static const char *const names[LOAM_SPAWN_KINDS] = {"patrol", "ambush", "nest"};
    return (unsigned)kind < LOAM_SPAWN_KINDS ? names[kind] : "";
}

const char *loam_place_kind_name(loam_place_kind kind) {
    static const char *const names[LOAM_PLACE_KINDS] = {"corridor", "room", "ambush", "nest",
                                                        "boss"};
    return (unsigned)kind < LOAM_PLACE_KINDS ? names[kind] : "";
}

const char *loam_act_name(loam_act act) {
    static const char *const names[LOAM_ACTS] = {"take", "open", "exit"};
    return (unsigned)act < LOAM_ACTS ? names[act] : "";
}
