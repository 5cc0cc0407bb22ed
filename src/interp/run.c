/* interp/run.c -- running a sub-group: which block, which lanes, calls and returns.
 *
 * Of the blocks at which lanes wait, the first in the order of hd_cfg_build runs, with all lanes
 * that wait at it; a block where the whole work-group meets runs only if no lane of the sub-group
 * is elsewhere. Frames are on the heap, so that a sub-group can stop anywhere and resume later.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/memory.h"
#include "interp/counters.h"
#include "interp/finite.h"
#include "interp/flush.h"
#include "interp/observe.h"
#include "interp/provenance.h"
#include "interp/room.h"
#include "interp/shadow.h"
#include "interp/state.h"

#define MAX_DEPTH  256u
#define MAX_FRAMES (UINT64_C(1) << 34) /* bytes, of a work-group */

/* ---- where lanes go ------------------------------------------------------------------------ */

HdStatus hd_eval_goto(HdEval *e, unsigned lane, HdId label)
{
    return hd_eval_goto_lanes(e, UINT64_C(1) << lane, label);
}

HdStatus hd_eval_goto_lanes(HdEval *e, uint64_t mask, HdId label)
{
    const HdInterpProgram *p = e->run->p;
    uint32_t block = label < p->m->bound ? p->block_of[label] : HD_NO_BLOCK;
    unsigned row;

    if (block >= e->frame->code->function->block_count)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.block", "%%%u is not a block of this function",
                           (unsigned)label);
    if (e->watch != NULL && e->watch->counters != NULL)
        hd_counters_goto(e->watch->counters, e->frame, mask, block);
    row = hd_lane_row(mask);
    for (unsigned i = 0; i < row; i++) {
        e->frame->from[i] = e->frame->block;
        e->frame->to[i] = block;
    }
    for (HD_EACH_LANE(lane, row == 0 ? mask : 0)) {
        e->frame->from[lane] = e->frame->block;
        e->frame->to[lane] = block;
    }
    e->next = HD_EVAL_ENDED;
    return HD_OK;
}

void hd_eval_leave(HdEval *e)
{
    e->frame->live &= ~e->mask;
    e->next = HD_EVAL_ENDED;
}

/* The result of the running function has been given: its bits without a value go along. */
void hd_eval_returned(HdEval *e, HdId value)
{
    HdInterpFrame *caller = e->frame->caller;

    if (e->watch == NULL || caller == NULL)
        return;
    hd_shadow_pass(e, caller, caller->code->insts[caller->at].w[2], e->frame, value, e->mask);
    hd_provenance_pass(e, caller, caller->code->insts[caller->at].w[2], e->frame, value, e->mask);
}

bool hd_eval_return_slot(HdEval *e, HdSlot *s)
{
    HdInterpFrame *caller = e->frame->caller;
    const HdPlace *place;

    if (caller == NULL)
        return false;
    place = &e->run->p->places[caller->code->insts[caller->at].w[2]];
    if (place->kind != HD_PLACE_VALUE)
        return false;
    *s = (HdSlot){.at = caller->values + place->offset * e->width,
                  .stride = place->stride,
                  .type = place->type};
    return true;
}

/* Lanes that are neither in this frame's block nor out of the kernel. */
static bool is_elsewhere(const HdInterpSub *s, uint64_t here)
{
    return (s->live & ~here) != 0;
}

/* Have the lanes that are not here come back from calls that nothing follows? clang makes a kernel
 * that calls another function and returns. */
static bool have_ended(const HdInterpSub *s, const HdInterpFrame *f, uint64_t here)
{
    uint64_t others = s->live & ~here;

    for (const HdInterpFrame *c = f->caller; c != NULL; c = c->caller)
        if ((others & c->live) != 0 &&
            (c->code->insts[c->at + 1].opix != HD_OPIX_Return || (others & ~c->mask) != 0))
            return false;
    return (others & f->live) == 0;
}

/* The instruction of the block that all of the group are to reach together. */
static void point_at_meeting(HdInterpSub *s, const HdInterpFrame *f)
{
    const HdInterpCode *code = f->code;

    for (uint32_t i = code->first[f->block]; i < code->first[f->block + 1]; i++) {
        s->e.in = &code->insts[i];
        s->e.info = &code->info[i];
        if (hd_eval_convergent[s->e.in->opix])
            break;
    }
    s->e.frame = s->top;
}

void hd_interp_report_left(HdInterpSub *s, uint64_t mask)
{
    hd_eval_defect(&s->e, mask, "check.barrier-left",
                   "all work-items of a group must reach a barrier, or none: don't return before, "
                   "and take it out of branches and loops that only some enter",
                   "work-items wait at a barrier or work-group operation that others of the "
                   "work-group have left the kernel without");
}

