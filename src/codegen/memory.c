/* codegen/memory.c -- loads, stores and copies: one access, a contiguous one, or one per lane.
 *
 * The address's shape chooses: uniform, one scalar access; affine by the element's size, one vector
 * access at lane 0's address, or at the last lane's and reversed; anything else gathers or
 * scatters. An address that is affine if no index wrapped, or the same for all lanes if they are in
 * one block, gets both, selected by a branch.
 *
 * An access that no lane makes stays within mapped memory: a masked one at a wild address costs
 * hundreds of cycles.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/round.h"
#include "codegen/access.h"
#include "codegen/emit.h"
#include "codegen/prefetch.h"
#include "codegen/strided.h"
#include "codegen/values.h"
#include "codegen/walk.h"

typedef enum Access { ONE, SHARED, CONTIGUOUS, BACKWARD, EACH } Access;

/* BOOL is a byte in memory. */
static LLVMTypeRef memory_type(HdGen *g, HdIrType t)
{
    return t == HD_IR_BOOL ? g->i8 : g->scalar[t];
}

/* The alignment given to LLVM. imm 0 means natural; the module may promise less or more. More is
 * used only where it matters: elsewhere it would only crash programs whose pointers break the
 * promise, which other processors and drivers tolerate. */
static unsigned align_of(const HdGen *g, const HdIrInst *in, HdIrType t)
{
    unsigned natural = hd_ir_type_bytes(t);
    bool matters = (g->is_x86 && !g->has_avx2) || (in->flags & HD_IR_NONTEMPORAL) != 0;

    if (in->imm == 0 || (in->imm > natural && !matters))
        return natural;
    return in->imm > 64 ? 64 : (unsigned)in->imm;
}

static Access access_of(HdGen *g, HdIrRef address, HdIrType t, bool is_volatile)
{
    const HdIrInst *a = &g->f->insts.at[address];

    if (g->width == 1 || (a->shape == HD_SHAPE_UNIFORM && !is_volatile))
        return ONE;
    if ((a->shape == HD_SHAPE_AFFINE || a->shape == HD_SHAPE_ADDRESS) && hd_gen_has_s(g, address)) {
        if (!is_volatile && hd_gen_is_shared(g, address))
            return SHARED;
        if (a->stride == (int64_t)hd_ir_type_bytes(t))
            return CONTIGUOUS;
        if (a->stride == -(int64_t)hd_ir_type_bytes(t))
            return BACKWARD;
    }
    return EACH;
}

/* Where an access begins: one vector's place, or all lanes'. */
static LLVMValueRef place_of(HdGen *g, HdIrRef address, Access how, HdIrType t)
{
    uint64_t back = (g->width - 1) * (uint64_t)hd_ir_type_bytes(t);

    if (how == EACH)
        return hd_gen_v(g, address);
    return how == BACKWARD ? hd_gen_offset(g, hd_gen_s(g, address), hd_gen_u64(g, 0 - back))
                           : hd_gen_s(g, address);
}

/* Does control flow reach an access only if a lane is in its mask? */
static bool has_lane(const HdGen *g, HdIrRef access)
{
    return g->asked[hd_gen_kept_in(g->f, hd_gen_access_mask(g, access))];
}

/* The start of a vector access, `at`, if any lane is in its mask; otherwise a mapped address. With
 * an empty mask, a negative index leads gigabytes away (`l >= s ? a[l - s] : 0`), and a processor
 * takes hundreds of cycles for a masked access to unmapped memory. */
static LLVMValueRef mapped_place(HdGen *g, HdIrRef access, LLVMValueRef at, LLVMValueRef mask)
{
    if (mask == NULL || hd_gen_is_always_ok(g, hd_ir_arg(g->f, access, 0)) || has_lane(g, access))
        return at;
    return LLVMBuildSelect(g->b, hd_gen_any(g, mask, NULL), at, g->group, "");
}

/* Lanes in memory order, or reversed; NULL stays NULL. */
static LLVMValueRef in_order(HdGen *g, LLVMValueRef x, Access how)
{
    LLVMValueRef index[64];

    if (how != BACKWARD || x == NULL)
        return x;
    for (unsigned i = 0; i < g->width; i++)
        index[i] = hd_gen_u32(g, g->width - 1 - i);
    return LLVMBuildShuffleVector(g->b, x, LLVMGetPoison(LLVMTypeOf(x)),
                                  LLVMConstVector(index, g->width), "");
}

