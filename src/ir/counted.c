/* ir/counted.c -- counters, counted loops, how often they run, and what they leave behind.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/counted.h"

#include "ir/edit.h"
#include "ir/linear.h"

#define FITS_DEPTH 12u       /* counters and bounds in each other */
#define LONG_STEP  (1 << 20) /* of a counter that might pass its bound and wrap */
#define LEAST_WRAP 255u      /* elements between one beginning again and the next */

/* ---- counters -----------------------------------------------------------------------------------
 */

static bool is_invariant(const HdLoop *l, HdIrRef r)
{
    return l->f->insts.at[r].op == HD_IR_CONST || hd_loop_is_outside(l, r);
}

/* What is added to phi for its next value; 0: that is something else. */
static HdIrRef added(const HdLoop *l, HdIrRef phi, HdIrRef next)
{
    const HdIrInst *in = &l->f->insts.at[next];

    for (unsigned k = 0; (in->op == HD_IR_ADD || in->op == HD_IR_PTRADD) && k < 2; k++)
        if (hd_ir_arg(l->f, next, k) == phi && is_invariant(l, hd_ir_arg(l->f, next, 1 - k)))
            return hd_ir_arg(l->f, next, 1 - k);
    return 0;
}

bool hd_counter_find(const HdLoop *l, HdIrRef phi, HdCounter *out)
{
    const HdIrInst *in = &l->f->insts.at[phi];
    unsigned entries = 0;

    *out = (HdCounter){.phi = phi};
    if (in->op != HD_IR_PHI || in->block != l->head ||
        (l->g != NULL && l->g->loops[l->loop].irreducible))
        return false;
    for (unsigned k = 0; k + 1 < in->nargs; k += 2) {
        HdIrRef value = hd_ir_arg(l->f, phi, k + 1), by;

        if (!hd_loop_holds(l, hd_ir_arg(l->f, phi, k))) {
            out->start = entries++ == 0 || out->start == value ? value : 0;
            continue;
        }
        by = added(l, phi, value);
        if (by == 0 || (out->by != 0 && out->by != by))
            return false;
        out->by = by;
        out->next = value;
    }
    if (out->by == 0 || entries == 0)
        return false;
    if (!hd_ir_is_number(l->f, out->by, &out->step))
        out->step = 0;
    return true;
}

/* ---- growth -------------------------------------------------------------------------------------
 */

static bool is_outside(const void *user, HdIrRef r)
{
    return hd_loop_is_outside(user, r);
}

/* Of what wraps an index: something from outside, or a constant that leaves more than a few. */
static bool is_long(const HdLoop *l, HdIrRef limit)
{
    const HdIrInst *in = &l->f->insts.at[limit];

    return in->op == HD_IR_CONST ? in->imm >= LEAST_WRAP : hd_loop_is_outside(l, limit);
}

static HdIrRef unwrapped(const void *user, HdIrRef r, uint64_t *plus)
{
    const HdLoop *l = user;
    const HdIrInst *in = &l->f->insts.at[r];

    *plus = 0;
    if ((in->op != HD_IR_AND && in->op != HD_IR_UREM && in->op != HD_IR_SREM) ||
        hd_loop_is_outside(l, r) || !is_long(l, hd_ir_arg(l->f, r, 1)))
        return 0;
    return hd_ir_arg(l->f, r, 0);
}

/* Of a value that the loop carries. */
static bool carried_step(const HdLoop *l, uint32_t latch, HdIrRef phi, uint64_t *step)
{
    HdLinearRules rules = {.f = l->f, .extend = HD_LINEAR_STOP, .user = l, .leaf = is_outside};
    const HdIrInst *in = &l->f->insts.at[phi];
    HdIrRef next;
    HdLinear s;

    if (in->op != HD_IR_PHI || in->block != l->head)
        return false;
    next = hd_ir_phi_value(l->f, phi, latch);
    if (next == 0)
        return false;
    s = hd_linear_of(&rules, next);
    *step = (uint64_t)hd_ir_sign_extend(s.type, s.constant);
    if (s.base == phi)
        return s.is_whole && s.count == 0;
    return s.is_whole && s.base == 0 && s.count == 1 && s.terms[0].of == phi &&
           s.terms[0].how == HD_IR_ADD && s.terms[0].factor == 1;
}

