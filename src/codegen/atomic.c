/* codegen/atomic.c -- atomics, one lane after the other.
 *
 * Work-group memory is only ever touched by the thread that runs the group, so its atomics need no
 * lock: a monotonic load, the operation, a monotonic store. (Plain accesses would do for the
 * processor, but LLVM hoists those out of waiting loops.)
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/gen.h"

static LLVMAtomicOrdering ordering(uint64_t imm)
{
    static const LLVMAtomicOrdering map[] = {
        LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingAcquire, LLVMAtomicOrderingRelease,
        LLVMAtomicOrderingAcquireRelease, LLVMAtomicOrderingSequentiallyConsistent};
    unsigned order = (unsigned)imm & 255;

    return map[order < 5 ? order : 4];
}

static bool is_local(uint64_t imm)
{
    HdIrSpace space = (HdIrSpace)(imm >> 8 & 255);

    return space == HD_SPACE_LOCAL || space == HD_SPACE_PRIVATE;
}

static LLVMAtomicOrdering load_ordering(uint64_t imm)
{
    LLVMAtomicOrdering o = ordering(imm);

    if (o == LLVMAtomicOrderingRelease)
        return LLVMAtomicOrderingMonotonic;
    return o == LLVMAtomicOrderingAcquireRelease ? LLVMAtomicOrderingAcquire : o;
}

static LLVMAtomicOrdering store_ordering(uint64_t imm)
{
    LLVMAtomicOrdering o = ordering(imm);

    if (o == LLVMAtomicOrderingAcquire)
        return LLVMAtomicOrderingMonotonic;
    return o == LLVMAtomicOrderingAcquireRelease ? LLVMAtomicOrderingRelease : o;
}

static LLVMValueRef binary_intrinsic(HdGen *g, const char *name, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef over = LLVMTypeOf(x);
    LLVMValueRef args[2] = {x, y};

    return hd_gen_intrinsic(g, name, &over, 1, args, 2);
}

/* What a read-modify-write stores. */
static LLVMValueRef modified(HdGen *g, HdIrRmw op, LLVMValueRef old, LLVMValueRef x)
{
    switch (op) {
    case HD_IR_RMW_XCHG: return x;
    case HD_IR_RMW_ADD: return LLVMBuildAdd(g->b, old, x, "");
    case HD_IR_RMW_SUB: return LLVMBuildSub(g->b, old, x, "");
    case HD_IR_RMW_AND: return LLVMBuildAnd(g->b, old, x, "");
    case HD_IR_RMW_OR: return LLVMBuildOr(g->b, old, x, "");
    case HD_IR_RMW_XOR: return LLVMBuildXor(g->b, old, x, "");
    case HD_IR_RMW_UMIN: return binary_intrinsic(g, "llvm.umin", old, x);
    case HD_IR_RMW_UMAX: return binary_intrinsic(g, "llvm.umax", old, x);
    case HD_IR_RMW_SMIN: return binary_intrinsic(g, "llvm.smin", old, x);
    case HD_IR_RMW_SMAX: return binary_intrinsic(g, "llvm.smax", old, x);
    case HD_IR_RMW_FADD: return LLVMBuildFAdd(g->b, old, x, "");
    case HD_IR_RMW_FMIN: return hd_gen_extreme(g, false, old, x);
    case HD_IR_RMW_FMAX: return hd_gen_extreme(g, true, old, x);
    }
    hd_gen_fail(g, HD_BUG, "unknown atomic operation %u", (unsigned)op);
    return x;
}

static LLVMTypeRef as_integer(HdGen *g, HdIrType t)
{
    return LLVMIntTypeInContext(g->c, hd_ir_type_bytes(t) * 8);
}

/* The integer that stands for a value in atomic memory operations. */
static LLVMValueRef pack(HdGen *g, LLVMValueRef x, HdIrType t)
{
    if (t == HD_IR_PTR)
        return LLVMBuildPtrToInt(g->b, x, g->i64, "");
    return hd_ir_is_float(t) ? LLVMBuildBitCast(g->b, x, as_integer(g, t), "") : x;
}

