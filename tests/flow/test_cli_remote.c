/* SPDX-License-Identifier: MIT
 *
 * test_cli_remote.c: the program `loam` against a daemon: what it puts, fetches and waits for, and
 * that a cell is the same whether the daemon makes it or the program itself.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/program.h"

#define WORLD "api/examples/forest.world.json"
#define AT " --port-file $DIR/port"

static char folder[64];
static int daemon_pid;

static const program_result *expect(int exit_code, const char *line) {
    const program_result *result = program_run(folder, "%s", line);
    cr_assert_eq(result->exit_code, exit_code, "'%s' ended with %d: %s", line, result->exit_code,
                 result->output);
    return result;
}

static void expect_said(const program_result *result, const char *text) {
    cr_assert(program_said(result, text), "'%s' is not in: %s", text, result->output);
}

static void world_put(void) {
    expect(0, "$LOAM put asset forest-terrain api/examples/forest.terrain.json" AT);
    expect(0, "$LOAM put asset forest-village api/examples/village.geojson --kind areas "
              "--crs local" AT);
    expect(0, "$LOAM put world forest " WORLD AT);
}

static void daemon_begin(void) {
    program_folder_make(folder);
    daemon_pid = program_daemon_start(folder);
}

static void daemon_end(void) {
    cr_expect_eq(program_daemon_end(daemon_pid), 0);
    program_folder_remove(folder);
}

TestSuite(cli_remote, .init = daemon_begin, .fini = daemon_end, .timeout = 120);

Test(cli_remote, a_cell_is_the_same_from_the_daemon_and_made_here) {
    world_put();
    static const char fetch[] = "$LOAM cell forest --output trees --level 1 --x 24 --z 30 "
                                "-o $DIR/far.cell" AT;
    expect_said(expect(0, fetch), "fwd=miss");
    expect_said(expect(0, fetch), "hit");
    expect(0, "$LOAM cell " WORLD " --output trees --level 1 --x 24 --z 30 -o $DIR/near.cell");
    expect(0, "cmp $DIR/far.cell $DIR/near.cell");
    expect(0, "[ \"$($LOAM cell forest --output trees --level 1 --x 24 --z 30 --key" AT ")\" = "
              "\"$($LOAM cell " WORLD " --output trees --level 1 --x 24 --z 30 --key)\" ]");
    expect_said(expect(0, "$LOAM cell forest --output trees --level 1 --x 24 --z 30 --trace" AT),
                "transform.scatter");
}

Test(cli_remote, views_are_the_same_from_the_daemon_and_made_here) {
    static const char *const formats[] = {"json", "png", "csv", "glb"};
    world_put();
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const program_result *result =
            program_run(folder,
                        "$LOAM cell forest --output trees --level 1 --x 24 --z 30 --format %s "
                        "-o $DIR/far" AT " && $LOAM cell " WORLD " --output trees --level 1 --x 24 "
                        "--z 30 --format %s -o $DIR/near && cmp $DIR/far $DIR/near",
                        formats[i], formats[i]);
        cr_assert_eq(result->exit_code, 0, "%s: %s", formats[i], result->output);
    }
}

Test(cli_remote, a_place_is_explained_and_its_points_are_listed) {
    world_put();
#define PLACE " forest --output trees --x-m 1541 --z-m 1922 --radius-m 4" AT
    const program_result *told = expect(0, "$LOAM explain" PLACE);
    expect_said(told, "dropped by");
    expect_said(told, "distance ");
    expect_said(told, "kept");
    expect_said(expect(0, "$LOAM explain --json" PLACE), "\"truncated\":false");
    expect_said(expect(0, "$LOAM points --json" PLACE), "\"position_m\":");
    expect_said(expect(3, "$LOAM explain forest --output trees --x-m 1541 --z-m 1922 --radius-m "
                          "1000" AT),
                "[out-of-range]");
#undef PLACE
}

Test(cli_remote, an_asset_and_a_world_have_the_digests_that_they_have_offline) {
    world_put();
    expect(0, "$LOAM heightmap --seed 7 --width 513 --height 513 --spacing-m 8 --wavelength-m 3000 "
              "--octaves 7 --amplitude-m 680 --base-m 170 -o $DIR/t.asset > $DIR/digest");
    expect(0, "$LOAM get /v1/assets/forest-terrain" AT " | grep -q $(cat $DIR/digest)");
    expect(0, "$LOAM bake " WORLD " --output trees --level 1 --cells 0,0,0,0 -o $DIR/out");
    expect(0, "grep -q $($LOAM put world forest " WORLD AT " 2>$DIR/said) "
              "$DIR/out/manifest.json");
}

Test(cli_remote, raw_samples_are_put_by_the_options_that_heightmap_prints) {
    expect(0, "$LOAM heightmap --seed 9 --width 33 --height 17 -o $DIR/h.r16 > $DIR/options");
    expect(0, "$LOAM put asset h $DIR/h.r16 $(cat $DIR/options)" AT);
    expect(0, "$LOAM heightmap --seed 9 --width 33 --height 17 -o $DIR/h.png > $DIR/options");
    expect(0, "$LOAM put asset p $DIR/h.png $(cat $DIR/options)" AT);
    expect(0, "[ \"$($LOAM get /v1/assets/h" AT " | sed 's/\"name\":\"[hp]\"//')\" = "
              "\"$($LOAM get /v1/assets/p" AT " | sed 's/\"name\":\"[hp]\"//')\" ]");
}

Test(cli_remote, a_job_is_waited_for_and_its_results_are_listed) {
    world_put();
    static const char submit[] =
        "$LOAM job submit forest --output trees --level 1 --cells 20,20,23,22 ";
    (void)program_run(folder, "%s --wait" AT " 2>$DIR/progress > $DIR/id", submit);
    expect_said(expect(0, "cat $DIR/progress"), "12 of 12, succeeded");
    expect_said(expect(0, "$LOAM job get $(cat $DIR/id)" AT), "\"succeeded\"");
    expect(0, "[ $($LOAM job results $(cat $DIR/id)" AT " | wc -l) = 12 ]");
    expect(0, "[ $($LOAM job results $(cat $DIR/id) --after 10" AT " | wc -l) = 2 ]");
    const program_result *again = program_run(folder, "%s" AT " | cmp - $DIR/id", submit);
    cr_assert_eq(again->exit_code, 0, "the same request is the same job: %s", again->output);
    expect(0, "$LOAM job wait $(cat $DIR/id)" AT);
    expect(0, "$LOAM cell forest --output trees --level 1 --x 20 --z 20 --cached-only "
              "-o $DIR/x" AT);
}

Test(cli_remote, jobs_are_listed_and_rest_and_go_on) {
    world_put();
    expect(0, "$LOAM job submit forest --output trees" AT " > $DIR/id");
    expect(0, "$LOAM job pause $(cat $DIR/id)" AT);
    expect(0, "[ \"$($LOAM job list --state paused" AT " | cut -d' ' -f1)\" = $(cat $DIR/id) ]");
    expect_said(expect(0, "$LOAM job list --json" AT), "{\"jobs\":[{\"id\"");
    expect(0, "$LOAM job resume $(cat $DIR/id)" AT);
    expect(0, "[ -z \"$($LOAM job list --state paused" AT ")\" ]");
    expect_said(expect(3, "$LOAM job list --state idle" AT), "?state=");
    expect(0, "$LOAM job cancel $(cat $DIR/id)" AT);
}

Test(cli_remote, what_is_not_there_is_named) {
    expect_said(expect(3, "$LOAM cell nowhere --output trees" AT), "no world \"nowhere\"");
    expect_said(expect(3, "$LOAM world delete nowhere" AT), "no world \"nowhere\"");
    expect_said(expect(3, "$LOAM asset get nothing" AT), "no asset \"nothing\"");
    expect_said(expect(3, "$LOAM asset delete nothing" AT), "no asset \"nothing\"");
    world_put();
    expect_said(expect(3, "$LOAM world get forest --revision sha256-$(printf %064d 1)" AT),
                "\"forest\" has no such revision");
}

Test(cli_remote, points_are_rows_or_a_document) {
    world_put();
    static const char place[] = " forest --output trees --x-m 1541 --z-m 1922 --radius-m 4";
    const program_result *rows = program_run(folder, "$LOAM points%s" AT, place);
    cr_assert_eq(rows->exit_code, 0, "%s", rows->output);
    cr_expect(program_said(rows, "x_m"));
    const program_result *both =
        program_run(folder,
                    "[ $(($($LOAM points%s" AT " | wc -l) - 1)) = $($LOAM points%s --json" AT
                    " | grep -o '\"id\"' | wc -l) ]",
                    place, place);
    cr_expect_eq(both->exit_code, 0, "%s", both->output);
}

Test(cli_remote, dungeons_are_a_job_from_a_list_or_a_range_of_seeds) {
    expect(0, "echo '[{\"recipe\":\"maze\",\"seed\":\"1\"},{\"recipe\":\"maze\",\"seed\":\"2\"}]' "
              "> $DIR/list");
    expect(0, "$LOAM job dungeons $DIR/list --wait" AT " 2>$DIR/progress > $DIR/id");
    expect_said(expect(0, "cat $DIR/progress"), "2 of 2, succeeded");
    expect(0,
           "echo '{\"recipe\":\"maze\"}' | $LOAM job dungeons - --seeds 1,2" AT " | cmp - $DIR/id");
    expect(0, "$LOAM job results $(cat $DIR/id)" AT " | tail -1 | "
              "sed 's/.*\"build_key\":\"\\([^\"]*\\).*/\\1/' > $DIR/key");
    expect_said(expect(0, "$LOAM get /v1/dungeons/$(cat $DIR/key)" AT), "\"recipe\":\"maze\"");
    expect_said(expect(1, "$LOAM job dungeons $DIR/list --seeds 1,2" AT), "one request");
    expect_said(expect(1, "echo '{}' | $LOAM job dungeons - --seeds 2,1" AT), "FIRST,LAST");
    expect_said(expect(1, "echo '{}' | $LOAM job dungeons - --seeds 0,10000" AT), "at most 10000");
    expect_said(expect(1, "echo '[' | $LOAM job dungeons -" AT), "[malformed]");
    expect_said(expect(3, "echo '{\"recipe\":\"mase\"}' | $LOAM job dungeons - --seeds 1,2" AT),
                "/dungeons/0/recipe");
    expect_said(expect(3, "$LOAM job retry $(cat $DIR/id)" AT), "[bad-state]");
}