/* Lanes that are to meet the group wait elsewhere: the work-group ends here. */
static HdStatus tell_parted(HdInterpSub *s, const HdInterpFrame *f, uint64_t mask)
{
    point_at_meeting(s, f);
    HD_TRY(hd_eval_defect(&s->e, mask, "check.divergent-barrier",
                          "take the barrier or operation out of the branch or loop that only some "
                          "work-items enter",
                          "only some work-items of the work-group reach this barrier or work-group "
                          "operation, others wait elsewhere"));
    return HD_BAD_INPUT;
}

HdStatus hd_eval_needs_all(HdEval *e)
{
    const HdInterpSub *s = e->sub;

    if (!e->is_checked || e->mask == s->all)
        return HD_OK;
    if (!is_elsewhere(s, e->mask) || have_ended(s, e->frame, e->mask))
        return hd_eval_defect(e, e->mask, "check.barrier-left",
                              "all work-items of a sub-group must reach the operation, or none: "
                              "don't return before",
                              "a barrier or operation of a sub-group that others of it have left "
                              "the kernel without");
    return hd_eval_defect(e, e->mask, "check.divergent-barrier",
                          "take the barrier or operation out of the branch or loop that only some "
                          "work-items enter",
                          "only some work-items of the sub-group reach this barrier or sub-group "
                          "operation, others wait elsewhere");
}

static HdStatus choose(HdInterpSub *s, HdInterpFrame *f)
{
    const HdInterpCode *code = f->code;
    uint32_t best = HD_NO_BLOCK, gather = HD_NO_BLOCK, odd = 0;
    unsigned row = hd_lane_row(f->live);
    uint64_t mask = 0, apart;

    for (unsigned i = 0; i < row; i++)
        odd |= f->to[i] ^ f->to[0];
    if (row > 0 && odd == 0) { /* all lanes at one block: the usual case */
        best = f->to[0];
        mask = f->live;
    }
    apart = mask == 0 ? f->live : 0;
    for (HD_EACH_LANE(lane, apart)) {
        uint32_t block = f->to[lane];
        uint32_t *which = code->gathers[block] >= HD_GATHERS_CALLED ? &gather : &best;

        if (*which == HD_NO_BLOCK || code->turn[block] < code->turn[*which])
            *which = block;
    }
    if (best == HD_NO_BLOCK)
        best = gather;
    for (HD_EACH_LANE(lane, apart))
        if (f->to[lane] == best)
            mask |= UINT64_C(1) << lane;
    f->block = best;
    f->mask = mask;
    f->at = code->first[best];
    if (s->e.watch != NULL && s->e.watch->counters != NULL)
        hd_counters_enter(s->e.watch->counters, f);
    if (code->gathers[best] != HD_GATHERS_HERE)
        return HD_OK;
    if (is_elsewhere(s, mask) && !have_ended(s, f, mask))
        return tell_parted(s, f, mask);
    if (s->e.watch != NULL && mask != s->all) {
        point_at_meeting(s, f);
        hd_interp_report_left(s, mask);
    }
    return HD_OK;
}

/* ---- frames -------------------------------------------------------------------------------- */

HdStatus hd_interp_enter(HdInterpRun *r, HdInterpSub *s, const HdInterpCode *code, uint64_t mask)
{
    size_t values = (size_t)(code->value_bytes * s->e.width), room = values;
    HdInterpFrame *f;

    if (r->watch != NULL)
        room += values + code->value_bytes / 16 * 4 + 8 + code->variable_count * 8u +
                (size_t)code->provenance_count * s->e.width * 4;

    if (s->depth == MAX_DEPTH)
        return hd_eval_bad(&s->e, HD_EVAL_LANES, "interp.depth", "calls are nested too deeply");
    if (s->stack + code->own_bytes > r->private_lane - r->p->vla_bytes)
        return HD_BUG;
    f = r->room->frames[code->number];
    if (f != NULL) { /* its values are somebody's old ones, its marks are clean */
        r->room->frames[code->number] = f->caller;
    } else {
        if (room > MAX_FRAMES - r->room->frame_bytes)
            return hd_eval_bad(&s->e, HD_EVAL_LANES, "interp.values",
                               "the values of a work-group's functions take more than %llu bytes",
                               (unsigned long long)MAX_FRAMES);
        HD_TAKE(f, hd_alloc_zero(sizeof *f + 16 + room));
        r->room->frame_bytes += room;
        f->values = (unsigned char *)f + (sizeof *f + 15) / 16 * 16;
        if (r->watch != NULL) {
            f->shadow = values;
            f->dead = (uint64_t *)(void *)(f->values + 2 * values);
            f->origin = (uint32_t *)(void *)(f->dead + code->variable_count);
            f->provenances = f->origin + code->value_bytes / 16;
        }
        HD_TRY(hd_undef_fill(r, f, s->e.width));
    }
    if (code->has_undefs && r->watch != NULL)
        HD_TRY(hd_undef_shade(r, f, s->e.width));
    f->mask = 0;
    f->caller = s->top;
    f->code = code;
    f->base = s->stack;
    f->live = mask;
    memcpy(f->vla, s->vla, sizeof f->vla);
    s->stack += code->own_bytes;
    s->depth++;
    s->top = f;
    return HD_OK;
}

