/* ops/control/control_build.c -- blocks and branches to lane IR.
 *
 * Phis are created empty in place; the engine fills them when all blocks exist.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"

/* Instructions that mean nothing to a work-item: lines, selection merges, ends of lives. */
HdStatus hd_build_nothing(HdBuild *b, const HdInst *in)
{
    (void)b;
    (void)in;
    return HD_OK;
}

/* Words: 1 type, 2 result, then pairs of value and predecessor. */
HdStatus hd_build_phi(HdBuild *b, const HdInst *in)
{
    return hd_build_bind_op0(b, in, HD_IR_PHI);
}

/* Words: 1 merge block, 2 continue target. The merge may be unreachable: then no lane waits. */
HdStatus hd_build_loop_merge(HdBuild *b, const HdInst *in)
{
    HdId merge = in->w[1];

    if (merge < b->m->bound)
        b->fn->blocks.at[b->block_of[b->label]].loop_merge = b->block_of[merge];
    return HD_OK;
}

HdStatus hd_build_branch(HdBuild *b, const HdInst *in)
{
    uint32_t target;

    HD_TRY(hd_build_target(b, in->w[1], &target));
    hd_ir_br(b->fn, b->block, target);
    return HD_OK;
}

/* Words: 1 condition, 2 true label, 3 false label. */
HdStatus hd_build_branch_conditional(HdBuild *b, const HdInst *in)
{
    uint32_t yes, no;
    HdIrRef cond;

    HD_TRY(hd_build_target(b, in->w[2], &yes));
    HD_TRY(hd_build_target(b, in->w[3], &no));
    if (yes == no) {
        hd_ir_br(b->fn, b->block, yes);
        return HD_OK;
    }
    HD_TRY(hd_build_use1(b, in->w[1], &cond));
    hd_ir_condbr(b->fn, b->block, cond, yes, no);
    return HD_OK;
}

/* Words: 1 selector, 2 default, then pairs of a literal (one or two words) and a label. */
HdStatus hd_build_switch(HdBuild *b, const HdInst *in)
{
    HdIrRef selector;
    unsigned bits, literal_words;
    uint32_t count, *succ;
    uint64_t *cases;
    HdIrBlock *block;

    HD_TRY(hd_build_use1(b, in->w[1], &selector));
    bits = hd_ir_type_bits(hd_build_type_at(b, selector));
    literal_words = bits > 32 ? 2 : 1;
    if (hd_ir_is_float(hd_build_type_at(b, selector)) || bits < 8 ||
        (in->nwords - 3u) % (literal_words + 1) != 0)
        return hd_build_bad(b, in, "selector must be an integer");
    count = (in->nwords - 3u) / (literal_words + 1);
    HD_TAKE(succ, HD_NEW(b->arena, uint32_t, count + 1));
    HD_TAKE(cases, HD_NEW(b->arena, uint64_t, count + 1));
    HD_TRY(hd_build_target(b, in->w[2], &succ[0]));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *pair = in->w + 3 + (size_t)i * (literal_words + 1);

        cases[i] = pair[0] | (literal_words > 1 ? (uint64_t)pair[1] << 32 : 0);
        if (bits < 64)
            cases[i] &= ((uint64_t)1 << bits) - 1;
        HD_TRY(hd_build_target(b, pair[literal_words], &succ[i + 1]));
    }
    if (count == 0) {
        hd_ir_br(b->fn, b->block, succ[0]);
        return HD_OK;
    }
    hd_build_op1(b, HD_IR_SWITCH, HD_IR_VOID, selector);
    block = &b->fn->blocks.at[b->block];
    block->succ = succ;
    block->succ_count = count + 1;
    block->cases = cases;
    return HD_OK;
}

HdStatus hd_build_return(HdBuild *b, const HdInst *in)
{
    (void)in;
    hd_build_op0(b, HD_IR_RET, HD_IR_VOID);
    return HD_OK;
}

HdStatus hd_build_return_value(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;

    HD_TRY(hd_build_use(b, in->w[1], &v));
    if (v.count != b->fn->result_count)
        return hd_build_bad(b, in, "value does not have the function's result type");
    hd_ir_emit(b->fn, b->block, HD_IR_RET, HD_IR_VOID, v.at, v.count);
    return HD_OK;
}

HdStatus hd_build_unreachable(HdBuild *b, const HdInst *in)
{
    (void)in;
    hd_build_op0(b, HD_IR_UNREACHABLE, HD_IR_VOID);
    return HD_OK;
}
