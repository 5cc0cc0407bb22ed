/* codegen/atomic.c -- atomics: combined for all lanes at one address, otherwise lane by lane.
 *
 * Several consecutive atomics of a lane in one cache line, such as the sums of a cluster, are
 * executed lane by lane, all of a lane's before the next one's: another thread that writes to the
 * same lines then takes a line away once, not once for each of them.
 *
 * Work-group memory is only ever touched by the thread that runs the group, so its atomics need no
 * lock: a monotonic load, the operation, a monotonic store. (Plain accesses would do for the
 * processor, but LLVM hoists those out of waiting loops.)
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/access.h"
#include "codegen/collective.h"
#include "codegen/emit.h"
#include "codegen/minmax.h"
#include "codegen/private_atomics.h"
#include "codegen/values.h"
#include "ir/edit.h"
#include "ir/linear.h"

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

/* The integer that has the bits of a float. */
static LLVMTypeRef bits_type(HdGen *g, LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMHalfTypeKind: return LLVMInt16TypeInContext(g->c);
    case LLVMFloatTypeKind: return LLVMInt32TypeInContext(g->c);
    default: return g->i64;
    }
}

/* A sum rounded towards zero, as ops/float/rounded_build.c has it: what one that is rounded to
 * nearest lacks has the other sign where it is too large. */
static LLVMValueRef truncated_sum(HdGen *g, LLVMValueRef x, LLVMValueRef y)
{
    LLVMValueRef is_less = LLVMBuildFCmp(g->b, LLVMRealOLT, hd_gen_one(g, "llvm.fabs", x),
                                         hd_gen_one(g, "llvm.fabs", y), "");
    LLVMValueRef large = LLVMBuildSelect(g->b, is_less, y, x, "");
    LLVMValueRef small = LLVMBuildSelect(g->b, is_less, x, y, "");
    LLVMValueRef sum = LLVMBuildFAdd(g->b, x, y, "");
    LLVMValueRef rest = LLVMBuildFSub(g->b, small, LLVMBuildFSub(g->b, sum, large, ""), "");
    LLVMTypeRef t = LLVMTypeOf(x), whole = bits_type(g, t);
    LLVMValueRef bits = LLVMBuildBitCast(g->b, sum, whole, ""), differ, some;

    differ = LLVMBuildXor(g->b, bits, LLVMBuildBitCast(g->b, rest, whole, ""), "");
    differ = LLVMBuildICmp(g->b, LLVMIntSLT, differ, LLVMConstNull(whole), "");
    some = LLVMBuildFCmp(g->b, LLVMRealONE, rest, LLVMConstNull(t), "");
    bits = LLVMBuildAdd(g->b, bits,
                        LLVMBuildSExt(g->b, LLVMBuildAnd(g->b, differ, some, ""), whole, ""), "");
    return LLVMBuildBitCast(g->b, bits, t, "");
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
    case HD_IR_RMW_UMIN: return hd_gen_two(g, "llvm.umin", old, x);
    case HD_IR_RMW_UMAX: return hd_gen_two(g, "llvm.umax", old, x);
    case HD_IR_RMW_SMIN: return hd_gen_two(g, "llvm.smin", old, x);
    case HD_IR_RMW_SMAX: return hd_gen_two(g, "llvm.smax", old, x);
    case HD_IR_RMW_FADD: return LLVMBuildFAdd(g->b, old, x, "");
    case HD_IR_RMW_FMIN: return hd_gen_minmax(g, false, old, x);
    case HD_IR_RMW_FMAX: return hd_gen_minmax(g, true, old, x);
    case HD_IR_RMW_FADD_RTZ: return truncated_sum(g, old, x);
    }
    hd_gen_fail(g, HD_BUG, "unknown atomic operation %u", (unsigned)op);
    return x;
}

static LLVMTypeRef as_integer(HdGen *g, HdIrType t)
{
    return LLVMIntTypeInContext(g->c, hd_ir_type_bytes(t) * 8);
}

/* The integer that represents a value in atomic memory operations. */
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

