/* ops/group/group_build.c -- operations of a whole work-group or sub-group.
 *
 * A sub-group's is a COLLECTIVE. A work-group's combines the results of its sub-groups: each stores
 * its total in a slot of hidden local memory (HdKernelInfo.group_scratch), and after a barrier the
 * first sub-group combines the slots, in order, so that results do not depend on the order in which
 * sub-groups run. After a second barrier each reads its own result. The next operation overwrites
 * that only after its first barrier, when all have read it; what it stores before that is in a slot
 * that no other sub-group reads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/group/group_build.h"

#include "ops/build_fns.h"
#include "ops/subgroup/collective_build.h"
#include "rt/abi.h"

#define SLOT_BYTES 8u
/* Behind the slots of sub-groups: the whole of a reduction, components of a broadcast. */
#define TOTAL_SLOT     (HD_GROUP_SCRATCH_BYTES - 17 * SLOT_BYTES)
#define BROADCAST_SLOT (HD_GROUP_SCRATCH_BYTES - 16 * SLOT_BYTES)

static const HdBuildAccess in_slot = {.space = HD_SPACE_LOCAL, .align = SLOT_BYTES};

HdStatus hd_build_group_scope(HdBuild *b, const HdInst *in, HdId id, bool *is_workgroup)
{
    uint64_t scope;

    if (!hd_module_constant_u64(b->m, id, &scope) ||
        (scope != SpvScopeWorkgroup && scope != SpvScopeSubgroup))
        return hd_build_unsupported(b, in, "scope is neither Workgroup nor Subgroup");
    *is_workgroup = scope == SpvScopeWorkgroup;
    if (*is_workgroup && b->kernel->group_scratch == UINT64_MAX)
        return HD_BUG;
    return HD_OK;
}

static HdIrRef slots(HdBuild *b)
{
    return hd_ir_emit_sub(b->fn, b->block, HD_IR_LOCAL_ADDR, HD_IR_PTR, 0, b->kernel->group_scratch,
                          NULL, 0);
}

/* Address of an I32-numbered slot. */
static HdIrRef slot(HdBuild *b, HdIrRef base, HdIrRef number)
{
    HdIrRef bytes =
        hd_build_op2(b, HD_IR_MUL, HD_IR_I64, hd_build_resize(b, number, HD_IR_I64, false),
                     hd_build_const(b, HD_IR_I64, SLOT_BYTES));

    return hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, base, bytes);
}

void hd_build_group_barrier(HdBuild *b, HdIrSpace space)
{
    hd_ir_emit_sub(b->fn, b->block, HD_IR_BARRIER, HD_IR_VOID, 0, HD_IR_ORDER(HD_IR_ACQ_REL, space),
                   NULL, 0);
}

HdIrRef hd_build_group_place(HdBuild *b)
{
    return hd_build_offset(b, slots(b), BROADCAST_SLOT);
}

void hd_build_group_tell(HdBuild *b, HdIrRef place, uint32_t number, HdIrRef x)
{
    hd_build_store1(b, place, (uint64_t)number * SLOT_BYTES, x, &in_slot);
}

HdIrRef hd_build_group_told(HdBuild *b, HdIrRef place, uint32_t number, HdIrType t)
{
    return hd_build_load1(b, place, (uint64_t)number * SLOT_BYTES, t, &in_slot);
}

/* Called in the first sub-group's part only: goes through the slots in order. A scan finds in each
 * slot what those before it make together (nothing useful in the first); a reduction finds the
 * whole in the total's place. Leaves the builder in the last block of that part. */
