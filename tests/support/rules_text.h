/* SPDX-License-Identifier: MIT
 *
 * rules_text.h: a document of rules from JSON, for tests of core, which has no JSON: texts without
 * escapes, fields in any order.
 */
#ifndef LOAM_TESTS_SUPPORT_RULES_TEXT_H
#define LOAM_TESTS_SUPPORT_RULES_TEXT_H

#include "core/loam.h"

/* From the arena; aborts the program when it cannot be read. */
const loam_rules *rules_of_text(const char *json, loam_arena *arena);

#endif
