/* lanes/version_whole.c -- separate code for sub-groups all of whose lanes exist.
 *
 * A row of 1,022 work-items has a last sub-group that lacks lanes, and because of that one every
 * access of the kernel has a mask. Processors without AVX-512 have no such accesses for bytes and
 * halves, where each takes a test and two branches (codegen/access.c), and those of AMD store words
 * under a mask slowly. So the kernel is there twice:
 *
 *     entry: lanes that exist; to a         entry: are all there? then a', else a
 *     a: ... under that mask          to    a: as before
 *                                           a': ... without a mask
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/version_whole.h"

#include "ir/copy.h"
#include "ir/edit.h"
#include "ir/graph.h"

#define MOST_COPIED 500u /* instructions */
#define LEAST_GAIN  24u  /* one in so many of them must gain */

/* The lanes that exist, 0: all do. */
static HdIrRef find_active(const HdIrFunc *f)
{
    for (size_t i = 0; i < f->blocks.at[0].insts.count; i++)
        if (f->insts.at[f->blocks.at[0].insts.at[i]].op == HD_IR_ACTIVE)
            return f->blocks.at[0].insts.at[i];
    return 0;
}

static bool has_mask(const HdIrFunc *f, HdIrRef r, HdIrRef active)
{
    const HdIrInst *in = &f->insts.at[r];

    return (in->flags & HD_IR_MASKED) != 0 && hd_ir_arg(f, r, in->nargs - 1u) == active;
}

/* Does an access take more than an instruction because of that mask? */
static bool gains(const HdIrFunc *f, HdIrRef r, HdIrRef active, unsigned unmasked_bytes)
{
    const HdIrInst *in = &f->insts.at[r];
    HdIrShape at;
    HdIrType t;

    if ((in->op != HD_IR_LOAD && in->op != HD_IR_STORE) || !has_mask(f, r, active))
        return false;
    at = (HdIrShape)f->insts.at[hd_ir_arg(f, r, 0)].shape;
    t = (HdIrType)(in->op == HD_IR_LOAD ? in->type : f->insts.at[hd_ir_arg(f, r, 1)].type);
    return (at == HD_SHAPE_AFFINE || at == HD_SHAPE_ADDRESS) &&
           (in->op == HD_IR_STORE || hd_ir_type_bytes(t) < unmasked_bytes);
}

static bool pays(const HdIrFunc *f, const HdIrGraph *g, HdIrRef active, unsigned unmasked_bytes)
{
    size_t count = 0, gain = 0;

    for (uint32_t i = 0; i < g->reachable; i++) {
        const HdIrBlock *b = &f->blocks.at[g->order[i]];

        count += b->insts.count;
        for (size_t k = 0; k < b->insts.count; k++)
            gain += gains(f, b->insts.at[k], active, unmasked_bytes);
    }
    return gain != 0 && count <= MOST_COPIED && gain * LEAST_GAIN >= count;
}

/* An access of the copy loses the mask, other operations have one that is true. */
static void unmask(HdIrFunc *f, HdIrRef r, HdIrRef active, HdIrRef yes)
{
    HdIrInst *in = hd_ir_inst(f, r);
    HdIrRef *args = hd_ir_args(f, r);

    if ((in->op == HD_IR_LOAD || in->op == HD_IR_STORE) && has_mask(f, r, active)) {
        in->nargs--;
        in->flags &= (HdIrFlags)~HD_IR_MASKED;
    }
    for (unsigned k = 0; k < in->nargs; k++)
        if (hd_ir_arg_is_value(in, k) && args[k] == active)
            args[k] = yes;
}

/* The entry's end: are all lanes there? */
static void put_test(HdIrFunc *f, HdIrRef active, HdIrRef yes, uint32_t whole, uint32_t other)
{
    HdIrRef pair[2] = {active, yes}, missing;

    missing = hd_ir_emit(f, 0, HD_IR_XOR, HD_IR_BOOL, pair, 2);
    hd_ir_inst(f, missing)->shape = HD_SHAPE_VARYING;
    missing = hd_ir_emit(f, 0, HD_IR_ANY, HD_IR_BOOL, &missing, 1);
    hd_ir_condbr(f, 0, missing, other, whole);
}

HdStatus hd_lanes_version_whole(HdIrFunc *f, unsigned unmasked_bytes, HdArena *scratch)
{
    HdIrRef active = find_active(f), yes;
    uint32_t start, exit;
    HdIrGraph *g;
    HdIrCopy c;

    if (active == 0 || f->waits.has_barrier || f->waits.needs_fibers)
        return HD_OK;
    HD_TRY(hd_ir_graph(f, scratch, &g));
    start = f->blocks.at[0].succ[0];
    exit = g->order[g->reachable - 1];
    if (exit == start || f->insts.at[hd_ir_last(f, exit)].op != HD_IR_RET ||
        !pays(f, g, active, unmasked_bytes))
        return HD_OK;
    HD_TRY(hd_ir_copy_open(f, scratch, &c));
    for (uint32_t i = 1; i + 1 < g->reachable; i++)
        c.chosen[g->order[i]] = true;
    HD_TRY(hd_ir_copy_make(&c, exit));
    hd_ir_kill(f, hd_ir_last(f, 0));
    f->blocks.at[0].insts.count--;
    yes = hd_ir_const(f, 0, HD_IR_BOOL, 1);
    for (uint32_t i = 1; i + 1 < g->reachable; i++) {
        HdIrBlock *copy = &f->blocks.at[c.copies[g->order[i]]];

        f->blocks.at[g->order[i]].seldom = true;
        for (size_t k = 0; k < copy->insts.count; k++)
            unmask(f, copy->insts.at[k], active, yes);
    }
    put_test(f, active, yes, c.copies[start], start);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
