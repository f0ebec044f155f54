/* SPDX-License-Identifier: MIT
 *
 * test_grammar.c: grammars: their text, how they are laid out, and grammar.generate along lines.
 */
#include "core/ops/grammar.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"
#include "tests/support/sketch.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METRE = LOAM_UNITS_PER_METRE };

/* A is 2 long, B is 3, C is 5, D is 7, Z is nothing. */
static const grammar_module modules[] = {
    {{"A", 1}, 2}, {{"B", 1}, 3}, {{"C", 1}, 5}, {{"D", 1}, 7}, {{"Z", 1}, 0}};

static loam_status make(const char *text, grammar *of, loam_error *error) {
    loam_status status = grammar_read(loam_text_of(text), of, "/g", error);
    return status != LOAM_OK ? status : grammar_resolve(of, modules, 5, "/m", error);
}

/* The symbols of a row, as a text. */
static const char *row_of(const char *text, int64_t length, bool incomplete, uint64_t line) {
    static grammar_placed placed[GRAMMAR_PLACED_MAX];
    static char row[256];
    grammar of;
    loam_error error = {0};
    cr_assert_eq(make(text, &of, &error), LOAM_OK, "%s: %s", text, error.text);
    const grammar_layout layout = {.of = &of,
                                   .modules = modules,
                                   .length = length,
                                   .accept_incomplete = incomplete,
                                   .choice_key = 77,
                                   .line_key = line,
                                   .placed = placed};
    uint32_t count;
    int64_t end = 0;
    cr_assert_eq(grammar_lay_out(&layout, &count), LOAM_OK);
    cr_assert_lt(count, sizeof row);
    for (uint32_t i = 0; i < count; i++) {
        row[i] = modules[placed[i].module].symbol.bytes[0];
        cr_assert_eq(placed[i].start, end, "modules stand side by side");
        end += modules[placed[i].module].length;
    }
    cr_assert_leq(end, length);
    row[count] = 0;
    return row;
}

static void expect_row(const char *text, int64_t length, const char *want) {
    const char *got = row_of(text, length, false, 1);
    cr_expect_str_eq(got, want, "%s on %d: %s, want %s", text, (int)length, got, want);
}

Test(grammar, rows_are_what_the_text_says) {
    expect_row("A", 2, "A");
    expect_row("A", 100, "A");
    expect_row(" A , B ", 5, "AB");
    expect_row("[A,B]", 5, "AB");
    expect_row("A3", 6, "AAA");
    expect_row("A3", 100, "AAA");
    expect_row("[A,B]2", 10, "ABAB");
    expect_row("A*", 1, "");
    expect_row("A*", 7, "AAA");
    expect_row("A+", 7, "AAA");
    expect_row("A+", 3, "A");
    expect_row("A,[B,A]*,C", 17, "ABABAC");
    expect_row("A,[B,A]*,C", 16, "ABAC");
    expect_row("A,[B,A]*,C", 7, "AC");
    expect_row("<D,C,B>", 7, "D");
    expect_row("<D,C,B>", 6, "C");
    expect_row("<D,C,B>", 4, "B");
    expect_row("<D,C,B>*", 22, "DDD");
    expect_row("<D,C,A>*", 23, "DDDA");
    expect_row("Z,A", 2, "ZA");
    expect_row("[A,Z]*", 5, "AZAZ");
    expect_row("[A*,B]*", 11, "AAAAB");
}

Test(grammar, a_star_leaves_room_for_what_must_follow) {
    expect_row("A*,D", 13, "AAAD");
    expect_row("A*,D", 7, "D");
    expect_row("A*,B*,C", 12, "AAAC");
    expect_row("A*,B*,C", 11, "AAAC");
    expect_row("[A*,B]2", 10, "AABB");
    expect_row("<D,A>,C", 8, "AC");
    expect_row("<D,A>,C", 12, "DC");
    expect_row("C+,C", 14, "CC");
    expect_row("C+,C", 15, "CCC");
}

Test(grammar, a_row_too_short_for_what_must_be_there_is_empty_or_incomplete) {
    expect_row("A", 1, "");
    expect_row("A3", 5, "");
    expect_row("A,B", 4, "");
    expect_row("<D,C>", 4, "");
    cr_expect_str_eq(row_of("A3", 5, true, 1), "AA");
    cr_expect_str_eq(row_of("A,D,A", 8, true, 1), "A");
    cr_expect_str_eq(row_of("A*,D,A", 8, true, 1), "D", "a star gives way to what must be there");
    cr_expect_str_eq(row_of("[A,B]3", 12, true, 1), "ABABA");
    cr_expect_str_eq(row_of("D", 1, true, 1), "");
    cr_expect_str_eq(row_of("A3", 6, true, 1), "AAA");
    cr_expect_str_eq(row_of("<D,[A,A]>", 3, true, 1), "A");
}