static LLVMValueRef unpack(HdGen *g, LLVMValueRef x, HdIrType t)
{
    if (t == HD_IR_PTR)
        return LLVMBuildIntToPtr(g->b, x, g->ptr, "");
    return hd_ir_is_float(t) ? LLVMBuildBitCast(g->b, x, g->scalar[t], "") : x;
}

static LLVMValueRef atomic_load(HdGen *g, LLVMValueRef at, HdIrType t, LLVMAtomicOrdering order)
{
    LLVMValueRef x = LLVMBuildLoad2(g->b, as_integer(g, t), at, "");

    LLVMSetOrdering(x, order);
    LLVMSetAlignment(x, hd_ir_type_bytes(t));
    return unpack(g, x, t);
}

static void atomic_store(HdGen *g, LLVMValueRef at, LLVMValueRef x, HdIrType t,
                         LLVMAtomicOrdering order)
{
    LLVMValueRef st = LLVMBuildStore(g->b, pack(g, x, t), at);

    LLVMSetOrdering(st, order);
    LLVMSetAlignment(st, hd_ir_type_bytes(t));
}

/* Floats (and whatever the processor has no instruction for): a loop around compare-and-swap. */
static LLVMValueRef swap_loop(HdGen *g, HdIrRmw op, LLVMValueRef at, LLVMValueRef x, HdIrType t,
                              LLVMAtomicOrdering order)
{
    LLVMBasicBlockRef again = hd_gen_block(g, "again"), done = hd_gen_block(g, "swapped");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b), here;
    LLVMValueRef start = pack(g, atomic_load(g, at, t, LLVMAtomicOrderingMonotonic), t), phi, pair;
    LLVMValueRef want, seen;
    LLVMAtomicOrdering failure = order == LLVMAtomicOrderingAcquireRelease
                                     ? LLVMAtomicOrderingAcquire
                                 : order == LLVMAtomicOrderingRelease ? LLVMAtomicOrderingMonotonic
                                                                      : order;

    LLVMBuildBr(g->b, again);
    LLVMPositionBuilderAtEnd(g->b, again);
    phi = LLVMBuildPhi(g->b, as_integer(g, t), "");
    want = pack(g, modified(g, op, unpack(g, phi, t), x), t);
    pair = LLVMBuildAtomicCmpXchg(g->b, at, phi, want, order, failure, 0);
    seen = LLVMBuildExtractValue(g->b, pair, 0, "");
    here = LLVMGetInsertBlock(g->b);
    LLVMBuildCondBr(g->b, LLVMBuildExtractValue(g->b, pair, 1, ""), done, again);
    LLVMAddIncoming(phi, &start, &from, 1);
    LLVMAddIncoming(phi, &seen, &here, 1);
    LLVMPositionBuilderAtEnd(g->b, done);
    return unpack(g, seen, t);
}

static LLVMValueRef rmw(HdGen *g, const HdIrInst *in, LLVMValueRef at, LLVMValueRef x)
{
    static const LLVMAtomicRMWBinOp map[] = {LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpAdd,
                                             LLVMAtomicRMWBinOpSub,  LLVMAtomicRMWBinOpAnd,
                                             LLVMAtomicRMWBinOpOr,   LLVMAtomicRMWBinOpXor,
                                             LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpUMax,
                                             LLVMAtomicRMWBinOpMin,  LLVMAtomicRMWBinOpMax};
    HdIrType t = (HdIrType)in->type;
    HdIrRmw op = (HdIrRmw)in->sub;
    LLVMValueRef old;

    if (is_local(in->imm)) {
        old = atomic_load(g, at, t, LLVMAtomicOrderingMonotonic);
        atomic_store(g, at, modified(g, op, old, x), t, LLVMAtomicOrderingMonotonic);
        return old;
    }
    if (op > HD_IR_RMW_SMAX)
        return swap_loop(g, op, at, x, t, ordering(in->imm));
    old = LLVMBuildAtomicRMW(g->b, map[op], at, pack(g, x, t), ordering(in->imm), 0);
    return unpack(g, old, t);
}

