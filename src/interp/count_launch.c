/* interp/count_launch.c -- counters of a checked launch, from its beginning to the check's counts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/memory.h"
#include "interp/counters.h"
#include "interp/state.h"

static HdStatus take_counters(HdLaunchCounters *l, uint32_t blocks)
{
    const HdCountCode *code = l->total->code;

    HD_TAKE(l->own.insts, hd_alloc_zero((code->inst_count + 1) * sizeof *l->own.insts));
    HD_TAKE(l->own.edges, hd_alloc_zero((code->edge_count + 1) * sizeof *l->own.edges));
    HD_TAKE(l->blocks, hd_alloc_zero((blocks + 1) * sizeof *l->blocks));
    return HD_OK;
}

HdStatus hd_counters_open(const HdInterpProgram *p, const HdKernelInfo *k, HdInterpCheck *c)
{
    HdCountCode *code;

    if (!hd_check_is_counting(c->check))
        return HD_OK;
    HD_TAKE(c->counters, hd_alloc_zero(sizeof *c->counters));
    HD_TRY(hd_count_code(p, c->check, &code));
    HD_TAKE(c->counters->total, hd_check_counts_of(c->check, code, k->name, k->is_shader));
    return take_counters(c->counters, p->m->block_count);
}

/* From lanes that entered blocks to those that executed instructions. */
static void settle(HdLaunchCounters *l)
{
    const HdCountCode *code = l->total->code;
    HdCountBytes *variables = &l->own.memory[HD_COUNT_FUNCTION];

    for (uint32_t i = 0; i < code->inst_count; i++) {
        const HdCountInst *in = &code->insts[i];

        l->own.insts[i] = l->blocks[in->block] - l->own.insts[i];
        variables->loaded += l->own.insts[i] * in->loaded;
        variables->stored += l->own.insts[i] * in->stored;
    }
}

void hd_counters_close(HdInterpCheck *c)
{
    HdLaunchCounters *l = c->counters;

    if (l == NULL)
        return;
    if (l->blocks != NULL) {
        settle(l);
        hd_check_counted(c->check, l->total, &l->own);
    }
    hd_free(l->own.insts);
    hd_free(l->own.edges);
    hd_free(l->blocks);
    hd_free(l);
    c->counters = NULL;
}
