/* SPDX-License-Identifier: MIT
 *
 * dungeon_names.c: the words of documents for policies, verdicts and states.
 */
#include "core/loam_dungeon.h"

static const char *const policies[] = {
    [LOAM_POLICY_DEGRADED] = "degraded",
    [LOAM_POLICY_STRICT] = "strict",
    [LOAM_POLICY_FALLBACK] = "fallback",
};

const char *loam_policy_name(loam_policy policy) {
    return policies[policy];
}

bool loam_policy_find(loam_text name, loam_policy *policy) {
    for (unsigned i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        if (loam_text_equal(name, loam_text_of(policies[i]))) {
            *policy = (loam_policy)i;
            return true;
        }
    }
    return false;
}

const char *loam_attempt_verdict_name(loam_attempt_verdict verdict) {
    static const char *const names[] = {
        [LOAM_VERDICT_OK] = "ok",
        [LOAM_VERDICT_REJECTED] = "rejected",
        [LOAM_VERDICT_FAILED] = "failed",
    };
    return names[verdict];
}

const char *loam_dungeon_status_name(loam_dungeon_status status) {
    static const char *const names[] = {
        [LOAM_DUNGEON_OK] = "ok",
        [LOAM_DUNGEON_DEGRADED] = "degraded",
        [LOAM_DUNGEON_FALLBACK] = "fallback",
    };
    return names[status];
}
