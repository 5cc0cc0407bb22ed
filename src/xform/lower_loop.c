/* xform/lower_loop.c -- loops of shaders whose first block is split.
 *
 * The block that a loop begins with says where the loop goes on and where it ends, in front of its
 * branch. Where it becomes several blocks, that has to stay in the first of them: it becomes a
 * block of its own that goes to the rest. A loop of one block goes on from a new one.
 *
 * Spec: "Structured Control Flow".
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/lower_state.h"

/* A branch behind the merge without a merge of its own needs none: it leaves, or does not choose.
 */
static bool needs_no_merge(const HdInst *merge, const HdInst *end)
{
    if (end->opix == HD_OPIX_BranchConditional)
        for (unsigned i = 2; i < 4; i++)
            if (end->w[i] == merge->w[1] || end->w[i] == merge->w[2])
                return true;
    return end->opix == HD_OPIX_Branch;
}

/* Words: 1 merge block, 2 continue target. */
HdStatus hd_lower_plan_loop(HdLower *l, const HdInst *merge, HdId block)
{
    uint32_t word = merge->word + merge->nwords;
    HdInst end;

    if (!hd_module_next(l->m, &word, &end) || !needs_no_merge(merge, &end))
        return hd_lower_fail(l, merge, " where its own block has a float atomic");
    if (merge->w[2] == block &&
        !hd_map_put(l->arena, &l->again, block, l->next++)) /* where it goes on */
        return HD_NO_MEMORY;
    return hd_map_put(l->arena, &l->headers, block, merge->word) ? HD_OK : HD_NO_MEMORY;
}

HdId hd_lower_again(const HdLower *l, HdId block)
{
    uint64_t again = 0;

    return hd_map_get(&l->again, block, &again) ? (HdId)again : 0;
}

/* In front of what follows a block's phis. */
static void write_merge(HdLower *l)
{
    HdId rest = l->next++, again = hd_lower_again(l, l->block);
    HdLowerWord word = {2, again};
    uint32_t at = l->merge;
    HdInst merge;

    (void)hd_module_next(l->m, &at, &merge);
    hd_lower_copy_with(l, &merge, &word, again != 0);
    hd_writer_inst(l->at, SpvOpBranch, &rest, 1);
    hd_writer_inst(l->at, SpvOpLabel, &rest, 1);
    l->merge_is_there = true;
}

/* The end of a loop's only block. */
static void write_end(HdLower *l, const HdInst *in, HdId again)
{
    HdLowerWord words[3];
    uint32_t count = 0;

    for (uint32_t i = 1; i < in->nwords && i < 4; i++)
        if (in->w[i] == l->block)
            words[count++] = (HdLowerWord){i, again};
    hd_lower_copy_with(l, in, words, count);
    hd_writer_inst(l->at, SpvOpLabel, &again, 1);
    hd_writer_inst(l->at, SpvOpBranch, &l->block, 1);
}

HdStatus hd_lower_loop(HdLower *l, const HdInst *in, bool *done)
{
    uint64_t word = 0;
    HdId again;

    switch (in->opix) {
    case HD_OPIX_Label:
        l->block = in->w[1];
        l->merge = hd_map_get(&l->headers, in->w[1], &word) ? (uint32_t)word : 0;
        l->merge_is_there = false;
        break;
    case HD_OPIX_Line:
    case HD_OPIX_NoLine:
    case HD_OPIX_Phi: break;
    case HD_OPIX_LoopMerge: *done = l->merge != 0; break;
    default:
        if (l->merge != 0 && !l->merge_is_there)
            write_merge(l);
        again = l->merge != 0 ? hd_lower_again(l, l->block) : 0;
        *done = again != 0 && (in->opix == HD_OPIX_Branch || in->opix == HD_OPIX_BranchConditional);
        if (*done)
            write_end(l, in, again);
        break;
    }
    return HD_OK;
}