/* ---- minima and maxima -------------------------------------------------------------------------
 *
 * Most of them leave memory unchanged: distances and labels in graphs converge. If the old value is
 * not used and the order is relaxed, a load decides, and only an operation that would change memory
 * takes the lock. The load sees the latest value, unless another thread is just about to change it.
 */

static bool may_leave(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    return in->op == HD_IR_ATOMIC_RMW && in->sub >= HD_IR_RMW_UMIN && in->sub <= HD_IR_RMW_SMAX &&
           (in->type == HD_IR_I32 || in->type == HD_IR_I64) && g->uses[r] == 0 &&
           !is_local(in->imm) && ordering(in->imm) == LLVMAtomicOrderingMonotonic;
}

/* Which lanes would change what they find, given what that is. */
static LLVMValueRef would_change(HdGen *g, const HdIrInst *in, LLVMValueRef found, LLVMValueRef x)
{
    return LLVMBuildICmp(g->b, LLVMIntNE, modified(g, (HdIrRmw)in->sub, found, x), found, "");
}

/* What follows runs if the condition holds; returns the block after it. */
static LLVMBasicBlockRef only_if(HdGen *g, LLVMValueRef condition)
{
    LLVMBasicBlockRef change = hd_gen_block(g, "change"), done = hd_gen_block(g, "settled");

    LLVMBuildCondBr(g->b, condition, change, done);
    LLVMPositionBuilderAtEnd(g->b, change);
    return done;
}

static void go_on(HdGen *g, LLVMBasicBlockRef done)
{
    LLVMBuildBr(g->b, done);
    LLVMPositionBuilderAtEnd(g->b, done);
}

/* One operation, if it changes anything. */
static void change(HdGen *g, const HdIrInst *in, LLVMValueRef at, LLVMValueRef x)
{
    LLVMValueRef found = atomic_load(g, at, (HdIrType)in->type, LLVMAtomicOrderingMonotonic);
    LLVMBasicBlockRef done = only_if(g, would_change(g, in, found, x));

    rmw(g, in, at, x);
    go_on(g, done);
}

/* What follows accumulates `additions` (i64) of r, if the thread's table is in use. Returns the
 * block where they are performed immediately, for end_kept; NULL: they may not be accumulated. */
static LLVMBasicBlockRef begin_kept(HdGen *g, HdIrRef r, LLVMValueRef additions)
{
    LLVMBasicBlockRef later, now;

    if (!hd_gen_is_kept(g, r))
        return NULL;
    later = hd_gen_block(g, "later");
    now = hd_gen_block(g, "now");
    LLVMBuildCondBr(g->b, hd_gen_private_atomics_pay(g, additions), later, now);
    LLVMPositionBuilderAtEnd(g->b, later);
    return now;
}

/* What follows is performed immediately; returns the block after it. */
static LLVMBasicBlockRef end_kept(HdGen *g, LLVMBasicBlockRef now)
{
    LLVMBasicBlockRef done = hd_gen_block(g, "kept");

    LLVMBuildBr(g->b, done);
    LLVMPositionBuilderAtEnd(g->b, now);
    return done;
}

