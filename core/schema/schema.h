/* SPDX-License-Identifier: MIT
 *
 * schema.h: how schemas are written down, and what values are by them: those of parameters, their
 * defaults, and whole documents of rules.
 */
#ifndef LOAM_SCHEMA_SCHEMA_H
#define LOAM_SCHEMA_SCHEMA_H

#include "core/base/bytes.h"
#include "core/loam.h"

/* Schemas in a line: key, label, unit, kind, scale bits, flags, default, min, max, step, text. */
#define PARAM(key_, label_, unit_, kind_, bits_, flags_, initial_, min_, max_, step_, text_)       \
    {                                                                                              \
        .key = key_, .label = label_, .description = text_, .unit = unit_,                         \
        .kind = LOAM_PARAM_##kind_, .scale_bits = bits_, .flags = flags_, .initial = initial_,     \
        .min = min_, .max = max_, .step = step_, .choices = NULL                                   \
    }
#define PARAM_CHOICE(key_, label_, initial_, choices_, count_, text_)                              \
    {                                                                                              \
        .key = key_, .label = label_, .description = text_, .unit = "", .kind = LOAM_PARAM_CHOICE, \
        .scale_bits = 0, .flags = 0, .initial = initial_, .min = 0, .max = (count_)-1, .step = 1,  \
        .choices = choices_                                                                        \
    }
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Scales of the schemas, in bits. */
enum { BITS_UNITS = 8, BITS_SCALE = 12, BITS_RATIO = 16, BITS_DEGREES = 16, BITS_DENSITY = 24 };

/* Whether a value fits a parameter's schema. */
LOAM_MUST_USE loam_status value_check(const loam_param_schema *schema, const loam_value *value,
                                      const char *pointer, loam_error *error);

/* A copy in the arena, of what its kind uses; a document of rules stays borrowed. LOAM_TOO_MANY
 * when it nests deeper than values do. */
LOAM_MUST_USE loam_status value_copy(const loam_value *value, loam_arena *arena, loam_value *copy);

/* The bytes of a value, its items and theirs, in keys and in graphs. */
void value_bytes_write(byte_writer *writer, const loam_value *value);

/* A document of rules, read by a schema: one value for each field, in its order. Fields that the
 * schema does not know are errors; pointers go down to the field. */
LOAM_MUST_USE loam_status rules_read(const loam_rules *document, const loam_param_schema *fields,
                                     uint32_t field_count, const char *pointer, loam_arena *arena,
                                     const loam_value **values, loam_error *error);

#endif
