/* SPDX-License-Identifier: MIT
 *
 * test_schema_write.c: the tables as documents, complete and in the form of the contract.
 */
#include "api/wire/schema_write.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

static text_buffer buffer;
static json_t *root;

static void init(void) {
    buffer_init(&buffer, 1 << 20);
}

static void fini(void) {
    buffer_fini(&buffer);
    json_decref(root);
    root = NULL;
}

TestSuite(schema_write, .init = init, .fini = fini);

static json_t *parse(void) {
    cr_assert_eq(buffer_status(&buffer), LOAM_OK);
    json_error_t fault;
    root = json_loadb(buffer.bytes, buffer.size, JSON_REJECT_DUPLICATES, &fault);
    cr_assert_not_null(root, "%s", fault.text);
    return root;
}

static json_t *find(json_t *list, const char *key, const char *value) {
    size_t index;
    json_t *each;
    json_array_foreach(list, index, each) {
        const char *text = json_string_value(json_object_get(each, key));
        if (text != NULL && strcmp(text, value) == 0) {
            return each;
        }
    }
    return NULL;
}

Test(schema_write, every_operation_is_listed_once) {
    operations_write(&buffer);
    json_t *list = json_object_get(parse(), "operations");
    static const char *const names[] = {"surface.sample", "grid.sample",      "filter.slope",
                                        "filter.height",  "filter.density",   "density.noise",
                                        "density.cull",   "self.prune",       "zone.exclude",
                                        "merge",          "transform.scatter"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_assert_not_null(find(list, "name", names[i]), "%s", names[i]);
    }
    cr_assert_leq(json_array_size(list), loam_operation_count() + 1, "and subgraph");
}

Test(schema_write, an_operation_has_all_fields_of_the_contract) {
    cr_assert_eq(operation_write(loam_text_of("self.prune"), &buffer), LOAM_OK);
    json_t *operation = parse();
    static const char *const fields[] = {"name",  "version",     "versions", "category",
                                         "title", "description", "ports",    "params",
                                         "reach", "gives",       "sided"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        cr_assert_not_null(json_object_get(operation, fields[i]), "%s", fields[i]);
    }
    json_t *port = json_array_get(json_object_get(operation, "ports"), 0);
    cr_assert_str_eq(json_string_value(json_array_get(json_object_get(port, "accepts"), 0)),
                     "points");
    cr_assert_str_eq(json_string_value(json_object_get(operation, "gives")), "points");
    cr_assert(json_is_false(json_object_get(operation, "sided")));
    json_t *radius = find(json_object_get(operation, "params"), "key", "radius_m");
    static const char *const keys[] = {"key",  "label",    "description", "kind",
                                       "unit", "default",  "min",         "max",
                                       "step", "advanced", "attribute_ok"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        cr_assert_not_null(json_object_get(radius, keys[i]), "%s", keys[i]);
    }
    cr_assert(json_is_null(json_object_get(radius, "default")), "a required one has none");
    cr_assert_eq(json_real_value(json_object_get(radius, "min")), 0.00390625);
}

Test(schema_write, defaults_have_the_type_of_their_kind) {
    cr_assert_eq(operation_write(loam_text_of("density.noise"), &buffer), LOAM_OK);
    json_t *params = json_object_get(parse(), "params");
    json_t *kind = find(params, "key", "kind");
    cr_assert_str_eq(json_string_value(json_object_get(kind, "default")), "gradient");
    cr_assert_eq(json_array_size(json_object_get(kind, "choices")), 3);
    cr_assert_eq(json_real_value(json_object_get(find(params, "key", "gain"), "default")), 0.5);
    cr_assert_eq(json_integer_value(json_object_get(find(params, "key", "octaves"), "default")), 4);
}

Test(schema_write, a_recipe_has_its_outputs_and_parameters) {
    recipes_write(&buffer);
    json_t *list = json_object_get(parse(), "recipes");
    json_t *recipe = find(list, "name", "heightmap.fbm");
    cr_assert_not_null(recipe);
    cr_assert_not_null(find(json_object_get(recipe, "outputs"), "kind", "heightfield"));
    cr_assert_not_null(find(json_object_get(recipe, "params"), "key", "spacing_m"));
    cr_assert_eq(json_integer_value(json_array_get(json_object_get(recipe, "versions"), 0)), 1);
}

Test(schema_write, an_unknown_name_writes_nothing) {
    cr_assert_eq(operation_write(loam_text_of("self.prunes"), &buffer), LOAM_UNKNOWN_OPERATION);
    cr_assert_eq(recipe_write(loam_text_of("heightmap"), &buffer), LOAM_UNKNOWN_RECIPE);
    cr_assert_eq(buffer.size, 0);
}

Test(schema_write, versions_are_listed_by_name) {
    operation_versions_write(&buffer);
    json_t *versions = json_object_get(parse(), "self.prune");
    cr_assert_eq(json_integer_value(json_array_get(versions, 0)), 1);
}