static void go_through(HdBuild *b, HdIrOp op, HdIrType t, HdIrRef base, bool is_scan)
{
    HdIrRef first = hd_build_load1(b, base, 0, t, &in_slot), own, x;
    HdIrRef start = hd_build_const(b, HD_IR_I32, 1), index, sum, next_index, next_sum;
    HdIrRef limit = hd_build_id(b, HD_BUILTIN_NUM_SUBGROUPS, 0);
    uint32_t before = b->block, head = hd_build_split(b), body = hd_build_split(b);
    uint32_t last = hd_build_split(b);

    hd_ir_br(b->fn, before, head);
    b->block = head;
    index = hd_build_op0(b, HD_IR_PHI, HD_IR_I32);
    sum = hd_build_op0(b, HD_IR_PHI, t);
    hd_ir_condbr(b->fn, head, hd_build_icmp(b, HD_IR_ULT, index, limit), body, last);
    b->block = body;
    own = slot(b, base, index);
    x = hd_build_load1(b, own, 0, t, &in_slot);
    if (is_scan)
        hd_build_store1(b, own, 0, sum, &in_slot);
    next_sum = hd_build_op2(b, op, t, sum, x);
    next_index = hd_build_op2(b, HD_IR_ADD, HD_IR_I32, index, start);
    hd_ir_br(b->fn, body, head);
    if (index && sum) {
        const HdIrRef indexes[4] = {before, start, body, next_index};
        const HdIrRef sums[4] = {before, first, body, next_sum};

        hd_ir_set_args(b->fn, index, indexes, 4);
        hd_ir_set_args(b->fn, sum, sums, 4);
    }
    b->block = last;
    if (!is_scan)
        hd_build_store1(b, base, TOTAL_SLOT, sum, &in_slot);
}

/* One scalar over the work-group. */
static HdIrRef over_group(HdBuild *b, HdIrCollective collective, HdIrOp op, unsigned how, HdIrRef x)
{
    HdIrType t = hd_build_type_at(b, x);
    HdIrRef total = hd_build_collective(b, collective, t, HD_IR_COLL_IMM(HD_COLL_REDUCE, 0), &x, 1);
    HdIrRef own = 0, base, id, sum, is_first;
    uint32_t before, part, after;

    if (how != HD_COLL_REDUCE)
        own = hd_build_collective(b, collective, t, HD_IR_COLL_IMM(how, 0), &x, 1);
    base = slots(b);
    id = hd_build_id(b, HD_BUILTIN_SUBGROUP_ID, 0);
    is_first = hd_build_icmp(b, HD_IR_EQ, id, hd_build_const(b, HD_IR_I32, 0));
    hd_build_store1(b, slot(b, base, id), 0, total, &in_slot);
    hd_build_group_barrier(b, HD_SPACE_LOCAL);
    before = b->block;
    part = hd_build_split(b);
    b->block = part;
    go_through(b, op, t, base, how != HD_COLL_REDUCE);
    after = hd_build_split(b);
    hd_ir_condbr(b->fn, before, is_first, part, after);
    hd_ir_br(b->fn, b->block, after);
    b->block = after;
    hd_build_group_barrier(b, HD_SPACE_LOCAL);
    if (how == HD_COLL_REDUCE)
        return hd_build_load1(b, base, TOTAL_SLOT, t, &in_slot);
    sum = hd_build_load1(b, slot(b, base, id), 0, t, &in_slot);
    return hd_build_select(b, t, is_first, own, hd_build_op2(b, op, t, sum, own));
}

/* One over the sub-group, all of which reach it. */
static HdIrRef over_subgroup(HdBuild *b, HdIrCollective what, HdIrType t, uint64_t imm,
                             const HdIrRef *args, unsigned count)
{
    HdIrRef r = hd_build_collective(b, what, t, imm, args, count);

    if (r != 0)
        hd_ir_inst(b->fn, r)->flags |= HD_IR_UNIFORM;
    return r;
}

