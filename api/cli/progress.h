/* SPDX-License-Identifier: MIT
 *
 * progress.h: how far a long piece of work is. On a terminal one bar that is drawn over; otherwise
 * a plain line at each tenth, so that a log stays short. Always on stderr.
 */
#ifndef API_CLI_PROGRESS_H
#define API_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Two numbers and a note. */
enum { PROGRESS_LINE_BYTES = 192 };

typedef struct progress {
    const char *label; /* borrowed */
    uint64_t total;
    uint64_t drawn_ms;
    uint32_t tenths; /* of the last plain line, plus one */
    bool terminal;
    bool drawn;
    char said[PROGRESS_LINE_BYTES]; /* by the last plain line */
} progress;

void progress_begin(progress *bar, const char *label, uint64_t total);
/* `note` may be empty. Draws at most some ten times a second. */
void progress_update(progress *bar, uint64_t done, const char *note);
/* The last state, always drawn; ends the line. */
void progress_end(progress *bar, uint64_t done, const char *note);
/* Ends the line where it stands: what was shown came to no end that is known. */
void progress_leave(progress *bar);

/* The bar itself: "[####....]" of `width` characters inside, for tests. `text` holds width + 3. */
void progress_draw_bar(char *text, uint32_t width, uint64_t done, uint64_t total);

#endif
