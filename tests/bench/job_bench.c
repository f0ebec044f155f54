/* SPDX-License-Identifier: MIT
 *
 * job_bench.c: jobs of a million cells. A real loamd with two workers is asked for such jobs one
 * after the other; then one of them runs for some time, is cancelled, started again behind a
 * restart, and its results are read. All the while another client asks for one cell that is in the
 * cache, every millisecond: how late its answers are tells whether anything blocks the daemon's
 * only loop. LOAM_BENCH_CELLS: how many cells are built before the restart, not quite all. Lines of
 * name, value, unit.
 */
#include "api/client/loam_client.h"
#include "tests/support/pause.h"
#include "tests/support/program.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    JOBS = 11,
    SIDE = 1000,
    CELLS_INITIAL = 50000,
    CELLS_MAX = SIDE * SIDE / 10 * 9,
    LATENCIES_MAX = 1 << 20,
    LIST_CELLS = 6600
};

static const char world[] = "{\"seed\": \"3\", \"graph\": {\"loam_graph\": 1, \"nodes\": {"
                            "\"sites\": {\"op\": \"grid.sample\", \"params\": {\"spacing_m\": 4}}},"
                            " \"outputs\": {\"sites\": {\"node\": \"sites\", \"level\": 0}}},"
                            " \"grid\": {\"levels\": [{\"cell_size_m\": 4}]}}";

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
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
        fprintf(stderr, "job_bench: %s %s\n", error->pointer, error->text);
        exit(1);
    }
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

static void send_to(loam_client *client, const char *method, const char *path, const char *body) {
    loam_error error = {0};
    loam_client_response response;
    loam_client_request request = {.method = method,
                                   .path = path,
                                   .content_type = body == NULL ? NULL : "application/json",
                                   .body = body,
                                   .body_size = body == NULL ? 0 : strlen(body)};
    must(loam_client_send(client, &request, &response, &error), &error);
    loam_client_response_fini(&response);
}

/* ---- Somebody else -------------------------------------------------------------------------- */

typedef struct probe {
    pthread_t thread;
    loam_client *client;
    atomic_bool over;
    size_t count;
    double latencies[LATENCIES_MAX];
} probe;

static void *probe_run(void *context) {
    probe *of = context;
    const loam_client_cell cell = {.world = "grid", .output = "sites", .x = -1, .z = -1};
    while (!atomic_load(&of->over) && of->count < LATENCIES_MAX) {
        loam_error error = {0};
        loam_client_response response;
        double start = now_ms();
        must(loam_client_cell_get(of->client, &cell, &response, &error), &error);
        of->latencies[of->count++] = now_ms() - start;
        loam_client_response_fini(&response);
        pause_ms(1);
    }
    return NULL;
}

static probe *probe_begin(void) {
    probe *of = calloc(1, sizeof *of);
    if (of == NULL) {
        exit(1);
    }
    of->client = connect_to();
    if (pthread_create(&of->thread, NULL, probe_run, of) != 0) {
        exit(1);
    }
    return of;
}

static int compare(const void *a, const void *b) {
    const double *left = a;
    const double *right = b;
    return (*left > *right) - (*left < *right);
}

static void print_times(const char *name, double *times, size_t count) {
    qsort(times, count, sizeof *times, compare);
    printf("%s_p50\t%.2f\tms\n", name, times[count / 2]);
    printf("%s_p99\t%.2f\tms\n", name, times[count * 99 / 100]);
    printf("%s_max\t%.2f\tms\n", name, times[count - 1]);
}

static void probe_end(probe *of, const char *phase) {
    char name[64];
    atomic_store(&of->over, true);
    pthread_join(of->thread, NULL);
    (void)snprintf(name, sizeof name, "cached_get_%s", phase);
    print_times(name, of->latencies, of->count);
    loam_client_destroy(of->client);
    free(of);
}

/* ---- Jobs ----------------------------------------------------------------------------------- */

/* What the process holds for itself: files that are mapped come and go with the system's cache. */
static void print_memory(const char *phase) {
    const program_result *said = program_run(
        folder, "sed -n 's/RssAnon:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/%d/status", daemon_pid);
    printf("memory_%s\t%.1f\tMiB\n", phase, atof(said->output) / 1024);
}

static void submit(loam_client *client, const char *document, loam_client_job *made) {
    loam_error error = {0};
    loam_client_response response;
    must(loam_client_job_submit(client, document, made, &response, &error), &error);
    loam_client_response_fini(&response);
}

static void submit_range(loam_client *client, int x, loam_client_job *made) {
    char document[256];
    (void)snprintf(document, sizeof document,
                   "{\"world\": \"grid\", \"outputs\": [\"sites\"], \"cells\": {\"min\": [%d, 0],"
                   " \"max\": [%d, %d]}}",
                   x, x + SIDE - 1, SIDE - 1);
    submit(client, document, made);
}

/* As many cells as a document can list. */
static void submit_list(loam_client *client, loam_client_job *made) {
    char *document = malloc((size_t)LIST_CELLS * 32);
    if (document == NULL) {
        exit(1);
    }
    size_t size = (size_t)sprintf(document, "{\"world\": \"grid\", \"outputs\": [\"sites\"],"
                                            " \"cells\": [");
    for (int i = 0; i < LIST_CELLS; i++) {
        size += (size_t)sprintf(document + size, "%s[%d, %d]", i == 0 ? "" : ", ", -2 - i, -2);
    }
    (void)sprintf(document + size, "]}");
    submit(client, document, made);
    free(document);
}

