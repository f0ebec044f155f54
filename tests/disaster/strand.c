/* SPDX-License-Identifier: MIT
 *
 * strand.c: see strand.h. Strands are real threads that pass one turn around.
 */
#include "tests/disaster/strand.h"

#include "tests/disaster/real.h"
#include "tests/sim/dice.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STRANDS_MAX = 64 };
/* A step takes up to that long, so that deadlines fall between any two of them. */
enum { STEP_NS_MAX = 20000 };
/* One pause in so many hands over, one wait in so many for a condition ends without being told, as
 * the standard allows. */
enum { PAUSES_PER_SWITCH = 4, SPURIOUS_STEPS = 200 };
/* A round date. */
#define START_NS 1700000000000000000u

typedef struct strand {
    strand_state state;
    const void *on;
    uint64_t until_ns;
    bool timed_out;
    struct pollfd *polled;
    nfds_t polled_count;
    _Atomic uint32_t turn;
    pthread_t thread;
    void *(*body)(void *);
    void *context;
} strand;

static strand strands[STRANDS_MAX];
static uint32_t strand_count;
static dice order;
static uint64_t now_ns;
static uint64_t steps;
static uint64_t interrupt_step;
static void (*interrupt)(void);
static uint64_t *trace_sum;
static _Thread_local strand *self;

/* ---- The turn -------------------------------------------------------------------------------- */

static void give_turn(strand *to) {
    atomic_store(&to->turn, 1);
    syscall(SYS_futex, &to->turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void await_turn(strand *mine) {
    while (atomic_exchange(&mine->turn, 0) == 0) {
        syscall(SYS_futex, &mine->turn, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    }
}

static bool is_due(strand *of) {
    bool due = of->until_ns <= now_ns;
    of->timed_out = due;
    return due;
}

/* Descriptors are asked without waiting. */
static bool can_go_on(strand *of) {
    switch (of->state) {
    case STRAND_READY:
        return true;
    case STRAND_CONDITION:
    case STRAND_SLEEP:
        return is_due(of);
    case STRAND_POLL:
        return real_poll(of->polled, of->polled_count, 0) > 0 || is_due(of);
    default:
        return false;
    }
}

static strand *pick_ready(void) {
    strand *ready[STRANDS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < strand_count; i++) {
        if (can_go_on(&strands[i])) {
            ready[count++] = &strands[i];
        }
    }
    return count == 0 ? NULL : ready[dice_below(&order, count)];
}

static void jump_to_next_moment(void) {
    uint64_t next_ns = STRAND_NEVER;
    for (uint32_t i = 0; i < strand_count; i++) {
        bool waits = strands[i].state != STRAND_ENDED && strands[i].state != STRAND_READY;
        if (waits && strands[i].until_ns < next_ns) {
            next_ns = strands[i].until_ns;
        }
    }
    if (next_ns == STRAND_NEVER) {
        fprintf(stderr, "the machine stands still: every thread waits for another\n");
        abort();
    }
    now_ns = next_ns;
}

static void count_step(void) {
    steps++;
    now_ns += dice_below(&order, STEP_NS_MAX);
    if (steps == interrupt_step) {
        interrupt();
    }
}

/* The caller has said what it waits for. */
static void hand_over(void) {
    strand *mine = self;
    strand *next = NULL;
    count_step();
    while ((next = pick_ready()) == NULL) {
        jump_to_next_moment();
    }
    next->state = STRAND_READY;
    next->until_ns = STRAND_NEVER;
    strands_trace(1, (uint64_t)(next - strands));
    if (next != mine) {
        give_turn(next);
        if (mine->state != STRAND_ENDED) {
            await_turn(mine);
        }
    }
}

/* ---- For strand_calls.c ---------------------------------------------------------------------- */

void strands_begin(uint64_t seed, uint64_t *trace, uint64_t start_ns) {
    order = (dice){seed};
    trace_sum = trace;
    now_ns = start_ns == 0 ? START_NS : start_ns;
    strand_count = 1;
    self = &strands[0];
    *self = (strand){.thread = pthread_self(), .until_ns = STRAND_NEVER};
}

bool strands_on(void) {
    return self != NULL;
}

void strand_pause(void) {
    if (dice_below(&order, PAUSES_PER_SWITCH) == 0) {
        hand_over();
    }
}

bool strand_wait(strand_state state, const void *on, uint64_t until_ns) {
    strand *mine = self;
    if (state == STRAND_CONDITION && dice_below(&order, SPURIOUS_STEPS) == 0) {
        state = STRAND_READY;
    }
    mine->state = state;
    mine->on = on;
    mine->until_ns = until_ns;
    mine->timed_out = false;
    hand_over();
    return !mine->timed_out;
}

void strand_poll(struct pollfd *polled, nfds_t count, uint64_t until_ns) {
    self->polled = polled;
    self->polled_count = count;
    (void)strand_wait(STRAND_POLL, NULL, until_ns);
}

static bool waits_for(const strand *of, strand_state state, const void *on) {
    return of->state == state && of->on == on;
}

void strands_wake(strand_state state, const void *on, bool all) {
    strand *found[STRANDS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < strand_count; i++) {
        if (waits_for(&strands[i], state, on)) {
            found[count++] = &strands[i];
        }
    }
    uint32_t only = count == 0 ? 0 : dice_below(&order, count);
    for (uint32_t i = 0; i < count; i++) {
        if (all || i == only) {
            found[i]->state = STRAND_READY;
            found[i]->until_ns = STRAND_NEVER;
            found[i]->timed_out = false;
        }
    }
}

static void *run_strand(void *context) {
    self = context;
    await_turn(self);
    void *result = self->body(self->context);
    self->state = STRAND_ENDED;
    strands_wake(STRAND_JOIN, self, true);
    hand_over();
    self = NULL;
    return result;
}

int strand_start(pthread_t *thread, const pthread_attr_t *how, void *(*body)(void *),
                 void *context) {
    strand *made = &strands[strand_count];
    if (strand_count == STRANDS_MAX) {
        fprintf(stderr, "more than %d threads\n", STRANDS_MAX);
        abort();
    }
    *made = (strand){.body = body, .context = context, .until_ns = STRAND_NEVER};
    int failed = real_pthread_create(&made->thread, how, run_strand, made);
    if (failed == 0) {
        *thread = made->thread;
        strand_count++;
        strand_pause();
    }
    return failed;
}

static strand *strand_of(pthread_t thread) {
    for (uint32_t i = 0; i < strand_count; i++) {
        if (pthread_equal(strands[i].thread, thread)) {
            return &strands[i];
        }
    }
    abort();
}

void strand_join(pthread_t thread) {
    strand *other = strand_of(thread);
    if (other->state != STRAND_ENDED) {
        (void)strand_wait(STRAND_JOIN, other, STRAND_NEVER);
    }
}

uint64_t strands_now_ns(void) {
    return now_ns;
}

uint64_t strands_steps(void) {
    return steps;
}

void strands_interrupt(uint64_t more, void (*call)(void)) {
    interrupt = call;
    interrupt_step = steps + more;
}

uint64_t strands_draw(uint64_t count) {
    return dice_roll(&order) % count;
}

void strands_trace(uint64_t what, uint64_t value) {
    uint64_t sum = *trace_sum ^ (what << 56 ^ value);
    *trace_sum = (sum ^ sum >> 29) * 0x9e3779b97f4a7c15u;
}
