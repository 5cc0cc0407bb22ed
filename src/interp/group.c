/* interp/group.c -- one work-group: its memory, running its sub-groups, and where they meet.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/round.h"
#include "base/cancel.h"
#include "base/memory.h"
#include "interp/copies.h"
#include "interp/counters.h"
#include "interp/meet.h"
#include "interp/observe.h"
#include "interp/report.h"
#include "interp/room.h"
#include "interp/shadow.h"
#include "interp/state.h"
#include "interp/watch.h"
#include "interp/watch_state.h"
#include "module/calls.h"
#include "module/type.h"

#define MAX_PRIVATE   (UINT64_C(1) << 34)
#define TURN_BLOCKS   4096u
#define RANDOM_BLOCKS 8u
/* Blocks after which a group waits for others, if it only asks: at first, and later. */
#define QUIET_BLOCKS   8192u
#define WAITING_BLOCKS 64u

/* ---- meeting ------------------------------------------------------------------------------- */

/* Operands of one work-item to the meeting; the bits without a value follow all of them. */
static void give_lacking(HdEval *e, const HdSlot *slot, HdMeeting *meeting)
{
    uint64_t lanes = hd_shadow_lanes(e, slot, e->mask), bytes = meeting->bytes;
    HdSlot shadow;

    if (lanes == 0 || !hd_shadow_of(e, slot, &shadow))
        return;
    if (meeting->origin == 0) {
        memset(meeting->given + meeting->room, 0, (size_t)meeting->room);
        meeting->origin = hd_shadow_origin(e);
    }
    for (HD_EACH_LANE(lane, lanes))
        memcpy(meeting->given + meeting->room + (e->first + lane) * bytes,
               hd_slot_at(&shadow, lane), (size_t)bytes);
}

static HdStatus give(HdEval *e, const HdSlot *slot, HdMeeting *meeting)
{
    uint64_t bytes = hd_type_size(slot->type), need = bytes * e->items;

    if (meeting->came == NULL)
        HD_TAKE(meeting->came, hd_alloc_zero(e->items));
    if (need > meeting->room) {
        unsigned char *room = hd_realloc(meeting->given, (size_t)need * (e->watch != NULL ? 2 : 1));

        HD_TAKE(meeting->given, room);
        meeting->room = need;
    }
    if (meeting->bytes != 0 && meeting->bytes != bytes) {
        HD_TRY(hd_eval_defect(e, e->mask, "check.different-meeting",
                              "all work-items of a work-group must reach the same operation",
                              "sub-groups reached different work-group operations"));
        return HD_BAD_INPUT;
    }
    meeting->bytes = bytes;
    for (HD_EACH_LANE(lane, e->mask)) {
        meeting->came[e->first + lane] = true;
        memcpy(meeting->given + (e->first + lane) * bytes, hd_slot_at(slot, lane), (size_t)bytes);
    }
    if (e->watch != NULL)
        give_lacking(e, slot, meeting);
    return HD_OK;
}

/* The count has gone on: the meeting being read is the previous one. */
static const HdMeeting *last_meeting(const HdEval *e)
{
    return &e->run->meetings[(e->sub->met - 1) & 1];
}

HdStatus hd_eval_meet(HdEval *e, const HdSlot *slot, bool *met)
{
    HdMeeting *meeting = &e->run->meetings[e->sub->met & 1];

    *met = e->phase == 1;
    if (*met) {
        e->brought = last_meeting(e)->origin;
        return HD_OK;
    }
    e->next = HD_EVAL_WAIT;
    return slot ? give(e, slot, meeting) : HD_OK;
}

const void *hd_eval_given(const HdEval *e, uint32_t item)
{
    const HdMeeting *meeting = last_meeting(e);

    if (meeting->came == NULL || !meeting->came[item])
        return NULL;
    return meeting->given + item * meeting->bytes;
}

const void *hd_eval_lacking(const HdEval *e, uint32_t item)
{
    const HdMeeting *meeting = last_meeting(e);
    const unsigned char *given = hd_eval_given(e, item);

    return given != NULL && meeting->origin != 0 ? given + meeting->room : NULL;
}

/* Sub-groups wait at two barriers: the work-group ends here. */
static HdStatus tell_different(HdEval *e, const HdInst *at)
{
    static const char *const hint = "all work-items of a work-group must reach the same barrier";
    static const char *const what = "work-items of one work-group wait at different barriers";
    HdStrbuf inst = {0};
    HdDefect d = {0};

    if (e->watch == NULL)
        return hd_eval_bad(e, hd_lane_first(e->mask), "check.different-barrier",
                           "%s: others at the one at word %u", what, (unsigned)at->word);
    d.other = "others wait";
    hd_report_place(e, at, &d.other_place, &inst);
    hd_report(e, HD_ERROR, e->mask, "check.different-barrier", hint, what, &d);
    hd_strbuf_free(&inst);
    return HD_BAD_INPUT;
}