/* Stores only: to processors a load from ordinary memory is the same with the hint, and LLVM 22
 * crashes where it extends what such a load gives. */
static void mark_nontemporal(HdGen *g, const HdIrInst *in, LLVMValueRef x)
{
    if ((in->flags & HD_IR_NONTEMPORAL) != 0)
        hd_gen_set_nontemporal(g, x);
}

/* What was loaded, as the value's type. */
static LLVMValueRef from_memory(HdGen *g, HdIrType t, LLVMValueRef x)
{
    return t == HD_IR_BOOL ? LLVMBuildICmp(g->b, LLVMIntNE, x, LLVMConstNull(LLVMTypeOf(x)), "")
                           : x;
}

static LLVMValueRef to_memory(HdGen *g, HdIrType t, LLVMValueRef x, bool wide)
{
    if (t != HD_IR_BOOL)
        return x;
    return LLVMBuildZExt(g->b, x, wide ? LLVMVectorType(g->i8, g->width) : g->i8, "");
}

/* One value, or all lanes' neighbours. */
static LLVMValueRef load_here(HdGen *g, const HdIrInst *in, LLVMTypeRef type, LLVMValueRef at)
{
    LLVMValueRef x = LLVMBuildLoad2(g->b, type, at, "");

    LLVMSetAlignment(x, align_of(g, in, (HdIrType)in->type));
    LLVMSetVolatile(x, (in->flags & HD_IR_VOLATILE) != 0);
    return x;
}

static LLVMValueRef load_one(HdGen *g, const HdIrInst *in, LLVMValueRef at)
{
    return load_here(g, in, memory_type(g, (HdIrType)in->type), at);
}

static LLVMValueRef store_here(HdGen *g, const HdIrInst *in, HdIrType t, LLVMValueRef value,
                               LLVMValueRef at)
{
    LLVMValueRef x = LLVMBuildStore(g->b, value, at);

    LLVMSetAlignment(x, align_of(g, in, t));
    LLVMSetVolatile(x, (in->flags & HD_IR_VOLATILE) != 0);
    return x;
}

/* LLVM has no volatile access with a mask, or of lanes apart. */
static bool is_whole_volatile(const HdIrInst *in, Access how, LLVMValueRef mask)
{
    return (in->flags & HD_IR_VOLATILE) != 0 && how != EACH && mask == NULL;
}

/* Worth gathering as words: only where words are gathered at all. */
static bool is_narrow(const HdGen *g, const HdIrInst *in)
{
    unsigned bytes = hd_ir_type_bytes((HdIrType)in->type);

    return g->width >= 16 && !(in->flags & HD_IR_VOLATILE) &&
           (bytes == 1 || (bytes == 2 && align_of(g, in, (HdIrType)in->type) >= 2));
}

static LLVMTypeRef narrow_type(HdGen *g, const HdIrInst *in)
{
    return hd_ir_type_bytes((HdIrType)in->type) == 1 ? LLVMVectorType(g->i8, g->width)
                                                     : g->vector[HD_IR_I16];
}

static LLVMValueRef load_wide(HdGen *g, HdIrRef r, Access how, LLVMValueRef mask)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef address = hd_ir_arg(g->f, r, 0);
    LLVMTypeRef type = LLVMVectorType(memory_type(g, (HdIrType)in->type), g->width);
    LLVMValueRef at = place_of(g, address, how, (HdIrType)in->type), x;

    if (how == EACH && is_narrow(g, in) && (in->flags & HD_IR_WALKS) != 0 && g->regions == NULL)
        return LLVMBuildBitCast(
            g->b,
            hd_gen_walk(g, narrow_type(g, in), hd_ir_type_bytes((HdIrType)in->type), at, mask),
            type, "");
    if (how == EACH && is_narrow(g, in))
        return LLVMBuildBitCast(g->b, hd_gen_gather_narrow(g, narrow_type(g, in), at, mask), type,
                                "");
    if (how != EACH)
        at = mapped_place(g, r, at, mask);
    x = is_whole_volatile(in, how, mask) ? load_here(g, in, type, at)
                                         : hd_gen_load_at(g, type, at, in_order(g, mask, how),
                                                          align_of(g, in, (HdIrType)in->type));
    return in_order(g, x, how);
}

