/* opt/dependence.c -- are two addresses different in every iteration of a loop?
 *
 * `for (j = 0; j < i; j++) a[row][i] -= a[row][j] * a[j][i];` inside `if (row > i)`: no load reads
 * what is stored, as j < i < row. The difference of two addresses is a sum of values times
 * constants; if all but two terms cancel, it remains to prove that one index differs from the
 * other. Branches, counters and types give facts of the form a <= b + constant; a chain of such
 * facts is the proof.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/dependence.h"

#include "ir/counted.h"
#include "ir/edit.h"
#include "ir/linear.h"

/* Facts a <= b + constant that are known at a place: the proof takes the cube of it. */
#define MOST_FACTS 48u
#define MOST_DEPTH 12u                /* preceding blocks, and facts in a chain */
#define MOST_PARTS 4u                 /* conditions in a condition */
#define ZERO       0u                 /* represents the number 0 among values */
#define UNSIGNED   ((HdIrRef)1 << 31) /* with a value's number: its low 32 bits, unsigned */
/* No bound is known. */
#define UNKNOWN INT64_MAX
/* Bytes that no two addresses of one object are apart. */
#define FAR     ((uint64_t)1 << 62)
#define LONGEST ((int64_t)1 << 50) /* rounds: days of them */

/* u is at most v + by; of `differ` u is not v + by; of `unsigned_ones` u is at most v + by as
 * unsigned numbers of 64 bits. */
typedef struct Fact {
    HdIrRef u, v;
    int64_t by;
} Fact;

typedef struct Facts {
    const HdIrFunc *f;
    const HdIrGraph *g;
    Fact at[MOST_FACTS], differ[MOST_FACTS], unsigned_ones[MOST_FACTS];
    unsigned count, differ_count, unsigned_count;
} Facts;

/* A value plus a number. */
typedef struct Place {
    HdIrRef of;
    int64_t by;
} Place;

static const HdIrInst *inst(const Facts *x, HdIrRef r)
{
    return &x->f->insts.at[r];
}

/* ---- counters ----------------------------------------------------------------------------------
 */

/* Of a phi at the head of a loop that goes up by one: what it begins with; 0: it is none. */
static HdIrRef start_of(const Facts *x, HdIrRef phi)
{
    uint32_t block = inst(x, phi)->block, loop = block != HD_IR_NOWHERE ? x->g->loop[block] : block;
    HdLoop l;
    HdCounter c;

    if (loop == HD_IR_NOWHERE)
        return 0;
    l = hd_loop_of(x->f, x->g, loop);
    return hd_counter_find(&l, phi, &c) && c.step == 1 ? c.start : 0;
}

/* Does it count from a number on that is not negative? In 64 bits it never wraps. */
static bool is_counter(const Facts *x, HdIrRef phi, int64_t *from)
{
    HdIrRef start = start_of(x, phi);

    return start != 0 && inst(x, phi)->type == HD_IR_I64 && hd_ir_is_number(x->f, start, from) &&
           *from >= 0 && *from <= INT32_MAX;
}

/* Counters of one loop are one and a number. */
static Place first_counter(const Facts *x, HdIrRef phi)
{
    const HdIrBlock *b = &x->f->blocks.at[inst(x, phi)->block];
    int64_t from, first;

    for (size_t i = 0; is_counter(x, phi, &from) && i < b->insts.count; i++)
        if (is_counter(x, b->insts.at[i], &first))
            return (Place){b->insts.at[i], from - first};
    return (Place){phi, 0};
}

/* The same number in any type, signed or not. */
static bool is_local_id(const Facts *x, HdIrRef r)
{
    return inst(x, r)->op == HD_IR_BUILTIN && inst(x, r)->sub == HD_BUILTIN_LOCAL_ID;
}

