/* SPDX-License-Identifier: MIT
 *
 * forest_world.c: the world that tests over HTTP share.
 */
#include "tests/support/daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char terrain_json[] =
    "{\"recipe\": \"heightmap.fbm\", \"seed\": \"7\", \"params\": {\"width\": 129, \"height\": "
    "129, "
    "\"spacing_m\": 8, \"wavelength_m\": 900, \"octaves\": 5, \"amplitude_m\": 200, "
    "\"base_m\": 120}}";

static const char village_json[] =
    "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"id\": \"green\", "
    "\"properties\": {\"margin_m\": 4}, \"geometry\": {\"type\": \"Polygon\", \"coordinates\": "
    "[[[40, 40], [120, 40], [120, 110], [40, 110], [40, 40]]]}}]}";

static const char world_json[] =
    "{\"seed\": \"42\", \"graph\": {\"loam_graph\": 1, "
    "\"slots\": {\"terrain\": \"heightfield\", \"village\": \"areas\"}, \"nodes\": {"
    "\"sites\": {\"op\": \"surface.sample\", \"in\": {\"surface\": \"$terrain\"}, "
    "\"params\": {\"spacing_m\": 1.2}}, "
    "\"gentle\": {\"op\": \"filter.slope\", \"in\": {\"points\": \"sites\"}, "
    "\"params\": {\"max_deg\": 25}}, "
    "\"field\": {\"op\": \"density.noise\", \"in\": {\"points\": \"gentle\"}, "
    "\"params\": {\"wavelength_m\": 96, \"octaves\": 2}}, "
    "\"drawn\": {\"op\": \"density.cull\", \"in\": {\"points\": \"field\"}}, "
    "\"spaced\": {\"op\": \"self.prune\", \"in\": {\"points\": \"drawn\"}, "
    "\"params\": {\"radius_m\": 2.4}}, "
    "\"kept\": {\"op\": \"zone.exclude\", \"in\": {\"points\": \"spaced\", "
    "\"zones\": \"$village\"}}, "
    "\"trees\": {\"op\": \"transform.scatter\", \"in\": {\"points\": \"kept\"}, "
    "\"params\": {\"scale_min\": 0.8, \"scale_max\": 1.6, \"asset\": \"pine\"}}}, "
    "\"parameters\": {\"radius_m\": {\"node\": \"spaced\", \"key\": \"radius_m\"}}, "
    "\"outputs\": {\"trees\": {\"node\": \"trees\", \"level\": 0}}}, "
    "\"slots\": {\"terrain\": \"hills\", \"village\": \"huts\"}, "
    "\"grid\": {\"levels\": [{\"cell_size_m\": 256}, {\"cell_size_m\": 64}], "
    "\"bounds_m\": {\"min\": [0, 0], \"max\": [1024, 1024]}}}";

const char *forest_world_json(void) {
    return world_json;
}

static void expect_taken(answer of) {
    cr_assert(of.status == 200 || of.status == 201, "%d %s", of.status, of.body);
    answer_free(&of);
}

void forest_put(const test_daemon *daemon) {
    expect_taken(ask_json(daemon, "PUT", terrain_json, "/v1/assets/hills"));
    expect_taken(ask(daemon, "PUT",
                     &(ask_options){.body = village_json, .type = "application/geo+json"},
                     "/v1/assets/huts?kind=areas&crs=local"));
    expect_taken(ask_json(daemon, "PUT", world_json, "/v1/worlds/forest"));
}

void slow_put(const test_daemon *daemon, const char *unix_path, int cell_m) {
    char json[1024];
    snprintf(json, sizeof json,
             "{\"seed\": \"5\", \"graph\": {\"loam_graph\": 1, \"nodes\": {"
             "\"sites\": {\"op\": \"grid.sample\", \"params\": {\"spacing_m\": 0.6}}, "
             "\"field\": {\"op\": \"density.noise\", \"in\": {\"points\": \"sites\"}, "
             "\"params\": {\"wavelength_m\": 96, \"octaves\": 8}}, "
             "\"drawn\": {\"op\": \"density.cull\", \"in\": {\"points\": \"field\"}}, "
             "\"spaced\": {\"op\": \"self.prune\", \"in\": {\"points\": \"drawn\"}, "
             "\"params\": {\"radius_m\": 1.2}}}, "
             "\"outputs\": {\"trees\": {\"node\": \"spaced\", \"level\": 0}}}, "
             "\"grid\": {\"levels\": [{\"cell_size_m\": %d}], "
             "\"bounds_m\": {\"min\": [0, 0], \"max\": [8192, 8192]}}}",
             cell_m);
    expect_taken(
        ask(daemon, "PUT",
            &(ask_options){.body = json, .type = "application/json", .unix_path = unix_path},
            "/v1/worlds/slow"));
}

void gates_put(const test_daemon *daemon, const char *features) {
    expect_taken(ask(daemon, "PUT",
                     &(ask_options){.body = features, .type = "application/geo+json"},
                     "/v1/assets/gates?kind=points&crs=local"));
}

answer dark_put(const test_daemon *daemon, const char *dungeons) {
    static char json[16384];
    const char *at = strstr(world_json, "\"grid\"");
    snprintf(json, sizeof json, "%.*s\"dungeons\": %s, %s", (int)(at - world_json), world_json,
             dungeons, at);
    return ask_json(daemon, "PUT", json, "/v1/worlds/dark");
}
