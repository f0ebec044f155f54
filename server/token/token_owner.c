/* SPDX-License-Identifier: MIT
 *
 * token_owner.c: see token_owner.h. Core time is a bucket: it holds a minute's worth, fills at the
 * rate of the limit, and is taken from when work is done.
 */
#include "server/token/token_owner.h"

#include "core/base/assert.h"
#include "core/base/text.h"

enum { MINUTE_S = 60, SECOND_US = 1000000 };
#define DAY_US ((uint64_t)86400 * SECOND_US)

bool owner_allows_world(const token_owner *owner, loam_text world) {
    for (uint32_t i = 0; i < owner->world_count; i++) {
        if (loam_text_equal(world, loam_text_of(owner->worlds[i]))) {
            return true;
        }
    }
    return owner->world_count == 0;
}

/* Whether `more` of what is counted fits. */
static loam_status check_count(uint64_t used, uint64_t more, uint64_t limit, const char *what,
                               loam_error *error) {
    if (limit == 0 || (used <= limit && more <= limit - used)) {
        return LOAM_OK;
    }
    return loam_fail(error, LOAM_TOO_MANY_REQUESTS, NULL,
                     "the token's limit of %s is %llu, and %llu are in use", what,
                     (unsigned long long)limit, (unsigned long long)used);
}

loam_status owner_begin_request(token_owner *owner, loam_error *error) {
    loam_status status =
        check_count(owner->requests, 1, owner->limits.requests, "requests at one time", error);
    if (status == LOAM_OK) {
        owner->requests++;
        owner->held++;
    }
    return status;
}

void owner_end_request(token_owner *owner) {
    LOAM_ASSERT(owner->requests > 0 && owner->held > 0);
    owner->requests--;
    owner->held--;
}

token_owner *owner_hold(token_owner *owner) {
    if (owner != NULL) {
        owner->held++;
    }
    return owner;
}

void owner_let_go(token_owner *owner) {
    if (owner != NULL) {
        LOAM_ASSERT(owner->held > 0);
        owner->held--;
    }
}

static int64_t capacity_us(const token_owner *owner) {
    return (int64_t)owner->limits.core_seconds * SECOND_US;
}

/* What has come in since the last look. */
static void fill(token_owner *owner, uint64_t now_us) {
    uint64_t passed_us = now_us - owner->core_at_us;
    uint64_t minute_us = (uint64_t)MINUTE_S * SECOND_US;
    passed_us = owner->core_at_us == 0 || passed_us > minute_us ? minute_us : passed_us;
    owner->core_us_left += (int64_t)(passed_us * owner->limits.core_seconds / MINUTE_S);
    if (owner->core_us_left > capacity_us(owner)) {
        owner->core_us_left = capacity_us(owner);
    }
    owner->core_at_us = now_us;
}

loam_status owner_check_core(token_owner *owner, uint64_t now_us, int32_t *wait_s,
                             loam_error *error) {
    if (owner->limits.core_seconds == 0) {
        return LOAM_OK;
    }
    fill(owner, now_us);
    if (owner->core_us_left > 0) {
        return LOAM_OK;
    }
    int64_t each_second_us = capacity_us(owner) / MINUTE_S;
    *wait_s = (int32_t)(-owner->core_us_left / each_second_us) + 1;
    return loam_fail(error, LOAM_TOO_MANY_REQUESTS, NULL,
                     "the token's limit of core-seconds a minute is %llu, and they are used up",
                     (unsigned long long)owner->limits.core_seconds);
}

void owner_charge_core(token_owner *owner, uint64_t now_us, uint64_t microseconds) {
    if (owner != NULL && owner->limits.core_seconds > 0) {
        fill(owner, now_us);
        owner->core_us_left -= (int64_t)microseconds;
    }
}

/* A new day has new counts. */
static void turn_day(token_owner *owner, uint64_t now_us) {
    if (owner->day_us == 0 || now_us - owner->day_us >= DAY_US) {
        owner->day_us = now_us;
        owner->asset_bytes = 0;
        owner->worlds_put = 0;
    }
}

static int32_t day_left_s(const token_owner *owner, uint64_t now_us) {
    return (int32_t)((owner->day_us + DAY_US - now_us) / SECOND_US) + 1;
}

loam_status owner_add_asset(token_owner *owner, uint64_t now_us, uint64_t bytes, int32_t *wait_s,
                            loam_error *error) {
    turn_day(owner, now_us);
    *wait_s = day_left_s(owner, now_us);
    loam_status status = check_count(owner->asset_bytes, bytes, owner->limits.asset_bytes,
                                     "asset bytes a day", error);
    owner->asset_bytes += status == LOAM_OK ? bytes : 0;
    return status;
}

loam_status owner_add_world(token_owner *owner, uint64_t now_us, int32_t *wait_s,
                            loam_error *error) {
    turn_day(owner, now_us);
    *wait_s = day_left_s(owner, now_us);
    loam_status status =
        check_count(owner->worlds_put, 1, owner->limits.worlds, "worlds a day", error);
    owner->worlds_put += status == LOAM_OK ? 1 : 0;
    return status;
}

loam_status owner_check_job(const token_owner *owner, loam_error *error) {
    return check_count(owner->jobs, 1, owner->limits.jobs, "jobs under way", error);
}

void owner_begin_job(token_owner *owner) {
    owner->jobs++;
    owner->held++;
}

void owner_end_job(token_owner *owner) {
    LOAM_ASSERT(owner->jobs > 0 && owner->held > 0);
    owner->jobs--;
    owner->held--;
}
