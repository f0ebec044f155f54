/* SPDX-License-Identifier: MIT
 *
 * test_operation.c: the table of operations: what every row must have, and how it is found.
 */
#include "core/base/text.h"
#include "tests/unit/core/ops/operation_fixture.h"

Test(operation, every_row_is_complete_and_found_by_its_name) {
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        const loam_operation *operation = loam_operation_at(i);
        loam_text name = loam_text_of(operation->name);
        cr_expect(text_is_name(name), "%s", operation->name);
        cr_expect_eq(loam_operation_find(name, 0), operation);
        cr_expect_eq(loam_operation_find(name, operation->version), operation);
        cr_expect_null(loam_operation_find(name, (uint16_t)(operation->version + 1)));
        cr_expect(operation->version >= 1 && operation->reach != NULL);
        cr_expect(operation->port_count <= PORTS_MAX && operation->param_count <= PARAMS_MAX);
        const operation_code *code = operation_code_of(operation);
        cr_expect(code->cost != NULL && code->evaluate != NULL);
        for (uint32_t p = 0; p < operation->port_count; p++) {
            loam_port_kind kind = operation->ports[p].kind;
            cr_expect(kind == LOAM_PORT_POINTS || code->see != NULL,
                      "%s takes an asset that no key would show", operation->name);
        }
    }
}

Test(operation, every_parameter_has_a_default_in_its_range) {
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        const loam_operation *operation = loam_operation_at(i);
        for (uint32_t p = 0; p < operation->param_count; p++) {
            const loam_param_schema *param = &operation->params[p];
            bool required =
                (param->flags & LOAM_PARAM_REQUIRED) != 0 || param->initial == LOAM_UNSET;
            cr_expect(required || (param->min <= param->initial && param->initial <= param->max),
                      "%s %s", operation->name, param->key);
            cr_expect(required || (param->flags & LOAM_PARAM_NONZERO) == 0 || param->initial != 0);
            for (uint32_t q = 0; q < p; q++) {
                cr_expect_str_neq(param->key, operation->params[q].key);
            }
            bool chosen = param->kind == LOAM_PARAM_CHOICE || param->kind == LOAM_PARAM_CURVE;
            cr_expect_eq(chosen, param->choices != NULL);
            for (int64_t c = 0; param->choices != NULL && c <= param->max; c++) {
                cr_expect_not_null(param->choices[c]);
            }
            cr_expect(param->choices == NULL || param->choices[param->max + 1] == NULL);
        }
    }
}

Test(operation, unknown_names_and_numbers_are_none) {
    cr_expect_null(loam_operation_at(loam_operation_count()));
    cr_expect_null(loam_operation_find(loam_text_of("self"), 0));
    cr_expect_null(loam_operation_find(loam_text_of("self.prune "), 0));
    cr_expect_null(loam_operation_find(loam_text_of(""), 0));
}

Test(operation, saturated_sums_and_products_stay_at_the_end) {
    cr_expect_eq(add_saturated(UINT64_MAX, 1), UINT64_MAX);
    cr_expect_eq(add_saturated(UINT64_MAX - 1, 1), UINT64_MAX);
    cr_expect_eq(add_saturated(2, 3), 5);
    cr_expect_eq(multiply_saturated((uint64_t)1 << 32, (uint64_t)1 << 32), UINT64_MAX);
    cr_expect_eq(multiply_saturated((uint64_t)1 << 32, UINT32_MAX), (uint64_t)UINT32_MAX << 32);
    cr_expect_eq(multiply_saturated(UINT64_MAX, 0), 0);
}
