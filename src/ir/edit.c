/* ir/edit.c -- what passes share: replacing values, dropping instructions, mending phis.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"

HdIrRef hd_ir_resolve(HdIrRef *with, HdIrRef r)
{
    HdIrRef end = r;

    while (with[end] != 0)
        end = with[end];
    while (with[r] != 0) {
        HdIrRef next = with[r];

        if (next != end)
            with[r] = end;
        r = next;
    }
    return end;
}

void hd_ir_substitute(HdIrFunc *f, HdIrRef *with, size_t count)
{
    for (size_t b = 0; b < f->blocks.count; b++) {
        const HdIrBlock *block = &f->blocks.at[b];

        for (size_t i = 0; i < block->insts.count; i++) {
            const HdIrInst *in = &f->insts.at[block->insts.at[i]];
            HdIrRef *args = hd_ir_args(f, block->insts.at[i]);

            for (unsigned k = 0; k < in->nargs; k++)
                if (hd_ir_arg_is_value(in, k) && args[k] < count)
                    args[k] = hd_ir_resolve(with, args[k]);
        }
    }
}

void hd_ir_sweep(HdIrFunc *f)
{
    for (size_t b = 0; b < f->blocks.count; b++) {
        HdIrBlock *block = &f->blocks.at[b];
        size_t kept = 0;

        for (size_t i = 0; i < block->insts.count; i++)
            if (f->insts.at[block->insts.at[i]].block == b)
                block->insts.at[kept++] = block->insts.at[i];
        block->insts.count = kept;
    }
}

void hd_ir_phi_drop(HdIrFunc *f, uint32_t block, uint32_t pred)
{
    const HdIrBlock *b = &f->blocks.at[block];

    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrInst *in = &f->insts.at[b->insts.at[i]];
        HdIrRef *args = hd_ir_args(f, b->insts.at[i]);
        unsigned kept = 0;

        if (in->op != HD_IR_PHI)
            break;
        for (unsigned k = 0; k + 1 < in->nargs; k += 2) {
            if (args[k] == pred)
                continue;
            args[kept] = args[k];
            args[kept + 1] = args[k + 1];
            kept += 2;
        }
        in->nargs = (uint16_t)kept;
    }
}

void hd_ir_phi_rename(HdIrFunc *f, uint32_t block, uint32_t from, uint32_t to)
{
    const HdIrBlock *b = &f->blocks.at[block];

    for (size_t i = 0; i < b->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[b->insts.at[i]];
        HdIrRef *args = hd_ir_args(f, b->insts.at[i]);

        if (in->op != HD_IR_PHI)
            break;
        for (unsigned k = 0; k + 1 < in->nargs; k += 2)
            if (args[k] == from)
                args[k] = to;
    }
}
