/* xform/lower_flow.c -- blocks that all work-items of a sub-group reach if any does.
 *
 * OpGroup instructions are for all of a sub-group; those of SPIR-V 1.3 are for the active
 * work-items. One may replace the other in blocks that every path through a kernel executes exactly
 * once: those that post-dominate the entry and are in no loop, in functions that are only called
 * from such blocks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/cfg.h"
#include "xform/lower_state.h"

typedef struct Call {
    uint32_t from, to; /* numbers of functions */
    uint32_t block;
} Call;

static HdStatus mark_blocks(HdLower *l, const HdFunction *f)
{
    HdCfg *g;

    if (f->block_count == 0)
        return HD_OK;
    HD_TRY(hd_cfg_build(l->m, f, l->arena, l->d, &g));
    for (uint32_t b = 0; b != HD_NO_BLOCK && b < f->block_count; b = g->ipdom[b])
        l->meets[f->first_block + b] = g->loop_head[b] == HD_NO_BLOCK;
    return HD_OK;
}

/* The block that a word is in; in front of all blocks, where no call may be: one that is not
 * marked, after the last. */
static uint32_t block_of(const HdModule *m, uint32_t word)
{
    uint32_t block = hd_module_block_before(m, word);

    return block < m->block_count ? block : m->block_count;
}

bool hd_lower_all_meet(const HdLower *l, const HdInst *in)
{
    return (l->meets != NULL && l->meets[block_of(l->m, in->word)]) ||
           hd_map_get(&l->together, in->w[2], NULL);
}

HdStatus hd_lower_find_flow(HdLower *l)
{
    const HdModule *m = l->m;
    HD_ARRAY(Call) calls = {0};
    bool changed = true;

    HD_TAKE(l->meets, HD_NEW(l->arena, bool, m->block_count + 1));
    HD_TAKE(l->meets_function, HD_NEW(l->arena, bool, m->function_count + 1));
    for (uint32_t f = 0; f < m->function_count; f++) {
        HD_TRY(mark_blocks(l, &m->functions[f]));
        for (uint32_t word = m->functions[f].word; word < m->functions[f].end;) {
            HdInst in = hd_module_inst(m, word);
            const HdFunction *to =
                in.opix == HD_OPIX_FunctionCall ? hd_module_function(m, in.w[3]) : NULL;
            Call call = {f, 0, 0};

            word = hd_inst_next(&in);
            if (to == NULL)
                continue;
            call.to = (uint32_t)(to - m->functions);
            call.block = block_of(m, in.word);
            HD_TRY_PUSH(l->arena, &calls, call);
            l->meets_function[call.to] = true;
        }
    }
    for (uint32_t i = 0; i < m->entry_count; i++) {
        const HdFunction *f = hd_module_function(m, m->entries[i].function);

        if (f != NULL)
            l->meets_function[f - m->functions] = true;
    }
    while (changed) { /* once for each level of calls at most */
        changed = false;
        for (size_t i = 0; i < calls.count; i++) {
            const Call *c = &calls.at[i];

            if (l->meets_function[c->to] && !(l->meets_function[c->from] && l->meets[c->block])) {
                l->meets_function[c->to] = false;
                changed = true;
            }
        }
    }
    for (uint32_t f = 0; f < m->function_count; f++)
        for (uint32_t b = 0; b < m->functions[f].block_count; b++)
            l->meets[m->functions[f].first_block + b] &= l->meets_function[f];
    return HD_OK;
}
