/* SPDX-License-Identifier: MIT
 *
 * rules.c: see rules.h.
 */
#include "core/ops/rules.h"

#include "core/base/pointer.h"
#include "core/base/try.h"

loam_status rules_of_node(const loam_node *node, const loam_rules *document, loam_arena *arena,
                          const loam_value **values, loam_error *error) {
    const operation_code *code = operation_code_of(node->operation);
    LOAM_TRY(rules_read(document, node->operation->rules, node->operation->rules_count, "", arena,
                        values, error));
    return code->check_rules == NULL ? LOAM_OK : code->check_rules(node, *values, error);
}

loam_status rules_take(node_call *call, uint32_t port, const loam_value **values) {
    loam_error fault = {0};
    pointer_text at =
        pointer_to("nodes", call->node->name, "in", call->node->operation->ports[port].name);
    loam_status status =
        rules_of_node(call->node, call->assets[port]->rules, call->arena, values, &fault);
    return status == LOAM_OK
               ? LOAM_OK
               : loam_fail(call->error, status, at.text, "rules %s: %s", fault.pointer, fault.text);
}
