/* SPDX-License-Identifier: MIT
 *
 * test_mutation.c: worlds with random damage. Whatever the bytes are, a world is either refused
 * with a fault, or sound: then its canonical text gives the same revision again.
 */
#include "core/base/mix.h"
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(mutation, .fini = forest_fini);

static const char *const pieces[] = {
    "0",      "-1",        "1e9",     "\"",   "{",     "}",        "[",    "]",
    ":",      ",",         "null",    "true", "\\",    "{}",       "[]",   "$",
    "#true",  "\"node\":", "\"op\":", "0.5",  "\xff",  "\x01",     "1e99", "trees",
    "points", "~/",        "\\u0041", "256",  "sites", "\"seed\":"};
enum { PIECES = sizeof pieces / sizeof *pieces };

/* Puts a piece in the place of some bytes. */
static size_t damage(char *text, size_t size, uint64_t draw) {
    const char *piece = pieces[draw % PIECES];
    size_t at = (size_t)(draw >> 8) % size;
    size_t cut = (size_t)(draw >> 40) % 8;
    cut = cut < size - at ? cut : size - at;
    memmove(text + at + strlen(piece), text + at + cut, size - at - cut);
    memcpy(text + at, piece, strlen(piece));
    return size - cut + strlen(piece);
}

/* Puts another digit in the place of one: most such worlds are sound. */
static void change_digit(char *text, size_t size, uint64_t draw) {
    size_t at = (size_t)(draw >> 8) % size;
    while (text[at] < '0' || text[at] > '9') {
        at = (at + 1) % size;
    }
    text[at] = (char)('0' + draw % 10);
}

static loam_status read(loam_text json, world *to) {
    return world_read(json, &forest_resolver, forest_arena(), to, forest_faults());
}

static void check_again(const world *first) {
    digest revision = first->revision;
    size_t size = first->canonical.size;
    char *text = malloc(size);
    world again;
    memcpy(text, first->canonical.bytes, size);
    cr_assert_eq(read((loam_text){text, size}, &again), LOAM_OK);
    cr_assert(digest_equal(&revision, &again.revision));
    free(text);
}

Test(mutation, a_damaged_world_is_refused_with_a_fault_or_sound) {
    uint32_t sound = 0;
    for (uint64_t round = 0; round < 3000; round++) {
        size_t size = strlen(forest_world);
        char *text = malloc(size + 64);
        memcpy(text, forest_world, size);
        change_digit(text, size, mix_pair(round, 0));
        for (uint64_t i = 1; i <= round % 3; i++) {
            size = damage(text, size, mix_pair(round, i));
        }
        char *exact = malloc(size);
        memcpy(exact, text, size);
        world got;
        loam_status status = read((loam_text){exact, size}, &got);
        cr_assert_eq(status == LOAM_OK, forest_fault_count() == 0, "round %d", (int)round);
        if (status == LOAM_OK) {
            sound++;
            check_again(&got);
        }
        free(exact);
        free(text);
    }
    cr_assert(sound > 300 && sound < 2700, "both ways are tested: %u", sound);
}
