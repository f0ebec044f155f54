/* SPDX-License-Identifier: MIT
 *
 * content_rules.c: see content_rules.h.
 */
#include "core/content/content_rules.h"

#include "core/base/mix.h"
#include "core/base/pointer.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/schema/schema.h"

#include <stdio.h>

/* What a number may be at most: more than any map has cells. */
enum { QUOTA_MAX = 1 << 22 };
/* Spawns keep away from where one comes in, unless told otherwise. */
enum { SPAWN_DISTANCE = 8 };
/* The key under which names of rules are hashed. */
#define RULE_NAME_KEY 0x72756c652e6e616du

enum {
    RULE_NAME,
    RULE_OBJECT,
    RULE_WHERE,
    RULE_CHANCE,
    RULE_PER_ROOM_MAX,
    RULE_TOTAL_MAX,
    RULE_SPACING,
    RULE_DISTANCE_MIN,
    RULE_BLOCKING,
    RULE_KEY,
    RULE_ROOM,
};
enum { LOCKS_BRIDGES, LOCKS_CONSUMABLE };
enum { CONTENT_RULES, CONTENT_LOCKS, CONTENT_FIELDS };

static const char *const things[] = {"chest",      "trap", "pillar",       "decor",
                                     "stairs",     "key",  "spawn_patrol", "spawn_ambush",
                                     "spawn_nest", NULL};
static const char *const wheres[] = {"room_small", "room_medium", "room_large", "dead_end",
                                     "corner",     "door_side",   "corridor",   "open",
                                     "entrance",   "exit",        "any",        NULL};

static const loam_param_schema rule_fields[] = {
    PARAM("name", "Name", "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0,
          "The rule's own name: its draws go by it."),
    {.key = "object",
     .label = "Object",
     .description = "What is placed.",
     .unit = "",
     .kind = LOAM_PARAM_CHOICE,
     .flags = LOAM_PARAM_REQUIRED,
     .max = RULE_THINGS - 1,
     .step = 1,
     .choices = things},
    PARAM_CHOICE("where", "Where", WHERE_ANY, wheres, WHERE_COUNT, "What kind of cell takes it."),
    PARAM("chance_permille", "Chance", "", INT, 0, 0, 1000, 0, 1000, 10,
          "Of each cell; at entrance, exit and in classes of rooms: of each thing there may be."),
    PARAM("per_room_max", "Most in a room", "", INT, 0, 0, LOAM_UNSET, 1, QUOTA_MAX, 1,
          "At entrance, exit and in classes of rooms 1 unless given, else any number."),
    PARAM("total_max", "Most in all", "", INT, 0, 0, LOAM_UNSET, 1, QUOTA_MAX, 1,
          "On one floor; any number unless given."),
    PARAM("spacing", "Spacing", "", INT, 0, 0, 0, 0, CONTENT_SPACING_MAX, 1,
          "Cells between two of the rule, as the crow flies."),
    PARAM("distance_from_entrance_min", "From the entrance", "", INT, 0, 0, LOAM_UNSET, 0,
          QUOTA_MAX, 1, "Steps from the entrance, at least; 8 for spawns unless given, else 0."),
    PARAM("blocking", "Blocking", "", BOOL, 0, 0, 0, 0, 1, 1, "Its cell cannot be walked."),
    PARAM("key", "Key", "", STRING, 0, 0, LOAM_UNSET, 0, 0, 0, "Of a key: the lock's id."),
    {.key = "room",
     .label = "Room",
     .description = "Only in this room: its name, or its number.",
     .unit = "",
     .kind = LOAM_PARAM_RULES,
     .initial = LOAM_UNSET},
};

static const loam_param_schema locks_fields[] = {
    PARAM("bridges", "Bridges", "", INT, 0, 0, 0, 0, CONTENT_BRIDGES_MAX, 1,
          "So many doors that there is no way around are locked."),
    PARAM("consumable", "Consumable", "", BOOL, 0, 0, 0, 0, 1, 1,
          "One kind of key for all of them; each opens one door, whichever comes first."),
};

static const loam_param_schema content_fields[CONTENT_FIELDS] = {
    {.key = "rules",
     .label = "Rules",
     .description = "In this order, keys before all others and spawns after them.",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .flags = LOAM_PARAM_REQUIRED,
     .items_min = 0,
     .items_max = CONTENT_RULES_MAX,
     .fields = rule_fields,
     .field_count = COUNT_OF(rule_fields)},
    {.key = "locks",
     .label = "Locks",
     .description = "Doors that content locks, beside those of the layout.",
     .unit = "",
     .kind = LOAM_PARAM_RECORD,
     .initial = LOAM_UNSET,
     .fields = locks_fields,
     .field_count = COUNT_OF(locks_fields)},
};

/* What is being read: one rule. */
typedef struct rule_reading {
    const loam_value *fields;
    const char *pointer;
    loam_arena *arena;
    loam_error *error;
} rule_reading;

static loam_status refuse(const rule_reading *reading, const char *field, loam_status status,
                          const char *text) {
    return loam_fail(reading->error, status, pointer_below(reading->pointer, field, 0).text, "%s",
                     text);
}

static int64_t number_or(const loam_value *value, int64_t other) {
    return value->kind == LOAM_VALUE_INTEGER ? value->integer : other;
}

