/* SPDX-License-Identifier: MIT
 *
 * job_watch.c: who waits for a job to change: requests that wait for it, and its stream of events.
 */
#include "server/job/job_entry.h"

void job_watch(job_entry *entry, job_watcher *watcher) {
    watcher->entry = entry;
    watcher->previous = NULL;
    watcher->next = entry->watchers;
    if (watcher->next != NULL) {
        watcher->next->previous = watcher;
    }
    entry->watchers = watcher;
}

void job_unwatch(job_watcher *watcher) {
    if (watcher->entry == NULL) {
        return;
    }
    *(watcher->previous == NULL ? &watcher->entry->watchers : &watcher->previous->next) =
        watcher->next;
    if (watcher->next != NULL) {
        watcher->next->previous = watcher->previous;
    }
    watcher->entry = NULL;
}

void job_tell_watchers(job_entry *entry) {
    for (job_watcher *watcher = entry->watchers, *next = NULL; watcher != NULL; watcher = next) {
        next = watcher->next;
        watcher->changed(watcher, false);
    }
}

void job_dismiss_watchers(job_entry *entry) {
    while (entry->watchers != NULL) {
        job_watcher *watcher = entry->watchers;
        job_unwatch(watcher);
        watcher->changed(watcher, true);
    }
}
