/* SPDX-License-Identifier: MIT
 *
 * test_view_content_json.c: what is in a dungeon as JSON: keys and traps in lists of their own,
 * names where the document gives indices, floors under "floors" where there are several, and spawns
 * with what their kind has.
 */
#include "api/view/view_content_json.h"

#include <criterion/criterion.h>
#include <jansson.h>

static const uint32_t lock_doors[] = {2, 5};
static const loam_spot route[] = {{1, 1}, {2, 1}};

/* Everything that content can have, once. */
static loam_content_floor floor_of(uint32_t number) {
    static loam_object objects[4];
    static loam_spawn spawns[3];
    static loam_lock locks[1];
    static loam_walk_step walk[3];
    static loam_dropped_rule dropped[1];
    objects[0] = (loam_object){.kind = LOAM_OBJECT_CHEST, .at = {3, 4}, .room = 1, .rule = 0};
    objects[1] = (loam_object){.kind = LOAM_OBJECT_KEY,
                               .at = {5, 4},
                               .room = LOAM_ROOM_NONE,
                               .rule = LOAM_RULE_NONE,
                               .key = loam_text_of("gold")};
    objects[2] = (loam_object){.kind = LOAM_OBJECT_TRAP, .at = {6, 4}, .rule = 1};
    objects[3] =
        (loam_object){.kind = LOAM_OBJECT_PILLAR, .at = {7, 4}, .rule = 1, .blocking = true};
    locks[0] = (loam_lock){loam_text_of("gold"), true, lock_doors, 2};
    walk[0] = (loam_walk_step){LOAM_ACT_TAKE, {5, 4}, 0, 9, true};
    walk[1] = (loam_walk_step){LOAM_ACT_OPEN, {8, 4}, 0, 3, true};
    walk[2] = (loam_walk_step){LOAM_ACT_EXIT, {9, 9}, 0, 6, true};
    dropped[0] = (loam_dropped_rule){1, {loam_text_of("no-place"), loam_text_of("nowhere")}};
    spawns[0] = (loam_spawn){.id = number * 65536,
                             .kind = LOAM_SPAWN_PATROL,
                             .place = LOAM_PLACE_ROOM,
                             .at = {1, 1},
                             .route = route,
                             .route_count = 2,
                             .guards = {-1, -1}};
    spawns[1] = (loam_spawn){.id = number * 65536 + 1,
                             .kind = LOAM_SPAWN_AMBUSH,
                             .place = LOAM_PLACE_AMBUSH,
                             .at = {2, 2},
                             .room = LOAM_ROOM_NONE,
                             .guards = {3, 2}};
    spawns[2] = (loam_spawn){.id = number * 65536 + 2,
                             .kind = LOAM_SPAWN_NEST,
                             .place = LOAM_PLACE_NEST,
                             .at = {4, 4},
                             .rule = 7,
                             .guards = {-1, -1},
                             .capacity = 4,
                             .interval_s = 30};
    return (loam_content_floor){.number = number,
                                .width = 10,
                                .height = 10,
                                .objects = objects,
                                .object_count = 4,
                                .spawns = spawns,
                                .spawn_count = 3,
                                .locks = locks,
                                .lock_count = 1,
                                .walk = walk,
                                .walk_count = 3,
                                .dropped = dropped,
                                .dropped_count = 1,
                                .metrics = {.solvable = 1, .keys = 1}};
}

static const loam_text *rule_names(void) {
    static loam_text names[2];
    names[0] = loam_text_of("chests");
    names[1] = loam_text_of("traps");
    return names;
}

static json_t *parse(text_buffer *text, loam_status status) {
    cr_assert_eq(status, LOAM_OK);
    json_t *root = json_loadb(text->bytes, text->size, 0, NULL);
    buffer_fini(text);
    cr_assert_not_null(root);
    return root;
}

static json_t *whole(const loam_content *content) {
    static const content_keys keys = {.rules = {{1}}, .content = {{2}}};
    text_buffer text;
    buffer_init(&text, 1 << 16);
    loam_status status = view_content_json(content, &keys, &text);
    return parse(&text, status);
}

static json_t *spawns_of(const loam_content *content) {
    text_buffer text;
    buffer_init(&text, 1 << 16);
    loam_status status = view_spawns_json(content, &text);
    return parse(&text, status);
}