/* A room by its name, or by its number, which is made a text. */
static loam_status read_room(const rule_reading *reading, content_rule *rule) {
    const loam_value *value = &reading->fields[RULE_ROOM];
    if (value->kind != LOAM_VALUE_RULES) {
        return LOAM_OK;
    }
    const loam_rules *room = value->rules;
    rule->in_room = true;
    if (room->kind == LOAM_RULES_TEXT && room->text.size > 0 &&
        room->text.size <= ASSET_NAME_BYTES_MAX) {
        rule->room = room->text;
        return LOAM_OK;
    }
    bool whole = room->kind == LOAM_RULES_NUMBER && room->exponent >= 0 && room->exponent < 31 &&
                 room->mantissa >= 0 && room->mantissa <= INT32_MAX >> room->exponent;
    if (!whole) {
        return refuse(reading, "room", LOAM_WRONG_TYPE, "room is a name or a number");
    }
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)(room->mantissa << room->exponent));
    loam_status status = text_copy(loam_text_of(digits), reading->arena, &rule->room);
    return status == LOAM_OK
               ? LOAM_OK
               : loam_fail(reading->error, status, NULL, "%s", loam_status_text(status));
}

static loam_status check_rule(const rule_reading *reading, const content_rule *rule) {
    if (rule->name.size == 0) {
        return refuse(reading, "name", LOAM_BAD_NAME, "a rule has a name");
    }
    if (rule->thing == LOAM_OBJECT_KEY && rule->key.size == 0) {
        return refuse(reading, "key", LOAM_MISSING_FIELD, "a key says which lock it opens");
    }
    if (rule->thing != LOAM_OBJECT_KEY && rule->key.size > 0) {
        return refuse(reading, "key", LOAM_OUT_OF_RANGE, "only the object key has a lock");
    }
    bool stands = rule->thing == LOAM_OBJECT_KEY || rule->thing == LOAM_OBJECT_STAIRS ||
                  rule->thing == LOAM_OBJECT_TRAP || rule_is_spawn(rule);
    if (stands && rule->blocking) {
        return refuse(reading, "blocking", LOAM_OUT_OF_RANGE,
                      "keys, stairs, traps and spawns are walked on");
    }
    return LOAM_OK;
}

static loam_status read_rule(const rule_reading *reading, content_rule *rule) {
    const loam_value *fields = reading->fields;
    loam_text name = fields[RULE_NAME].text;
    *rule = (content_rule){
        .name = name,
        .hash = mix_bytes(RULE_NAME_KEY, name.bytes, name.size),
        .thing = (uint32_t)fields[RULE_OBJECT].integer,
        .where = (content_where)fields[RULE_WHERE].integer,
        .chance_permille = (uint32_t)fields[RULE_CHANCE].integer,
        .total_max = (uint32_t)number_or(&fields[RULE_TOTAL_MAX], QUOTA_MAX),
        .spacing = (int32_t)fields[RULE_SPACING].integer,
        .blocking = fields[RULE_BLOCKING].integer != 0,
        .key = fields[RULE_KEY].text,
    };
    rule->per_room_max = (uint32_t)number_or(&fields[RULE_PER_ROOM_MAX],
                                             where_is_place(rule->where) ? 1 : QUOTA_MAX);
    rule->distance_min =
        (uint32_t)number_or(&fields[RULE_DISTANCE_MIN], rule_is_spawn(rule) ? SPAWN_DISTANCE : 0);
    LOAM_TRY(read_room(reading, rule));
    return check_rule(reading, rule);
}

/* Two rules of one name would draw the same. */
static loam_status check_names(const content_rule *rules, uint32_t last, const char *pointer,
                               loam_error *error) {
    for (uint32_t i = 0; i < last; i++) {
        if (loam_text_equal(rules[i].name, rules[last].name)) {
            return loam_fail(error, LOAM_DUPLICATE, pointer_below(pointer, "name", 0).text,
                             "two rules have the name %.*s", TEXT_ARGS(rules[i].name));
        }
    }
    return LOAM_OK;
}

loam_status content_rules_read(const loam_rules *document, const char *pointer, loam_arena *arena,
                               content_rules *rules, loam_error *error) {
    const loam_value *values;
    LOAM_TRY(rules_read(document, content_fields, CONTENT_FIELDS, pointer, arena, &values, error));
    const loam_value *list = &values[CONTENT_RULES], *locks = &values[CONTENT_LOCKS];
    content_rule *read = loam_arena_take(arena, list->item_count, sizeof *read);
    loam_text *names = loam_arena_take(arena, list->item_count, sizeof *names);
    LOAM_TRY_MEMORY(read, error);
    LOAM_TRY_MEMORY(names, error);
    *rules = (content_rules){.rules = read, .names = names, .count = list->item_count};
    pointer_text at = pointer_below(pointer, "rules", 0);
    for (uint32_t i = 0; i < list->item_count; i++) {
        pointer_text item = pointer_below(at.text, NULL, i);
        rule_reading reading = {list->items[i].items, item.text, arena, error};
        LOAM_TRY(read_rule(&reading, &read[i]));
        LOAM_TRY(check_names(read, i, item.text, error));
        names[i] = read[i].name;
    }
    if (locks->kind == LOAM_VALUE_LIST) {
        rules->bridges = (uint32_t)locks->items[LOCKS_BRIDGES].integer;
        rules->consumable = locks->items[LOCKS_CONSUMABLE].integer != 0;
    }
    return LOAM_OK;
}

loam_status loam_content_check(const loam_rules *rules, loam_arena *scratch, loam_error *error) {
    size_t mark = loam_arena_mark(scratch);
    content_rules read;
    loam_status status = content_rules_read(rules, "", scratch, &read, error);
    loam_arena_reset(scratch, mark);
    return status;
}
