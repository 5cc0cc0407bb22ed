/* opt/fold_int.c -- identities of integer operations.
 *
 * Canonical forms: constants on the right; x - c is x + -c; multiplications by powers of two are
 * shifts; chains with constants are one operation. "No wrap" flags stay only where the new
 * operation cannot wrap when the old ones did not.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/fold_rules.h"

#define MOST_SCALE  16u /* the logarithm of an element's size, in an index to the byte */
#define MOST_NARROW 6u  /* operations in each other that are made narrow */
#define MOST_LOOKED 6u  /* nesting depth of operations examined for their range */
#define MOST_SUMS   3u  /* nesting depth of operations examined for the zeros that they end with */

/* Is `r` op(x, c) with a constant c? */
static bool is_with_const(const HdFold *s, HdIrRef r, unsigned op, HdIrRef *x, uint64_t *c)
{
    if (hd_opt_fold_at(s, r)->op != op || !hd_ir_is_const(s->f, hd_ir_arg(s->f, r, 1), c))
        return false;
    *x = hd_ir_arg(s->f, r, 0);
    return true;
}

static unsigned zeros_below(const HdFold *s, HdIrRef r, unsigned depth)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    unsigned most = hd_ir_type_bits((HdIrType)in->type) - 1, a, b;
    uint64_t c;

    if (in->op == HD_IR_CONST)
        return in->imm == 0 || (unsigned)__builtin_ctzll(in->imm) > most
                   ? most
                   : (unsigned)__builtin_ctzll(in->imm);
    if (depth == 0 || in->nargs != 2 || !hd_ir_op_is_pure(in->op) || in->op == HD_IR_PHI ||
        !hd_ir_is_int((HdIrType)in->type))
        return 0;
    a = zeros_below(s, hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, r, 0)), depth - 1);
    b = zeros_below(s, hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, r, 1)), depth - 1);
    switch ((HdIrOp)in->op) {
    case HD_IR_ADD:
    case HD_IR_SUB:
    case HD_IR_OR:
    case HD_IR_XOR: return a < b ? a : b;
    case HD_IR_AND: return a > b ? a : b;
    case HD_IR_MUL: return a + b < most ? a + b : most;
    case HD_IR_SHL:
        if (!hd_ir_is_const(s->f, hd_ir_arg(s->f, r, 1), &c))
            return a;
        a += (unsigned)(c % (most + 1));
        return a < most ? a : most;
    default: return 0;
    }
}

unsigned hd_opt_fold_zeros_below(const HdFold *s, HdIrRef r)
{
    return zeros_below(s, r, MOST_SUMS);
}

/* The flags that op(op(x, c), d) = op(x, e) keeps, e computed in full. */
static unsigned chain_flags(HdIrType t, unsigned outer, unsigned inner, uint64_t c, uint64_t d,
                            bool multiply)
{
    unsigned flags = outer & inner & (HD_IR_NSW | HD_IR_NUW);
    __int128 sc = hd_ir_sign_extend(t, c), sd = hd_ir_sign_extend(t, d);
    __int128 signed_result = multiply ? sc * sd : sc + sd;
    unsigned __int128 result = multiply ? (unsigned __int128)c * d : (unsigned __int128)c + d;

    if (signed_result != hd_ir_sign_extend(t, (uint64_t)signed_result))
        flags &= ~(unsigned)HD_IR_NSW;
    if (result > hd_ir_ones(t))
        flags &= ~(unsigned)HD_IR_NUW;
    return flags;
}

/* What is added to a dot product it can begin with. */
static bool add_to_dot(HdFold *s, HdIrRef r, HdIrRef dot, HdIrRef other)
{
    const HdIrInst *in = hd_opt_fold_at(s, dot);
    uint64_t c;

    if (in->op != HD_IR_DOT4 || !hd_opt_fold_has_one_user(s, dot) ||
        !hd_ir_is_const(s->f, hd_ir_arg(s->f, dot, 2), &c) || c != 0)
        return false;
    hd_opt_fold_take_in(s, r, HD_IR_DOT4, 0, dot, other);
    return true;
}

