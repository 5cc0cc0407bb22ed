/* xform/repair_loop.c -- hints about loops that stand where they must not.
 *
 * In kernels OpLoopMerge and OpLoopControlINTEL are hints, without which a module means the same.
 * llvm-spirv-15 writes one for each of a loop's edges that its metadata is at, where the edge
 * leaves its block, and names whatever blocks it finds.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/bitset.h"
#include "xform/repair_state.h"

/* The one after this. */
static enum HdOpix next_opix(const HdModule *m, const HdInst *in)
{
    uint32_t word = in->word + in->nwords;
    HdInst next;

    return hd_module_next(m, &word, &next) ? next.opix : HD_OPIX_NONE;
}

static bool is_before_branch(const HdModule *m, const HdInst *in)
{
    enum HdOpix next = next_opix(m, in);

    return next == HD_OPIX_Branch || next == HD_OPIX_BranchConditional;
}

HdStatus hd_repair_find_label(HdRepair *r, const HdInst *in)
{
    r->label = in->w[1];
    return HD_OK;
}

static HdStatus drop(HdRepair *r, const HdInst *in, HdSlip slip)
{
    uint64_t *dropped;

    hd_repair_note(r, slip, in->word);
    HD_TAKE(dropped, hd_map_at(r->a, &r->dropped, in->word));
    *dropped = 1;
    return HD_OK;
}

/* Is it the merge of a loop that begins in this block, and of no other? */
static bool names_merge(HdRepair *r, const HdInst *in)
{
    return in->w[1] != in->w[2] && in->w[1] != r->label && in->w[1] < r->m->bound &&
           !hd_bit_has(r->merges, in->w[1]);
}

HdStatus hd_repair_find_merge(HdRepair *r, const HdInst *in)
{
    if (hd_module_has_capability(r->m, SpvCapabilityShader))
        return HD_OK; /* there it is more than a hint */
    if (next_opix(r->m, in) == HD_OPIX_LoopMerge)
        return drop(r, in, HD_SLIP_MERGE);
    if (r->merges == NULL)
        HD_TAKE(r->merges, HD_NEW(r->a, uint64_t, HD_BITSET_WORDS(r->m->bound)));
    if (!is_before_branch(r->m, in) || !names_merge(r, in))
        return drop(r, in, HD_SLIP_LOOP_HINT);
    hd_bit_add(r->merges, in->w[1]);
    return HD_OK;
}

HdStatus hd_repair_find_loop_control(HdRepair *r, const HdInst *in)
{
    return is_before_branch(r->m, in) ? HD_OK : drop(r, in, HD_SLIP_LOOP_HINT);
}

/* Nothing is written in its place. */
bool hd_repair_write_merge(HdRepair *r, const HdInst *in)
{
    return hd_map_get(&r->dropped, in->word, NULL);
}
