/* SPDX-License-Identifier: MIT
 *
 * admin_watch.c: see admin_watch.h.
 */
#include "api/cli/admin_watch.h"

#include <jansson.h>
#include <string.h>
#include <time.h>

/* Parts of the whole that the daemon tells; how often it is asked, and how long one waits for the
 * end between two looks. */
enum { PARTS = 1000, LOOK_MS = 50, LOOKS_PER_QUESTION = 10 };

/* How far it is; -1: it does not run, or the daemon does not say. */
static long ask(admin_watch *watch) {
    loam_client_response response = {0};
    loam_error error = {0};
    long parts = -1;
    const loam_client_request stats = {.path = "/v1/admin/stats"};
    if (loam_client_send(watch->client, &stats, &response, &error) == LOAM_OK) {
        json_t *root = json_loadb((const char *)response.body, response.body_size, 0, NULL);
        const json_t *upkeep = json_object_get(root, "upkeep");
        const char *kind = json_string_value(json_object_get(upkeep, "kind"));
        if (kind != NULL && strcmp(kind, watch->kind) == 0) {
            parts = (long)json_integer_value(json_object_get(upkeep, "permille"));
        }
        json_decref(root);
    }
    loam_client_response_fini(&response);
    return parts;
}

static void *run(void *context) {
    admin_watch *watch = context;
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    for (unsigned looks = 0; !atomic_load(&watch->ended); looks++) {
        long parts = looks % LOOKS_PER_QUESTION == 0 ? ask(watch) : -1;
        if (parts >= 0) {
            progress_update(&watch->bar, (uint64_t)parts, "");
        }
        nanosleep(&pause, NULL);
    }
    return NULL;
}

void admin_watch_begin(admin_watch *watch, loam_client *client, const char *kind) {
    watch->client = client;
    watch->kind = kind;
    atomic_init(&watch->ended, false);
    progress_begin(&watch->bar, kind, PARTS);
    watch->running = client != NULL && pthread_create(&watch->thread, NULL, run, watch) == 0;
}

void admin_watch_end(admin_watch *watch, bool done) {
    atomic_store(&watch->ended, true);
    if (watch->running) {
        (void)pthread_join(watch->thread, NULL);
        if (done) {
            progress_end(&watch->bar, PARTS, "");
        } else {
            progress_leave(&watch->bar);
        }
    }
    if (watch->client != NULL) {
        loam_client_destroy(watch->client);
    }
}
