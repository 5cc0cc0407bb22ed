/* ops/group/group_eval.c -- operations that all work-items of a work-group or sub-group reach, in
 * the interpreter.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/clock.h"
#include "base/memory.h"
#include "ops/evals.h"
#include "ops/subgroup/collective_eval.h"

/* What work-items bring; unlike operations of OpGroupNonUniform… these are for all of them. */
static HdStatus gather(HdEval *e, const HdInst *in, const HdSlot *x, HdGiven *given, bool *done)
{
    uint64_t scope;

    if (hd_module_constant_u64(e->m, in->w[3], &scope) && scope == SpvScopeSubgroup)
        HD_TRY(hd_eval_needs_all(e));
    return hd_eval_gather(e, in->w[3], x, given, done);
}

/* Arithmetic. Words: 1 type, 2 result, 3 scope, 4 operation, 5 value. */
HdStatus hd_eval_group_reduce(HdEval *e, const HdInst *in)
{
    HdGiven given = {0};
    HdSlot r, x;
    HdStatus st;
    bool done;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[5], &x));
    HD_TRY(gather(e, in, &x, &given, &done));
    if (!done)
        return HD_OK;
    st = hd_eval_reduce(e, in, in->w[4], 0, &given, &r);
    hd_free(given.at);
    return st;
}

/* Whether the work-group's vote has a value (is_shadow): all have brought one, or one has that
 * decides it. */
static HdStatus shade_vote(HdEval *e, bool all, const HdSlot *r)
{
    bool lacks = false, ends = false;

    for (uint32_t i = 0; i < e->items; i++) {
        const unsigned char *vote = hd_eval_given(e, i), *lacking = hd_eval_lacking(e, i);
        bool item_lacks = lacking != NULL && *lacking != 0;

        lacks = lacks || item_lacks;
        ends = ends || (vote != NULL && !item_lacks && (*vote != 0) != all);
    }
    for (HD_EACH_LANE(lane, e->mask))
        *hd_slot_at(r, lane) = lacks && !ends;
    return HD_OK;
}

/* OpGroupAll, OpGroupAny. Words: 1 type, 2 result, 3 scope, 4 predicate. */
HdStatus hd_eval_group_vote(HdEval *e, const HdInst *in)
{
    bool all = in->opix == HD_OPIX_GroupAll, vote = all, done;
    HdGiven given = {0};
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    if (e->is_shadow && e->phase == 1)
        return shade_vote(e, all, &r);
    if (e->is_shadow)
        return hd_eval_shade_vote(e, in->w[4], all ? HD_VOTE_FIRST_FALSE : HD_VOTE_FIRST_TRUE,
                                  e->mask, &r);
    HD_TRY(hd_eval_use(e, in->w[4], &x));
    HD_TRY(gather(e, in, &x, &given, &done));
    if (!done)
        return HD_OK;
    for (uint32_t i = 0; i < given.count; i++)
        if (given.at[i] != NULL && (*(const unsigned char *)given.at[i] != 0) != all)
            vote = !all;
    for (HD_EACH_LANE(lane, e->mask))
        *hd_slot_at(&r, lane) = vote;
    hd_free(given.at);
    return HD_OK;
}

/* Number, in the group or sub-group, of the work-item that a lane names. */
static uint64_t named_item(const HdEval *e, const HdSlot *id, unsigned lane, bool workgroup)
{
    uint64_t bytes = hd_type_size(hd_type_scalar(id->type)), item = 0, stride = 1;

    for (uint32_t i = 0; i < hd_type_lanes(id->type) && i < 3; i++) {
        item += stride * hd_bits_get(hd_slot_at(id, lane) + i * bytes, bytes);
        stride *= e->g->local_size[i];
    }
    return workgroup ? item : hd_bits_get(hd_slot_at(id, lane), bytes);
}

/* A lane's result; of bits without a value (is_shadow) none where the work-item brought none. */
static HdStatus take_from(HdEval *e, const HdGiven *given, uint64_t item, unsigned lane,
                          const HdSlot *r)
{
    const size_t bytes = (size_t)hd_type_size(r->type);

    if (item < given->count && given->at[item] != NULL) {
        memcpy(hd_slot_at(r, lane), given->at[item], bytes);
        return HD_OK;
    }
    if (e->is_shadow) {
        memset(hd_slot_at(r, lane), 0, bytes);
        return HD_OK;
    }
    hd_eval_spoil(e, UINT64_C(1) << lane);
    return hd_eval_defect(e, UINT64_C(1) << lane, "check.broadcast",
                          "name a work-item of the group",
                          "a broadcast from a work-item that takes no part");
}

