/* opt/loop_by_loop.c -- passes that copy loops, one at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/loop_by_loop.h"

bool hd_loop_is_untouched(const HdIrGraph *g, uint32_t loop, const HdLoopsDone *done)
{
    for (uint32_t i = g->loops[loop].first; i <= g->loops[loop].last; i++)
        if (g->order[i] >= done->blocks || done->is_in[g->order[i]])
            return false;
    return true;
}

HdStatus hd_opt_loop_by_loop(HdIrFunc *f, HdArena *scratch, HdLoopPass *pass, unsigned most_loops,
                             size_t most_insts, bool *changed)
{
    HdLoopsDone done = {.blocks = (uint32_t)f->blocks.count};
    bool did = true;

    HD_TAKE(done.is_in, HD_NEW(scratch, bool, done.blocks));
    for (unsigned n = 0; did && n < most_loops && f->insts.count < most_insts; n++) {
        HdArena *a = hd_arena_open();
        HdStatus st;

        did = false;
        st = a != NULL ? pass(f, a, &done, &did) : HD_NO_MEMORY;
        hd_arena_drop(a);
        HD_TRY(st);
        *changed = *changed || did;
    }
    return HD_OK;
}
