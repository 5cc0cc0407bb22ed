/* opt/jam.c -- unroll and jam: iterations of an outer loop share its inner loops.
 *
 *     for (j …) { s = 0; for (k …) s += a[i * n + k] * b[k * n + j]; c[i * n + j] = s; }
 *
 * A work-item alone waits for one sum after the other. Iterations of the loop over j do not depend
 * on each other, and go through the loop over k alike: several of them run in one loop over k, each
 * with a sum of its own, and what does not depend on j is computed and loaded once. What they
 * access side by side becomes vectors (codegen/slp_find.c). Iterations that are left over run in
 * the loop as it was:
 *
 *     before                    before, ask: are there as many?
 *     head: …                   head 2, latch 2: so many iterations at a time
 *     latch: if (more) head     after: are some left over?
 *     exit                      head, latch, exit
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "ir/copy.h"
#include "ir/counted.h"
#include "ir/each.h"
#include "ir/edit.h"
#include "ir/linear.h"
#include "ir/memory.h"
#include "opt/loop_by_loop.h"
#include "opt/pass.h"

#define MOST_WAYS     16u /* iterations at a time */
#define LEAST_WAYS    4u
#define SCALAR_WAYS   8u /* where neighbours do not access neighbouring elements */
#define VECTOR_BYTES  64u
#define MOST_COPIED   640u /* instructions of all iterations that are run together */
#define MOST_ACCESSES 48u
#define MOST_PARTS    4   /* elements from one iteration to the next that LLVM's vectors may have */
#define MOST_LOOPS    16u /* jammed in one function */
#define MOST_DEPTH    8u  /* in each other: LLVM's time for addresses in deeper copies doubles */
#define MOST_FUNCTION 20000u

typedef struct Jam {
    HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    HdCounted loop;
    uint32_t before, exit;
    size_t count;  /* instructions that there were */
    bool *differs; /* [count] it depends on the iteration */
    bool *steps;   /* [count] by `step` from one iteration to the next, and nothing else does */
    int64_t *step; /* [count] */
    HdIrRef access[MOST_ACCESSES];
    unsigned accesses;
    unsigned ways;
    HdIrCopy copy;
    HdIrRef *of[MOST_WAYS]; /* [count] that of iterations after the first one, by the original */
} Jam;

static const HdIrInst *inst(const Jam *x, HdIrRef r)
{
    return &x->f->insts.at[r];
}

/* ---- what depends on the iteration --------------------------------------------------------------
 */

static bool is_outside(const void *user, HdIrRef r)
{
    const Jam *x = user;

    return hd_loop_is_outside(&x->loop.in, r);
}

/* Does a term grow by a known number, however it is extended? */
static bool term_step(const Jam *x, const HdLinearTerm *t, uint64_t *step)
{
    HdCounter c;

    *step = 0;
    if (is_outside(x, t->of) || !x->differs[t->of])
        return true;
    if (!hd_counter_find(&x->loop.in, t->of, &c) || c.step == 0)
        return false;
    *step = t->factor * (uint64_t)c.step;
    return t->how == HD_IR_ADD ||
           (inst(x, c.next)->flags & (t->how == HD_IR_SEXT ? HD_IR_NSW : HD_IR_NUW)) != 0;
}

/* By how much r grows from one iteration to the next, with all that it is made of but for that the
 * same; false: it is not known. */
static bool find_step(const Jam *x, HdIrRef r, int64_t *step)
{
    HdLinearRules rules = {.f = x->f, .extend = HD_LINEAR_PROVE, .user = x, .leaf = is_outside};
    HdIrType t = (HdIrType)inst(x, r)->type;
    uint64_t sum = 0, own;
    HdCounter c;
    HdLinear s;

    if (t != HD_IR_PTR && !hd_ir_is_int(t))
        return false;
    s = hd_linear_of(&rules, r);
    if (!s.is_whole || !s.is_exact)
        return false;
    if (s.base != 0 && !is_outside(x, s.base) && x->differs[s.base]) {
        if (!hd_counter_find(&x->loop.in, s.base, &c) || c.step == 0)
            return false;
        sum = (uint64_t)c.step;
    }
    for (unsigned i = 0; i < s.count; i++) {
        if (!term_step(x, &s.terms[i], &own))
            return false;
        sum += own;
    }
    *step = hd_ir_sign_extend(t == HD_IR_PTR ? HD_IR_I64 : t, sum);
    return true;
}

