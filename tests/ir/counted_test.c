/* tests/ir/counted_test.c -- counters and counted loops, judged by running the loops.
 *
 * Trip counts and final values are made for all pairs of a first number and a bound of eight bits,
 * and for some of more. Growth is found in random sums of what a loop counts, which the loop stores
 * in every iteration.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/counted.h"

#include "counts.h"
#include "ir/edit.h"
#include "lane_eval.h"

#define LOOPS  400u
#define ROUNDS 9u

static uint64_t state = 2463534242u;

static unsigned pick(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 20) % n);
}

static uint64_t cut(HdIrType t, uint64_t x)
{
    return t == HD_IR_I64 ? x : x & (((uint64_t)1 << hd_ir_type_bits(t)) - 1);
}

static int64_t as_signed(HdIrType t, uint64_t x)
{
    switch (t) {
    case HD_IR_I8: return (int8_t)x;
    case HD_IR_I16: return (int16_t)x;
    case HD_IR_I32: return (int32_t)x;
    default: return (int64_t)x;
    }
}

static HdIrRef param(HdIrFunc *f, HdIrType t, uint64_t number)
{
    return hd_ir_emit_sub(f, 0, HD_IR_PARAM, t, 0, number, NULL, 0);
}

static HdIrRef two(HdIrFunc *f, uint32_t b, HdIrOp op, HdIrType t, HdIrRef x, HdIrRef y)
{
    HdIrRef args[2] = {x, y};

    return hd_ir_emit(f, b, op, t, args, y != 0 ? 2 : 1);
}

/* A function that takes numbers of these types. */
static HdIrFunc *func(HdArena *a, unsigned count, const HdIrType *types)
{
    HdIrFunc *f = hd_ir_func(hd_ir_module(a), "k");

    f->param_types = hd_arena_zero_array(a, 1, count);
    f->param_count = count;
    for (unsigned i = 0; i < count; i++)
        f->param_types[i] = (uint8_t)types[i];
    f->result_types = hd_arena_zero_array(a, 1, 2);
    return f;
}

/* ---- trip counts and final values ---------------------------------------------------------------
 */

static HdIrRef put(void *user, HdIrOp op, HdIrType type, uint64_t imm, HdIrRef x, HdIrRef y)
{
    HdIrRef args[2] = {x, y};

    return hd_ir_emit_sub(user, 0, op, type, 0, imm, args, (x != 0) + (size_t)(y != 0));
}

static bool holds(unsigned predicate, HdIrType t, uint64_t x, uint64_t bound)
{
    int64_t a = as_signed(t, x), b = as_signed(t, bound);

    switch (predicate) {
    case HD_IR_NE: return x != bound;
    case HD_IR_ULT: return x < bound;
    case HD_IR_UGT: return x > bound;
    case HD_IR_SLT: return a < b;
    default: return a > b;
    }
}

/* By doing it. */
static uint64_t trips_of(unsigned predicate, HdIrType t, uint64_t first, int64_t step,
                         uint64_t bound)
{
    uint64_t n = 0;

    for (; holds(predicate, t, first, bound); n++)
        first = cut(t, first + (uint64_t)step);
    return n;
}

/* A function of (first, bound, start) that returns the trips of a test, and where a counter from
 * `start` on, with a step of its own, ends. */
static HdIrFunc *make_trips(HdArena *a, HdIrType t, unsigned predicate, int64_t step, int64_t own)
{
    HdIrFunc *f = func(a, 3, (HdIrType[]){t, t, t});
    HdIrRef first = param(f, t, 0), bound = param(f, t, 1), results[2];
    HdCountedPut to = {put, f};
    HdCounter c = {.phi = param(f, t, 2), .step = own};

    c.start = c.phi; /* of which only the type is asked */
    results[0] = hd_counted_trips(&to, f, predicate, first, step, bound);
    results[1] = hd_counted_final(&to, f, &c, results[0]);
    hd_ir_emit(f, 0, HD_IR_RET, HD_IR_VOID, results, 2);
    f->result_types[0] = HD_IR_I64;
    f->result_types[1] = (uint8_t)t;
    f->result_count = 2;
    return f;
}

static bool is_right(HdIrFunc *f, HdIrType t, unsigned predicate, int64_t step, int64_t own,
                     const uint64_t p[3])
{
    uint64_t trips = trips_of(predicate, t, p[0], step, p[1]);
    EvalRun run = {.params = {p[0], p[1], p[2]}};

    eval_run(f, &run);
    return run.error == NULL && run.results[0] == trips &&
           run.results[1] == cut(t, p[2] + trips * (uint64_t)own);
}

