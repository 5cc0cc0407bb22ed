/* opt/fold_float.c -- identities of float operations and of conversions.
 *
 * Only what holds for every operand, signed zeros and infinities included, unless the operation
 * allows approximation (HD_IR_FAST).
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/eval.h"
#include "opt/fold_rules.h"

#include <math.h>

static HdIrRef fold_sum(HdFold *s, HdIrRef r, HdIrRef a, HdIrRef b)
{
    HdIrFunc *f = s->f;
    HdIrInst in = *hd_opt_fold_at(s, r);
    HdIrType t = (HdIrType)in.type;
    uint64_t c, minus = (uint64_t)1 << (hd_ir_type_bits(t) - 1);

    if (hd_ir_is_const(f, b, &c) && c == (in.op == HD_IR_FADD ? minus : 0))
        return a; /* x + -0 and x - +0 are x, x + +0 is not when x is -0 */
    if (in.op == HD_IR_FSUB) {
        if (hd_ir_is_const(f, a, &c) && c == minus)
            hd_opt_fold_rewrite(s, r, HD_IR_FNEG, 0, b, 0);
        else if (hd_opt_fold_at(s, b)->op == HD_IR_FNEG)
            hd_opt_fold_rewrite(s, r, HD_IR_FADD, in.flags, a, hd_ir_arg(f, b, 0));
        return 0;
    }
    if (hd_opt_fold_at(s, b)->op == HD_IR_FNEG)
        hd_opt_fold_rewrite(s, r, HD_IR_FSUB, in.flags, a, hd_ir_arg(f, b, 0));
    else if (hd_opt_fold_at(s, a)->op == HD_IR_FNEG)
        hd_opt_fold_rewrite(s, r, HD_IR_FSUB, in.flags, b, hd_ir_arg(f, a, 0));
    return 0;
}

/* a * b + c in one step, where both operations may be approximated. */
static void contract(HdFold *s, HdIrRef r, HdIrRef product, HdIrRef other)
{
    const HdIrInst *in = hd_opt_fold_at(s, r), *mul = hd_opt_fold_at(s, product);

    if (in->op != HD_IR_FADD || mul->op != HD_IR_FMUL || !hd_opt_fold_has_one_user(s, product) ||
        (in->flags & mul->flags & HD_IR_FAST) == 0)
        return;
    hd_opt_fold_take_in(s, r, HD_IR_FMA, in->flags, product, other);
}

/* x with its negation removed: the operand of FNEG, or a product with the negated constant. 0 =
 * none.
 */
static HdIrRef turned(HdFold *s, HdIrRef x)
{
    HdIrInst in = *hd_opt_fold_at(s, x);
    HdIrType t = (HdIrType)in.type;
    uint64_t c;

    if (in.op == HD_IR_CONST)
        return hd_opt_fold_const(s, t, in.imm ^ (uint64_t)1 << (hd_ir_type_bits(t) - 1));
    if (in.op == HD_IR_FNEG)
        return hd_ir_arg(s->f, x, 0);
    if (in.op != HD_IR_FMUL || !hd_ir_is_const(s->f, hd_ir_arg(s->f, x, 1), &c))
        return 0;
    return hd_opt_fold_op2(s, HD_IR_FMUL, t, hd_ir_arg(s->f, x, 0),
                           turned(s, hd_ir_arg(s->f, x, 1)), in.flags);
}

/* -a * b is a * -b, for a product or a quotient: the sign disappears if b has one to cancel. */
static void fold_signs(HdFold *s, HdIrRef r, HdIrRef a, HdIrRef b)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    bool left = hd_opt_fold_at(s, a)->op == HD_IR_FNEG;
    HdIrRef other;

    if (!left && hd_opt_fold_at(s, b)->op != HD_IR_FNEG)
        return;
    other = turned(s, left ? b : a);
    if (other == 0)
        return;
    a = left ? hd_ir_arg(s->f, a, 0) : other;
    b = left ? other : hd_ir_arg(s->f, b, 0);
    hd_opt_fold_rewrite(s, r, (HdIrOp)in->op, in->flags, a, b);
}

/* Has x / c the same result as x * (1 / c)? When c is a power of two and its inverse is normal. */
static bool exact_inverse(HdIrType t, double c, uint64_t *bits)
{
    int exponent, range = t == HD_IR_F16 ? 14 : t == HD_IR_F32 ? 126 : 1022;

    if (!isfinite(c) || fabs(frexp(c, &exponent)) != 0.5 || exponent - 1 > range ||
        exponent - 1 < -range)
        return false;
    *bits = hd_ir_from_double(t, 1 / c);
    return true;
}

