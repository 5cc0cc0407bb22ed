/* codegen/slp_alike.c -- which operations may be members of one bundle (slp.h).
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/minmax.h"
#include "codegen/slp.h"
#include "ir/edit.h"

#define MOST_BLOCK 4000u /* instructions of a block: accesses are compared with each other */

static const HdIrInst *inst(const HdIrFunc *f, HdIrRef r)
{
    return &f->insts.at[r];
}

/* Is x op 0 = x? */
bool hd_slp_has_zero(unsigned op)
{
    return op == HD_IR_ADD || op == HD_IR_SUB || op == HD_IR_OR || op == HD_IR_XOR ||
           op == HD_IR_SHL || op == HD_IR_LSHR || op == HD_IR_ASHR;
}

/* Does LLVM make one or a few operations of it for a vector, alike for each element? */
bool hd_slp_is_lane_wise(const HdIrInst *in)
{
    switch ((HdIrOp)in->op) {
    case HD_IR_UDIV:
    case HD_IR_SDIV:
    case HD_IR_UREM:
    case HD_IR_SREM:
    case HD_IR_DOT4:
    case HD_IR_BITREVERSE: return false;
    default:
        return in->type != HD_IR_PTR && in->type != HD_IR_VOID && in->nargs >= 1 &&
               in->nargs <= 3 &&
               ((in->op >= HD_IR_ADD && in->op <= HD_IR_FMAX) ||
                (in->op >= HD_IR_ICMP && in->op <= HD_IR_BITCAST));
    }
}

bool hd_slp_is_plain_access(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = inst(f, r);
    HdIrType t = (HdIrType)in->type;

    if (in->op == HD_IR_STORE)
        t = (HdIrType)inst(f, hd_ir_arg(f, r, 1))->type;
    else if (in->op == HD_IR_CTX_SET)
        t = (HdIrType)inst(f, hd_ir_arg(f, r, 0))->type;
    else if (in->op != HD_IR_LOAD && in->op != HD_IR_CTX_GET)
        return false;
    if ((in->op == HD_IR_LOAD || in->op == HD_IR_STORE) &&
        (in->flags & (HD_IR_VOLATILE | HD_IR_NONTEMPORAL | HD_IR_MASKED | HD_IR_INTERLEAVED)) != 0)
        return false;
    return hd_ir_is_int(t) || hd_ir_is_float(t);
}

HdIrType hd_slp_access_type(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = inst(f, r);

    if (in->op == HD_IR_STORE)
        return (HdIrType)inst(f, hd_ir_arg(f, r, 1))->type;
    if (in->op == HD_IR_CTX_SET)
        return (HdIrType)inst(f, hd_ir_arg(f, r, 0))->type;
    return (HdIrType)in->type;
}

/* Is b the element after a? */
bool hd_slp_is_next(const HdIrFunc *f, HdIrRef a, HdIrRef b)
{
    HdPlace p = hd_slp_place(f, a), q = hd_slp_place(f, b);

    return p.base == q.base && p.index == q.index && q.offset == p.offset + (int64_t)p.bytes &&
           hd_slp_access_type(f, a) == hd_slp_access_type(f, b);
}

bool hd_slp_are_alike(const HdGen *g, HdIrRef a, HdIrRef b)
{
    const HdIrInst *x = inst(g->f, a), *y = inst(g->f, b);

    if (a == b || x->op != y->op || x->type != y->type || x->sub != y->sub ||
        x->block != y->block || x->nargs != y->nargs || x->block == HD_IR_NOWHERE)
        return false;
    if (x->op == HD_IR_LOAD || x->op == HD_IR_STORE || x->op == HD_IR_CTX_GET ||
        x->op == HD_IR_CTX_SET)
        return hd_slp_is_plain_access(g->f, a) && hd_slp_is_plain_access(g->f, b);
    if (x->op == HD_IR_PHI)
        return true;
    if ((x->flags & HD_IR_FAST) != (y->flags & HD_IR_FAST) || x->imm != y->imm ||
        !hd_gen_has_same_nan(g, a, b))
        return false;
    for (unsigned i = 0; i < x->nargs; i++)
        if (inst(g->f, hd_ir_arg(g->f, a, i))->type != inst(g->f, hd_ir_arg(g->f, b, i))->type)
            return false;
    return true;
}

/* Did they come from one instruction of the module? */
bool hd_slp_are_of_row(const HdGen *g, HdIrRef a, HdIrRef b)
{
    return (a == b || hd_slp_are_alike(g, a, b)) && inst(g->f, a)->place == inst(g->f, b)->place;
}

/* Is one of them an operand of another? */
static bool is_chain(const HdIrFunc *f, const HdIrRef *m, unsigned n)
{
    for (unsigned c = 0; c < n; c++)
        for (unsigned i = 0; i < inst(f, m[c])->nargs; i++)
            for (unsigned k = 0; k < n; k++)
                if (hd_ir_arg(f, m[c], i) == m[k])
                    return true;
    return false;
}

/* All distinct, alike, and nothing else in the way? */
bool hd_slp_may_be_bundle(const HdGen *g, const HdIrRef *m, unsigned n)
{
    const HdIrInst *in = inst(g->f, m[0]);
    unsigned bytes = hd_ir_type_bytes(in->op == HD_IR_LOAD || in->op == HD_IR_STORE ||
                                              in->op == HD_IR_CTX_GET || in->op == HD_IR_CTX_SET
                                          ? hd_slp_access_type(g->f, m[0])
                                          : (HdIrType)in->type);

    if (in->block == HD_IR_NOWHERE || g->f->blocks.at[in->block].along != 0 ||
        g->f->blocks.at[in->block].insts.count > MOST_BLOCK || n * bytes > HD_SLP_MOST_BYTES ||
        in->type == HD_IR_PTR)
        return false;
    if (in->op != HD_IR_PHI && !hd_slp_is_lane_wise(in) && !hd_slp_is_plain_access(g->f, m[0]))
        return false;
    for (unsigned c = 1; c < n; c++) {
        if (!hd_slp_are_alike(g, m[0], m[c]))
            return false;
        for (unsigned k = 1; k < c; k++)
            if (m[k] == m[c])
                return false;
    }
    return !hd_slp_is_lane_wise(in) || !is_chain(g->f, m, n);
}

/* Is what is passed there before the members? */
bool hd_slp_may_pass(const HdIrFunc *f, const HdIrRef *m, unsigned n, HdIrRef lead, unsigned passed)
{
    for (unsigned c = 0; c < n; c++) {
        const HdIrInst *in = inst(f, m[c]);

        if (in->block != inst(f, lead)->block && in->block != 0)
            return false;
        for (unsigned i = 0; i < in->nargs && (passed >> c & 1) != 0; i++)
            for (unsigned k = 0; k < n; k++)
                if ((passed >> k & 1) == 0 && hd_ir_arg(f, m[c], i) == m[k])
                    return false;
    }
    return true;
}

/* How much are those a vector's elements in order, with what is passed among the members' operands
 * number i? */
int hd_slp_order_with(const HdGen *g, const HdBundle *t, unsigned i)
{
    HdIrRef x[HD_BUNDLE_MOST];
    int order = 0;

    for (unsigned c = 0; c < t->n; c++) {
        x[c] = hd_bundle_passes(t, c) ? t->m[c] : hd_ir_arg(g->f, t->m[c], i);
        order += c > 0 && hd_slp_are_alike(g, x[c - 1], x[c]);
        for (unsigned k = 0; k < c; k++)
            order -= x[k] == x[c];
    }
    return order;
}
