/* tests/launch/tune_test.c -- which of two forms of a kernel's code launches run, by what they are
 * said to take.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "check.h"
#include "launch/tune.h"

#define MS 1000000u

/* Nanoseconds of a launch of either form, by its number. */
typedef uint64_t Takes(unsigned number, bool is_other);

static HdKernelCode doubtful = {.facts = {.doubt = 2, .compile_ms = 5}}, certain, against;
static HdNdrangePlan first = {.code = {[2] = &doubtful}}, other = {.code = {[2] = &against}},
                     sure = {.code = {&certain}};

typedef struct Run {
    unsigned soon;   /* launches until it was worth trying if it was there */
    unsigned before; /* launches until the other form was asked for */
    unsigned urgent; /* of those, until it was urgent; 0 = it never was */
    bool is_over;
    HdOutcome outcome;
} Run;

/* Launches until a trial is over, at most so many.
 *   deaf      nobody makes the other form
 *   has_code  it can be made */
static Run run(HdTune *t, Takes *takes, unsigned most, bool deaf, bool has_code)
{
    Run r = {0};

    for (unsigned i = 0; i < most && !r.is_over; i++) {
        HdTuneNeed need;

        if (i % t->every != 0 || !hd_tune_enter(t))
            continue;
        need = hd_tune_need(t);
        if (need == HD_TUNE_SOON) {
            r.soon = r.soon == 0 ? i : r.soon;
            need = HD_TUNE_NOTHING;
        }
        if (need != HD_TUNE_NOTHING && r.before == 0)
            r.before = i;
        if (need == HD_TUNE_CODE_NOW && r.urgent == 0)
            r.urgent = i;
        if (need != HD_TUNE_NOTHING && !deaf)
            hd_tune_open(t, !has_code ? NULL : hd_tune_needs_against(t) ? &other : &first);
        hd_tune_leave(t, takes(i, hd_tune_plan(t)->code[2] == &against), &r.is_over, &r.outcome);
    }
    return r;
}

static uint64_t other_is_faster(unsigned number, bool is_other)
{
    (void)number;
    return is_other ? MS : 2 * MS;
}

static uint64_t other_is_slower(unsigned number, bool is_other)
{
    (void)number;
    return is_other ? 2 * MS : MS;
}

static uint64_t others_are_as_fast(unsigned number, bool is_other)
{
    (void)number;
    return is_other ? MS - MS / 50 : MS;
}

/* Each other launch has nothing to do: that says nothing about the forms. */
static uint64_t launches_take_turns(unsigned number, bool is_other)
{
    (void)is_other;
    return number % 2 == 0 ? 9 * MS : MS;
}

/* Nobody waits for a form that is far slower more than once. */
static uint64_t other_is_far_slower(unsigned number, bool is_other)
{
    static unsigned others;

    (void)number;
    others += is_other;
    return is_other ? others > 1 ? 0 : 200 * MS : 2 * MS;
}

/* A thread loses its processor. */
static uint64_t one_is_late(unsigned number, bool is_other)
{
    return (is_other ? MS : 2 * MS) + (number == 80 ? 40 * MS : 0);
}

/* So does the other form's the first time that it runs, and each second time. */
static uint64_t others_are_late(unsigned number, bool is_other)
{
    static unsigned others;

    (void)number;
    others += is_other;
    return is_other ? MS + (others % 2 != 0 ? 12 * MS : 0) : 2 * MS;
}

/* Nobody needs more than two pairs of such launches to see it. */
static uint64_t launches_are_long(unsigned number, bool is_other)
{
    static unsigned others;

    (void)number;
    others += is_other;
    return is_other ? others > 2 ? 0 : 20 * MS : 40 * MS;
}

/* Short ones, that get faster while a processor learns their branches. */
static uint64_t forms_are_learnt(unsigned number, bool is_other)
{
    static unsigned in_turn;
    static bool was_other;

    (void)number;
    in_turn = is_other == was_other ? in_turn + 1 : 0;
    was_other = is_other;
    return in_turn < 5 ? 40000 : is_other ? 8000 : 12000;
}

static uint64_t launches_fail(unsigned number, bool is_other)
{
    (void)number;
    (void)is_other;
    return 0;
}

static void test_choice(Checks *c, Takes *takes, const HdNdrangePlan *best)
{
    HdTune t = {0};
    Run r;

    hd_tune_init(&t, &first, NULL, 0);
    r = run(&t, takes, 20000, false, true);
    CHECK(c, r.is_over && r.before != 0);
    CHECK(c, r.outcome.times == 1 && r.outcome.against == (best == &other));
    CHECK(c, hd_tune_best(&t)->code[2] == best->code[2]);
}

