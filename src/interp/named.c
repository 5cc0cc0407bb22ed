/* interp/named.c -- named barriers: sub-groups that wait for some others.
 *
 * Sub-groups that execute an instruction equally often, called from the same place, get the same
 * barrier from it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/map.h"
#include "interp/meet.h"
#include "interp/state.h"

/* The instruction that runs, with the calls that led to it. */
static uint64_t place_of(const HdEval *e)
{
    uint64_t place = e->in->word;

    for (const HdInterpFrame *f = e->frame->caller; f != NULL; f = f->caller) {
        place = hd_hash_u64(place + f->code->function->word);
        place = hd_hash_u64(place + ((uint64_t)f->block << 32 | f->at));
    }
    return place;
}

/* The entry of a place's `turn`-th barrier, made if it is not there: its index. */
static HdStatus find(HdInterpRun *r, uint64_t place, uint32_t turn, uint32_t subgroups,
                     uint64_t *index)
{
    const HdNamed fresh = {.place = place, .turn = turn, .subgroups = subgroups};

    for (*index = 0; *index < r->named.count; ++*index)
        if (r->named.at[*index].place == place && r->named.at[*index].turn == turn)
            return HD_OK;
    return HD_PUSH(NULL, &r->named, fresh) ? HD_OK : HD_NO_MEMORY;
}

/* How often has this sub-group executed the instruction, this time included? */
static HdStatus count_turn(HdInterpSub *s, uint64_t place, uint32_t *turn)
{
    const HdNamed first = {.place = place, .turn = 1};

    for (size_t i = 0; i < s->made.count; i++) {
        if (s->made.at[i].place == place) {
            *turn = ++s->made.at[i].turn;
            return HD_OK;
        }
    }
    *turn = 1;
    return HD_PUSH(NULL, &s->made, first) ? HD_OK : HD_NO_MEMORY;
}

HdStatus hd_eval_named_make(HdEval *e, uint32_t subgroups, uint64_t *handle)
{
    uint64_t place = place_of(e);
    uint32_t turn;

    if (subgroups == 0)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.named-barrier",
                           "a named barrier for 0 sub-groups");
    HD_TRY(count_turn(e->sub, place, &turn));
    HD_TRY(find(e->run, place, turn, subgroups, handle));
    ++*handle;
    return HD_OK;
}

HdStatus hd_eval_named_wait(HdEval *e, uint64_t handle, uint64_t semantics, bool *met)
{
    HdNamed *n;

    *met = e->phase == 1;
    if (*met)
        return HD_OK;
    if (handle == 0 || handle > e->run->named.count)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.named-barrier",
                           "a wait at a named barrier that was not made");
    n = &e->run->named.at[handle - 1];
    if (++n->arrived == n->subgroups) {
        if (e->watch != NULL)
            hd_meet_named(e, handle - 1, n->phase, semantics);
        n->arrived = 0;
        n->phase++;
        *met = true;
        return HD_OK;
    }
    e->sub->stands_at = handle - 1;
    e->sub->stands_in = n->phase;
    e->next = HD_EVAL_STAND;
    return HD_OK;
}

bool hd_eval_agrees(HdEval *e, const uint64_t brought[HD_EVAL_BROUGHT])
{
    HdInterpRun *r = e->run;
    HdVersionedRows own = {.word = e->in->word};

    if (e->watch == NULL || count_turn(e->sub, e->in->word, &own.turn) != HD_OK)
        return true;
    for (size_t i = r->agreed.count; i-- > 0;) /* the latest are at the end */
        if (r->agreed.at[i].word == own.word && r->agreed.at[i].turn == own.turn)
            return memcmp(r->agreed.at[i].brought, brought, sizeof own.brought) == 0;
    memcpy(own.brought, brought, sizeof own.brought);
    (void)!HD_PUSH(NULL, &r->agreed, own);
    return true;
}

HdStatus hd_interp_let_go(HdInterpRun *r, bool *ready)
{
    HdInterpSub *standing = NULL;

    for (uint32_t i = 0; i < r->sub_count; i++) {
        HdInterpSub *s = &r->subs[i];

        if (s->state != HD_SUB_STANDING)
            continue;
        standing = s;
        if (r->named.at[s->stands_at].phase != s->stands_in) {
            s->state = HD_SUB_READY;
            *ready = true;
        }
    }
    if (standing != NULL && !*ready)
        return hd_eval_bad(&standing->e, hd_lane_first(standing->e.mask), "interp.deadlock",
                           "the sub-group waits at a named barrier that no other one will reach");
    return HD_OK;
}