/* What has been marked as without a value has values again. */
static void clean(HdInterpFrame *f, uint32_t width)
{
    for (uint32_t slot = 0; f->dirty > 0; slot++)
        if (f->origin[slot] != 0) {
            memset(f->values + f->shadow + (uint64_t)slot * 16 * width, 0,
                   (size_t)hd_type_size(f->code->slot_types[slot]) * width);
            f->origin[slot] = 0;
            f->dirty--;
        }
}

/* Drop the top frame; the lanes of `mask` continue after the call. */
static void leave(HdInterpRun *r, HdInterpSub *s)
{
    HdInterpFrame *f = s->top;
    const HdInterpCode *code = f->code;

    s->top = f->caller;
    s->stack -= f->code->own_bytes;
    s->depth--;
    if (s->top && r->p->vla_bytes > 0)
        for (HD_EACH_LANE(lane, s->top->mask))
            s->vla[lane] = f->vla[lane];
    clean(f, s->e.width);
    if (f->dead != NULL)
        memset(f->dead, 0, code->variable_count * sizeof *f->dead);
    /* Lanes start at the first block. */
    memset(f->to, 0, sizeof f->to);
    memset(f->from, 0, sizeof f->from);
    f->caller = r->room->frames[code->number];
    r->room->frames[code->number] = f;
}

void hd_interp_leave_all(HdInterpRun *r, HdInterpSub *s)
{
    while (s->top)
        leave(r, s);
}

/* What a ByVal pointer points to is the callee's own. */
static HdStatus own_copy(HdInterpRun *r, HdInterpSub *s, const HdInst *param, const HdSlot *to,
                         HdId given, uint64_t mask)
{
    uint64_t offset = r->p->variables[param->w[2]];
    const HdType *pointee = hd_type_element(to->type);

    if (offset == UINT64_MAX)
        return HD_OK;
    s->e.pointer = given;
    for (HD_EACH_LANE(lane, mask)) {
        unsigned char *own = s->private_at + lane * r->private_lane + s->top->base + offset;
        uint64_t address = hd_bits_get(hd_slot_at(to, lane), 8);
        void *from;

        s->e.frame = s->top->caller;
        HD_TRY(hd_eval_access(&s->e, lane, SpvStorageClassGeneric, address, hd_type_size(pointee),
                              1, HD_EVAL_READ, &from));
        s->e.frame = s->top;
        memcpy(own, from, (size_t)hd_type_size(pointee));
        if (r->watch != NULL && (uint64_t)(uintptr_t)from == address)
            hd_shadow_memory_move(&s->e, (uint64_t)(uintptr_t)own, address, hd_type_size(pointee));
        else if (r->watch != NULL)
            hd_shadow_memory_define(&s->e, (uint64_t)(uintptr_t)own, hd_type_size(pointee), true);
        hd_bits_put(hd_slot_at(to, lane), 8, (uint64_t)(uintptr_t)own);
    }
    return HD_OK;
}

static HdStatus call(HdInterpRun *r, HdInterpSub *s, const HdInst *in)
{
    const HdInterpCode *code = hd_interp_code(r->p, s->e.callee);
    HdInterpFrame *caller = s->top;
    uint64_t mask = caller->mask;

    if (code == NULL)
        return hd_eval_unsupported(&s->e,
                                   "%%%u, which is called here, is not defined in the module",
                                   (unsigned)s->e.callee);
    if (code->function->param_count + 4u != in->nwords)
        return hd_eval_bad(&s->e, HD_EVAL_LANES, "interp.call",
                           "arguments do not fit the function's parameters");
    HD_TRY(hd_interp_enter(r, s, code, mask));
    for (uint32_t i = 0; i < code->function->param_count; i++) {
        HdInst param = hd_function_param(r->p->m, code->function, i);
        HdSlot from, to;

        s->e.frame = caller;
        HD_TRY(hd_eval_use(&s->e, in->w[4 + i], &from));
        s->e.frame = s->top;
        HD_TRY(hd_eval_result(&s->e, &param, &to));
        hd_eval_copy(&s->e, &to, &from);
        if (r->watch != NULL) {
            hd_shadow_pass(&s->e, s->top, param.w[2], caller, in->w[4 + i], mask);
            hd_provenance_pass(&s->e, s->top, param.w[2], caller, in->w[4 + i], mask);
        }
        HD_TRY(own_copy(r, s, &param, &to, in->w[4 + i], mask));
    }
    return HD_OK;
}