static HdIrRef fold_add(HdFold *s, HdIrRef r, HdIrRef a, HdIrRef b)
{
    const HdIrInst *in = hd_opt_fold_at(s, r), *left = hd_opt_fold_at(s, a),
                   *right = hd_opt_fold_at(s, b);
    HdIrType t = (HdIrType)in->type;
    uint64_t c, d;
    HdIrRef x;

    if (hd_ir_is_const(s->f, b, &c)) {
        if (c == 0)
            return a;
        if (is_with_const(s, a, HD_IR_ADD, &x, &d))
            hd_opt_fold_rewrite(s, r, HD_IR_ADD,
                                chain_flags(t, in->flags, left->flags, d, c, false), x,
                                hd_opt_fold_const(s, t, c + d));
        return 0;
    }
    if (add_to_dot(s, r, a, b) || add_to_dot(s, r, b, a))
        return 0;
    if (left->op == HD_IR_SUB && hd_ir_arg(s->f, a, 1) == b)
        return hd_ir_arg(s->f, a, 0);
    if (right->op == HD_IR_SUB && hd_ir_arg(s->f, b, 1) == a)
        return hd_ir_arg(s->f, b, 0);
    if (right->op == HD_IR_SUB && hd_ir_is_const(s->f, hd_ir_arg(s->f, b, 0), &c) && c == 0) {
        hd_opt_fold_rewrite(s, r, HD_IR_SUB, 0, a, hd_ir_arg(s->f, b, 1));
    } else if (left->op == HD_IR_SUB && hd_ir_is_const(s->f, hd_ir_arg(s->f, a, 0), &c) && c == 0) {
        hd_opt_fold_rewrite(s, r, HD_IR_SUB, 0, b, hd_ir_arg(s->f, a, 1));
    } else if (a == b) {
        hd_opt_fold_rewrite(s, r, HD_IR_SHL, in->flags & (HD_IR_NSW | HD_IR_NUW), a,
                            hd_opt_fold_const(s, t, 1));
    } else if (is_with_const(s, a, HD_IR_ADD, &x, &c)) { /* (x + c) + b: the constant outwards */
        x = hd_opt_fold_op2(s, HD_IR_ADD, t, x, b, 0);
        hd_opt_fold_rewrite(s, r, HD_IR_ADD, 0, x, hd_opt_fold_const(s, t, c));
    } else if (is_with_const(s, b, HD_IR_ADD, &x, &c)) {
        x = hd_opt_fold_op2(s, HD_IR_ADD, t, a, x, 0);
        hd_opt_fold_rewrite(s, r, HD_IR_ADD, 0, x, hd_opt_fold_const(s, t, c));
    }
    return 0;
}

static HdIrRef fold_sub(HdFold *s, HdIrRef r, HdIrRef a, HdIrRef b)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    HdIrType t = (HdIrType)in->type;
    uint64_t c;

    if (a == b)
        return hd_opt_fold_const(s, t, 0);
    if (hd_ir_is_const(s->f, b, &c)) {
        bool least = c == (hd_ir_ones(t) >> 1) + 1;

        hd_opt_fold_rewrite(s, r, HD_IR_ADD, least ? 0 : in->flags & HD_IR_NSW, a,
                            hd_opt_fold_const(s, t, 0 - c));
        return 0;
    }
    if (hd_opt_fold_at(s, a)->op == HD_IR_ADD) {
        if (hd_ir_arg(s->f, a, 0) == b)
            return hd_ir_arg(s->f, a, 1);
        if (hd_ir_arg(s->f, a, 1) == b)
            return hd_ir_arg(s->f, a, 0);
    }
    if (hd_opt_fold_at(s, b)->op == HD_IR_SUB && hd_ir_arg(s->f, b, 0) == a)
        return hd_ir_arg(s->f, b, 1);
    return 0;
}

