/* ir/copy.c -- duplication of blocks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/copy.h"

#include <string.h>

#include "ir/edit.h"

HdStatus hd_ir_copy_open(HdIrFunc *f, HdArena *a, HdIrCopy *out)
{
    *out = (HdIrCopy){.f = f, .a = a, .blocks = (uint32_t)f->blocks.count};
    HD_TAKE(out->chosen, HD_NEW(a, bool, out->blocks));
    HD_TAKE(out->copies, HD_NEW(a, uint32_t, out->blocks));
    HD_TAKE(out->values, HD_NEW(a, HdIrRef, f->insts.count));
    return HD_OK;
}

static HdStatus copy_block(HdIrCopy *x, uint32_t b)
{
    HdIrFunc *f = x->f;
    uint32_t to = x->copies[b];

    for (size_t i = 0; i < f->blocks.at[b].insts.count; i++) {
        HdIrRef v = f->blocks.at[b].insts.at[i], r;
        HdIrInst in = f->insts.at[v];
        HdIrRef *args = NULL;

        if (in.nargs != 0) {
            HD_TAKE(args, HD_NEW(x->a, HdIrRef, in.nargs));
            memcpy(args, hd_ir_args(f, v), in.nargs * sizeof *args);
        }
        r = hd_ir_emit_sub(f, to, (HdIrOp)in.op, (HdIrType)in.type, in.sub, in.imm, args, in.nargs);
        if (r == 0)
            return HD_NO_MEMORY;
        hd_ir_inst(f, r)->flags = in.flags;
        hd_ir_inst(f, r)->shape = in.shape;
        hd_ir_inst(f, r)->stride = in.stride;
        hd_ir_inst(f, r)->place = in.place;
        x->values[v] = r;
    }
    return HD_OK;
}

static HdStatus copy_targets(const HdIrCopy *x, uint32_t b)
{
    const HdIrBlock *from = &x->f->blocks.at[b];
    HdIrBlock *to = &x->f->blocks.at[x->copies[b]];

    to->rank = from->rank;
    to->along = from->along;
    to->seldom = from->seldom;
    to->sparse = from->sparse;
    to->loop_merge = from->loop_merge;
    if (to->loop_merge != HD_IR_NOWHERE && x->chosen[to->loop_merge])
        to->loop_merge = x->copies[to->loop_merge];
    HD_TAKE(to->succ, HD_NEW(x->f->module->arena, uint32_t, from->succ_count + 1));
    to->succ_count = from->succ_count;
    for (uint32_t i = 0; i < from->succ_count; i++)
        to->succ[i] = x->chosen[from->succ[i]] ? x->copies[from->succ[i]] : from->succ[i];
    if (from->cases == NULL)
        return HD_OK;
    HD_TAKE(to->cases, HD_NEW(x->f->module->arena, uint64_t, from->succ_count));
    memcpy(to->cases, from->cases, (from->succ_count - 1) * sizeof *to->cases);
    return HD_OK;
}

/* Operands of a copy: copies, where there are. */
static void use_copies(const HdIrCopy *x, uint32_t b)
{
    const HdIrBlock *block = &x->f->blocks.at[x->copies[b]];

    for (size_t i = 0; i < block->insts.count; i++) {
        const HdIrInst *in = &x->f->insts.at[block->insts.at[i]];
        HdIrRef *args = hd_ir_args(x->f, block->insts.at[i]);

        for (unsigned k = 0; k < in->nargs; k++) {
            if (!hd_ir_arg_is_value(in, k))
                args[k] = args[k] < x->blocks && x->chosen[args[k]] ? x->copies[args[k]] : args[k];
            else if (x->values[args[k]] != 0)
                args[k] = x->values[args[k]];
        }
    }
}

/* Where the paths meet, values come from the copies as well. */
static HdStatus join_copies(const HdIrCopy *x, uint32_t stop)
{
    const HdIrBlock *block = &x->f->blocks.at[stop];

    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef v = block->insts.at[i], *args;
        unsigned n = x->f->insts.at[v].nargs, all = n;

        if (x->f->insts.at[v].op != HD_IR_PHI)
            break;
        HD_TAKE(args, HD_NEW(x->a, HdIrRef, 2 * n + 1));
        memcpy(args, hd_ir_args(x->f, v), n * sizeof *args);
        for (unsigned k = 0; k + 1 < n; k += 2) {
            if (!x->chosen[args[k]])
                continue;
            args[all] = x->copies[args[k]];
            args[all + 1] = x->values[args[k + 1]] != 0 ? x->values[args[k + 1]] : args[k + 1];
            all += 2;
        }
        hd_ir_set_args(x->f, v, args, all);
    }
    return HD_OK;
}

HdStatus hd_ir_copy_make(HdIrCopy *c, uint32_t stop)
{
    for (uint32_t i = 0; i < c->blocks; i++)
        if (c->chosen[i])
            c->copies[i] = hd_ir_block(c->f);
    if (c->f->module->failed)
        return HD_NO_MEMORY;
    for (uint32_t i = 0; i < c->blocks; i++)
        if (c->chosen[i]) {
            HD_TRY(copy_block(c, i));
            HD_TRY(copy_targets(c, i));
        }
    for (uint32_t i = 0; i < c->blocks; i++)
        if (c->chosen[i])
            use_copies(c, i);
    return stop != HD_IR_NOWHERE ? join_copies(c, stop) : HD_OK; /* they may never meet */
}