Test(grammar, choices_go_by_weight_among_those_that_fit) {
    uint32_t firsts = 0;
    for (uint64_t line = 0; line < 3000; line++) {
        const char *row = row_of("{A:3,B:1}", 5, false, line);
        firsts += row[0] == 'A';
        cr_assert_str_eq(row_of("{A:3,B:9999}", 2, false, line), "A");
        row = row_of("{A,B}*,D", 18, false, line);
        cr_assert_eq(row[strlen(row) - 1], 'D');
        size_t sum = 0;
        for (const char *at = row; *at != 0; at++) {
            sum += *at == 'A' ? 2 : *at == 'B' ? 3 : 7;
        }
        cr_assert_geq(sum, 17, "%s: nothing more fits", row);
    }
    double sigma = sqrt(3000 * 0.75 * 0.25);
    cr_expect_lt(fabs(firsts - 2250.0), 4 * sigma, "%u", firsts);
}

static void expect_refused(const char *text, loam_status status, const char *named) {
    grammar of;
    loam_error error = {0};
    cr_expect_eq(make(text, &of, &error), status, "%s: %s", text, error.text);
    cr_expect(strstr(error.text, named) != NULL, "%s: %s", text, error.text);
}

Test(grammar, texts_that_are_wrong_name_the_byte) {
    expect_refused("", LOAM_MALFORMED, "empty");
    expect_refused("   ", LOAM_MALFORMED, "empty");
    expect_refused("A,[B,C", LOAM_MALFORMED, "byte 2 of the grammar: '[' is not closed");
    expect_refused("{A:1", LOAM_MALFORMED, "byte 0 of the grammar: '{' is not closed");
    expect_refused("A,<B", LOAM_MALFORMED, "byte 2 of the grammar: '<' is not closed");
    expect_refused("[A,B}", LOAM_MALFORMED, "byte 4 of the grammar: '}'");
    expect_refused("A]", LOAM_MALFORMED, "byte 1 of the grammar: ']'");
    expect_refused("A,", LOAM_MALFORMED, "ends where a module is wanted");
    expect_refused("A,,B", LOAM_MALFORMED, "byte 2");
    expect_refused("[]", LOAM_MALFORMED, "byte 1");
    expect_refused("*", LOAM_MALFORMED, "byte 0");
    expect_refused("A**", LOAM_MALFORMED, "byte 2");
    expect_refused("A B", LOAM_MALFORMED, "byte 2");
    expect_refused("A0", LOAM_OUT_OF_RANGE, "byte 1");
    expect_refused("A10000", LOAM_OUT_OF_RANGE, "byte 1");
    expect_refused("A99999999999999999999", LOAM_OUT_OF_RANGE, "byte 1");
    expect_refused("{A:0,B}", LOAM_OUT_OF_RANGE, "weight");
    expect_refused("{A:x}", LOAM_OUT_OF_RANGE, "weight");
    expect_refused("[A:2]", LOAM_MALFORMED, "byte 2");
    expect_refused("A,Q", LOAM_NOT_FOUND, "no module is Q");
    expect_refused("A,Z*", LOAM_OUT_OF_RANGE, "byte 3");
    expect_refused("Z+", LOAM_OUT_OF_RANGE, "must have a length");
    expect_refused("[A*]*", LOAM_OUT_OF_RANGE, "must have a length");
    expect_refused("{A,Z}*", LOAM_OUT_OF_RANGE, "must have a length");
    expect_refused("<A,[Z,Z]>+", LOAM_OUT_OF_RANGE, "must have a length");
}

Test(grammar, nesting_and_lengths_have_limits) {
    char text[256] = "";
    for (int i = 0; i < GRAMMAR_DEPTH_MAX; i++) {
        strcat(text, "[");
    }
    strcat(text, "A");
    for (int i = 0; i < GRAMMAR_DEPTH_MAX; i++) {
        strcat(text, "]9999");
    }
    expect_row(text, (int64_t)1 << 58, "");
    char deeper[258];
    snprintf(deeper, sizeof deeper, "[%s]", text);
    expect_refused(deeper, LOAM_MALFORMED, "too deep");
    static grammar_placed placed[GRAMMAR_PLACED_MAX];
    static const char *const endless[] = {"A*", "[Z9999]9999", "[[[D*]9999]9999]9999"};
    for (int i = 0; i < 3; i++) {
        grammar of;
        loam_error error = {0};
        uint32_t count;
        cr_assert_eq(make(endless[i], &of, &error), LOAM_OK, "%s", error.text);
        const grammar_layout layout = {.of = &of,
                                       .modules = modules,
                                       .length = i == 2 ? 6 : (int64_t)1 << 58,
                                       .placed = placed};
        cr_expect_eq(grammar_lay_out(&layout, &count), LOAM_TOO_MANY, "%s", endless[i]);
    }
}

