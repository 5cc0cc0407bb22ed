/* opt/fold_cmp.c -- identities of comparisons.
 *
 * Canonical forms: constants on the right, strict orders instead of "or equal" ones.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/fold_rules.h"

#define MOST_LOOKED 6u /* nesting depth of operations examined for their range */

static void rewrite(HdFold *s, HdIrRef r, unsigned how, HdIrRef a, HdIrRef b)
{
    hd_ir_inst(s->f, r)->sub = (uint16_t)how;
    hd_opt_fold_rewrite(s, r, HD_IR_ICMP, 0, a, b);
}

static bool is_equality(unsigned how)
{
    return how == HD_IR_EQ || how == HD_IR_NE;
}

static bool is_signed(unsigned how)
{
    return how >= HD_IR_SLT;
}

/* x <= c is x < c + 1 unless that wraps; or the answer is known. */
static HdIrRef make_strict(HdFold *s, HdIrRef r, unsigned how, HdIrType t, HdIrRef a, uint64_t c)
{
    uint64_t ones = hd_ir_ones(t), most = ones >> 1, least = most + 1;
    unsigned to = how == HD_IR_ULE   ? HD_IR_ULT
                  : how == HD_IR_UGE ? HD_IR_UGT
                  : how == HD_IR_SLE ? HD_IR_SLT
                                     : HD_IR_SGT;
    uint64_t always = how == HD_IR_ULE   ? ones
                      : how == HD_IR_UGE ? 0
                      : how == HD_IR_SLE ? most
                                         : least;

    if (c == always)
        return hd_opt_fold_const(s, HD_IR_BOOL, 1);
    rewrite(s, r, to, a,
            hd_opt_fold_const(s, t, how == HD_IR_ULE || how == HD_IR_SLE ? c + 1 : c - 1));
    return 0;
}

/* BOOL against a constant, (in)equality only. */
static HdIrRef compare_bool(HdFold *s, HdIrRef r, bool wants_true, HdIrRef a)
{
    if (wants_true)
        return a;
    hd_opt_fold_rewrite(s, r, HD_IR_XOR, 0, a, hd_opt_fold_const(s, HD_IR_BOOL, 1));
    hd_ir_inst(s->f, r)->sub = 0;
    return 0;
}

/* ext(x) against c, where x is narrower. */
static HdIrRef compare_extended(HdFold *s, HdIrRef r, unsigned how, HdIrRef a, uint64_t c)
{
    const HdIrInst *ext = hd_opt_fold_at(s, a);
    HdIrRef x = hd_ir_arg(s->f, a, 0);
    HdIrType from = (HdIrType)hd_opt_fold_at(s, x)->type, t = (HdIrType)ext->type;
    uint64_t low = c & hd_ir_ones(from);
    bool sext = ext->op == HD_IR_SEXT;
    bool fits = sext ? ((uint64_t)hd_ir_sign_extend(from, low) & hd_ir_ones(t)) == c : low == c;

    if (is_equality(how)) {
        if (!fits)
            return hd_opt_fold_const(s, HD_IR_BOOL, how == HD_IR_NE);
        if (from == HD_IR_BOOL)
            return compare_bool(s, r, (low != 0) == (how == HD_IR_EQ), x);
    } else if (!fits || from == HD_IR_BOOL || (sext && !is_signed(how)) ||
               (!sext && is_signed(how) && (c > hd_ir_ones(t) >> 1))) {
        return 0;
    }
    if (!sext && is_signed(how)) /* both are not negative: an unsigned order of the narrow ones */
        how = how == HD_IR_SLT ? HD_IR_ULT : HD_IR_UGT;
    rewrite(s, r, how, x, hd_opt_fold_const(s, from, low));
    return 0;
}

/* select(b, c1, c2) == c */
static HdIrRef compare_select(HdFold *s, HdIrRef r, unsigned how, HdIrRef a, uint64_t c)
{
    HdIrRef cond = hd_ir_arg(s->f, a, 0);
    uint64_t yes, no;
    bool if_yes, if_no;

    if (!hd_ir_is_const(s->f, hd_ir_arg(s->f, a, 1), &yes) ||
        !hd_ir_is_const(s->f, hd_ir_arg(s->f, a, 2), &no) || !is_equality(how))
        return 0;
    if_yes = (yes == c) == (how == HD_IR_EQ);
    if_no = (no == c) == (how == HD_IR_EQ);
    if (if_yes == if_no)
        return hd_opt_fold_const(s, HD_IR_BOOL, if_yes);
    return compare_bool(s, r, if_yes, cond);
}