static void test_trips(void)
{
    static const int64_t owns[] = {1, -1, 3, -20};
    static const HdIrType types[] = {HD_IR_I16, HD_IR_I32, HD_IR_I64};

    for (unsigned predicate = HD_IR_EQ; predicate <= HD_IR_SGE; predicate++)
        for (int64_t step = -2; step <= 2; step++) {
            HdArena *a = hd_arena_open();
            int64_t own = owns[pick(4)];
            bool all = true;
            HdIrFunc *f;

            if (!hd_counted_is_exact(predicate, step)) {
                hd_arena_drop(a);
                continue;
            }
            f = make_trips(a, HD_IR_I8, predicate, step, own);
            check(hd_ir_verify(f, NULL) == HD_OK, "trips verify");
            for (uint64_t i = 0; i < 65536; i++)
                all = all && is_right(f, HD_IR_I8, predicate, step, own,
                                      (uint64_t[]){i & 255, i >> 8, pick(256)});
            check(all, "trips and final values of bytes");
            for (unsigned k = 0; k < 3; k++) { /* from near each other, also across a wrap */
                f = make_trips(a, types[k], predicate, step, own);
                for (unsigned i = 0; i < 200; i++) {
                    uint64_t first = cut(types[k], (pick(2) != 0 ? pick(99) : 0 - pick(99)));
                    uint64_t ahead = cut(types[k], first + (uint64_t)step * pick(200));

                    all = all && is_right(f, types[k], predicate, step, own,
                                          (uint64_t[]){first, ahead, pick(1000)});
                }
                check(all, "trips and final values of more bits");
            }
            hd_arena_drop(a);
        }
    check(!hd_counted_is_exact(HD_IR_SLE, 1), "x <= the largest number never ends");
    check(!hd_counted_is_exact(HD_IR_NE, 2), "a bound may be passed");
}

/* ---- growth -------------------------------------------------------------------------------------
 */

/* for (i = start, p = base; i < bound; i += step, p += by) { out[round] = sum; } with a sum of i,
 * p and parameters. */
typedef struct Counts {
    HdIrFunc *f;
    HdIrRef i, p, sum, next_i, next_p;
    int64_t step, by;
} Counts;

/* Sums of numbers so small that nothing wraps, as hd_counted_step assumes. */
static HdIrRef some_sum(Counts *c, unsigned depth)
{
    HdIrFunc *f = c->f;
    HdIrRef x, y;

    if (depth == 0)
        switch (pick(4)) {
        case 0: return hd_ir_const(f, 1, HD_IR_I64, pick(50));
        case 1: return 1 + pick(2); /* a parameter */
        case 2: return c->p;
        default: return two(f, 1, HD_IR_SEXT, HD_IR_I64, c->i, 0);
        }
    x = some_sum(c, depth - 1);
    switch (pick(7)) {
    case 0: return two(f, 1, HD_IR_SHL, HD_IR_I64, x, hd_ir_const(f, 1, HD_IR_I64, pick(4)));
    case 1: return two(f, 1, HD_IR_MUL, HD_IR_I64, x, hd_ir_const(f, 1, HD_IR_I64, pick(9)));
    case 2: return two(f, 1, HD_IR_SEXT, HD_IR_I64, two(f, 1, HD_IR_TRUNC, HD_IR_I32, x, 0), 0);
    case 3: return two(f, 1, HD_IR_XOR, HD_IR_I64, x, hd_ir_const(f, 1, HD_IR_I64, UINT64_MAX));
    case 4: return two(f, 1, HD_IR_MUL, HD_IR_I64, x, 1 + pick(2)); /* no constant: not known */
    case 5: y = some_sum(c, depth - 1); return two(f, 1, HD_IR_SUB, HD_IR_I64, x, y);
    default: y = some_sum(c, depth - 1); return two(f, 1, HD_IR_ADD, HD_IR_I64, x, y);
    }
}

