/* SPDX-License-Identifier: MIT
 *
 * bake.c: see bake.h.
 */
#include "tests/support/bake.h"

#include "tests/support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char terrain[] =
    "{\"recipe\": \"heightmap.fbm\", \"seed\": \"11\", \"params\": {\"width\": 1025, \"height\": "
    "1025,"
    " \"spacing_m\": 8, \"wavelength_m\": 512, \"octaves\": 4, \"amplitude_m\": 60,"
    " \"base_m\": 600}}";

static const char world[] =
    "{\"seed\": \"%u\", \"graph\": {\"loam_graph\": 1, \"slots\": {\"terrain\": \"heightfield\"},"
    " \"nodes\": {"
    "\"sites\": {\"op\": \"surface.sample\", \"in\": {\"surface\": \"$terrain\"},"
    " \"params\": {\"spacing_m\": 0.6}},"
    "\"gentle\": {\"op\": \"filter.slope\", \"in\": {\"points\": \"sites\"},"
    " \"params\": {\"max_deg\": 25}},"
    "\"band\": {\"op\": \"filter.height\", \"in\": {\"points\": \"gentle\"},"
    " \"params\": {\"min_m\": 300, \"max_m\": 1400}},"
    "\"field\": {\"op\": \"density.noise\", \"in\": {\"points\": \"band\"},"
    " \"params\": {\"wavelength_m\": 96, \"octaves\": 2, \"contrast\": 1, \"bias\": 0.6}},"
    "\"drawn\": {\"op\": \"density.cull\", \"in\": {\"points\": \"field\"}},"
    "\"spaced\": {\"op\": \"self.prune\", \"in\": {\"points\": \"drawn\"},"
    " \"params\": {\"radius_m\": 1.2}},"
    "\"trees\": {\"op\": \"transform.scatter\", \"in\": {\"points\": \"spaced\"},"
    " \"params\": {\"scale_min\": 0.8, \"scale_max\": 1.6, \"tilt_max_deg\": 6,"
    " \"asset\": \"pine\"}}},"
    " \"outputs\": {\"trees\": {\"node\": \"trees\", \"level\": 0}}},"
    " \"slots\": {\"terrain\": \"hills\"},"
    " \"grid\": {\"levels\": [{\"cell_size_m\": 256}],"
    " \"bounds_m\": {\"min\": [0, 0], \"max\": [8192, 8192]}}}";

static const char job[] = "{\"world\": \"%s\", \"outputs\": [\"trees\"], \"level\": 0,"
                          " \"cells\": \"all\", \"priority\": %d}";

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void must(loam_status status, const loam_error *error) {
    if (status != LOAM_OK) {
        fprintf(stderr, "bake: %s %s\n", error->pointer, error->text);
        exit(1);
    }
}

static void put(loam_client *client, const char *path, const char *body) {
    loam_error error = {0};
    loam_client_response response;
    loam_client_request request = {.method = "PUT",
                                   .path = path,
                                   .content_type = "application/json",
                                   .body = body,
                                   .body_size = strlen(body)};
    must(loam_client_send(client, &request, &response, &error), &error);
    if (response.http_status >= 300) {
        fprintf(stderr, "bake: %s: %s\n", path, (const char *)response.body);
        exit(1);
    }
    loam_client_response_fini(&response);
}

loam_client *bake_connect(const char *folder) {
    loam_error error = {0};
    const program_result *port = program_run(folder, "cat $DIR/port");
    char url[64];
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d", atoi(port->output));
    loam_client *client = loam_client_create(&(loam_client_options){.base_url = url}, &error);
    must(client == NULL ? LOAM_IO : LOAM_OK, &error);
    return client;
}

void bake_put_hills(loam_client *client) {
    put(client, "/v1/assets/hills", terrain);
}

void bake_put_world(loam_client *client, const char *name, unsigned seed) {
    char path[128];
    char document[sizeof world + 16];
    (void)snprintf(path, sizeof path, "/v1/worlds/%s", name);
    (void)snprintf(document, sizeof document, world, seed);
    put(client, path, document);
}

double bake_run(loam_client *client, const char *name, int priority, loam_client_job *done) {
    char document[256];
    loam_error error = {0};
    loam_client_response response;
    (void)snprintf(document, sizeof document, job, name, priority);
    double start = now_s();
    must(loam_client_job_submit(client, document, done, &response, &error), &error);
    loam_client_response_fini(&response);
    must(loam_client_job_wait(client, done->id, NULL, NULL, done, &response, &error), &error);
    double seconds = now_s() - start;
    loam_client_response_fini(&response);
    if (done->state != LOAM_CLIENT_JOB_SUCCEEDED || done->done != BAKE_CELLS) {
        fprintf(stderr, "bake: the job ended %s\n", loam_client_job_state_name(done->state));
        exit(1);
    }
    return seconds;
}