/* An operand of a comparison, or an index, as what facts are about. */
static Place place_of(const Facts *x, HdIrRef r, bool is_unsigned)
{
    const HdIrInst *in = inst(x, r);
    int64_t by = 0;
    uint64_t bits;

    if ((in->op == HD_IR_SEXT || in->op == HD_IR_ZEXT) &&
        inst(x, hd_ir_arg(x->f, r, 0))->type == HD_IR_I32) {
        is_unsigned = in->op == HD_IR_ZEXT;
        r = hd_ir_arg(x->f, r, 0);
        in = inst(x, r);
    }
    if (is_local_id(x, r))
        return (Place){r | UNSIGNED, 0};
    if (in->op == HD_IR_TRUNC && in->type == HD_IR_I32 && is_local_id(x, hd_ir_arg(x->f, r, 0)))
        return (Place){hd_ir_arg(x->f, r, 0) | UNSIGNED, 0};
    if (in->op == HD_IR_AND && in->type == HD_IR_I64 &&
        hd_ir_is_const(x->f, hd_ir_arg(x->f, r, 1), &bits) && bits == UINT32_MAX)
        return (Place){hd_ir_arg(x->f, r, 0) | UNSIGNED, 0};
    if (is_unsigned && in->type == HD_IR_I32) {
        if (hd_ir_is_const(x->f, r, &bits))
            return (Place){ZERO, (int64_t)bits};
        if (in->op == HD_IR_TRUNC && inst(x, hd_ir_arg(x->f, r, 0))->type == HD_IR_I64)
            r = hd_ir_arg(x->f, r, 0);
        return (Place){r | UNSIGNED, 0};
    }
    if (hd_ir_is_number(x->f, r, &by))
        return (Place){ZERO, by};
    if (in->op == HD_IR_ADD && hd_ir_is_number(x->f, hd_ir_arg(x->f, r, 1), &by) &&
        by >= -INT32_MAX && by <= INT32_MAX && is_counter(x, hd_ir_arg(x->f, r, 0), &(int64_t){0}))
        r = hd_ir_arg(x->f, r, 0);
    else
        by = 0;
    if (inst(x, r)->op == HD_IR_PHI) {
        Place p = first_counter(x, r);

        return (Place){p.of, p.by + by};
    }
    return (Place){r, by};
}

/* ---- facts -------------------------------------------------------------------------------------
 */

static void add(Facts *x, Place u, Place v, int64_t by)
{
    if (x->count < MOST_FACTS)
        x->at[x->count++] = (Fact){u.of, v.of, v.by - u.by + by};
}

/* The least number of which it is known that u is at most v plus it. */
static int64_t most_above(const Facts *x, Place u, Place v)
{
    int64_t above[MOST_FACTS], most = u.of == v.of ? 0 : UNKNOWN;

    for (unsigned i = 0; i < x->count; i++)
        above[i] = x->at[i].u == u.of ? x->at[i].by : UNKNOWN;
    for (unsigned rounds = 0; rounds < MOST_DEPTH; rounds++)
        for (unsigned i = 0; i < x->count; i++)
            for (unsigned k = 0; k < x->count; k++)
                if (above[i] != UNKNOWN && x->at[i].v == x->at[k].u &&
                    (above[k] == UNKNOWN || above[i] + x->at[k].by < above[k]))
                    above[k] = above[i] + x->at[k].by;
    for (unsigned i = 0; i < x->count; i++)
        if (x->at[i].v == v.of && above[i] < most)
            most = above[i];
    return most == UNKNOWN ? UNKNOWN : most + u.by - v.by;
}

static bool is_less(const Facts *x, Place u, Place v)
{
    int64_t above = most_above(x, u, v);

    return above != UNKNOWN && above < 0;
}

static void keep(Fact *at, unsigned *count, Place u, Place v, int64_t by)
{
    if (*count < MOST_FACTS)
        at[(*count)++] = (Fact){u.of, v.of, v.by - u.by + by};
}

/* u is less than v, or (by 0) at most as large, as unsigned numbers. */
static void add_unsigned(Facts *x, Place u, Place v, int64_t by, bool is_word)
{
    if (is_word)
        add(x, u, v, by);
    else if (u.by == 0 && v.by >= 0 && (v.of == ZERO || v.by == 0))
        keep(x->unsigned_ones, &x->unsigned_count, u, v, by);
}

static void add_equal(Facts *x, Place a, Place b, bool are_equal)
{
    if (are_equal) {
        add(x, a, b, 0);
        add(x, b, a, 0);
    } else {
        keep(x->differ, &x->differ_count, a, b, 0);
    }
}