bool hd_counted_step(const HdLoop *l, uint32_t latch, HdIrRef r, bool wraps, int64_t *step)
{
    HdLinearRules rules = {.f = l->f,
                           .extend = HD_LINEAR_ASSUME,
                           .user = l,
                           .leaf = is_outside,
                           .instead = wraps ? unwrapped : NULL};
    HdLinear s = hd_linear_of(&rules, r);
    uint64_t sum = 0, own;

    *step = 0;
    if (!s.is_whole)
        return false;
    if (s.base != 0 && !hd_loop_is_outside(l, s.base) && !carried_step(l, latch, s.base, &sum))
        return false;
    for (unsigned i = 0; i < s.count; i++) {
        if (hd_loop_is_outside(l, s.terms[i].of))
            continue;
        if (!carried_step(l, latch, s.terms[i].of, &own))
            return false;
        sum += s.terms[i].factor * own;
    }
    *step = hd_ir_sign_extend(s.type, sum);
    return true;
}

/* ---- ranges -------------------------------------------------------------------------------------
 */

/* The numbers of so many bits, and whether it is the upper end of them that is asked for. */
typedef struct Range {
    const HdIrFunc *f;
    const HdIrGraph *g;
    unsigned bits;
    bool is_signed, above;
} Range;

static bool stays_within(const Range *x, HdIrRef v, unsigned depth);

static bool starts_within(const Range *x, HdIrRef phi, const HdLoop *l, unsigned depth)
{
    const HdIrInst *in = &x->f->insts.at[phi];

    for (unsigned k = 0; k + 1 < in->nargs; k += 2)
        if (!hd_loop_holds(l, hd_ir_arg(x->f, phi, k)) &&
            !stays_within(x, hd_ir_arg(x->f, phi, k + 1), depth))
            return false;
    return true;
}

/* The only block that leads back to the head; NOWHERE: there are several. */
static uint32_t latch_of(const HdLoop *l, HdIrRef phi)
{
    uint32_t latch = HD_IR_NOWHERE;

    for (unsigned k = 0; k + 1 < l->f->insts.at[phi].nargs; k += 2) {
        uint32_t from = hd_ir_arg(l->f, phi, k);

        if (!hd_loop_holds(l, from))
            continue;
        if (latch != HD_IR_NOWHERE)
            return HD_IR_NOWHERE;
        latch = from;
    }
    return latch;
}

/* Is a bound no negative number, which as an unsigned one would be a large one? */
static bool is_natural(const Range *x, HdIrRef bound, unsigned depth)
{
    Range below = *x;

    below.above = false;
    return stays_within(&below, bound, depth);
}

/* A loop's counter goes up until it comes to what is within. */
static bool ends_within(const Range *x, const HdLoop *l, const HdCounter *c, uint32_t latch,
                        unsigned depth)
{
    const HdIrFunc *f = x->f;
    HdIrRef end = hd_ir_last(f, latch), asked, bound;
    const HdIrInst *test;
    unsigned how;

    if (f->insts.at[end].op != HD_IR_CONDBR)
        return false;
    asked = hd_ir_arg(f, end, 0);
    test = &f->insts.at[asked];
    if (test->op != HD_IR_ICMP || hd_ir_arg(f, asked, 0) != c->next)
        return false;
    bound = hd_ir_arg(f, asked, 1);
    if (!stays_within(x, bound, depth))
        return false;
    how = f->blocks.at[latch].succ[0] == l->head ? test->sub : hd_ir_icmp_inverse(test->sub);
    /* Steps of one that come to a number which stays the same do not wrap, and so began below. */
    if (how == HD_IR_NE)
        return c->step == 1 && hd_loop_is_outside(l, bound);
    if (!starts_within(x, c->phi, l, depth))
        return false;
    return how == HD_IR_SLT || (how == HD_IR_ULT && !x->is_signed && is_natural(x, bound, depth));
}