static void test_beginning(Checks *c)
{
    HdTune t = {0}, none = {0}, failing = {0}, deaf = {0};
    Run r;

    hd_tune_init(&none, &sure, NULL, 0);
    CHECK(c, !hd_tune_is_worth_a_spare(&none));
    CHECK(c, hd_tune_code(&sure) == NULL && hd_tune_code(&first) == &doubtful);
    CHECK(c, run(&none, other_is_faster, 5000, false, true).before == 0);
    CHECK(c, hd_tune_best(&none)->code[0] == &certain);
    hd_tune_init(&t, &first, NULL, 0);
    r = run(&t, other_is_slower, 5000, false, false);
    CHECK(c, r.before == 34); /* of a millisecond each: twice what it takes to compile and to try */
    CHECK(c, t.every > 1 && hd_tune_best(&t)->code[2] == &doubtful);
    hd_tune_init(&failing, &first, NULL, 0);
    CHECK(c, run(&failing, launches_fail, 100, false, true).before == 0);
    CHECK(c, hd_tune_best(&failing)->code[2] == &doubtful);
    hd_tune_init(&deaf, &first, NULL, 0);
    r = run(&deaf, other_is_slower, 5000, true, true);
    CHECK(c, r.before == 34 && r.urgent == 68 && !r.is_over);
}

static uint64_t launches_are_short(unsigned number, bool is_other)
{
    (void)number;
    (void)is_other;
    return 1000;
}

/* Where the other form is there already the first trial waits for nothing but what it costs. */
static void test_soon(Checks *c)
{
    HdTune t = {0}, there = {0}, short_ones = {0};
    bool is_over = false;
    HdOutcome o;
    unsigned n = 0;
    Run r;

    hd_tune_init(&t, &first, NULL, 0);
    CHECK(c, hd_tune_is_worth_a_spare(&t));
    r = run(&t, other_is_slower, 5000, true, true);
    CHECK(c, r.soon == 12 && r.before == 34); /* twice three pairs of a millisecond each */
    hd_tune_init(&there, &first, NULL, 0);
    for (; n < 100 && !is_over; n++) {
        CHECK(c, hd_tune_enter(&there));
        if (hd_tune_need(&there) == HD_TUNE_SOON)
            hd_tune_open(&there, &other);
        hd_tune_leave(&there, other_is_faster(n, hd_tune_plan(&there)->code[2] == &against),
                      &is_over, &o);
    }
    CHECK(c, is_over && n == 12 + 2 * 3 && o.against); /* pairs that differ so much */
    hd_tune_init(&short_ones, &first, NULL, 0);
    r = run(&short_ones, launches_are_short, 100000, true, true);
    CHECK(c, r.soon > 3000 && r.soon < 3100); /* 3 ms: its turns are short */
}

/* Few of short launches are timed. */
static void test_short(Checks *c)
{
    HdTune t = {0};
    Run r;

    hd_tune_init(&t, &first, NULL, 0);
    r = run(&t, launches_are_short, 100000, true, true);
    CHECK(c, t.every == 32 && r.before > 20000 && r.before < 24000); /* 22 ms */
}

/* Launches beside the one that is timed are not. */
static void test_alone(Checks *c)
{
    HdTune t = {0};
    HdOutcome o;
    bool is_over;

    hd_tune_init(&t, &first, NULL, 0);
    CHECK(c, hd_tune_enter(&t));
    CHECK(c, !hd_tune_enter(&t));
    hd_tune_leave(&t, MS, &is_over, &o);
    CHECK(c, !is_over && hd_tune_enter(&t));
}

/* What an earlier trial found is begun with, and tried again much later, with the forms changed. */
static void test_again(Checks *c)
{
    HdTune t = {0}, begun = {0};
    Run r;

    hd_tune_init(&begun, &first, &other, 1);
    CHECK(c, !hd_tune_is_worth_a_spare(&begun));
    CHECK(c, hd_tune_best(&begun)->code[2] == &against);
    r = run(&begun, other_is_faster, 100000, false, true);
    CHECK(c, r.before > 700 && r.is_over && r.outcome.against && r.outcome.times == 2);
    hd_tune_init(&t, &first, NULL, 0);
    CHECK(c, run(&t, other_is_faster, 100000, false, true).outcome.against);
    r = run(&t, other_is_slower, 100000, false, true);
    CHECK(c, r.before > 700 && r.is_over && !r.outcome.against && r.outcome.times == 1);
    CHECK(c, hd_tune_best(&t)->code[2] == &doubtful);
    r = run(&t, other_is_slower, 1000000, false, true);
    CHECK(c, r.is_over && !r.outcome.against && r.outcome.times == 2);
    CHECK(c, run(&t, other_is_slower, 1000000, true, true).before > 3 * r.before);
}

int main(void)
{
    Checks c = {0};

    setenv("HEDDLE_TRIAL", "1", 1);
    test_beginning(&c);
    test_alone(&c);
    test_short(&c);
    test_soon(&c);
    test_again(&c);
    test_choice(&c, other_is_faster, &other);
    test_choice(&c, other_is_slower, &first);
    test_choice(&c, other_is_far_slower, &first);
    test_choice(&c, others_are_as_fast, &first);
    test_choice(&c, launches_take_turns, &first);
    test_choice(&c, one_is_late, &other);
    test_choice(&c, others_are_late, &other);
    test_choice(&c, launches_are_long, &other);
    test_choice(&c, forms_are_learnt, &other);
    return checks_end(&c, "tune_test");
}
