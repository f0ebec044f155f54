/* SPDX-License-Identifier: MIT
 *
 * client_retry.c: when to ask again and after how long. Only "too many requests" and "not now" are
 * repeated: there the daemon has said that it did nothing.
 */
#include "api/client/client.h"

#include <time.h>

bool client_retry_wanted(int http_status) {
    return http_status == 503 || http_status == 429;
}

uint64_t client_retry_delay_ms(uint32_t attempt, uint32_t retry_after_ms, uint64_t random) {
    uint32_t doublings = attempt < 9 ? attempt : 9;
    uint64_t delay_ms = (uint64_t)CLIENT_RETRY_FIRST_MS << doublings;
    if (retry_after_ms > delay_ms) {
        delay_ms = retry_after_ms;
    }
    return delay_ms + random % (delay_ms / 4 + 1);
}

void client_sleep_ms(uint64_t ms) {
    struct timespec left = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};
    (void)nanosleep(&left, NULL);
}

uint64_t client_now_us(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint32_t client_wait_s(const loam_client *client, uint32_t most_s) {
    uint32_t half_s = client->timeout_ms / 2000;
    return half_s < most_s ? half_s : most_s;
}

uint64_t client_now_ms(void) {
    return client_now_us() / 1000;
}
