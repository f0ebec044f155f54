/* SPDX-License-Identifier: MIT
 *
 * status.c: names of statuses, and the one way to note an error. The first error wins: whoever saw
 * the fault first knows best what it was.
 */
#include "core/loam.h"

#include <stdarg.h>
#include <stdio.h>

const char *loam_status_code(loam_status status) {
    switch (status) {
#define STATUS_CODE(name, number, code, text)                                                      \
    case LOAM_##name:                                                                              \
        return code;
        LOAM_STATUS_TABLE(STATUS_CODE)
#undef STATUS_CODE
    }
    return "internal";
}

const char *loam_status_text(loam_status status) {
    switch (status) {
#define STATUS_TEXT(name, number, code, text)                                                      \
    case LOAM_##name:                                                                              \
        return text;
        LOAM_STATUS_TABLE(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "an internal fault";
}

loam_status loam_fail(loam_error *error, loam_status status, const char *pointer,
                      const char *format, ...) {
    if (error == NULL || error->status != LOAM_OK) {
        return status;
    }
    error->status = status;
    snprintf(error->pointer, sizeof error->pointer, "%s", pointer == NULL ? "" : pointer);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}
