/* SPDX-License-Identifier: MIT
 *
 * view_roff.h: manual pages (man(7)) from the tables that also make --help, so that none of them
 * can say something else. Texts are escaped; a page has no date, so that equal tables give equal
 * pages.
 */
#ifndef LOAM_VIEW_ROFF_H
#define LOAM_VIEW_ROFF_H

#include "api/wire/text_buffer.h"

/* The title line and the NAME section. */
void roff_begin(text_buffer *page, const char *name, int section, const char *summary);
void roff_section(text_buffer *page, const char *title);
void roff_subsection(text_buffer *page, const char *title);
/* A paragraph; newlines in it are blanks. */
void roff_paragraph(text_buffer *page, const char *text);
/* Lines as they stand. */
void roff_lines(text_buffer *page, const char *text);
/* A word in bold, what it takes in italics (may be NULL), and what it does. */
void roff_item(text_buffer *page, const char *word, const char *argument, const char *text);
/* Goes on in the text of the last item or paragraph. */
void roff_more(text_buffer *page, const char *text);

#endif