static HdIrRef compare_const(HdFold *s, HdIrRef r, unsigned how, HdIrRef a, uint64_t c)
{
    HdIrInst in = *hd_opt_fold_at(s, a);
    HdIrType t = (HdIrType)in.type;
    uint64_t d, ones = hd_ir_ones(t);
    int64_t moved;

    if (t == HD_IR_BOOL)
        return is_equality(how) ? compare_bool(s, r, (c != 0) == (how == HD_IR_EQ), a) : 0;
    if (how == HD_IR_ULE || how == HD_IR_UGE || how == HD_IR_SLE || how == HD_IR_SGE)
        return make_strict(s, r, how, t, a, c);
    if ((how == HD_IR_ULT && c == 0) || (how == HD_IR_UGT && c == ones) ||
        (how == HD_IR_SLT && c == (ones >> 1) + 1) || (how == HD_IR_SGT && c == ones >> 1))
        return hd_opt_fold_const(s, HD_IR_BOOL, 0);
    if ((how == HD_IR_ULT && c == 1) || (how == HD_IR_UGT && c == 0)) {
        rewrite(s, r, c == 0 ? HD_IR_NE : HD_IR_EQ, a, hd_opt_fold_const(s, t, 0));
        return 0;
    }
    if ((how == HD_IR_ULT && hd_ir_most(s->f, a, MOST_LOOKED) < c) ||
        (how == HD_IR_UGT && hd_ir_most(s->f, a, MOST_LOOKED) <= c))
        return hd_opt_fold_const(s, HD_IR_BOOL, how == HD_IR_ULT);
    switch (in.op) {
    case HD_IR_ZEXT:
    case HD_IR_SEXT: return compare_extended(s, r, how, a, c);
    case HD_IR_SELECT: return compare_select(s, r, how, a, c);
    case HD_IR_ADD:
        if (!hd_ir_is_const(s->f, hd_ir_arg(s->f, a, 1), &d))
            break;
        if (is_equality(how)) {
            rewrite(s, r, how, hd_ir_arg(s->f, a, 0), hd_opt_fold_const(s, t, c - d));
        } else if (is_signed(how) && (in.flags & HD_IR_NSW) != 0 &&
                   !__builtin_sub_overflow(hd_ir_sign_extend(t, c), hd_ir_sign_extend(t, d),
                                           &moved) &&
                   hd_ir_sign_extend(t, (uint64_t)moved) == moved) {
            rewrite(s, r, how, hd_ir_arg(s->f, a, 0), hd_opt_fold_const(s, t, (uint64_t)moved));
        }
        break;
    case HD_IR_SUB: /* x - y == c is x == y + c */
        if (is_equality(how) && (c == 0 || hd_opt_fold_has_one_user(s, a)))
            rewrite(s, r, how, hd_ir_arg(s->f, a, 0),
                    c == 0 ? hd_ir_arg(s->f, a, 1)
                           : hd_opt_fold_op2(s, HD_IR_ADD, t, hd_ir_arg(s->f, a, 1),
                                             hd_opt_fold_const(s, t, c), 0));
        break;
    case HD_IR_XOR:
        if (is_equality(how) && c == 0)
            rewrite(s, r, how, hd_ir_arg(s->f, a, 0), hd_ir_arg(s->f, a, 1));
        break;
    default: break;
    }
    return 0;
}

/* -x < c is x > -c. */
static void compare_turned(HdFold *s, HdIrRef r, HdIrRef a, HdIrRef b)
{
    static const uint8_t swapped[] = {HD_IR_OEQ,   HD_IR_OLT,   HD_IR_OLE, HD_IR_OGT,   HD_IR_OGE,
                                      HD_IR_ONE,   HD_IR_ORD,   HD_IR_UEQ, HD_IR_ULT_F, HD_IR_ULE_F,
                                      HD_IR_UGT_F, HD_IR_UGE_F, HD_IR_UNE, HD_IR_UNO};
    const HdIrInst *in = hd_opt_fold_at(s, r), *right = hd_opt_fold_at(s, b);
    HdIrType t = (HdIrType)right->type;

    if (hd_opt_fold_at(s, a)->op != HD_IR_FNEG || in->sub >= sizeof swapped)
        return;
    if (right->op == HD_IR_CONST)
        b = hd_opt_fold_const(s, t, right->imm ^ (uint64_t)1 << (hd_ir_type_bits(t) - 1));
    else if (right->op == HD_IR_FNEG)
        b = hd_ir_arg(s->f, b, 0);
    else
        return;
    hd_ir_inst(s->f, r)->sub = swapped[in->sub];
    hd_opt_fold_rewrite(s, r, HD_IR_FCMP, in->flags, hd_ir_arg(s->f, a, 0), b);
}

HdIrRef hd_opt_fold_compare(HdFold *s, HdIrRef r)
{
    const HdIrInst *in = hd_opt_fold_at(s, r), *left, *right;
    HdIrRef a = hd_ir_arg(s->f, r, 0), b = hd_ir_arg(s->f, r, 1);
    unsigned how = in->sub;
    uint64_t c;

    if (in->op == HD_IR_FCMP)
        compare_turned(s, r, a, b);
    if (in->op != HD_IR_ICMP || how > HD_IR_SGE)
        return 0;
    if (a == b)
        return hd_opt_fold_const(s, HD_IR_BOOL,
                                 how == HD_IR_EQ || how == HD_IR_ULE || how == HD_IR_UGE ||
                                     how == HD_IR_SLE || how == HD_IR_SGE);
    if (hd_ir_is_const(s->f, b, &c))
        return compare_const(s, r, how, a, c);
    if (hd_opt_fold_at(s, a)->op == HD_IR_CONST) {
        rewrite(s, r, hd_ir_icmp_swapped(how), b, a);
        return 0;
    }
    left = hd_opt_fold_at(s, a);
    right = hd_opt_fold_at(s, b);
    /* both extended alike from one type: compare what was extended */
    if (left->op == right->op && (left->op == HD_IR_ZEXT || left->op == HD_IR_SEXT)) {
        HdIrRef x = hd_ir_arg(s->f, a, 0), y = hd_ir_arg(s->f, b, 0);
        HdIrType from = (HdIrType)hd_opt_fold_at(s, x)->type;

        if (from == hd_opt_fold_at(s, y)->type && from != HD_IR_BOOL) {
            if (left->op == HD_IR_ZEXT && is_signed(how))
                how -= HD_IR_SLT - HD_IR_ULT;
            rewrite(s, r, how, x, y);
        }
    }
    return 0;
}
