/* SPDX-License-Identifier: MIT
 *
 * view_explain_json.c: see view_explain_json.h.
 */
#include "api/view/view_explain_json.h"

#include <inttypes.h>
#include <stdio.h>

enum { ID_BYTES = 24 };

static void write_measure(text_buffer *to, const char *key, const loam_fate *fate, int64_t value) {
    buffer_key(to, key);
    if (fate->measured) {
        buffer_decimal(to, value, fate->scale_bits);
    } else {
        buffer_null(to);
    }
}

static void write_fate(text_buffer *to, const loam_fate *fate, const loam_graph *graph) {
    char id[ID_BYTES];
    (void)snprintf(id, sizeof id, "%" PRIu64, fate->id);
    buffer_open_object(to);
    buffer_key(to, "id");
    buffer_string(to, id);
    buffer_field_place(to, "position_m", (const int64_t[]){fate->x, fate->y, fate->z}, 3);
    buffer_key(to, "dropped_by");
    if (fate->dropped_by == LOAM_KEPT) {
        buffer_null(to);
    } else {
        buffer_string_text(to, graph->nodes[fate->dropped_by].name);
    }
    buffer_key(to, "reason");
    if (fate->reason == NULL) {
        buffer_null(to);
    } else {
        buffer_string(to, fate->reason);
    }
    write_measure(to, "value", fate, fate->value);
    write_measure(to, "limit", fate, fate->limit);
    buffer_close_object(to);
}

loam_status view_explain_json(const loam_fate *fates, uint32_t count, bool truncated,
                              const loam_graph *graph, text_buffer *to) {
    buffer_open_object(to);
    buffer_key(to, "candidates");
    buffer_open_array(to);
    for (uint32_t i = 0; i < count; i++) {
        write_fate(to, &fates[i], graph);
    }
    buffer_close_array(to);
    buffer_key(to, "truncated");
    buffer_bool(to, truncated);
    buffer_close_object(to);
    return buffer_status(to);
}
