/* SPDX-License-Identifier: MIT
 *
 * commands.c: the table of commands: names, options and help. What is not in this table does not
 * exist.
 */
#include "api/cli/command.h"

#include <stddef.h>

const cli_option cli_remote_options[] = {
    {"server", "URL", "the daemon's address, http://HOST:PORT or unix:/PATH", false},
    {"unix", "PATH", "the daemon's unix socket", false},
    {"port-file", "FILE", "take the port that loamd wrote to FILE, on this machine", false},
    {"token-file", "FILE", "send the token that is FILE's one line", false},
    {"json", NULL, "print documents instead of lines for people", false},
    {NULL, NULL, NULL, false},
};

const cli_fact cli_exit_codes[] = {
    {"0", "done"},
    {"1", "it failed, or what was looked at is not as it should be"},
    {"2", "the command line is wrong"},
    {"3", "the daemon said no"},
    {"4", "the daemon did not answer"},
    {NULL, NULL},
};

const cli_fact cli_environment[] = {
    {"LOAM_SERVER", "the daemon's address (http://HOST:PORT or unix:/PATH), where no option names "
                    "one; without it http://127.0.0.1:7373"},
    {"LOAM_TOKEN", "sent as a bearer token, where --token-file names none"},
    {"LOAM_CA_FILE", "certificates to believe an https daemon by, instead of the system's"},
    {NULL, NULL},
};

/* What every command takes that reads a world from a file. */
#define WORLD_OPTIONS                                                                              \
    {"output", "NAME", "which output of the graph", true},                                         \
        {"assets", "FILE",                                                                         \
         "describes the world's assets (default: NAME.assets.json "                                \
         "beside NAME.world.json)",                                                                \
         false},                                                                                   \
        {"simd", "LEVEL", "force best, baseline, avx2 or avx512; results are equal", false}, {     \
        "general", NULL, "take no fast path; results are equal", false                             \
    }

#define END_OF_OPTIONS                                                                             \
    { NULL, NULL, NULL, false }

static const cli_option heightmap_options[] = {
    {"seed", "N", "0 to 18446744073709551615", true},
    {"o", "FILE",
     ".r16 (u16 little endian), .png (16-bit gray) or .asset "
     "(the exact heights in canonical bytes)",
     true},
    END_OF_OPTIONS,
};

static const cli_option cell_options[] = {
    WORLD_OPTIONS,
    {"level", "N", "level of the grid (0)", false},
    {"x", "N", "column of the cell (0); negative ones are legal", false},
    {"z", "N", "row of the cell (0)", false},
    {"o", "FILE", "where the data goes (stdout)", false},
    {"format", "NAME", "cell (canonical bytes), json, png, csv or glb (cell)", false},
    {"key", NULL, "print the build key and nothing else", false},
    {"trace", NULL, "show what every node did", false},
    {"no-checks", NULL, "here: do not hold the cell against the world's checks", false},
    {"revision", "DIGEST", "of the world, from a daemon (the newest)", false},
    {"cached-only", NULL, "from a daemon: only when it is built already", false},
    {"cache", "DIR", "from a daemon: keep cells there by digest, and take them from there", false},
    END_OF_OPTIONS,
};

static const cli_option trace_options[] = {
    WORLD_OPTIONS,
    {"level", "N", "level of the grid (0)", false},
    {"x", "N", "column of the cell (0); negative ones are legal", false},
    {"z", "N", "row of the cell (0)", false},
    END_OF_OPTIONS,
};

static const cli_option cells_options[] = {
    {"output", "NAME", "which output of the graph", true},
    {"cells", "X0,Z0,X1,Z1", "first and last cell, inclusive", true},
    {"level", "N", "level of the grid (0)", false},
    {"o", "DIR", "the folder, made when missing", true},
    {"revision", "DIGEST", "of the world (the newest)", false},
    {"cached-only", NULL, "only cells that are built already", false},
    {"cache", "DIR", "keep cells there by digest, and take them from there", false},
    END_OF_OPTIONS,
};

static const cli_option verify_options[] = {
    WORLD_OPTIONS,
    {"level", "N", "level of the grid (0)", false},
    {"cells", "X0,Z0,X1,Z1", "first and last cell, inclusive (all that are in DIR)", false},
    {"as", "NAME", "what the daemon calls the world (the file's name up to its first dot)", false},
    {"workers", "N", "threads (one a processor)", false},
    END_OF_OPTIONS,
};