void hd_eval_report_call(HdEval *e)
{
    HdInterpFrame *caller = e->frame->caller;

    if (caller == NULL)
        return;
    e->frame = caller;
    e->in = &caller->code->insts[caller->at];
    e->info = &caller->code->info[caller->at];
}

/* ---- the loop ------------------------------------------------------------------------------ */

static HdStatus step(HdInterpRun *r, HdInterpSub *s, HdInterpFrame *f)
{
    const HdInst *in = &f->code->insts[f->at];
    HdEvalFn *fn = hd_eval_fns[in->opix];
    HdEval *e = &s->e;

    e->in = in;
    e->mask = f->mask;
    e->frame = f;
    e->next = HD_EVAL_NEXT;
    e->skip = 0;
    e->info = &f->code->info[f->at];
    if (fn == NULL)
        return hd_eval_unsupported(e, "the interpreter does not execute %s",
                                   in->opix ? hd_gram_insts[in->opix].name : "this instruction");
    HD_TRY(fn(e, in));
    if (e->g->kernel != NULL && e->g->kernel->flushes && e->next == HD_EVAL_NEXT)
        HD_TRY(hd_flush_after(e, in));
    if (e->watch != NULL && e->next == HD_EVAL_NEXT) {
        if (e->info->has_provenance)
            hd_provenance_after(e, in);
        if (e->info->finite != 0)
            HD_TRY(hd_finite_after(e, in));
        HD_TRY(hd_shadow_after(e, fn, in));
    }
    e->phase = e->brought = 0;
    switch (e->next) {
    case HD_EVAL_NEXT: f->at += 1 + e->skip; return HD_OK;
    case HD_EVAL_ENDED:
        f->mask = 0;
        if (f->caller == NULL)
            s->live = f->live;
        return HD_OK;
    case HD_EVAL_CALL: return call(r, s, in);
    case HD_EVAL_WAIT:
        s->state = HD_SUB_WAITING;
        e->phase = 1;
        return HD_OK;
    case HD_EVAL_STAND:
        s->state = HD_SUB_STANDING;
        e->phase = 1;
        return HD_OK;
    }
    return HD_BUG;
}

/* Those who look on are told of the instruction that comes. True: a debugger stops the sub-group in
 * front of it. */
static bool tell_before(HdInterpRun *r, HdInterpSub *s, const HdInterpFrame *f)
{
    const HdInterpCheck *c = r->watch->c;

    if (c->hook != NULL && c->hook->before(c->hook->user, r, s))
        return true;
    if (c->observing != NULL)
        hd_observe_instructions(s, f, f->at, 1);
    return false;
}

/* And of those that it has executed too. */
static void tell_after(const HdInterpRun *r, const HdInterpSub *s, const HdInterpFrame *f)
{
    if (r->watch->c->observing != NULL && s->e.skip > 0)
        hd_observe_instructions(s, f, f->at - s->e.skip, s->e.skip);
}

HdStatus hd_interp_run(HdInterpRun *r, HdInterpSub *s, uint32_t blocks)
{
    const bool is_looked_at =
        r->watch != NULL && (r->watch->c->hook != NULL || r->watch->c->observing != NULL);

    while (s->state == HD_SUB_READY) {
        HdInterpFrame *f = s->top;

        if (f->mask == 0) {
            if (f->live == 0) {
                leave(r, s);
                if (s->top == NULL)
                    s->state = HD_SUB_DONE;
                else
                    s->top->at++; /* after the call */
                continue;
            }
            if (blocks-- == 0)
                return HD_OK;
            HD_TRY(choose(s, f));
        }
        if (is_looked_at && s->e.phase == 0 && tell_before(r, s, f))
            return HD_OK;
        HD_TRY(step(r, s, f));
        if (is_looked_at)
            tell_after(r, s, f);
    }
    return HD_OK;
}
