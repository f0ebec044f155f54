/* SPDX-License-Identifier: MIT
 *
 * guess.c: see guess.h. The distance is optimal string alignment, row by row.
 */
#include "core/base/guess.h"

#include <string.h>

/* Of so many letters one may be wrong, besides the first slip: "to" is not meant by "at". */
#define LETTERS_A_SLIP 4
#define SLIPS_MAX 3u

typedef struct slip_row {
    uint32_t at[NAME_BYTES_MAX + 1];
} slip_row;

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* The row for the first i + 1 bytes of `a`, from those for i and i - 1. */
static void next_row(loam_text a, loam_text b, size_t i, const slip_row *two_before,
                     const slip_row *before, slip_row *row) {
    row->at[0] = (uint32_t)i + 1;
    for (size_t j = 0; j < b.size; j++) {
        bool equal = a.bytes[i] == b.bytes[j];
        uint32_t changed = before->at[j] + (equal ? 0 : 1);
        uint32_t moved = least(before->at[j + 1], row->at[j]) + 1;
        row->at[j + 1] = least(changed, moved);
        if (i > 0 && j > 0 && a.bytes[i] == b.bytes[j - 1] && a.bytes[i - 1] == b.bytes[j]) {
            row->at[j + 1] = least(row->at[j + 1], two_before->at[j - 1] + 1);
        }
    }
}

static uint32_t slips_between(loam_text a, loam_text b) {
    slip_row rows[3];
    for (size_t j = 0; j <= b.size; j++) {
        rows[0].at[j] = (uint32_t)j;
    }
    for (size_t i = 0; i < a.size; i++) {
        next_row(a, b, i, &rows[(i + 2) % 3], &rows[i % 3], &rows[(i + 1) % 3]);
    }
    return rows[a.size % 3].at[b.size];
}

name_guess guess_of(loam_text wanted) {
    uint32_t slips = 1 + (uint32_t)(wanted.size / LETTERS_A_SLIP);
    return (name_guess){.wanted = wanted, .slips = least(slips, SLIPS_MAX) + 1};
}

name_guess guess_of_option(const char *word) {
    loam_text name = loam_text_of(word);
    for (; name.size > 0 && name.bytes[0] == '-'; name.size--) {
        name.bytes++;
    }
    const char *equal = name.size > 0 ? memchr(name.bytes, '=', name.size) : NULL;
    name.size = equal != NULL ? (size_t)(equal - name.bytes) : name.size;
    return guess_of(name);
}

void guess_offer(name_guess *guess, loam_text candidate) {
    if (guess->wanted.size > NAME_BYTES_MAX || candidate.size > NAME_BYTES_MAX) {
        return;
    }
    size_t more = guess->wanted.size < candidate.size ? candidate.size - guess->wanted.size
                                                      : guess->wanted.size - candidate.size;
    if (more >= guess->slips) {
        return;
    }
    uint32_t slips = slips_between(guess->wanted, candidate);
    /* A name of which no letter is right is not a slip. */
    if (slips < guess->slips && slips < guess->wanted.size) {
        guess->slips = slips;
        guess->nearest = candidate;
    }
}

const char *guess_text(name_guess *guess) {
    static const char before[] = "; did you mean \"";
    static const char after[] = "\"?";
    char *at = guess->text;
    guess->text[0] = 0;
    if (guess->nearest.size > 0) {
        memcpy(at, before, sizeof before - 1);
        at += sizeof before - 1;
        memcpy(at, guess->nearest.bytes, guess->nearest.size);
        memcpy(at + guess->nearest.size, after, sizeof after);
    }
    return guess->text;
}