static const cli_option bench_options[] = {
    {"output", "NAME", "which output of the graph", true},
    {"cells", "X0,Z0,X1,Z1", "cells that are asked for in turn", true},
    {"level", "N", "level of the grid (0)", false},
    {"revision", "DIGEST", "of the world (the newest)", false},
    {"connections", "N", "requests under way at one time (8, at most 64)", false},
    {"seconds", "N", "for how long (5, at most 60)", false},
    {"cold", NULL, "do not ask for each cell once before", false},
    END_OF_OPTIONS,
};

static const cli_option gc_options[] = {
    {"bytes", "N", "how many may stay in use", true},
    END_OF_OPTIONS,
};

static const cli_option scrub_options[] = {
    {"bytes-per-s", "N", "how many are read in a second (67108864)", false},
    END_OF_OPTIONS,
};

static const cli_option list_options[] = {
    {"after", "NAME", "only what comes after that name", false},
    END_OF_OPTIONS,
};

static const cli_option world_get_options[] = {
    {"revision", "DIGEST", "that one, not the newest", false},
    END_OF_OPTIONS,
};

static const cli_option content_options[] = {
    {"o", "FILE", "where it goes (stdout)", false},
    END_OF_OPTIONS,
};

static const cli_option place_options[] = {
    {"output", "NAME", "which output of the graph", true},
    {"x-m", "M", "east", true},
    {"z-m", "M", "north", true},
    {"radius-m", "M", "around it: at most 64 for explain, 512 for points", true},
    END_OF_OPTIONS,
};

static const cli_option bake_options[] = {
    WORLD_OPTIONS,
    {"cells", "X0,Z0,X1,Z1", "first and last cell, inclusive", true},
    {"level", "N", "level of the grid (0)", false},
    {"o", "DIR", "the folder, made when missing", true},
    {"workers", "N", "threads (one a processor); the bytes are equal", false},
    {"no-checks", NULL, "do not hold cells against the world's checks", false},
    END_OF_OPTIONS,
};

static const cli_option picture_options[] = {
    WORLD_OPTIONS,
    {"area", "X0,Z0,X1,Z1", "south-west and north-east corner, whole metres", true},
    {"pixels", "W", "width of the picture (1024)", false},
    {"o", "FILE", "the PNG", true},
    {"workers", "N", "threads (one a processor)", false},
    END_OF_OPTIONS,
};

static const cli_option graph_check_options[] = {
    {"cell-size-m", "N", "estimate a cell of this side (256)", false},
    END_OF_OPTIONS,
};

static const cli_option graph_write_options[] = {
    {"o", "FILE", "where it goes (stdout)", false},
    END_OF_OPTIONS,
};

static const cli_option dungeon_options[] = {
    {"recipe", "NAME", "dungeon.rooms, cave.cellular, ...: see 'loam operations'", true},
    {"seed", "SEED", "a number below 2^64", true},
    {"param", "NAME=VALUE", "a parameter of the recipe; @FILE for a document; as often as needed",
     false},
    {"policy", "POLICY", "strict, degraded or fallback (degraded)", false},
    {"view", "VIEW", "text, json, bytes, tiled, ldtk, svg or png (text)", false},
    {"o", "FILE", "where it goes (stdout)", false},
    END_OF_OPTIONS,
};

static const cli_option graph_fmt_options[] = {
    {"o", "FILE", "where it goes (stdout)", false},
    {"notes", NULL, "say on stderr what was added: versions and defaults", false},
    END_OF_OPTIONS,
};

static const cli_option operations_options[] = {
    {"json", NULL, "print the schema as the daemon serves it", false},
    END_OF_OPTIONS,
};

