/* ir/demand.c -- masks that clear bits nobody looks at, and extensions that set such, go.
 *
 * An index kept in 32 bits and added to in 64 comes as ((i & 0xffffffff) + n) & 0xffffffff: the
 * inner mask changes nothing that the outer one keeps. A signed one is extended in its place.
 * Around a loop it hides that the index goes up by the same step everywhere, which lanes/ wants to
 * see.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/pass.h"

#include "base/bitset.h"

#define LOW UINT64_C(0xffffffff)

/* Does user u look at no more than the lower half of its operand k, if of `low` no more is looked
 * at either? */
static bool takes_low(const HdIrFunc *f, HdIrRef u, unsigned k, const uint64_t *low)
{
    const HdIrInst *in = &f->insts.at[u];
    uint64_t bits;

    switch ((HdIrOp)in->op) {
    case HD_IR_TRUNC: return hd_ir_type_bits((HdIrType)in->type) <= 32;
    case HD_IR_AND:
        return hd_bit_has(low, u) ||
               (hd_ir_is_const(f, hd_ir_arg(f, u, 1 - k), &bits) && bits <= LOW);
    case HD_IR_PHI:
    case HD_IR_ADD:
    case HD_IR_SUB:
    case HD_IR_MUL:
    case HD_IR_OR:
    case HD_IR_XOR: return hd_bit_has(low, u);
    case HD_IR_SHL: return k == 0 && hd_bit_has(low, u);
    case HD_IR_SELECT: return k != 0 && hd_bit_has(low, u);
    default: return false;
    }
}

/* Take out of `low` what somebody looks at whole. True when something went. */
static bool narrow(const HdIrFunc *f, uint64_t *low)
{
    bool went = false;

    for (size_t b = 0; b < f->blocks.count; b++)
        for (size_t i = 0; i < f->blocks.at[b].insts.count; i++) {
            HdIrRef u = f->blocks.at[b].insts.at[i];
            const HdIrInst *in = &f->insts.at[u];

            for (unsigned k = 0; k < in->nargs; k++) {
                HdIrRef v = hd_ir_arg(f, u, k);

                if (!hd_ir_arg_is_value(in, k) || f->insts.at[v].type != HD_IR_I64 ||
                    !hd_bit_has(low, v) || takes_low(f, u, k, low))
                    continue;
                hd_bit_remove(low, v);
                went = true;
            }
        }
    return went;
}

/* The operand of which v keeps the lower half as it is; 0 = none. */
static HdIrRef lower_half_of(const HdIrFunc *f, HdIrRef v)
{
    const HdIrInst *in = &f->insts.at[v];
    HdIrRef x = in->nargs != 0 ? hd_ir_arg(f, v, 0) : 0;
    uint64_t bits;

    if (in->type != HD_IR_I64)
        return 0;
    if (in->op == HD_IR_AND)
        return hd_ir_is_const(f, hd_ir_arg(f, v, 1), &bits) && (bits & LOW) == LOW ? x : 0;
    if ((in->op != HD_IR_SEXT && in->op != HD_IR_ZEXT) || f->insts.at[x].op != HD_IR_TRUNC ||
        f->insts.at[x].type != HD_IR_I32)
        return 0;
    x = hd_ir_arg(f, x, 0);
    return f->insts.at[x].type == HD_IR_I64 ? x : 0;
}

/* What stands in place of a mask, or of an extension, for one who looks at the lower half. */
static HdIrRef unmasked(const HdIrFunc *f, HdIrRef v)
{
    HdIrRef x;

    while ((x = lower_half_of(f, v)) != 0)
        v = x;
    return v;
}

HdStatus hd_ir_demand(HdIrFunc *f, HdArena *a, bool *changed)
{
    size_t count = f->insts.count;
    uint64_t *low;

    HD_TAKE(low, HD_NEW(a, uint64_t, HD_BITSET_WORDS(count)));
    for (HdIrRef r = 1; r < count; r++)
        if (f->insts.at[r].type == HD_IR_I64 && f->insts.at[r].block != HD_IR_NOWHERE)
            hd_bit_add(low, r);
    while (narrow(f, low))
        ;
    for (size_t b = 0; b < f->blocks.count; b++)
        for (size_t i = 0; i < f->blocks.at[b].insts.count; i++) {
            HdIrRef u = f->blocks.at[b].insts.at[i];

            for (unsigned k = 0; k < f->insts.at[u].nargs; k++) {
                HdIrRef v = hd_ir_arg(f, u, k), to;

                if (!hd_ir_arg_is_value(&f->insts.at[u], k) || !takes_low(f, u, k, low))
                    continue;
                to = unmasked(f, v);
                if (to == v)
                    continue;
                hd_ir_args(f, u)[k] = to;
                *changed = true;
            }
        }
    /* What stood behind a mask may wrap now. */
    for (HdIrRef r = 1; r < count && *changed; r++)
        if (hd_bit_has(low, r))
            hd_ir_inst(f, r)->flags &= (uint8_t) ~(HD_IR_NSW | HD_IR_NUW);
    return HD_OK;
}
