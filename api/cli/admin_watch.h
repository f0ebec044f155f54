/* SPDX-License-Identifier: MIT
 *
 * admin_watch.h: shows how far a daemon's upkeep is while somebody waits for its answer: a thread
 * that asks for the daemon's figures beside the request that waits.
 */
#ifndef API_CLI_ADMIN_WATCH_H
#define API_CLI_ADMIN_WATCH_H

#include <pthread.h>
#include <stdatomic.h>

#include "api/cli/progress.h"
#include "api/client/loam_client.h"

typedef struct admin_watch {
    loam_client *client; /* owned */
    const char *kind;    /* "gc", "scrub", "backup"; borrowed */
    progress bar;
    atomic_bool ended;
    bool running;
    pthread_t thread;
} admin_watch;

/* Takes the client; without one, and without a thread, nothing is shown. */
void admin_watch_begin(admin_watch *watch, loam_client *client, const char *kind);
/* Full when it is done; else the bar stays as it was last seen. */
void admin_watch_end(admin_watch *watch, bool done);

#endif
