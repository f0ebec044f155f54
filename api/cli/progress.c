/* SPDX-License-Identifier: MIT
 *
 * progress.c: see progress.h.
 */
#include "api/cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Fast enough to look alive, slow enough to cost nothing. */
#define PROGRESS_PAUSE_MS 80
#define PROGRESS_BAR_WIDTH 32

static uint64_t now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void progress_begin(progress *bar, const char *label, uint64_t total) {
    *bar = (progress){.label = label, .total = total};
    bar->terminal = isatty(STDERR_FILENO) != 0;
}

static uint64_t share_of(uint64_t done, uint64_t total, uint64_t parts) {
    if (total == 0 || done >= total) {
        return parts;
    }
    return (uint64_t)((double)done / (double)total * (double)parts);
}

void progress_draw_bar(char *text, uint32_t width, uint64_t done, uint64_t total) {
    uint64_t full = share_of(done, total, width);
    *text++ = '[';
    for (uint32_t i = 0; i < width; i++) {
        *text++ = i < full ? '#' : '.';
    }
    *text++ = ']';
    *text = '\0';
}

static void bar_draw(progress *bar, uint64_t done, const char *note) {
    char text[PROGRESS_BAR_WIDTH + 3];
    progress_draw_bar(text, PROGRESS_BAR_WIDTH, done, bar->total);
    (void)fprintf(stderr, "\r%s %s %" PRIu64 "/%" PRIu64 " %s\033[K", bar->label, text, done,
                  bar->total, note);
    (void)fflush(stderr);
    bar->drawn = true;
}

/* Not what the last line has just said: the end differs from it by its note alone, or not. */
static void line_print(progress *bar, uint64_t done, const char *note) {
    char line[PROGRESS_LINE_BYTES];
    (void)snprintf(line, sizeof line, "%" PRIu64 " of %" PRIu64 "%s%s", done, bar->total,
                   note[0] != '\0' ? ", " : "", note);
    if (strcmp(line, bar->said) != 0) {
        memcpy(bar->said, line, sizeof line);
        (void)fprintf(stderr, "%s: %s\n", bar->label, line);
    }
}

static void line_draw(progress *bar, uint64_t done, const char *note) {
    uint32_t tenths = (uint32_t)share_of(done, bar->total, 10);
    if (tenths + 1 > bar->tenths) {
        bar->tenths = tenths + 1;
        line_print(bar, done, note);
    }
}

void progress_update(progress *bar, uint64_t done, const char *note) {
    uint64_t now = now_ms();
    if (!bar->terminal) {
        line_draw(bar, done, note);
    } else if (!bar->drawn || now - bar->drawn_ms >= PROGRESS_PAUSE_MS) {
        bar->drawn_ms = now;
        bar_draw(bar, done, note);
    }
}

void progress_end(progress *bar, uint64_t done, const char *note) {
    if (!bar->terminal) {
        line_print(bar, done, note);
        return;
    }
    bar_draw(bar, done, note);
    (void)fputc('\n', stderr);
}

void progress_leave(progress *bar) {
    if (bar->drawn) {
        (void)fputc('\n', stderr);
    }
}