/* From the head's phis on. */
static void find_differences(Jam *x)
{
    for (bool again = true; again;) {
        again = false;
        for (HdIrEach e = hd_ir_each_in_loop(x->f, x->g, x->loop.in.loop); hd_ir_next(&e);) {
            const HdIrInst *in = inst(x, e.inst);
            bool is = in->op == HD_IR_PHI && e.block == x->loop.in.head;

            for (unsigned k = 0; k < in->nargs && !is; k++)
                is = hd_ir_arg_is_value(in, k) && x->differs[hd_ir_arg(x->f, e.inst, k)];
            again = again || is != x->differs[e.inst];
            x->differs[e.inst] = is;
        }
    }
    for (HdIrEach e = hd_ir_each_in_loop(x->f, x->g, x->loop.in.loop); hd_ir_next(&e);)
        x->steps[e.inst] = x->differs[e.inst] && find_step(x, e.inst, &x->step[e.inst]);
}

/* ---- may they run together ----------------------------------------------------------------------
 */

static HdIrType access_type(const Jam *x, HdIrRef r)
{
    return (HdIrType)inst(x, inst(x, r)->op == HD_IR_STORE ? hd_ir_arg(x->f, r, 1) : r)->type;
}

static unsigned memory_of(const Jam *x, HdIrRef r)
{
    return hd_ir_memory_at(x->f, hd_ir_arg(x->f, r, 0), inst(x, r)->sub);
}

static bool is_in_inner(const Jam *x, HdIrRef r)
{
    return x->g->loop[inst(x, r)->block] != x->loop.in.loop;
}

/* Do two accesses, once in each iteration, stay clear of those of other iterations? */
static bool keep_apart(const Jam *x, HdIrRef a, HdIrRef b)
{
    HdIrRef p = hd_ir_arg(x->f, a, 0), q = hd_ir_arg(x->f, b, 0);
    HdLinearRules rules = {.f = x->f, .extend = HD_LINEAR_PROVE};
    HdLinear from = hd_linear_of(&rules, p), to = hd_linear_of(&rules, q);
    HdLinear far = hd_linear_minus(&to, &from);
    int64_t by, step = x->step[p], bytes = hd_ir_type_bytes(access_type(x, a)),
                other = hd_ir_type_bytes(access_type(x, b));

    if (is_in_inner(x, a) || is_in_inner(x, b) || !x->steps[p] || !x->steps[q] ||
        step != x->step[q] || !far.is_exact || !hd_linear_is_number(&far, &by))
        return false;
    step = step < 0 ? -step : step;
    by = by < 0 ? -by : by;
    return by + (bytes > other ? bytes : other) <= step;
}

/* Where iterations are interleaved, each finds in memory what it would have found. Stores of one
 * instruction keep their order. */
static bool are_independent(const Jam *x)
{
    for (unsigned i = 0; i < x->accesses; i++)
        for (unsigned k = 0; k < x->accesses && inst(x, x->access[i])->op == HD_IR_STORE; k++) {
            HdIrRef a = x->access[i], b = x->access[k];

            if (i == k ? is_in_inner(x, a)
                       : (memory_of(x, a) & memory_of(x, b)) != 0 && !keep_apart(x, a, b))
                return false;
        }
    return true;
}

