/* codegen/vote.c -- votes (all, any) decided from the first and the last lane.
 *
 * Ids increase from lane to lane, so that `id < n` holds for all lanes if it does for the last, and
 * for any if it does for the first: one scalar comparison, where a vector of 64-bit ids takes two
 * of everything. The vector is computed where lanes diverge, if at all.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/vote.h"

#include "codegen/arith.h"
#include "codegen/values.h"
#include "ir/edit.h"

#define MOST_DEPTH 6u /* of a condition */

static bool is_uniform(const HdGen *g, HdIrRef r)
{
    return g->f->insts.at[r].shape == HD_SHAPE_UNIFORM;
}

/* Ids are affine only in launches where they are below 2^31, whatever the type. */
static bool is_id(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    while ((in->op == HD_IR_TRUNC || in->op == HD_IR_ZEXT || in->op == HD_IR_SEXT) &&
           (in->type == HD_IR_I32 || in->type == HD_IR_I64)) {
        r = hd_ir_arg(g->f, r, 0);
        in = &g->f->insts.at[r];
    }
    return in->op == HD_IR_BUILTIN && in->shape == HD_SHAPE_AFFINE && in->stride == 1 &&
           (in->type == HD_IR_I32 || in->type == HD_IR_I64) &&
           (in->sub == HD_BUILTIN_GLOBAL_ID || in->sub == HD_BUILTIN_LOCAL_ID);
}

static LLVMValueRef to_i64(HdGen *g, LLVMValueRef x, bool is_signed)
{
    return is_signed ? LLVMBuildSExtOrBitCast(g->b, x, g->i64, "")
                     : LLVMBuildZExtOrBitCast(g->b, x, g->i64, "");
}

static bool is_less(unsigned sub)
{
    return sub == HD_IR_ULT || sub == HD_IR_ULE || sub == HD_IR_SLT || sub == HD_IR_SLE;
}

/* Is a number among those of the lanes, each of which is one more or less than the previous one?
 * NULL: they do not have that form. */
static LLVMValueRef is_among(HdGen *g, HdIrRef lanes, HdIrRef number)
{
    const HdIrInst *in = &g->f->insts.at[lanes];
    LLVMValueRef first, x;

    if (in->shape != HD_SHAPE_AFFINE || (in->stride != 1 && in->stride != -1) ||
        !hd_ir_is_int((HdIrType)in->type))
        return NULL;
    first = hd_gen_s(g, lanes);
    x = hd_gen_s(g, number);
    x = in->stride == 1 ? LLVMBuildSub(g->b, x, first, "") : LLVMBuildSub(g->b, first, x, "");
    return LLVMBuildICmp(g->b, LLVMIntULT, x, LLVMConstInt(LLVMTypeOf(x), g->width, 0), "");
}

/* Does a comparison of ids with a number hold in all lanes, or in any? NULL: it is none. */
static LLVMValueRef compare(HdGen *g, HdIrRef r, bool all)
{
    unsigned sub = g->f->insts.at[r].sub;
    HdIrRef id = hd_ir_arg(g->f, r, 0), number = hd_ir_arg(g->f, r, 1);
    LLVMValueRef x;

    if (is_uniform(g, id)) {
        number = id;
        id = hd_ir_arg(g->f, r, 1);
        sub = hd_ir_icmp_swapped(sub);
    }
    if (!is_uniform(g, number))
        return NULL;
    if (sub == HD_IR_EQ || sub == HD_IR_NE) {
        if (all == (sub == HD_IR_EQ)) /* one lane has another number than the next one */
            return NULL;
        x = is_among(g, id, number);
        return x == NULL || !all ? x : LLVMBuildNot(g->b, x, "");
    }
    if (!is_id(g, id))
        return NULL;
    x = to_i64(g, hd_gen_s(g, id), false);
    if (is_less(sub) == all)
        x = LLVMBuildAdd(g->b, x, hd_gen_u64(g, g->width - 1), "");
    return LLVMBuildICmp(g->b, hd_gen_int_predicate(sub), x,
                         to_i64(g, hd_gen_s(g, number), sub >= HD_IR_SLT), "");
}

static bool is_const(const HdGen *g, HdIrRef r, bool value)
{
    return g->f->insts.at[r].op == HD_IR_CONST && (g->f->insts.at[r].imm & 1) == value;
}

/* Is r `a and b`, or `a or b`? */
static bool is_pair(const HdGen *g, HdIrRef r, bool *is_and, HdIrRef part[2])
{
    const HdIrRef *args = hd_ir_args(g->f, r);
    HdIrOp op = (HdIrOp)g->f->insts.at[r].op;

    part[0] = args[0];
    part[1] = args[1];
    *is_and = op == HD_IR_AND;
    if (op != HD_IR_SELECT)
        return op == HD_IR_AND || op == HD_IR_OR;
    *is_and = is_const(g, args[2], false);
    if (!*is_and)
        part[1] = args[2];
    return *is_and || is_const(g, args[1], true);
}

/* Is r one of several questions whether a number is another one? As vectors they take less. */
static bool is_equality(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    return in->op == HD_IR_ICMP && (in->sub == HD_IR_EQ || in->sub == HD_IR_NE) &&
           !is_uniform(g, r);
}

static LLVMValueRef vote(HdGen *g, HdIrRef r, bool value, bool all, unsigned depth);

/* Both for all, or either for any: only one of the two matches the form of r. */
static LLVMValueRef vote_pair(HdGen *g, HdIrRef r, bool value, bool all, unsigned depth)
{
    LLVMValueRef a, b;
    HdIrRef part[2];
    bool is_and;

    if (!is_pair(g, r, &is_and, part) || is_and != (value == all) || is_equality(g, part[0]) ||
        is_equality(g, part[1]))
        return NULL;
    a = vote(g, part[0], value, all, depth);
    b = a != NULL ? vote(g, part[1], value, all, depth) : NULL;
    if (b == NULL)
        return NULL;
    return all ? LLVMBuildAnd(g->b, a, b, "") : LLVMBuildOr(g->b, a, b, "");
}

/* Do all lanes, or any, find that r is `value`? NULL: the vector has to say. */
static LLVMValueRef vote(HdGen *g, HdIrRef r, bool value, bool all, unsigned depth)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef x;

    if (depth == 0)
        return NULL;
    if (in->op == HD_IR_XOR && is_const(g, hd_ir_arg(g->f, r, 1), true))
        return vote(g, hd_ir_arg(g->f, r, 0), !value, all, depth - 1);
    if (!is_uniform(g, r) && in->op != HD_IR_ICMP)
        return vote_pair(g, r, value, all, depth - 1);
    /* Not all find it true if any finds it false. */
    x = is_uniform(g, r) ? hd_gen_s(g, r) : compare(g, r, all == value);
    return x == NULL || value ? x : LLVMBuildNot(g->b, x, "");
}

LLVMValueRef hd_gen_vote_any(HdGen *g, HdIrRef r)
{
    return vote(g, r, true, false, MOST_DEPTH);
}
