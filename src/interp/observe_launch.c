/* interp/observe_launch.c -- a launch that somebody looks on at, from its beginning to its end.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "base/memory.h"
#include "interp/counters.h"
#include "interp/observe.h"

static int by_word(const void *key, const void *element)
{
    uint32_t word = *(const uint32_t *)key, other = ((const HdCountInst *)element)->word;

    return (word > other) - (word < other);
}

static HdStatus find_instructions(const HdInterpProgram *p, HdObserving *o)
{
    HD_TAKE(o->insts, hd_alloc_zero((p->info.inst_count + 1) * sizeof(HdCountInst *)));
    for (uint32_t i = 0; i < p->m->function_count; i++) {
        const HdInterpCode *c = &p->codes[i];
        uint32_t count = c->function->block_count ? c->first[c->function->block_count] : 0;

        for (uint32_t k = 0; k < count; k++)
            o->insts[c->info[k].number] =
                bsearch(&c->insts[k].word, o->code->insts, o->code->inst_count, sizeof(HdCountInst),
                        by_word);
    }
    return HD_OK;
}

HdStatus hd_observe_launch(const HdInterpProgram *p, const heddle_observed_launch *launch,
                           HdInterpCheck *c)
{
    HdCountCode *code;
    HdObserving *o;

    if (hd_check_observer(c->check) == NULL)
        return HD_OK;
    HD_TRY(hd_count_code(p, c->check, &code));
    HD_TAKE(o, hd_alloc_zero(sizeof *o));
    c->observing = o;
    o->to = hd_check_observer(c->check);
    o->launch = *launch;
    o->code = code;
    HD_TRY(find_instructions(p, o));
    if (o->to->launch_begins != NULL)
        o->to->launch_begins(o->to->user, &o->launch);
    return HD_OK;
}

void hd_observe_launch_ends(HdInterpCheck *c)
{
    HdObserving *o = c->observing;

    if (o == NULL)
        return;
    if (o->insts != NULL && o->to->launch_ends != NULL)
        o->to->launch_ends(o->to->user, &o->launch);
    hd_free(o->insts);
    hd_free(o);
    c->observing = NULL;
}
