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

static HdKernelCode doubtful = {.facts = {.doubt = 2, .compile_ms = 5}}, certain, against_code;
static HdNdrangePlan first = {.code = {[2] = &doubtful}}, other = {.code = {[2] = &against_code}},
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
        hd_tune_leave(t, takes(i, hd_tune_plan(t)->code[2] == &against_code), &r.is_over,
                      &r.outcome);
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

/* So does the form that is far faster, each time but once. */
static uint64_t first_is_late(unsigned number, bool is_other)
{
    static bool is_tried;

    (void)number;
    is_tried = is_tried || is_other;
    return is_other ? 5 * MS : is_tried ? 31 * MS : MS;
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

    hd_tune_init(&t, &first, NULL, 2, 0);
    r = run(&t, takes, 20000, false, true);
    CHECK(c, r.is_over && r.before != 0);
    CHECK(c, r.outcome.times == 1 && r.outcome.against == (best == &other));
    CHECK(c, hd_tune_best(&t)->code[2] == best->code[2]);
}

static void test_beginning(Checks *c)
{
    HdTune t = {0}, none = {0}, failing = {0}, deaf = {0};
    Run r;

    hd_tune_init(&none, &sure, NULL, 2, 0);
    CHECK(c, !hd_tune_is_worth_a_spare(&none));
    CHECK(c, hd_tune_code(&sure) == NULL && hd_tune_code(&first) == &doubtful);
    CHECK(c, run(&none, other_is_faster, 5000, false, true).before == 0);
    CHECK(c, hd_tune_best(&none)->code[0] == &certain);
    hd_tune_init(&t, &first, NULL, 2, 0);
    r = run(&t, other_is_slower, 5000, false, false);
    CHECK(c, r.before == 34); /* of a millisecond each: twice what it takes to compile and to try */
    CHECK(c, t.every > 1 && hd_tune_best(&t)->code[2] == &doubtful);
    hd_tune_init(&failing, &first, NULL, 2, 0);
    CHECK(c, run(&failing, launches_fail, 100, false, true).before == 0);
    CHECK(c, hd_tune_best(&failing)->code[2] == &doubtful);
    hd_tune_init(&deaf, &first, NULL, 2, 0);
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

    hd_tune_init(&t, &first, NULL, 2, 0);
    CHECK(c, hd_tune_is_worth_a_spare(&t));
    r = run(&t, other_is_slower, 5000, true, true);
    CHECK(c, r.soon == 12 && r.before == 34); /* twice three pairs of a millisecond each */
    hd_tune_init(&there, &first, NULL, 2, 0);
    for (; n < 100 && !is_over; n++) {
        CHECK(c, hd_tune_enter(&there));
        if (hd_tune_need(&there) == HD_TUNE_SOON)
            hd_tune_open(&there, &other);
        hd_tune_leave(&there, other_is_faster(n, hd_tune_plan(&there)->code[2] == &against_code),
                      &is_over, &o);
    }
    CHECK(c, is_over && n == 12 + 2 * 3 && o.against); /* pairs that differ so much */
    hd_tune_init(&short_ones, &first, NULL, 2, 0);
    r = run(&short_ones, launches_are_short, 100000, true, true);
    CHECK(c, r.soon > 3000 && r.soon < 3100); /* 3 ms: its turns are short */
}

/* Few of short launches are timed. */
static void test_short(Checks *c)
{
    HdTune t = {0};
    Run r;

    hd_tune_init(&t, &first, NULL, 2, 0);
    r = run(&t, launches_are_short, 100000, true, true);
    CHECK(c, t.every == 32 && r.before > 20000 && r.before < 24000); /* 22 ms */
}

/* Launches beside the one that is timed are not. */
static void test_alone(Checks *c)
{
    HdTune t = {0};
    HdOutcome o;
    bool is_over;

    hd_tune_init(&t, &first, NULL, 2, 0);
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

    hd_tune_init(&begun, &first, &other, 2, 1);
    CHECK(c, !hd_tune_is_worth_a_spare(&begun));
    CHECK(c, hd_tune_best(&begun)->code[2] == &against_code);
    r = run(&begun, other_is_faster, 100000, false, true);
    CHECK(c, r.before > 700 && r.is_over && r.outcome.against && r.outcome.times == 2);
    hd_tune_init(&t, &first, NULL, 2, 0);
    CHECK(c, run(&t, other_is_faster, 100000, false, true).outcome.against);
    r = run(&t, other_is_slower, 100000, false, true);
    CHECK(c, r.before > 700 && r.is_over && !r.outcome.against && r.outcome.times == 1);
    CHECK(c, hd_tune_best(&t)->code[2] == &doubtful);
    r = run(&t, other_is_slower, 1000000, false, true);
    CHECK(c, r.is_over && !r.outcome.against && r.outcome.times == 2);
    CHECK(c, run(&t, other_is_slower, 1000000, true, true).before > 3 * r.before);
}

#define GROUPS  1024u
#define LONG_MS 20u

/* Of launches of 20 ms in the form that the estimate prefers. */
typedef struct Sliced {
    double ns;      /* of all launches */
    unsigned until; /* launches until a trial was over; 0: none was */
    HdOutcome outcome;
} Sliced;