HdIrRef hd_opt_fold_float(HdFold *s, HdIrRef r)
{
    HdIrFunc *f = s->f;
    HdIrInst in = *hd_opt_fold_at(s, r);
    HdIrType t = (HdIrType)in.type;
    HdIrRef a = hd_ir_arg(f, r, 0), b = in.nargs > 1 ? hd_ir_arg(f, r, 1) : 0;
    unsigned inner = hd_opt_fold_at(s, a)->op;
    uint64_t c;

    if (b != 0 && (in.op == HD_IR_FADD || in.op == HD_IR_FMUL) &&
        hd_opt_fold_at(s, a)->op == HD_IR_CONST && hd_opt_fold_at(s, b)->op != HD_IR_CONST) {
        hd_opt_fold_rewrite(s, r, (HdIrOp)in.op, in.flags, b, a);
        return 0;
    }
    switch (in.op) {
    case HD_IR_FADD:
    case HD_IR_FSUB: {
        HdIrRef value = fold_sum(s, r, a, b);

        if (value == 0 && !s->rewritten) {
            contract(s, r, a, b);
            if (!s->rewritten)
                contract(s, r, b, a);
        }
        return value;
    }
    case HD_IR_FMUL:
    case HD_IR_FDIV:
        fold_signs(s, r, a, b);
        if (s->rewritten || !hd_ir_is_const(f, b, &c))
            return 0;
        if (hd_ir_to_double(t, c) == 1)
            return a;
        if (hd_ir_to_double(t, c) == -1)
            hd_opt_fold_rewrite(s, r, HD_IR_FNEG, 0, a, 0);
        else if (in.op == HD_IR_FDIV && exact_inverse(t, hd_ir_to_double(t, c), &c))
            hd_opt_fold_rewrite(s, r, HD_IR_FMUL, in.flags, a, hd_opt_fold_const(s, t, c));
        return 0;
    case HD_IR_FNEG: return inner == HD_IR_FNEG ? hd_ir_arg(f, a, 0) : 0;
    case HD_IR_FABS:
        if (inner == HD_IR_FABS)
            return a;
        if (inner == HD_IR_FNEG)
            hd_opt_fold_rewrite(s, r, HD_IR_FABS, 0, hd_ir_arg(f, a, 0), 0);
        return 0;
    case HD_IR_FFLOOR:
    case HD_IR_FCEIL:
    case HD_IR_FTRUNC:
    case HD_IR_FRINT: return inner >= HD_IR_FFLOOR && inner <= HD_IR_FRINT ? a : 0;
    case HD_IR_FMIN:
    case HD_IR_FMAX: return a == b ? a : 0;
    default: return 0;
    }
}

/* ---- conversions ----------------------------------------------------------------------------- */

/* The lower half of a sum with an extended number is the sum of the narrow ones: an int that a loop
 * counts up by a size_t stays an int. */
static void narrow_sum(HdFold *s, HdIrRef r, HdIrRef a)
{
    HdIrInst sum = *hd_opt_fold_at(s, a);
    HdIrType t = (HdIrType)hd_opt_fold_at(s, r)->type;

    if ((sum.op != HD_IR_ADD && sum.op != HD_IR_SUB && sum.op != HD_IR_MUL) || t != HD_IR_I32 ||
        !hd_opt_fold_has_one_user(s, a))
        return;
    for (unsigned i = 0; i < 2; i++) {
        HdIrRef x = hd_ir_arg(s->f, a, i), y = hd_ir_arg(s->f, a, 1 - i);
        unsigned op = hd_opt_fold_at(s, x)->op;

        if ((op != HD_IR_ZEXT && op != HD_IR_SEXT) ||
            hd_opt_fold_at(s, hd_ir_arg(s->f, x, 0))->type != t)
            continue;
        x = hd_ir_arg(s->f, x, 0);
        y = hd_opt_fold_op1(s, HD_IR_TRUNC, t, y);
        hd_opt_fold_rewrite(s, r, (HdIrOp)sum.op, 0, i == 0 ? x : y, i == 0 ? y : x);
        return;
    }
}

