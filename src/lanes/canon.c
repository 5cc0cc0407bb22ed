/* lanes/canon.c -- one exit block.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/canon.h"

#include "ir/edit.h"

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

#define LAST (UINT32_MAX - 1) /* rank of the exit */

static bool is_end(const HdIrFunc *f, uint32_t b)
{
    HdIrRef end = f->blocks.at[b].insts.count != 0 ? hd_ir_last(f, b) : 0;

    return end != 0 &&
           (f->insts.at[end].op == HD_IR_RET || f->insts.at[end].op == HD_IR_UNREACHABLE);
}

/* Was this done before, and nothing since? */
static bool has_one_exit(const HdIrFunc *f)
{
    uint32_t last = (uint32_t)f->blocks.count - 1;

    for (uint32_t b = 0; b < last; b++)
        if (is_end(f, b))
            return false;
    return f->blocks.at[last].rank == LAST && is_end(f, last);
}

HdStatus hd_lanes_one_exit(HdIrFunc *f, HdArena *a)
{
    uint32_t count = (uint32_t)f->blocks.count, ends = 0;
    HdIrRef *results; /* [result][end of the function] pairs of block and value, then the phis */
    uint32_t exit;

    if (has_one_exit(f))
        return HD_OK;
    exit = hd_ir_block(f);
    if (f->module->failed)
        return HD_NO_MEMORY;
    HD_TAKE(results, HD_NEW(a, HdIrRef, ((size_t)f->blocks.count * 2 + 1) * (f->result_count + 1)));
    for (uint32_t b = 0; b < count && !f->module->failed; b++) {
        HdIrBlock *block = &f->blocks.at[b];
        HdIrRef end;

        if (!is_end(f, b))
            continue;
        end = hd_ir_last(f, b);
        f->insts.at[end].block = HD_IR_NOWHERE;
        block->insts.count--;
        note_results(f, b, end, ends++, results);
        hd_ir_br(f, b, exit);
    }
    for (uint32_t i = 0; i < f->result_count && !f->module->failed; i++)
        results[i] = hd_ir_emit(f, exit, HD_IR_PHI, (HdIrType)f->result_types[i],
                                results + (size_t)i * f->blocks.count * 2, (size_t)ends * 2);
    f->blocks.at[exit].rank = LAST;
    hd_ir_emit(f, exit, HD_IR_RET, HD_IR_VOID, results, f->result_count);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