/* One addition whose result is not used. */
static bool keep_one(HdGen *g, HdIrRef r, LLVMValueRef at, LLVMValueRef x)
{
    LLVMBasicBlockRef now = begin_kept(g, r, hd_gen_u64(g, 1)), done;

    if (now == NULL)
        return false;
    hd_gen_private_atomic(g, r, at, x);
    done = end_kept(g, now);
    rmw(g, &g->f->insts.at[r], at, x);
    go_on(g, done);
    return true;
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

/* All of a work-group is done by one thread: for it alone the order of its accesses is enough. */
static void fence(HdGen *g, uint64_t imm)
{
    if (ordering(imm) != LLVMAtomicOrderingMonotonic && !is_local(imm))
        LLVMBuildFence(g->b, ordering(imm), 0, "");
}

/* ---- one lane after the other ------------------------------------------------------------------
 */

/* Operands of all lanes. */
typedef struct Lanes {
    const HdIrInst *in;
    unsigned count;
    HdIrType type[3], stored;
    LLVMValueRef one[3], wide[3], at[3]; /* the same for all; a register; that register in memory */
    bool has_results;                    /* that is used */
} Lanes;

static void find_operands(HdGen *g, HdIrRef r, Lanes *s)
{
    const HdIrInst *in = &g->f->insts.at[r];

    *s = (Lanes){.in = in, .count = hd_ir_value_args(in)};
    for (unsigned i = 0; i < s->count; i++) {
        HdIrRef x = hd_ir_arg(g->f, r, i);

        s->type[i] = (HdIrType)g->f->insts.at[x].type;
        if (g->f->insts.at[x].shape == HD_SHAPE_UNIFORM)
            s->one[i] = hd_gen_s(g, x);
        else
            s->wide[i] = hd_gen_v(g, x);
    }
    s->stored = s->count > 1 ? s->type[1] : HD_IR_VOID;
    s->has_results = in->type != HD_IR_VOID && g->uses[r] != 0;
}

/* For lanes whose number is known when the code runs only. */
static void spill(HdGen *g, Lanes *s)
{
    for (unsigned i = 0; i < s->count; i++) {
        if (s->wide[i] == NULL)
            continue;
        s->at[i] = hd_gen_stack(g, (uint64_t)g->width * 8);
        /* Volatile, or LLVM would extract from the register by a variable index. */
        LLVMSetVolatile(LLVMBuildStore(g->b, s->wide[i], s->at[i]), 1);
    }
}

static LLVMValueRef operand(HdGen *g, const Lanes *s, unsigned i, LLVMValueRef lane)
{
    LLVMTypeRef type = g->scalar[s->type[i]];

    if (s->one[i] != NULL)
        return s->one[i];
    if (LLVMIsConstant(lane))
        return LLVMBuildExtractElement(g->b, s->wide[i], lane, "");
    return LLVMBuildLoad2(g->b, type, LLVMBuildGEP2(g->b, type, s->at[i], &lane, 1, ""), "");
}

static LLVMValueRef one_lane(HdGen *g, const Lanes *s, LLVMValueRef lane)
{
    LLVMValueRef x[3] = {NULL, NULL, NULL};

    for (unsigned i = 0; i < s->count; i++)
        x[i] = operand(g, s, i, lane);
    return operate(g, s->in, s->stored, x);
}

/* Those of the mask, in a loop; the results, NULL if they are not used. */
static LLVMValueRef some_lanes(HdGen *g, Lanes *s, LLVMValueRef mask)
{
    LLVMTypeRef type = s->has_results ? g->vector[s->in->type] : NULL;
    LLVMValueRef results = NULL, old, at;
    HdGenLoop loop;

    if (s->has_results) {
        results = hd_gen_stack(g, (uint64_t)g->width * 8);
        LLVMBuildStore(g->b, LLVMConstNull(type), results);
    }
    spill(g, s);
    hd_gen_lanes_begin(g, mask, &loop);
    old = one_lane(g, s, loop.lane);
    if (s->has_results) {
        at = LLVMBuildGEP2(g->b, g->scalar[s->in->type], results, &loop.lane, 1, "");
        LLVMBuildStore(g->b, old, at);
    }
    hd_gen_lanes_end(g, &loop);
    return s->has_results ? LLVMBuildLoad2(g->b, type, results, "") : NULL;
}

/* One by one, out of registers and into one. */
static LLVMValueRef all_lanes(HdGen *g, const Lanes *s)
{
    LLVMValueRef results = s->has_results ? LLVMConstNull(g->vector[s->in->type]) : NULL, old;

    for (unsigned i = 0; i < g->width; i++) {
        old = one_lane(g, s, hd_gen_u32(g, i));
        if (s->has_results)
            results = LLVMBuildInsertElement(g->b, results, old, hd_gen_u32(g, i), "");
    }
    return results;
}

/* Without a lock an operation costs less than finding the next lane, so all of them are unrolled
 * for the case that all lanes are active. Their operands come directly from registers: through
 * memory they would arrive too late for the loads of the next lanes to be executed early. Other
 * processors predict a single load and store in a loop well, but mispredict sixteen of them: 0.5 to
 * 6.7 ns each, depending on code placement, and 0.6 in a loop. With a lock it is the results that
 * should not go through memory: each lock waits for the store of the previous one, and the vector
 * for all of them (5.5 ns each instead of 4.4). */
static bool stands_one_by_one(const HdGen *g, const Lanes *s)
{
    if (g->width > 16)
        return false;
    if (is_local(s->in->imm))
        return s->in->op == HD_IR_ATOMIC_RMW && !g->costs->unrolled_clash;
    return s->has_results && (s->in->op == HD_IR_ATOMIC_RMW || s->in->op == HD_IR_ATOMIC_CMPXCHG);
}

static LLVMValueRef some_or_all(HdGen *g, Lanes *s, LLVMValueRef mask)
{
    LLVMBasicBlockRef all = hd_gen_block(g, "all"), some = hd_gen_block(g, "some");
    LLVMBasicBlockRef done = hd_gen_block(g, "done"), ends[2];
    LLVMValueRef x[2], phi;

    LLVMBuildCondBr(g->b, hd_gen_full(g, mask, NULL), all, some);
    LLVMPositionBuilderAtEnd(g->b, some);
    x[0] = some_lanes(g, s, mask);
    ends[0] = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, done);
    LLVMPositionBuilderAtEnd(g->b, all);
    x[1] = all_lanes(g, s);
    ends[1] = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, done);
    LLVMPositionBuilderAtEnd(g->b, done);
    if (!s->has_results)
        return NULL;
    phi = LLVMBuildPhi(g->b, g->vector[s->in->type], "");
    LLVMAddIncoming(phi, x, ends, 2);
    return phi;
}

