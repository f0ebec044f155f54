/* SPDX-License-Identifier: MIT
 *
 * recipe_read.c: see recipe_document.h. Values are first gathered by the schema, defaults included,
 * then put into the struct; the two meet by key.
 */
#include "api/wire/recipe_document.h"

#include "api/wire/document.h"
#include "api/wire/unknown.h"
#include "api/wire/value.h"
#include "core/base/assert.h"
#include "core/base/limits.h"
#include "core/base/try.h"

#include <string.h>

static loam_status find_recipe(const item *document, const loam_recipe **recipe) {
    item name_item = item_field(document, "recipe");
    item version_item = item_field(document, "version");
    loam_text name;
    int64_t version = 0;
    LOAM_TRY(item_text(&name_item, &name));
    if (loam_recipe_find(name, 0) == NULL) {
        return unknown_recipe(&name_item);
    }
    if (item_present(&version_item)) {
        LOAM_TRY(item_integer(&version_item, 1, UINT16_MAX, &version));
    }
    *recipe = loam_recipe_find(name, (uint16_t)version);
    if (*recipe == NULL) {
        return item_fail(&version_item, LOAM_VERSION_UNAVAILABLE, "%.64s has no version %lld here",
                         name.bytes, (long long)version);
    }
    return LOAM_OK;
}

static void refuse_unknown(const item *params, const loam_recipe *recipe) {
    item child;
    for (void *i = item_next(params, NULL, &child); i != NULL; i = item_next(params, i, &child)) {
        if (value_schema(recipe->params, recipe->param_count, child.key) == NULL) {
            unknown_param(&child, recipe->name, recipe->params, recipe->param_count);
        }
    }
}

/* Every parameter as an integer; recipes take numbers, booleans and choices only. */
static void read_params(const item *params, const loam_recipe *recipe, int64_t values[PARAMS_MAX]) {
    loam_arena none = {0};
    refuse_unknown(params, recipe);
    for (uint32_t i = 0; i < recipe->param_count; i++) {
        const loam_param_schema *schema = &recipe->params[i];
        item at = item_field(params, schema->key);
        loam_value value = {.integer = schema->initial};
        bool required = (schema->flags & LOAM_PARAM_REQUIRED) != 0;
        if (required && !item_present(&at)) {
            item_fail(&at, LOAM_MISSING_FIELD, "%s is required", schema->key);
        } else if (item_present(&at) && value_read(&at, schema, &none, &value) != LOAM_OK) {
            continue;
        }
        values[i] = value.integer;
    }
}

/* The value of a key in the scale of its field; a schema is never finer than the field. 0 when the
 * recipe has no such key. */
static int64_t take(const loam_recipe *recipe, const int64_t values[PARAMS_MAX], const char *key,
                    unsigned scale_bits) {
    const loam_param_schema *schema = value_schema(recipe->params, recipe->param_count, key);
    if (schema == NULL) {
        return 0;
    }
    LOAM_ASSERT(schema->scale_bits <= scale_bits);
    return values[schema - recipe->params] * ((int64_t)1 << (scale_bits - schema->scale_bits));
}

enum { BITS_WHOLE = 0, BITS_UNIT = 8, BITS_HEIGHT = 16, BITS_FINE = 24 };
_Static_assert(1 << BITS_UNIT == LOAM_UNITS_PER_METRE, "units in a metre");
_Static_assert(1 << BITS_HEIGHT == LOAM_HEIGHT_STEPS_PER_METRE, "height steps in a metre");
_Static_assert(1 << (BITS_FINE - BITS_UNIT) == LOAM_FINE_PER_UNIT, "fine steps in a unit");

static void fill_heightmap(const loam_recipe *recipe, const int64_t values[PARAMS_MAX],
                           loam_heightmap *to) {
    to->width = (uint32_t)take(recipe, values, "width", BITS_WHOLE);
    to->height = (uint32_t)take(recipe, values, "height", BITS_WHOLE);
    to->spacing_fine = take(recipe, values, "spacing_m", BITS_FINE);
    to->origin_x = take(recipe, values, "origin_x_m", BITS_UNIT);
    to->origin_z = take(recipe, values, "origin_z_m", BITS_UNIT);
    to->wavelength = take(recipe, values, "wavelength_m", BITS_UNIT);
    to->amplitude = take(recipe, values, "amplitude_m", BITS_HEIGHT);
    to->base = take(recipe, values, "base_m", BITS_HEIGHT);
    to->warp = take(recipe, values, "warp_m", BITS_UNIT);
    to->octaves = (uint32_t)take(recipe, values, "octaves", BITS_WHOLE);
    to->ridged = take(recipe, values, "ridged", BITS_WHOLE) != 0;
}

static loam_status read_heightmap(const item *document, loam_heightmap *to) {
    static const char *const fields[] = {"recipe", "version", "seed", "params", NULL};
    LOAM_TRY(item_object(document));
    item_fields(document, fields);
    const loam_recipe *recipe = NULL;
    LOAM_TRY(find_recipe(document, &recipe));
    if (strcmp(recipe->name, "heightmap.fbm") != 0) {
        item name = item_field(document, "recipe");
        return item_fail(&name, LOAM_OUT_OF_RANGE, "%s does not make a heightfield", recipe->name);
    }
    item seed = item_field(document, "seed");
    item params = item_field(document, "params");
    LOAM_TRY(item_seed(&seed, &to->seed));
    if (item_present(&params)) {
        LOAM_TRY(item_object(&params));
    }
    int64_t values[PARAMS_MAX] = {0};
    read_params(&params, recipe, values);
    LOAM_TRY(fault_status(document->faults));
    fill_heightmap(recipe, values, to);
    return LOAM_OK;
}

loam_status recipe_read_heightmap(loam_text json, loam_heightmap *to, fault_list *faults) {
    json_t *root = NULL;
    *to = (loam_heightmap){0};
    LOAM_TRY(document_read(json, &root, faults));
    item document = document_item(root, faults);
    loam_status status = read_heightmap(&document, to);
    json_decref(root);
    return status == LOAM_OK ? LOAM_OK : fault_status(faults);
}