static void act(loam_client *client, const loam_client_job *on, const char *what) {
    char path[256];
    (void)snprintf(path, sizeof path, "/v1/jobs/%.64s/%.32s", on->id, what);
    send_to(client, "POST", path, NULL);
}

/* Each is paused at once, so that the next one is measured alone. */
static void accept_jobs(loam_client *client, loam_client_job jobs[JOBS]) {
    double times[JOBS];
    for (int i = 0; i < JOBS; i++) {
        double start = now_ms();
        submit_range(client, i, &jobs[i]);
        times[i] = now_ms() - start;
        act(client, &jobs[i], "pause");
    }
    print_times("job_accept_1000000_cells", times, JOBS);
    loam_client_job listed;
    double start = now_ms();
    submit_list(client, &listed);
    printf("job_accept_list_%d_cells\t%.2f\tms\n", LIST_CELLS, now_ms() - start);
    act(client, &listed, "cancellation");
}

static void get(loam_client *client, loam_client_job *of) {
    loam_error error = {0};
    loam_client_response response;
    char id[sizeof of->id];
    memcpy(id, of->id, sizeof id);
    must(loam_client_job_get(client, id, of, &response, &error), &error);
    loam_client_response_fini(&response);
}

static double wait_done(loam_client *client, loam_client_job *of, uint64_t done) {
    double start = now_ms();
    for (get(client, of); of->done < done && !loam_client_job_ended(of); get(client, of)) {
        pause_ms(20);
    }
    return now_ms() - start;
}

static size_t read_page(loam_client *client, const loam_client_job *of, uint64_t after) {
    char path[256];
    loam_error error = {0};
    loam_client_response response;
    (void)snprintf(path, sizeof path, "/v1/jobs/%s/results?after=%llu", of->id,
                   (unsigned long long)after);
    must(loam_client_send(client, &(loam_client_request){.path = path}, &response, &error), &error);
    size_t rows = 0;
    for (size_t i = 0; i < response.body_size; i++) {
        rows += response.body[i] == '\n';
    }
    loam_client_response_fini(&response);
    return rows;
}

static void read_results(loam_client *client, const loam_client_job *of) {
    uint64_t rows = 0;
    double start = now_ms();
    for (size_t page = read_page(client, of, 0); page > 0; page = read_page(client, of, rows)) {
        rows += page;
    }
    double seconds = (now_ms() - start) / 1000;
    printf("results_rows\t%llu\trows\n", (unsigned long long)rows);
    printf("results_rows_per_second\t%.0f\trows/s\n", (double)rows / seconds);
}

/* ---- The daemon's life ---------------------------------------------------------------------- */

static void first_life(uint64_t cells, loam_client_job *job) {
    loam_client_job jobs[JOBS];
    loam_client *client = connect_to();
    send_to(client, "PUT", "/v1/worlds/grid", world);
    print_memory("before");
    probe *other = probe_begin();
    accept_jobs(client, jobs);
    probe_end(other, "accept");
    print_memory("accepted");
    for (int i = 1; i < JOBS; i++) {
        act(client, &jobs[i], "cancellation");
    }
    other = probe_begin();
    *job = jobs[0];
    act(client, job, "resumption");
    wait_done(client, job, cells / 10);
    print_memory("run_tenth");
    uint64_t before = job->done;
    double took_ms = wait_done(client, job, cells);
    printf("job_cells_per_second\t%.0f\tcells/s\n", (double)(job->done - before) / took_ms * 1e3);
    print_memory("run");
    probe_end(other, "run");
    other = probe_begin();
    read_results(client, job);
    probe_end(other, "results");
    double start = now_ms();
    act(client, job, "pause");
    printf("job_pause\t%.2f\tms\n", now_ms() - start);
    loam_client_destroy(client);
}

/* The job goes on when it has read what it has. */
static void second_life(loam_client_job *job) {
    loam_client *client = connect_to();
    get(client, job);
    uint64_t done = job->done;
    probe *other = probe_begin();
    act(client, job, "resumption");
    double took_ms = wait_done(client, job, done + 1);
    printf("job_goes_on_behind_%llu_rows\t%.0f\tms\n", (unsigned long long)done, took_ms);
    probe_end(other, "load");
    print_memory("loaded");
    double start = now_ms();
    act(client, job, "cancellation");
    printf("job_cancel\t%.2f\tms\n", now_ms() - start);
    loam_client_destroy(client);
}

int main(void) {
    loam_client_job job;
    const char *given = getenv("LOAM_BENCH_CELLS");
    uint64_t cells = given == NULL ? CELLS_INITIAL : strtoull(given, NULL, 10);
    cells = cells < CELLS_MAX ? cells : CELLS_MAX;
    program_folder_make(folder);
    if (atexit(tear_down) != 0) {
        return 1;
    }
    daemon_pid = program_daemon_start(folder);
    first_life(cells, &job);
    (void)program_daemon_end(daemon_pid);
    double start = now_ms();
    daemon_pid = program_daemon_start(folder);
    printf("restart_ready\t%.0f\tms\n", now_ms() - start);
    second_life(&job);
    return 0;
}