/* All sub-groups that have not ended wait: let them continue. */
static HdStatus release(HdInterpRun *r)
{
    const HdInst *at = NULL;
    HdMeeting *next = NULL;
    bool has_left = false;

    for (uint32_t i = 0; i < r->sub_count; i++)
        has_left = has_left || r->subs[i].state == HD_SUB_DONE;

    for (uint32_t i = 0; i < r->sub_count; i++) {
        HdInterpSub *s = &r->subs[i];

        if (s->state != HD_SUB_WAITING)
            continue;
        if (at != NULL && at->word != s->e.in->word)
            return tell_different(&s->e, at);
        if (r->watch != NULL && has_left && at == NULL)
            hd_interp_report_left(s, s->e.mask);
        at = s->e.in;
        s->state = HD_SUB_READY;
        s->met++;
        next = &r->meetings[s->met & 1];
    }
    if (r->watch != NULL && r->watch->is_barrier) {
        hd_meet_group(r);
        hd_copies_go_on(r);
        if (r->watch->c->observing != NULL)
            hd_observe_barrier(r);
    }
    if (next != NULL) {
        next->bytes = 0;
        next->origin = 0;
        if (next->came != NULL)
            memset(next->came, 0, r->items);
    }
    return HD_OK;
}

/* ---- setting up ---------------------------------------------------------------------------- */

static HdStatus fill_fixed(HdInterpRun *r)
{
    const HdInterpProgram *p = r->p;

    HD_TAKE(r->fixed, hd_room_take(r->room, p->fixed_bytes + 1));
    for (size_t i = 0; i < p->fixed_count; i++) {
        const HdFixed *f = &p->fixed[i];

        if (f->constant == NULL)
            hd_bits_put(r->fixed + f->offset, 8, hd_interp_address(r, f->id));
        else if (!hd_constant_write(p->m, f->constant, r->fixed + f->offset, hd_interp_address, r))
            return HD_NO_MEMORY;
    }
    return HD_OK;
}

static HdStatus take_memory(HdInterpRun *r, const HdInterpCode *code)
{
    const HdInterpProgram *p = r->p;
    uint64_t align = p->align, lanes = (uint64_t)r->sub_count * r->g->width;
    unsigned char *private_at;
    void *block;

    r->private_lane = hd_round_up(p->input_bytes + code->stack_bytes, align) + p->vla_bytes;
    if (r->private_lane > MAX_PRIVATE / lanes)
        return hd_fail(r->d, HD_NO_MEMORY, HD_NO_PLACE, "interp.memory",
                       "the work-group needs more than %llu bytes of private memory",
                       (unsigned long long)MAX_PRIVATE);
    r->private_bytes = (r->private_lane * lanes + align) / align * align;
    HD_TAKE(block, hd_room_take(r->room, r->private_bytes * (r->g->check != NULL ? 2 : 1) + align));
    if (r->g->local_bytes > SIZE_MAX / 2)
        return HD_NO_MEMORY;
    private_at = hd_align_pointer(block, align);
    HD_TAKE(block, hd_room_take(r->room, r->g->local_bytes + HD_MOST_ALIGN));
    HD_TAKE(r->subs, hd_room_take(r->room, r->sub_count * sizeof *r->subs));
    r->local = hd_align_pointer(block, HD_MOST_ALIGN);
    for (uint32_t i = 0; i < r->sub_count; i++)
        r->subs[i].private_at = private_at + (uint64_t)i * r->g->width * r->private_lane;
    HD_TAKE(r->zeros, hd_room_take(r->room, p->constant_most + 16));
    if (r->g->check != NULL)
        HD_TRY(hd_watch_open(r, r->g->check));
    return fill_fixed(r);
}