static bool takes_inst(Jam *x, HdIrRef r)
{
    const HdIrInst *in = inst(x, r);

    switch ((HdIrOp)in->op) {
    case HD_IR_LOAD:
    case HD_IR_STORE:
        if ((in->flags & (HD_IR_VOLATILE | HD_IR_MASKED)) != 0 || x->accesses == MOST_ACCESSES)
            return false;
        x->access[x->accesses++] = r;
        return true;
    case HD_IR_PHI: {
        HdCounter c;

        return in->block != x->loop.in.head ||
               (hd_counter_find(&x->loop.in, r, &c) && c.start != 0 && c.step != 0);
    }
    case HD_IR_CONDBR: return in->block == x->loop.latch || !x->differs[hd_ir_arg(x->f, r, 0)];
    case HD_IR_BR: return true;
    case HD_IR_ALLOCA: return false;
    default: return hd_ir_op_is_pure(in->op);
    }
}

/* Is no value of the loop used behind it? */
static bool leaves_nothing(const Jam *x)
{
    for (HdIrEach e = hd_ir_each_reachable(x->f, x->g); hd_ir_next(&e);) {
        const HdIrInst *in = inst(x, e.inst);

        for (unsigned k = 0; k < in->nargs && !hd_loop_holds(&x->loop.in, e.block); k++)
            if (hd_ir_arg_is_value(in, k) && !is_outside(x, hd_ir_arg(x->f, e.inst, k)))
                return false;
    }
    return true;
}

/* The one block before the loop, and the one behind it. */
static bool find_ends(Jam *x)
{
    const HdIrGraph *g = x->g;
    uint32_t head = x->loop.in.head, count = 0;
    const HdIrBlock *latch = &x->f->blocks.at[x->loop.latch];

    for (uint32_t e = g->pred_first[head]; e < g->pred_first[head + 1]; e++)
        if (!hd_loop_holds(&x->loop.in, g->pred[e])) {
            x->before = g->pred[e];
            count++;
        }
    x->exit = latch->succ[latch->succ[0] == head];
    return count == 1;
}

/* ---- does it gain -------------------------------------------------------------------------------
 */

/* Does an inner loop traverse memory element by element? LLVM makes vectors of its integers. */
static bool goes_along(const Jam *x, uint32_t loop)
{
    HdLoop inner = hd_loop_of(x->f, x->g, loop);
    uint32_t latch = x->g->order[x->g->loops[loop].last];
    int64_t step;

    for (unsigned i = 0; i < x->accesses; i++) {
        HdIrRef r = x->access[i];

        if (!hd_loop_is_outside(&inner, r) &&
            (!hd_counted_step(&inner, latch, hd_ir_arg(x->f, r, 0), false, &step) ||
             (step < 0 ? -step : step) > MOST_PARTS * (int64_t)hd_ir_type_bytes(access_type(x, r))))
            return false;
    }
    return true;
}

/* Does an inner loop carry what each iteration has its own of, in operations one after another? */
static bool waits_for_sums(const Jam *x)
{
    for (HdIrEach e = hd_ir_each_in_loop(x->f, x->g, x->loop.in.loop); hd_ir_next(&e);) {
        const HdIrInst *in = inst(x, e.inst);
        uint32_t loop = x->g->loop[e.block];

        if (in->op == HD_IR_PHI && x->differs[e.inst] && !x->steps[e.inst] &&
            loop != x->loop.in.loop && x->g->loops[loop].head == e.block &&
            (hd_ir_is_float((HdIrType)in->type) ||
             (hd_ir_is_int((HdIrType)in->type) && !goes_along(x, loop))))
            return true;
    }
    return false;
}

/* Do neighbouring iterations load neighbouring elements, or all the same ones, in inner loops? */
static bool suits_vectors(const Jam *x)
{
    for (unsigned i = 0; i < x->accesses; i++) {
        HdIrRef r = x->access[i], at = hd_ir_arg(x->f, r, 0);

        if (x->differs[at] && is_in_inner(x, r) &&
            (!x->steps[at] || x->step[at] != (int64_t)hd_ir_type_bytes(access_type(x, r))))
            return false;
    }
    return true;
}

