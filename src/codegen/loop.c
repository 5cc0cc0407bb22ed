/* codegen/loop.c -- the loop over a call's sub-groups, and the ids of each one's lane 0.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/loop.h"

#include "codegen/call.h"
#include "codegen/values.h"
#include "rt/abi.h"

bool hd_gen_asks_first(const HdIrFunc *f, unsigned width)
{
    for (size_t i = 0; i < f->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[i];

        if (f->lanes.by_rows && (in->op == HD_IR_BUILTIN || in->op == HD_IR_ACTIVE))
            return true;
        if (in->op == HD_IR_BUILTIN && (width == 1 || !hd_gen_is_varying(in)) &&
            (in->sub == HD_BUILTIN_LOCAL_ID || in->sub == HD_BUILTIN_GLOBAL_ID ||
             in->sub == HD_BUILTIN_GLOBAL_LINEAR_ID))
            return true;
    }
    return false;
}

bool hd_gen_needs_first(const HdGen *g)
{
    return g->callees_need_first || hd_gen_asks_first(g->f, g->width);
}

/* Local sizes in x and y, i32. */
static LLVMValueRef local_size(HdGen *g, unsigned dim)
{
    size_t at = offsetof(HdRtGroup, local_size) + dim * sizeof(uint64_t);

    return LLVMBuildTrunc(g->b, hd_gen_field(g, at, g->i64), g->i32, "");
}

LLVMValueRef hd_gen_count_on(HdGen *g, LLVMValueRef x, unsigned y)
{
    LLVMValueRef args[] = {LLVMBuildAdd(g->b, x, hd_gen_u32(g, y), ""), hd_gen_u32(g, 0)};

    return hd_gen_intrinsic(g, "llvm.expect", &g->i32, 1, args, 2);
}

static LLVMValueRef phi_i32(HdGen *g, LLVMValueRef start, LLVMBasicBlockRef from)
{
    LLVMValueRef x = LLVMBuildPhi(g->b, g->i32, "");

    LLVMAddIncoming(x, &start, &from, 1);
    return x;
}

/* It is incremented from there, as division is slow; mostly it starts with the very first, which
 * needs none. */
void hd_gen_start_ids(HdGen *g, LLVMValueRef from, LLVMValueRef size[2], LLVMValueRef id[3])
{
    LLVMValueRef width = hd_gen_u32(g, g->width), zero = hd_gen_u32(g, 0), in_row, item, rows;
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(g->b), inner = hd_gen_block(g, "from.inside");
    LLVMBasicBlockRef start = hd_gen_block(g, "start");

    for (unsigned dim = 0; dim < 2; dim++)
        size[dim] = local_size(g, dim);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, from, zero, ""), start, inner);
    LLVMPositionBuilderAtEnd(g->b, inner);
    in_row = size[0];
    if (g->f->lanes.by_rows) {
        in_row = LLVMBuildAdd(g->b, in_row, hd_gen_u32(g, g->width - 1), "");
        in_row = LLVMBuildAnd(g->b, in_row, LLVMBuildNeg(g->b, width, ""), "");
    }
    item = LLVMBuildMul(g->b, from, width, "");
    rows = g->one_row ? from : LLVMBuildUDiv(g->b, item, in_row, "");
    id[0] = g->one_row ? zero : LLVMBuildURem(g->b, item, in_row, "");
    id[1] = LLVMBuildURem(g->b, rows, size[1], "");
    id[2] = LLVMBuildUDiv(g->b, rows, size[1], "");
    LLVMBuildBr(g->b, start);
    LLVMPositionBuilderAtEnd(g->b, start);
    for (unsigned dim = 0; dim < 3; dim++) {
        LLVMValueRef inside = id[dim];

        id[dim] = phi_i32(g, zero, entry);
        LLVMAddIncoming(id[dim], &inside, &inner, 1);
    }
}

/* Rows begin with sub-groups, or there is only one. */
void hd_gen_next_ids(HdGen *g, LLVMValueRef size[2], LLVMValueRef id[3])
{
    LLVMValueRef step = hd_gen_u32(g, g->one_row ? 1 : g->width), zero = hd_gen_u32(g, 0), x, over;

    id[0] = zero;
    for (unsigned dim = g->one_row; dim < 3; dim++) {
        x = LLVMBuildAdd(g->b, g->first[dim], step, "");
        id[dim] = x;
        if (dim == 2)
            break;
        over = LLVMBuildICmp(g->b, LLVMIntUGE, x, size[dim], "");
        id[dim] = LLVMBuildSelect(g->b, over, zero, x, "");
        step = LLVMBuildZExt(g->b, over, g->i32, "");
    }
}

/* At a latch: a sub-group that has waited for others leaves the rest to another call. */
static void leave_if_alone(HdGen *g, LLVMBasicBlockRef done)
{
    LLVMBasicBlockRef on;

    if (!g->waits)
        return;
    on = hd_gen_block(g, "on");
    LLVMBuildCondBr(g->b, hd_gen_is_alone(g), done, on);
    LLVMPositionBuilderAtEnd(g->b, on);
}

