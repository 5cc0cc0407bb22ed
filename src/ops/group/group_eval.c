/* ops/group/group_eval.c -- operations that all work-items of a work-group or sub-group reach, in
 * the interpreter.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/memory.h"
#include "ops/evals.h"
#include "ops/subgroup/collective_eval.h"

/* Arithmetic. Words: 1 type, 2 result, 3 scope, 4 operation, 5 value. */
HdStatus hd_eval_group_reduce(HdEval *e, const HdInst *in)
{
    HdGiven given = {0};
    HdSlot r, x;
    HdStatus st;
    bool done;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[5], &x));
    HD_TRY(hd_eval_gather(e, in->w[3], &x, &given, &done));
    if (!done)
        return HD_OK;
    st = hd_eval_reduce(e, in, in->w[4], 0, &given, &r);
    hd_free(given.at);
    return st;
}

/* OpGroupAll, OpGroupAny. Words: 1 type, 2 result, 3 scope, 4 predicate. */
HdStatus hd_eval_group_vote(HdEval *e, const HdInst *in)
{
    bool all = in->opix == HD_OPIX_GroupAll, vote = all, done;
    HdGiven given = {0};
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[4], &x));
    HD_TRY(hd_eval_gather(e, in->w[3], &x, &given, &done));
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
    uint64_t bytes = hd_type_scalar(id->type)->size, item = 0, stride = 1;

    for (uint32_t i = 0; i < hd_type_lanes(id->type) && i < 3; i++) {
        item += stride * hd_bits_get(hd_slot_at(id, lane) + i * bytes, bytes);
        stride *= e->g->local_size[i];
    }
    return workgroup ? item : hd_bits_get(hd_slot_at(id, lane), bytes);
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
    HD_TRY(hd_eval_use(e, in->w[5], &id));
    HD_TRY(hd_eval_gather(e, in->w[3], &x, &given, &done));
    if (!done)
        return HD_OK;
    hd_module_constant_u64(e->m, in->w[3], &scope);
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t item = named_item(e, &id, lane, scope == SpvScopeWorkgroup);

        if (item != named_item(e, &id, hd_lane_first(e->mask), scope == SpvScopeWorkgroup))
            mixed |= UINT64_C(1) << lane;
        if (item >= given.count || given.at[item] == NULL) {
            st = hd_eval_defect(e, UINT64_C(1) << lane, "check.broadcast",
                                "name a work-item of the group",
                                "a broadcast from a work-item that takes no part");
            if (st != HD_OK)
                break;
            hd_eval_spoil(e, UINT64_C(1) << lane);
            continue;
        }
        memcpy(hd_slot_at(&r, lane), given.at[item], (size_t)r.type->size);
    }
    hd_free(given.at);
    if (mixed != 0 && e->is_checked)
        return hd_eval_defect(e, mixed, "check.non-uniform",
                              "all work-items of the group must name the same one",
                              "a broadcast whose work-items name different sources");
    return st;
}

/* ---- copies that a work-group makes together ----------------------------------------------- */

typedef struct Copy {
    HdId to, from, count, stride;
    uint64_t bytes; /* of an element */
} Copy;

static HdStatus value_at(HdEval *e, HdId id, unsigned lane, uint64_t *value)
{
    HdSlot s;

    HD_TRY(hd_eval_use(e, id, &s));
    *value = hd_bits_get(hd_slot_at(&s, lane), s.type->size);
    return HD_OK;
}

/* All work-items of the group must bring the same operands. */
static HdStatus check_operands(HdEval *e, const Copy *c, bool of_group)
{
    const HdId ids[4] = {c->to, c->from, c->count, c->stride};
    uint64_t first[4], other, odd = 0;

    for (unsigned i = 0; i < 4; i++) {
        HD_TRY(value_at(e, ids[i], hd_lane_first(e->mask), &first[i]));
        for (HD_EACH_LANE(lane, e->mask)) {
            HD_TRY(value_at(e, ids[i], lane, &other));
            odd |= (uint64_t)(other != first[i]) << lane;
        }
    }
    if (odd == 0 && of_group && !hd_eval_agrees(e, first))
        odd = e->mask;
    if (odd == 0)
        return HD_OK;
    return hd_eval_defect(e, odd, "check.non-uniform",
                          "all work-items of the group must bring the same operands",
                          "an asynchronous copy whose work-items name different places or sizes");
}

