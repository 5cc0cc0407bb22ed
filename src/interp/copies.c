/* interp/copies.c -- asynchronous copies: started, waited for, forgotten.
 *
 * A copy is performed when it is started, by the first sub-group. A checked run remembers it until
 * its event has been waited for: until then it may read and write its memory at any time, whatever
 * barriers are in between, so accesses to that memory race with it.
 *
 * check.event: an event is waited for that belongs to no copy, or a second time; or the kernel ends
 *   before one has been waited for.
 *
 * Spec: OpenCL C, "Async Copies from Global to Local Memory, Local to Global Memory, and Prefetch";
 * SPIR-V, "Group and Subgroup Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/copies.h"

#include "base/cancel.h"
#include "base/memory.h"
#include "interp/access.h"
#include "interp/epoch.h"
#include "interp/report.h"
#include "interp/state.h"
#include "interp/watch.h"
#include "interp/watch_state.h"

static HdEvalSide element_of(const HdEvalSide *side, uint64_t step, uint64_t i)
{
    HdEvalSide one = *side;

    one.address += i * step;
    return one;
}

/* Elements between two checks for cancellation: a wrong number of elements may be arbitrarily
 * large. */
#define STRETCH 4096u

static bool is_to_end(const HdEval *e)
{
    return hd_is_cancelled(e->g->cancel) || (e->watch != NULL && hd_watch_is_late(e->watch));
}

/* Elements from the `at`-th on, at most to the next check, that one move may copy: they are
 * contiguous in existing memory. */
static uint64_t together(HdEval *e, const HdEvalCopy *c, const HdEvalSide *to,
                         const HdEvalSide *from, uint64_t at)
{
    uint64_t most = STRETCH - at % STRETCH, count = c->count - at < most ? c->count - at : most;

    if (e->watch == NULL || c->to_step != c->bytes || c->from_step != c->bytes ||
        !hd_access_fits(e, from, count * c->bytes, HD_EVAL_READ) ||
        !hd_access_fits(e, to, count * c->bytes, HD_EVAL_WRITE))
        return 1;
    return count;
}

static HdStatus make(HdEval *e, const HdEvalCopy *c)
{
    uint64_t count;

    for (uint64_t i = 0; i < c->count && (i % STRETCH != 0 || !is_to_end(e)); i += count) {
        HdEvalSide to = element_of(&c->to, c->to_step, i);
        HdEvalSide from = element_of(&c->from, c->from_step, i);

        count = together(e, c, &to, &from, i);
        HD_TRY(hd_eval_move(e, hd_lane_first(e->mask), &to, &from, count * c->bytes));
    }
    return HD_OK;
}

static bool is_under_way(const HdWatch *w, uint64_t event)
{
    for (size_t i = 0; i < w->copies.count; i++)
        if (w->copies.at[i].event == event)
            return true;
    return false;
}

static HdStatus tell_event(HdEval *e, const char *what)
{
    return hd_eval_defect(e, e->mask, "check.event",
                          "wait once for each event that an asynchronous copy gives", "%s", what);
}

static HdStatus make_watched(HdEval *e, const HdEvalCopy *c, uint64_t event)
{
    HdSubWatch *sub = &e->sub->watch;
    HdCopy own = {.what = *c, .event = event, .inst = e->info->number};
    HdStatus st;

    if (sub->must_step)
        hd_epoch_begin(e);
    hd_epoch_apart(e->watch, &own.local, &own.global);
    sub->copy = &own;
    st = make(e, c);
    sub->copy = NULL;
    HD_TRY(st);
    HD_TRY_PUSH(NULL, &e->watch->copies, own);
    return HD_OK;
}

HdStatus hd_eval_begin_copy(HdEval *e, const HdEvalCopy *c, uint64_t scope, uint64_t *event)
{
    const bool shares = *event != 0;

    /* Sub-groups' copies are done when they have begun: their waits are not followed. */
    if (!e->is_checked || scope != SpvScopeWorkgroup) {
        *event = 1;
        return e->subgroup == 0 || scope != SpvScopeWorkgroup ? make(e, c) : HD_OK;
    }
    e->sub->watch.copies++;
    if (!shares)
        *event = e->sub->watch.copies;
    if (e->subgroup != 0)
        return HD_OK;
    if (shares && !is_under_way(e->watch, *event))
        HD_TRY(tell_event(e, "an asynchronous copy is given an event that belongs to no copy under "
                             "way"));
    return make_watched(e, c, *event);
}

HdStatus hd_eval_await_copy(HdEval *e, uint64_t event)
{
    HdWatch *w = e->watch;

    if (!e->is_checked || e->subgroup != 0)
        return HD_OK;
    if (!is_under_way(w, event))
        return tell_event(e, event - 1 < e->sub->watch.copies
                                 ? "an event is waited for a second time"
                                 : "an event is waited for that belongs to no copy");
    for (size_t i = 0; i < w->copies.count; i++)
        if (w->copies.at[i].event == event)
            w->copies.at[i].is_awaited = true;
    return HD_OK;
}

void hd_eval_fence_copies(HdEval *e)
{
    for (size_t i = 0; e->is_checked && i < e->watch->copies.count; i++)
        e->watch->copies.at[i].is_fenced = true;
}

void hd_eval_end_wait(HdEval *e)
{
    HdWatch *w = e->watch;
    size_t left = 0;

    if (!e->is_checked)
        return;
    for (size_t i = 0; i < w->copies.count; i++)
        if (!w->copies.at[i].is_awaited)
            w->copies.at[left++] = w->copies.at[i];
    w->copies.count = left;
}

static void touch_side(HdEval *e, const HdEvalCopy *c, const HdEvalSide *side, uint64_t step,
                       HdEvalAccess how)
{
    const bool is_row = step == c->bytes;

    for (uint64_t i = 0; i < (is_row ? c->count > 0 : c->count); i++) {
        HdEvalSide one = element_of(side, step, i);

        hd_access_touch(e, &one, is_row ? c->bytes * c->count : c->bytes, how);
    }
}

/* Both sides of all copies are accessed again, in new epochs; except for copies after a fence:
 * what work-items do to these before they wait is no longer checked. */
void hd_copies_go_on(HdInterpRun *r)
{
    HdWatch *w = r->watch;
    HdEval *e = &r->subs[0].e;

    for (size_t i = 0; i < w->copies.count; i++) {
        HdCopy *c = &w->copies.at[i];

        if (c->is_fenced)
            continue;
        hd_epoch_apart(w, &c->local, &c->global);
        e->sub->watch.copy = c;
        w->is_silent = true;
        touch_side(e, &c->what, &c->what.to, c->what.to_step, HD_EVAL_WRITE);
        touch_side(e, &c->what, &c->what.from, c->what.from_step, HD_EVAL_READ);
        w->is_silent = false;
        e->sub->watch.copy = NULL;
    }
}

void hd_copies_end(HdInterpRun *r)
{
    HdEval *e = &r->subs[0].e;

    for (size_t i = 0; i < r->watch->copies.count; i++) {
        e->in = hd_report_inst(e, r->watch->copies.at[i].inst);
        if (e->in != NULL)
            (void)tell_event(e,
                             "the kernel ends before this asynchronous copy has been waited for");
    }
    r->watch->copies.count = 0;
}
