/* opt/behind.c -- what every round of a loop stores to one place is stored once, behind it.
 *
 * `for (k …) c[i] += a[k] * b[k];` keeps its sum in a register once loads are known (opt/cse.c),
 * and stores it in every round: a scatter where the place is each work-item's own. Only loops of
 * one block in which nothing else touches that kind of memory or waits for anybody; nobody else may
 * look meanwhile without a race.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/memory.h"
#include "opt/pass.h"

static unsigned kinds_at(const HdIrFunc *f, HdIrRef access)
{
    return hd_ir_memory_at(f, hd_ir_arg(f, access, 0), f->insts.at[access].sub);
}

/* The kinds of memory that more than one access of loop b is to. False when something there is
 * neither a plain access nor pure: it may order others. */
static bool find_shared(const HdIrFunc *f, uint32_t b, unsigned *shared)
{
    const HdIrBlock *block = &f->blocks.at[b];
    unsigned seen = 0;

    *shared = 0;
    for (size_t i = 0; i < block->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[block->insts.at[i]];
        unsigned kinds;

        if (hd_ir_op_is_pure(in->op) || in->op == HD_IR_CONDBR)
            continue;
        if ((in->op != HD_IR_LOAD && in->op != HD_IR_STORE) || (in->flags & HD_IR_VOLATILE) != 0)
            return false;
        kinds = kinds_at(f, block->insts.at[i]);
        *shared |= seen & kinds;
        seen |= kinds;
    }
    return true;
}

/* Is r a store to the same place in each round of loop b that nothing there can see? */
static bool may_wait(const HdIrFunc *f, uint32_t b, HdIrRef r, unsigned shared)
{
    const HdIrInst *in = &f->insts.at[r];

    return in->op == HD_IR_STORE && (in->flags & HD_IR_MASKED) == 0 &&
           f->insts.at[hd_ir_arg(f, r, 0)].block != b && (kinds_at(f, r) & shared) == 0;
}

/* A block on the way out of loop b. */
static uint32_t split_exit(HdIrFunc *f, uint32_t b)
{
    unsigned way = f->blocks.at[b].succ[0] == b;
    uint32_t exit = f->blocks.at[b].succ[way], out = hd_ir_block(f);

    if (out == HD_IR_NOWHERE)
        return out;
    f->blocks.at[out].rank = f->blocks.at[b].rank;
    f->blocks.at[out].loop_merge = HD_IR_NOWHERE;
    f->blocks.at[b].succ[way] = out;
    hd_ir_phi_rename(f, exit, b, out);
    return out;
}

static HdStatus move_stores(HdIrFunc *f, uint32_t b, bool *changed)
{
    uint32_t exit = f->blocks.at[b].succ[f->blocks.at[b].succ[0] == b], out = HD_IR_NOWHERE;
    unsigned shared;

    if (!find_shared(f, b, &shared))
        return HD_OK;
    for (size_t i = 0; i < f->blocks.at[b].insts.count; i++) {
        HdIrRef r = f->blocks.at[b].insts.at[i];
        HdIrBlock *block;

        if (!may_wait(f, b, r, shared))
            continue;
        if (out == HD_IR_NOWHERE)
            out = split_exit(f, b);
        if (out == HD_IR_NOWHERE)
            return HD_NO_MEMORY;
        block = &f->blocks.at[b];
        block->insts.count--;
        for (size_t k = i; k < block->insts.count; k++)
            block->insts.at[k] = block->insts.at[k + 1];
        i--;
        f->insts.at[r].block = out;
        HD_TRY_PUSH(f->module->arena, &f->blocks.at[out].insts, r);
        *changed = true;
    }
    if (out != HD_IR_NOWHERE)
        hd_ir_br(f, out, exit);
    return HD_OK;
}

HdStatus hd_opt_behind(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    uint32_t blocks = (uint32_t)f->blocks.count;

    (void)scratch;
    *changed = false;
    for (uint32_t b = 0; b < blocks; b++) {
        const HdIrBlock *block = &f->blocks.at[b];

        if (block->insts.count != 0 && block->succ_count == 2 &&
            f->insts.at[hd_ir_last(f, b)].op == HD_IR_CONDBR &&
            (block->succ[0] == b) != (block->succ[1] == b))
            HD_TRY(move_stores(f, b, changed));
    }
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