/* Done at once, by the first lane of the first sub-group: nobody may look before the wait.
 * The side that is not local memory is strided. */
static HdStatus copy(HdEval *e, const Copy *c, HdId scope)
{
    unsigned lane = hd_lane_first(e->mask);
    uint64_t to, from, count, stride, of;
    uint32_t to_storage, from_storage;

    if (!hd_module_constant_u64(e->m, scope, &of))
        return hd_eval_unsupported(e, "the execution scope is no constant");
    if (e->is_checked)
        HD_TRY(check_operands(e, c, of == SpvScopeWorkgroup));
    if (of == SpvScopeWorkgroup && e->subgroup != 0)
        return HD_OK;
    HD_TRY(hd_eval_storage(e, c->to, &to_storage));
    HD_TRY(hd_eval_storage(e, c->from, &from_storage));
    HD_TRY(value_at(e, c->to, lane, &to));
    HD_TRY(value_at(e, c->from, lane, &from));
    HD_TRY(value_at(e, c->count, lane, &count));
    HD_TRY(value_at(e, c->stride, lane, &stride));
    for (uint64_t i = 0; i < count; i++) {
        bool gathers = to_storage == SpvStorageClassWorkgroup;
        HdEvalSide source = {c->from, from_storage, from + i * c->bytes * (gathers ? stride : 1),
                             1};
        HdEvalSide target = {c->to, to_storage, to + i * c->bytes * (gathers ? 1 : stride), 1};

        HD_TRY(hd_eval_move(e, lane, &target, &source, c->bytes));
    }
    return HD_OK;
}

/* Nobody looks into an event: it is a number that is not 0. */
static HdStatus put_event(HdEval *e, const HdInst *in)
{
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask))
        hd_bits_put(hd_slot_at(&r, lane), r.type->size, 1);
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 scope, 4 destination, 5 source, 6 elements, 7 stride, 8 event. */
HdStatus hd_eval_group_async_copy(HdEval *e, const HdInst *in)
{
    const HdType *t = hd_module_type_of(e->m, in->w[4]);
    Copy c = {in->w[4], in->w[5], in->w[6], in->w[7], 0};

    if (t == NULL || t->element == NULL || t->element->size == 0)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.pointer",
                           "the destination is no pointer to a type with a size");
    c.bytes = t->element->size;
    HD_TRY(copy(e, &c, in->w[3]));
    return put_event(e, in);
}

/* Words: 1 type, 2 result, 3 scope, 4 destination, 5 source, 6 bytes of an element, 7 elements,
 * 8 stride, 9 event. */
HdStatus hd_eval_untyped_async_copy(HdEval *e, const HdInst *in)
{
    Copy c = {in->w[4], in->w[5], in->w[7], in->w[8], 0};

    HD_TRY(value_at(e, in->w[6], hd_lane_first(e->mask), &c.bytes));
    HD_TRY(copy(e, &c, in->w[3]));
    return put_event(e, in);
}

/* Words: 1 scope, 2 number, 3 events. */
HdStatus hd_eval_group_wait_events(HdEval *e, const HdInst *in)
{
    uint64_t scope;
    bool met;

    if (!hd_module_constant_u64(e->m, in->w[1], &scope))
        return hd_eval_unsupported(e, "the execution scope is no constant");
    if (e->phase == 0)
        hd_eval_order(e, scope, scope,
                      SpvMemorySemanticsSequentiallyConsistentMask |
                          SpvMemorySemanticsWorkgroupMemoryMask |
                          SpvMemorySemanticsCrossWorkgroupMemoryMask);
    return scope == SpvScopeWorkgroup ? hd_eval_meet(e, NULL, &met) : HD_OK;
}