static bool counter_stays(const Range *x, HdIrRef phi, unsigned depth)
{
    uint32_t loop = x->g->loop[x->f->insts.at[phi].block], latch;
    HdCounter c;
    HdLoop l;

    if (loop == HD_IR_NOWHERE)
        return false;
    l = hd_loop_of(x->f, x->g, loop);
    latch = latch_of(&l, phi);
    if (latch == HD_IR_NOWHERE || !hd_counter_find(&l, phi, &c) || c.step <= 0 ||
        (x->f->insts.at[c.next].flags & HD_IR_NSW) == 0)
        return false;
    return x->above ? ends_within(x, &l, &c, latch, depth) : starts_within(x, phi, &l, depth);
}

/* Is v at most (`above`) or at least what fits? */
static bool stays_within(const Range *x, HdIrRef v, unsigned depth)
{
    const HdIrInst *in = &x->f->insts.at[v];
    int64_t k, most = (int64_t)((((uint64_t)1 << x->bits) - 1) >> x->is_signed);
    unsigned bits;

    if (!hd_ir_is_int((HdIrType)in->type) || depth == 0)
        return false;
    if (hd_ir_is_number(x->f, v, &k))
        return x->above ? k <= most : k >= (x->is_signed ? -most - 1 : 0);
    switch ((HdIrOp)in->op) {
    case HD_IR_SEXT:
    case HD_IR_ZEXT:
        bits = hd_ir_type_bits((HdIrType)x->f->insts.at[hd_ir_arg(x->f, v, 0)].type);
        if (in->op == HD_IR_SEXT)
            return x->above ? bits - 1 <= x->bits - x->is_signed : x->is_signed && bits <= x->bits;
        return !x->above || bits <= x->bits - x->is_signed;
    case HD_IR_PHI: return counter_stays(x, v, depth - 1);
    default: return false;
    }
}

bool hd_counted_fits(const HdIrFunc *f, const HdIrGraph *g, HdIrRef r, unsigned bits,
                     bool is_signed)
{
    Range x = {f, g, bits, is_signed, true};

    if (bits == 0 || bits >= 63 || !stays_within(&x, r, FITS_DEPTH))
        return false;
    x.above = false;
    return stays_within(&x, r, FITS_DEPTH);
}

/* ---- innermost counted loops --------------------------------------------------------------------
 */

/* The test at the end: a counter with a constant step against something from outside. With `narrow`
 * it may be the counter's low bits that are tested for what they end at. */
static bool find_test(HdCounted *x, bool narrow)
{
    const HdIrFunc *f = x->in.f;
    HdIrRef test = hd_ir_arg(f, hd_ir_last(f, x->latch), 0), tested, phi;

    if (f->insts.at[test].op != HD_IR_ICMP || hd_loop_is_outside(&x->in, test))
        return false;
    x->predicate = f->insts.at[test].sub;
    tested = hd_ir_arg(f, test, 0);
    x->bound = hd_ir_arg(f, test, 1);
    if (hd_loop_is_outside(&x->in, tested)) {
        tested = x->bound;
        x->bound = hd_ir_arg(f, test, 0);
        x->predicate = hd_ir_icmp_swapped(x->predicate);
    }
    if (f->blocks.at[x->latch].succ[0] != x->in.head)
        x->predicate = hd_ir_icmp_inverse(x->predicate);
    if (narrow && x->predicate == HD_IR_NE && f->insts.at[tested].op == HD_IR_TRUNC)
        tested = hd_ir_arg(f, tested, 0);
    x->tests_next = f->insts.at[tested].op == HD_IR_ADD;
    phi = x->tests_next ? hd_ir_arg(f, tested, 0) : tested;
    return !hd_loop_is_outside(&x->in, tested) && is_invariant(&x->in, x->bound) &&
           hd_counter_find(&x->in, phi, &x->counter) && x->counter.step != 0 &&
           f->insts.at[x->counter.next].op == HD_IR_ADD &&
           (!x->tests_next || x->counter.next == tested);
}

/* Is the last block the only one with back edges or exits, and no other loop inside unless `nest`
 * says so? */
static bool has_one_end(const HdCounted *x, bool nest)
{
    const HdIrGraph *g = x->in.g;
    const struct HdIrLoop *l = &g->loops[x->in.loop];

    if (l->irreducible)
        return false;
    for (uint32_t i = l->first; i <= l->last; i++) {
        const HdIrBlock *b = &x->in.f->blocks.at[g->order[i]];

        if (!nest && g->loop[g->order[i]] != x->in.loop)
            return false;
        for (uint32_t k = 0; k < b->succ_count && g->order[i] != x->latch; k++)
            if (b->succ[k] == x->in.head || !hd_loop_holds(&x->in, b->succ[k]))
                return false;
    }
    return true;
}