/* So many iterations at a time; 0: it does not gain. */
static unsigned find_ways(const Jam *x)
{
    unsigned copied = 0, bytes = 1, ways;

    for (HdIrEach e = hd_ir_each_in_loop(x->f, x->g, x->loop.in.loop); hd_ir_next(&e);) {
        HdIrType t = (HdIrType)inst(x, e.inst)->type;

        copied += x->differs[e.inst] && !x->steps[e.inst];
        if (x->differs[e.inst] && !x->steps[e.inst] && (hd_ir_is_float(t) || hd_ir_is_int(t)) &&
            hd_ir_type_bytes(t) > bytes)
            bytes = hd_ir_type_bytes(t);
    }
    ways = suits_vectors(x) ? VECTOR_BYTES / bytes : SCALAR_WAYS;
    ways = ways > MOST_WAYS ? MOST_WAYS : ways;
    while (ways >= LEAST_WAYS && copied * ways > MOST_COPIED)
        ways /= 2;
    return ways >= LEAST_WAYS ? ways : 0;
}

static HdStatus find(Jam *x, uint32_t loop, bool *found)
{
    *found = false;
    if (!hd_counted_find_nest(x->f, x->g, loop, &x->loop) ||
        !hd_counted_is_exact(x->loop.predicate, x->loop.counter.step) || !find_ends(x))
        return HD_OK;
    x->count = x->f->insts.count;
    HD_TAKE(x->differs, HD_NEW(x->arena, bool, x->count));
    HD_TAKE(x->steps, HD_NEW(x->arena, bool, x->count));
    HD_TAKE(x->step, HD_NEW(x->arena, int64_t, x->count));
    find_differences(x);
    for (HdIrEach e = hd_ir_each_in_loop(x->f, x->g, loop); hd_ir_next(&e);)
        if (!takes_inst(x, e.inst))
            return HD_OK;
    x->ways = waits_for_sums(x) ? find_ways(x) : 0;
    *found = x->ways != 0 && are_independent(x) && leaves_nothing(x);
    return HD_OK;
}

/* ---- iterations together ------------------------------------------------------------------------
 */

/* r but for a number that is added. */
static HdStatus add_number(Jam *x, uint32_t b, HdIrRef r, uint64_t number, HdIrRef *out)
{
    HdIrFunc *f = x->f;
    HdIrType t = (HdIrType)f->insts.at[r].type, wide = t == HD_IR_PTR ? HD_IR_I64 : t;
    HdIrRef pair[2] = {r};

    HD_TAKE(pair[1], hd_ir_make(f, b, HD_IR_CONST, wide, 0, number & hd_ir_ones(wide), NULL, 0));
    HD_TRY_PUSH(f->module->arena, &f->blocks.at[b].insts, pair[1]);
    HD_TAKE(*out, hd_ir_make(f, b, t == HD_IR_PTR ? HD_IR_PTRADD : HD_IR_ADD, t, 0, 0, pair, 2));
    HD_TRY_PUSH(f->module->arena, &f->blocks.at[b].insts, *out);
    return HD_OK;
}

/* Another iteration's r: it is at the end of block b, but for what it is made of. */
static HdStatus add_again(Jam *x, uint32_t b, HdIrRef r, HdIrRef *out)
{
    HdIrFunc *f = x->f;
    HdIrInst in = f->insts.at[r];
    HdIrRef *args;

    HD_TAKE(args, HD_NEW(x->arena, HdIrRef, in.nargs + 1u));
    if (in.nargs != 0)
        memcpy(args, hd_ir_args(f, r), in.nargs * sizeof *args);
    HD_TAKE(*out,
            hd_ir_make(f, b, (HdIrOp)in.op, (HdIrType)in.type, in.sub, in.imm, args, in.nargs));
    f->insts.at[*out].flags = in.flags;
    f->insts.at[*out].place = in.place;
    HD_TRY_PUSH(f->module->arena, &f->blocks.at[b].insts, *out);
    return HD_OK;
}