static void assume_compared(Facts *x, HdIrRef cond, unsigned how)
{
    HdIrRef left = hd_ir_arg(x->f, cond, 0), right = hd_ir_arg(x->f, cond, 1);
    bool is_word = inst(x, left)->type == HD_IR_I32, is_equal = how == HD_IR_EQ || how == HD_IR_NE;
    Place a = place_of(x, left, false), b = place_of(x, right, false);
    Place ua = place_of(x, left, true), ub = place_of(x, right, true);

    if (!is_word && inst(x, left)->type != HD_IR_I64)
        return;
    if (is_equal)
        add_equal(x, a, b, how == HD_IR_EQ);
    if (is_equal && is_word)
        add_equal(x, ua, ub, how == HD_IR_EQ);
    switch (how) {
    case HD_IR_SLT: add(x, a, b, -1); return;
    case HD_IR_SLE: add(x, a, b, 0); return;
    case HD_IR_SGT: add(x, b, a, -1); return;
    case HD_IR_SGE: add(x, b, a, 0); return;
    case HD_IR_ULT: add_unsigned(x, ua, ub, -1, is_word); return;
    case HD_IR_ULE: add_unsigned(x, ua, ub, 0, is_word); return;
    case HD_IR_UGT: add_unsigned(x, ub, ua, -1, is_word); return;
    case HD_IR_UGE: add_unsigned(x, ub, ua, 0, is_word); return;
    default: return;
    }
}

static void assume(Facts *x, HdIrRef cond, bool value, unsigned depth)
{
    const HdIrInst *in = inst(x, cond);
    const HdIrRef *args = hd_ir_args(x->f, cond);
    unsigned other = value ? 2 : 1;
    uint64_t bits;

    if (depth == 0)
        return;
    if (in->op == HD_IR_ICMP) {
        assume_compared(x, cond, value ? in->sub : hd_ir_icmp_inverse(in->sub));
    } else if (in->op == (value ? HD_IR_AND : HD_IR_OR)) {
        assume(x, args[0], value, depth - 1);
        assume(x, args[1], value, depth - 1);
    } else if (in->op == HD_IR_SELECT && hd_ir_is_const(x->f, args[other], &bits) &&
               (bits != 0) != value) { /* a and b; not (a or b) */
        assume(x, args[0], value, depth - 1);
        assume(x, args[3 - other], value, depth - 1);
    }
}

/* What branches on the only way to block b say. */
static void assume_front(Facts *x, uint32_t b)
{
    for (unsigned n = 0; n < MOST_DEPTH && b != 0; n++) {
        uint32_t front = x->g->idom[b];
        const HdIrBlock *block = &x->f->blocks.at[front];
        HdIrRef end = hd_ir_last(x->f, front);
        unsigned ways = 0;

        for (uint32_t i = x->g->pred_first[b]; i < x->g->pred_first[b + 1]; i++)
            ways += !hd_ir_dominates(x->g, b, x->g->pred[i]);
        if (inst(x, end)->op == HD_IR_CONDBR && block->succ[0] != block->succ[1] && ways == 1 &&
            (b == block->succ[0] || b == block->succ[1]))
            assume(x, hd_ir_arg(x->f, end, 0), b == block->succ[0], MOST_PARTS);
        b = front;
    }
}

/* What a value's type and making say. */
static void assume_bounds(Facts *x, HdIrRef r)
{
    Place zero = {ZERO, 0}, p = {r, 0};
    int64_t least = 0, most = -1, from;

    if (r == ZERO)
        return;
    if ((r & UNSIGNED) != 0) {
        most = UINT32_MAX;
    } else if (inst(x, r)->type == HD_IR_I32) {
        least = INT32_MIN;
        most = INT32_MAX;
    } else if (inst(x, r)->op == HD_IR_BUILTIN &&
               (inst(x, r)->sub == HD_BUILTIN_LOCAL_ID || inst(x, r)->sub == HD_BUILTIN_GROUP_ID)) {
        most = LONGEST;
    } else if (is_counter(x, r, &from)) {
        least = from;
        most = from + LONGEST;
    }
    if (least > most)
        return;
    add(x, zero, p, -least);
    add(x, p, zero, most);
}

/* Unsigned numbers below one that is not negative are not, either. */
static void assume_unsigned(Facts *x)
{
    Place zero = {ZERO, 0};

    for (unsigned i = 0; i < x->unsigned_count; i++) {
        Fact a = x->unsigned_ones[i];
        Place u = {a.u, 0}, v = {a.v, 0};

        if (a.v != ZERO && most_above(x, zero, v) > 0)
            continue;
        add(x, u, v, a.by);
        add(x, zero, u, 0);
    }
}