static LLVMValueRef compare_exchange(HdGen *g, const HdIrInst *in, LLVMValueRef at,
                                     LLVMValueRef value, LLVMValueRef comparator)
{
    HdIrType t = (HdIrType)in->type;
    LLVMValueRef old;

    if (is_local(in->imm)) {
        LLVMValueRef same;

        old = atomic_load(g, at, t, LLVMAtomicOrderingMonotonic);
        same = LLVMBuildICmp(g->b, LLVMIntEQ, pack(g, old, t), pack(g, comparator, t), "");
        atomic_store(g, at, LLVMBuildSelect(g->b, same, value, old, ""), t,
                     LLVMAtomicOrderingMonotonic);
        return old;
    }
    old = LLVMBuildAtomicCmpXchg(g->b, at, pack(g, comparator, t), pack(g, value, t),
                                 ordering(in->imm), load_ordering(in->imm), 0);
    return unpack(g, LLVMBuildExtractValue(g->b, old, 0, ""), t);
}

/* One lane's operation on scalar operands. */
static LLVMValueRef operate(HdGen *g, const HdIrInst *in, HdIrType stored, LLVMValueRef *x)
{
    switch ((HdIrOp)in->op) {
    case HD_IR_ATOMIC_LOAD: return atomic_load(g, x[0], (HdIrType)in->type, load_ordering(in->imm));
    case HD_IR_ATOMIC_STORE:
        atomic_store(g, x[0], x[1], stored, store_ordering(in->imm));
        return NULL;
    case HD_IR_ATOMIC_RMW: return rmw(g, in, x[0], x[1]);
    default: return compare_exchange(g, in, x[0], x[1], x[2]);
    }
}

static void fence(HdGen *g, uint64_t imm)
{
    if (ordering(imm) != LLVMAtomicOrderingMonotonic)
        LLVMBuildFence(g->b, ordering(imm), 0, "");
}

static void each_lane(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    unsigned n = hd_ir_value_args(in);
    HdIrType stored = n > 1 ? (HdIrType)g->f->insts.at[hd_ir_arg(g->f, r, 1)].type : HD_IR_VOID;
    LLVMValueRef x[3] = {NULL, NULL, NULL}, spill[3] = {NULL, NULL, NULL}, results = NULL, old;
    HdGenLoop loop;

    if (g->width == 1) {
        for (unsigned i = 0; i < n; i++)
            x[i] = hd_gen_s(g, hd_ir_arg(g->f, r, i));
        hd_gen_set(g, r, operate(g, in, stored, x), NULL);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        spill[i] = hd_gen_stack(g, (uint64_t)g->width * 8);
        LLVMBuildStore(g->b, hd_gen_v(g, hd_ir_arg(g->f, r, i)), spill[i]);
    }
    if (in->type != HD_IR_VOID) {
        results = hd_gen_stack(g, (uint64_t)g->width * 8);
        LLVMBuildStore(g->b, LLVMConstNull(g->vector[in->type]), results);
    }
    hd_gen_lanes_begin(g, hd_gen_mask(g, in, r), &loop);
    for (unsigned i = 0; i < n; i++) {
        LLVMTypeRef type = g->scalar[g->f->insts.at[hd_ir_arg(g->f, r, i)].type];

        x[i] =
            LLVMBuildLoad2(g->b, type, LLVMBuildGEP2(g->b, type, spill[i], &loop.lane, 1, ""), "");
    }
    old = operate(g, in, stored, x);
    if (results != NULL)
        LLVMBuildStore(g->b, old,
                       LLVMBuildGEP2(g->b, g->scalar[in->type], results, &loop.lane, 1, ""));
    hd_gen_lanes_end(g, &loop);
    if (results != NULL)
        hd_gen_set(g, r, NULL, LLVMBuildLoad2(g->b, g->vector[in->type], results, ""));
}

bool hd_gen_atomic(HdGen *g, HdIrRef r)
{
    switch ((HdIrOp)g->f->insts.at[r].op) {
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG: each_lane(g, r); return true;
    case HD_IR_FENCE: fence(g, g->f->insts.at[r].imm); return true;
    default: return false;
    }
}
