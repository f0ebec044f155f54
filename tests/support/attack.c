/* SPDX-License-Identifier: MIT
 *
 * attack.c: see attack.h.
 */
#include "tests/support/attack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPENINGS_MAX = 16, OPENING_BYTES = 2048 };
/* Requests that a pipeline sends at a time: more than any buffer between two sockets holds. */
enum { PIPELINE_DEPTH = 4096 };
/* Larger than every limit of a line, of headers, of a JSON document. */
enum { LONG_BYTES = 256 << 10, HEADER_COUNT = 20000, DOCUMENT_BYTES = 3 << 20 };
/* Within the limit of a document, so that it is read. */
enum { NEST_BYTES = 900 << 10, BATCH_CELLS = 60000 };

struct attack {
    siege *besiegers;
    loam_text openings[OPENINGS_MAX];
    size_t opening_count;
};

static const char *const names[ATTACK_KINDS] = {"none",           "slow-headers", "slow-bodies",
                                                "slow-readers",   "half-open",    "pipelines",
                                                "deaf-pipelines", "oversized"};

const char *attack_name(attack_kind kind) {
    return names[kind];
}

/* ---- What is sent --------------------------------------------------------------------------- */

/* `head`, then `part` as often as makes `size` bytes of it, then `tail`. */
static void add_opening(attack *of, const char *head, const char *part, size_t size,
                        const char *tail) {
    size_t head_size = strlen(head);
    size_t part_size = strlen(part);
    size_t tail_size = strlen(tail);
    char *bytes = malloc(head_size + size + tail_size + 1);
    if (bytes == NULL || of->opening_count == OPENINGS_MAX) {
        perror("attack");
        abort();
    }
    memcpy(bytes, head, head_size);
    for (size_t i = 0; i < size; i++) {
        bytes[head_size + i] = part[i % part_size];
    }
    memcpy(bytes + head_size + size, tail, tail_size);
    of->openings[of->opening_count++] = (loam_text){bytes, head_size + size + tail_size};
}

/* A JSON document of so many bytes, which is sent whole. */
static void add_document(attack *of, const char *line, const char *start, const char *part,
                         size_t size, const char *end) {
    char head[OPENING_BYTES];
    (void)snprintf(head, sizeof head,
                   "%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                   "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                   line, strlen(start) + size + strlen(end), start);
    add_opening(of, head, part, size, end);
}

static void add_get(attack *of, const char *path, uint32_t times) {
    char one[OPENING_BYTES];
    (void)snprintf(one, sizeof one, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    add_opening(of, "", one, strlen(one) * times, "");
}

#define LINE_END " HTTP/1.1\r\nHost: localhost\r\n"
#define CHUNKED                                                                                    \
    "PUT /v1/worlds/huge" LINE_END "Content-Type: application/json\r\n"                            \
    "Transfer-Encoding: chunked\r\n\r\n"

static void add_oversized(attack *of) {
    static const char header[] = "x-larger-than-life: 1\r\n";
    add_opening(of, "GET /", "a", LONG_BYTES, LINE_END "\r\n");
    add_opening(of, "GET /v1/worlds?", "a=b&", LONG_BYTES, LINE_END "\r\n");
    add_opening(of, "GET /v1/worlds" LINE_END, header, HEADER_COUNT * (sizeof header - 1), "\r\n");
    add_opening(of, "GET /v1/worlds" LINE_END "X-Long: ", "a", LONG_BYTES, "\r\n\r\n");
    add_opening(of, "", "NOSUCHMETHOD", LONG_BYTES, LINE_END "\r\n");
    add_opening(of, CHUNKED, "ffffffffffffffff", LONG_BYTES, "\r\n");
    add_opening(of, CHUNKED "300000\r\n[", "1,", DOCUMENT_BYTES - 2, "1\r\n0\r\n\r\n");
    add_opening(of, CHUNKED, "1\r\n[\r\n", LONG_BYTES / 6 * 6, "0\r\n\r\n");
    add_document(of, "PUT /v1/worlds/huge", "[", "1,", DOCUMENT_BYTES, "1]");
    add_document(of, "PUT /v1/worlds/deep", "", "[", NEST_BYTES, "");
    add_document(of, "POST /v1/worlds/sizes/cell-batches", "{\"output\": \"small\", \"cells\": [",
                 "[0,3,5],", (size_t)BATCH_CELLS * 8, "[0,3,5]]}");
    add_document(of, "PUT /v1/worlds/huge", "{\"seed\": \"", "7", NEST_BYTES, "\"}");
    add_opening(of,
                "PUT /v1/assets/huge?kind=rules" LINE_END "Content-Type: application/json\r\n"
                "Content-Length: 99999999999999\r\n\r\n",
                "{", LONG_BYTES, "");
}

/* ---- By whom -------------------------------------------------------------------------------- */

static siege_plan plan_of(attack_kind kind) {
    static const siege_plan plans[ATTACK_KINDS] = {
        [ATTACK_NONE] = {.tick_ms = 100},
        [ATTACK_SLOW_HEADERS] = {.tick_ms = 200, .drip = "X-Slow: and steady\r\n"},
        [ATTACK_SLOW_BODIES] = {.tick_ms = 200, .drip = " "},
        [ATTACK_SLOW_READERS] = {.tick_ms = 200, .hold_answers = true, .sip_bytes = 1},
        [ATTACK_HALF_OPEN] = {.tick_ms = 10},
        [ATTACK_PIPELINES] = {.tick_ms = 100, .flood = true},
        [ATTACK_DEAF_PIPELINES] = {.tick_ms = 100, .flood = true, .hold_answers = true},
        [ATTACK_OVERSIZED] = {.tick_ms = 10},
    };
    return plans[kind];
}

static void write_openings(attack *of, attack_kind kind, const char *path, const char *large_path) {
    switch (kind) {
    case ATTACK_SLOW_HEADERS:
        add_opening(of, "GET /v1/worlds" LINE_END, "", 0, "");
        break;
    case ATTACK_SLOW_BODIES:
        add_opening(of,
                    "PUT /v1/worlds/slow" LINE_END "Content-Type: application/json\r\n"
                    "Content-Length: 1000000\r\n\r\n",
                    "", 0, "");
        break;
    case ATTACK_SLOW_READERS:
        add_get(of, large_path, 1);
        break;
    case ATTACK_PIPELINES:
    case ATTACK_DEAF_PIPELINES:
        add_get(of, path, PIPELINE_DEPTH);
        break;
    case ATTACK_OVERSIZED:
        add_oversized(of);
        break;
    default:
        break;
    }
}

attack *attack_begin(attack_kind kind, uint16_t port, uint32_t sockets, const char *path,
                     const char *large_path) {
    attack *of = calloc(1, sizeof *of);
    if (of == NULL) {
        perror("attack");
        abort();
    }
    write_openings(of, kind, path, large_path);
    siege_plan plan = plan_of(kind);
    plan.port = port;
    plan.sockets = sockets;
    plan.openings = of->openings;
    plan.opening_count = of->opening_count;
    of->besiegers = siege_begin(&plan);
    return of;
}

uint64_t attack_cut(const attack *of) {
    return siege_cut(of->besiegers);
}

siege_tally attack_end(attack *of) {
    siege_tally tally = siege_end(of->besiegers);
    for (size_t i = 0; i < of->opening_count; i++) {
        free((char *)(uintptr_t)of->openings[i].bytes);
    }
    free(of);
    return tally;
}
