/* SPDX-License-Identifier: MIT
 *
 * kept.c: see kept.h.
 */
#include "core/ops/kept.h"

#include "core/base/mix.h"

#include <string.h>

/* Lanes of a sum: independent, so that a processor works on all of them at once. */
enum { SUM_BYTES = 8, SUM_LANES = 4 };
/* Odd, so that every step of a lane can be undone: a change within a word is always seen. */
#define SUM_FACTOR 0x9e3779b97f4a7c15u

static void lane_add(uint64_t *lane, uint64_t word) {
    *lane = (*lane ^ word) * SUM_FACTOR;
    *lane ^= *lane >> 32;
}

/* A hash of bytes that belong to a key: eight bytes a step in each of the lanes, the rest last. */
static uint64_t sum_of(loam_text key, const unsigned char *bytes, size_t size) {
    uint64_t hash = mix_bytes(size, key.bytes, key.size);
    uint64_t lanes[SUM_LANES] = {1, 2, 3, 4};
    size_t at = 0;
    for (; at + 8 * SUM_LANES <= size; at += 8 * SUM_LANES) {
        for (size_t lane = 0; lane < SUM_LANES; lane++) {
            lane_add(&lanes[lane], get_u64(bytes + at + 8 * lane));
        }
    }
    for (int lane = 0; lane < SUM_LANES; lane++) {
        hash = mix_pair(hash, lanes[lane]);
    }
    return mix_bytes(hash, bytes + at, size - at);
}

/* Memory that a sink fills; what does not fit is only counted. */
typedef struct collection {
    unsigned char *bytes;
    size_t capacity, size;
} collection;

static void collect(void *context, const void *bytes, size_t size) {
    collection *into = context;
    if (into->size + size <= into->capacity) {
        memcpy(into->bytes + into->size, bytes, size);
    }
    into->size += size;
}

/* Written twice, to be counted first: what a source reads may need the arena for itself. */
static bool collect_after(const kept_source *source, size_t head, size_t most, loam_arena *arena,
                          collection *made) {
    collection counted = {NULL, 0, head};
    const size_t mark = loam_arena_mark(arena);
    if (source->write(source->context, (loam_sink){collect, &counted}, arena) != LOAM_OK) {
        loam_arena_reset(arena, mark);
        return false;
    }
    loam_arena_reset(arena, mark);
    if (counted.size > most) {
        return false;
    }
    *made = (collection){loam_arena_take(arena, counted.size, 1), counted.size, head};
    if (made->bytes == NULL) {
        return false;
    }
    const size_t taken = loam_arena_mark(arena);
    bool same = source->write(source->context, (loam_sink){collect, made}, arena) == LOAM_OK &&
                made->size == counted.size;
    loam_arena_reset(arena, same ? taken : mark);
    return same;
}

bool kept_collect_key(const kept_source *source, loam_arena *arena, loam_text *key) {
    collection made;
    if (!collect_after(source, 0, STAGE_KEY_BYTES_MAX, arena, &made)) {
        return false;
    }
    *key = (loam_text){(const char *)made.bytes, made.size};
    return true;
}

bool kept_find(const loam_run *run, loam_text key, loam_stage *stage, byte_reader *reader) {
    if (!run->stages->find(run->stages->context, key, stage)) {
        return false;
    }
    const unsigned char *bytes = stage->bytes;
    if (stage->size < SUM_BYTES ||
        get_u64(bytes) != sum_of(key, bytes + SUM_BYTES, stage->size - SUM_BYTES)) {
        kept_release(run, stage);
        return false;
    }
    reader_init(reader, bytes + SUM_BYTES, stage->size - SUM_BYTES);
    return true;
}

void kept_release(const loam_run *run, const loam_stage *stage) {
    run->stages->release(run->stages->context, stage);
}

void kept_keep(const loam_run *run, loam_text key, const kept_source *source) {
    const size_t mark = loam_arena_mark(run->arena);
    collection made;
    if (collect_after(source, SUM_BYTES, SIZE_MAX, run->arena, &made)) {
        put_u64(made.bytes, sum_of(key, made.bytes + SUM_BYTES, made.size - SUM_BYTES));
        run->stages->keep(run->stages->context, key,
                          (loam_text){(const char *)made.bytes, made.size});
    }
    loam_arena_reset(run->arena, mark);
}
