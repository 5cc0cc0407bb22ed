/* codegen/collective.c -- operations of all lanes of a sub-group together.
 *
 * Results are defined for the active lanes only. Reductions and scans go through the lanes in
 * order; shuffles go through memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/gen.h"

static LLVMValueRef full_mask(HdGen *g)
{
    return LLVMConstAllOnes(LLVMVectorType(g->i1, g->width));
}

static LLVMValueRef bits_of(HdGen *g, LLVMValueRef mask)
{
    LLVMTypeRef narrow = LLVMIntTypeInContext(g->c, g->width);

    return LLVMBuildZExtOrBitCast(g->b, LLVMBuildBitCast(g->b, mask, narrow, ""), g->i64, "");
}

static LLVMValueRef two(HdGen *g, const char *name, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef over = LLVMTypeOf(x);
    LLVMValueRef args[2] = {x, y};

    return hd_gen_intrinsic(g, name, &over, 1, args, 2);
}

static LLVMValueRef combine(HdGen *g, HdIrCollective op, LLVMValueRef x, LLVMValueRef y)
{
    switch (op) {
    case HD_COLL_ADD: return LLVMBuildAdd(g->b, x, y, "");
    case HD_COLL_MUL: return LLVMBuildMul(g->b, x, y, "");
    case HD_COLL_UMIN: return two(g, "llvm.umin", x, y);
    case HD_COLL_UMAX: return two(g, "llvm.umax", x, y);
    case HD_COLL_SMIN: return two(g, "llvm.smin", x, y);
    case HD_COLL_SMAX: return two(g, "llvm.smax", x, y);
    case HD_COLL_AND: return LLVMBuildAnd(g->b, x, y, "");
    case HD_COLL_OR: return LLVMBuildOr(g->b, x, y, "");
    case HD_COLL_XOR: return LLVMBuildXor(g->b, x, y, "");
    case HD_COLL_FADD: return LLVMBuildFAdd(g->b, x, y, "");
    case HD_COLL_FMUL: return LLVMBuildFMul(g->b, x, y, "");
    case HD_COLL_FMIN: return hd_gen_extreme(g, false, x, y);
    case HD_COLL_FMAX: return hd_gen_extreme(g, true, x, y);
    default: hd_gen_fail(g, HD_BUG, "collective %u does not combine", (unsigned)op); return x;
    }
}

static uint64_t power(HdIrType t, bool is_negative_infinity)
{
    static const uint64_t infinity[] = {0x7c00, 0x7f800000, 0x7ff0000000000000};
    uint64_t bits = infinity[t - HD_IR_F16];

    return is_negative_infinity ? bits | UINT64_C(1) << (hd_ir_type_bits(t) - 1) : bits;
}

/* The value that combines with any other to that other. */
static LLVMValueRef identity(HdGen *g, HdIrCollective op, HdIrType t)
{
    unsigned bits = hd_ir_type_bits(t);
    uint64_t x = 0;

    switch (op) {
    case HD_COLL_MUL: x = 1; break;
    case HD_COLL_UMIN:
    case HD_COLL_AND: x = UINT64_MAX; break;
    case HD_COLL_SMIN: x = (UINT64_C(1) << (bits - 1)) - 1; break;
    case HD_COLL_SMAX: x = UINT64_C(1) << (bits - 1); break;
    case HD_COLL_FMUL: return LLVMConstReal(g->scalar[t], 1.0);
    case HD_COLL_FMIN: x = power(t, false); break;
    case HD_COLL_FMAX: x = power(t, true); break;
    default: break;
    }
    if (!hd_ir_is_float(t))
        return LLVMConstInt(g->scalar[t], x, 0);
    return LLVMConstBitCast(LLVMConstInt(LLVMIntTypeInContext(g->c, bits), x, 0), g->scalar[t]);
}

static LLVMValueRef at_lane(HdGen *g, LLVMTypeRef type, LLVMValueRef array, LLVMValueRef lane)
{
    return LLVMBuildGEP2(g->b, type, array, &lane, 1, "");
}

static LLVMTypeRef stored_type(HdGen *g, HdIrType t)
{
    return t == HD_IR_BOOL ? g->i8 : g->scalar[t];
}

/* All lanes' values as an array on the stack; BOOL as bytes. */
static LLVMValueRef spill(HdGen *g, LLVMValueRef v, HdIrType t)
{
    LLVMValueRef at = hd_gen_stack(g, (uint64_t)g->width * 8);

    if (t == HD_IR_BOOL)
        v = LLVMBuildZExt(g->b, v, LLVMVectorType(g->i8, g->width), "");
    LLVMBuildStore(g->b, v, at);
    return at;
}

static LLVMValueRef unspill(HdGen *g, LLVMValueRef at, HdIrType t)
{
    LLVMTypeRef type = LLVMVectorType(stored_type(g, t), g->width);
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, at, "");

    return t == HD_IR_BOOL ? LLVMBuildTrunc(g->b, v, g->vector[t], "") : v;
}

