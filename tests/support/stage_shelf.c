/* SPDX-License-Identifier: MIT
 *
 * stage_shelf.c: see stage_shelf.h.
 */
#include "tests/support/stage_shelf.h"

#include <stdlib.h>
#include <string.h>

static unsigned char *copy_of(loam_text bytes) {
    unsigned char *copy = malloc(bytes.size + 1);
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, bytes.bytes, bytes.size);
    return copy;
}

static shelf_stage *stage_of(stage_shelf *shelf, loam_text key) {
    for (uint32_t i = 0; i < shelf->count; i++) {
        shelf_stage *stage = &shelf->kept[i];
        if (stage->key_size == key.size && memcmp(stage->key, key.bytes, key.size) == 0) {
            return stage;
        }
    }
    return NULL;
}

static bool find(void *context, loam_text key, loam_stage *stage) {
    stage_shelf *shelf = context;
    pthread_mutex_lock(&shelf->lock);
    const shelf_stage *found = stage_of(shelf, key);
    if (found != NULL) {
        *stage = (loam_stage){found->bytes, found->size, NULL};
    }
    shelf->hits += found != NULL;
    shelf->misses += found == NULL;
    shelf->borrowed += found != NULL;
    pthread_mutex_unlock(&shelf->lock);
    return found != NULL;
}

static void release(void *context, const loam_stage *stage) {
    stage_shelf *shelf = context;
    (void)stage;
    pthread_mutex_lock(&shelf->lock);
    shelf->borrowed--;
    pthread_mutex_unlock(&shelf->lock);
}

/* What is kept again stays as it was: another thread may be reading it. */
static void keep(void *context, loam_text key, loam_text bytes) {
    stage_shelf *shelf = context;
    pthread_mutex_lock(&shelf->lock);
    const shelf_stage *there = stage_of(shelf, key);
    shelf->keeps++;
    if (there != NULL) {
        shelf->differed +=
            there->size != bytes.size || memcmp(there->bytes, bytes.bytes, bytes.size) != 0;
    } else if (shelf->count < SHELF_STAGES) {
        shelf->kept[shelf->count++] =
            (shelf_stage){copy_of(key), copy_of(bytes), key.size, bytes.size};
    }
    pthread_mutex_unlock(&shelf->lock);
}

stage_shelf *stage_shelf_create(void) {
    stage_shelf *shelf = calloc(1, sizeof *shelf);
    if (shelf == NULL || pthread_mutex_init(&shelf->lock, NULL) != 0) {
        abort();
    }
    shelf->stages = (loam_stages){find, release, keep, shelf};
    return shelf;
}

void stage_shelf_destroy(stage_shelf *shelf) {
    for (uint32_t i = 0; i < shelf->count; i++) {
        free(shelf->kept[i].key);
        free(shelf->kept[i].bytes);
    }
    pthread_mutex_destroy(&shelf->lock);
    free(shelf);
}
