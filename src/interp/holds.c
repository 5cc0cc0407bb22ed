/* interp/holds.c -- reservations of pipes that a work-group holds, in a checked run.
 *
 * A plain run keeps no list: there the pipe itself records whether a reservation is held.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/bitset.h"
#include "base/memory.h"
#include "interp/state.h"

static HdHold *find(const HdEval *e, uint64_t pipe, uint64_t id)
{
    for (size_t i = e->run->holds.count; i-- > 0;)
        if (e->run->holds.at[i].pipe == pipe && e->run->holds.at[i].id == id)
            return &e->run->holds.at[i];
    return NULL;
}

HdStatus hd_eval_hold(HdEval *e, unsigned lane, uint64_t pipe, uint64_t id, uint32_t packets)
{
    HdHold h = {.pipe = pipe, .id = id, .in = e->in, .subgroup = e->subgroup, .lane = lane};

    if (e->watch == NULL)
        return HD_OK;
    HD_TAKE(h.moved, hd_alloc_zero(HD_BITSET_WORDS((size_t)packets + 1) * sizeof *h.moved));
    if (HD_PUSH(NULL, &e->run->holds, h))
        return HD_OK;
    hd_free(h.moved);
    return HD_NO_MEMORY;
}

bool hd_eval_holds(const HdEval *e, uint64_t pipe, uint64_t id)
{
    return e->watch == NULL || find(e, pipe, id) != NULL;
}

bool hd_eval_hold_first(HdEval *e, uint64_t pipe, uint64_t id, uint32_t index)
{
    const HdHold *h = e->watch != NULL ? find(e, pipe, id) : NULL;
    bool is_first = h == NULL || !hd_bit_has(h->moved, index);

    if (h != NULL)
        hd_bit_add(h->moved, index);
    return is_first;
}

void hd_eval_let_go(HdEval *e, uint64_t pipe, uint64_t id)
{
    HdHold *h = e->watch != NULL ? find(e, pipe, id) : NULL;

    if (h == NULL)
        return;
    hd_free(h->moved);
    *h = e->run->holds.at[--e->run->holds.count];
}

void hd_holds_close(HdInterpRun *r)
{
    for (size_t i = 0; i < r->holds.count; i++) {
        const HdHold *h = &r->holds.at[i];
        HdEval *e = &r->subs[h->subgroup].e;

        e->in = h->in;
        if (r->watch != NULL && r->subs[h->subgroup].state == HD_SUB_DONE)
            hd_eval_defect(e, UINT64_C(1) << h->lane, "check.pipe-commit",
                           "commit each reservation that was made before the kernel ends",
                           "a reservation of a pipe that the kernel does not commit");
        hd_free(h->moved);
    }
    HD_ARRAY_FREE(&r->holds);
}