static HdStatus set_argument(HdInterpRun *r, HdInterpSub *s, const HdInst *param,
                             const HdArgInfo *arg)
{
    const unsigned char *from = r->g->args + arg->offset;
    uint64_t bytes = arg->kind == HD_ARG_VALUE ? arg->size : 8, bits = 0;
    uint64_t offset = r->p->variables[param->w[2]];
    HdSlot to;

    HD_TRY(hd_eval_result(&s->e, param, &to));
    if (hd_type_size(to.type) < bytes && arg->kind != HD_ARG_BYVAL)
        return HD_BUG;
    if (arg->kind != HD_ARG_VALUE && arg->kind != HD_ARG_BYVAL)
        memcpy(&bits, from, 8);
    if (arg->kind == HD_ARG_LOCAL)
        bits += (uint64_t)(uintptr_t)r->local;
    for (HD_EACH_LANE(lane, s->e.mask)) {
        unsigned char *at = hd_slot_at(&to, lane);

        if (arg->kind == HD_ARG_VALUE) {
            memcpy(at, from, (size_t)bytes);
        } else if (arg->kind == HD_ARG_BYVAL) {
            unsigned char *own = s->private_at + lane * r->private_lane + s->top->base + offset;

            if (offset == UINT64_MAX)
                return HD_BUG;
            memcpy(own, from, arg->size);
            hd_bits_put(at, 8, (uint64_t)(uintptr_t)own);
        } else {
            hd_bits_put(at, 8, bits);
        }
    }
    return HD_OK;
}

static HdStatus start(HdInterpRun *r, HdInterpSub *s, uint32_t number, const HdInterpCode *code)
{
    uint32_t width = r->g->width, rest;

    s->e = (HdEval){.m = r->p->m,
                    .g = r->g,
                    .d = r->d,
                    .width = width,
                    .subgroup = number,
                    .first = number * width,
                    .items = r->items,
                    .std = r->p->std,
                    .watch = r->watch,
                    .is_checked = r->watch != NULL,
                    .run = r,
                    .sub = s};
    rest = r->items - s->e.first;
    rest = rest < width ? rest : width;
    s->e.mask = rest == 64 ? ~UINT64_C(0) : (UINT64_C(1) << rest) - 1;
    s->live = s->all = s->e.mask;
    s->stack = r->p->input_bytes;
    if (r->watch != NULL && r->p->vla_bytes > 0)
        HD_TAKE(s->watch.saves, hd_room_take(r->room, width * sizeof *s->watch.saves));
    HD_TRY(hd_interp_inputs(r, s));
    HD_TRY(hd_interp_enter(r, s, code, s->live));
    s->e.frame = s->top;
    if (!r->g->kernel->is_shader && code->function->param_count != r->g->kernel->arg_count)
        return HD_BUG;
    for (uint32_t i = 0; i < code->function->param_count; i++) {
        HdInst param = hd_function_param(r->p->m, code->function, i);

        s->e.in = NULL;
        HD_TRY(set_argument(r, s, &param, &r->g->kernel->args[i]));
    }
    return HD_OK;
}

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

uint64_t hd_interp_shuffled(uint64_t seed, uint64_t i, uint64_t count)
{
    uint64_t step, first;

    if (count < 2 || count > UINT32_MAX)
        return i;
    step = mixed(seed) % count;
    first = mixed(seed + 1) % count;
    while (step == 0 || common_divisor(step, count) != 1)
        step = (step + 1) % count;
    return (i * step + first) % count;
}

/* A round of turns is over. If it has changed nothing, and the groups that might are others, they
 * run; that time is not this one's. False: there is nothing left to wait for. */
static bool let_others_run(HdInterpRun *r, uint32_t turn, bool has_moved)
{
    uint64_t left_ns;
    bool goes_on;

    if (r->acts || has_moved)
        r->quiet = 0;
    else if (r->asks)
        r->quiet += turn;
    r->asks = r->acts = false;
    if (r->g->wait == NULL || r->quiet < (r->has_waited ? WAITING_BLOCKS : QUIET_BLOCKS))
        return true;
    r->quiet = 0;
    r->has_waited = true;
    left_ns = r->watch != NULL ? hd_watch_time_left(r->watch) : 0;
    goes_on = r->g->wait(r->g->user);
    if (r->watch != NULL)
        hd_watch_give_time(r->watch, left_ns);
    return goes_on;
}