/* Behind each instruction of the copy of block b, those of the other iterations. */
static HdStatus add_ways(Jam *x, uint32_t b)
{
    HdIrFunc *f = x->f;
    uint32_t to = x->copy.copies[b];
    HdIrBlock old = f->blocks.at[to];
    size_t phis = hd_ir_phi_count(f, b);

    f->blocks.at[to].insts = (__typeof__(old.insts)){0};
    for (unsigned late = 0; late < 2; late++) /* phis stand before what is added to them */
        for (size_t i = 0; i < old.insts.count; i++) {
            HdIrRef was = f->blocks.at[b].insts.at[i], r = x->copy.values[was];
            bool is_phi = i < phis;

            if (late == 0 ? is_phi : !is_phi)
                HD_TRY_PUSH(f->module->arena, &f->blocks.at[to].insts, r);
            if (!x->differs[was] || hd_ir_op_is_terminator(f->insts.at[r].op) ||
                (late != 0) != (!is_phi || x->steps[was]))
                continue;
            for (unsigned w = 1; w < x->ways; w++)
                HD_TRY(x->steps[was]
                           ? add_number(x, to, r, w * (uint64_t)x->step[was], &x->of[w][was])
                           : add_again(x, to, r, &x->of[w][was]));
        }
    return HD_OK;
}

/* What is made again has operands of its own iteration. */
static void use_own(Jam *x)
{
    HdIrRef *was; /* by the copy */

    for (unsigned w = 1; w < x->ways; w++)
        for (HdIrRef v = 1; v < x->count; v++) {
            HdIrRef r = x->of[w][v], *args;

            if (r == 0 || x->steps[v])
                continue;
            args = hd_ir_args(x->f, r);
            was = hd_ir_args(x->f, v);
            for (unsigned k = 0; k < x->f->insts.at[r].nargs; k++)
                if (hd_ir_arg_is_value(&x->f->insts.at[r], k) && was[k] < x->count &&
                    x->of[w][was[k]] != 0)
                    args[k] = x->of[w][was[k]];
        }
}

static HdIrRef put(void *user, HdIrOp op, HdIrType t, uint64_t imm, HdIrRef a, HdIrRef b)
{
    Jam *x = user;
    HdIrRef args[2] = {a, b};

    return hd_ir_emit_sub(x->f, x->before, op, t, 0, imm, args, (a != 0) + (size_t)(b != 0));
}

/* How often the loop runs, once at least; at the end of x->before, which is the new block. I64. */
static HdIrRef put_trips(Jam *x)
{
    const HdCounted *l = &x->loop;
    HdIrType t = (HdIrType)inst(x, l->counter.phi)->type,
             narrow = (HdIrType)inst(x, l->bound)->type;
    HdIrRef first = l->counter.start, bound = l->bound;
    HdCountedPut to = {put, x};

    if (l->tests_next)
        first = put(x, HD_IR_ADD, t, 0, first,
                    put(x, HD_IR_CONST, t, (uint64_t)l->counter.step & hd_ir_ones(t), 0, 0));
    if (narrow != t)
        first = put(x, HD_IR_TRUNC, narrow, 0, first, 0);
    if (!is_outside(x, bound))
        bound = put(x, HD_IR_CONST, narrow, inst(x, bound)->imm, 0, 0);
    return put(x, HD_IR_ADD, HD_IR_I64, 0,
               hd_counted_trips(&to, x->f, l->predicate, first, l->counter.step, bound),
               put(x, HD_IR_CONST, HD_IR_I64, 1, 0, 0));
}

static HdIrRef compare(HdIrFunc *f, uint32_t b, HdIrICmp how, HdIrRef p, HdIrRef q)
{
    return hd_ir_emit_sub(f, b, HD_IR_ICMP, HD_IR_BOOL, how, 0, (HdIrRef[]){p, q}, 2);
}

