/* tests/launch/tune_far_test.c -- whether launches ask ahead, by what they are said to take.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "check.h"
#include "launch/tune_far.h"

#define MS 1000000u

static HdNdrangePlan asks = {.ahead = 8}, calm;

/* Nanoseconds of a launch that asks, and of one that does not. */
typedef struct Takes {
    uint64_t far, near;
} Takes;

/* Launches, and how many of them did not ask. */
static unsigned run(HdTuneFar *t, Takes takes, unsigned count)
{
    unsigned nears = 0;

    for (unsigned i = 0; i < count; i++) {
        uint32_t every = t->turns.every;
        bool near = hd_tune_far_is_near(t);

        if (i % every == 0) {
            hd_tune_turns_begin(&t->turns);
            near = hd_tune_far_next(t);
            hd_tune_far_note(t, near ? takes.near : takes.far, every);
        }
        nears += near;
    }
    return nears;
}

static void test_choice(Checks *c)
{
    HdTuneFar pays = {0}, costs = {0}, equal = {0}, short_ones = {0};

    hd_tune_far_init(&pays, &asks);
    CHECK(c, run(&pays, (Takes){MS, 2 * MS}, 12) == 0); /* twice three pairs */
    CHECK(c, run(&pays, (Takes){MS, 2 * MS}, 12) <= 4);
    CHECK(c, !hd_tune_far_is_near(&pays) && !pays.turns.is_trying);
    hd_tune_far_init(&costs, &asks);
    CHECK(c, run(&costs, (Takes){2 * MS, MS}, 30) == 30 - 12 - 3);
    CHECK(c, hd_tune_far_is_near(&costs));
    CHECK(c, run(&costs, (Takes){2 * MS, MS}, 30) == 30);   /* and stay so, */
    CHECK(c, run(&costs, (Takes){MS, 2 * MS}, 1000) < 900); /* but for other data */
    CHECK(c, !hd_tune_far_is_near(&costs));
    hd_tune_far_init(&equal, &asks);
    run(&equal, (Takes){MS, MS}, 100);
    CHECK(c, !hd_tune_far_is_near(&equal));
    hd_tune_far_init(&short_ones, &asks);
    run(&short_ones, (Takes){6000, 3000}, 4000);
    CHECK(c, hd_tune_far_is_near(&short_ones));
    hd_tune_far_reset(&short_ones);
    CHECK(c, !hd_tune_far_is_near(&short_ones) && !short_ones.turns.is_trying);
}

/* Code that has nothing to ask for, and no trials at all. */
static void test_off(Checks *c)
{
    HdTuneFar t = {0}, none = {0};

    hd_tune_far_init(&t, &calm);
    CHECK(c, run(&t, (Takes){2 * MS, MS}, 100) == 0 && !t.turns.is_trying);
    setenv("HEDDLE_TRIAL", "0", 1);
    hd_tune_far_init(&none, &asks);
    CHECK(c, run(&none, (Takes){2 * MS, MS}, 100) == 0 && !none.turns.is_trying);
}

int main(void)
{
    Checks checks = {0};

    test_choice(&checks);
    test_off(&checks);
    return checks_end(&checks, "tune_far");
}