static HdStatus run_all(HdInterpRun *r)
{
    uint64_t seed = r->watch != NULL ? r->watch->c->seed : 0;

    for (;;) {
        bool ready = false, waiting = false, has_moved = false;
        uint32_t turn = r->has_waited ? WAITING_BLOCKS : TURN_BLOCKS;

        /* In a random order sub-groups take turns of a few blocks, in another order each time. */
        if (seed != 0) {
            seed = mixed(seed + r->g->number + 1);
            turn = 1 + (uint32_t)(seed >> 32) % RANDOM_BLOCKS;
        }
        for (uint32_t at = 0; at < r->sub_count; at++) {
            uint32_t i = seed != 0 ? (uint32_t)hd_interp_shuffled(seed, at, r->sub_count) : at;

            if (r->subs[i].state == HD_SUB_READY) {
                HD_TRY(hd_interp_run(r, &r->subs[i], turn));
                has_moved = has_moved || r->subs[i].state != HD_SUB_READY;
            }
            ready = ready || r->subs[i].state == HD_SUB_READY;
            waiting = waiting || r->subs[i].state == HD_SUB_WAITING;
            if (hd_is_cancelled(r->g->cancel))
                return HD_OK;
            if (r->watch != NULL && hd_watch_is_late(r->watch)) {
                HD_TRY(hd_eval_defect(&r->subs[i].e, r->subs[i].e.mask, "check.time-limit",
                                      "does the loop end? Is what it waits for ever written? Else "
                                      "raise --time-limit",
                                      "the work-group runs longer than the time limit"));
                return HD_BAD_INPUT;
            }
        }
        if (!ready)
            HD_TRY(hd_interp_let_go(r, &ready));
        if (!ready && !waiting) {
            if (r->watch != NULL)
                hd_copies_end(r);
            return HD_OK;
        }
        if (!ready)
            HD_TRY(release(r));
        if (!let_others_run(r, turn, has_moved))
            return HD_OK;
    }
}

/* Those who look on are told. */
static void tell_beginning(HdInterpRun *r)
{
    const HdInterpCheck *c = r->g->check;

    if (c != NULL && c->observing != NULL)
        hd_observe_group(r);
    if (c != NULL && c->hook != NULL)
        c->hook->begins(c->hook->user, r);
}

static void tell_end(HdInterpRun *r)
{
    const HdInterpCheck *c = r->g->check;

    if (c != NULL && c->hook != NULL)
        c->hook->ends(c->hook->user, r);
    if (c != NULL && c->observing != NULL)
        hd_observe_group_ends(r);
}

static HdStatus run_in(HdInterpRun *r, const HdInterpCode *code)
{
    HdStatus st;

    HD_TRY(take_memory(r, code));
    for (uint32_t i = 0; i < r->sub_count; i++)
        HD_TRY(start(r, &r->subs[i], i, code));
    tell_beginning(r);
    st = run_all(r);
    tell_end(r);
    return st;
}

bool hd_interp_may_wait(const HdInterpProgram *p)
{
    uint32_t word = p->m->first_function;

    for (HdInst in; hd_module_next(p->m, &word, &in);)
        if (hd_gram_insts[in.opix].klass == HD_CLASS_Atomic ||
            (in.opix == HD_OPIX_Load && in.nwords > 4 &&
             (in.w[4] & SpvMemoryAccessVolatileMask) != 0))
            return true;
    return false;
}

HdStatus hd_interp_group(const HdInterpProgram *p, const HdInterpGroup *given, HdDiags *d)
{
    HdInterpGroup own = *given;
    const HdInterpGroup *g = &own;
    HdInterpRun r = {.p = p, .g = g, .d = d};
    uint64_t items = g->local_size[0] * g->local_size[1] * g->local_size[2];
    const HdInterpCode *code = hd_interp_code(p, g->kernel->entry->function);
    HdStatus st;

    if (code == NULL || items == 0 || items > UINT32_MAX / 64 || g->width == 0 ||
        g->width > HD_EVAL_LANES)
        return HD_BUG;
    own.subgroup_width = g->subgroup_width != 0 ? g->subgroup_width : g->width;
    r.items = (uint32_t)items;
    r.sub_count = (r.items + g->width - 1) / g->width;
    HD_TAKE(r.room, hd_room_get(g->rooms, p));
    st = run_in(&r, code);
    hd_counters_end(&r);
    for (uint32_t i = 0; r.subs && i < r.sub_count; i++) {
        hd_interp_leave_all(&r, &r.subs[i]);
        hd_free(r.subs[i].scratch);
        HD_ARRAY_FREE(&r.subs[i].made);
    }
    for (unsigned i = 0; i < 2; i++) {
        hd_free(r.meetings[i].given);
        hd_free(r.meetings[i].came);
    }
    HD_ARRAY_FREE(&r.named);
    HD_ARRAY_FREE(&r.agreed);
    hd_holds_close(&r);
    hd_watch_close(&r);
    hd_room_put(g->rooms, r.room, p);
    /* What the program does wrong has been noted: other groups continue. */
    return st == HD_BAD_INPUT && g->check != NULL ? HD_OK : st;
}
