/* opt/fold_disjoint.c -- an OR of numbers without a common bit, in an address, is their sum.
 *
 * Compilers write `(y << 10) + (x & 1023)` with an OR. Shapes, strides and linear forms follow
 * sums. Elsewhere an OR stays one: rotations and reversals are found by it (opt/idiom_bits.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/fold_rules.h"

#define MOST_DEPTH 6u /* operations in each other that are examined */

/* The bits from the lowest one of `bits` upwards. */
static uint64_t from_lowest(uint64_t bits)
{
    return bits == 0 ? 0 : ~((bits & (0 - bits)) - 1);
}

/* The bits of r that may be 1. */
static uint64_t possible_bits(const HdFold *s, HdIrRef r, unsigned depth)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    uint64_t ones = hd_ir_ones((HdIrType)in->type), a, b, c = 0;
    unsigned bits = hd_ir_type_bits((HdIrType)in->type);
    bool by_const;

    if (in->op == HD_IR_CONST)
        return in->imm & ones;
    if (depth == 0 || in->nargs == 0 || !hd_ir_op_is_pure(in->op) || in->op == HD_IR_PHI)
        return ones;
    by_const = in->nargs == 2 && hd_ir_is_const(s->f, hd_ir_arg(s->f, r, 1), &c) && c < bits;
    switch ((HdIrOp)in->op) {
    case HD_IR_ZEXT: return possible_bits(s, hd_ir_arg(s->f, r, 0), depth - 1);
    case HD_IR_TRUNC: return possible_bits(s, hd_ir_arg(s->f, r, 0), depth - 1) & ones;
    case HD_IR_SHL:
        return by_const ? possible_bits(s, hd_ir_arg(s->f, r, 0), depth - 1) << c & ones : ones;
    case HD_IR_LSHR:
        return by_const ? possible_bits(s, hd_ir_arg(s->f, r, 0), depth - 1) >> c : ones;
    case HD_IR_AND:
    case HD_IR_OR:
    case HD_IR_XOR:
    case HD_IR_ADD:
    case HD_IR_SUB:
    case HD_IR_MUL: break;
    default: return ones;
    }
    a = possible_bits(s, hd_ir_arg(s->f, r, 0), depth - 1);
    b = possible_bits(s, hd_ir_arg(s->f, r, 1), depth - 1);
    if (in->op == HD_IR_AND)
        return a & b;
    if (in->op == HD_IR_OR || in->op == HD_IR_XOR)
        return a | b;
    return (in->op == HD_IR_MUL ? from_lowest(a) & from_lowest(b) : from_lowest(a | b)) & ones;
}

/* The same where a block runs, which may be known from a branch to it. */
static uint64_t possible_in(const HdFold *s, HdIrRef r, uint32_t block)
{
    uint64_t most = hd_opt_fold_most_in(s, r, block);

    return possible_bits(s, r, MOST_DEPTH) & (most == 0 ? 0 : UINT64_MAX >> __builtin_clzll(most));
}

/* Is r put together of pieces of which some were further up, as rotations and reversals are? */
static bool moves_down(const HdFold *s, HdIrRef r, unsigned depth)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);

    if (in->op == HD_IR_LSHR || in->op == HD_IR_ASHR)
        return true;
    if (depth == 0 || (in->op != HD_IR_OR && in->op != HD_IR_AND && in->op != HD_IR_SHL))
        return false;
    return moves_down(s, hd_ir_arg(s->f, r, 0), depth - 1) ||
           moves_down(s, hd_ir_arg(s->f, r, 1), depth - 1);
}

bool hd_opt_fold_disjoint(HdFold *s, HdIrRef offset)
{
    bool any = false;

    for (unsigned depth = 0; depth < MOST_DEPTH; depth++) {
        const HdIrInst *in = hd_opt_fold_at(s, offset);
        HdIrRef a, b;

        if (in->nargs == 0)
            break;
        a = hd_ir_arg(s->f, offset, 0);
        if (in->op == HD_IR_OR && in->type != HD_IR_BOOL) {
            b = hd_ir_arg(s->f, offset, 1);
            if (moves_down(s, offset, MOST_DEPTH) ||
                (possible_in(s, a, in->block) & possible_in(s, b, in->block)) != 0)
                break;
            /* What a branch says does not hold for lanes that are inactive behind it. */
            if ((possible_bits(s, a, MOST_DEPTH) & possible_bits(s, b, MOST_DEPTH)) == 0)
                hd_ir_inst(s->f, offset)->flags |= HD_IR_NSW | HD_IR_NUW;
            hd_ir_inst(s->f, offset)->op = HD_IR_ADD;
            any = true;
        } else if (in->op != HD_IR_SHL && in->op != HD_IR_ZEXT && in->op != HD_IR_SEXT &&
                   in->op != HD_IR_ADD) {
            break;
        }
        offset = a;
    }
    return any;
}