/* ---- Along lines ---------------------------------------------------------------------------- */

static const char fence[] =
    "{\"modules\":["
    "{\"symbol\":\"Post\",\"length_m\":0.2,\"variants\":[{\"asset\":\"post\"}]},"
    "{\"symbol\":\"Wall\",\"length_m\":2,\"variants\":[{\"asset\":\"wall_a\",\"weight\":3},"
    "{\"asset\":\"wall_b\"}]},"
    "{\"symbol\":\"Gate\",\"length_m\":3}]}";

static const char *const along[] = {
    "$ways lines",
    "$rules rules",
    "wall grammar.generate grammar='Post,[Wall,Post]*,Gate,Post' lines<$ways rules<$rules",
    "=wall wall",
    NULL,
};

static const loam_lines *ways(loam_arena *arena, int64_t bend) {
    const int64_t straight[] = {1000, 500, 1000, 500 + 100 * METRE};
    const int64_t bent[] = {-20000, -3000, 30000 + bend, 11111, 30001, 60000, 90000, 61000};
    const int64_t ring[] = {40000, 5000, 60000, 5000, 60000, 25000, 40000, 25000, 40000, 5000};
    const int64_t dot[] = {5000, 5000, 5100, 5000};
    const loam_line lines[] = {{.xz = straight, .count = 2, .key = 1},
                               {.xz = bent, .count = 4, .key = 2},
                               {.xz = ring, .count = 5, .key = 3},
                               {.xz = dot, .count = 2, .key = 4}};
    const loam_lines_source source = {lines, 4};
    const loam_lines *made;
    loam_error error = {0};
    cr_assert_eq(loam_lines_build(&source, arena, &made, &error), LOAM_OK, "%s", error.text);
    return made;
}

static sketch *fences(int64_t bend) {
    sketch *graph = sketch_of(along, 8);
    graph->slots[0].lines = ways(&graph->arena, bend);
    graph->slots[1].rules = rules_of_text(fence, &graph->arena);
    return graph;
}

static const loam_attribute *attribute_of(const loam_points *points, const char *name) {
    for (uint32_t i = 0; i < points->attribute_count; i++) {
        if (loam_text_equal(points->attributes[i].name, loam_text_of(name))) {
            return &points->attributes[i];
        }
    }
    cr_assert_fail("no attribute %s", name);
    return NULL;
}

/* 100 m: a post, n walls and posts, a gate and a post: 0.4 + 3 + 2.2 n <= 100, so n = 43. */
Test(grammar, a_straight_line_of_100_m_has_43_walls_44_posts_and_a_gate) {
    sketch *graph = fences(0);
    loam_points points;
    loam_error error = {0};
    cr_assert_eq(sketch_build(graph, (loam_rect){0, 0, 2000, 30000}, &points, &error), LOAM_OK,
                 "%s %s", error.pointer, error.text);
    const loam_attribute *module = attribute_of(&points, "module");
    const loam_attribute *length = attribute_of(&points, "length");
    uint32_t of[3] = {0};
    const int64_t fine[3] = {3355443, 2 << 24, 3 << 24};
    int64_t at = 0;
    for (uint32_t i = 0; i < points.count; i++) {
        loam_text symbol = module->texts[module->values[i]];
        if (points.x[i] != 1000) {
            continue; /* of the line that crosses */
        }
        int kind = symbol.bytes[0] == 'P' ? 0 : symbol.bytes[0] == 'W' ? 1 : 2;
        of[kind]++;
        int64_t middle = at + fine[kind] / 2;
        cr_assert_eq(points.z[i], 500 + ((middle + 32768) >> 16), "module %u", i);
        cr_assert_eq(points.yaw[i], 0, "north");
        cr_assert_eq(length->values[i], (fine[kind] + 128) >> 8);
        loam_text asset = points.palette[points.asset[i]];
        cr_assert(kind == 0   ? loam_text_equal(asset, loam_text_of("post"))
                  : kind == 1 ? asset.size == 6
                              : asset.size == 0);
        at += fine[kind];
    }
    cr_expect_eq(of[0], 45);
    cr_expect_eq(of[1], 43);
    cr_expect_eq(of[2], 1);
}

Test(grammar, cells_of_every_size_give_the_same_modules) {
    sketch *graph = fences(0);
    point_union whole = {0};
    const char *difference = sketch_partition(graph, -100, -50, 450, &whole);
    cr_expect_null(difference, "%s", difference);
    cr_expect_gt(whole.count, 500);
    union_fini(&whole);
}

