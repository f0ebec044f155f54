/* SPDX-License-Identifier: MIT
 *
 * view_roff.c: see view_roff.h.
 */
#include "api/view/view_roff.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What roff would read as something else: a backslash anywhere, a dash (which it may print as
 * another character), a dot or an apostrophe at the start of a line. */
static void escaped_add(text_buffer *page, const char *text, bool line_start) {
    for (; *text != '\0'; text++) {
        if (line_start && (*text == '.' || *text == '\'')) {
            buffer_add_text(page, "\\&");
        }
        if (*text == '\\') {
            buffer_add_text(page, "\\e");
        } else if (*text == '-') {
            buffer_add_text(page, "\\-");
        } else {
            buffer_add(page, text, 1);
        }
        line_start = *text == '\n';
    }
}

static void quoted_add(text_buffer *page, const char *macro, const char *title) {
    buffer_add_text(page, macro);
    buffer_add_text(page, " \"");
    escaped_add(page, title, false);
    buffer_add_text(page, "\"\n");
}

void roff_begin(text_buffer *page, const char *name, int section, const char *summary) {
    char line[128];
    char upper[32] = "";
    for (size_t i = 0; name[i] != '\0' && i + 1 < sizeof upper; i++) {
        upper[i] = (char)toupper((unsigned char)name[i]);
    }
    (void)snprintf(line, sizeof line, ".TH %s %d \"\" \"loam %s\"\n", upper, section,
                   LOAM_VERSION_TEXT);
    buffer_add_text(page, line);
    roff_section(page, "NAME");
    escaped_add(page, name, true);
    buffer_add_text(page, " \\- ");
    escaped_add(page, summary, false);
    buffer_add_text(page, "\n");
}

void roff_section(text_buffer *page, const char *title) {
    quoted_add(page, ".SH", title);
}

void roff_subsection(text_buffer *page, const char *title) {
    quoted_add(page, ".SS", title);
}

void roff_more(text_buffer *page, const char *text) {
    escaped_add(page, text, true);
    buffer_add_text(page, "\n");
}

void roff_paragraph(text_buffer *page, const char *text) {
    buffer_add_text(page, ".PP\n");
    roff_more(page, text);
}

void roff_lines(text_buffer *page, const char *text) {
    buffer_add_text(page, ".PP\n.nf\n");
    roff_more(page, text);
    buffer_add_text(page, ".fi\n");
}

void roff_item(text_buffer *page, const char *word, const char *argument, const char *text) {
    buffer_add_text(page, ".TP\n\\fB");
    escaped_add(page, word, false);
    buffer_add_text(page, "\\fR");
    if (argument != NULL && argument[0] != '\0') {
        buffer_add_text(page, " \\fI");
        escaped_add(page, argument, false);
        buffer_add_text(page, "\\fR");
    }
    buffer_add_text(page, "\n");
    roff_more(page, text);
}
