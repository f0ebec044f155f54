/* SPDX-License-Identifier: MIT
 *
 * seed_tally.c: see seed_tally.h. Reasons in words are alike when they differ in numbers alone.
 */
#include "tests/unit/core/dungeon/seed_tally.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* One '#' for each run of digits. */
static void blur_numbers(const char *text, char *to, size_t room) {
    size_t used = 0;
    for (const char *at = text; *at != 0 && used + 1 < room; at++) {
        bool digit = isdigit((unsigned char)*at) != 0;
        if (!digit || used == 0 || to[used - 1] != '#') {
            to[used++] = digit ? '#' : *at;
        }
    }
    to[used] = 0;
}

static void add_reason(seed_tally *tally, seed_end end, const char *text) {
    char blurred[sizeof tally->reasons[0].text];
    uint32_t at = 0;
    blur_numbers(text, blurred, sizeof blurred);
    while (at < tally->reason_count &&
           (tally->reasons[at].end != end || strcmp(tally->reasons[at].text, blurred) != 0)) {
        at++;
    }
    if (at >= SEED_REASONS - 1) {
        tally->reasons[SEED_REASONS - 1].count++;
        return;
    }
    if (at == tally->reason_count) {
        tally->reason_count++;
        tally->reasons[at].end = end;
        memcpy(tally->reasons[at].text, blurred, sizeof blurred);
    }
    tally->reasons[at].count++;
}

/* What the attempts say that came out. */
static void add_shortcomings(seed_tally *tally, const loam_dungeon_floor *floor) {
    if (floor->status != LOAM_DUNGEON_DEGRADED) {
        return;
    }
    const loam_attempt *attempt = &floor->attempts[floor->chosen];
    for (uint32_t i = 0; i < attempt->reason_count; i++) {
        char code[48];
        const loam_text *word = &attempt->reasons[i].code;
        (void)snprintf(code, sizeof code, "%.*s", (int)word->size, word->bytes);
        add_reason(tally, SEED_DEGRADED, code);
    }
}

/* Words that stand before what the last attempt says. */
static const char *after_preamble(const char *text) {
    static const char preamble[] = "the last: ";
    const char *found = strstr(text, preamble);
    return found == NULL ? text : found + strlen(preamble);
}

static void add_built(seed_tally *tally, const loam_dungeon *dungeon) {
    static const seed_end ends[] = {[LOAM_DUNGEON_OK] = SEED_OK,
                                    [LOAM_DUNGEON_DEGRADED] = SEED_DEGRADED,
                                    [LOAM_DUNGEON_FALLBACK] = SEED_FALLBACK};
    tally->ends[ends[dungeon->status]]++;
    uint32_t most = 0;
    for (uint32_t i = 0; i < dungeon->floor_count; i++) {
        const loam_dungeon_floor *floor = &dungeon->floors[i];
        most = floor->attempt_count > most ? floor->attempt_count : most;
        add_shortcomings(tally, floor);
    }
    tally->attempts[most]++;
}

void tally_add(seed_tally *tally, const dungeon_made *made, uint64_t seed, double took_s) {
    tally->seeds++;
    if (took_s > tally->slowest_s) {
        tally->slowest_s = took_s;
        tally->slowest_seed = seed;
    }
    if (made->status == LOAM_OK) {
        add_built(tally, &made->dungeon);
        return;
    }
    seed_end end = made->build_memory != NULL ? SEED_GAVE_UP : SEED_REFUSED;
    tally->ends[end]++;
    add_reason(tally, end,
               end == SEED_GAVE_UP ? after_preamble(made->error.text) : made->error.text);
}

/* The number of attempts that so many percent of what was built took at most. */
static uint32_t attempts_at(const seed_tally *tally, uint32_t percent) {
    uint64_t built = 0, below = 0;
    uint32_t attempts = 0;
    for (uint32_t i = 0; i <= LAYOUT_ATTEMPTS_LIMIT; i++) {
        built += tally->attempts[i];
    }
    while (attempts < LAYOUT_ATTEMPTS_LIMIT && below * 100 < built * percent) {
        below += tally->attempts[++attempts];
    }
    return attempts;
}

static double percent_of(uint32_t count, uint32_t all) {
    return all == 0 ? 0 : 100.0 * count / all;
}

static const char *const end_names[] = {"ok", "degraded", "fallback", "gave up", "refused"};

static void print_reasons(const seed_tally *tally) {
    for (uint32_t i = 0; i < tally->reason_count; i++) {
        const seed_reason *reason = &tally->reasons[i];
        fprintf(stderr, "    %s, %u: %s\n", end_names[reason->end], reason->count, reason->text);
    }
    if (tally->reasons[SEED_REASONS - 1].count > 0) {
        fprintf(stderr, "    other reasons, %u\n", tally->reasons[SEED_REASONS - 1].count);
    }
}

void tally_print(const seed_tally *tally, const char *recipe, const char *what) {
    fprintf(stderr, "%s %s, %u seeds:", recipe, what, tally->seeds);
    for (uint32_t i = 0; i < SEED_ENDS; i++) {
        fprintf(stderr, " %s %.3f %%,", end_names[i], percent_of(tally->ends[i], tally->seeds));
    }
    fprintf(stderr, " attempts p50 %u, p99 %u, slowest %.1f ms (seed %llu)\n",
            attempts_at(tally, 50), attempts_at(tally, 99), tally->slowest_s * 1000,
            (unsigned long long)tally->slowest_seed);
    print_reasons(tally);
}
