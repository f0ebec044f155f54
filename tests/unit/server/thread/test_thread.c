/* SPDX-License-Identifier: MIT
 *
 * test_thread.c: what a thread of the daemon begins with.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/thread/thread.h"

typedef struct beginning {
    thread_rank rank;
    char name[16];
    int niceness;
    bool hears_sigterm;
} beginning;

static void *begin(void *context) {
    beginning *seen = context;
    sigset_t blocked;
    thread_introduce("a-thread", seen->rank);
    pthread_getname_np(pthread_self(), seen->name, sizeof seen->name);
    seen->niceness = getpriority(PRIO_PROCESS, (id_t)gettid());
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    seen->hears_sigterm = !sigismember(&blocked, SIGTERM);
    return NULL;
}

static beginning beginning_of(thread_rank rank) {
    beginning seen = {.rank = rank};
    loam_error error = {0};
    pthread_t thread;
    cr_assert_eq(thread_start(&thread, begin, &seen, &error), LOAM_OK, "%s", error.text);
    pthread_join(thread, NULL);
    return seen;
}

Test(thread, has_its_name_and_no_signals) {
    beginning seen = beginning_of(THREAD_PROMPT);
    cr_expect_str_eq(seen.name, "a-thread");
    cr_expect_not(seen.hears_sigterm);
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    cr_expect_not(sigismember(&blocked, SIGTERM), "the starting thread keeps its own");
}

Test(thread, behind_is_nicer_and_the_rest_of_the_process_stays) {
    int ours = getpriority(PRIO_PROCESS, 0);
    beginning prompt = beginning_of(THREAD_PROMPT);
    beginning behind = beginning_of(THREAD_BEHIND);
    cr_expect_eq(prompt.niceness, ours);
    cr_expect(behind.niceness == ours + 10 || behind.niceness == 19, "%d", behind.niceness);
    cr_expect_eq(getpriority(PRIO_PROCESS, 0), ours);
}
