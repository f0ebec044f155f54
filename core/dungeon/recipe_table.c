/* SPDX-License-Identifier: MIT
 *
 * recipe_table.c: every recipe of this build: terrains and the layouts of LOAM_LAYOUTS.
 */
#include "core/dungeon/recipe_table.h"

#include "core/space/heightfield.h"

static const struct {
    const loam_recipe *recipe;
    const recipe_code *code;
} layouts[] = {
#define LAYOUT_ROW(name_) {&name_##_recipe, &name_##_code},
    LOAM_LAYOUTS(LAYOUT_ROW)
#undef LAYOUT_ROW
        {NULL, NULL},
};

enum { LAYOUT_COUNT = COUNT_OF(layouts) - 1, TERRAIN_COUNT = 1 };

uint32_t loam_recipe_count(void) {
    return TERRAIN_COUNT + LAYOUT_COUNT;
}

const loam_recipe *loam_recipe_at(uint32_t index) {
    if (index < TERRAIN_COUNT) {
        return &heightmap_recipe;
    }
    return index < loam_recipe_count() ? layouts[index - TERRAIN_COUNT].recipe : NULL;
}

const loam_recipe *loam_recipe_find(loam_text name, uint16_t version) {
    for (uint32_t i = 0; i < loam_recipe_count(); i++) {
        const loam_recipe *recipe = loam_recipe_at(i);
        if (loam_text_equal(name, loam_text_of(recipe->name)) &&
            (version == 0 || version == recipe->version)) {
            return recipe;
        }
    }
    return NULL;
}

const recipe_code *recipe_code_of(const loam_recipe *recipe) {
    for (size_t i = 0; layouts[i].recipe != NULL; i++) {
        if (layouts[i].recipe == recipe) {
            return layouts[i].code;
        }
    }
    return NULL;
}
