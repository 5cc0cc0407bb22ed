/* ops/pipe/pipe_build.c -- pipes: calls of the runtime, lane by lane (rt/pipe.h).
 *
 * Group operations are performed by one work-item for all: it reserves and broadcasts the
 * reservation; it commits when all have arrived, so that their packets are complete.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"
#include "ops/group/group_build.h"
#include "ops/pipe/pipe_side.h"
#include "ops/subgroup/collective_build.h"
#include "rt/abi.h"
#include "rt/pipe.h"

#define MOST_OPERANDS 6u

/* Call a function of pipes with the operands of words at … at + count - 1, the pipe first. */
static HdStatus call(HdBuild *b, const HdInst *in, HdRtFn fn, HdIrType result, unsigned at,
                     unsigned count, HdIrRef *out)
{
    HdIrRef args[MOST_OPERANDS];

    HD_TRY(hd_build_use1(b, in->w[at], &args[0]));
    args[1] = hd_build_const(b, HD_IR_I32, hd_pipe_writes(in->opix));
    for (unsigned i = 1; i < count; i++)
        HD_TRY(hd_build_use1(b, in->w[at + i], &args[1 + i]));
    *out = hd_ir_emit_sub(b->fn, b->block, HD_IR_RTCALL, result, fn, 0, args, count + 1);
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 pipe [, 4 reservation, 5 index], packet's address, its size. */
HdStatus hd_build_pipe_access(HdBuild *b, const HdInst *in)
{
    bool reserved = in->opix == HD_OPIX_ReservedReadPipe || in->opix == HD_OPIX_ReservedWritePipe;
    HdIrRef x;

    HD_TRY(call(b, in, reserved ? HD_RTFN_pipe_move_at : HD_RTFN_pipe_move, HD_IR_I32, 3,
                reserved ? 5 : 3, &x));
    return hd_build_bind(b, in->w[2], &x, 1);
}

/* Words: 1 type, 2 result, 3 pipe, 4 packets. */
HdStatus hd_build_pipe_reserve(HdBuild *b, const HdInst *in)
{
    HdIrRef x;

    HD_TRY(call(b, in, HD_RTFN_pipe_reserve, HD_IR_I64, 3, 2, &x));
    return hd_build_bind(b, in->w[2], &x, 1);
}

/* Words: 1 pipe, 2 reservation. */
HdStatus hd_build_pipe_commit(HdBuild *b, const HdInst *in)
{
    HdIrRef x;

    return call(b, in, HD_RTFN_pipe_commit, HD_IR_VOID, 1, 2, &x);
}

/* Words: 1 type, 2 result, 3 reservation. */
HdStatus hd_build_pipe_valid(HdBuild *b, const HdInst *in)
{
    HdIrRef x;

    HD_TRY(hd_build_use1(b, in->w[3], &x));
    x = hd_build_icmp(b, HD_IR_NE, x, hd_build_const(b, HD_IR_I64, 0));
    return hd_build_bind(b, in->w[2], &x, 1);
}

/* Words: 1 type, 2 result, 3 pipe. */
HdStatus hd_build_pipe_count(HdBuild *b, const HdInst *in)
{
    const HdBuildAccess how = {.space = HD_SPACE_CONSTANT, .flags = HD_IR_INVARIANT};
    HdIrRef x;

    if (in->opix == HD_OPIX_GetNumPipePackets) {
        HD_TRY(call(b, in, HD_RTFN_pipe_packets, HD_IR_I32, 3, 1, &x));
        return hd_build_bind(b, in->w[2], &x, 1);
    }
    HD_TRY(hd_build_use1(b, in->w[3], &x));
    x = hd_build_load1(b, hd_build_op1(b, HD_IR_BITCAST, HD_IR_PTR, x),
                       offsetof(HdPipe, max_packets), HD_IR_I32, &how);
    return hd_build_bind(b, in->w[2], &x, 1);
}

/* ---- by groups ------------------------------------------------------------------------------- */

/* Is this the work-item that acts for the group: its first, or the first lane that is here? */
static HdIrRef acts(HdBuild *b, bool is_workgroup)
{
    if (!is_workgroup)
        return hd_build_collective(b, HD_COLL_ELECT, HD_IR_BOOL, 0, NULL, 0);
    return hd_build_icmp(b, HD_IR_EQ, hd_build_id(b, HD_BUILTIN_LOCAL_LINEAR_ID, 0),
                         hd_build_const(b, HD_IR_I64, 0));
}

static HdStatus reserve_for_workgroup(HdBuild *b, const HdInst *in, HdIrRef *id)
{
    HdIrRef place = hd_build_group_place(b);
    uint32_t after = hd_build_where(b, acts(b, true));

    HD_TRY(call(b, in, HD_RTFN_pipe_reserve, HD_IR_I64, 4, 2, id));
    hd_build_group_tell(b, place, 0, *id);
    hd_build_end_where(b, after);
    hd_build_group_barrier(b, HD_SPACE_LOCAL);
    *id = hd_build_group_told(b, place, 0, HD_IR_I64);
    hd_build_group_barrier(b, HD_SPACE_LOCAL);
    return HD_OK;
}

static HdStatus reserve_for_subgroup(HdBuild *b, const HdInst *in, HdIrRef *id)
{
    HdIrRef is = acts(b, false), ways[4] = {b->block, hd_build_const(b, HD_IR_I64, 0)};
    uint32_t after = hd_build_where(b, is);

    ways[2] = b->block;
    HD_TRY(call(b, in, HD_RTFN_pipe_reserve, HD_IR_I64, 4, 2, &ways[3]));
    hd_build_end_where(b, after);
    *id = hd_ir_emit(b->fn, after, HD_IR_PHI, HD_IR_I64, ways, 4);
    *id = hd_build_collective(b, HD_COLL_BROADCAST_FIRST, HD_IR_I64, 0, id, 1);
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 scope, 4 pipe, 5 packets. */
HdStatus hd_build_pipe_group_reserve(HdBuild *b, const HdInst *in)
{
    bool is_workgroup;
    HdIrRef id = 0;

    HD_TRY(hd_build_group_scope(b, in, in->w[3], &is_workgroup));
    HD_TRY(is_workgroup ? reserve_for_workgroup(b, in, &id) : reserve_for_subgroup(b, in, &id));
    return hd_build_bind(b, in->w[2], &id, 1);
}

/* Words: 1 scope, 2 pipe, 3 reservation. */
HdStatus hd_build_pipe_group_commit(HdBuild *b, const HdInst *in)
{
    bool is_workgroup;
    uint32_t after;
    HdIrRef x;

    HD_TRY(hd_build_group_scope(b, in, in->w[1], &is_workgroup));
    if (is_workgroup)
        hd_build_group_barrier(b, HD_SPACE_GENERIC);
    after = hd_build_where(b, acts(b, is_workgroup));
    HD_TRY(call(b, in, HD_RTFN_pipe_commit, HD_IR_VOID, 2, 2, &x));
    hd_build_end_where(b, after);
    return HD_OK;
}

/* ---- pipes of the program -------------------------------------------------------------------- */

/* Words: 1 type, 2 result, 3 storage. */
HdStatus hd_build_pipe_from_storage(HdBuild *b, const HdInst *in)
{
    HdIrRef x;

    HD_TRY(hd_build_use1(b, in->w[3], &x));
    x = hd_build_op1(b, HD_IR_BITCAST, HD_IR_I64, x);
    return hd_build_bind(b, in->w[2], &x, 1);
}
