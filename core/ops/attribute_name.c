/* SPDX-License-Identifier: MIT
 *
 * attribute_name.c: which names of attributes a parameter may have. A written one is
 * [A-Za-z_][A-Za-z0-9_]{0,63} or reserved and writable; a read one may also be any property of a
 * feature, so only what begins with '$' is looked up.
 */
#include "core/base/text.h"
#include "core/ops/attribute.h"

#include <stdio.h>

static bool is_letter(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

bool attribute_is_name(loam_text name) {
    bool legal = name.size > 0 && name.size <= NAME_BYTES_MAX && is_letter(name.bytes[0]);
    for (size_t i = 1; i < name.size && legal; i++) {
        legal = is_letter(name.bytes[i]) || (name.bytes[i] >= '0' && name.bytes[i] <= '9');
    }
    return legal;
}

bool attribute_is_asset(loam_text name) {
    return loam_text_equal(name, loam_text_of("asset"));
}

static bool is_reserved(loam_text name) {
    return name.size > 0 && name.bytes[0] == '$';
}

/* "" when a name may stand there, else what is wrong with it. */
static const char *fault_of(loam_text name, attribute_use use) {
    if (is_reserved(name)) {
        bool writes = use != ATTRIBUTE_READ;
        if (use == ATTRIBUTE_WRITTEN_INT || use == ATTRIBUTE_WRITTEN_TEXT) {
            return "a reserved attribute is a number: use attribute.set.float";
        }
        if (!attribute_is_reserved(name, false)) {
            return "the reserved attributes are $density $height $slope_deg $yaw_deg $scale "
                   "$station $offset";
        }
        return writes && !attribute_is_reserved(name, true)
                   ? "only $density $height $yaw_deg $scale can be written"
                   : "";
    }
    if (use == ATTRIBUTE_READ) {
        return name.size == 0 ? "the name of an attribute is missing" : "";
    }
    if (attribute_is_asset(name) && use != ATTRIBUTE_WRITTEN_TEXT) {
        return "asset is a text: use attribute.set.string";
    }
    return attribute_is_name(name) ? "" : "an attribute's name is [A-Za-z_][A-Za-z0-9_]{0,63}";
}

static loam_status check_name(const loam_node *node, uint32_t index, loam_text name,
                              attribute_use use, const char *pointer, loam_error *error) {
    const char *fault = fault_of(name, use);
    if (fault[0] == 0) {
        return LOAM_OK;
    }
    char at[LOAM_POINTER_BYTES];
    snprintf(at, sizeof at, "%s/%s", pointer, node->operation->params[index].key);
    return loam_fail(error, LOAM_BAD_NAME, at, "%s", fault);
}

loam_status attribute_name_check(const loam_node *node, uint32_t index, attribute_use use,
                                 const char *pointer, loam_error *error) {
    return check_name(node, index, node->params[index].text, use, pointer, error);
}

loam_status attribute_source_check(const loam_node *node, uint32_t index, const char *pointer,
                                   loam_error *error) {
    const loam_value *value = &node->params[index];
    return value->kind == LOAM_VALUE_ATTRIBUTE
               ? check_name(node, index, value->text, ATTRIBUTE_READ, pointer, error)
               : LOAM_OK;
}