static void make_counts(Counts *c, HdArena *a)
{
    HdIrFunc *f = c->f = func(a, 3, (HdIrType[]){HD_IR_I64, HD_IR_I64, HD_IR_PTR});
    HdIrRef out, zero, base, bound, cell, more, round, phi[4] = {0, 0, 1, 0}, args[2];

    c->step = (int64_t)(1 + pick(5));
    c->by = (int64_t)pick(40) - 20;
    param(f, HD_IR_I64, 0);
    param(f, HD_IR_I64, 1);
    out = param(f, HD_IR_PTR, 2);
    zero = hd_ir_const(f, 0, HD_IR_I32, 0);
    base = hd_ir_const(f, 0, HD_IR_I64, 1000);
    bound = hd_ir_const(f, 0, HD_IR_I32, (uint64_t)c->step * ROUNDS);
    hd_ir_block(f);
    hd_ir_block(f);
    hd_ir_br(f, 0, 1);
    phi[1] = phi[3] = zero;
    c->i = hd_ir_emit(f, 1, HD_IR_PHI, HD_IR_I32, phi, 4);
    phi[1] = phi[3] = base;
    c->p = hd_ir_emit(f, 1, HD_IR_PHI, HD_IR_I64, phi, 4);
    phi[1] = phi[3] = out;
    round = hd_ir_emit(f, 1, HD_IR_PHI, HD_IR_PTR, phi, 4);
    c->sum = some_sum(c, 1 + pick(4));
    cell = round;
    args[0] = cell;
    args[1] = c->sum;
    hd_ir_emit_sub(f, 1, HD_IR_STORE, HD_IR_VOID, HD_SPACE_GLOBAL, 8, args, 2);
    c->next_i =
        two(f, 1, HD_IR_ADD, HD_IR_I32, c->i, hd_ir_const(f, 1, HD_IR_I32, (uint64_t)c->step));
    c->next_p =
        two(f, 1, HD_IR_ADD, HD_IR_I64, c->p, hd_ir_const(f, 1, HD_IR_I64, (uint64_t)c->by));
    cell = two(f, 1, HD_IR_PTRADD, HD_IR_PTR, round, hd_ir_const(f, 1, HD_IR_I64, 8));
    hd_ir_args(f, c->i)[3] = c->next_i;
    hd_ir_args(f, c->p)[3] = c->next_p;
    hd_ir_args(f, round)[3] = cell;
    args[0] = c->next_i;
    args[1] = bound;
    more = hd_ir_emit_sub(f, 1, HD_IR_ICMP, HD_IR_BOOL, HD_IR_SLT, 0, args, 2);
    hd_ir_condbr(f, 1, more, 1, 2);
    hd_ir_emit(f, 2, HD_IR_RET, HD_IR_VOID, NULL, 0);
}

static bool grows_so(const Counts *c, int64_t step)
{
    EvalRun run = {.params = {17, 5, EVAL_BASE}, .visible_bytes = 256};
    int64_t before = 0, now;

    eval_run(c->f, &run);
    for (unsigned i = 0; i < ROUNDS && run.error == NULL; i++, before = now) {
        now = 0;
        for (unsigned k = 8; k-- > 0;)
            now = (int64_t)((uint64_t)now << 8 | run.memory[8 * i + k]);
        if (i != 0 && (uint64_t)now - (uint64_t)before != (uint64_t)step)
            return false;
    }
    return run.error == NULL;
}

static void test_growth(void)
{
    unsigned known = 0;

    for (unsigned n = 0; n < LOOPS; n++) {
        HdArena *a = hd_arena_open();
        HdIrGraph *g = NULL;
        HdCounted loop;
        Counts c;
        int64_t step;

        make_counts(&c, a);
        check(hd_ir_verify(c.f, NULL) == HD_OK && hd_ir_graph(c.f, a, &g) == HD_OK, "verifies");
        check(hd_counted_find(c.f, g, 0, &loop), "is a counted loop");
        check(loop.counter.phi == c.i && loop.counter.next == c.next_i &&
                  loop.counter.step == c.step && loop.tests_next && loop.predicate == HD_IR_SLT,
              "of this counter");
        if (hd_counted_step(&loop.in, loop.latch, c.sum, false, &step)) {
            known++;
            check(grows_so(&c, step), "grows by that in every iteration");
        }
        loop.in.g = NULL; /* as the one block that it is */
        check(hd_counted_step(&loop.in, 1, c.next_p, false, &step) && step == c.by,
              "a counter's next value");
        hd_arena_drop(a);
    }
    check(known > LOOPS / 2, "growth is found in most of them");
}

/* ---- ranges -------------------------------------------------------------------------------------
 */

/* A counter of 64 bits from `start` up to `bound`, compared like this; its addition may promise. */
static HdIrRef make_range(HdIrFunc *f, HdIrRef start, HdIrRef bound, unsigned how, unsigned flags)
{
    HdIrRef phi[4] = {0, start, 1, start}, args[2], i, more;

    hd_ir_block(f);
    hd_ir_block(f);
    hd_ir_br(f, 0, 1);
    i = hd_ir_emit(f, 1, HD_IR_PHI, HD_IR_I64, phi, 4);
    args[0] = two(f, 1, HD_IR_ADD, HD_IR_I64, i, hd_ir_const(f, 1, HD_IR_I64, 1));
    args[1] = bound;
    f->insts.at[args[0]].flags = (HdIrFlags)flags;
    hd_ir_args(f, i)[3] = args[0];
    more = hd_ir_emit_sub(f, 1, HD_IR_ICMP, HD_IR_BOOL, how, 0, args, 2);
    hd_ir_condbr(f, 1, more, 1, 2);
    hd_ir_emit(f, 2, HD_IR_RET, HD_IR_VOID, NULL, 0);
    return i;
}

