/* SPDX-License-Identifier: MIT
 *
 * mix.h: every random number of loam. No streams: a draw is a keyed mix of (node seed, origin a, b,
 * channel), so that any point can be drawn in any order. A row key (64 bits, of seed, channel and
 * b) is made once per lattice row, then a 32-bit mix of a per point, which vectorises.
 *
 * Sources: the finaliser of splitmix64 (Steele, Lea, Flood 2014; constants by Stafford, mix 13) and
 * the two-multiply 32-bit finaliser found by Wellons' hash prospector.
 */
#ifndef LOAM_BASE_MIX_H
#define LOAM_BASE_MIX_H

#include <stddef.h>
#include <stdint.h>

/* What a draw is for. Numbers are pinned: they are part of every result. */
typedef enum draw_channel {
    DRAW_JITTER_X = 1,
    DRAW_JITTER_Z = 2,
    DRAW_CULL = 3,
    DRAW_PRIORITY = 4,
    DRAW_SCALE = 5,
    DRAW_YAW = 6,
    DRAW_PITCH = 7,
    DRAW_ROLL = 8,
    DRAW_ID = 9,
    DRAW_NOISE = 10,
    DRAW_JITTER_Y = 11,
    DRAW_ASSET = 12,  /* which of several weighted assets */
    DRAW_MODULE = 13, /* which alternative of a grammar */
    DRAW_DISK = 14,   /* a number after another of one disk stage */
} draw_channel;

static inline uint64_t mix64(uint64_t z) {
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9u;
    z ^= z >> 27;
    z *= 0x94d049bb133111ebu;
    z ^= z >> 31;
    return z;
}

static inline uint32_t mix32(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

/* Two keyed finalisers: for anything stored or used once per row. */
static inline uint64_t mix_pair(uint64_t key, uint64_t value) {
    return mix64(mix64(value * 0x9e3779b97f4a7c15u + key) ^ (key * 0xd1342543de82ef95u + 1u));
}

/* The key of a channel under a node's seed, and of a row b under it. */
static inline uint64_t draw_key(uint64_t node_seed, draw_channel channel) {
    return mix_pair(node_seed, (uint64_t)channel);
}

static inline uint64_t draw_row_key(uint64_t key, uint32_t b) {
    return mix_pair(key, b);
}

/* 32 uniform bits of point a in a row. */
static inline uint32_t draw_bits(uint64_t row_key, uint32_t a) {
    return mix32(mix32(a * 0x9e3779b1u ^ (uint32_t)row_key) ^ (uint32_t)(row_key >> 32));
}

/* A bijection of (a, b) under a seed: ids of a sampler never collide. */
static inline uint64_t mix_id(uint64_t id_key, uint32_t a, uint32_t b) {
    uint64_t origin = (uint64_t)b << 32 | a;
    return mix64(mix64(origin ^ id_key) + 0x9e3779b97f4a7c15u);
}

/* Hash of bytes under a key; used for names and feature ids, once each. */
static inline uint64_t mix_bytes(uint64_t key, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    uint64_t hash = mix_pair(key, size);
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        for (size_t j = 0; j < 8 && i + j < size; j++) {
            word |= (uint64_t)at[i + j] << (8 * j);
        }
        hash = mix_pair(hash, word);
    }
    return hash;
}

#endif