/* Multiplication by a constant; x * y otherwise stays. */
static HdIrRef fold_mul(HdFold *s, HdIrRef r, HdIrRef a, HdIrRef b)
{
    const HdIrInst *in = hd_opt_fold_at(s, r), *left = hd_opt_fold_at(s, a);
    HdIrType t = (HdIrType)in->type;
    unsigned width = hd_ir_type_bits(t);
    uint64_t c, d;
    HdIrRef x;

    if (!hd_ir_is_const(s->f, b, &c))
        return 0;
    if (c == 0)
        return b;
    if (c == 1)
        return a;
    if ((c & (c - 1)) == 0) {
        unsigned by = (unsigned)__builtin_ctzll(c);
        unsigned keep = by + 1 == width ? HD_IR_NUW : HD_IR_NSW | HD_IR_NUW;

        hd_opt_fold_rewrite(s, r, HD_IR_SHL, in->flags & keep, a, hd_opt_fold_const(s, t, by));
    } else if (c == hd_ir_ones(t)) {
        hd_opt_fold_rewrite(s, r, HD_IR_SUB, in->flags & HD_IR_NSW, hd_opt_fold_const(s, t, 0), a);
    } else if (is_with_const(s, a, HD_IR_MUL, &x, &d)) {
        hd_opt_fold_rewrite(s, r, HD_IR_MUL, chain_flags(t, in->flags, left->flags, d, c, true), x,
                            hd_opt_fold_const(s, t, c * d));
    } else if (is_with_const(s, a, HD_IR_SHL, &x, &d)) {
        hd_opt_fold_rewrite(s, r, HD_IR_MUL, 0, x, hd_opt_fold_const(s, t, c << (d % width)));
    } else if ((t == HD_IR_I64 || (in->flags & (HD_IR_NSW | HD_IR_NUW)) == 0) &&
               is_with_const(s, a, HD_IR_ADD, &x, &d)) {
        x = hd_opt_fold_op2(s, HD_IR_MUL, t, x, b, 0); /* addresses: constants outwards */
        hd_opt_fold_rewrite(s, r, HD_IR_ADD, 0, x, hd_opt_fold_const(s, t, c * d));
    }
    return 0;
}

/* ---- indices narrower than an address ----------------------------------------------------------
 *
 * Compilers keep an int index in the upper half of a long, where it has its sign without an
 * extension: ashr(add(shl(x, 32), 1 << 32), 30) is x + 1, as int, in words. Shapes can follow
 * narrow operations and a sign extension.
 */

/* A sum or a product whose lower half is that of the operands' lower halves, with one user? */
static bool is_own_sum(const HdFold *s, HdIrRef r)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    uint64_t c;

    if (!hd_opt_fold_has_one_user(s, r))
        return false;
    return in->op == HD_IR_ADD || in->op == HD_IR_SUB || in->op == HD_IR_MUL ||
           (in->op == HD_IR_SHL && hd_ir_is_const(s->f, hd_ir_arg(s->f, r, 1), &c) &&
            c < hd_ir_type_bits((HdIrType)in->type) / 2);
}

/* Is r made so that its bits below `by` are 0? */
static bool is_above(const HdFold *s, HdIrRef r, uint64_t by, unsigned depth)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    uint64_t c;

    if (depth == 0)
        return false;
    switch ((HdIrOp)in->op) {
    case HD_IR_CONST: return (in->imm & ((UINT64_C(1) << by) - 1)) == 0;
    case HD_IR_SHL:
        return hd_ir_is_const(s->f, hd_ir_arg(s->f, r, 1), &c) && c >= by &&
               c < hd_ir_type_bits((HdIrType)in->type);
    case HD_IR_MUL: return is_above(s, hd_ir_arg(s->f, r, 1), by, 1);
    case HD_IR_ADD:
    case HD_IR_SUB:
        return is_above(s, hd_ir_arg(s->f, r, 0), by, depth - 1) &&
               is_above(s, hd_ir_arg(s->f, r, 1), by, depth - 1);
    default: return false;
    }
}

/* What is above, as a number of the narrow type n. Nothing is below when `by` is 0: then what is
 * deeper, or has other users, is cut off. */
static HdIrRef above(HdFold *s, HdIrRef r, uint64_t by, HdIrType n, unsigned depth)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    HdIrOp op = (HdIrOp)in->op;
    HdIrRef x, y;
    uint64_t c = 0;

    if (op == HD_IR_CONST)
        return hd_opt_fold_const(s, n, in->imm >> by);
    if (by == 0 && (depth == 0 || !is_own_sum(s, r)))
        return hd_opt_fold_op1(s, HD_IR_TRUNC, n, r);
    x = hd_ir_arg(s->f, r, 0);
    y = hd_ir_arg(s->f, r, 1);
    if (op == HD_IR_SHL) {
        hd_ir_is_const(s->f, y, &c);
        if (c - by >= hd_ir_type_bits(n))
            return hd_opt_fold_const(s, n, 0);
        x = above(s, x, 0, n, depth - 1);
        return c == by ? x : hd_opt_fold_op2(s, op, n, x, hd_opt_fold_const(s, n, c - by), 0);
    }
    x = above(s, x, op == HD_IR_MUL ? 0 : by, n, depth - 1);
    return hd_opt_fold_op2(s, op, n, x, above(s, y, by, n, depth - 1), 0);
}

