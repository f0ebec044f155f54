/* SPDX-License-Identifier: MIT
 *
 * stage_shelf.h: a place where evaluations keep stages, that counts, forgets nothing and knows keys
 * by all their bytes. Any number of threads.
 */
#ifndef LOAM_TESTS_SUPPORT_STAGE_SHELF_H
#define LOAM_TESTS_SUPPORT_STAGE_SHELF_H

#include "core/loam.h"

#include <pthread.h>

/* Owns its bytes. */
typedef struct shelf_stage {
    unsigned char *key, *bytes;
    size_t key_size, size;
} shelf_stage;

enum { SHELF_STAGES = 1024 };

typedef struct stage_shelf {
    loam_stages stages; /* what an evaluation is given */
    pthread_mutex_t lock;
    shelf_stage kept[SHELF_STAGES];
    uint32_t count;
    uint32_t hits, misses;
    uint32_t keeps;    /* also of what is there already */
    int32_t borrowed;  /* found and not released */
    uint32_t differed; /* kept again with other bytes */
} stage_shelf;

/* Owned. */
stage_shelf *stage_shelf_create(void);
void stage_shelf_destroy(stage_shelf *shelf);

#endif