static void each_lane(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    LLVMValueRef results;
    Lanes s;

    find_operands(g, r, &s);
    if (!stands_one_by_one(g, &s))
        results = some_lanes(g, &s, mask);
    else
        results = mask != NULL ? some_or_all(g, &s, mask) : all_lanes(g, &s);
    if (s.in->type != HD_IR_VOID)
        hd_gen_set(g, r, NULL, results != NULL ? results : LLVMConstNull(g->vector[s.in->type]));
}

/* ---- all lanes at one address ------------------------------------------------------------------
 */

/* The reduction that does to lanes' values what the atomics do to memory; ATOMIC_RMW of integers
 * only, as floats would be rounded otherwise. */
static bool reduction_of(const HdIrInst *in, HdIrCollective *op)
{
    static const HdIrCollective map[] = {HD_COLL_ADD,  HD_COLL_ADD, HD_COLL_ADD,  HD_COLL_AND,
                                         HD_COLL_OR,   HD_COLL_XOR, HD_COLL_UMIN, HD_COLL_UMAX,
                                         HD_COLL_SMIN, HD_COLL_SMAX};

    if (in->op != HD_IR_ATOMIC_RMW || in->sub == HD_IR_RMW_XCHG || in->sub > HD_IR_RMW_SMAX ||
        hd_ir_is_float((HdIrType)in->type) || in->type == HD_IR_PTR || in->type == HD_IR_BOOL)
        return false;
    *op = map[in->sub];
    return true;
}

/* What all lanes do at one address is one operation on memory; each lane gets the value left by
 * those before it. Returns the old values, NULL if they are not used. */
static LLVMValueRef together(HdGen *g, HdIrRef r, HdIrCollective op, LLVMValueRef at,
                             LLVMValueRef mask, bool may_keep)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef value = hd_ir_arg(g->f, r, 1);
    LLVMValueRef x = hd_gen_v(g, value), total, old, before;

    if (op == HD_COLL_ADD && g->f->insts.at[value].shape == HD_SHAPE_UNIFORM) {
        total = LLVMBuildIntCast2(g->b, hd_gen_count(g, mask), g->scalar[in->type], 0, "");
        total = LLVMBuildMul(g->b, total, hd_gen_s(g, value), "");
    } else {
        total = hd_gen_reduce(g, op, HD_COLL_REDUCE, (HdIrType)in->type, x, mask);
    }
    if (may_leave(g, r)) {
        change(g, in, at, total);
        return NULL;
    }
    if (may_keep && keep_one(g, r, at, total))
        return NULL;
    old = rmw(g, in, at, total);
    if (g->uses[r] == 0)
        return NULL;
    before = hd_gen_reduce(g, op, HD_COLL_EXCLUSIVE, (HdIrType)in->type, x, mask);
    return modified(g, (HdIrRmw)in->sub, hd_gen_splat(g, old), before);
}

