/* opt/extend.c -- indices are extended before a mask instead of after it.
 *
 * `p[(i + j) & mask]` with ints: the index is extended to 64 bits in each iteration. As the sum
 * does not overflow it can be extended before the mask, so that the counter is a number of 64 bits
 * from the beginning (LLVM's induction variables), and the mask is extended outside the loop.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "opt/pass.h"

static const HdIrInst *at(const HdIrFunc *f, HdIrRef r)
{
    return &f->insts.at[r];
}

/* A sum that does not overflow. */
static bool is_sum(const HdIrFunc *f, HdIrRef r)
{
    return at(f, r)->op == HD_IR_ADD && (at(f, r)->flags & HD_IR_NSW) != 0;
}

/* The extension at index *i of a block. */
static HdStatus look_at(HdIrFunc *f, const uint32_t *uses, size_t count, uint32_t block, size_t *i,
                        bool *changed)
{
    HdIrRef r = f->blocks.at[block].insts.at[*i], masked, args[2];

    if (r >= count || at(f, r)->op != HD_IR_SEXT || at(f, r)->type != HD_IR_I64)
        return HD_OK;
    masked = hd_ir_arg(f, r, 0);
    if (at(f, masked)->op != HD_IR_AND || masked >= count || uses[masked] != 1 ||
        at(f, masked)->type != HD_IR_I32)
        return HD_OK;
    args[0] = hd_ir_arg(f, masked, 0);
    args[1] = hd_ir_arg(f, masked, 1);
    if (is_sum(f, args[0]) ? at(f, args[1])->op != HD_IR_KARG
                           : !is_sum(f, args[1]) || at(f, args[0])->op != HD_IR_KARG)
        return HD_OK;
    for (unsigned k = 0; k < 2; k++)
        HD_TAKE(args[k], hd_ir_insert(f, block, (*i)++, HD_IR_SEXT, HD_IR_I64, 0, 0, &args[k], 1));
    hd_ir_inst(f, r)->op = HD_IR_AND; /* in place: its users stay */
    hd_ir_set_args(f, r, args, 2);
    hd_ir_kill(f, masked);
    *changed = true;
    return HD_OK;
}

HdStatus hd_opt_extend(HdIrFunc *f, HdArena *a, bool *changed)
{
    size_t count = f->insts.count;
    uint32_t *uses;

    HD_TAKE(uses, hd_ir_count_uses(f, a));
    for (uint32_t b = 0; b < f->blocks.count; b++)
        for (size_t i = 0; i < f->blocks.at[b].insts.count; i++)
            HD_TRY(look_at(f, uses, count, b, &i, changed));
    if (*changed)
        hd_ir_sweep(f);
    return HD_OK;
}