/* ashr(a, down) */
static void fold_narrow(HdFold *s, HdIrRef r, HdIrRef a, uint64_t down)
{
    static const uint8_t narrow[] = {HD_IR_I8, HD_IR_I16, HD_IR_I32};
    HdIrType t = (HdIrType)hd_opt_fold_at(s, r)->type;

    for (unsigned i = 0; i < sizeof narrow && narrow[i] < t; i++) {
        HdIrType n = (HdIrType)narrow[i];
        uint64_t by = hd_ir_type_bits(t) - hd_ir_type_bits(n);
        HdIrRef x;

        if (down > by || by - down > MOST_SCALE || !is_above(s, a, by, MOST_NARROW))
            continue;
        x = hd_opt_fold_op1(s, HD_IR_SEXT, t, above(s, a, by, n, MOST_NARROW));
        hd_opt_fold_rewrite(s, r, HD_IR_SHL, HD_IR_NSW, x, hd_opt_fold_const(s, t, by - down));
        return;
    }
}

/* and(a, mask) of all bits of an int that can be set, or of that shifted by an element's size. An
 * unsigned index comes so: and(add(x, 1), 0xffffffff), and(shl(x, 5), 0x3ffffffe0). */
static void fold_masked(HdFold *s, HdIrRef r, HdIrRef a, uint64_t mask)
{
    const HdIrType t = HD_IR_I64, n = HD_IR_I32;
    unsigned top = 64 - (unsigned)__builtin_clzll(mask), zeros = hd_opt_fold_zeros_below(s, a), by;
    HdIrRef x;

    if (hd_opt_fold_at(s, r)->type != t || top < 32 || top > 32 + MOST_SCALE || !is_own_sum(s, a))
        return;
    by = top - 32;
    zeros = zeros > by ? zeros : by;
    if ((mask | ((UINT64_C(1) << zeros) - 1)) != (UINT64_C(1) << top) - 1 ||
        (by != 0 && !is_above(s, a, by, MOST_NARROW)))
        return;
    x = above(s, a, by, n, MOST_NARROW);
    if (by != 0)
        hd_opt_fold_rewrite(s, r, HD_IR_SHL, HD_IR_NSW | HD_IR_NUW,
                            hd_opt_fold_op1(s, HD_IR_ZEXT, t, x), hd_opt_fold_const(s, t, by));
    else
        hd_opt_fold_rewrite(s, r, HD_IR_ZEXT, 0, x, 0);
}

/* A product whose upper half is nothing. (LLVM 22 takes it for a number of no meaning where it
 * knows that one of the factors is odd.) */
static HdIrRef fold_mul_high(HdFold *s, HdIrRef r, HdIrRef a, HdIrRef b)
{
    HdIrType t = (HdIrType)hd_opt_fold_at(s, r)->type;
    uint64_t product;

    return !__builtin_mul_overflow(hd_ir_most(s->f, a, MOST_LOOKED),
                                   hd_ir_most(s->f, b, MOST_LOOKED), &product) &&
                   product <= hd_ir_ones(t)
               ? hd_opt_fold_const(s, t, 0)
               : 0;
}

