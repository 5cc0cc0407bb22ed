/* interp/observe.c -- what the observer of a check is told.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/observe.h"

#include "interp/counters.h"
#include "interp/watch_state.h"

/* ---- work-groups ---------------------------------------------------------------------------- */

void hd_observe_group(HdInterpRun *r)
{
    HdObserving *o = r->watch->c->observing;
    heddle_observed_group *g = &r->watch->observed;

    *g = (heddle_observed_group){.launch = &o->launch, .lanes = r->g->width};
    for (int i = 0; i < 3; i++) {
        g->id[i] = r->g->group_id[i];
        g->size[i] = r->g->local_size[i];
    }
    if (o->to->group_begins != NULL)
        o->to->group_begins(o->to->user, g);
}

void hd_observe_group_ends(HdInterpRun *r)
{
    const HdObserving *o = r->watch->c->observing;

    if (o->to->group_ends != NULL)
        o->to->group_ends(o->to->user, &r->watch->observed);
}

void hd_observe_barrier(HdInterpRun *r)
{
    const HdObserving *o = r->watch->c->observing;

    if (o->to->barrier != NULL)
        o->to->barrier(o->to->user, &r->watch->observed);
}

/* ---- instructions and their accesses -------------------------------------------------------- */

/* False: the instruction only names or declares. */
static bool describe(const HdObserving *o, const HdEval *e, uint32_t number,
                     heddle_observed_instruction *out)
{
    const HdCountInst *in = o->insts[number];

    if (in == NULL)
        return false;
    *out = (heddle_observed_instruction){
        .opcode = in->opcode, .place = hd_count_place(o->code, in), .first_item = e->first};
    return true;
}

void hd_observe_instructions(const HdInterpSub *s, const HdInterpFrame *f, uint32_t at,
                             uint32_t count)
{
    HdWatch *w = s->e.watch;
    const HdObserving *o = w->c->observing;
    heddle_observed_instruction in;

    for (uint32_t i = at; i < at + count && o->to->instruction != NULL; i++) {
        if (!describe(o, &s->e, f->code->info[i].number, &in))
            continue;
        in.lanes = f->mask;
        o->to->instruction(o->to->user, &w->observed, &in);
    }
}

static heddle_access_kind kind_of(HdEvalAccess how)
{
    switch (how) {
    case HD_EVAL_READ: return HEDDLE_ACCESS_LOAD;
    case HD_EVAL_WRITE: return HEDDLE_ACCESS_STORE;
    case HD_EVAL_ATOMIC_READ: return HEDDLE_ACCESS_ATOMIC_LOAD;
    case HD_EVAL_ATOMIC: break;
    }
    return HEDDLE_ACCESS_ATOMIC;
}

void hd_observe_access(const HdEval *e, const HdPlan *x, HdMemory memory, uint64_t lanes)
{
    const HdObserving *o = e->watch->c->observing;
    heddle_observed_instruction in;
    uint64_t address[HD_EVAL_LANES];
    heddle_access a = {.kind = kind_of(x->how),
                       .storage = hd_count_memory_names[hd_counters_memory(e, x->storage, memory)],
                       .bytes = x->bytes,
                       .lanes = lanes,
                       .address = x->address};

    if (o->to->access == NULL || !describe(o, e, e->info->number, &in))
        return;
    in.lanes = e->mask;
    if (x->address == NULL) { /* one lane's */
        address[hd_lane_first(lanes)] = x->low;
        a.address = address;
    }
    o->to->access(o->to->user, &e->watch->observed, &in, &a);
}