/* Words: 1 type, 2 result, 3 scope, 4 value, 5 local id. */
HdStatus hd_eval_group_broadcast(HdEval *e, const HdInst *in)
{
    HdGiven given = {0};
    uint64_t scope = 0;
    HdSlot r, x, id;
    HdStatus st = HD_OK;
    uint64_t mixed = 0;
    bool done;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[4], &x));
    HD_TRY(hd_eval_use_control(e, in->w[5], &id));
    HD_TRY(gather(e, in, &x, &given, &done));
    if (!done)
        return HD_OK;
    hd_module_constant_u64(e->m, in->w[3], &scope);
    for (HD_EACH_LANE(lane, st == HD_OK ? e->mask : 0)) {
        uint64_t item = named_item(e, &id, lane, scope == SpvScopeWorkgroup);

        if (item != named_item(e, &id, hd_lane_first(e->mask), scope == SpvScopeWorkgroup))
            mixed |= UINT64_C(1) << lane;
        st = take_from(e, &given, item, lane, &r);
    }
    hd_free(given.at);
    if (mixed != 0 && e->is_checked)
        return hd_eval_defect(e, mixed, "check.non-uniform",
                              "all work-items of the group must name the same one",
                              "a broadcast whose work-items name different sources");
    return st;
}

/* ---- copies that a work-group makes together ----------------------------------------------- */

static HdStatus value_at(HdEval *e, HdId id, unsigned lane, uint64_t *value)
{
    HdSlot s;

    HD_TRY(hd_eval_use(e, id, &s));
    *value = hd_bits_get(hd_slot_at(&s, lane), hd_type_size(s.type));
    return HD_OK;
}

/* Values that all work-items of the group must bring alike: this lane's, and do the others of the
 * sub-group, and the other sub-groups, have them too? */
static HdStatus bring(HdEval *e, const HdId *ids, unsigned count, uint64_t *first, uint64_t *odd)
{
    uint64_t other;

    for (unsigned i = 0; i < count; i++) {
        HD_TRY(value_at(e, ids[i], hd_lane_first(e->mask), &first[i]));
        for (HD_EACH_LANE(lane, e->is_checked ? e->mask : 0)) {
            HD_TRY(value_at(e, ids[i], lane, &other));
            *odd |= (uint64_t)(other != first[i]) << lane;
        }
    }
    return HD_OK;
}

static HdStatus tell_odd(HdEval *e, uint64_t odd, const char *what)
{
    return hd_eval_defect(e, odd, "check.non-uniform",
                          "all work-items of the group must bring the same operands", "%s", what);
}

/* Words 1 type, 2 result, 3 scope; `ids`: destination, source, elements, stride, event. The side
 * that is not local memory is strided. */
static HdStatus copy(HdEval *e, const HdInst *in, const HdId ids[HD_EVAL_BROUGHT], uint64_t bytes)
{
    uint64_t brought[HD_EVAL_BROUGHT], odd = 0, scope, event, stride;
    HdEvalCopy c = {.bytes = bytes};
    HdSlot r;

    if (!hd_module_constant_u64(e->m, in->w[3], &scope))
        return hd_eval_unsupported(e, "the execution scope is not a constant");
    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(bring(e, ids, HD_EVAL_BROUGHT, brought, &odd));
    if (e->is_checked && odd == 0 && scope == SpvScopeWorkgroup && !hd_eval_agrees(e, brought))
        odd = e->mask;
    if (odd != 0)
        HD_TRY(tell_odd(e, odd,
                        "an asynchronous copy whose work-items name different places, sizes "
                        "or events"));
    if (e->is_checked && brought[3] == 0 && brought[2] > 1)
        HD_TRY(hd_eval_defect(e, e->mask, "check.stride", "pass a stride of one element or more",
                              "an asynchronous copy of %llu elements with a stride of 0",
                              (unsigned long long)brought[2]));
    HD_TRY(hd_eval_storage(e, ids[1], &c.from.storage));
    HD_TRY(hd_eval_storage(e, ids[0], &c.to.storage));
    stride = bytes * brought[3];
    c.to = (HdEvalSide){ids[0], c.to.storage, brought[0], 1};
    c.from = (HdEvalSide){ids[1], c.from.storage, brought[1], 1};
    c.to_step = c.to.storage == SpvStorageClassWorkgroup ? bytes : stride;
    c.from_step = c.to.storage == SpvStorageClassWorkgroup ? stride : bytes;
    c.count = brought[2];
    event = brought[4];
    HD_TRY(hd_eval_begin_copy(e, &c, scope, &event));
    for (HD_EACH_LANE(lane, e->mask))
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type), event);
    return HD_OK;
}

