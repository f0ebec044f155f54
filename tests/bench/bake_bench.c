/* SPDX-License-Identifier: MIT
 *
 * bake_bench.c: a continent at night. A real loamd with two workers bakes 1,024 dense cells of 256
 * m (about 20,000 instances each) as one job, durable in its store; then the same job again, all
 * hits, under another priority. Lines of name, value, unit.
 */
#include "tests/support/bake.h"
#include "tests/support/program.h"

#include <stdio.h>
#include <stdlib.h>

/* The daemon that is running; ended however this program ends. */
static int daemon_pid;
static char folder[64];

static void tear_down(void) {
    if (daemon_pid != 0) {
        (void)program_daemon_end(daemon_pid);
    }
    program_folder_remove(folder);
}

int main(void) {
    loam_client_job done;
    program_folder_make(folder);
    if (atexit(tear_down) != 0) {
        return 1;
    }
    daemon_pid = program_daemon_start(folder);
    loam_client *client = bake_connect(folder);
    bake_put_hills(client);
    bake_put_world(client, "dense", 3);
    double cold = bake_run(client, "dense", 5, &done);
    printf("bake_%d_cells\t%.2f\ts\n", BAKE_CELLS, cold);
    printf("bake_cells_per_second\t%.0f\tcells/s\n", BAKE_CELLS / cold);
    double warm = bake_run(client, "dense", 6, &done);
    printf("bake_again_cached\t%llu\tcells\n", (unsigned long long)done.cached);
    printf("bake_again\t%.2f\ts\n", warm);
    int megabytes = atoi(program_run(folder, "du -sm $DIR/data")->output);
    printf("store_size\t%d\tMiB\n", megabytes);
    loam_client_destroy(client);
    return 0;
}