/* ---- several in a row ---------------------------------------------------------------------------
 */

#define MOST_NEAR  8u  /* of a lane together */
#define NEAR_BYTES 64u /* from one to the next: mostly in a line of the cache */

/* Bytes from where a lane has one atomic to where it has the other; both have the same base. */
static int64_t distance(const HdGen *g, HdIrRef from, HdIrRef to)
{
    int64_t a, b;

    hd_linear_base(g->f, hd_ir_arg(g->f, from, 0), &a);
    hd_linear_base(g->f, hd_ir_arg(g->f, to, 0), &b);
    return (int64_t)((uint64_t)b - (uint64_t)a);
}

/* May it be made later, together with another one? */
static bool may_wait(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrCollective op;

    return reduction_of(in, &op) && g->uses[r] == 0 && !is_local(in->imm) &&
           ordering(in->imm) == LLVMAtomicOrderingMonotonic &&
           g->f->insts.at[hd_ir_arg(g->f, r, 0)].shape != HD_SHAPE_UNIFORM;
}

static bool are_near(const HdGen *g, HdIrRef a, HdIrRef b)
{
    const HdIrInst *x = &g->f->insts.at[a], *y = &g->f->insts.at[b];
    int64_t from, to;

    return may_wait(g, a) && may_wait(g, b) && x->nargs == y->nargs &&
           (x->nargs == 2 || hd_ir_arg(g->f, a, 2) == hd_ir_arg(g->f, b, 2)) &&
           hd_linear_base(g->f, hd_ir_arg(g->f, a, 0), &from) ==
               hd_linear_base(g->f, hd_ir_arg(g->f, b, 0), &to) &&
           (uint64_t)distance(g, a, b) + NEAR_BYTES - 1 < 2 * NEAR_BYTES - 1;
}

/* The atomics in a row that r belongs to, in the order of the code; r's place among them. */
static unsigned find_row(const HdGen *g, HdIrRef r, HdIrRef row[MOST_NEAR], unsigned *place)
{
    const HdIrBlock *b = &g->f->blocks.at[g->f->insts.at[r].block];
    unsigned count = 0;
    bool is_found = false;

    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef x = b->insts.at[i];

        if (hd_gen_may_cross(g, x, r))
            continue;
        if (count == MOST_NEAR || count == 0 || !are_near(g, row[count - 1], x)) {
            if (is_found)
                break;
            count = 0;
        }
        row[count] = x;
        if (x == r) {
            *place = count;
            is_found = true;
        }
        count++;
    }
    return count;
}

/* Lane by lane, all of a row; `later`: only kept. */
static void near_lanes(HdGen *g, const HdIrRef *row, unsigned count, LLVMValueRef mask, bool later)
{
    Lanes s[MOST_NEAR] = {0};
    LLVMValueRef first;
    HdGenLoop loop;

    for (unsigned i = 0; i < count; i++) {
        find_operands(g, row[i], &s[i]);
        if (i > 0)
            s[i].wide[0] = NULL; /* found from the first one's */
        spill(g, &s[i]);
    }
    hd_gen_lanes_begin(g, mask, &loop);
    first = operand(g, &s[0], 0, loop.lane);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef by = hd_gen_u64(g, (uint64_t)distance(g, row[0], row[i]));
        LLVMValueRef x[3] = {hd_gen_offset(g, first, by), operand(g, &s[i], 1, loop.lane), NULL};

        if (later)
            hd_gen_private_atomic(g, row[i], x[0], x[1]);
        else
            operate(g, s[i].in, s[i].stored, x);
    }
    hd_gen_lanes_end(g, &loop);
}

/* ---- one address or many ------------------------------------------------------------------------
 */