/* If two values differ and one is at most the other, it is less. */
static void sharpen(Facts *x)
{
    for (unsigned i = 0; i < x->differ_count; i++) {
        Fact d = x->differ[i];
        Place u = {d.u, 0}, v = {d.v, d.by};

        if (most_above(x, u, v) == 0)
            add(x, u, v, -1);
        else if (most_above(x, v, u) == 0)
            add(x, v, u, -1);
    }
}

/* The block in a loop that goes back to its head, at a branch that leaves; NOWHERE: not one. */
static uint32_t latch_of(const Facts *x, uint32_t loop)
{
    uint32_t head = x->g->loops[loop].head, latch = HD_IR_NOWHERE;
    const HdIrBlock *b;

    for (uint32_t i = x->g->pred_first[head]; i < x->g->pred_first[head + 1]; i++) {
        if (!hd_ir_loop_holds(x->g, loop, x->g->pred[i]))
            continue;
        if (latch != HD_IR_NOWHERE)
            return HD_IR_NOWHERE;
        latch = x->g->pred[i];
    }
    if (latch == HD_IR_NOWHERE)
        return latch;
    b = &x->f->blocks.at[latch];
    return inst(x, hd_ir_last(x->f, latch))->op == HD_IR_CONDBR &&
                   (b->succ[0] == head) != (b->succ[1] == head)
               ? latch
               : HD_IR_NOWHERE;
}

/* A loop counter is less than its bound: it was initially, and the loop continues only while the
 * next number is not the bound. */
static void assume_rounds(Facts *x, uint32_t loop)
{
    uint32_t latch = latch_of(x, loop), head = x->g->loops[loop].head;
    HdIrRef cond, phi, start, next, last;
    unsigned how;
    int64_t by;

    if (latch == HD_IR_NOWHERE)
        return;
    cond = hd_ir_arg(x->f, hd_ir_last(x->f, latch), 0);
    if (inst(x, cond)->op != HD_IR_ICMP)
        return;
    how = inst(x, cond)->sub;
    how = x->f->blocks.at[latch].succ[0] == head ? how : hd_ir_icmp_inverse(how);
    next = hd_ir_arg(x->f, cond, 0);
    last = hd_ir_arg(x->f, cond, 1);
    phi = inst(x, next)->op == HD_IR_ADD && hd_ir_is_number(x->f, hd_ir_arg(x->f, next, 1), &by) &&
                  by == 1
              ? hd_ir_arg(x->f, next, 0)
              : 0;
    start = phi != 0 ? start_of(x, phi) : 0;
    if (start == 0 || inst(x, phi)->block != head ||
        hd_ir_loop_holds(x->g, loop, inst(x, last)->block) ||
        (how != HD_IR_NE && how != HD_IR_SLT && how != HD_IR_ULT))
        return;
    for (unsigned i = 0; i < 2; i++) {
        bool is_unsigned = i != 0;
        Place begin = place_of(x, start, is_unsigned), end = place_of(x, last, is_unsigned);
        Place now = place_of(x, phi, is_unsigned);

        assume_bounds(x, end.of);
        if (how == (is_unsigned ? HD_IR_SLT : HD_IR_ULT) || !is_less(x, begin, end))
            continue;
        add(x, now, end, -1);
        add(x, begin, now, 0);
    }
}

static void find_facts(Facts *x, uint32_t b)
{
    Fact *const all[] = {x->at, x->differ, x->unsigned_ones};
    uint32_t loops[MOST_DEPTH];
    unsigned counts[3], depth = 0;

    assume_front(x, b);
    counts[0] = x->count;
    counts[1] = x->differ_count;
    counts[2] = x->unsigned_count;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < counts[i]; k++) {
            assume_bounds(x, all[i][k].u);
            assume_bounds(x, all[i][k].v);
        }
    assume_unsigned(x);
    sharpen(x);
    for (uint32_t l = x->g->loop[b]; l != HD_IR_NOWHERE && depth < MOST_DEPTH;
         l = x->g->loops[l].parent)
        loops[depth++] = l;
    while (depth != 0)
        assume_rounds(x, loops[--depth]);
}

