/* lanes/canon.c -- one exit block.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/canon.h"

uint32_t hd_lanes_one_exit(HdIrFunc *f)
{
    uint32_t count = (uint32_t)f->blocks.count;
    uint32_t exit = hd_ir_block(f);

    for (uint32_t b = 0; b < count && !f->module->failed; b++) {
        HdIrBlock *block = &f->blocks.at[b];
        HdIrInst *end;

        if (block->insts.count == 0)
            continue;
        end = &f->insts.at[block->insts.at[block->insts.count - 1]];
        if (end->op != HD_IR_RET && end->op != HD_IR_UNREACHABLE)
            continue;
        end->block = HD_IR_NOWHERE;
        block->insts.count--;
        hd_ir_br(f, b, exit);
    }
    if (f->module->failed)
        return HD_IR_NOWHERE;
    f->blocks.at[exit].rank = UINT32_MAX - 1;
    hd_ir_emit(f, exit, HD_IR_RET, HD_IR_VOID, NULL, 0);
    return f->module->failed ? HD_IR_NOWHERE : exit;
}
