/* lanes/canon.c -- one exit block.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/canon.h"

/* What a function gives back where it ends: of UNREACHABLE anything. */
static void note_results(HdIrFunc *f, uint32_t b, HdIrRef end, uint32_t from, HdIrRef *results)
{
    for (uint32_t i = 0; i < f->result_count; i++) {
        HdIrRef *pair = results + ((size_t)i * f->blocks.count + from) * 2;

        pair[0] = b;
        pair[1] = f->insts.at[end].op == HD_IR_RET
                      ? hd_ir_arg(f, end, i)
                      : hd_ir_emit(f, b, HD_IR_UNDEF, (HdIrType)f->result_types[i], NULL, 0);
    }
}

HdStatus hd_lanes_one_exit(HdIrFunc *f, HdArena *a)
{
    uint32_t count = (uint32_t)f->blocks.count, ends = 0;
    uint32_t exit = hd_ir_block(f);
    HdIrRef *results; /* [result][end of the function] pairs of block and value, then the phis */

    if (f->module->failed)
        return HD_NO_MEMORY;
    HD_TAKE(results, HD_NEW(a, HdIrRef, ((size_t)f->blocks.count * 2 + 1) * (f->result_count + 1)));
    for (uint32_t b = 0; b < count && !f->module->failed; b++) {
        HdIrBlock *block = &f->blocks.at[b];
        HdIrRef end;

        if (block->insts.count == 0)
            continue;
        end = block->insts.at[block->insts.count - 1];
        if (f->insts.at[end].op != HD_IR_RET && f->insts.at[end].op != HD_IR_UNREACHABLE)
            continue;
        f->insts.at[end].block = HD_IR_NOWHERE;
        block->insts.count--;
        note_results(f, b, end, ends++, results);
        hd_ir_br(f, b, exit);
    }
    for (uint32_t i = 0; i < f->result_count && !f->module->failed; i++)
        results[i] = hd_ir_emit(f, exit, HD_IR_PHI, (HdIrType)f->result_types[i],
                                results + (size_t)i * f->blocks.count * 2, (size_t)ends * 2);
    f->blocks.at[exit].rank = UINT32_MAX - 1;
    hd_ir_emit(f, exit, HD_IR_RET, HD_IR_VOID, results, f->result_count);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
