/* ops/control/control_rule.c -- rules of blocks and branches.
 *
 * The control-flow graph has checked that targets are blocks of the same function; structure is in
 * val/flow.c.
 *
 * Spec: SPIR-V, "Control-Flow Instructions"; SPV_KHR_abort.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "base/bitset.h"
#include "ops/memory/memory_rule.h"

/* Spec: SPIR-V, "Universal Limits": literal–label pairs of OpSwitch. */
#define MAX_CASES 16383u

static uint32_t block_number(const HdVal *v, HdId label)
{
    uint32_t at = hd_module_block(v->m, label);

    return at == UINT32_MAX || at < v->f->first_block ? HD_NO_BLOCK : at - v->f->first_block;
}

static HdStatus phi_parents(HdVal *v, const HdInst *in, uint32_t block)
{
    const uint32_t *preds;
    uint32_t count;
    uint64_t *seen;

    HD_TRY(hd_val_predecessors(v, block, &preds, &count));
    HD_RULE((in->nwords - 3u) / 2 == count, "control.phi-count",
            "the phi has %u parents, the block has %u predecessors", (unsigned)(in->nwords - 3) / 2,
            (unsigned)count);
    /* Edges come from the blocks in their order, so predecessors are sorted. */
    HD_TAKE(seen, HD_NEW(v->fa, uint64_t, HD_BITSET_WORDS((size_t)count + 1)));
    for (uint32_t i = 3; i < in->nwords; i += 2) {
        uint32_t parent = block_number(v, in->w[i + 1]);
        uint32_t at = i / 2 - 1; /* mostly parents come in that order, too */

        if (preds[at] != parent)
            HD_BISECT(at, count, preds[at] >= parent);
        HD_RULE(parent != HD_NO_BLOCK && at < count && preds[at] == parent, "control.phi-parent",
                "id %u is not a predecessor of the block", (unsigned)in->w[i + 1]);
        HD_RULE(!hd_bit_has(seen, at), "control.phi-parent", "parent %u appears twice",
                (unsigned)in->w[i + 1]);
        hd_bit_add(seen, at);
    }
    return HD_OK;
}

/* Words: 1 type, 2 result, then pairs of value and parent. */
HdStatus hd_rule_phi(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(t->kind != HD_T_VOID, "control.phi-type", "a phi cannot be void");
    HD_RULE((t->kind != HD_T_IMAGE && t->kind != HD_T_SAMPLER && t->kind != HD_T_SAMPLED_IMAGE) ||
                hd_val_cap(v, SpvCapabilityBindlessTextureNV),
            "control.phi-image", "images, samplers and sampled images do not meet in a phi");
    HD_RULE(!hd_is_pointer(t) || v->m->addressing != SpvAddressingModelLogical ||
                hd_val_cap(v, SpvCapabilityVariablePointersStorageBuffer) ||
                t->storage == SpvStorageClassPhysicalStorageBuffer,
            "control.phi-pointer", "in logical addressing this needs variable pointers");
    HD_TRY(hd_rule_variable_pointer(v, in, t));
    for (uint32_t i = 3; i < in->nwords; i += 2) {
        HD_RULE(hd_module_opix(v->m, in->w[i + 1]) == HD_OPIX_Label, "control.phi-parent",
                "id %u is not a label", (unsigned)in->w[i + 1]);
        HD_RULE(hd_val_operand(v, in, i) == t, "control.phi-value",
                "the type of id %u differs from the phi's", (unsigned)in->w[i]);
        HD_TRY(hd_rule_variable_source(v, in, in->w[i]));
        HD_TRY(hd_rule_variable_pair(v, in, in->w[3], in->w[i]));
    }
    if (v->cfg == NULL || v->block == UINT32_MAX)
        return HD_OK;
    return phi_parents(v, in, v->block - v->f->first_block);
}