/* for (sg = first; sg != end; sg++) start; if no code needs the ids of lane 0. */
static void open_line(HdGen *g, LLVMBasicBlockRef entry, LLVMBasicBlockRef start,
                      LLVMValueRef first, LLVMValueRef end)
{
    LLVMBasicBlockRef head = hd_gen_block(g, "subgroup"), done = hd_gen_block(g, "done"), from;
    LLVMValueRef next;

    LLVMBuildBr(g->b, head);
    LLVMPositionBuilderAtEnd(g->b, head);
    g->subgroup = phi_i32(g, first, entry);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, g->subgroup, end, ""), start, done);
    LLVMPositionBuilderAtEnd(g->b, g->latch);
    leave_if_alone(g, done);
    next = hd_gen_count_on(g, g->subgroup, 1);
    from = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(g->subgroup, &next, &from, 1);
    LLVMBuildBr(g->b, head);
    LLVMPositionBuilderAtEnd(g->b, done);
    LLVMBuildRetVoid(g->b);
}

/* The same, a loop over rows around one over the sub-groups of a row: what y and z decide is moved
 * out of the inner one. */
static void open_rows(HdGen *g, LLVMBasicBlockRef entry, LLVMBasicBlockRef start,
                      LLVMValueRef first, LLVMValueRef end)
{
    LLVMBasicBlockRef row = hd_gen_block(g, "row"), in_row = hd_gen_block(g, "in.row");
    LLVMBasicBlockRef head = hd_gen_block(g, "subgroup"), over = hd_gen_block(g, "next.row");
    LLVMBasicBlockRef done = hd_gen_block(g, "done"), from;
    LLVMValueRef size[2], id[3], begin, x, next, inside;

    hd_gen_start_ids(g, first, size, id);
    entry = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, row);
    LLVMPositionBuilderAtEnd(g->b, row);
    begin = phi_i32(g, first, entry);
    for (unsigned dim = 0; dim < 3; dim++)
        g->first[dim] = phi_i32(g, id[dim], entry);
    x = g->first[0];
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, begin, end, ""), in_row, done);
    LLVMPositionBuilderAtEnd(g->b, in_row);
    LLVMBuildBr(g->b, head);
    LLVMPositionBuilderAtEnd(g->b, head);
    g->subgroup = phi_i32(g, begin, in_row);
    g->first[0] = phi_i32(g, x, in_row);
    LLVMBuildBr(g->b, start);
    LLVMPositionBuilderAtEnd(g->b, g->latch);
    leave_if_alone(g, done);
    next = hd_gen_count_on(g, g->subgroup, 1);
    id[0] = hd_gen_count_on(g, g->first[0], g->width);
    inside = LLVMBuildAnd(g->b, LLVMBuildICmp(g->b, LLVMIntULT, id[0], size[0], ""),
                          LLVMBuildICmp(g->b, LLVMIntNE, next, end, ""), "");
    if (g->one_row)
        inside = LLVMConstNull(g->i1);
    from = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(g->subgroup, &next, &from, 1);
    LLVMAddIncoming(g->first[0], &id[0], &from, 1);
    LLVMBuildCondBr(g->b, inside, head, over);
    LLVMPositionBuilderAtEnd(g->b, over);
    hd_gen_next_ids(g, size, id);
    LLVMAddIncoming(begin, &next, &over, 1);
    LLVMAddIncoming(x, &id[0], &over, 1);
    for (unsigned dim = 1; dim < 3; dim++)
        LLVMAddIncoming(g->first[dim], &id[dim], &over, 1);
    LLVMBuildBr(g->b, row);
    LLVMPositionBuilderAtEnd(g->b, done);
    LLVMBuildRetVoid(g->b);
}

void hd_gen_loop(HdGen *g, LLVMBasicBlockRef entry, LLVMBasicBlockRef start)
{
    LLVMValueRef first = LLVMGetParam(g->fn, 1), end;

    end = LLVMBuildAdd(g->b, first, LLVMGetParam(g->fn, 2), "");
    if (g->f->lanes.parts > 1) {
        LLVMValueRef each = hd_gen_u32(g, g->f->lanes.parts), all;
        LLVMValueRef args[2];

        all = hd_gen_field(g, offsetof(HdRtGroup, items), g->i32);
        all = LLVMBuildAdd(g->b, all, hd_gen_u32(g, g->width - 1), "");
        all = LLVMBuildUDiv(g->b, all, hd_gen_u32(g, g->width), "");
        args[0] = LLVMBuildMul(g->b, end, each, "");
        args[1] = all;
        first = LLVMBuildMul(g->b, first, each, "");
        end = hd_gen_intrinsic(g, "llvm.umin", &g->i32, 1, args, 2);
    }
    if (g->f->lanes.merged > 1) { /* an odd one at the end has its second half empty */
        LLVMValueRef by = hd_gen_u32(g, g->f->lanes.merged);

        first = LLVMBuildUDiv(g->b, first, by, "");
        end = LLVMBuildAdd(g->b, end, hd_gen_u32(g, g->f->lanes.merged - 1), "");
        end = LLVMBuildUDiv(g->b, end, by, "");
    }
    g->latch = hd_gen_block(g, "next");
    if (hd_gen_needs_first(g))
        open_rows(g, entry, start, first, end);
    else
        open_line(g, entry, start, first, end);
}
