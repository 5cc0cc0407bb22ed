/* opt/fold_div.c -- divisions by constants become multiplications and shifts.
 *
 * After T. Granlund and P. Montgomery, "Division by Invariant Integers using Multiplication".
 * Quotients of ints by constants that exceed the lanes' ids stay as they are until lanes are found
 * to have the same one (lanes/transfer.c); LLVM does the rest.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/fold_rules.h"

static HdIrRef shift(HdFold *s, HdIrOp op, HdIrType t, HdIrRef x, unsigned by)
{
    return by == 0 ? x : hd_opt_fold_op2(s, op, t, x, hd_opt_fold_const(s, t, by), 0);
}

/* x / d, unsigned, d no power of two and more than 1. */
static HdIrRef unsigned_quotient(HdFold *s, HdIrType t, HdIrRef x, uint64_t d)
{
    unsigned width = hd_ir_type_bits(t), log = 64 - (unsigned)__builtin_clzll(d - 1);
    /* m = floor(2^width * (2^log - d) / d) + 1: the low `width` bits of a (width + 1)-bit factor */
    unsigned __int128 top = ((unsigned __int128)1 << log) - d, m = 0, rest = top;
    HdIrRef high, sum;

    for (unsigned i = 0; i < width; i++) { /* long division: 128 bits are too few for the product */
        rest <<= 1;
        m <<= 1;
        if (rest >= d) {
            rest -= d;
            m |= 1;
        }
    }
    m += 1;
    high = hd_opt_fold_op2(s, HD_IR_UMULHI, t, x, hd_opt_fold_const(s, t, (uint64_t)m), 0);
    sum = hd_opt_fold_op2(s, HD_IR_SUB, t, x, high, 0);
    sum = shift(s, HD_IR_LSHR, t, sum, 1);
    sum = hd_opt_fold_op2(s, HD_IR_ADD, t, sum, high, 0);
    return shift(s, HD_IR_LSHR, t, sum, log - 1);
}

/* x / d, towards zero; d is not 0, 1, -1 and not the least value. */
static HdIrRef signed_quotient(HdFold *s, HdIrType t, HdIrRef x, int64_t d)
{
    unsigned width = hd_ir_type_bits(t), log;
    uint64_t size = d < 0 ? 0 - (uint64_t)d : (uint64_t)d, sign_bit = (uint64_t)1 << (width - 1);
    HdIrRef q, sign;

    sign = shift(s, HD_IR_ASHR, t, x, width - 1);
    if ((size & (size - 1)) == 0) {
        log = (unsigned)__builtin_ctzll(size);
        q = shift(s, HD_IR_LSHR, t, sign, width - log); /* size - 1 for negative x */
        q = hd_opt_fold_op2(s, HD_IR_ADD, t, x, q, 0);
        q = shift(s, HD_IR_ASHR, t, q, log);
    } else {
        /* m = floor(2^(width + log - 1) / size) + 1 - 2^width, read as a signed number */
        unsigned __int128 m;

        log = 64 - (unsigned)__builtin_clzll(size - 1);
        m = ((unsigned __int128)1 << (width + log - 1)) / size + 1;
        q = hd_opt_fold_op2(s, HD_IR_SMULHI, t, x,
                            hd_opt_fold_const(s, t, (uint64_t)m & hd_ir_ones(t)), 0);
        if (((uint64_t)m & sign_bit) != 0)
            q = hd_opt_fold_op2(s, HD_IR_ADD, t, q, x, 0);
        q = shift(s, HD_IR_ASHR, t, q, log - 1);
        q = hd_opt_fold_op2(s, HD_IR_SUB, t, q, sign, 0);
    }
    if (d < 0)
        q = hd_opt_fold_op2(s, HD_IR_SUB, t, hd_opt_fold_const(s, t, 0), q, 0);
    return q;
}

#define LEAST_SHARED 32u /* twice the lanes of 32 bits that there are */

/* May neighbouring work-items have the same x / c? */
static bool may_be_shared(HdIrType t, uint64_t c, bool is_signed)
{
    return t == HD_IR_I32 && c >= LEAST_SHARED && (c & (c - 1)) != 0 &&
           (!is_signed || c <= INT32_MAX);
}

HdIrRef hd_opt_fold_division(HdFold *s, HdIrRef r)
{
    HdIrInst in = *hd_opt_fold_at(s, r);
    HdIrType t = (HdIrType)in.type;
    HdIrRef x = hd_ir_arg(s->f, r, 0), d = hd_ir_arg(s->f, r, 1), q;
    bool remainder = in.op == HD_IR_UREM || in.op == HD_IR_SREM;
    bool is_signed = in.op == HD_IR_SDIV || in.op == HD_IR_SREM;
    uint64_t c, least = (hd_ir_ones(t) >> 1) + 1;

    if (!hd_ir_is_const(s->f, d, &c))
        return 0;
    if (c == 0)
        return d; /* by definition */
    if (c == 1)
        return remainder ? hd_opt_fold_const(s, t, 0) : x;
    if (is_signed && c == hd_ir_ones(t)) {
        if (remainder)
            return hd_opt_fold_const(s, t, 0);
        hd_opt_fold_rewrite(s, r, HD_IR_SUB, 0, hd_opt_fold_const(s, t, 0), x);
        return 0;
    }
    if (is_signed && c == least) {
        q = hd_opt_fold_op1(s, HD_IR_ZEXT, t, hd_opt_fold_icmp(s, HD_IR_EQ, x, d));
    } else if (!is_signed && (c & (c - 1)) == 0) {
        if (remainder)
            hd_opt_fold_rewrite(s, r, HD_IR_AND, 0, x, hd_opt_fold_const(s, t, c - 1));
        else
            hd_opt_fold_rewrite(s, r, HD_IR_LSHR, 0, x,
                                hd_opt_fold_const(s, t, (uint64_t)__builtin_ctzll(c)));
        return 0;
    } else if (may_be_shared(t, c, is_signed)) {
        if (!remainder)
            return 0;
        q = hd_opt_fold_op2(s, is_signed ? HD_IR_SDIV : HD_IR_UDIV, t, x, d, 0);
    } else {
        q = is_signed ? signed_quotient(s, t, x, hd_ir_sign_extend(t, c))
                      : unsigned_quotient(s, t, x, c);
    }
    if (!remainder)
        return q;
    q = hd_opt_fold_op2(s, HD_IR_MUL, t, q, d, 0);
    return hd_opt_fold_op2(s, HD_IR_SUB, t, x, q, 0);
}
