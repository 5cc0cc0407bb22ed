/* opt/demanded_masks.c -- removes masks that clear unused bits, and extensions that set them.
 *
 * An index kept in 32 bits and added to in 64 comes as ((i & 0xffffffff) + n) & 0xffffffff: the
 * inner mask changes nothing that the outer one keeps. A signed one is sign-extended instead. In a
 * loop it hides that the index increases by a constant step, which lanes/ needs to see. Sums of
 * bytes held in ints look alike.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/each.h"
#include "ir/edit.h"
#include "opt/demanded_bits.h"
#include "opt/pass.h"

/* The operand whose lowest bits (so many of them) v leaves unchanged; 0 = none. */
static HdIrRef lower_bits_of(const HdIrFunc *f, HdIrRef v, unsigned bits)
{
    const HdIrInst *in = &f->insts.at[v];
    uint64_t ones = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX, mask;
    HdIrRef x;

    if (in->op == HD_IR_AND)
        return hd_ir_is_const(f, hd_ir_arg(f, v, 1), &mask) && (mask & ones) == ones
                   ? hd_ir_arg(f, v, 0)
                   : 0;
    if (in->op != HD_IR_SEXT && in->op != HD_IR_ZEXT)
        return 0;
    x = hd_ir_arg(f, v, 0);
    if (f->insts.at[x].op != HD_IR_TRUNC || hd_ir_type_bits((HdIrType)f->insts.at[x].type) < bits)
        return 0;
    x = hd_ir_arg(f, x, 0);
    return f->insts.at[x].type == in->type ? x : 0;
}

/* Replacement of a mask or an extension for a user of the lower bits. */
static HdIrRef unmasked(const HdIrFunc *f, HdIrRef v, unsigned bits)
{
    HdIrRef x;

    while ((x = lower_bits_of(f, v, bits)) != 0)
        v = x;
    return v;
}

static bool is_integer(const HdIrInst *in)
{
    return in->type >= HD_IR_I8 && in->type <= HD_IR_I64;
}

HdStatus hd_opt_demanded_masks(HdIrFunc *f, HdArena *a, bool *changed)
{
    size_t count = f->insts.count;
    uint8_t *need;

    HD_TRY(hd_opt_demanded_bits(f, a, &need));
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);) {
        HdIrRef u = e.inst;

        for (unsigned k = 0; k < f->insts.at[u].nargs; k++) {
            HdIrRef v = hd_ir_arg(f, u, k), to;

            if (!hd_ir_arg_is_value(&f->insts.at[u], k) || !is_integer(&f->insts.at[v]))
                continue;
            to = unmasked(f, v, hd_opt_demanded(f, need, u, k));
            if (to == v)
                continue;
            hd_ir_args(f, u)[k] = to;
            *changed = true;
        }
    }
    /* What used to follow a mask may wrap now. */
    for (HdIrRef r = 1; r < count && *changed; r++)
        if (is_integer(&f->insts.at[r]) && need[r] < hd_ir_type_bits((HdIrType)f->insts.at[r].type))
            hd_ir_inst(f, r)->flags &= (HdIrFlags) ~(HD_IR_NSW | HD_IR_NUW);
    return HD_OK;
}