static const cli_option put_asset_options[] = {
    {"kind", "KIND", "heightfield, areas, lines, points or rules", false},
    {"crs", "NAME", "local: GeoJSON in metres [x, z]", false},
    {"width", "N", "samples in a row (raw heights)", false},
    {"height", "N", "rows (raw heights)", false},
    {"spacing-m", "M", "between two samples", false},
    {"offset-m", "M", "height of sample value 0", false},
    {"scale-m", "M", "height of a step of the sample value", false},
    {"encoding", "NAME", "u16le, u16be or f32le (raw heights)", false},
    {"row0", "SIDE", "north or south: where the first row lies", false},
    {"origin-x-m", "M", "the south-west sample (0)", false},
    {"origin-z-m", "M", "the south-west sample (0)", false},
    END_OF_OPTIONS,
};

static const cli_option get_options[] = {
    {"accept", "TYPE", "the media type to ask for", false},
    {"headers", NULL, "show the answer's headers on stderr", false},
    {"o", "FILE", "where the body goes (stdout)", false},
    END_OF_OPTIONS,
};

static const cli_option job_submit_options[] = {
    {"output", "NAME", "which output of the graph", true},
    {"level", "N", "level of the grid (the output's own)", false},
    {"cells", "X0,Z0,X1,Z1", "first and last cell, inclusive (all of the world)", false},
    {"revision", "DIGEST", "of the world (the newest)", false},
    {"priority", "N", "0 to 9", false},
    {"discard", NULL, "results may leave the cache (\"keep\": false)", false},
    {"wait", NULL, "wait for the end, with a progress bar", false},
    END_OF_OPTIONS,
};

static const cli_option job_dungeons_options[] = {
    {"seeds", "FIRST,LAST", "the one request of FILE with each of these seeds", false},
    {"priority", "N", "0 to 9", false},
    {"discard", NULL, "results may leave the cache (\"keep\": false)", false},
    {"wait", NULL, "wait for the end, with a progress bar", false},
    END_OF_OPTIONS,
};

static const cli_option job_results_options[] = {
    {"after", "N", "only results with a larger n", false},
    END_OF_OPTIONS,
};

static const cli_option token_options[] = {
    {"scopes", "LIST", "read, generate, upload, server, admin, with commas between (read)", false},
    {"worlds", "LIST", "only these worlds, with commas between (all)", false},
    {"requests", "N", "requests at one time", false},
    {"jobs", "N", "jobs under way", false},
    {"asset-bytes", "N", "bytes of assets a day; K, M, G, T are powers of 1,024", false},
    {"world-count", "N", "worlds a day", false},
    {"core-seconds", "N", "of generation a minute", false},
    {"file", "FILE", "put the line at the end of FILE instead of printing it", false},
    END_OF_OPTIONS,
};

static const cli_option wait_ready_options[] = {
    {"timeout-s", "N", "how long to wait (30)", false},
    {"pid", "N", "give up when this process has ended", false},
    END_OF_OPTIONS,
};

