/* SPDX-License-Identifier: MIT
 *
 * test_options.c: command lines and what they mean.
 */
#include "api/cli/options.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 80 };

/* A line of words that are separated by one space each, parsed. */
typedef struct line {
    char text[1024];
    char *words[WORDS_MAX];
    int count;
    cli_arguments arguments;
    loam_error error;
    loam_status status;
} line;

static void line_parse(line *parsed, const char *text) {
    int used = 0;
    memset(parsed, 0, sizeof *parsed);
    (void)snprintf(parsed->text, sizeof parsed->text, "%s", text);
    for (char *at = parsed->text; at != NULL;) {
        char *word = strsep(&at, " ");
        parsed->words[parsed->count++] = word;
    }
    const cli_command *command = options_find_command(parsed->count, parsed->words, &used);
    cr_assert_not_null(command, "%s", text);
    parsed->status = options_parse(command, parsed->count - used, parsed->words + used,
                                   &parsed->arguments, &parsed->error);
}

static const char *option_of(const line *parsed, const char *name) {
    return options_text(&parsed->arguments, name);
}

Test(options, values_follow_or_are_joined_by_an_equals_sign) {
    line parsed;
    line_parse(&parsed, "cell w.json --output trees --x=-3 --z -5 -o out.cell");
    cr_assert_eq(parsed.status, LOAM_OK, "%s", parsed.error.text);
    cr_assert_str_eq(parsed.arguments.operands[0], "w.json");
    cr_assert_str_eq(option_of(&parsed, "output"), "trees");
    cr_assert_str_eq(option_of(&parsed, "x"), "-3");
    cr_assert_str_eq(option_of(&parsed, "z"), "-5");
    cr_assert_str_eq(option_of(&parsed, "o"), "out.cell");
    cr_assert_null(option_of(&parsed, "level"));
}

Test(options, two_words_name_one_command) {
    line parsed;
    line_parse(&parsed, "graph check g.json");
    cr_assert_str_eq(parsed.arguments.command->name, "graph check");
    int used = 0;
    char *alone[] = {"graph", NULL};
    cr_assert_null(options_find_command(1, alone, &used));
}

Test(options, dashes_and_underscores_are_alike) {
    line parsed;
    line_parse(&parsed, "put asset a f.r16 --spacing_m 30 --offset-m -11");
    cr_assert_eq(parsed.status, LOAM_OK, "%s", parsed.error.text);
    cr_assert_str_eq(option_of(&parsed, "spacing-m"), "30");
    cr_assert_str_eq(option_of(&parsed, "offset_m"), "-11");
    cr_assert_not(options_name_equal("spacing-m", "spacing-me"));
}

Test(options, the_last_value_wins) {
    line parsed;
    line_parse(&parsed, "cell w --output a --output b");
    cr_assert_str_eq(option_of(&parsed, "output"), "b");
}

Test(options, two_dashes_end_the_options) {
    line parsed;
    line_parse(&parsed, "digest -- --json -");
    cr_assert_eq(parsed.status, LOAM_OK);
    cr_assert_eq(parsed.arguments.operand_count, 2);
    cr_assert_str_eq(parsed.arguments.operands[0], "--json");
    cr_assert_str_eq(parsed.arguments.operands[1], "-");
}

Test(options, help_wins_over_every_mistake) {
    line parsed;
    line_parse(&parsed, "cell --no-such-thing --help");
    cr_assert_eq(parsed.status, LOAM_OK);
    cr_assert(parsed.arguments.help);
}

typedef struct bad_line {
    const char *text;
    loam_status status;
    const char *named; /* stands in the message */
} bad_line;

