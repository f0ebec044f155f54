/* SPDX-License-Identifier: MIT
 *
 * test_game_server.c: the example of a game server against a real daemon: its player never stands
 * without ground, and what it has seen comes from its own disk the next time. Its loop is short by
 * what its thread uses; by the clock on the wall it is only printed, since a machine that is busy
 * with other things decides that as well.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/program.h"
#include "tests/support/sanitized.h"

#define AT " --port-file $DIR/port"

/* Of 120: a page that was not touched before, a cache that another program has emptied. */
enum { STALLS_MAX = 2 };

TestSuite(game_server, .init = program_begin, .fini = program_end, .timeout = 120);

/* Numbers before these words in what the program said. */
static unsigned long number_before(const program_result *said, const char *words) {
    const char *at = strstr(said->output, words);
    cr_assert_not_null(at, "'%s' is not in: %s", words, said->output);
    while (at > said->output && at[-1] >= '0' && at[-1] <= '9') {
        at--;
    }
    return strtoul(at, NULL, 10);
}

static const program_result *walk(void) {
    const char *build = getenv("LOAM_BUILD");
    const program_result *said = program_run(
        program_folder,
        "%s/example/game_server http://127.0.0.1:$(cat $DIR/port) forest trees 1 64 1300 1900 60 2 "
        "$DIR/cache",
        build != NULL ? build : "build");
    cr_assert_eq(said->exit_code, 0, "%s", said->output);
    (void)fprintf(stderr, "%s", said->output);
    cr_expect_eq(number_before(said, " turns, "), 120);
    cr_expect_eq(number_before(said, " failed"), 0);
    cr_expect_eq(number_before(said, " turns without ground"), 0);
    cr_expect_gt(number_before(said, " instances near"), 1000);
    if (!LOAM_SANITIZED) {
        cr_expect_leq(number_before(said, " by what this thread used"), STALLS_MAX);
    }
    return said;
}

Test(game_server, a_player_walks_and_always_has_ground) {
    const program_result *said =
        program_run(program_folder, "$LOAM put assets api/examples/forest.assets.json" AT
                                    " && $LOAM put world forest api/examples/forest.world.json" AT);
    cr_assert_eq(said->exit_code, 0, "%s", said->output);
    said = walk();
    cr_expect_gt(number_before(said, " cells came"), 40);
    cr_expect_eq(number_before(said, " of them from the disk"), 0);
    said = walk();
    cr_expect_gt(number_before(said, " of them from the disk"), 30);
}

Test(game_server, a_daemon_that_is_not_there_is_said) {
    const char *build = getenv("LOAM_BUILD");
    const program_result *said = program_run(
        program_folder, "%s/example/game_server http://127.0.0.1:1 forest trees 1 64 0 0 1 1",
        build != NULL ? build : "build");
    cr_expect_eq(said->exit_code, 1);
}
