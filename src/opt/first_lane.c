/* opt/first_lane.c -- addresses of blocks that all lanes have in common.
 *
 * The builder takes the address of a sub-group's block from the first lane (HD_COLL_OF_BLOCK). Most
 * addresses are made of what all lanes have in common: such a broadcast goes, with what it would
 * keep other passes from.
 *
 * What lanes compute from common operands can still be different, in loops that they leave in
 * different rounds; a block that they reach in different rounds is not one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "opt/pass.h"

static bool is_of_block(const HdIrInst *in)
{
    return in->op == HD_IR_COLLECTIVE && in->sub == HD_COLL_BROADCAST_FIRST &&
           in->imm == HD_COLL_OF_BLOCK;
}

/* Does an instruction differ from lane to lane, whatever its operands are? */
static bool is_source(const HdIrInst *in)
{
    switch (in->op) {
    case HD_IR_BUILTIN: return hd_ir_builtin_is_of_item((HdIrBuiltin)in->sub);
    case HD_IR_PARAM:
    case HD_IR_ALLOCA: /* what is in it */
    case HD_IR_CALL:
    case HD_IR_RTCALL:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG:
    case HD_IR_PRODUCT: return true;
    case HD_IR_COLLECTIVE:
        return in->sub != HD_COLL_BROADCAST && in->sub != HD_COLL_BROADCAST_FIRST;
    default: return false;
    }
}

static bool has_operand_that_differs(const HdIrFunc *f, HdIrRef r, const bool *differs)
{
    const HdIrInst *in = &f->insts.at[r];

    if (in->op == HD_IR_COLLECTIVE)
        return false;
    for (unsigned i = 0; i < in->nargs; i++) {
        if (hd_ir_arg_is_value(in, i) && differs[hd_ir_arg(f, r, i)])
            return true;
    }
    return false;
}

/* differs: of each value, at first of none. */
static void find_differing(const HdIrFunc *f, bool *differs)
{
    bool grows = true;

    while (grows) {
        grows = false;
        for (size_t r = 1; r < f->insts.count; r++) {
            if (f->insts.at[r].block == HD_IR_NOWHERE || differs[r])
                continue;
            differs[r] =
                is_source(&f->insts.at[r]) || has_operand_that_differs(f, (HdIrRef)r, differs);
            grows = grows || differs[r];
        }
    }
}

HdStatus hd_opt_first_lane(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    bool *differs = NULL;
    HdIrRef *with = NULL;

    for (size_t r = 1; r < f->insts.count; r++) {
        if (f->insts.at[r].block == HD_IR_NOWHERE || !is_of_block(&f->insts.at[r]))
            continue;
        if (differs == NULL) {
            HD_TAKE(differs, HD_NEW(scratch, bool, f->insts.count));
            HD_TAKE(with, HD_NEW(scratch, HdIrRef, f->insts.count));
            find_differing(f, differs);
        }
        f->insts.at[r].imm = 0;
        if (!differs[hd_ir_arg(f, (HdIrRef)r, 0)])
            with[r] = hd_ir_arg(f, (HdIrRef)r, 0);
    }
    if (with == NULL)
        return HD_OK;
    hd_ir_substitute(f, with, f->insts.count);
    *changed = true;
    return HD_OK;
}
