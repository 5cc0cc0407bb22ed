/* lanes/along.c -- loops that traverse memory contiguously.
 *
 * `for (k = 0; k < n; k++) out[row * n + k] = 2 * in[row * n + k];` scatters and gathers if lanes
 * are in different rows. Item by item, LLVM vectorises such loops (codegen/codegen.c) and proves
 * legality itself; this analysis finds what it handles well, for the choice between the two forms
 * (jit/cost.c): innermost counted loops whose accesses step from one element to the next, without
 * loop-carried dependences except for integer sums and the like. Conditional code is executed under
 * masks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/along.h"

#include "ir/counted.h"
#include "ir/edit.h"
#include "ir/linear.h"
#include "ir/memory.h"

#define MOST_BODY     96u  /* instructions of an iteration */
#define MOST_ALONE    400u /* the same where there are no lanes instead */
#define FEW_ACCESSES  12u  /* of an iteration, likewise */
#define MOST_ACCESSES 80u
#define MOST_PARTS    4  /* of a small vector, one in each iteration */
#define LEAST_ARRAY   32 /* elements: loops over shorter ones end before vectors gain */

typedef struct Along {
    HdCounted loop;
    uint32_t first, last; /* its blocks, in the graph's order */
    HdIrRef access[MOST_ACCESSES];
    unsigned count, bytes;  /* bytes: of the widest element */
    unsigned parts, parted; /* stores to parts of small vectors: parts of one, stores of all */
    bool has_rows;          /* something goes along */
    bool is_alone;          /* private arrays are contiguous, too */
} Along;

static HdIrType type_of_access(const HdIrFunc *f, HdIrRef r)
{
    return (HdIrType)f->insts.at[f->insts.at[r].op == HD_IR_STORE ? hd_ir_arg(f, r, 1) : r].type;
}

/* The distance from address a to b, if it is a constant unless indices wrap. */
static bool distance(const HdIrFunc *f, HdIrRef a, HdIrRef b, int64_t *by)
{
    HdLinearRules rules = {.f = f, .extend = HD_LINEAR_ASSUME};
    HdLinear from = hd_linear_of(&rules, a), to = hd_linear_of(&rules, b);
    HdLinear apart = hd_linear_minus(&to, &from);

    return hd_linear_is_number(&apart, by);
}

/* Does an iteration provably access what an earlier one has stored? What cannot be decided is
 * compared at run time. */
static bool comes_back(const Along *x, HdIrRef store, HdIrRef other)
{
    const HdIrFunc *f = x->loop.in.f;
    HdIrRef to = hd_ir_arg(f, store, 0), from = hd_ir_arg(f, other, 0);
    int64_t by, step;

    if ((hd_ir_memory_at(f, to, f->insts.at[store].sub) &
         hd_ir_memory_at(f, from, f->insts.at[other].sub)) == 0 ||
        !distance(f, to, from, &by))
        return false;
    return hd_counted_step(&x->loop.in, x->loop.latch, to, false, &step) &&
           (step > 0 ? by <= -step : by >= -step);
}

/* Does value r of the loop depend on phi, in this iteration or an earlier one? */
static bool needs(const Along *x, HdIrRef r, HdIrRef phi, unsigned *steps)
{
    const HdIrFunc *f = x->loop.in.f;
    const HdIrInst *in = &f->insts.at[r];

    if (r == phi)
        return true;
    if (hd_loop_is_outside(&x->loop.in, r) || in->op == HD_IR_CONST)
        return false;
    if ((*steps)++ > MOST_BODY)
        return true;
    if (in->op == HD_IR_PHI && in->block == x->loop.in.head)
        return needs(x, hd_ir_phi_value(f, r, x->loop.latch), phi, steps);
    for (unsigned k = 0; k < in->nargs; k++)
        if (hd_ir_arg_is_value(in, k) && needs(x, hd_ir_arg(f, r, k), phi, steps))
            return true;
    return false;
}

static unsigned uses_in(const Along *x, HdIrRef r)
{
    const HdIrFunc *f = x->loop.in.f;
    unsigned count = 0;

    for (uint32_t b = x->first; b <= x->last; b++) {
        const HdIrBlock *block = &f->blocks.at[x->loop.in.g->order[b]];

        for (size_t i = 0; i < block->insts.count; i++)
            for (unsigned k = 0; k < f->insts.at[block->insts.at[i]].nargs; k++)
                count += hd_ir_arg_is_value(&f->insts.at[block->insts.at[i]], k) &&
                         hd_ir_arg(f, block->insts.at[i], k) == r;
    }
    return count;
}

/* What an iteration conditionally adds to a phi, if that is all that it does to it; else `next`,
 * its value in the next iteration. */
static HdIrRef added(const Along *x, HdIrRef phi, HdIrRef next)
{
    const HdIrFunc *f = x->loop.in.f;
    const HdIrInst *in = &f->insts.at[next];

    if (in->op != HD_IR_PHI || in->block == x->loop.in.head || in->nargs != 4 ||
        uses_in(x, next) != 1)
        return next;
    return hd_ir_arg(f, next, 1) == phi   ? hd_ir_arg(f, next, 3)
           : hd_ir_arg(f, next, 3) == phi ? hd_ir_arg(f, next, 1)
                                          : next;
}