static LLVMValueRef load_lane(HdGen *g, HdIrType t, LLVMValueRef array, LLVMValueRef lane)
{
    LLVMTypeRef type = stored_type(g, t);
    LLVMValueRef x = LLVMBuildLoad2(g->b, type, at_lane(g, type, array, lane), "");

    return t == HD_IR_BOOL ? LLVMBuildTrunc(g->b, x, g->i1, "") : x;
}

static void store_lane(HdGen *g, HdIrType t, LLVMValueRef x, LLVMValueRef array, LLVMValueRef lane)
{
    if (t == HD_IR_BOOL)
        x = LLVMBuildZExt(g->b, x, g->i8, "");
    LLVMBuildStore(g->b, x, at_lane(g, stored_type(g, t), array, lane));
}

/* Reductions and scans, of the whole sub-group or of clusters of lanes. Clusters keep one
 * accumulator each, in memory, by lane / cluster. */
static void reduce(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrType t = (HdIrType)in->type;
    HdIrCollective op = (HdIrCollective)in->sub;
    unsigned how = (unsigned)in->imm & 255, cluster = (unsigned)(in->imm >> 8);
    LLVMValueRef values = spill(g, hd_gen_v(g, hd_ir_arg(g->f, r, 0)), t);
    LLVMValueRef sums = hd_gen_stack(g, (uint64_t)g->width * 8), results, where, sum, next;
    HdGenLoop loop;

    if (cluster == 0 || cluster > g->width)
        cluster = g->width;
    for (unsigned i = 0; i < g->width; i += cluster)
        store_lane(g, t, identity(g, op, t), sums, hd_gen_u32(g, i / cluster));
    results = hd_gen_stack(g, (uint64_t)g->width * 8);
    hd_gen_lanes_begin(g, mask, &loop);
    where = LLVMBuildUDiv(g->b, loop.lane, hd_gen_u32(g, cluster), "");
    sum = load_lane(g, t, sums, where);
    next = combine(g, op, sum, load_lane(g, t, values, loop.lane));
    store_lane(g, t, next, sums, where);
    store_lane(g, t, how == HD_COLL_EXCLUSIVE ? sum : next, results, loop.lane);
    hd_gen_lanes_end(g, &loop);
    if (how == HD_COLL_REDUCE && cluster == g->width) {
        hd_gen_set(g, r, load_lane(g, t, sums, hd_gen_u32(g, 0)), NULL);
        return;
    }
    if (how == HD_COLL_REDUCE) {
        hd_gen_lanes_begin(g, mask, &loop);
        where = LLVMBuildUDiv(g->b, loop.lane, hd_gen_u32(g, cluster), "");
        store_lane(g, t, load_lane(g, t, sums, where), results, loop.lane);
        hd_gen_lanes_end(g, &loop);
    }
    hd_gen_set(g, r, NULL, unspill(g, results, t));
}

static LLVMValueRef first_active(HdGen *g, LLVMValueRef mask)
{
    LLVMValueRef args[2] = {bits_of(g, mask), LLVMConstInt(g->i1, 0, 0)};
    LLVMValueRef lane = hd_gen_intrinsic(g, "llvm.cttz", &g->i64, 1, args, 2);

    return LLVMBuildAnd(g->b, LLVMBuildTrunc(g->b, lane, g->i32, ""), hd_gen_u32(g, g->width - 1),
                        "");
}

/* Lane that each lane reads from, i32 vector. */
static LLVMValueRef source_lanes(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef own = hd_gen_lane_ids(g, g->i32), index, cluster_mask;
    unsigned cluster = (unsigned)(in->imm >> 8);

    index =
        LLVMBuildIntCast2(g->b, hd_gen_v(g, hd_ir_arg(g->f, r, 1)), g->vector[HD_IR_I32], 0, "");
    switch ((HdIrCollective)in->sub) {
    case HD_COLL_SHUFFLE_XOR: return LLVMBuildXor(g->b, own, index, "");
    case HD_COLL_SHUFFLE_UP: return LLVMBuildSub(g->b, own, index, "");
    case HD_COLL_SHUFFLE_DOWN: return LLVMBuildAdd(g->b, own, index, "");
    case HD_COLL_ROTATE:
        if (cluster == 0 || cluster > g->width)
            cluster = g->width;
        cluster_mask = hd_gen_splat(g, hd_gen_u32(g, cluster - 1));
        index = LLVMBuildAnd(g->b, LLVMBuildAdd(g->b, own, index, ""), cluster_mask, "");
        return LLVMBuildOr(g->b, index,
                           LLVMBuildAnd(g->b, own, LLVMBuildNot(g->b, cluster_mask, ""), ""), "");
    default: return index;
    }
}

static void shuffle(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    HdIrType t = (HdIrType)g->f->insts.at[r].type;
    LLVMValueRef values = spill(g, hd_gen_v(g, hd_ir_arg(g->f, r, 0)), t);
    LLVMValueRef lanes, results = hd_gen_stack(g, (uint64_t)g->width * 8), from;
    HdGenLoop loop;

    /* A lane outside the sub-group is undefined to read; stay inside the array. */
    lanes =
        LLVMBuildAnd(g->b, source_lanes(g, r), hd_gen_splat(g, hd_gen_u32(g, g->width - 1)), "");
    lanes = spill(g, lanes, HD_IR_I32);
    hd_gen_lanes_begin(g, mask, &loop);
    from = load_lane(g, HD_IR_I32, lanes, loop.lane);
    store_lane(g, t, load_lane(g, t, values, from), results, loop.lane);
    hd_gen_lanes_end(g, &loop);
    hd_gen_set(g, r, NULL, unspill(g, results, t));
}

