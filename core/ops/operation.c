/* SPDX-License-Identifier: MIT
 *
 * operation.c: the table of operations, and what many of them share.
 */
#include "core/ops/operation.h"

#include "core/base/assert.h"
#include "core/base/cancel.h"
#include "core/base/try.h"

#include <string.h>

static const loam_operation *const operations[] = {
#define OPERATION_ROW(name) &name##_operation,
    LOAM_OPERATIONS(OPERATION_ROW)
#undef OPERATION_ROW
};

static const operation_code *const codes[] = {
#define OPERATION_ROW(name) &name##_code,
    LOAM_OPERATIONS(OPERATION_ROW)
#undef OPERATION_ROW
};

uint32_t loam_operation_count(void) {
    return (uint32_t)COUNT_OF(operations);
}

const loam_operation *loam_operation_at(uint32_t index) {
    return index < COUNT_OF(operations) ? operations[index] : NULL;
}

const loam_operation *loam_operation_find(loam_text name, uint16_t version) {
    const loam_operation *found = NULL;
    for (size_t i = 0; i < COUNT_OF(operations); i++) {
        const loam_operation *operation = operations[i];
        if (!loam_text_equal(name, loam_text_of(operation->name))) {
            continue;
        }
        if (operation->version == version) {
            return operation;
        }
        if (version == 0 && (found == NULL || operation->version > found->version)) {
            found = operation;
        }
    }
    return found;
}

const operation_code *operation_code_of(const loam_operation *operation) {
    for (size_t i = 0; i < COUNT_OF(operations); i++) {
        if (operations[i] == operation) {
            return codes[i];
        }
    }
    LOAM_ASSERT(false);
    return NULL;
}

void cost_of_columns(const node_cost *input, uint64_t bytes_each, node_cost *cost) {
    *cost = *input;
    cost->fresh = 0;
    cost->tests = 0;
    cost->bytes = multiply_saturated(input->candidates, bytes_each);
}

const uint32_t *live_column(node_call *call, const point_set *set) {
    if (set->live != NULL) {
        return set->live;
    }
    uint32_t *live = COLUMN_TAKE(call->arena, set->count, uint32_t);
    if (live != NULL) {
        memset(live, 0xff, set->count * sizeof *live);
    }
    return live;
}

const uint32_t *density_column(node_call *call, const point_set *set) {
    if (set->density != NULL) {
        return set->density;
    }
    uint32_t *density = COLUMN_TAKE(call->arena, set->count, uint32_t);
    for (uint32_t i = 0; density != NULL && i < set->count; i++) {
        density[i] = set->density_all;
    }
    return density;
}

loam_status poll_cancel(const node_call *call) {
    if (is_cancelled(call->run->cancel)) {
        return loam_fail(call->error, LOAM_CANCELLED, call->pointer, "%s",
                         loam_status_text(LOAM_CANCELLED));
    }
    return LOAM_OK;
}

int32_t operation_param(const loam_operation *operation, loam_text key) {
    for (int32_t i = 0; i < operation->param_count; i++) {
        if (loam_text_equal(key, loam_text_of(operation->params[i].key))) {
            return i;
        }
    }
    return -1;
}

int32_t operation_port(const loam_operation *operation, loam_text name) {
    for (int32_t i = 0; i < operation->port_count; i++) {
        if (loam_text_equal(name, loam_text_of(operation->ports[i].name))) {
            return i;
        }
    }
    return -1;
}