static HdIrRef fold_trunc(HdFold *s, HdIrRef r, HdIrRef a)
{
    HdIrFunc *f = s->f;
    HdIrInst inner = *hd_opt_fold_at(s, a);
    HdIrType t = (HdIrType)hd_opt_fold_at(s, r)->type, from;
    HdIrRef x;
    uint64_t c;

    if (inner.op == HD_IR_TRUNC) {
        hd_opt_fold_rewrite(s, r, HD_IR_TRUNC, 0, hd_ir_arg(f, a, 0), 0);
    } else if (inner.op == HD_IR_ZEXT || inner.op == HD_IR_SEXT) {
        x = hd_ir_arg(f, a, 0);
        from = (HdIrType)hd_opt_fold_at(s, x)->type;
        if (from == t)
            return x;
        hd_opt_fold_rewrite(
            s, r, hd_ir_type_bits(from) > hd_ir_type_bits(t) ? HD_IR_TRUNC : (HdIrOp)inner.op, 0, x,
            0);
    } else if (inner.op == HD_IR_AND && hd_ir_is_const(f, hd_ir_arg(f, a, 1), &c) &&
               (c & hd_ir_ones(t)) == hd_ir_ones(t)) {
        hd_opt_fold_rewrite(s, r, HD_IR_TRUNC, 0, hd_ir_arg(f, a, 0), 0);
    } else {
        narrow_sum(s, r, a);
    }
    return 0;
}

/* Can x + c not wrap, as unsigned numbers? */
static bool has_room(HdFold *s, HdIrRef x, uint64_t c)
{
    return c >> hd_opt_fold_zeros_below(s, x) == 0 ||
           c <= hd_ir_ones((HdIrType)hd_opt_fold_at(s, x)->type) - hd_opt_fold_most(s, x);
}

/* The same as signed numbers: x is not negative, and c may be. */
static bool has_signed_room(HdFold *s, HdIrRef x, uint64_t c)
{
    HdIrType t = (HdIrType)hd_opt_fold_at(s, x)->type;
    uint64_t most, limit = hd_ir_ones(t) >> 1;

    if (c >> hd_opt_fold_zeros_below(s, x) == 0)
        return true;
    most = hd_opt_fold_most(s, x);
    return most <= limit && (c > limit || c <= limit - most);
}

/* ext(x + c) is ext(x) + c where the sum cannot wrap, as it says or by what x can be: constants
 * outwards. */
static void extend_sum(HdFold *s, HdIrRef r, HdIrRef a, bool is_signed)
{
    HdIrInst sum = *hd_opt_fold_at(s, a);
    HdIrOp op = is_signed ? HD_IR_SEXT : HD_IR_ZEXT;
    unsigned flag = is_signed ? HD_IR_NSW : HD_IR_NUW;
    HdIrType t = (HdIrType)hd_opt_fold_at(s, r)->type;
    HdIrRef x;
    uint64_t c;

    if (sum.op != HD_IR_ADD || !hd_ir_is_const(s->f, hd_ir_arg(s->f, a, 1), &c) ||
        ((sum.flags & flag) == 0 && !(is_signed ? has_signed_room(s, hd_ir_arg(s->f, a, 0), c)
                                                : has_room(s, hd_ir_arg(s->f, a, 0), c))))
        return;
    if (is_signed)
        c = (uint64_t)hd_ir_sign_extend((HdIrType)sum.type, c);
    x = hd_opt_fold_op1(s, op, t, hd_ir_arg(s->f, a, 0));
    hd_opt_fold_rewrite(s, r, HD_IR_ADD, is_signed ? HD_IR_NSW : HD_IR_NSW | HD_IR_NUW, x,
                        hd_opt_fold_const(s, t, c));
}

