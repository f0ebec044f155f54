/* SPDX-License-Identifier: MIT
 *
 * pointer.c: JSON pointers, part by part.
 */
#include "core/base/pointer.h"

#include <stdio.h>
#include <string.h>

void pointer_append(pointer_text *pointer, loam_text part) {
    size_t used = strlen(pointer->text);
    size_t room = sizeof pointer->text - 1;
    if (used < room) {
        pointer->text[used++] = '/';
    }
    for (size_t i = 0; i < part.size && used < room; i++) {
        bool escaped = part.bytes[i] == '~' || part.bytes[i] == '/';
        if (escaped && used + 2 > room) {
            break;
        }
        pointer->text[used++] = escaped ? '~' : part.bytes[i];
        if (escaped) {
            pointer->text[used++] = part.bytes[i] == '~' ? '0' : '1';
        }
    }
    pointer->text[used] = 0;
}

/* A node by its path: a dot leads into the document of the graph that was inlined. */
static void pointer_append_node(pointer_text *pointer, loam_text path) {
    for (;;) {
        const char *dot = path.size == 0 ? NULL : memchr(path.bytes, '.', path.size);
        size_t size = dot == NULL ? path.size : (size_t)(dot - path.bytes);
        pointer_append(pointer, (loam_text){path.bytes, size});
        if (dot == NULL) {
            return;
        }
        pointer_append(pointer, loam_text_of("params"));
        pointer_append(pointer, loam_text_of("graph"));
        pointer_append(pointer, loam_text_of("nodes"));
        path = (loam_text){dot + 1, path.size - size - 1};
    }
}

pointer_text pointer_to(const char *section, loam_text name, const char *part, const char *key) {
    pointer_text pointer = {""};
    pointer_append(&pointer, loam_text_of(section));
    if (strcmp(section, "nodes") == 0) {
        pointer_append_node(&pointer, name);
    } else {
        pointer_append(&pointer, name);
    }
    if (part != NULL) {
        pointer_append(&pointer, loam_text_of(part));
    }
    if (part != NULL && key != NULL) {
        pointer_append(&pointer, loam_text_of(key));
    }
    return pointer;
}

pointer_text pointer_below(const char *pointer, const char *field, uint32_t item) {
    pointer_text text;
    int size = field != NULL ? snprintf(text.text, sizeof text.text, "%s/%s", pointer, field)
                             : snprintf(text.text, sizeof text.text, "%s/%u", pointer, item);
    if (size < 0) {
        text.text[0] = 0;
    }
    return text;
}
