/* tests/launch/tune_threads_test.c -- whether launches run on one thread or on all, by what they
 * are said to take.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "check.h"
#include "launch/tune_threads.h"

#define MS 1000000u

static HdKernelCode shared = {.facts = {.contends = true}}, own;
static HdNdrangePlan contended = {.code = {[1] = &shared}, .total = 64},
                     calm = {.code = {&own}, .total = 64},
                     one_group = {.code = {&shared}, .total = 1};

/* Nanoseconds of a launch on one thread, and on all of them. */
typedef struct Takes {
    uint64_t alone, together;
} Takes;

/* Launches, and how many of them ran alone. */
static unsigned run(HdTuneThreads *c, Takes takes, unsigned count)
{
    unsigned alone = 0;

    for (unsigned i = 0; i < count; i++) {
        uint32_t every = c->turns.every;
        uint64_t limit = hd_tune_threads_alone_ns(c),
                 ns = limit != 0 ? takes.alone : takes.together;

        if (i % every == 0) {
            hd_tune_turns_begin(&c->turns);
            limit = hd_tune_threads_next_ns(c);
            ns = limit != 0 ? takes.alone : takes.together;
            hd_tune_threads_note(c, ns, every);
        }
        alone += limit != 0;
    }
    return alone;
}

static void test_choice(Checks *c)
{
    HdTuneThreads slow = {0}, fast = {0}, short_ones = {0};

    hd_tune_threads_init(&slow, &contended, 2);
    CHECK(c, run(&slow, (Takes){2 * MS, MS}, 12) == 0); /* twice three pairs, of 1 ms each */
    CHECK(c, run(&slow, (Takes){2 * MS, MS}, 12) <= 4); /* three pairs are enough, or four */
    CHECK(c, hd_tune_threads_alone_ns(&slow) == 0 && !slow.turns.is_trying);
    hd_tune_threads_init(&fast, &contended, 2);
    CHECK(c, run(&fast, (Takes){MS, 2 * MS}, 30) == 30 - 12 - 3);
    /* Twice as long as all threads took, it may run alone. */
    CHECK(c, hd_tune_threads_alone_ns(&fast) > 4 * MS && hd_tune_threads_alone_ns(&fast) < 5 * MS);
    hd_tune_threads_init(&short_ones, &contended, 2);
    CHECK(c, run(&short_ones, (Takes){3000, 6000}, 2000) > 0);
    CHECK(c, hd_tune_threads_alone_ns(&short_ones) != 0);
}

/* Nothing is tried where it makes no difference. */
static void test_none(Checks *c)
{
    HdTuneThreads t = {0}, one = {0}, alone = {0}, off = {0};

    hd_tune_threads_init(&t, &calm, 2);
    CHECK(c, t.turns.every > 1 && run(&t, (Takes){MS, 2 * MS}, 5000) == 0);
    hd_tune_threads_init(&one, &one_group, 2);
    CHECK(c, run(&one, (Takes){MS, 2 * MS}, 5000) == 0);
    hd_tune_threads_init(&alone, &contended, 1);
    CHECK(c, run(&alone, (Takes){MS, 2 * MS}, 5000) == 0);
    setenv("HEDDLE_TRIAL", "0", 1);
    hd_tune_threads_init(&off, &contended, 2);
    CHECK(c, run(&off, (Takes){MS, 2 * MS}, 5000) == 0);
    setenv("HEDDLE_TRIAL", "1", 1);
}

/* Much later it is looked at again; with other code from the beginning. */
static void test_again(Checks *c)
{
    HdTuneThreads t = {0};

    hd_tune_threads_init(&t, &contended, 8);
    run(&t, (Takes){MS, 2 * MS}, 30);
    CHECK(c, hd_tune_threads_alone_ns(&t) != 0 && t.turns.times == 1);
    CHECK(c, run(&t, (Takes){3 * MS, MS}, 100) == 100);
    run(&t, (Takes){3 * MS, MS}, 400);
    CHECK(c, hd_tune_threads_alone_ns(&t) == 0 && t.turns.times == 1);
    run(&t, (Takes){MS, 2 * MS}, 1000);
    CHECK(c, hd_tune_threads_alone_ns(&t) != 0);
    hd_tune_threads_reset(&t);
    CHECK(c, hd_tune_threads_alone_ns(&t) == 0 && t.turns.times == 0);
    CHECK(c, run(&t, (Takes){MS, 2 * MS}, 30) == 30 - 12 - 3);
}

/* A launch that fails says nothing. */
static void test_failure(Checks *c)
{
    HdTuneThreads t = {0};

    hd_tune_threads_init(&t, &contended, 2);
    CHECK(c, run(&t, (Takes){0, 0}, 5000) == 0);
}

int main(void)
{
    Checks c = {0};

    setenv("HEDDLE_TRIAL", "1", 1);
    test_choice(&c);
    test_none(&c);
    test_again(&c);
    test_failure(&c);
    return checks_end(&c, "tune_threads_test");
}
