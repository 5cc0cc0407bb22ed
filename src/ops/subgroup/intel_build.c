/* ops/subgroup/intel_build.c -- SPV_INTEL_subgroups: shuffles of two values, block reads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"
#include "ops/subgroup/collective_build.h"

static HdIrRef lanes(HdBuild *b)
{
    return hd_build_id(b, HD_BUILTIN_SUBGROUP_MAX_SIZE, 0);
}

static HdStatus shuffle_one(HdBuild *b, const HdInst *in)
{
    HdIrCollective what =
        in->opix == HD_OPIX_SubgroupShuffleINTEL ? HD_COLL_SHUFFLE : HD_COLL_SHUFFLE_XOR;
    HdIrRef lane, *refs;
    HdBuildValue v;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    HD_TRY(hd_build_use1(b, in->w[4], &lane));
    lane = hd_build_resize(b, lane, HD_IR_I32, false);
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        const HdIrRef args[2] = {v.at[i], lane};

        refs[i] = hd_build_collective(b, what, hd_build_type_at(b, v.at[i]), 0, args, 2);
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Two values are concatenated, lane numbers run from the first into the second. Down reads `delta`
 * after this lane of the first, up reads `delta` before this lane of the second.
 * Words: 1 type, 2 result, 3 first, 4 second, 5 delta. */
static HdStatus shuffle_two(HdBuild *b, const HdInst *in)
{
    bool down = in->opix == HD_OPIX_SubgroupShuffleDownINTEL;
    HdIrRef delta, lane, size, from, wrapped, in_first, *refs;
    HdBuildValue v[2];

    HD_TRY(hd_build_operands(b, in, 3, 2, v));
    HD_TRY(hd_build_use1(b, in->w[5], &delta));
    delta = hd_build_resize(b, delta, HD_IR_I32, false);
    lane = hd_build_id(b, HD_BUILTIN_SUBGROUP_LOCAL_ID, 0);
    size = lanes(b);
    from = hd_build_op2(b, down ? HD_IR_ADD : HD_IR_SUB, HD_IR_I32, lane, delta);
    /* The size is a power of two. */
    wrapped =
        hd_build_op2(b, HD_IR_AND, HD_IR_I32, from,
                     hd_build_op2(b, HD_IR_SUB, HD_IR_I32, size, hd_build_const(b, HD_IR_I32, 1)));
    in_first = down ? hd_build_icmp(b, HD_IR_ULT, from, size)
                    : hd_build_icmp(b, HD_IR_SLT, from, hd_build_const(b, HD_IR_I32, 0));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrType t = hd_build_type_at(b, v[0].at[i]);
        const HdIrRef first[2] = {v[0].at[i], wrapped}, second[2] = {v[1].at[i], wrapped};
        HdIrRef x = hd_build_collective(b, HD_COLL_SHUFFLE, t, 0, first, 2);
        HdIrRef y = hd_build_collective(b, HD_COLL_SHUFFLE, t, 0, second, 2);

        refs[i] = hd_build_select(b, t, in_first, x, y);
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

HdStatus hd_build_intel_shuffle(HdBuild *b, const HdInst *in)
{
    return in->opix == HD_OPIX_SubgroupShuffleINTEL || in->opix == HD_OPIX_SubgroupShuffleXorINTEL
               ? shuffle_one(b, in)
               : shuffle_two(b, in);
}

/* ---- blocks of memory ---------------------------------------------------------------------- */

HdIrRef hd_build_of_block(HdBuild *b, HdIrRef x)
{
    return hd_build_collective(b, HD_COLL_BROADCAST_FIRST, hd_build_type_at(b, x), HD_COLL_OF_BLOCK,
                               &x, 1);
}

/* The address of a block is one: the first lane's, which is also what Intel's GPUs and its runtime
 * for CPUs take (OpenVINO adds the lane's number to it). What is added to a pointer is taken from
 * that lane, not the sum: so it remains known where the pointer leads. */
static HdStatus block_base(HdBuild *b, HdId pointer, HdIrRef *base)
{
    const HdIrFunc *f = b->fn;
    HdIrRef bytes = 0;

    HD_TRY(hd_build_use1(b, pointer, base));
    while (f->insts.at[*base].op == HD_IR_PTRADD) {
        HdIrRef more = hd_ir_arg(f, *base, 1);

        bytes = bytes == 0 ? more : hd_build_op2(b, HD_IR_ADD, HD_IR_I64, bytes, more);
        *base = hd_ir_arg(f, *base, 0);
    }
    if (f->insts.at[*base].op != HD_IR_KARG && f->insts.at[*base].op != HD_IR_LOCAL_ADDR)
        *base = hd_build_of_block(b, *base);
    if (bytes != 0)
        *base = hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, *base, hd_build_of_block(b, bytes));
    return HD_OK;
}

/* Address of this lane's component i of a block. */
static HdIrRef block_place(HdBuild *b, HdIrRef base, uint32_t i, uint64_t bytes)
{
    HdIrRef size = hd_build_op2(b, HD_IR_MUL, HD_IR_I32, lanes(b), hd_build_const(b, HD_IR_I32, i));
    HdIrRef at = hd_build_op2(b, HD_IR_ADD, HD_IR_I32, size,
                              hd_build_id(b, HD_BUILTIN_SUBGROUP_LOCAL_ID, 0));

    at = hd_build_op2(b, HD_IR_MUL, HD_IR_I64, hd_build_resize(b, at, HD_IR_I64, false),
                      hd_build_const(b, HD_IR_I64, bytes));
    return hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, base, at);
}

/* Words: 1 type, 2 result, 3 pointer. */
HdStatus hd_build_intel_block_read(HdBuild *b, const HdInst *in)
{
    const HdBuildFlat *flat;
    const HdType *t;
    HdBuildAccess how;
    HdIrRef base, *refs;
    unsigned next;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(hd_build_flatten(b, t, &flat));
    HD_TRY(hd_build_access(b, in, in->nwords, in->w[3], &how, &next));
    HD_TRY(block_base(b, in->w[3], &base));
    HD_TRY(hd_build_room(b, flat->count, &refs));
    for (uint32_t i = 0; i < flat->count; i++) {
        HdIrRef at = block_place(b, base, i, hd_ir_type_bytes(flat->types[i]));

        refs[i] = hd_build_load1(b, at, 0, flat->types[i], &how);
    }
    return hd_build_bind(b, in->w[2], refs, flat->count);
}

/* Words: 1 pointer, 2 data. */
HdStatus hd_build_intel_block_write(HdBuild *b, const HdInst *in)
{
    HdBuildAccess how;
    HdBuildValue v;
    HdIrRef base;
    unsigned next;

    HD_TRY(hd_build_access(b, in, in->nwords, in->w[1], &how, &next));
    HD_TRY(block_base(b, in->w[1], &base));
    HD_TRY(hd_build_use(b, in->w[2], &v));
    for (uint32_t i = 0; i < v.count; i++) {
        uint64_t bytes = hd_ir_type_bytes(hd_build_type_at(b, v.at[i]));

        hd_build_store1(b, block_place(b, base, i, bytes), 0, v.at[i], &how);
    }
    return HD_OK;
}