static const json_t *first(const json_t *object, const char *list) {
    return json_array_get(json_object_get(object, list), 0);
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static json_int_t number_of(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

Test(view_content_json, each_thing_stands_in_one_list_with_its_rule_and_room) {
    loam_content_floor floor = floor_of(0);
    loam_content content = {rule_names(), 2, &floor, 1};
    json_t *root = whole(&content);
    cr_expect_eq(json_array_size(json_object_get(root, "objects")), 2);
    cr_expect_eq(json_array_size(json_object_get(root, "keys")), 1);
    cr_expect_eq(json_array_size(json_object_get(root, "traps")), 1);
    cr_expect_str_eq(text_of(first(root, "objects"), "kind"), "chest");
    cr_expect_str_eq(text_of(first(root, "objects"), "rule"), "chests");
    cr_expect_eq(number_of(first(root, "objects"), "room"), 1);
    cr_expect_null(json_object_get(first(root, "objects"), "lock"));
    cr_expect_str_eq(text_of(first(root, "keys"), "lock"), "gold");
    cr_expect(json_is_null(json_object_get(first(root, "keys"), "rule")));
    cr_expect(json_is_null(json_object_get(first(root, "keys"), "room")));
    cr_expect_str_eq(text_of(first(root, "traps"), "rule"), "traps");
    json_decref(root);
}

Test(view_content_json, locks_the_way_through_and_what_was_dropped_are_told) {
    loam_content_floor floor = floor_of(0);
    loam_content content = {rule_names(), 2, &floor, 1};
    json_t *root = whole(&content);
    const json_t *walk = json_object_get(root, "walkthrough");
    const json_t *validation = json_object_get(root, "validation");
    cr_expect(json_is_true(json_object_get(first(root, "locks"), "consumable")));
    cr_expect_eq(json_array_size(json_object_get(first(root, "locks"), "doors")), 2);
    cr_assert_eq(json_array_size(walk), 3);
    cr_expect_str_eq(text_of(json_array_get(walk, 0), "act"), "take");
    cr_expect_str_eq(text_of(json_array_get(walk, 1), "lock"), "gold");
    cr_expect_null(json_object_get(json_array_get(walk, 2), "lock"));
    cr_expect_eq(number_of(json_array_get(walk, 2), "steps"), 6);
    cr_expect(json_is_true(json_object_get(validation, "solvable")));
    cr_expect_str_eq(text_of(first(validation, "dropped"), "code"), "no-place");
    cr_expect_eq(number_of(json_object_get(root, "metrics"), "keys"), 1);
    json_decref(root);
}

Test(view_content_json, several_floors_stand_under_floors) {
    loam_content_floor floors[] = {floor_of(0), floor_of(1)};
    loam_content content = {rule_names(), 2, floors, 2};
    json_t *root = whole(&content);
    const json_t *list = json_object_get(root, "floors");
    cr_expect_null(json_object_get(root, "objects"));
    cr_assert_eq(json_array_size(list), 2);
    cr_expect_eq(number_of(json_array_get(list, 1), "floor"), 1);
    cr_expect_eq(json_array_size(json_object_get(json_array_get(list, 1), "objects")), 2);
    json_decref(root);
}

Test(view_content_json, a_spawn_has_what_its_kind_has_and_no_more) {
    loam_content_floor floor = floor_of(0);
    loam_content content = {rule_names(), 2, &floor, 1};
    json_t *root = spawns_of(&content);
    const json_t *patrol = json_array_get(root, 0), *ambush = json_array_get(root, 1);
    const json_t *nest = json_array_get(root, 2);
    cr_expect_str_eq(text_of(patrol, "id"), "0");
    cr_expect_eq(json_array_size(json_object_get(patrol, "route")), 2);
    cr_expect_null(json_object_get(patrol, "floor"));
    cr_expect_null(json_object_get(patrol, "guards"));
    cr_expect_str_eq(text_of(ambush, "place"), "ambush");
    cr_expect_not_null(json_object_get(ambush, "guards"));
    cr_expect_null(json_object_get(ambush, "route"));
    cr_expect_eq(number_of(nest, "capacity"), 4);
    cr_expect_eq(number_of(nest, "interval_s"), 30);
    cr_expect(json_is_null(json_object_get(nest, "rule")), "a rule that is not in the list");
    json_decref(root);
}

Test(view_content_json, spawns_of_several_floors_say_which) {
    loam_content_floor floors[] = {floor_of(0), floor_of(1)};
    loam_content content = {rule_names(), 2, floors, 2};
    json_t *root = spawns_of(&content);
    cr_assert_eq(json_array_size(root), 6);
    cr_expect_eq(number_of(json_array_get(root, 0), "floor"), 0);
    json_decref(root);
}

Test(view_content_json, nothing_is_empty_lists) {
    loam_content_floor floor = {.number = 0, .width = 8, .height = 8};
    loam_content content = {NULL, 0, &floor, 1};
    json_t *root = whole(&content), *spawns = spawns_of(&content);
    cr_expect_eq(json_array_size(json_object_get(root, "objects")), 0);
    cr_expect(json_is_array(json_object_get(root, "walkthrough")));
    cr_expect_eq(json_array_size(spawns), 0);
    json_decref(spawns);
    json_decref(root);
}

Test(view_content_json, a_text_that_is_too_large_is_told) {
    static const content_keys keys = {{{0}}, {{0}}, {{0}}, {{0}}};
    loam_content_floor floor = floor_of(0);
    loam_content content = {rule_names(), 2, &floor, 1};
    text_buffer text;
    buffer_init(&text, 100);
    cr_expect_neq(view_content_json(&content, &keys, &text), LOAM_OK);
    buffer_fini(&text);
    buffer_init(&text, 100);
    cr_expect_neq(view_spawns_json(&content, &text), LOAM_OK);
    buffer_fini(&text);
}