/* The quick way of `step` elements between lanes (1: as `how` says) if `ok`, else the sure one. */
static LLVMValueRef load_either(HdGen *g, HdIrRef r, Access how, LLVMValueRef ok, unsigned step,
                                LLVMValueRef mask)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrType t = (HdIrType)in->type;
    LLVMValueRef x[2];
    HdGenWays w;

    if (ok != NULL)
        hd_gen_ways_begin(g, ok, &w);
    if (how == SHARED)
        x[0] = hd_gen_splat(g, load_one(g, in, hd_gen_s(g, hd_ir_arg(g->f, r, 0))));
    else if (step == 1)
        x[0] = load_wide(g, r, how, mask);
    else
        x[0] = hd_gen_load_step(g, memory_type(g, t), hd_gen_s(g, hd_ir_arg(g->f, r, 0)), step,
                                hd_ir_type_bytes(t), align_of(g, in, t));
    if (ok == NULL)
        return x[0];
    hd_gen_ways_next(g, &w);
    x[1] = load_wide(g, r, EACH, mask);
    hd_gen_ways_end(g, &w);
    return hd_gen_either(g, &w, x[0], x[1]);
}

static void load(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrType t = (HdIrType)in->type;
    HdIrRef address = hd_ir_arg(g->f, r, 0);
    /* Of an array that is the same in all lanes the first one's element will do. */
    Access how = in->shape == HD_SHAPE_UNIFORM
                     ? ONE
                     : access_of(g, address, t, (in->flags & HD_IR_VOLATILE) != 0);
    LLVMValueRef mask = hd_gen_mask(g, in, r), ok = NULL, x;
    unsigned step = how != EACH                     ? 1
                    : !(in->flags & HD_IR_VOLATILE) ? hd_gen_step(g, address, hd_ir_type_bytes(t))
                                                    : 0;

    if (how == ONE) {
        hd_gen_set(g, r, from_memory(g, t, load_one(g, in, hd_gen_s(g, address))), NULL);
        return;
    }
    if (how == CONTIGUOUS)
        hd_gen_prefetch(g, r, (uint64_t)hd_ir_type_bytes(t) * g->width);
    if (step != 0)
        ok = hd_gen_ok_for(g, address, mask);
    if (step > 1)
        ok = hd_gen_full(g, mask, ok);
    if (how == SHARED)
        ok = hd_gen_any(g, mask, ok);
    x = step != 0 ? load_either(g, r, how, ok, step, mask) : load_wide(g, r, EACH, mask);
    hd_gen_set(g, r, NULL, from_memory(g, t, x));
}

/* The value of the last active lane, for stores of all lanes to one place. */
static LLVMValueRef last_lane(HdGen *g, HdIrRef value, LLVMValueRef mask)
{
    LLVMTypeRef narrow = LLVMIntTypeInContext(g->c, g->width);
    LLVMValueRef args[2], lane;

    if (hd_gen_has_s(g, value) && g->f->insts.at[value].shape == HD_SHAPE_UNIFORM)
        return hd_gen_s(g, value);
    if (mask == NULL)
        return LLVMBuildExtractElement(g->b, hd_gen_v(g, value), hd_gen_u32(g, g->width - 1), "");
    args[0] = LLVMBuildBitCast(g->b, mask, narrow, "");
    args[1] = LLVMConstInt(g->i1, 0, 0);
    lane = hd_gen_intrinsic(g, "llvm.ctlz", &narrow, 1, args, 2);
    lane = LLVMBuildSub(g->b, LLVMConstInt(narrow, g->width - 1, 0), lane, "");
    lane = LLVMBuildAnd(g->b, lane, LLVMConstInt(narrow, g->width - 1, 0), "");
    return LLVMBuildExtractElement(
        g->b, hd_gen_v(g, value),
        LLVMBuildZExtOrBitCast(g->b, LLVMBuildIntCast2(g->b, lane, g->i32, 0, ""), g->i32, ""), "");
}

/* Run what follows only if a lane is active. Returns the block to continue with; NULL: one always
 * is, as for the existing or the calling lanes. A branch for each of those would cost LLVM
 * quadratic time. */