/* A sum and the like, whose order does not matter and whose intermediate values are not used. */
static bool is_reduction(const Along *x, HdIrRef phi)
{
    const HdIrFunc *f = x->loop.in.f;
    HdIrRef next = hd_ir_phi_value(f, phi, x->loop.latch), sum = added(x, phi, next);
    const HdIrInst *in = &f->insts.at[sum];

    switch ((HdIrOp)in->op) {
    case HD_IR_ADD:
    case HD_IR_MUL:
    case HD_IR_AND:
    case HD_IR_OR:
    case HD_IR_XOR:
    case HD_IR_UMIN:
    case HD_IR_UMAX:
    case HD_IR_SMIN:
    case HD_IR_SMAX:
        return in->type != HD_IR_BOOL && uses_in(x, phi) == (sum == next ? 1 : 2) &&
               uses_in(x, sum) == 1 && (hd_ir_arg(f, sum, 0) == phi || hd_ir_arg(f, sum, 1) == phi);
    default: return false;
    }
}

static bool takes_phi(Along *x, HdIrRef phi)
{
    const HdIrFunc *f = x->loop.in.f;
    unsigned steps = 0, bytes = hd_ir_type_bytes((HdIrType)f->insts.at[phi].type);
    int64_t step;

    if (f->insts.at[phi].block != x->loop.in.head ||
        hd_counted_step(&x->loop.in, x->loop.latch, phi, false, &step))
        return true;
    x->bytes = bytes > x->bytes ? bytes : x->bytes;
    return is_reduction(x, phi) || !needs(x, hd_ir_phi_value(f, phi, x->loop.latch), phi, &steps);
}

/* Does an access of private memory go along an array that vectors are worth it for? */
static bool takes_array(const Along *x, HdIrRef r)
{
    const HdIrFunc *f = x->loop.in.f;
    HdIrRef array = hd_linear_object(f, hd_ir_arg(f, r, 0));

    return x->is_alone && f->insts.at[array].op == HD_IR_ALLOCA &&
           f->insts.at[array].imm >= LEAST_ARRAY * hd_ir_type_bytes(type_of_access(f, r));
}

static bool takes_access(Along *x, HdIrRef r)
{
    const HdIrFunc *f = x->loop.in.f;
    HdIrType t = type_of_access(f, r);
    int64_t step, bytes = hd_ir_type_bytes(t);
    bool is_load = f->insts.at[r].op == HD_IR_LOAD;
    bool is_private = f->insts.at[r].sub == HD_SPACE_PRIVATE;
    unsigned parts;

    if ((f->insts.at[r].flags & HD_IR_VOLATILE) != 0 || t == HD_IR_BOOL ||
        (is_private && !takes_array(x, r)) ||
        x->count == (x->is_alone ? MOST_ACCESSES : FEW_ACCESSES) ||
        !hd_counted_step(&x->loop.in, x->loop.latch, hd_ir_arg(f, r, 0), false, &step))
        return false;
    x->access[x->count++] = r;
    if (step == 0)
        return is_load;
    x->bytes = bytes > x->bytes ? (unsigned)bytes : x->bytes;
    x->has_rows = true;
    if (step == bytes || step == -bytes)
        return true;
    if (is_private || step < 0 || step % bytes != 0 || step / bytes > MOST_PARTS)
        return false;
    parts = (unsigned)(step / bytes);
    if (is_load)
        return true;
    if (x->parted++ == 0)
        x->parts = parts;
    return x->parts == parts;
}

static bool takes_inst(Along *x, HdIrRef r)
{
    const HdIrInst *in = &x->loop.in.f->insts.at[r];

    switch ((HdIrOp)in->op) {
    case HD_IR_PHI: return takes_phi(x, r);
    case HD_IR_LOAD:
    case HD_IR_STORE: return takes_access(x, r);
    case HD_IR_BR:
    case HD_IR_CONDBR: return true;
    case HD_IR_MATH: /* calls, or code with branches */
    case HD_IR_CONVERT:
    case HD_IR_ALLOCA:
    case HD_IR_DOT4: /* executed one after another */
    case HD_IR_UMULHI:
    case HD_IR_SMULHI:
    case HD_IR_UDIV:
    case HD_IR_SDIV:
    case HD_IR_UREM:
    case HD_IR_SREM: return false;
    default: return hd_ir_op_is_pure(in->op);
    }
}

static bool takes_all(Along *x)
{
    const HdIrFunc *f = x->loop.in.f;
    size_t insts = 0;

    for (uint32_t i = x->first; i <= x->last; i++) {
        const HdIrBlock *b = &f->blocks.at[x->loop.in.g->order[i]];

        insts += b->insts.count;
        if (insts > (x->is_alone ? MOST_ALONE : MOST_BODY))
            return false;
        for (size_t k = 0; k < b->insts.count; k++)
            if (!takes_inst(x, b->insts.at[k]))
                return false;
    }
    for (unsigned i = 0; i < x->count; i++)
        for (unsigned k = 0; k < x->count; k++)
            if (i != k && f->insts.at[x->access[i]].op == HD_IR_STORE &&
                comes_back(x, x->access[i], x->access[k]))
                return false;
    return x->has_rows && (x->parted == 0 || x->parted % x->parts == 0);
}

HdStatus hd_lanes_along(HdIrFunc *f, bool is_alone, HdArena *a)
{
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(f, a, &g));
    for (uint32_t l = 0; l < g->loop_count; l++) {
        Along x = {
            .first = g->loops[l].first, .last = g->loops[l].last, .bytes = 1, .is_alone = is_alone};

        if (!hd_counted_find(f, g, l, &x.loop) || !takes_all(&x))
            continue;
        for (uint32_t i = x.first; i <= x.last; i++)
            f->blocks.at[g->order[i]].along = (uint8_t)x.bytes;
    }
    return HD_OK;
}