/* ---- differences -------------------------------------------------------------------------------
 */

static HdIrRef counter_instead(const void *user, HdIrRef r, uint64_t *plus)
{
    const Facts *x = user;
    Place p = inst(x, r)->op == HD_IR_PHI ? first_counter(x, r) : (Place){r, 0};

    *plus = (uint64_t)p.by;
    return p.of != r ? p.of : 0;
}

static HdLinear difference(const Facts *x, HdIrRef p, HdIrRef q)
{
    HdLinearRules rules = {.f = x->f, .user = x, .instead = counter_instead};
    HdLinear a = hd_linear_of(&rules, p), b = hd_linear_of(&rules, q);

    return hd_linear_minus(&a, &b);
}

static int64_t factor(const HdLinear *s, unsigned i)
{
    return hd_ir_sign_extend(s->type, s->terms[i].factor);
}

/* Is u + by never v, and their difference so small that `times` it is no other one in numbers that
 * wrap at `end`? */
static bool differ(Facts *x, HdIrRef u, HdIrRef v, int64_t by, uint64_t times, uint64_t end)
{
    Place a = u == ZERO ? (Place){ZERO, 0} : place_of(x, u, false);
    Place b = v == ZERO ? (Place){ZERO, 0} : place_of(x, v, false);
    int64_t above, below, most = (int64_t)(end / times);

    assume_bounds(x, a.of);
    assume_bounds(x, b.of);
    a.by += by;
    above = most_above(x, a, b);
    below = most_above(x, b, a);
    return above < most && below < most && (above < 0 || below < 0);
}

/* Are sums with this difference at least `bytes` apart in loop b? */
static bool is_wide(Facts *x, const HdLinear *s, uint32_t b, unsigned bytes, uint64_t end)
{
    int64_t rest = hd_ir_sign_extend(s->type, s->constant), times = factor(s, 0);
    HdIrRef u = s->terms[0].of, v = s->count == 2 ? s->terms[1].of : ZERO;

    if (!s->is_whole || s->count > 2 || rest > INT32_MAX || rest < -INT32_MAX)
        return false;
    if (s->count == 0)
        return rest >= (int64_t)bytes || -rest >= (int64_t)bytes;
    if (s->count == 2 && times != -factor(s, 1))
        return false;
    if (times < 0) { /* -t u is t (0 - u) */
        times = -times;
        u = v;
        v = s->terms[0].of;
    }
    if (times < (int64_t)bytes || times > INT32_MAX || rest % times != 0)
        return false;
    find_facts(x, b);
    return differ(x, u, v, rest / times, (uint64_t)times, end);
}

/* Words that differ are extended to numbers that do. Is the difference one of such, times at least
 * `bytes`? Then the words. */
static bool are_words(const Facts *x, const HdLinear *s, unsigned bytes, HdIrRef word[2])
{
    const HdIrInst *in = inst(x, s->terms[0].of);
    int64_t times = factor(s, 0);

    if (!s->is_whole || s->count != 2 || s->constant != 0 || times != -factor(s, 1) ||
        in->op != inst(x, s->terms[1].of)->op || (in->op != HD_IR_SEXT && in->op != HD_IR_ZEXT) ||
        (times < 0 ? -times : times) < (int64_t)bytes || times > INT32_MAX || times < -INT32_MAX)
        return false;
    for (unsigned i = 0; i < 2; i++)
        word[i] = hd_ir_arg(x->f, s->terms[i].of, 0);
    return inst(x, word[0])->type == HD_IR_I32 && inst(x, word[1])->type == HD_IR_I32;
}

bool hd_opt_are_independent(const HdIrFunc *f, const HdIrGraph *g, uint32_t b, HdIrRef p, HdIrRef q,
                            unsigned bytes)
{
    Facts x = {.f = f, .g = g};
    HdLinear s = difference(&x, p, q);
    HdIrRef word[2];

    if (is_wide(&x, &s, b, bytes, FAR))
        return true;
    if (!are_words(&x, &s, bytes, word))
        return false;
    x = (Facts){.f = f, .g = g};
    s = difference(&x, word[0], word[1]);
    return is_wide(&x, &s, b, 1, (uint64_t)1 << 32);
}