static HdIrRef fold_extend(HdFold *s, HdIrRef r, HdIrRef a)
{
    HdIrFunc *f = s->f;
    HdIrInst in = *hd_opt_fold_at(s, r), inner = *hd_opt_fold_at(s, a);
    HdIrRef x = inner.nargs != 0 && inner.op != HD_IR_PHI ? hd_ir_arg(f, a, 0) : 0;

    if (inner.op == in.op || (in.op == HD_IR_SEXT && inner.op == HD_IR_ZEXT))
        hd_opt_fold_rewrite(s, r, (HdIrOp)inner.op, 0, x, 0);
    else if (in.op == HD_IR_ZEXT && inner.op == HD_IR_TRUNC &&
             hd_opt_fold_at(s, x)->type == in.type)
        hd_opt_fold_rewrite(
            s, r, HD_IR_AND, 0, x,
            hd_opt_fold_const(s, (HdIrType)in.type, hd_ir_ones((HdIrType)inner.type)));
    else if (in.op == HD_IR_SEXT && inner.op == HD_IR_TRUNC &&
             hd_opt_fold_at(s, x)->type == in.type &&
             hd_opt_fold_most(s, x) <= hd_ir_ones((HdIrType)inner.type) >> 1)
        return x;
    else if (in.op == HD_IR_ZEXT && inner.type == HD_IR_I32 && hd_opt_fold_is_positive(s, a))
        hd_opt_fold_rewrite(s, r, HD_IR_SEXT, 0, a, 0);
    else
        extend_sum(s, r, a, in.op == HD_IR_SEXT);
    return 0;
}

/* Addresses that took a detour through integers. */
static HdIrRef fold_bitcast(HdFold *s, HdIrRef r, HdIrRef a)
{
    HdIrFunc *f = s->f;
    HdIrInst in = *hd_opt_fold_at(s, r), inner = *hd_opt_fold_at(s, a);
    HdIrRef x;

    if (inner.type == in.type)
        return a;
    if (inner.op == HD_IR_BITCAST) {
        x = hd_ir_arg(f, a, 0);
        if (hd_opt_fold_at(s, x)->type == in.type)
            return x;
        hd_opt_fold_rewrite(s, r, HD_IR_BITCAST, 0, x, 0);
        return 0;
    }
    if (in.type == HD_IR_PTR && inner.op == HD_IR_ADD) {
        for (unsigned i = 0; i < 2; i++) {
            x = hd_ir_arg(f, a, i);
            if (hd_opt_fold_at(s, x)->op != HD_IR_BITCAST ||
                hd_opt_fold_at(s, hd_ir_arg(f, x, 0))->type != HD_IR_PTR)
                continue;
            hd_opt_fold_rewrite(s, r, HD_IR_PTRADD, 0, hd_ir_arg(f, x, 0), hd_ir_arg(f, a, 1 - i));
            return 0;
        }
    }
    return 0;
}

/* A conversion of one of two constants is one of two others. */
static bool convert_chosen(HdFold *s, HdIrRef r, HdIrRef a)
{
    HdIrOp op = (HdIrOp)hd_opt_fold_at(s, r)->op;
    HdIrType t = (HdIrType)hd_opt_fold_at(s, r)->type;
    HdIrRef args[3];

    if (hd_opt_fold_at(s, a)->op != HD_IR_SELECT ||
        !hd_ir_is_const(s->f, hd_ir_arg(s->f, a, 1), NULL) ||
        !hd_ir_is_const(s->f, hd_ir_arg(s->f, a, 2), NULL))
        return false;
    args[0] = hd_ir_arg(s->f, a, 0);
    args[1] = hd_opt_fold_op1(s, op, t, hd_ir_arg(s->f, a, 1));
    args[2] = hd_opt_fold_op1(s, op, t, hd_ir_arg(s->f, a, 2));
    hd_opt_fold_rewrite_args(s, r, HD_IR_SELECT, hd_opt_fold_at(s, r)->flags, args, 3);
    return true;
}

HdIrRef hd_opt_fold_cast(HdFold *s, HdIrRef r)
{
    HdIrRef a = hd_ir_arg(s->f, r, 0);
    const HdIrInst *in = hd_opt_fold_at(s, r), *inner = hd_opt_fold_at(s, a);

    if (in->op <= HD_IR_SEXT && convert_chosen(s, r, a))
        return 0;
    switch (in->op) {
    case HD_IR_TRUNC: return fold_trunc(s, r, a);
    case HD_IR_ZEXT:
    case HD_IR_SEXT: return fold_extend(s, r, a);
    case HD_IR_BITCAST: return fold_bitcast(s, r, a);
    case HD_IR_FPTRUNC:
        if (inner->op != HD_IR_FPEXT)
            return 0;
        a = hd_ir_arg(s->f, a, 0);
        return hd_opt_fold_at(s, a)->type == in->type ? a : 0;
    case HD_IR_FPEXT:
        if (inner->op == HD_IR_FPEXT)
            hd_opt_fold_rewrite(s, r, HD_IR_FPEXT, 0, hd_ir_arg(s->f, a, 0), 0);
        return 0;
    default: return 0;
    }
}
