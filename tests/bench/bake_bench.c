/* SPDX-License-Identifier: MIT
 *
 * bake_bench.c: a continent at night. A real loamd with two workers bakes 1,024 dense cells of 256
 * m (about 20,000 instances each) as one job, durable in its store; then the same job again, all
 * hits, under another priority. Lines of name, value, unit.
 */
#include "api/client/loam_client.h"
#include "tests/support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELLS = 1024 };

static const char terrain[] =
    "{\"recipe\": \"heightmap.fbm\", \"seed\": \"11\", \"params\": {\"width\": 1025, \"height\": "
    "1025,"
    " \"spacing_m\": 8, \"wavelength_m\": 512, \"octaves\": 4, \"amplitude_m\": 60,"
    " \"base_m\": 600}}";

static const char world[] =
    "{\"seed\": \"3\", \"graph\": {\"loam_graph\": 1, \"slots\": {\"terrain\": \"heightfield\"},"
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

static const char job[] = "{\"world\": \"dense\", \"outputs\": [\"trees\"], \"level\": 0,"
                          " \"cells\": \"all\", \"priority\": %d}";

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The daemon that is running; ended however this program ends. */
static int daemon_pid;
static char folder[64];

static void tear_down(void) {
    if (daemon_pid != 0) {
        (void)program_daemon_end(daemon_pid);
    }
    program_folder_remove(folder);
}

static void must(loam_status status, const loam_error *error) {
    if (status != LOAM_OK) {
        fprintf(stderr, "bake_bench: %s %s\n", error->pointer, error->text);
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
        fprintf(stderr, "bake_bench: %s: %s\n", path, (const char *)response.body);
        exit(1);
    }
    loam_client_response_fini(&response);
}

/* Seconds from the submission to the end that a client sees. */
static double bake(loam_client *client, int priority, loam_client_job *done) {
    char document[256];
    loam_error error = {0};
    loam_client_response response;
    (void)snprintf(document, sizeof document, job, priority);
    double start = now_s();
    must(loam_client_job_submit(client, document, done, &response, &error), &error);
    loam_client_response_fini(&response);
    must(loam_client_job_wait(client, done->id, NULL, NULL, done, &response, &error), &error);
    double seconds = now_s() - start;
    loam_client_response_fini(&response);
    if (done->state != LOAM_CLIENT_JOB_SUCCEEDED || done->done != CELLS) {
        fprintf(stderr, "bake_bench: the job ended %s\n", loam_client_job_state_name(done->state));
        exit(1);
    }
    return seconds;
}

static loam_client *connect_to(void) {
    loam_error error = {0};
    const program_result *port = program_run(folder, "cat $DIR/port");
    char url[64];
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d", atoi(port->output));
    loam_client *client = loam_client_create(&(loam_client_options){.base_url = url}, &error);
    must(client == NULL ? LOAM_IO : LOAM_OK, &error);
    return client;
}

int main(void) {
    loam_client_job done;
    program_folder_make(folder);
    if (atexit(tear_down) != 0) {
        return 1;
    }
    daemon_pid = program_daemon_start(folder);
    loam_client *client = connect_to();
    put(client, "/v1/assets/hills", terrain);
    put(client, "/v1/worlds/dense", world);
    double cold = bake(client, 5, &done);
    printf("bake_%d_cells\t%.2f\ts\n", CELLS, cold);
    printf("bake_cells_per_second\t%.0f\tcells/s\n", CELLS / cold);
    double warm = bake(client, 6, &done);
    printf("bake_again_cached\t%llu\tcells\n", (unsigned long long)done.cached);
    printf("bake_again\t%.2f\ts\n", warm);
    int megabytes = atoi(program_run(folder, "du -sm $DIR/data")->output);
    printf("store_size\t%d\tMiB\n", megabytes);
    loam_client_destroy(client);
    return 0;
}