/* Words: 1 type, 2 result, 3 scope, 4 operation, 5 value. */
HdStatus hd_build_group_combine(HdBuild *b, const HdInst *in)
{
    const HdCollective *c = hd_build_collective_of(in->opix);
    bool is_workgroup;
    HdBuildValue v;
    HdIrRef *refs;
    unsigned how = HD_COLL_REDUCE;

    if (c == NULL)
        return HD_BUG;
    HD_TRY(hd_build_group_scope(b, in, in->w[3], &is_workgroup));
    HD_TRY(hd_build_group_operation(b, in, in->w[4], &how));
    HD_TRY(hd_build_use(b, in->w[5], &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++)
        refs[i] = is_workgroup ? over_group(b, c->collective, c->op, how, v.at[i])
                               : over_subgroup(b, c->collective, hd_build_type_at(b, v.at[i]),
                                               HD_IR_COLL_IMM(how, 0), &v.at[i], 1);
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* OpGroupAll, OpGroupAny. Words: 1 type, 2 result, 3 scope, 4 predicate. */
HdStatus hd_build_group_vote(HdBuild *b, const HdInst *in)
{
    bool is_all = in->opix == HD_OPIX_GroupAll, is_workgroup;
    HdIrRef x, r;

    HD_TRY(hd_build_group_scope(b, in, in->w[3], &is_workgroup));
    HD_TRY(hd_build_use1(b, in->w[4], &x));
    if (is_workgroup)
        r = over_group(b, is_all ? HD_COLL_AND : HD_COLL_OR, is_all ? HD_IR_AND : HD_IR_OR,
                       HD_COLL_REDUCE, x);
    else
        r = over_subgroup(b, is_all ? HD_COLL_ALL : HD_COLL_ANY, HD_IR_BOOL, 0, &x, 1);
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* Is this the work-item with that local id, of one to three dimensions? */
static HdStatus is_item(HdBuild *b, const HdInst *in, HdId id, HdIrRef *out)
{
    HdBuildValue v;

    HD_TRY(hd_build_use(b, id, &v));
    if (v.count < 1 || v.count > 3)
        return hd_build_bad(b, in, "local id must have one to three components");
    *out = hd_build_const(b, HD_IR_BOOL, 1);
    for (uint32_t i = 0; i < v.count; i++) {
        HdIrRef same = hd_build_icmp(b, HD_IR_EQ, hd_build_id(b, HD_BUILTIN_LOCAL_ID, i),
                                     hd_build_resize(b, v.at[i], HD_IR_I64, false));

        *out = hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, *out, same);
    }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 scope, 4 value, 5 local id: of the sub-group one number, of the
 * work-group up to three. */
HdStatus hd_build_group_broadcast(HdBuild *b, const HdInst *in)
{
    HdIrRef is = 0, base, *refs;
    uint32_t after;
    bool is_workgroup;
    HdBuildValue v;

    HD_TRY(hd_build_group_scope(b, in, in->w[3], &is_workgroup));
    HD_TRY(hd_build_use(b, in->w[4], &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    if (!is_workgroup) {
        HdIrRef args[2];

        HD_TRY(hd_build_use1(b, in->w[5], &args[1]));
        args[1] = hd_build_resize(b, args[1], HD_IR_I32, false);
        for (uint32_t i = 0; i < v.count; i++) {
            args[0] = v.at[i];
            refs[i] = over_subgroup(b, HD_COLL_BROADCAST, hd_build_type_at(b, v.at[i]), 0, args, 2);
        }
        return hd_build_bind(b, in->w[2], refs, v.count);
    }
    if (v.count > 16)
        return hd_build_unsupported(b, in, "more than 16 components");
    HD_TRY(is_item(b, in, in->w[5], &is));
    base = hd_build_group_place(b);
    after = hd_build_where(b, is);
    for (uint32_t i = 0; i < v.count; i++)
        hd_build_group_tell(b, base, i, v.at[i]);
    hd_build_end_where(b, after);
    hd_build_group_barrier(b, HD_SPACE_LOCAL);
    for (uint32_t i = 0; i < v.count; i++)
        refs[i] = hd_build_group_told(b, base, i, hd_build_type_at(b, v.at[i]));
    hd_build_group_barrier(b, HD_SPACE_LOCAL);
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Words: 1 type, 2 result, 3 scope, which need not be known: all scopes have one clock. */
HdStatus hd_build_read_clock(HdBuild *b, const HdInst *in)
{
    HdIrRef now =
        hd_ir_emit_sub(b->fn, b->block, HD_IR_RTCALL, HD_IR_I64, HD_RTFN_clock, 0, NULL, 0);
    HdIrRef halves[2];
    const HdType *t;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    if (t->kind == HD_T_INT)
        return hd_build_bind(b, in->w[2], &now, 1);
    halves[0] = hd_build_resize(b, now, HD_IR_I32, false);
    halves[1] = hd_build_resize(
        b, hd_build_op2(b, HD_IR_LSHR, HD_IR_I64, now, hd_build_const(b, HD_IR_I64, 32)), HD_IR_I32,
        false);
    return hd_build_bind(b, in->w[2], halves, 2);
}