/* At one address, each of a row; the old values if there is but one. */
static LLVMValueRef row_together(HdGen *g, const HdIrRef *row, unsigned count, LLVMValueRef first,
                                 LLVMValueRef mask)
{
    LLVMValueRef old = NULL;

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef by = hd_gen_u64(g, (uint64_t)distance(g, row[0], row[i]));
        HdIrCollective op;

        if (reduction_of(&g->f->insts.at[row[i]], &op))
            old = together(g, row[i], op, hd_gen_offset(g, first, by), mask, false);
    }
    return old;
}

/* Lanes' addresses may turn out to be one when the code runs. */
static void maybe_together(HdGen *g, const HdIrRef *row, unsigned count, LLVMValueRef mask)
{
    HdIrRef r = row[0];
    LLVMTypeRef type = g->vector[g->f->insts.at[r].type];
    LLVMBasicBlockRef one = hd_gen_block(g, "one"), many = hd_gen_block(g, "many");
    LLVMBasicBlockRef done = hd_gen_block(g, "done"), ends[2];
    LLVMValueRef at = hd_gen_v(g, hd_ir_arg(g->f, r, 0)), first, same, x[2] = {NULL, NULL}, phi;

    first = LLVMBuildExtractElement(g->b, at, hd_gen_first_lane(g, mask), "");
    same = LLVMBuildICmp(g->b, LLVMIntEQ, at, hd_gen_splat(g, first), "");
    if (mask != NULL)
        same = LLVMBuildOr(g->b, same, LLVMBuildNot(g->b, mask, ""), "");
    LLVMBuildCondBr(g->b, hd_gen_full(g, same, NULL), one, many);
    LLVMPositionBuilderAtEnd(g->b, one);
    x[0] = row_together(g, row, count, first, mask);
    ends[0] = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, done);
    LLVMPositionBuilderAtEnd(g->b, many);
    if (count > 1) {
        near_lanes(g, row, count, mask, false);
    } else {
        each_lane(g, r, mask);
        x[1] = hd_gen_v(g, r);
    }
    ends[1] = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, done);
    LLVMPositionBuilderAtEnd(g->b, done);
    if (x[0] == NULL)
        return;
    phi = LLVMBuildPhi(g->b, type, "");
    LLVMAddIncoming(phi, x, ends, 2);
    hd_gen_set(g, r, NULL, phi);
}

/* Lanes of the mask that would change memory. */
static LLVMValueRef changing(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrType t = (HdIrType)in->type;
    LLVMValueRef found = hd_gen_load_at(g, g->vector[t], hd_gen_v(g, hd_ir_arg(g->f, r, 0)), mask,
                                        hd_ir_type_bytes(t));
    LLVMValueRef x = would_change(g, in, found, hd_gen_v(g, hd_ir_arg(g->f, r, 1)));

    x = LLVMBuildFreeze(g->b, x, "");
    return mask != NULL ? LLVMBuildAnd(g->b, x, mask, "") : x;
}

static void change_lanes(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    LLVMValueRef left = changing(g, r, mask), none;
    LLVMBasicBlockRef done;

    none = hd_gen_full(g, LLVMBuildNot(g->b, left, ""), NULL);
    done = only_if(g, LLVMBuildNot(g->b, none, ""));
    maybe_together(g, &r, 1, left);
    go_on(g, done);
}

/* A sequence is emitted at the position of its last member. */
static void row_or_nothing(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    HdIrRef row[MOST_NEAR];
    unsigned place = 0, count = find_row(g, r, row, &place);
    LLVMBasicBlockRef now, done;
    LLVMValueRef additions;

    if (count == 1 && may_leave(g, r)) {
        change_lanes(g, r, mask);
        return;
    }
    if (place + 1 != count)
        return;
    additions = LLVMBuildMul(g->b, hd_gen_count(g, mask), hd_gen_u64(g, count), "");
    now = begin_kept(g, r, additions);
    if (now == NULL) {
        maybe_together(g, row, count, mask);
        return;
    }
    near_lanes(g, row, count, mask, true);
    done = end_kept(g, now);
    maybe_together(g, row, count, mask);
    go_on(g, done);
}