/* Does a counter that starts at a number come to another one that it is compared with? */
static bool meets(const HdCounted *x)
{
    int64_t first, last, far, step = x->counter.step;

    return x->counter.start != 0 && hd_ir_is_number(x->in.f, x->counter.start, &first) &&
           hd_ir_is_number(x->in.f, x->bound, &last) &&
           !__builtin_sub_overflow(last, first, &far) && far != 0 && (step > 0) == (far > 0) &&
           far % step == 0;
}

static bool find_counted(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop, bool nest,
                         HdCounted *out)
{
    const HdIrBlock *end;
    int64_t step;

    *out = (HdCounted){.in = hd_loop_of(f, g, loop), .latch = g->order[g->loops[loop].last]};
    end = &f->blocks.at[out->latch];
    if (end->succ_count != 2 || (end->succ[0] == out->in.head) == (end->succ[1] == out->in.head) ||
        !has_one_end(out, nest) || !find_test(out, nest))
        return false;
    step = out->counter.step;
    switch (out->predicate) {
    case HD_IR_NE: return hd_counted_is_exact(HD_IR_NE, step) || meets(out);
    case HD_IR_ULT:
    case HD_IR_ULE:
    case HD_IR_SLT:
    case HD_IR_SLE: return step > 0 && step < LONG_STEP;
    case HD_IR_UGT:
    case HD_IR_UGE:
    case HD_IR_SGT:
    case HD_IR_SGE: return step < 0 && step > -LONG_STEP;
    default: return false;
    }
}

bool hd_counted_find(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop, HdCounted *out)
{
    return find_counted(f, g, loop, false, out);
}

bool hd_counted_find_nest(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop, HdCounted *out)
{
    return g->loop[g->order[g->loops[loop].last]] == loop && find_counted(f, g, loop, true, out);
}

/* ---- trip counts and final values ---------------------------------------------------------------
 */

bool hd_counted_is_exact(unsigned predicate, int64_t step)
{
    return predicate == HD_IR_NE ? step == 1 || step == -1
           : step == 1           ? predicate == HD_IR_ULT || predicate == HD_IR_SLT
                                 : step == -1 && (predicate == HD_IR_UGT || predicate == HD_IR_SGT);
}

HdIrRef hd_counted_trips(const HdCountedPut *to, const HdIrFunc *f, unsigned predicate,
                         HdIrRef first, int64_t step, HdIrRef bound)
{
    HdIrType type = (HdIrType)f->insts.at[first].type;
    bool down = step < 0;
    HdIrRef trips;

    if (predicate != HD_IR_NE)
        bound = to->put(to->user,
                        predicate == HD_IR_ULT   ? HD_IR_UMAX
                        : predicate == HD_IR_SLT ? HD_IR_SMAX
                        : predicate == HD_IR_UGT ? HD_IR_UMIN
                                                 : HD_IR_SMIN,
                        type, 0, bound, first);
    trips = to->put(to->user, HD_IR_SUB, type, 0, down ? first : bound, down ? bound : first);
    return type == HD_IR_I64 ? trips : to->put(to->user, HD_IR_ZEXT, HD_IR_I64, 0, trips, 0);
}

HdIrRef hd_counted_final(const HdCountedPut *to, const HdIrFunc *f, const HdCounter *c,
                         HdIrRef trips)
{
    HdIrType type = (HdIrType)f->insts.at[c->phi].type;
    HdIrType wide = type == HD_IR_PTR ? HD_IR_I64 : type;
    HdIrOp op = type == HD_IR_PTR ? HD_IR_PTRADD : HD_IR_ADD;

    if (wide != HD_IR_I64)
        trips = to->put(to->user, HD_IR_TRUNC, wide, 0, trips, 0);
    if (c->step != 1)
        trips = to->put(
            to->user, HD_IR_MUL, wide, 0, trips,
            to->put(to->user, HD_IR_CONST, wide, (uint64_t)c->step & hd_ir_ones(wide), 0, 0));
    return to->put(to->user, op, type, 0, c->start, trips);
}
