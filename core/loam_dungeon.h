/* SPDX-License-Identifier: MIT
 *
 * loam_dungeon.h: all of dungeons, in the order in which one is made: layout, assembly, the build
 * around both, content, encounters.
 */
#ifndef LOAM_DUNGEON_H
#define LOAM_DUNGEON_H

#include "core/loam_assembly.h"
#include "core/loam_content.h"
#include "core/loam_dungeon_build.h"
#include "core/loam_encounter.h"
#include "core/loam_layout.h"

#endif
