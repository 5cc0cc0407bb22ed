/* opt/demanded_bits.c -- used lower bits.
 *
 * Lower bits of sums, products and the like depend on lower bits only. Nothing is needed at first;
 * the bits that users need are added until nothing changes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/demanded_bits.h"

#include "ir/edit.h"

#include <string.h>

/* Sweeps over a function until nothing changes; sixteen reach through as many loops in each
 * other. */
#define MOST_SWEEPS 16u

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Of the operand of a shift. */
static unsigned needed_shifted(const HdIrFunc *f, HdIrRef user, unsigned need, unsigned width)
{
    bool up = f->insts.at[user].op == HD_IR_SHL;
    uint64_t by;

    if (need == 0)
        return 0;
    if (!hd_ir_is_const(f, hd_ir_arg(f, user, 1), &by))
        return up ? need : width;
    by %= width;
    if (up)
        return need > by ? need - (unsigned)by : 0;
    return need + (unsigned)by;
}

unsigned hd_opt_demanded(const HdIrFunc *f, const uint8_t *need, HdIrRef user, unsigned k)
{
    const HdIrInst *in = &f->insts.at[user];
    unsigned width = hd_ir_type_bits((HdIrType)f->insts.at[hd_ir_arg(f, user, k)].type);
    unsigned of_user = least(need[user], hd_ir_type_bits((HdIrType)in->type));
    uint64_t mask;

    switch ((HdIrOp)in->op) {
    case HD_IR_PHI:
    case HD_IR_ADD:
    case HD_IR_SUB:
    case HD_IR_MUL:
    case HD_IR_OR:
    case HD_IR_XOR:
    case HD_IR_TRUNC:
    case HD_IR_ZEXT:
    case HD_IR_SEXT: return least(width, of_user);
    case HD_IR_AND:
        if (!hd_ir_is_const(f, hd_ir_arg(f, user, 1 - k), &mask))
            return of_user;
        return mask == 0 ? 0 : least(of_user, 64 - (unsigned)__builtin_clzll(mask));
    case HD_IR_SELECT: return k == 0 ? width : of_user;
    case HD_IR_SHL:
    case HD_IR_LSHR:
    case HD_IR_ASHR: return k == 0 ? least(width, needed_shifted(f, user, of_user, width)) : width;
    default: return width;
    }
}

static bool is_integer(const HdIrFunc *f, HdIrRef r)
{
    return f->insts.at[r].type >= HD_IR_I8 && f->insts.at[r].type <= HD_IR_I64;
}

/* Add the bits that a block's instructions need, the last one first. True if anything was added. */
static bool sweep(const HdIrFunc *f, const HdIrBlock *b, uint8_t *need)
{
    bool more = false;

    for (size_t i = b->insts.count; i-- > 0;) {
        HdIrRef r = b->insts.at[i];

        for (unsigned k = 0; k < f->insts.at[r].nargs; k++) {
            HdIrRef v = hd_ir_arg(f, r, k);
            unsigned n;

            if (!hd_ir_arg_is_value(&f->insts.at[r], k) || !is_integer(f, v))
                continue;
            n = hd_opt_demanded(f, need, r, k);
            if (n <= need[v])
                continue;
            need[v] = (uint8_t)n;
            more = true;
        }
    }
    return more;
}

HdStatus hd_opt_demanded_bits(const HdIrFunc *f, HdArena *a, uint8_t **need)
{
    bool more = true;

    HD_TAKE(*need, HD_NEW(a, uint8_t, f->insts.count));
    for (unsigned n = 0; more && n < MOST_SWEEPS; n++) {
        more = false;
        for (size_t b = f->blocks.count; b-- > 0;)
            more = sweep(f, &f->blocks.at[b], *need) || more;
    }
    if (more) /* all of them, as far as anybody knows */
        memset(*need, 64, f->insts.count);
    return HD_OK;
}