/* Words: 4 destination, 5 source, 6 elements, 7 stride, 8 event. */
HdStatus hd_eval_group_async_copy(HdEval *e, const HdInst *in)
{
    const HdType *t = hd_module_type_of(e->m, in->w[4]);

    if (t == NULL || hd_type_element(t) == NULL || hd_type_size(hd_type_element(t)) == 0)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.pointer",
                           "the destination is not a pointer to a type with a size");
    return copy(e, in, in->w + 4, hd_type_size(hd_type_element(t)));
}

/* Words: 4 destination, 5 source, 6 bytes of an element, 7 elements, 8 stride, 9 event. */
HdStatus hd_eval_untyped_async_copy(HdEval *e, const HdInst *in)
{
    const HdId ids[HD_EVAL_BROUGHT] = {in->w[4], in->w[5], in->w[7], in->w[8], in->w[9]};
    uint64_t bytes;

    HD_TRY(value_at(e, in->w[6], hd_lane_first(e->mask), &bytes));
    return copy(e, in, ids, bytes);
}

/* Event number i of a lane's list. */
static HdStatus event_at(HdEval *e, unsigned lane, uint32_t storage, uint64_t list, uint64_t i,
                         uint64_t *event)
{
    HD_TRY(hd_eval_read(e, lane, storage, list + i * sizeof *event, sizeof *event, event,
                        sizeof *event));
    if (e->spoiled == 0)
        return HD_OK;
    e->spoiled = 0;
    return hd_eval_defect(e, UINT64_C(1) << lane, "check.uninitialised",
                          "wait for events that asynchronous copies gave",
                          "an event that has no value is waited for");
}

/* In a checked run, words as below: which copies are over. */
static HdStatus await(HdEval *e, const HdInst *in)
{
    uint64_t count, list, odd = 0, event, other, brought[HD_EVAL_BROUGHT] = {0};
    unsigned first = hd_lane_first(e->mask);
    uint32_t storage;

    HD_TRY(bring(e, &in->w[2], 1, &count, &odd));
    HD_TRY(hd_eval_storage(e, in->w[3], &storage));
    brought[0] = count;
    if (count == 0) /* how our compiler represents async_work_group_copy_fence */
        hd_eval_fence_copies(e);
    for (uint64_t i = 0; odd == 0 && i < count; i++) {
        HD_TRY(value_at(e, in->w[3], first, &list));
        HD_TRY(event_at(e, first, storage, list, i, &event));
        for (HD_EACH_LANE(lane, e->mask & ~(UINT64_C(1) << first))) {
            HD_TRY(value_at(e, in->w[3], lane, &list));
            HD_TRY(event_at(e, lane, storage, list, i, &other));
            odd |= (uint64_t)(other != event) << lane;
        }
        brought[1] = brought[1] * 31 + event;
        if (odd == 0)
            HD_TRY(hd_eval_await_copy(e, event));
    }
    hd_eval_end_wait(e);
    if (odd == 0 && !hd_eval_agrees(e, brought))
        odd = e->mask;
    return odd == 0 ? HD_OK
                    : tell_odd(e, odd, "work-items of a work-group wait for different events");
}

/* Words: 1 scope, 2 number, 3 events. */
HdStatus hd_eval_group_wait_events(HdEval *e, const HdInst *in)
{
    uint64_t scope;
    bool met;

    if (!hd_module_constant_u64(e->m, in->w[1], &scope))
        return hd_eval_unsupported(e, "the execution scope is not a constant");
    if (e->phase == 0 && e->is_checked && scope == SpvScopeWorkgroup)
        HD_TRY(await(e, in));
    if (e->phase == 0)
        hd_eval_order(e, scope, scope,
                      SpvMemorySemanticsSequentiallyConsistentMask |
                          SpvMemorySemanticsWorkgroupMemoryMask |
                          SpvMemorySemanticsCrossWorkgroupMemoryMask);
    return scope == SpvScopeWorkgroup ? hd_eval_meet(e, NULL, &met) : HD_OK;
}

/* Words: 1 type, 2 result, 3 scope. One number of 64 bits, or its lower and its upper half. */
HdStatus hd_eval_read_clock(HdEval *e, const HdInst *in)
{
    uint64_t now = hd_clock_ns();
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask))
        hd_bits_put(hd_slot_at(&r, lane), 8, now);
    return HD_OK;
}