Test(grammar, an_edit_of_a_line_changes_the_cells_of_that_line_and_no_other) {
    sketch *before = fences(0), *after = fences(-777);
    uint32_t changed = 0;
    for (int64_t j = -2; j < 8; j++) {
        for (int64_t i = -3; i < 12; i++) {
            loam_rect cell = {i * 8192, j * 8192, (i + 1) * 8192, (j + 1) * 8192};
            loam_points a, b;
            loam_error error = {0};
            bool key = sketch_key(before, cell) != sketch_key(after, cell);
            cr_assert_eq(sketch_build(before, cell, &a, &error), LOAM_OK);
            cr_assert_eq(sketch_build(after, cell, &b, &error), LOAM_OK);
            bool same = a.count == b.count;
            for (uint32_t p = 0; same && p < a.count; p++) {
                same = a.id[p] == b.id[p] && a.x[p] == b.x[p] && a.z[p] == b.z[p];
            }
            cr_expect(same || key, "cell %lld %lld", (long long)i, (long long)j);
            bool far = i < 5 && j >= 3;
            cr_expect(!(far && i < 3 && key), "cell %lld %lld sees no edited line", (long long)i,
                      (long long)j);
            changed += key;
        }
    }
    cr_expect_gt(changed, 10);
    cr_expect_lt(changed, 60);
}

static loam_error build_error(const char *const *lines, const char *rules) {
    sketch *graph;
    loam_error error = {0};
    loam_points points;
    if (sketch_read(lines, &graph, &error) != LOAM_OK) {
        return error;
    }
    graph->slots[0].lines = ways(&graph->arena, 0);
    graph->slots[1].rules = rules_of_text(rules, &graph->arena);
    cr_assert_eq(loam_plan_build(&graph->graph, 1, &graph->arena, &graph->plan, &error), LOAM_OK);
    cr_expect_neq(sketch_build(graph, (loam_rect){0, 0, 2000, 3000}, &points, &error), LOAM_OK);
    return error;
}

Test(grammar, faults_name_the_parameter_or_the_rules) {
    static const char *const unclosed[] = {
        "$ways lines", "$rules rules",
        "wall grammar.generate grammar='Post,[Wall' lines<$ways rules<$rules", "=wall wall", NULL};
    loam_error error = build_error(unclosed, fence);
    cr_expect_eq(error.status, LOAM_MALFORMED);
    cr_expect_str_eq(error.pointer, "/nodes/wall/params/grammar");
    static const char *const unknown[] = {
        "$ways lines", "$rules rules",
        "wall grammar.generate grammar='Post,Door' lines<$ways rules<$rules", "=wall wall", NULL};
    error = build_error(unknown, fence);
    cr_expect_eq(error.status, LOAM_NOT_FOUND);
    cr_expect_str_eq(error.pointer, "/nodes/wall/in/rules");
    cr_expect(strstr(error.text, "no module is Door") != NULL, "%s", error.text);
    error = build_error(along, "{\"modules\":[{\"symbol\":\"A3\",\"length_m\":1}]}");
    cr_expect(strstr(error.text, "/modules/0/symbol") != NULL, "%s", error.text);
    error = build_error(along, "{\"modules\":[{\"symbol\":\"A\",\"length_m\":1},"
                               "{\"symbol\":\"A\",\"length_m\":2}]}");
    cr_expect(strstr(error.text, "/modules/1/symbol") != NULL, "%s", error.text);
    error = build_error(along, "{\"modules\":[{\"symbol\":\"A\",\"length_m\":-1}]}");
    cr_expect_eq(error.status, LOAM_OUT_OF_RANGE);
    error = build_error(along, "{\"modules\":[{\"symbol\":\"A\",\"length_m\":1,\"variants\":"
                               "[{\"asset\":\"x\",\"weight\":0}]}]}");
    cr_expect(strstr(error.text, "weight") != NULL, "%s", error.text);
}

/* Roads of thousands of modules, whose layouts are kept: cells of every size, with stages and
 * without, are parts of one piece. */
Test(grammar, cells_of_every_size_give_the_same_modules_of_long_lines) {
    enum { BENDS = 300 };
    int64_t xz[2 * BENDS];
    for (int64_t i = 0; i < BENDS; i++) {
        xz[2 * i] = (i - BENDS / 2) * 3000;
        xz[2 * i + 1] = 20000 + i % 11 * 2500;
    }
    const loam_line line = {.xz = xz, .count = BENDS, .key = 31};
    const loam_lines_source source = {&line, 1};
    sketch *graph = fences(0);
    point_union whole = {0};
    loam_error error = {0};
    cr_assert_eq(loam_lines_build(&source, &graph->arena, &graph->slots[0].lines, &error), LOAM_OK);
    const char *difference = sketch_partition(graph, -200, -100, 500, &whole);
    cr_expect_null(difference, "%s", difference);
    cr_expect_gt(whole.count, 500);
    union_fini(&whole);
}