/* Pages of results have 4,096 lines. */
Test(cli_remote, all_results_are_listed) {
    expect(0, "echo '{\"recipe\":\"maze\",\"params\":{\"width\":8,\"height\":8}}' | "
              "$LOAM job dungeons - --seeds 1,4200 --wait" AT " > $DIR/id");
    expect(0, "[ $($LOAM job results $(cat $DIR/id)" AT " | wc -l) = 4200 ]");
}

Test(cli_remote, a_cancelled_job_ends_the_wait_with_a_failure) {
    world_put();
    expect(0, "$LOAM job submit forest --output trees --level 0" AT " > $DIR/id");
    expect(0, "$LOAM job cancel $(cat $DIR/id)" AT);
    expect_said(expect(1, "$LOAM job wait $(cat $DIR/id)" AT), "cancelled");
    expect(1, "$LOAM job wait $(cat $DIR/id) --json" AT " > $DIR/document");
    expect_said(expect(0, "cat $DIR/document"), "\"state\":\"cancelled\"");
}

typedef struct refusal {
    const char *line;
    const char *said;
} refusal;

Test(cli_remote, a_refusal_names_the_place_and_ends_with_3) {
    static const refusal refusals[] = {
        {"$LOAM get /v1/worlds/none" AT, "[not-found]"},
        {"$LOAM put world forest " WORLD AT, "/slots/"},
        {"sed s/self.prune/self.prine/ " WORLD " > $DIR/bad.json; "
         "$LOAM put world bad $DIR/bad.json" AT,
         "/graph/nodes/spaced/op"},
        {"$LOAM cell none --output trees" AT, "[not-found]"},
        {"$LOAM job get 0123" AT, "[not-found]"},
        {"$LOAM put asset v api/examples/village.geojson --kind areas" AT, "[crs-missing]"},
        {"echo x > $DIR/x.r16; $LOAM put asset x $DIR/x.r16 --kind heightfield --width 9 "
         "--height 9 --spacing-m 1 --offset-m 0 --scale-m 1 --encoding u16le --row0 south" AT,
         "[size-mismatch]"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        expect_said(expect(3, refusals[i].line), refusals[i].said);
    }
}

Test(cli_remote, the_address_is_taken_from_the_environment) {
    expect_said(expect(0, "LOAM_SERVER=127.0.0.1:$(cat $DIR/port) $LOAM get /v1/version"),
                "release");
    expect_said(expect(0, "$LOAM get /healthz/live --headers --server "
                          "http://127.0.0.1:$(cat $DIR/port)/"),
                "HTTP 200");
}

Test(cli_remote, waiting_for_a_process_that_is_gone_ends_at_once) {
    expect_said(expect(4, "sh -c 'exit 0' & p=$!; wait $p; "
                          "$LOAM wait-ready --port-file $DIR/none --pid $p"),
                "has ended");
    expect(4, "$LOAM wait-ready --port-file $DIR/none --timeout-s 0");
}

#define DUNGEON "$LOAM dungeon --recipe dungeon.rooms --seed 42 --param width=48 --view "

Test(cli_remote, a_dungeon_is_the_same_from_the_daemon_and_made_here) {
    static const char *const views[] = {"text", "json", "bytes", "tiled", "ldtk", "svg", "png"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        const program_result *far = program_run(folder, DUNGEON "%s -o $DIR/far" AT, views[i]);
        cr_assert_eq(far->exit_code, 0, "%s: %s", views[i], far->output);
        expect_said(far, "sha256-");
        cr_assert_eq(program_run(folder, DUNGEON "%s -o $DIR/near", views[i])->exit_code, 0);
        expect(0, "cmp $DIR/far $DIR/near");
    }
    expect_said(expect(3, "$LOAM dungeon --recipe dungeon.rooms --seed 42 --param width=1" AT),
                "/params/width");
}

#define AREA " --output trees --level 1 --cells 22,28,25,31"

Test(cli_remote, cells_come_into_a_folder_and_are_what_the_world_gives) {
    world_put();
    expect_said(expect(0, "$LOAM cells forest -o $DIR/far --cache $DIR/cache" AREA AT),
                "16 cells, ");
    expect_said(expect(0, "$LOAM cells forest -o $DIR/again --cache $DIR/cache" AREA AT),
                "16 from this disk");
    expect(0, "$LOAM bake " WORLD " -o $DIR/near" AREA);
    expect(0, "rm $DIR/near/manifest.json && diff -r $DIR/far $DIR/near && "
              "diff -r $DIR/far $DIR/again");
    expect_said(expect(0, "$LOAM cells forest -o $DIR/far --json" AREA AT), "\"cell\":[22,28]");
    expect_said(expect(3, "$LOAM cells forest --output trees --cells 9999,0,9999,0 -o $DIR/far" AT),
                "outside-world");
    expect(4, "$LOAM cells forest -o $DIR/none --server 127.0.0.1:1" AREA);
}

Test(cli_remote, cells_are_verified_from_a_folder_and_from_a_daemon) {
    world_put();
    expect(0, "$LOAM cells forest -o $DIR/far" AREA AT);
    expect_said(expect(0, "$LOAM verify " WORLD " $DIR/far --output trees --level 1"),
                "16 cells, 0 are not");
    expect_said(expect(0, "$LOAM verify " WORLD AREA AT), "16 cells, 0 are not");
    expect(0, "printf x | dd of=$DIR/far/23_29.cell bs=1 seek=99 conv=notrunc && "
              "rm $DIR/far/24_30.key && sed -i '1s/./x/' $DIR/far/25_31.key");
    const program_result *told = expect(1, "$LOAM verify " WORLD " $DIR/far --output trees "
                                           "--level 1");
    expect_said(told, "23/29: the digest is sha256-");
    expect_said(told, "24/30: cannot read ");
    expect_said(told, "25/31: the build key is xha256-");
    expect_said(told, "16 cells, 3 are not");
    expect(0,
           "sed 's/\"seed\": \"[0-9]*\"/\"seed\": \"12345\"/' " WORLD " > $DIR/forest.world.json");
    expect_said(expect(1, "$LOAM verify $DIR/forest.world.json --assets "
                          "api/examples/forest.assets.json" AREA AT),
                "16 cells, 16 are not");
    expect(1, "$LOAM verify " WORLD " $DIR/none --output trees");
    expect(2, "$LOAM verify " WORLD " --output trees" AT);
}

Test(cli_remote, worlds_and_assets_are_listed_and_taken_away) {
    world_put();
    expect_said(expect(0, "$LOAM world list" AT), "  forest");
    expect_said(expect(0, "$LOAM world list --json" AT), "{\"worlds\":[");
    expect_said(expect(0, "$LOAM world get forest" AT), "\"grid\"");
    expect_said(expect(0, "$LOAM world revisions forest" AT), "sha256-");
    expect(0, "$LOAM world get forest --revision $($LOAM world revisions forest" AT
              " | cut -d' ' -f1)" AT);
    expect_said(expect(0, "$LOAM asset list" AT), "heightfield");
    expect_said(expect(0, "$LOAM asset get forest-village" AT), "\"kind\":\"areas\"");
    expect(0, "[ $($LOAM asset content forest-village" AT " | $LOAM digest - | cut -d' ' -f1) = "
              "$($LOAM asset list" AT " | grep village | cut -d' ' -f1) ]");
    expect_said(expect(3, "$LOAM asset delete forest-village" AT), "in-use");
    expect(0, "$LOAM world delete forest" AT);
    expect(3, "$LOAM world get forest" AT);
    expect(0, "$LOAM asset delete forest-village" AT);
}

Test(cli_remote, a_daemon_is_measured_on_the_loopback_only) {
    world_put();
    expect_said(expect(0, "$LOAM bench forest --seconds 1" AREA AT), " 0 failed, in 1.");
    expect_said(expect(0, "$LOAM bench forest --seconds 1 --cold --json" AREA AT), "\"p99_us\":");
    expect_said(expect(1, "$LOAM bench forest --seconds 1 --server http://192.0.2.1:80" AREA),
                "is not this machine's loopback");
    expect(2, "$LOAM bench forest --seconds 61" AREA AT);
}

Test(cli_remote, a_trace_is_the_same_as_the_one_of_a_cell) {
    world_put();
    expect_said(expect(0, "$LOAM trace forest --output trees --level 1 --x 24 --z 30" AT),
                "transform.scatter");
    expect_said(expect(0, "$LOAM trace " WORLD " --output trees --level 1 --x 24 --z 30"),
                "transform.scatter");
}