const cli_command cli_commands[] = {
    {.name = "heightmap",
     .operands = "",
     .summary = "make a terrain from a seed",
     .details = "Runs the recipe heightmap.fbm. A .r16 or .png holds 16-bit steps; offset and\n"
                "scale are printed as the options that 'loam put asset' takes. A sample depends\n"
                "on its place and the parameters, not on where the field begins.",
     .examples = "  # 4 km at 8 m\n"
                 "  loam heightmap --seed 7 --width 513 --height 513 --spacing-m 8 \\\n"
                 "    --wavelength-m 3000 --octaves 7 --amplitude-m 680 --base-m 170 -o hills.png",
     .options = heightmap_options,
     .recipe = "heightmap.fbm",
     .run = command_heightmap_run},
    {.name = "dungeon",
     .operands = "",
     .summary = "build a dungeon or a cave and show it, or fetch it from a daemon",
     .details = "The same recipe, seed and parameters give the same dungeon everywhere. Its build\n"
                "key and what was built are said on stderr; a daemon is asked where one is named.",
     .examples = "  loam dungeon --recipe dungeon.rooms --seed 42\n"
                 "  loam dungeon --recipe cave.cellular --seed 7 --param width=96 \\\n"
                 "    --param wall_percent=47 --view json -o cave.json",
     .options = dungeon_options,
     .remote = true,
     .run = command_dungeon_run},
    {.name = "cell",
     .operands = "WORLD",
     .summary = "generate one cell, or fetch it from a daemon",
     .details =
         "WORLD is a file (generated here) or the name of a world in a daemon. Either way\n"
         "the bytes are the same. What is fetched is checked against its digest. A cell that\n"
         "fails the checks of its world is written and told here, with exit code 1 unless\n"
         "they only warn; a daemon refuses it.",
     .examples = "  # here, without a daemon\n"
                 "  loam cell api/examples/forest.world.json --output trees --x 3 --z 5 -o a.cell\n"
                 "  # the same cell of a daemon, and its JSON\n"
                 "  loam cell forest --output trees --x 3 --z 5 --server 127.0.0.1:7373 -o b.cell\n"
                 "  loam cell forest --output trees --x 3 --z 5 --format json\n"
                 "  # why is it empty?\n"
                 "  loam cell forest.world.json --output trees --x 3 --z 5 --trace -o a.cell",
     .options = cell_options,
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_cell_run},
    {.name = "cells",
     .operands = "WORLD",
     .summary = "fetch a rectangle of cells from a daemon into a folder",
     .details =
         "Writes X_Z.cell and X_Z.key for every cell, several at a time, each checked\n"
         "against its digest. Cells that the daemon refuses are told and left out; the exit\n"
         "code is then 3. With --json a line for each cell.",
     .examples =
         "  loam cells forest --output trees --cells 0,0,15,15 -o out\n"
         "  loam cells forest --output trees --cells 0,0,15,15 -o out --cache ~/.cache/loam",
     .options = cells_options,
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_cells_run},
    {.name = "trace",
     .operands = "WORLD",
     .summary = "show what every node did to a cell",
     .details = "WORLD is a file or the name of a world in a daemon, as for 'loam cell'.",
     .examples = "  loam trace api/examples/forest.world.json --output trees --x 3 --z 5\n"
                 "  loam trace forest --output trees --x 3 --z 5 --server 127.0.0.1:7373",
     .options = trace_options,
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_cell_run},
    {.name = "verify",
     .operands = "WORLD.json [DIR]",
     .summary = "make cells anew and hold others against them",
     .details =
         "The world's own file decides. DIR is a folder of 'loam bake' or 'loam cells'; without\n"
         "it a daemon is asked for --cells. Every cell must have the same bytes and the same\n"
         "build key; those that have not are listed, and the exit code is 1.",
     .examples = "  loam verify api/examples/forest.world.json out --output trees\n"
                 "  loam verify api/examples/forest.world.json --output trees --cells 0,0,7,7 \\\n"
                 "    --server 127.0.0.1:7373",
     .options = verify_options,
     .operand_min = 1,
     .operand_max = 2,
     .remote = true,
     .run = command_verify_run},
    {.name = "bench",
     .operands = "WORLD",
     .summary = "measure how fast a daemon of this machine gives cells",
     .details =
         "So many requests are always under way; every answer is hashed. Each cell is asked\n"
         "for once before, so that building is not measured. Only the loopback is asked.",
     .examples = "  loam bench forest --output trees --cells 0,0,7,7 --connections 16 --seconds 5",
     .options = bench_options,
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_bench_run},
    {.name = "explain",
     .operands = "WORLD",
     .summary = "why is there no tree here?",
     .details = "Asks a daemon for every candidate near a place: kept, or which node dropped it,\n"
                "what was measured there and the limit.",
     .examples = "  loam explain forest --output trees --x-m 1541 --z-m 1922 --radius-m 3",
     .options = place_options,
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_explain_run},
    {.name = "points",
     .operands = "WORLD",
     .summary = "list the points around a place, nearest first",
     .details = "",
     .examples = "  loam points forest --output trees --x-m 1541 --z-m 1922 --radius-m 10",
     .options = place_options,
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_points_run},
    {.name = "bake",
     .operands = "WORLD.json",
     .summary = "generate a rectangle of cells into a folder",
     .details =
         "Writes X_Z.cell and X_Z.key for every cell, and manifest.json with keys and\n"
         "digests. A cell whose key is unchanged is kept, so the command can be repeated\n"
         "after an edit or an interrupt and makes only what is missing. Cells that fail the\n"
         "world's checks are written, listed and marked in the manifest; the exit code is\n"
         "then 1, unless the checks only warn.",
     .examples =
         "  loam bake api/examples/forest.world.json --output trees --cells 0,0,15,15 -o out",
     .options = bake_options,
     .operand_min = 1,
     .operand_max = 1,
     .run = command_bake_run},
    {.name = "picture",
     .operands = "WORLD.json",
     .summary = "draw a region: hillshade with the points on it",
     .details = "The first heightfield of the graph gives the ground. North is up.",
     .examples = "  loam picture api/examples/forest.world.json --output trees \\\n"
                 "    --area 0,0,4096,4096 --pixels 1024 -o world.png",
     .options = picture_options,
     .operand_min = 1,
     .operand_max = 1,
     .run = command_picture_run},
    {.name = "graph check",
     .operands = "FILE",
     .summary = "name every fault of a graph, its reach and its cost",
     .details = "Each fault comes with its JSON pointer. Exit code 1 when there are any.",
     .examples = "  loam graph check api/examples/forest.graph.json",
     .options = graph_check_options,
     .operand_min = 1,
     .operand_max = 1,
     .run = command_graph_check_run},
    {.name = "graph fmt",
     .operands = "FILE",
     .summary = "print a graph's canonical document",
     .details = "Defaults and versions written out, names sorted, numbers exact. It can be sent\n"
                "again and is its own canonical form. So an older document is brought up to date;\n"
                "--notes lists what it did not say.",
     .examples = "  loam graph fmt --notes api/examples/forest.graph.json",
     .options = graph_fmt_options,
     .operand_min = 1,
     .operand_max = 1,
     .run = command_graph_fmt_run},
    {.name = "graph compile",
     .operands = "FILE",
     .summary = "write a graph in binary form, for hosts without JSON",
     .details = "loam_graph_decode of libloam.a reads it.",
     .examples = "  loam graph compile api/examples/forest.graph.json -o forest.graph",
     .options = graph_write_options,
     .operand_min = 1,
     .operand_max = 1,
     .run = command_graph_compile_run},
    {.name = "graph dot",
     .operands = "FILE",
     .summary = "draw a graph as Graphviz text",
     .details = "Slots, nodes with their operations, an arrow for each input. A graph in the\n"
                "graph has a frame around its nodes.",
     .examples = "  loam graph dot api/examples/forest.graph.json | dot -Tsvg -o forest.svg",
     .options = graph_write_options,
     .operand_min = 1,
     .operand_max = 1,
     .run = command_graph_dot_run},
    {.name = "graph rename",
     .operands = "FILE OLD NEW",
     .summary = "give a node another name and keep its points",
     .details = "Prints the canonical document. A node draws by its name, so the seed that the\n"
                "old name gave is written down: every cell stays as it was.",
     .examples = "  loam graph rename forest.graph.json drawn thinned -o forest.graph.json",
     .options = graph_write_options,
     .operand_min = 3,
     .operand_max = 3,
     .run = command_graph_rename_run},
    {.name = "operations",
     .operands = "[NAME]",
     .summary = "list operations and recipes, or explain one",
     .details = "",
     .examples = "  loam operations\n  loam operations self.prune",
     .options = operations_options,
     .operand_max = 1,
     .run = command_operations_run},
    {.name = "put asset",
     .operands = "NAME FILE",
     .summary = "give a daemon an asset",
     .details =
         "FILE.png is a 16-bit gray picture, FILE.geojson has features in metres, FILE.json\n"
         "is a recipe (or rules, with --kind rules), anything else raw heights. The options\n"
         "are the query parameters of PUT /v1/assets. Prints the asset's digest.",
     .examples =
         "  loam put asset hills forest.terrain.json\n"
         "  loam put asset village village.geojson --kind areas --crs local\n"
         "  loam put asset coast coast.r16 --kind heightfield --width 513 --height 513 \\\n"
         "    --spacing-m 30 --offset-m -11 --scale-m 0.015625 --encoding u16le --row0 north",
     .options = put_asset_options,
     .operand_min = 2,
     .operand_max = 2,
     .remote = true,
     .run = command_put_asset_run},
    {.name = "put assets",
     .operands = "FILE",
     .summary = "give a daemon all that an assets file describes",
     .details = "FILE is what --assets of the offline commands takes: NAME.assets.json. Prints\n"
                "digest and name of each; the first that is refused ends it.",
     .examples = "  loam put assets api/examples/shore.assets.json\n"
                 "  loam put world shore api/examples/shore.world.json",
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_put_assets_run},
    {.name = "put world",
     .operands = "NAME FILE",
     .summary = "give a daemon a world",
     .details = "Prints the revision. Its assets must be there.",
     .examples = "  loam put world forest api/examples/forest.world.json",
     .operand_min = 2,
     .operand_max = 2,
     .remote = true,
     .run = command_put_world_run},
    {.name = "put graph",
     .operands = "FILE",
     .summary = "give a daemon a graph",
     .details = "Prints its digest, which worlds may name.",
     .examples = "  loam put graph api/examples/forest.graph.json",
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_put_graph_run},
    {.name = "world list",
     .operands = "",
     .summary = "list a daemon's worlds",
     .details = "A line a world: its newest revision and its name.",
     .examples = "  loam world list",
     .options = list_options,
     .remote = true,
     .run = command_world_list_run},
    {.name = "world get",
     .operands = "NAME",
     .summary = "show a world's document",
     .details = "",
     .examples = "  loam world get forest",
     .options = world_get_options,
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_world_get_run},
    {.name = "world revisions",
     .operands = "NAME",
     .summary = "list a world's revisions, the newest first",
     .details = "",
     .examples = "  loam world revisions forest",
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_world_revisions_run},
    {.name = "world delete",
     .operands = "NAME",
     .summary = "take a world from a daemon",
     .details = "",
     .examples = "  loam world delete forest",
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_world_delete_run},
    {.name = "asset list",
     .operands = "",
     .summary = "list a daemon's assets",
     .details = "A line an asset: digest, kind, bytes and name.",
     .examples = "  loam asset list",
     .options = list_options,
     .remote = true,
     .run = command_asset_list_run},
    {.name = "asset get",
     .operands = "NAME",
     .summary = "show what a daemon knows of an asset",
     .details = "NAME is a name or a digest.",
     .examples = "  loam asset get hills",
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_asset_get_run},
    {.name = "asset content",
     .operands = "NAME",
     .summary = "fetch an asset's canonical bytes",
     .details = "NAME is a name or a digest.",
     .examples = "  loam asset content hills -o hills.asset",
     .options = content_options,
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_asset_content_run},
    {.name = "asset delete",
     .operands = "NAME",
     .summary = "take an asset from a daemon",
     .details = "Not while a world needs it.",
     .examples = "  loam asset delete hills",
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_asset_delete_run},
    {.name = "get",
     .operands = "PATH",
     .summary = "fetch any path of a daemon",
     .details = "",
     .examples = "  loam get /v1/version\n"
                 "  loam get /v1/worlds/forest --headers\n"
                 "  loam get /v1/worlds/forest/cells/0/3/5/trees --accept image/png -o cell.png",
     .options = get_options,
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_get_run},
    {.name = "job submit",
     .operands = "WORLD",
     .summary = "have a daemon bake cells",
     .details = "Prints the job's id. The same request again is the same job.",
     .examples = "  loam job submit forest --output trees --cells 0,0,15,15 --wait",
     .options = job_submit_options,
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_job_submit_run},
    {.name = "job dungeons",
     .operands = "FILE",
     .summary = "have a daemon build dungeons",
     .details =
         "FILE (- is stdin) holds a list of requests as of POST /v1/dungeons, or one of "
         "them. Prints the\njob's id. The same dungeons again are the same job; each is then "
         "'loam get /v1/dungeons/KEY'\nwith the build key that 'loam job results' says.",
     .examples = "  loam job dungeons dungeons.json --wait\n"
                 "  echo '{\"recipe\": \"dungeon.rooms\"}' | loam job dungeons - --seeds 1,1000",
     .options = job_dungeons_options,
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_job_dungeons_run},
    {.name = "job wait",
     .operands = "ID",
     .summary = "wait for a job, with a progress bar",
     .details = "Exit code 1 when it failed or was cancelled. The job goes on when the wait ends.",
     .examples = "  loam job wait 0123456789abcdef",
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_job_wait_run},
    {.name = "job get",
     .operands = "ID",
     .summary = "show a job",
     .details = "",
     .examples = "  loam job get 0123456789abcdef",
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_job_get_run},
    {.name = "job cancel",
     .operands = "ID",
     .summary = "cancel a job",
     .details = "Cells that are built stay.",
     .examples = "  loam job cancel 0123456789abcdef",
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_job_cancel_run},
    {.name = "job retry",
     .operands = "ID",
     .summary = "build again what failed in a job",
     .details = "",
     .examples = "  loam job retry 0123456789abcdef",
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_job_retry_run},
    {.name = "job results",
     .operands = "ID",
     .summary = "list a job's results, one JSON object a line",
     .details = "In the order of completion, cached ones included.",
     .examples = "  loam job results 0123456789abcdef --after 100",
     .options = job_results_options,
     .operand_min = 1,
     .operand_max = 1,
     .remote = true,
     .run = command_job_results_run},
    {.name = "digest",
     .operands = "FILE...",
     .summary = "print the digest of files (- is stdin)",
     .details = "'sha256-' and the SHA-256 of the bytes: what ETag and Loam-Digest of a cell say.",
     .examples = "  loam digest a.cell b.cell",
     .operand_min = 1,
     .operand_max = 8,
     .run = command_digest_run},
    {.name = "token new",
     .operands = "ID",
     .summary = "make a token for a daemon with --tokens",
     .details =
         "Prints the token, which is not kept anywhere, and below it the line for the daemon's\n"
         "file, which has its digest alone. Two lines of one ID are two tokens of one owner:\n"
         "add the new one, hand it out, take the old one away; SIGHUP makes loamd read the\n"
         "file again.",
     .examples = "  loam token new farm --scopes read,generate --file tokens\n"
                 "  loam token new studio --scopes read,upload --worlds coast,forest",
     .options = token_options,
     .operand_min = 1,
     .operand_max = 1,
     .run = command_token_new_run},
    {.name = "admin stats",
     .operands = "",
     .summary = "show how a daemon does",
     .details = "Over its unix socket, as its own user or root; so do the other admin commands.",
     .examples = "  loam admin stats --unix /run/loam/socket",
     .remote = true,
     .run = command_admin_stats_run},
    {.name = "admin gc",
     .operands = "",
     .summary = "evict results from a daemon's cache",
     .details =
         "The oldest first, until N bytes are in use; nothing that a job pins. The file keeps\n"
         "its size: what is free in it is used again.",
     .examples = "  loam admin gc --bytes 1000000000 --unix /run/loam/socket",
     .options = gc_options,
     .remote = true,
     .run = command_admin_gc_run},
    {.name = "admin scrub",
     .operands = "",
     .summary = "hold everything that a daemon stores against its digest",
     .details =
         "Damaged results go and are built again; a damaged asset's file is set aside\n"
         "(*.damaged): put the asset again. Exit code 1 when anything was damaged or missing.",
     .examples = "  loam admin scrub --unix /run/loam/socket --bytes-per-s 10000000",
     .options = scrub_options,
     .remote = true,
     .run = command_admin_scrub_run},
    {.name = "admin backup",
     .operands = "",
     .summary = "copy what a daemon cannot make again",
     .details =
         "Worlds, jobs, assets and keys, into a new folder of the daemon's --backup-dir, while\n"
         "it runs. Restore: start loamd with --data on a copy of that folder. Exit code 1 when\n"
         "an asset was damaged or missing.",
     .examples = "  loam admin backup --unix /run/loam/socket",
     .remote = true,
     .run = command_admin_backup_run},
    {.name = "wait-ready",
     .operands = "",
     .summary = "wait until a daemon answers",
     .details = "",
     .examples = "  loamd --listen 127.0.0.1:0 --data d --port-file port & \n"
                 "  loam wait-ready --port-file port --pid $!",
     .options = wait_ready_options,
     .remote = true,
     .run = command_wait_ready_run},
    {.name = "completion",
     .operands = "bash",
     .summary = "print what a shell completes",
     .details = "Made from the table that also makes these texts.",
     .examples = "  source <(loam completion bash)",
     .operand_min = 1,
     .operand_max = 1,
     .run = command_completion_run},
    {.name = "manual",
     .operands = "",
     .summary = "print the manual page loam(1)",
     .details = "Made from the table that also makes these texts.",
     .examples = "  loam manual | man -l -",
     .run = command_manual_run},
    {.name = NULL},
};