/* The new loop's end: it goes on for so many rounds, then to `after`. */
static HdStatus put_rounds(Jam *x, HdIrRef rounds, uint32_t after)
{
    HdIrFunc *f = x->f;
    uint32_t head = x->copy.copies[x->loop.in.head], latch = x->copy.copies[x->loop.latch];
    HdIrRef zero = put(x, HD_IR_CONST, HD_IR_I64, 0, 0, 0), round, next,
            phi[4] = {x->before, zero, latch, zero};

    HD_TAKE(round, hd_ir_insert(f, head, 0, HD_IR_PHI, HD_IR_I64, 0, 0, phi, 4));
    f->blocks.at[latch].insts.count--;
    f->blocks.at[latch].succ_count = 0;
    next = hd_ir_emit(f, latch, HD_IR_ADD, HD_IR_I64,
                      (HdIrRef[]){round, hd_ir_const(f, latch, HD_IR_I64, 1)}, 2);
    phi[3] = next;
    hd_ir_set_args(f, round, phi, 4);
    hd_ir_condbr(f, latch, compare(f, latch, HD_IR_ULT, next, rounds), head, after);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* Counters of the new loop grow by all iterations of a round; those of the old one may begin where
 * that has ended. */
static HdStatus put_counters(Jam *x, uint32_t after)
{
    HdIrFunc *f = x->f;
    uint32_t latch = x->copy.copies[x->loop.latch];
    size_t phis = hd_ir_phi_count(f, x->loop.in.head);

    for (size_t i = 0; i < phis; i++) {
        HdIrRef phi = f->blocks.at[x->loop.in.head].insts.at[i], args[6], next, end;
        HdCounter c;

        (void)hd_counter_find(&x->loop.in, phi, &c);
        end = f->blocks.at[latch].insts.at[--f->blocks.at[latch].insts.count];
        HD_TRY(add_number(x, latch, x->copy.values[phi], x->ways * (uint64_t)c.step, &next));
        HD_TRY_PUSH(f->module->arena, &f->blocks.at[latch].insts, end);
        memcpy(args, (HdIrRef[]){x->before, c.start, latch, next}, 4 * sizeof *args);
        hd_ir_set_args(f, x->copy.values[phi], args, 4);
        memcpy(args, (HdIrRef[]){x->before, c.start, after, next, x->loop.latch, c.next},
               sizeof args);
        hd_ir_set_args(f, phi, args, 6);
    }
    return HD_OK;
}

/* What the loop's end brings to the exit, the new one's brings as well. */
static HdStatus join_exit(Jam *x, uint32_t after)
{
    HdIrFunc *f = x->f;
    size_t phis = hd_ir_phi_count(f, x->exit);

    for (size_t i = 0; i < phis; i++) {
        HdIrRef phi = f->blocks.at[x->exit].insts.at[i], *args;
        unsigned n = f->insts.at[phi].nargs;

        HD_TAKE(args, HD_NEW(x->arena, HdIrRef, n + 2u));
        memcpy(args, hd_ir_args(f, phi), n * sizeof *args);
        args[n] = after;
        args[n + 1] = hd_ir_phi_value(f, phi, x->loop.latch);
        hd_ir_set_args(f, phi, args, n + 2u);
    }
    return HD_OK;
}

/* A block that the loop is entered from alone. */
static HdStatus put_before(Jam *x, uint32_t *after)
{
    HdIrFunc *f = x->f;
    uint32_t head = x->loop.in.head, from = x->before, own = hd_ir_block(f);
    HdIrBlock *b;

    *after = hd_ir_block(f);
    if (f->module->failed)
        return HD_NO_MEMORY;
    b = &f->blocks.at[from];
    for (uint32_t i = 0; i < b->succ_count; i++)
        b->succ[i] = b->succ[i] == head ? own : b->succ[i];
    hd_ir_phi_rename(f, head, from, own);
    f->blocks.at[own].rank = f->blocks.at[*after].rank = f->blocks.at[head].rank;
    x->before = own;
    return HD_OK;
}

static HdStatus jam(Jam *x)
{
    HdIrFunc *f = x->f;
    HdIrRef trips, rounds, zero;
    uint32_t after;

    HD_TRY(hd_ir_copy_open(f, x->arena, &x->copy));
    for (uint32_t i = 0; i < x->copy.blocks; i++)
        x->copy.chosen[i] = hd_loop_holds(&x->loop.in, i);
    HD_TRY(hd_ir_copy_make(&x->copy, HD_IR_NOWHERE));
    for (unsigned w = 1; w < x->ways; w++)
        HD_TAKE(x->of[w], HD_NEW(x->arena, HdIrRef, x->count));
    for (uint32_t i = 0; i < x->copy.blocks; i++)
        if (x->copy.chosen[i])
            HD_TRY(add_ways(x, i));
    use_own(x);
    HD_TRY(put_before(x, &after));
    trips = put_trips(x);
    rounds = put(x, HD_IR_LSHR, HD_IR_I64, 0, trips,
                 put(x, HD_IR_CONST, HD_IR_I64, (uint64_t)__builtin_ctz(x->ways), 0, 0));
    zero = put(x, HD_IR_CONST, HD_IR_I64, 0, 0, 0);
    trips =
        put(x, HD_IR_AND, HD_IR_I64, 0, trips, put(x, HD_IR_CONST, HD_IR_I64, x->ways - 1, 0, 0));
    HD_TRY(put_rounds(x, rounds, after));
    HD_TRY(put_counters(x, after));
    HD_TRY(join_exit(x, after));
    hd_ir_condbr(f, x->before, compare(f, x->before, HD_IR_NE, rounds, zero),
                 x->copy.copies[x->loop.in.head], x->loop.in.head);
    hd_ir_condbr(f, after, compare(f, after, HD_IR_NE, trips, zero), x->loop.in.head, x->exit);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- all of a function --------------------------------------------------------------------------
 */

static unsigned depth_of(const HdIrGraph *g, uint32_t loop)
{
    unsigned depth = 0;

    for (; loop != HD_IR_NOWHERE; loop = g->loops[loop].parent)
        depth++;
    return depth;
}

static HdStatus jam_one(HdIrFunc *f, HdArena *a, const HdLoopsDone *done, bool *did)
{
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(f, a, &g));
    for (uint32_t l = g->loop_count; l-- > 0 && !*did;) { /* inner ones come later */
        Jam x = {.f = f, .arena = a, .g = g};

        if (!hd_loop_is_untouched(g, l, done) || depth_of(g, l) > MOST_DEPTH)
            continue;
        HD_TRY(find(&x, l, did));
        if (!*did)
            continue;
        for (uint32_t i = g->loops[l].first; i <= g->loops[l].last; i++)
            done->is_in[g->order[i]] = true;
        HD_TRY(jam(&x));
    }
    return HD_OK;
}

HdStatus hd_opt_jam(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    return hd_opt_loop_by_loop(f, scratch, jam_one, MOST_LOOPS, MOST_FUNCTION, changed);
}

/* Would they run together as vectors? */
static HdStatus find_ways_of(HdIrFunc *f, HdArena *a, const HdIrGraph *g, uint32_t loop,
                             uint8_t *ways)
{
    Jam x = {.f = f, .arena = a, .g = g};
    const struct HdIrLoop *l = &g->loops[loop];
    bool found;

    for (uint32_t i = l->first; i <= l->last; i++)
        if (ways[g->order[i]] != 1)
            return HD_OK;
    HD_TRY(find(&x, loop, &found));
    for (uint32_t i = l->first; i <= l->last && found && suits_vectors(&x); i++)
        ways[g->order[i]] = (uint8_t)x.ways;
    return HD_OK;
}

HdStatus hd_opt_jam_ways(HdIrFunc *f, HdArena *a, uint8_t **ways)
{
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(f, a, &g));
    HD_TAKE(*ways, HD_NEW(a, uint8_t, f->blocks.count + 1));
    memset(*ways, 1, f->blocks.count);
    for (uint32_t l = g->loop_count; l-- > 0;)
        if (depth_of(g, l) <= MOST_DEPTH && f->insts.count < MOST_FUNCTION)
            HD_TRY(find_ways_of(f, a, g, l, *ways));
    return HD_OK;
}