Test(options, every_mistake_is_named) {
    static const bad_line bad[] = {
        {"cell w --output trees --colour red", LOAM_UNKNOWN_FIELD, "--colour"},
        {"cell w", LOAM_MISSING_FIELD, "--output"},
        {"cell --output trees", LOAM_MISSING_FIELD, "WORLD"},
        {"cell w --output", LOAM_MISSING_FIELD, "--output"},
        {"cell w x --output trees", LOAM_TOO_MANY, "'x'"},
        {"cell w --output trees --key=1", LOAM_WRONG_TYPE, "--key"},
        {"graph check g --server http://a", LOAM_UNKNOWN_FIELD, "--server"},
        {"bake w --output trees --cells 0,0,1,1", LOAM_MISSING_FIELD, "-o"},
        {"cell w --=3", LOAM_UNKNOWN_FIELD, "--=3"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        line parsed;
        line_parse(&parsed, bad[i].text);
        cr_assert_eq(parsed.status, bad[i].status, "%s: %s", bad[i].text, parsed.error.text);
        cr_assert_not_null(strstr(parsed.error.text, bad[i].named), "%s: %s", bad[i].text,
                           parsed.error.text);
    }
}

Test(options, more_options_than_fit_are_refused) {
    char text[1024] = "cell w --output trees";
    for (int i = 0; i < CLI_GIVEN_MAX; i++) {
        strcat(text, " --key");
    }
    line parsed;
    line_parse(&parsed, text);
    cr_assert_eq(parsed.status, LOAM_TOO_MANY);
}

Test(options, whole_numbers_are_checked_against_their_range) {
    line parsed;
    int64_t value = 7;
    line_parse(&parsed, "cell w --output trees --level 15");
    cr_assert_eq(options_integer(&parsed.arguments, "x", 0, 9, &value, &parsed.error), LOAM_OK);
    cr_assert_eq(value, 7, "an option that is not given changes nothing");
    cr_assert_eq(options_integer(&parsed.arguments, "level", 0, 15, &value, &parsed.error),
                 LOAM_OK);
    cr_assert_eq(value, 15);
    cr_assert_eq(options_integer(&parsed.arguments, "level", 0, 14, &value, &parsed.error),
                 LOAM_OUT_OF_RANGE);
    line_parse(&parsed, "cell w --output trees --level 1.0");
    cr_assert_eq(options_integer(&parsed.arguments, "level", 0, 15, &value, &parsed.error),
                 LOAM_WRONG_TYPE);
}

Test(options, an_area_is_four_whole_numbers_in_order) {
    line parsed;
    int64_t area[4];
    line_parse(&parsed, "bake w --output trees -o d --cells -1,-2,3,3");
    cr_assert_eq(options_area(&parsed.arguments, "cells", area, &parsed.error), LOAM_OK);
    cr_assert_eq(area[0], -1);
    cr_assert_eq(area[1], -2);
    cr_assert_eq(area[2], 3);
    cr_assert_eq(area[3], 3);
    static const char *const bad[] = {"0,0,1",   "0,0,1,1,1", "0,0,1,x", "1,0,0,1",
                                      "0,1,1,0", "",          "0,,1,1",  "0,0,1,1,"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "bake w --output trees -o d --cells=%s", bad[i]);
        line_parse(&parsed, text);
        cr_assert_neq(options_area(&parsed.arguments, "cells", area, &parsed.error), LOAM_OK, "%s",
                      bad[i]);
    }
}

Test(options, the_parameters_of_a_recipe_are_options) {
    line parsed;
    line_parse(&parsed, "heightmap --seed 7 --wavelength-m 2600 -o x.r16");
    cr_assert_eq(parsed.status, LOAM_OK, "%s", parsed.error.text);
    cr_assert_str_eq(option_of(&parsed, "wavelength_m"), "2600");
}

Test(options, every_command_has_its_help) {
    for (const cli_command *const *at = cli_commands; *at != NULL; at++) {
        const cli_command *command = *at;
        cr_assert_not_null(command->run, "%s", command->name);
        cr_assert_not_null(command->operands, "%s", command->name);
        cr_assert_not_null(command->details, "%s", command->name);
        cr_assert_gt(strlen(command->summary), 0, "%s", command->name);
        cr_assert_not_null(strstr(command->examples, command->name), "%s", command->name);
    }
}