/* A comparison with a constant claims what nobody has claimed yet: a lock, an empty slot of a
 * table, which most lanes find taken. What is loaded by all lanes at once says where it would fail.
 */
static bool may_claim(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    uint64_t k;

    return in->op == HD_IR_ATOMIC_CMPXCHG && (in->type == HD_IR_I32 || in->type == HD_IR_I64) &&
           g->uses[r] != 0 && g->has_avx512 && hd_ir_is_const(g->f, hd_ir_arg(g->f, r, 2), &k) &&
           (is_local(in->imm) || ordering(in->imm) == LLVMAtomicOrderingMonotonic);
}

static void claim_lanes(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    HdIrType t = (HdIrType)g->f->insts.at[r].type;
    LLVMValueRef found, left, claimed;
    HdGenWays w;
    Lanes s;

    find_operands(g, r, &s);
    LLVMBuildFence(g->b, LLVMAtomicOrderingSequentiallyConsistent, 1,
                   ""); /* for LLVM: not hoisted */
    found = hd_gen_load_at(g, g->vector[t], hd_gen_v(g, hd_ir_arg(g->f, r, 0)), mask,
                           hd_ir_type_bytes(t));
    found = LLVMBuildFreeze(g->b, found, "");
    left = LLVMBuildICmp(g->b, LLVMIntEQ, found, hd_gen_v(g, hd_ir_arg(g->f, r, 2)), "");
    if (mask != NULL)
        left = LLVMBuildAnd(g->b, left, mask, "");
    hd_gen_ways_begin(g, hd_gen_full(g, LLVMBuildNot(g->b, left, ""), NULL), &w);
    hd_gen_ways_next(g, &w);
    claimed = LLVMBuildSelect(g->b, left, some_lanes(g, &s, left), found, "");
    hd_gen_ways_end(g, &w);
    hd_gen_set(g, r, NULL, hd_gen_either(g, &w, found, claimed));
}

static void alone(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef x[3] = {NULL, NULL, NULL};
    unsigned n = hd_ir_value_args(in);

    for (unsigned i = 0; i < n; i++)
        x[i] = hd_gen_s(g, hd_ir_arg(g->f, r, i));
    if (may_leave(g, r)) {
        change(g, in, x[0], x[1]);
        return;
    }
    if (keep_one(g, r, x[0], x[1])) {
        hd_gen_set(g, r, LLVMConstNull(g->scalar[in->type]), NULL);
        return;
    }
    hd_gen_set(g, r,
               operate(g, in,
                       n > 1 ? (HdIrType)g->f->insts.at[hd_ir_arg(g->f, r, 1)].type : HD_IR_VOID,
                       x),
               NULL);
}

/* A block with atomics runs only when some lane is active. */
static void access(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef at = hd_ir_arg(g->f, r, 0);
    bool one = g->f->insts.at[at].shape == HD_SHAPE_UNIFORM;
    LLVMValueRef mask = hd_gen_mask(g, in, r), x;
    HdIrCollective op;

    if (g->width == 1) {
        alone(g, r);
    } else if (one && in->op == HD_IR_ATOMIC_LOAD) {
        x = atomic_load(g, hd_gen_s(g, at), (HdIrType)in->type, load_ordering(in->imm));
        hd_gen_set(g, r, NULL, hd_gen_splat(g, x));
    } else if (one && reduction_of(in, &op)) {
        x = together(g, r, op, hd_gen_s(g, at), mask, true);
        hd_gen_set(g, r, NULL, x != NULL ? x : LLVMConstNull(g->vector[in->type]));
    } else if (!is_local(in->imm) && reduction_of(in, &op)) {
        row_or_nothing(g, r, mask);
    } else if (!one && may_claim(g, r)) {
        claim_lanes(g, r, mask);
    } else {
        each_lane(g, r, mask);
    }
}

bool hd_gen_atomic(HdGen *g, HdIrRef r)
{
    switch ((HdIrOp)g->f->insts.at[r].op) {
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG: access(g, r); return true;
    case HD_IR_FENCE: fence(g, g->f->insts.at[r].imm); return true;
    default: return false;
    }
}
