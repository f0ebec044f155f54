/* SPDX-License-Identifier: MIT
 *
 * recipe_table.h: from what a recipe shows to what it does.
 */
#ifndef LOAM_DUNGEON_RECIPE_TABLE_H
#define LOAM_DUNGEON_RECIPE_TABLE_H

#include "core/layout/layout.h"

/* The functions of a recipe of the table; NULL when it makes no layout. */
const recipe_code *recipe_code_of(const loam_recipe *recipe);

#endif