/* The mask at a word, and its parameters after it; the reader has checked their number. */
static HdStatus loop_control(HdVal *v, const HdInst *in, uint32_t at)
{
    uint32_t control = in->w[at++];

    HD_RULE((control & (SpvLoopControlUnrollMask | SpvLoopControlDontUnrollMask)) !=
                (SpvLoopControlUnrollMask | SpvLoopControlDontUnrollMask),
            "control.unroll", "Unroll and DontUnroll exclude each other");
    HD_RULE(!(control & SpvLoopControlDontUnrollMask) ||
                !(control & (SpvLoopControlPeelCountMask | SpvLoopControlPartialCountMask)),
            "control.unroll", "DontUnroll excludes PeelCount and PartialCount");
    if (control & SpvLoopControlIterationMultipleMask) {
        /* The parameters are in the order of their bits. */
        at += (control & SpvLoopControlDependencyLengthMask) != 0;
        at += (control & SpvLoopControlMinIterationsMask) != 0;
        at += (control & SpvLoopControlMaxIterationsMask) != 0;
        HD_RULE(at >= in->nwords || in->w[at] != 0, "control.iteration-multiple",
                "IterationMultiple must not be 0");
    }
    return HD_OK;
}

/* That what branches and merge instructions name are blocks of the function is said where its graph
 * is made. */
HdStatus hd_rule_loop_merge(HdVal *v, const HdInst *in)
{
    return loop_control(v, in, 3);
}

/* OpLoopControlINTEL: 1 … mask and parameters. Its block is where a loop begins. */
HdStatus hd_rule_loop_control(HdVal *v, const HdInst *in)
{
    const HdCfg *g = v->cfg;
    const uint32_t *preds;
    uint32_t block, count;
    bool loops = false;

    HD_TRY(in->nwords > 1 ? loop_control(v, in, 1) : HD_OK);
    if (g == NULL || v->block == UINT32_MAX)
        return HD_OK;
    block = v->block - v->f->first_block;
    HD_TRY(hd_val_predecessors(v, block, &preds, &count));
    for (uint32_t i = 0; i < count && !loops; i++)
        loops = hd_cfg_dominates(g, block, preds[i]);
    HD_RULE(loops || g->rank[block] == HD_NO_BLOCK, "control.loop-header",
            "no back edge goes to this block from one that it dominates");
    return HD_OK;
}

HdStatus hd_rule_selection_merge(HdVal *v, const HdInst *in)
{
    HD_RULE(in->w[2] != 3, "control.flatten", "Flatten and DontFlatten exclude each other");
    return HD_OK;
}

HdStatus hd_rule_branch_conditional(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool_scalar(hd_val_operand(v, in, 1)), "control.condition",
            "the condition is not a bool scalar");
    HD_RULE(in->nwords == 4 || in->nwords == 6, "control.weights",
            "there must be two branch weights or none");
    HD_RULE(in->nwords == 4 || in->w[4] != 0 || in->w[5] != 0, "control.weights",
            "one of the branch weights must not be 0");
    HD_RULE(in->nwords == 4 || in->w[4] <= UINT32_MAX - in->w[5], "control.weights",
            "the sum of the branch weights is more than 32 bits hold");
    HD_RULE(v->m->version < 0x10600 || in->w[2] != in->w[3], "control.same-target",
            "from SPIR-V 1.6 on the two targets must differ");
    return HD_OK;
}

/* The i-th case's literal, of `step` words. */
static uint64_t literal(const HdInst *in, uint32_t step, uint32_t i)
{
    const uint32_t *w = in->w + 3 + (size_t)i * (step + 1);

    return step == 2 ? (uint64_t)w[1] << 32 | w[0] : w[0];
}

static int by_value(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

    return a < b ? -1 : a > b;
}