typedef struct RangeCase {
    int64_t start, bound; /* bound 0: an I32 parameter, extended */
    HdIrOp extend;
    unsigned how, flags;
    bool as_signed, as_unsigned; /* fits in 32 bits */
} RangeCase;

static void test_ranges(void)
{
    static const RangeCase cases[] = {
        {0, 100, 0, HD_IR_SLT, HD_IR_NSW, true, true},
        {0, 100, 0, HD_IR_SLT, 0, false, false},
        {-5, 100, 0, HD_IR_SLT, HD_IR_NSW, true, false},
        {0, (int64_t)1 << 33, 0, HD_IR_SLT, HD_IR_NSW, false, false},
        {0, (int64_t)1 << 31, 0, HD_IR_SLT, HD_IR_NSW, false, true},
        {0, 0, HD_IR_SEXT, HD_IR_SLT, HD_IR_NSW, true, true},
        {0, 0, HD_IR_ZEXT, HD_IR_SLT, HD_IR_NSW, false, true},
        {0, 0, HD_IR_ZEXT, HD_IR_ULT, HD_IR_NSW, false, true},
        /* As an unsigned number, a bound below 0 is none that fits. */
        {0, 0, HD_IR_SEXT, HD_IR_ULT, HD_IR_NSW, false, false},
        {0, -1, 0, HD_IR_ULT, HD_IR_NSW, false, false},
        {0, 0, HD_IR_SEXT, HD_IR_NE, HD_IR_NSW, true, true},
        {0, 0, HD_IR_SEXT, HD_IR_NE, 0, false, false},
    };

    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const RangeCase *x = &cases[n];
        HdArena *a = hd_arena_open();
        HdIrFunc *f = func(a, 1, (HdIrType[]){HD_IR_I32});
        HdIrRef bound = param(f, HD_IR_I32, 0), i;
        HdIrGraph *g = NULL;

        bound = x->bound != 0 ? hd_ir_const(f, 0, HD_IR_I64, (uint64_t)x->bound)
                              : two(f, 0, x->extend, HD_IR_I64, bound, 0);
        i = make_range(f, hd_ir_const(f, 0, HD_IR_I64, (uint64_t)x->start), bound, x->how,
                       x->flags);
        check(hd_ir_verify(f, NULL) == HD_OK && hd_ir_graph(f, a, &g) == HD_OK, "verifies");
        check(hd_counted_fits(f, g, i, 32, true) == x->as_signed, "fits in 32 signed bits");
        check(hd_counted_fits(f, g, i, 32, false) == x->as_unsigned, "in 32 unsigned ones");
        if (hd_counted_fits(f, g, i, 32, true) != x->as_signed ||
            hd_counted_fits(f, g, i, 32, false) != x->as_unsigned)
            printf("  case %zu\n", n);
        hd_arena_drop(a);
    }
}

/* A counter that goes on while it is not the bound has to come to it. */
static void test_meets(void)
{
    static const struct {
        int64_t start, step, bound;
        bool is_counted;
    } cases[] = {{0, 4, 240, true},       {0, 4, 242, false}, {1193, -4, 1, true},
                 {1193, -4, 2, false},    {8, 4, 0, false},   {-8, -4, 0, false},
                 {4, 4, 4, false},        {-8, 4, 8, true},   {0, 1, 7, true},
                 {0, 0x100000, 0, false}, {7, -1, 9, true}};

    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        HdArena *a = hd_arena_open();
        HdIrFunc *f = func(a, 1, (HdIrType[]){HD_IR_I32});
        HdIrRef bound = hd_ir_const(f, 0, HD_IR_I64, (uint64_t)cases[n].bound), i;
        HdCounted loop;
        HdIrGraph *g = NULL;

        i = make_range(f, hd_ir_const(f, 0, HD_IR_I64, (uint64_t)cases[n].start), bound, HD_IR_NE,
                       0);
        hd_ir_inst(f, hd_ir_arg(f, hd_ir_arg(f, i, 3), 1))->imm = (uint64_t)cases[n].step;
        check(hd_ir_verify(f, NULL) == HD_OK && hd_ir_graph(f, a, &g) == HD_OK, "verifies");
        check(hd_counted_find(f, g, 0, &loop) == cases[n].is_counted, "counts to its bound");
        check(hd_counted_find_nest(f, g, 0, &loop) == cases[n].is_counted, "as a nest, too");
        hd_arena_drop(a);
    }
}

int main(void)
{
    test_trips();
    test_meets();
    test_growth();
    test_ranges();
    return report();
}