static HdIrRef fold_shift(HdFold *s, HdIrRef r, HdIrRef a, HdIrRef b)
{
    const HdIrInst *in = hd_opt_fold_at(s, r), *left = hd_opt_fold_at(s, a);
    HdIrType t = (HdIrType)in->type;
    unsigned width = hd_ir_type_bits(t), op = in->op;
    uint64_t c, d;
    HdIrRef x;

    if (hd_ir_is_const(s->f, a, &c) && c == 0)
        return a;
    if (!hd_ir_is_const(s->f, b, &c))
        return 0;
    if (c % width == 0)
        return a;
    if (c >= width) {
        hd_opt_fold_rewrite(s, r, (HdIrOp)op, 0, a, hd_opt_fold_const(s, t, c % width));
        return 0;
    }
    if (op == HD_IR_ROTL)
        return 0;
    if (op == HD_IR_LSHR && hd_ir_most(s->f, a, MOST_LOOKED) >> c == 0)
        return hd_opt_fold_const(s, t, 0);
    if (is_with_const(s, a, op, &x, &d) && d < width) {
        if (c + d >= width && op != HD_IR_ASHR)
            return hd_opt_fold_const(s, t, 0);
        hd_opt_fold_rewrite(s, r, (HdIrOp)op, op == HD_IR_SHL ? in->flags & left->flags : 0, x,
                            hd_opt_fold_const(s, t, c + d < width ? c + d : width - 1));
        return 0;
    }
    if (left->op == HD_IR_SHL && is_with_const(s, a, HD_IR_SHL, &x, &d) && d == c) {
        if ((left->flags & (op == HD_IR_LSHR ? HD_IR_NUW : op == HD_IR_ASHR ? HD_IR_NSW : 0)) != 0)
            return x;
        if (op == HD_IR_LSHR)
            hd_opt_fold_rewrite(s, r, HD_IR_AND, 0, x, hd_opt_fold_const(s, t, hd_ir_ones(t) >> c));
        else if (op == HD_IR_ASHR)
            fold_narrow(s, r, a, c);
        return 0;
    }
    if (op == HD_IR_ASHR) {
        fold_narrow(s, r, a, c);
        return 0;
    }
    if (op == HD_IR_SHL && is_with_const(s, a, HD_IR_LSHR, &x, &d) && d == c) {
        hd_opt_fold_rewrite(s, r, HD_IR_AND, 0, x, hd_opt_fold_const(s, t, hd_ir_ones(t) << c));
    } else if (op == HD_IR_SHL && t == HD_IR_I64 && is_with_const(s, a, HD_IR_ADD, &x, &d)) {
        x = hd_opt_fold_op2(s, HD_IR_SHL, t, x, b, 0);
        hd_opt_fold_rewrite(s, r, HD_IR_ADD, 0, x, hd_opt_fold_const(s, t, d << c));
    } else if (op == HD_IR_SHL && is_with_const(s, a, HD_IR_MUL, &x, &d)) {
        hd_opt_fold_rewrite(s, r, HD_IR_MUL, 0, x, hd_opt_fold_const(s, t, d << c));
    }
    return 0;
}

/* not (a < b) and the like are comparisons. */
static void fold_not(HdFold *s, HdIrRef r, HdIrRef a)
{
    static const uint8_t fcmp[] = {HD_IR_UNE, HD_IR_ULE_F, HD_IR_ULT_F, HD_IR_UGE_F, HD_IR_UGT_F,
                                   HD_IR_UEQ, HD_IR_UNO,   HD_IR_ONE,   HD_IR_OLE,   HD_IR_OLT,
                                   HD_IR_OGE, HD_IR_OGT,   HD_IR_OEQ,   HD_IR_ORD};
    const HdIrInst *in = hd_opt_fold_at(s, a);

    if (in->op == HD_IR_ICMP) {
        hd_ir_inst(s->f, r)->sub = (uint16_t)hd_ir_icmp_inverse(in->sub);
        hd_opt_fold_rewrite(s, r, HD_IR_ICMP, 0, hd_ir_arg(s->f, a, 0), hd_ir_arg(s->f, a, 1));
    } else if (in->op == HD_IR_FCMP && in->sub < sizeof fcmp) {
        hd_ir_inst(s->f, r)->sub = fcmp[in->sub];
        hd_opt_fold_rewrite(s, r, HD_IR_FCMP, in->flags, hd_ir_arg(s->f, a, 0),
                            hd_ir_arg(s->f, a, 1));
    }
}

/* Logic of what is extended from one type is done in that. */
static void narrow_logic(HdFold *s, HdIrRef r, HdIrRef a, HdIrRef b)
{
    const HdIrInst *in = hd_opt_fold_at(s, r), *left = hd_opt_fold_at(s, a),
                   *right = hd_opt_fold_at(s, b);
    HdIrOp op = (HdIrOp)in->op;
    HdIrRef x, y;
    HdIrType t;
    uint64_t c;

    if (left->op != HD_IR_ZEXT || !hd_opt_fold_has_one_user(s, a))
        return;
    x = hd_ir_arg(s->f, a, 0);
    t = (HdIrType)hd_opt_fold_at(s, x)->type;
    if (hd_ir_is_const(s->f, b, &c) && c <= hd_ir_ones(t))
        y = hd_opt_fold_const(s, t, c);
    else if (right->op == HD_IR_ZEXT && hd_opt_fold_at(s, hd_ir_arg(s->f, b, 0))->type == t)
        y = hd_ir_arg(s->f, b, 0);
    else
        return;
    x = hd_opt_fold_op2(s, op, t, x, y, 0);
    hd_opt_fold_rewrite(s, r, HD_IR_ZEXT, 0, x, 0);
}

