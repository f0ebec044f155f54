/* SPDX-License-Identifier: MIT
 *
 * token_owner.h: one id of the token file: what who shows a token of it may do, its limits, and
 * what it uses of them now. Two tokens of one id are one owner: both are good while one takes the
 * other's place.
 *
 * Invariant: touched by the network thread alone; it lives while the file has it or `held` is not
 * 0.
 */
#ifndef LOAM_SERVER_TOKEN_TOKEN_OWNER_H
#define LOAM_SERVER_TOKEN_TOKEN_OWNER_H

#include "api/wire/token_line.h"

/* Secrets of one id that are good at a time: the old one and the new. */
enum { TOKEN_DIGESTS_MAX = 2 };

typedef struct token_owner {
    char id[NAME_BYTES_MAX + 1];
    digest digests[TOKEN_DIGESTS_MAX];
    uint32_t digest_count;
    uint32_t scopes;
    uint32_t world_count; /* 0: all */
    char worlds[TOKEN_WORLDS_MAX][NAME_BYTES_MAX + 1];
    token_limits limits;
    uint32_t held; /* requests and jobs that point here */
    bool listed;   /* the file has it */
    uint64_t requests;
    uint64_t jobs;
    uint64_t day_us; /* when the day of the next two began */
    uint64_t asset_bytes;
    uint64_t worlds_put;
    int64_t core_us_left; /* may go below 0: work is paid for when it is done */
    uint64_t core_at_us;  /* when that was */
} token_owner;

bool owner_allows_world(const token_owner *owner, loam_text world);

/* A request begins and ends. LOAM_TOO_MANY_REQUESTS, and not begun, when there are as many. */
LOAM_MUST_USE loam_status owner_begin_request(token_owner *owner, loam_error *error);
void owner_end_request(token_owner *owner);

/* Whether there is core time left for something new; else *wait_s is when there will be. */
LOAM_MUST_USE loam_status owner_check_core(token_owner *owner, uint64_t now_us, int32_t *wait_s,
                                           loam_error *error);
/* Something points at it beside requests and jobs, and no longer does; NULL is nobody. */
token_owner *owner_hold(token_owner *owner);
void owner_let_go(token_owner *owner);
/* Work that was done for it; NULL is nobody. */
void owner_charge_core(token_owner *owner, uint64_t now_us, uint64_t microseconds);

/* An upload of so many bytes, or a world, is counted; LOAM_TOO_MANY_REQUESTS, and not counted, with
 * *wait_s until the day is over, when it would pass the limit. */
LOAM_MUST_USE loam_status owner_add_asset(token_owner *owner, uint64_t now_us, uint64_t bytes,
                                          int32_t *wait_s, loam_error *error);
LOAM_MUST_USE loam_status owner_add_world(token_owner *owner, uint64_t now_us, int32_t *wait_s,
                                          loam_error *error);

/* A job is taken on, and ends. */
LOAM_MUST_USE loam_status owner_check_job(const token_owner *owner, loam_error *error);
void owner_begin_job(token_owner *owner);
void owner_end_job(token_owner *owner);

#endif