static HdStatus check_cases_differ(HdVal *v, const HdInst *in, uint32_t step)
{
    uint32_t count = (in->nwords - 3u) / (step + 1), i = 1;
    uint64_t *sorted;

    while (i < count && literal(in, step, i - 1) < literal(in, step, i))
        i++; /* mostly they are in order */
    if (i >= count)
        return HD_OK;
    HD_TAKE(sorted, HD_NEW(v->fa, uint64_t, count));
    for (i = 0; i < count; i++)
        sorted[i] = literal(in, step, i);
    qsort(sorted, count, sizeof *sorted, by_value);
    for (i = 1; i < count; i++)
        HD_RULE(sorted[i - 1] != sorted[i], "control.case-twice", "the case %lld appears twice",
                step == 2 ? (long long)sorted[i] : (long long)(int32_t)sorted[i]);
    return HD_OK;
}

HdStatus hd_rule_switch(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_operand(v, in, 1);
    uint32_t step;

    HD_RULE(hd_is_int_scalar(t), "control.selector", "the selector is not an integer scalar");
    step = hd_cfg_switch_words(v->m, in);
    HD_RULE((in->nwords - 3u) / (step + 1) <= MAX_CASES, "control.cases",
            "a switch has at most %u cases", (unsigned)MAX_CASES);
    /* No environment has wider ones: that they differ is not checked. */
    return step > 2 ? HD_OK : check_cases_differ(v, in, step);
}

/* What the function returns; NULL where its declaration was found wrong. */
static const HdType *returned(const HdVal *v)
{
    return v->f == NULL || hd_bit_has(v->failed, v->f->id)
               ? NULL
               : hd_module_type(v->m, v->f->result_type);
}

HdStatus hd_rule_return(HdVal *v, const HdInst *in)
{
    const HdType *t = returned(v);

    HD_RULE(t == NULL || t->kind == HD_T_VOID, "control.return", "the function returns a value");
    return HD_OK;
}

HdStatus hd_rule_return_value(HdVal *v, const HdInst *in)
{
    const HdType *t = returned(v), *o = hd_val_operand(v, in, 1);

    HD_RULE(o != NULL && o->kind != HD_T_VOID, "control.return-value", "the operand has no value");
    HD_RULE(t == NULL || t == o, "control.return-type",
            "the value's type differs from the function's return type");
    HD_RULE(!hd_is_pointer(o) || v->m->addressing != SpvAddressingModelLogical ||
                hd_val_cap(v, SpvCapabilityVariablePointersStorageBuffer) ||
                hd_val_cap(v, SpvCapabilityVariablePointers) ||
                o->storage == SpvStorageClassPhysicalStorageBuffer,
            "control.return-pointer", "in logical addressing pointers cannot be returned");
    HD_TRY(hd_rule_variable_pointer(v, in, o));
    return hd_rule_variable_source(v, in, in->w[1]);
}

/* OpLifetimeStart, OpLifetimeStop. A size is for pointers that point to no type; shipping
 * producers give it for all. */
HdStatus hd_rule_lifetime(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_val_operand(v, in, 1);

    HD_RULE(hd_is_pointer(p) && p->storage == SpvStorageClassFunction, "control.lifetime-pointer",
            "the operand is not a pointer of storage class Function");
    if (p->is_untyped || in->w[2] == 0)
        return HD_OK;
    HD_RULE(hd_val_cap(v, SpvCapabilityAddresses), "control.lifetime-size",
            "a size needs capability Addresses");
    return HD_OK;
}

/* OpAbortKHR: 1 type, 2 message. */
HdStatus hd_rule_abort(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[1]);

    HD_RULE(hd_type_logically_equal(v, t, hd_val_operand(v, in, 2)), "control.abort-message",
            "the message is not of Message Type");
    HD_RULE(hd_is_concrete(v, t), "control.abort-type", "Message Type is not a concrete type");
    HD_RULE(v->laid_out == NULL || hd_bit_has(v->laid_out, t->id), "control.abort-type",
            "Message Type has parts without Offset or ArrayStride");
    return HD_OK;
}