/* Ten such launches, in which a slice of the other form takes so many times as long. */
static Sliced run_sliced(HdTune *t, const HdNdrangePlan *to_try, double times)
{
    double each = LONG_MS * (double)MS / GROUPS;
    Sliced r = {0};

    for (unsigned i = 0; i < 10; i++) {
        bool is_over, against = t->best == &t->forms[1];
        uint64_t slice, at = 0;
        double before = r.ns;

        if (!hd_tune_enter(t))
            continue;
        if (hd_tune_need(t) != HD_TUNE_NOTHING)
            hd_tune_open(t, to_try);
        slice = hd_tune_slice(t, 2);
        for (; slice != 0 && t->is_trying && GROUPS - at >= 2 * slice; at += slice) {
            bool is_other = hd_tune_plan(t)->code[2] == &against_code;
            double ns = each * (double)slice * (is_other ? times : 1);

            r.ns += ns;
            hd_tune_note_slice(t, (uint64_t)ns);
        }
        against = hd_tune_best(t) == &t->forms[1];
        r.ns += each * (double)(GROUPS - at) * (against ? times : 1);
        hd_tune_leave(t, slice != 0 ? 0 : (uint64_t)(r.ns - before), &is_over, &r.outcome);
        r.until = is_over && r.until == 0 ? i + 1 : r.until;
    }
    return r;
}

/* The estimate orders trials, and does not prevent any: within ten launches the faster form is
 * known, and where it is the other one a launch more is not lost over it. */
static void test_slices(Checks *c)
{
    static HdKernelCode far = {.facts = {.doubt = 300, .compile_ms = 5}};
    static HdKernelCode near = {.facts = {.doubt = 2, .compile_ms = 5}};
    HdNdrangePlan plan = {.code = {[2] = &far}, .total = GROUPS}, unlike = plan, single = plan;
    HdNdrangePlan to_try = {.code = {[2] = &against_code}, .total = GROUPS};
    HdTune right = {0}, wrong = {0}, few = {0}, apart = {0}, whole = {0}, close = {0};
    Sliced r;

    hd_tune_init(&right, &plan, NULL, 2, 0);
    r = run_sliced(&right, &to_try, 10);
    CHECK(c, r.until != 0 && r.until <= 5 && !r.outcome.against);
    CHECK(c, r.ns < 11.0 * LONG_MS * MS);
    hd_tune_init(&wrong, &plan, NULL, 2, 0);
    r = run_sliced(&wrong, &to_try, 0.1);
    CHECK(c, r.until != 0 && r.until <= 5 && r.outcome.against);
    CHECK(c, hd_tune_best(&wrong)->code[2] == &against_code);
    /* One group cannot be divided, nor can groups that are not the same. */
    single.total = 1;
    hd_tune_init(&few, &single, NULL, 2, 0);
    CHECK(c, run_sliced(&few, &to_try, 0.1).until == 0 && !few.is_on);
    unlike.code[2] = &against_code;
    unlike.whole[0] = 8;
    hd_tune_init(&apart, &plan, NULL, 2, 0);
    CHECK(c, run_sliced(&apart, &unlike, 0.1).until == 0);
    CHECK(c, !apart.is_on && hd_tune_best(&apart)->code[2] == &far);
    /* What is not far apart in the estimate is tried launch by launch then. */
    plan.code[2] = &near;
    hd_tune_init(&whole, &plan, NULL, 2, 0);
    (void)run_sliced(&whole, &unlike, 0.1);
    CHECK(c, whole.is_trying && hd_tune_slice(&whole, 2) == 0);
    hd_tune_init(&close, &plan, NULL, 2, 0);
    CHECK(c, run_sliced(&close, &to_try, 0.7).outcome.against);
}

/* Groups that may wait for each other are tried in whole launches, and in no form of which fewer
 * fit. */
static void test_waiting(Checks *c)
{
    static HdKernelCode near = {.facts = {.doubt = 2, .compile_ms = 5}};
    HdNdrangePlan plan = {.code = {[2] = &near}, .total = GROUPS, .groups_wait = true, .fibers = 4};
    HdNdrangePlan to_try = {
        .code = {[2] = &against_code}, .total = GROUPS, .groups_wait = true, .fibers = 4};
    HdTune whole = {0}, large = {0};

    hd_tune_init(&whole, &plan, NULL, 2, 0);
    hd_tune_open(&whole, &to_try);
    CHECK(c, whole.is_trying && !whole.is_sliced);
    to_try.fibers = 64;
    hd_tune_init(&large, &plan, NULL, 2, 0);
    hd_tune_open(&large, &to_try);
    CHECK(c, !large.is_on && !large.is_trying && hd_tune_best(&large)->code[2] == &near);
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
    test_slices(&c);
    test_waiting(&c);
    test_choice(&c, other_is_faster, &other);
    test_choice(&c, other_is_slower, &first);
    test_choice(&c, other_is_far_slower, &first);
    test_choice(&c, others_are_as_fast, &first);
    test_choice(&c, launches_take_turns, &first);
    test_choice(&c, one_is_late, &other);
    test_choice(&c, others_are_late, &other);
    test_choice(&c, first_is_late, &first);
    test_choice(&c, launches_are_long, &other);
    test_choice(&c, forms_are_learnt, &other);
    return checks_end(&c, "tune_test");
}
