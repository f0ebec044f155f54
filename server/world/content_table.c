/* SPDX-License-Identifier: MIT
 *
 * content_table.c: see content_table.h. A list of blobs, each held once by the table: one with no
 * other holder is idle, and stays so while the lock is held, since only the table gives it out.
 * Files are read outside of the lock; what they will take is booked before.
 */
#include "server/world/content_table.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct content {
    struct content *next;
    blob *bytes;
    bool recent; /* taken, or read, since the last look */
} content;

struct content_table {
    pthread_mutex_t lock;
    uint64_t bytes_max;
    uint64_t bytes; /* of the copies, and of those that are being read from the disk */
    content *first;
    loop_timer *timer;
    bool watched; /* the timer runs */
};

static void look_again(void *context) {
    content_table *table = context;
    if (!content_table_look(table)) {
        loop_timer_stop(table->timer);
        table->watched = false;
    }
}

content_table *content_table_create(event_loop *loop, uint64_t bytes_max) {
    content_table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        return NULL;
    }
    pthread_mutex_init(&table->lock, NULL);
    table->bytes_max = bytes_max;
    table->timer = loop_timer_create(loop, look_again, table);
    if (table->timer == NULL) {
        content_table_destroy(table);
        return NULL;
    }
    return table;
}

/* ---- Under the lock ------------------------------------------------------------------------- */

static bool is_idle(const content *copy) {
    return atomic_load_explicit(&copy->bytes->count, memory_order_acquire) == 1;
}

/* Unlinks what `at` points to. */
static void drop(content_table *table, content **at) {
    content *copy = *at;
    *at = copy->next;
    table->bytes -= copy->bytes->size;
    blob_release(copy->bytes);
    free(copy);
}

static blob *find(content_table *table, const digest *of) {
    for (content *copy = table->first; copy != NULL; copy = copy->next) {
        if (digest_equal(&copy->bytes->digest, of)) {
            copy->recent = true;
            return blob_retain(copy->bytes);
        }
    }
    return NULL;
}

/* Idle copies make room. Whether there is enough of it: for one alone there always is. */
static bool make_room(content_table *table, uint64_t bytes) {
    for (content **at = &table->first;
         *at != NULL && table->bytes > 0 && table->bytes + bytes > table->bytes_max;) {
        if (is_idle(*at)) {
            drop(table, at);
        } else {
            at = &(*at)->next;
        }
    }
    return table->bytes == 0 || table->bytes + bytes <= table->bytes_max;
}

/* What was booked becomes what it is. Without memory for the entry its readers have it alone. */
static void add(content_table *table, blob *bytes) {
    content *copy = malloc(sizeof *copy);
    if (copy != NULL) {
        *copy = (content){.next = table->first, .bytes = blob_retain(bytes), .recent = true};
        table->first = copy;
        table->bytes += bytes->size;
    }
}

/* ---- For all -------------------------------------------------------------------------------- */

void content_table_destroy(content_table *table) {
    if (table == NULL) {
        return;
    }
    while (table->first != NULL) {
        drop(table, &table->first);
    }
    loop_timer_destroy(table->timer);
    pthread_mutex_destroy(&table->lock);
    free(table);
}

/* The copy that is there; or room for it is booked, or there is none. */
static loam_status find_or_book(content_table *table, content_wish wish, blob **taken,
                                loam_error *error) {
    pthread_mutex_lock(&table->lock);
    *taken = find(table, wish.of);
    bool booked = *taken == NULL && make_room(table, wish.bytes);
    table->bytes += booked ? wish.bytes : 0;
    pthread_mutex_unlock(&table->lock);
    return *taken != NULL || booked
               ? LOAM_OK
               : loam_fail(error, LOAM_OVERLOADED, NULL,
                           "assets that are being sent take all the memory that is for them");
}

loam_status content_table_take(content_table *table, store *from, content_wish wish, blob **taken,
                               loam_error *error) {
    loam_status status = find_or_book(table, wish, taken, error);
    if (status != LOAM_OK || *taken != NULL) {
        return status;
    }
    status = store_asset_read(from, wish.of, taken, error);
    pthread_mutex_lock(&table->lock);
    table->bytes -= wish.bytes;
    if (status == LOAM_OK) {
        add(table, *taken);
    }
    pthread_mutex_unlock(&table->lock);
    return status;
}

void content_table_watch(content_table *table) {
    if (!table->watched) {
        loop_timer_start(table->timer, CONTENT_LOOK_MS, CONTENT_LOOK_MS);
        table->watched = true;
    }
}

bool content_table_look(content_table *table) {
    pthread_mutex_lock(&table->lock);
    for (content **at = &table->first; *at != NULL;) {
        bool idle = is_idle(*at);
        if (idle && !(*at)->recent) {
            drop(table, at);
        } else {
            (*at)->recent = !idle;
            at = &(*at)->next;
        }
    }
    bool any = table->first != NULL;
    pthread_mutex_unlock(&table->lock);
    return any;
}

uint64_t content_table_bytes(content_table *table) {
    pthread_mutex_lock(&table->lock);
    uint64_t bytes = table->bytes;
    pthread_mutex_unlock(&table->lock);
    return bytes;
}