static void broadcast(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef lane, v = hd_gen_v(g, hd_ir_arg(g->f, r, 0));

    if (in->sub == HD_COLL_BROADCAST_FIRST) {
        lane = first_active(g, mask);
    } else {
        HdIrRef index = hd_ir_arg(g->f, r, 1);

        /* The index is uniform among the active lanes; lane 0 may not be one of them. */
        if (g->f->insts.at[index].shape == HD_SHAPE_UNIFORM)
            lane = hd_gen_s(g, index);
        else
            lane = LLVMBuildExtractElement(g->b, hd_gen_v(g, index), first_active(g, mask), "");
        lane = LLVMBuildIntCast2(g->b, lane, g->i32, 0, "");
        lane = LLVMBuildAnd(g->b, lane, hd_gen_u32(g, g->width - 1), "");
    }
    hd_gen_set(g, r, LLVMBuildExtractElement(g->b, v, lane, ""), NULL);
}

/* Do all active lanes hold the first one's value? As bits for integers, as numbers for floats. */
static LLVMValueRef all_equal(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    HdIrRef a = hd_ir_arg(g->f, r, 0);
    LLVMValueRef v = hd_gen_v(g, a), first, same;

    first = hd_gen_splat(g, LLVMBuildExtractElement(g->b, v, first_active(g, mask), ""));
    same = hd_ir_is_float((HdIrType)g->f->insts.at[a].type)
               ? LLVMBuildFCmp(g->b, LLVMRealOEQ, v, first, "")
               : LLVMBuildICmp(g->b, LLVMIntEQ, v, first, "");
    return same;
}

static void vote(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef yes =
        in->sub == HD_COLL_ALL_EQUAL ? all_equal(g, r, mask) : hd_gen_v(g, hd_ir_arg(g->f, r, 0));
    LLVMValueRef bits, zero = hd_gen_u64(g, 0);

    yes =
        in->sub == HD_COLL_ANY || in->sub == HD_COLL_BALLOT
            ? LLVMBuildAnd(g->b, mask, LLVMBuildFreeze(g->b, yes, ""), "")
            : LLVMBuildAnd(g->b, mask, LLVMBuildNot(g->b, LLVMBuildFreeze(g->b, yes, ""), ""), "");
    bits = bits_of(g, yes);
    if (in->sub == HD_COLL_BALLOT)
        hd_gen_set(g, r, bits, NULL);
    else
        hd_gen_set(
            g, r,
            LLVMBuildICmp(g->b, in->sub == HD_COLL_ANY ? LLVMIntNE : LLVMIntEQ, bits, zero, ""),
            NULL);
}

static void elect(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    LLVMValueRef first = hd_gen_splat(g, first_active(g, mask));

    hd_gen_set(g, r, NULL, LLVMBuildICmp(g->b, LLVMIntEQ, hd_gen_lane_ids(g, g->i32), first, ""));
}

/* One lane: every operation is that of a group of one. */
static void alone(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrCollective op = (HdIrCollective)in->sub;
    LLVMValueRef x = in->nargs != 0 ? hd_gen_s(g, hd_ir_arg(g->f, r, 0)) : NULL;

    if (op <= HD_COLL_FMAX && ((unsigned)in->imm & 255) == HD_COLL_EXCLUSIVE)
        x = identity(g, op, (HdIrType)in->type);
    else if (op == HD_COLL_ALL_EQUAL || op == HD_COLL_ELECT)
        x = LLVMConstInt(g->i1, 1, 0);
    else if (op == HD_COLL_BALLOT)
        x = LLVMBuildZExt(g->b, x, g->i64, "");
    hd_gen_set(g, r, x, NULL);
}

bool hd_gen_collective(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef mask;

    if (in->op != HD_IR_COLLECTIVE)
        return false;
    if (g->width == 1) {
        alone(g, r);
        return true;
    }
    mask = hd_gen_mask(g, in, r);
    if (mask == NULL)
        mask = full_mask(g);
    switch ((HdIrCollective)in->sub) {
    case HD_COLL_ALL:
    case HD_COLL_ANY:
    case HD_COLL_ALL_EQUAL:
    case HD_COLL_BALLOT: vote(g, r, mask); break;
    case HD_COLL_ELECT: elect(g, r, mask); break;
    case HD_COLL_BROADCAST:
    case HD_COLL_BROADCAST_FIRST: broadcast(g, r, mask); break;
    case HD_COLL_SHUFFLE:
    case HD_COLL_SHUFFLE_XOR:
    case HD_COLL_SHUFFLE_UP:
    case HD_COLL_SHUFFLE_DOWN:
    case HD_COLL_ROTATE: shuffle(g, r, mask); break;
    default: reduce(g, r, mask); break;
    }
    return true;
}