/* AND, OR or XOR r of a and b; a constant is b. Returns a value that equals r, to which its users
 * then go, or 0: r stays, or has been rewritten in place (s->rewritten). */
static HdIrRef fold_logic(HdFold *s, HdIrRef r, HdIrRef a, HdIrRef b)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    HdIrType t = (HdIrType)in->type;
    unsigned op = in->op;
    uint64_t c, d, ones = hd_ir_ones(t);
    HdIrRef x;

    if (a == b)
        return op == HD_IR_XOR ? hd_opt_fold_const(s, t, 0) : a;
    if (!hd_ir_is_const(s->f, b, &c)) {
        narrow_logic(s, r, a, b);
        return 0;
    }
    if (c == (op == HD_IR_AND ? ones : 0))
        return a;
    if (c == (op == HD_IR_AND ? 0 : ones) && op != HD_IR_XOR)
        return b;
    if (is_with_const(s, a, op, &x, &d)) {
        d = op == HD_IR_AND ? c & d : op == HD_IR_OR ? c | d : c ^ d;
        hd_opt_fold_rewrite(s, r, (HdIrOp)op, 0, x, hd_opt_fold_const(s, t, d));
    } else if (op == HD_IR_XOR && t == HD_IR_BOOL) {
        fold_not(s, r, a);
    } else if (op == HD_IR_AND && hd_opt_fold_at(s, a)->op == HD_IR_ZEXT) {
        HdIrType from = (HdIrType)hd_opt_fold_at(s, hd_ir_arg(s->f, a, 0))->type;

        if ((c & hd_ir_ones(from)) == hd_ir_ones(from))
            return a;
    } else if (op == HD_IR_AND && (c & (c + 1)) == 0 && hd_opt_fold_most(s, a) <= c) {
        return a;
    } else if (op == HD_IR_AND) {
        fold_masked(s, r, a, c);
    }
    if (s->rewritten)
        return 0;
    if (op == HD_IR_OR && t != HD_IR_BOOL && c >> hd_opt_fold_zeros_below(s, a) == 0)
        hd_opt_fold_rewrite(s, r, HD_IR_ADD, HD_IR_NSW | HD_IR_NUW, a, b);
    else
        narrow_logic(s, r, a, b);
    return 0;
}

HdIrRef hd_opt_fold_int(HdFold *s, HdIrRef r)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    HdIrRef a = hd_ir_arg(s->f, r, 0), b = in->nargs > 1 ? hd_ir_arg(s->f, r, 1) : 0;

    if (b == 0)
        return 0;
    if (hd_ir_op_commutes(in->op) && hd_opt_fold_at(s, a)->op == HD_IR_CONST &&
        hd_opt_fold_at(s, b)->op != HD_IR_CONST) {
        hd_opt_fold_rewrite(s, r, (HdIrOp)in->op, in->flags, b, a);
        return 0;
    }
    switch (in->op) {
    case HD_IR_ADD: return fold_add(s, r, a, b);
    case HD_IR_SUB: return fold_sub(s, r, a, b);
    case HD_IR_MUL: return fold_mul(s, r, a, b);
    case HD_IR_UMULHI: return fold_mul_high(s, r, a, b);
    case HD_IR_AND:
    case HD_IR_OR:
    case HD_IR_XOR: return fold_logic(s, r, a, b);
    case HD_IR_SHL:
    case HD_IR_LSHR:
    case HD_IR_ASHR:
    case HD_IR_ROTL: return fold_shift(s, r, a, b);
    case HD_IR_UMIN:
    case HD_IR_UMAX:
    case HD_IR_SMIN:
    case HD_IR_SMAX: return a == b ? a : 0;
    default: return 0;
    }
}
