/* SPDX-License-Identifier: MIT
 *
 * value_bytes.c: see schema.h.
 */
#include "core/schema/schema.h"

void value_bytes_write(byte_writer *writer, const loam_value *value) {
    write_u8(writer, (uint8_t)value->kind);
    write_i64(writer, value->integer);
    write_text(writer, value->text);
    write_u32(writer, value->item_count);
    for (uint32_t i = 0; i < value->item_count; i++) {
        value_bytes_write(writer, &value->items[i]);
    }
}
