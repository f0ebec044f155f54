/* SPDX-License-Identifier: MIT
 *
 * fault.c: see fault.h.
 */
#include "api/wire/fault.h"

void fault_clear(fault_list *faults) {
    faults->count = 0;
}

loam_status fault_add(fault_list *faults, const loam_error *fault) {
    if (faults->count < FAULTS_MAX) {
        faults->items[faults->count] = *fault;
    }
    faults->count++;
    return fault->status;
}

uint32_t fault_kept(const fault_list *faults) {
    return faults->count < FAULTS_MAX ? faults->count : FAULTS_MAX;
}

loam_status fault_status(const fault_list *faults) {
    return faults->count == 0 ? LOAM_OK : faults->items[0].status;
}

loam_status fault_first(const fault_list *faults, loam_error *error) {
    if (faults->count == 0) {
        return LOAM_OK;
    }
    const loam_error *first = &faults->items[0];
    return loam_fail(error, first->status, first->pointer, "%s", first->text);
}