static LLVMBasicBlockRef when_any(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMBasicBlockRef on, done;
    unsigned op =
        mask == NULL ? HD_IR_ACTIVE : g->f->insts.at[hd_ir_arg(g->f, r, in->nargs - 1u)].op;

    if (op == HD_IR_ACTIVE || op == HD_IR_PARAM)
        return NULL;
    on = hd_gen_block(g, "some");
    done = hd_gen_block(g, "done");
    LLVMBuildCondBr(g->b, hd_gen_any(g, mask, NULL), on, done);
    LLVMPositionBuilderAtEnd(g->b, on);
    return done;
}

static void go_on(HdGen *g, LLVMBasicBlockRef done)
{
    if (done == NULL)
        return;
    LLVMBuildBr(g->b, done);
    LLVMPositionBuilderAtEnd(g->b, done);
}

static void store_one(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef value = hd_ir_arg(g->f, r, 1);
    HdIrType t = (HdIrType)g->f->insts.at[value].type;
    LLVMBasicBlockRef done = when_any(g, r, mask);
    LLVMValueRef x = g->width == 1 ? hd_gen_s(g, value) : last_lane(g, value, mask);

    x = store_here(g, in, t, to_memory(g, t, x, false), hd_gen_s(g, hd_ir_arg(g->f, r, 0)));
    mark_nontemporal(g, in, x);
    go_on(g, done);
}

static void store_wide(HdGen *g, HdIrRef r, Access how, LLVMValueRef value, LLVMValueRef mask)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef address = hd_ir_arg(g->f, r, 0);
    HdIrType t = (HdIrType)g->f->insts.at[hd_ir_arg(g->f, r, 1)].type;
    LLVMValueRef at = place_of(g, address, how, t), x;

    if (how != EACH)
        at = mapped_place(g, r, at, mask);
    if (how == EACH && mask == NULL && hd_gen_may_evict(g, r)) {
        hd_gen_scatter_in_turn(g, value, at, align_of(g, in, t));
        return;
    }
    value = in_order(g, value, how);
    x = is_whole_volatile(in, how, mask)
            ? store_here(g, in, t, value, at)
            : hd_gen_store_at(g, value, at, in_order(g, mask, how), align_of(g, in, t));
    if (how != EACH && mask == NULL)
        mark_nontemporal(g, in, x);
}

static void store(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef address = hd_ir_arg(g->f, r, 0), value = hd_ir_arg(g->f, r, 1);
    HdIrType t = (HdIrType)g->f->insts.at[value].type;
    Access how = access_of(g, address, t, (in->flags & HD_IR_VOLATILE) != 0);
    LLVMValueRef mask = hd_gen_mask(g, in, r), x, ok;
    bool is_narrow;
    HdGenWays w;

    if (how == ONE) {
        store_one(g, r, mask);
        return;
    }
    if (how == SHARED)
        how = EACH;
    x = to_memory(g, t, hd_gen_v(g, value), true);
    is_narrow = how == EACH && hd_ir_type_bytes(t) < 4 && mask != NULL;
    ok = is_narrow     ? hd_gen_full(g, mask, NULL)
         : how != EACH ? hd_gen_ok_for(g, address, mask)
                       : NULL;
    if (ok == NULL) {
        store_wide(g, r, how, x, mask);
        return;
    }
    /* Narrow scatters consist of single stores, each with a branch if there is a mask. */
    hd_gen_ways_begin(g, ok, &w);
    store_wide(g, r, how, x, is_narrow ? NULL : mask);
    hd_gen_ways_next(g, &w);
    store_wide(g, r, EACH, x, mask);
    hd_gen_ways_end(g, &w);
}

/* MEMCPY and MEMSET: once when all is uniform, else for each lane. */
static LLVMValueRef lane_operand(HdGen *g, HdIrRef r, LLVMValueRef spill, LLVMValueRef lane)
{
    LLVMTypeRef type = g->scalar[g->f->insts.at[r].type];
    LLVMValueRef at;

    if (spill == NULL)
        return hd_gen_s(g, r);
    at = LLVMBuildGEP2(g->b, type, spill, &lane, 1, "");
    return LLVMBuildLoad2(g->b, type, at, "");
}

