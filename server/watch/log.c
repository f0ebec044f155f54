/* SPDX-License-Identifier: MIT
 *
 * log.c: see log.h. Every line ends with LOG_TAIL, for which room is kept.
 */
#include "server/watch/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOG_TAIL "}\n"

static log_level level_wanted = LOG_INFO;
static int log_descriptor = STDERR_FILENO;

void log_set_level(log_level level) {
    level_wanted = level;
}

bool log_wants(log_level level) {
    return level <= level_wanted;
}

void log_set_file(int descriptor) {
    log_descriptor = descriptor;
}

static size_t line_room(const log_line *line) {
    return sizeof line->bytes - sizeof LOG_TAIL - line->used;
}

static bool append(log_line *line, const char *bytes, size_t size) {
    if (size > line_room(line)) {
        return false;
    }
    memcpy(line->bytes + line->used, bytes, size);
    line->used += size;
    return true;
}

/* A byte as it stands in a JSON string. Names and paths are ASCII; any other byte shows as '?', so
 * that a line is UTF-8 whatever a client sent. */
static size_t escape_byte(unsigned char byte, char escaped[8]) {
    if (byte == '"' || byte == '\\') {
        escaped[0] = '\\';
        escaped[1] = (char)byte;
        return 2;
    }
    if (byte < 0x20 || byte == 0x7f) {
        return (size_t)snprintf(escaped, 8, "\\u%04x", byte);
    }
    escaped[0] = byte < 0x80 ? (char)byte : '?';
    return 1;
}

static bool append_escaped(log_line *line, loam_text text) {
    for (size_t i = 0; i < text.size; i++) {
        char escaped[8];
        size_t size = escape_byte((unsigned char)text.bytes[i], escaped);
        if (!append(line, escaped, size)) {
            return false;
        }
    }
    return true;
}

void log_text(log_line *line, const char *name, loam_text text) {
    char start[64];
    if (!line->wanted) {
        return;
    }
    size_t before = line->used;
    int size = snprintf(start, sizeof start, ",\"%s\":\"", name);
    if (!append(line, start, (size_t)size) || !append_escaped(line, text) ||
        !append(line, "\"", 1)) {
        line->used = before;
    }
}

void log_string(log_line *line, const char *name, const char *text) {
    log_text(line, name, loam_text_of(text));
}

void log_number(log_line *line, const char *name, int64_t number) {
    char field[96];
    if (line->wanted) {
        int size = snprintf(field, sizeof field, ",\"%s\":%lld", name, (long long)number);
        append(line, field, (size_t)size);
    }
}

void log_error(log_line *line, const loam_error *error) {
    log_string(line, "code", loam_status_code(error->status));
    if (error->pointer[0] != 0) {
        log_string(line, "pointer", error->pointer);
    }
    log_string(line, "detail", error->text);
}

static void append_time(log_line *line) {
    struct timespec now;
    struct tm parts;
    char text[64];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    size_t size = strftime(text, sizeof text, "{\"time\":\"%Y-%m-%dT%H:%M:%S", &parts);
    size +=
        (size_t)snprintf(text + size, sizeof text - size, ".%03dZ\"", (int)(now.tv_nsec / 1000000));
    append(line, text, size);
}

void log_begin(log_line *line, log_level level, const char *event) {
    static const char *const names[] = {"error", "warning", "info", "debug"};
    line->wanted = log_wants(level);
    line->used = 0;
    if (line->wanted) {
        append_time(line);
        log_string(line, "level", names[level]);
        log_string(line, "event", event);
    }
}

void log_end(log_line *line) {
    if (!line->wanted) {
        return;
    }
    memcpy(line->bytes + line->used, LOG_TAIL, sizeof LOG_TAIL - 1);
    size_t left = line->used + sizeof LOG_TAIL - 1;
    const char *at = line->bytes;
    while (left > 0) {
        ssize_t written = write(log_descriptor, at, left);
        if (written < 0 && errno != EINTR) {
            return; /* a lost log must not end the service */
        }
        if (written > 0) {
            at += written;
            left -= (size_t)written;
        }
    }
}