#define LINE 64u

/* As many bytes as a number that is known only now, one at least: without a library, and most fills
 * are short. */
static void fill(HdGen *g, LLVMValueRef to, LLVMValueRef byte, LLVMValueRef bytes)
{
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), loop = hd_gen_block(g, "fill"),
                      done = hd_gen_block(g, "filled");
    LLVMValueRef zero = hd_gen_u64(g, 0), left, next, mask;

    byte = hd_gen_splat_of(g, byte, LINE);
    LLVMBuildBr(g->b, loop);
    LLVMPositionBuilderAtEnd(g->b, loop);
    next = LLVMBuildPhi(g->b, g->i64, "");
    LLVMAddIncoming(next, &zero, &before, 1);
    left = LLVMBuildSub(g->b, bytes, next, "");
    left = hd_gen_two(g, "llvm.umin", left, hd_gen_u64(g, LINE));
    mask = LLVMBuildLShr(g->b, hd_gen_u64(g, UINT64_MAX),
                         LLVMBuildSub(g->b, hd_gen_u64(g, LINE), left, ""), "");
    mask = LLVMBuildBitCast(g->b, mask, LLVMVectorType(g->i1, LINE), "");
    hd_gen_store_at(g, byte, hd_gen_offset(g, to, next), mask, 1);
    left = LLVMBuildAdd(g->b, next, hd_gen_u64(g, LINE), "");
    LLVMAddIncoming(next, &left, &loop, 1);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntULT, left, bytes, ""), loop, done);
    LLVMPositionBuilderAtEnd(g->b, done);
}

static void copy_bytes(HdGen *g, bool is_copy, LLVMValueRef x[3])
{
    if (!is_copy && g->has_avx512 && !LLVMIsConstant(x[2]))
        fill(g, x[0], x[1], x[2]);
    else if (is_copy)
        LLVMBuildMemMove(g->b, x[0], 1, x[1], 1, x[2]);
    else
        LLVMBuildMemSet(g->b, x[0], x[1], x[2], 1);
}

static void copy(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef spill[3] = {NULL, NULL, NULL}, x[3], mask = hd_gen_mask(g, in, r);
    bool is_copy = in->op == HD_IR_MEMCPY, uniform = true;
    HdGenLoop loop;

    for (unsigned i = 0; i < 3; i++)
        uniform = uniform && g->f->insts.at[hd_ir_arg(g->f, r, i)].shape == HD_SHAPE_UNIFORM;
    if (g->width == 1 || uniform) {
        LLVMBasicBlockRef done = when_any(g, r, mask);

        for (unsigned i = 0; i < 3; i++)
            x[i] = hd_gen_s(g, hd_ir_arg(g->f, r, i));
        copy_bytes(g, is_copy, x);
        go_on(g, done);
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        HdIrRef a = hd_ir_arg(g->f, r, i);

        if (g->f->insts.at[a].shape == HD_SHAPE_UNIFORM)
            continue;
        spill[i] = hd_gen_stack(g, (uint64_t)g->width * 8);
        LLVMBuildStore(g->b, hd_gen_v(g, a), spill[i]);
    }
    hd_gen_lanes_begin(g, mask, &loop);
    for (unsigned i = 0; i < 3; i++)
        x[i] = lane_operand(g, hd_ir_arg(g->f, r, i), spill[i], loop.lane);
    copy_bytes(g, is_copy, x);
    hd_gen_lanes_end(g, &loop);
}

/* Private memory: one block per lane, or elements interleaved by lane. */
static void private_memory(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    uint64_t align = UINT64_C(1) << in->sub;
    uint64_t bytes = hd_round_up(in->imm, align);

    hd_gen_set(g, r, hd_gen_stack_aligned(g, bytes * g->width, align), NULL);
}

bool hd_gen_memory(HdGen *g, HdIrRef r)
{
    switch ((HdIrOp)g->f->insts.at[r].op) {
    case HD_IR_LOAD: load(g, r); return true;
    case HD_IR_STORE: store(g, r); return true;
    case HD_IR_MEMCPY:
    case HD_IR_MEMSET: copy(g, r); return true;
    case HD_IR_ALLOCA: private_memory(g, r); return true;
    default: return false;
    }
}
