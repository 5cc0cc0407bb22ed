/* codegen/collective.c -- operations of all lanes of a sub-group together.
 *
 * Results are defined for the active lanes only. Reductions halve the lanes until one is left, and
 * scans add from 1, 2, 4 … lanes below: floats are combined in that order, which the specification
 * leaves open.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/collective.h"

#include <llvm-c/Target.h>

#include "codegen/access.h"
#include "codegen/emit.h"
#include "codegen/minmax.h"
#include "codegen/values.h"
#include "rt/abi.h"

static LLVMValueRef full_mask(HdGen *g)
{
    return LLVMConstAllOnes(LLVMVectorType(g->i1, g->width));
}

static LLVMValueRef bits_of(HdGen *g, LLVMValueRef mask)
{
    LLVMTypeRef narrow = LLVMIntTypeInContext(g->c, g->width);

    return LLVMBuildZExtOrBitCast(g->b, LLVMBuildBitCast(g->b, mask, narrow, ""), g->i64, "");
}

LLVMValueRef hd_gen_first_lane(HdGen *g, LLVMValueRef mask)
{
    LLVMValueRef args[2], lane;

    if (mask == NULL)
        return hd_gen_u32(g, 0);
    args[0] = bits_of(g, mask);
    args[1] = LLVMConstInt(g->i1, 0, 0);
    lane = hd_gen_intrinsic(g, "llvm.cttz", &g->i64, 1, args, 2);
    return LLVMBuildAnd(g->b, LLVMBuildTrunc(g->b, lane, g->i32, ""), hd_gen_u32(g, g->width - 1),
                        "");
}

LLVMValueRef hd_gen_count(HdGen *g, LLVMValueRef mask)
{
    LLVMValueRef bits;

    if (mask == NULL)
        return hd_gen_u64(g, g->width);
    bits = bits_of(g, mask);
    return hd_gen_intrinsic(g, "llvm.ctpop", &g->i64, 1, &bits, 1);
}

static LLVMValueRef combine(HdGen *g, HdIrCollective op, LLVMValueRef x, LLVMValueRef y)
{
    switch (op) {
    case HD_COLL_ADD: return LLVMBuildAdd(g->b, x, y, "");
    case HD_COLL_MUL: return LLVMBuildMul(g->b, x, y, "");
    case HD_COLL_UMIN: return hd_gen_two(g, "llvm.umin", x, y);
    case HD_COLL_UMAX: return hd_gen_two(g, "llvm.umax", x, y);
    case HD_COLL_SMIN: return hd_gen_two(g, "llvm.smin", x, y);
    case HD_COLL_SMAX: return hd_gen_two(g, "llvm.smax", x, y);
    case HD_COLL_AND: return LLVMBuildAnd(g->b, x, y, "");
    case HD_COLL_OR: return LLVMBuildOr(g->b, x, y, "");
    case HD_COLL_XOR: return LLVMBuildXor(g->b, x, y, "");
    case HD_COLL_FADD: return LLVMBuildFAdd(g->b, x, y, "");
    case HD_COLL_FMUL: return LLVMBuildFMul(g->b, x, y, "");
    case HD_COLL_FMIN: return hd_gen_minmax(g, false, x, y);
    case HD_COLL_FMAX: return hd_gen_minmax(g, true, x, y);
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

/* ---- reductions and scans ---------------------------------------------------------------------
 */

/* Elements of a and b (those of b are numbered after a's) in another order. */
static LLVMValueRef arrange(HdGen *g, LLVMValueRef a, LLVMValueRef b, const unsigned *from,
                            unsigned count)
{
    LLVMValueRef index[HD_MAX_WIDTH];

    for (unsigned i = 0; i < count; i++)
        index[i] = hd_gen_u32(g, from[i]);
    return LLVMBuildShuffleVector(g->b, a, b != NULL ? b : LLVMGetPoison(LLVMTypeOf(a)),
                                  LLVMConstVector(index, count), "");
}

#define LEAST_BYTES 16u /* of a vector register */

/* The upper half onto the lower one until one is left. The last steps are those of a vector, too:
 * LLVM would take integers out of the vector unit, and often their result is put back there. */
static LLVMValueRef fold_halves(HdGen *g, HdIrCollective op, LLVMValueRef x)
{
    unsigned low[HD_MAX_WIDTH], high[HD_MAX_WIDTH];
    unsigned bytes = (unsigned)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(g->m),
                                                   LLVMGetElementType(LLVMTypeOf(x)));

    for (unsigned n = g->width / 2; n != 0; n /= 2) {
        unsigned kept = n;

        while (kept * bytes < LEAST_BYTES && kept < LLVMGetVectorSize(LLVMTypeOf(x)))
            kept *= 2;
        for (unsigned i = 0; i < kept; i++) {
            low[i] = i;
            high[i] = n + i % n;
        }
        x = combine(g, op, arrange(g, x, NULL, low, kept), arrange(g, x, NULL, high, kept));
    }
    return LLVMBuildExtractElement(g->b, x, hd_gen_u32(g, 0), "");
}

/* The same within each cluster, with the result in all of its lanes. */
static LLVMValueRef fold_clusters(HdGen *g, HdIrCollective op, LLVMValueRef x, unsigned cluster)
{
    unsigned from[HD_MAX_WIDTH];

    for (unsigned n = cluster / 2; n != 0; n /= 2) {
        for (unsigned i = 0; i < g->width; i++)
            from[i] = i ^ n;
        x = combine(g, op, x, arrange(g, x, NULL, from, g->width));
    }
    return x;
}

/* Each lane's value from n lanes below in its cluster; `none` where that is outside. */
static LLVMValueRef move_up(HdGen *g, LLVMValueRef x, LLVMValueRef none, unsigned n,
                            unsigned cluster)
{
    unsigned from[HD_MAX_WIDTH];

    for (unsigned i = 0; i < g->width; i++)
        from[i] = i % cluster >= n ? i - n : g->width + i;
    return arrange(g, x, none, from, g->width);
}

/* Lanes that are off take part with a value that changes nothing. */
static LLVMValueRef neutral(HdGen *g, HdIrCollective op, unsigned how, HdIrType t)
{
    LLVMValueRef x = identity(g, op, t);

    /* -0.0 + x is x for every x; but a scan starts with 0. */
    if (op == HD_COLL_FADD && how != HD_COLL_EXCLUSIVE)
        x = LLVMConstReal(g->scalar[t], -0.0);
    return hd_gen_splat(g, x);
}

/* BOOL is reduced as bytes, halves are compared as floats. */
static HdIrType reduced_type(HdIrCollective op, HdIrType t)
{
    if (t == HD_IR_BOOL)
        return HD_IR_I8;
    return t == HD_IR_F16 && (op == HD_COLL_FMIN || op == HD_COLL_FMAX) ? HD_IR_F32 : t;
}

static LLVMValueRef from_reduced(HdGen *g, HdIrType t, LLVMValueRef x)
{
    bool wide = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
    LLVMTypeRef type = wide ? g->vector[t] : g->scalar[t];

    if (t == HD_IR_BOOL)
        return LLVMBuildTrunc(g->b, x, type, "");
    return t == HD_IR_F16 ? LLVMBuildFPCast(g->b, x, type, "") : x;
}

/* Conditions of all lanes are a mask, which is compared. NULL: combined by something else. */
static LLVMValueRef reduce_mask(HdGen *g, HdIrCollective op, LLVMValueRef x, LLVMValueRef mask)
{
    LLVMTypeRef bits = LLVMIntTypeInContext(g->c, g->width);
    bool is_and = op == HD_COLL_AND;

    if (!is_and && op != HD_COLL_OR)
        return NULL;
    if (mask != NULL)
        x = LLVMBuildSelect(g->b, mask, x, is_and ? full_mask(g) : LLVMConstNull(LLVMTypeOf(x)),
                            "");
    x = LLVMBuildBitCast(g->b, x, bits, "");
    return LLVMBuildICmp(g->b, is_and ? LLVMIntEQ : LLVMIntNE, x,
                         is_and ? LLVMConstAllOnes(bits) : LLVMConstNull(bits), "");
}

LLVMValueRef hd_gen_reduce(HdGen *g, HdIrCollective op, uint64_t imm, HdIrType t, LLVMValueRef x,
                           LLVMValueRef mask)
{
    unsigned how = (unsigned)imm & 255, cluster = (unsigned)(imm >> 8);
    HdIrType as = reduced_type(op, t);
    LLVMValueRef none = neutral(g, op, how, as);

    if (cluster == 0 || cluster > g->width)
        cluster = g->width;
    if (t == HD_IR_BOOL && how == HD_COLL_REDUCE && cluster == g->width) {
        LLVMValueRef all = reduce_mask(g, op, x, mask);

        if (all != NULL)
            return all;
    }
    if (t == HD_IR_BOOL)
        x = LLVMBuildZExt(g->b, x, g->vector[as], "");
    else if (as != t)
        x = LLVMBuildFPExt(g->b, x, g->vector[as], "");
    if (mask != NULL)
        x = LLVMBuildSelect(g->b, mask, x, none, "");
    if (how == HD_COLL_REDUCE && cluster == g->width)
        return from_reduced(g, t, fold_halves(g, op, x));
    if (how == HD_COLL_REDUCE)
        return from_reduced(g, t, fold_clusters(g, op, x, cluster));
    for (unsigned n = 1; n < cluster; n *= 2)
        x = combine(g, op, move_up(g, x, none, n, cluster), x);
    if (how == HD_COLL_EXCLUSIVE)
        x = move_up(g, x, none, 1, cluster);
    return from_reduced(g, t, x);
}

/* The lanes that a scan gives lane n's value to. */
static LLVMValueRef lanes_from(HdGen *g, unsigned how, unsigned n)
{
    LLVMValueRef bits[HD_MAX_WIDTH];

    for (unsigned i = 0; i < g->width; i++)
        bits[i] = LLVMConstInt(
            g->i1, how == HD_COLL_REDUCE || i > n || (how == HD_COLL_INCLUSIVE && i == n), 0);
    return LLVMConstVector(bits, g->width);
}

/* Reductions and scans of the lanes that each one's ballot names, from the lowest on. */
static void reduce_parts(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrCollective op = (HdIrCollective)in->sub;
    HdIrType t = (HdIrType)in->type, as = reduced_type(op, t);
    unsigned how = (unsigned)in->imm & 3;
    LLVMValueRef x = hd_gen_v(g, hd_ir_arg(g->f, r, 0)), sum = neutral(g, op, how, as);
    LLVMValueRef ballot = LLVMBuildAnd(g->b, hd_gen_v(g, hd_ir_arg(g->f, r, 1)),
                                       hd_gen_splat(g, bits_of(g, mask)), "");

    if (t == HD_IR_BOOL)
        x = LLVMBuildZExt(g->b, x, g->vector[as], "");
    else if (as != t)
        x = LLVMBuildFPExt(g->b, x, g->vector[as], "");
    for (unsigned i = 0; i < g->width; i++) {
        LLVMValueRef bit = hd_gen_splat(g, hd_gen_u64(g, UINT64_C(1) << i)), has, one;

        has = LLVMBuildICmp(g->b, LLVMIntEQ, LLVMBuildAnd(g->b, ballot, bit, ""), bit, "");
        has = LLVMBuildAnd(g->b, has, lanes_from(g, how, i), "");
        one = hd_gen_splat(g, LLVMBuildExtractElement(g->b, x, hd_gen_u32(g, i), ""));
        sum = LLVMBuildSelect(g->b, has, combine(g, op, sum, one), sum, "");
    }
    hd_gen_set(g, r, NULL, from_reduced(g, t, sum));
}

/* Reductions and scans, of the whole sub-group or of clusters of lanes. */
static void reduce(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef x;
    bool wide;

    if ((in->imm & HD_COLL_PARTED) != 0) {
        reduce_parts(g, r, mask);
        return;
    }
    x = hd_gen_reduce(g, (HdIrCollective)in->sub, in->imm, (HdIrType)in->type,
                      hd_gen_v(g, hd_ir_arg(g->f, r, 0)), mask);
    wide = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
    hd_gen_set(g, r, wide ? NULL : x, wide ? x : NULL);
}

/* ---- one lane's value for another --------------------------------------------------------------
 */

/* ---- LLVM 22.1 and 64-bit lanes with AVX-512 --------------------------------------------------
 */

#define PIECE 8u /* 64-bit lanes of a register */

/* The same, in registers whose origin LLVM does not see: no instruction. */
static LLVMValueRef opaque(HdGen *g, LLVMValueRef x)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(x));
    LLVMTypeRef type = LLVMTypeOf(x);

    if (LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind) {
        x = LLVMBuildPtrToInt(g->b, x, LLVMVectorType(g->i64, n), "");
        return LLVMBuildIntToPtr(g->b, opaque(g, x), type, "");
    }
    if (n > PIECE)
        return hd_gen_joined(g, opaque(g, hd_gen_lanes_of(g, x, 0, n / 2)),
                             opaque(g, hd_gen_lanes_of(g, x, n / 2, n / 2)));
    type = LLVMFunctionType(type, &type, 1, 0);
    return LLVMBuildCall2(
        g->b, type, LLVMGetInlineAsm(type, "", 0, "=v,0", 4, 0, 0, LLVMInlineAsmDialectATT, 0), &x,
        1, "");
}

/* Where only the first two lanes of a permuted register (VPERMQ, VPERMPD by a constant) are
 * demanded, LLVM 22.1 makes it VPERMILPD of half a register and leaves its control as it is, of
 * which that instruction reads bit 1: the second lane becomes the first. Permutations that take the
 * second lane of a register there are hidden from it. */
static bool is_misread(const HdGen *g, HdIrType t, const unsigned *from)
{
    if (!g->has_avx512 || hd_ir_type_bits(t) != 64)
        return false;
    for (unsigned i = 0; i + 1 < g->width; i += PIECE) {
        unsigned a = from[i] % PIECE, b = from[i + 1] % PIECE;

        if (from[i] / PIECE == from[i + 1] / PIECE && a <= 1 && b <= 1 && (a == 1 || b == 1))
            return true;
    }
    return false;
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

/* Lanes' sources when they are known now: in from[]. A lane outside the sub-group is undefined to
 * read. */
static bool known_sources(const HdGen *g, HdIrRef r, unsigned *from)
{
    const HdIrInst *in = &g->f->insts.at[r];
    const HdIrInst *by = &g->f->insts.at[hd_ir_arg(g->f, r, 1)];
    unsigned cluster = (unsigned)(in->imm >> 8), n = (unsigned)by->imm;

    if (by->op != HD_IR_CONST)
        return false;
    if (cluster == 0 || cluster > g->width)
        cluster = g->width;
    for (unsigned i = 0; i < g->width; i++) {
        switch ((HdIrCollective)in->sub) {
        case HD_COLL_SHUFFLE_XOR: from[i] = i ^ n; break;
        case HD_COLL_SHUFFLE_UP: from[i] = i - n; break;
        case HD_COLL_SHUFFLE_DOWN: from[i] = i + n; break;
        case HD_COLL_ROTATE: from[i] = (i & ~(cluster - 1)) | ((i + n) & (cluster - 1)); break;
        default: from[i] = n; break;
        }
        from[i] &= g->width - 1;
    }
    return true;
}

/* Whole registers of 32-bit elements by the processor's own instruction; NULL where it has none. */
static LLVMValueRef permute_words(HdGen *g, LLVMValueRef x, LLVMValueRef lanes)
{
    LLVMValueRef args[3] = {x, lanes, NULL}, to[2];

    if (g->width == 8 && g->has_avx2)
        return hd_gen_intrinsic(g, "llvm.x86.avx2.permd", NULL, 0, args, 2);
    if (g->width == 16 && g->has_avx512)
        return hd_gen_intrinsic(g, "llvm.x86.avx512.permvar.si.512", NULL, 0, args, 2);
    if (g->width != 32 || !g->has_avx512)
        return NULL;
    args[0] = hd_gen_lanes_of(g, x, 0, 16);
    args[2] = hd_gen_lanes_of(g, x, 16, 16);
    for (unsigned i = 0; i < 2; i++) {
        args[1] = hd_gen_lanes_of(g, lanes, i * 16, 16);
        to[i] = hd_gen_intrinsic(g, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0, args, 3);
    }
    return hd_gen_joined(g, to[0], to[1]);
}

/* Through memory, lane by lane. */
static LLVMValueRef permute_slowly(HdGen *g, LLVMValueRef x, LLVMValueRef lanes)
{
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(x));
    LLVMValueRef at = hd_gen_stack(g, (uint64_t)g->width * 8), lane,
                 y = LLVMGetPoison(LLVMTypeOf(x));

    LLVMBuildStore(g->b, x, at);
    for (unsigned i = 0; i < g->width; i++) {
        lane = LLVMBuildExtractElement(g->b, lanes, hd_gen_u32(g, i), "");
        lane = LLVMBuildLoad2(g->b, element, LLVMBuildGEP2(g->b, element, at, &lane, 1, ""), "");
        y = LLVMBuildInsertElement(g->b, y, lane, hd_gen_u32(g, i), "");
    }
    return y;
}

static LLVMValueRef permute_integers(HdGen *g, LLVMValueRef x, unsigned bits, LLVMValueRef lanes)
{
    LLVMTypeRef type = LLVMTypeOf(x), word = g->vector[HD_IR_I32];
    LLVMValueRef low, high, by = hd_gen_splat(g, hd_gen_u64(g, 32));

    if (bits <= 32) {
        low = permute_words(g, LLVMBuildIntCast2(g->b, x, word, 0, ""), lanes);
        return low == NULL ? permute_slowly(g, x, lanes)
                           : LLVMBuildIntCast2(g->b, low, type, 0, "");
    }
    low = permute_words(g, LLVMBuildTrunc(g->b, x, word, ""), lanes);
    if (low == NULL)
        return permute_slowly(g, x, lanes);
    high = LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, x, by, ""), word, "");
    high = LLVMBuildZExt(g->b, permute_words(g, high, lanes), type, "");
    low = LLVMBuildZExt(g->b, low, type, "");
    return LLVMBuildOr(g->b, LLVMBuildShl(g->b, high, by, ""), low, "");
}

static void shuffle(HdGen *g, HdIrRef r)
{
    HdIrType t = (HdIrType)g->f->insts.at[r].type;
    LLVMValueRef x = hd_gen_v(g, hd_ir_arg(g->f, r, 0)), lanes;
    unsigned from[HD_MAX_WIDTH], bits = hd_ir_type_bits(t);
    LLVMTypeRef whole = LLVMVectorType(LLVMIntTypeInContext(g->c, bits), g->width);

    if (known_sources(g, r, from)) {
        x = arrange(g, x, NULL, from, g->width);
        hd_gen_set(g, r, NULL, is_misread(g, t, from) ? opaque(g, x) : x);
        return;
    }
    /* A lane outside the sub-group is undefined to read; stay inside it. */
    lanes =
        LLVMBuildAnd(g->b, source_lanes(g, r), hd_gen_splat(g, hd_gen_u32(g, g->width - 1)), "");
    if (t == HD_IR_BOOL) {
        x = permute_integers(g, LLVMBuildZExt(g->b, x, g->vector[HD_IR_I8], ""), 8, lanes);
        x = LLVMBuildTrunc(g->b, x, g->vector[t], "");
    } else {
        x = t == HD_IR_PTR ? LLVMBuildPtrToInt(g->b, x, whole, "")
                           : LLVMBuildBitCast(g->b, x, whole, "");
        x = permute_integers(g, x, bits, lanes);
        x = t == HD_IR_PTR ? LLVMBuildIntToPtr(g->b, x, g->vector[t], "")
                           : LLVMBuildBitCast(g->b, x, g->vector[t], "");
    }
    hd_gen_set(g, r, NULL, x);
}

/* A constant lane for all, where LLVM would take another one; then *lane is any. */
static LLVMValueRef splat_of(HdGen *g, HdIrRef r, LLVMValueRef v, LLVMValueRef *lane)
{
    unsigned from[HD_MAX_WIDTH];

    for (unsigned i = 0; i < g->width; i++)
        from[i] = (unsigned)LLVMConstIntGetZExtValue(*lane);
    if (!is_misread(g, (HdIrType)g->f->insts.at[r].type, from))
        return v;
    *lane = hd_gen_u32(g, 0);
    return opaque(g, arrange(g, v, NULL, from, g->width));
}

static void broadcast(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef lane, v = hd_gen_v(g, hd_ir_arg(g->f, r, 0));

    if (in->sub == HD_COLL_BROADCAST_FIRST) {
        lane = hd_gen_first_lane(g, mask);
    } else {
        HdIrRef index = hd_ir_arg(g->f, r, 1);

        /* The index is uniform among the active lanes; lane 0 may not be one of them. */
        if (g->f->insts.at[index].shape == HD_SHAPE_UNIFORM)
            lane = hd_gen_s(g, index);
        else
            lane =
                LLVMBuildExtractElement(g->b, hd_gen_v(g, index), hd_gen_first_lane(g, mask), "");
        lane = LLVMBuildIntCast2(g->b, lane, g->i32, 0, "");
        lane = LLVMBuildAnd(g->b, lane, hd_gen_u32(g, g->width - 1), "");
    }
    if (LLVMIsAConstantInt(lane) != NULL)
        v = splat_of(g, r, v, &lane);
    hd_gen_set(g, r, LLVMBuildExtractElement(g->b, v, lane, ""), NULL);
}

/* Do all active lanes hold the first one's value? As bits for integers, as numbers for floats. */
static LLVMValueRef all_equal(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    HdIrRef a = hd_ir_arg(g->f, r, 0);
    LLVMValueRef v = hd_gen_v(g, a), first, same;

    first = hd_gen_splat(g, LLVMBuildExtractElement(g->b, v, hd_gen_first_lane(g, mask), ""));
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

/* Do lanes hold one's value? As numbers for floats; a NaN is the same as one with its bits. */
static LLVMValueRef same_as(HdGen *g, LLVMValueRef v, HdIrType t, LLVMValueRef one)
{
    LLVMTypeRef bits =
        hd_ir_is_float(t) ? LLVMVectorType(LLVMIntTypeInContext(g->c, hd_ir_type_bits(t)), g->width)
                          : LLVMTypeOf(v);
    LLVMValueRef same = LLVMBuildICmp(g->b, LLVMIntEQ, LLVMBuildBitCast(g->b, v, bits, ""),
                                      LLVMBuildBitCast(g->b, one, bits, ""), "");

    return hd_ir_is_float(t)
               ? LLVMBuildOr(g->b, same, LLVMBuildFCmp(g->b, LLVMRealOEQ, v, one, ""), "")
               : same;
}

/* Which active lanes hold each one's value? */
static void match(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    HdIrRef a = hd_ir_arg(g->f, r, 0);
    LLVMValueRef v = LLVMBuildFreeze(g->b, hd_gen_v(g, a), "");
    LLVMValueRef none = LLVMConstNull(g->vector[HD_IR_I64]), all = none;

    for (unsigned i = 0; i < g->width; i++) {
        LLVMValueRef one = hd_gen_splat(g, LLVMBuildExtractElement(g->b, v, hd_gen_u32(g, i), ""));
        LLVMValueRef bit = hd_gen_splat(g, hd_gen_u64(g, UINT64_C(1) << i));
        LLVMValueRef same = same_as(g, v, (HdIrType)g->f->insts.at[a].type, one);

        all = LLVMBuildOr(g->b, all, LLVMBuildSelect(g->b, same, bit, none, ""), "");
    }
    all = LLVMBuildAnd(g->b, all, hd_gen_splat(g, bits_of(g, mask)), "");
    hd_gen_set(g, r, NULL, all);
}

static void elect(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    LLVMValueRef first = hd_gen_splat(g, hd_gen_first_lane(g, mask));

    hd_gen_set(g, r, NULL, LLVMBuildICmp(g->b, LLVMIntEQ, hd_gen_lane_ids(g, g->i32), first, ""));
}

/* One lane: every operation is that of a group of one. */
static void alone(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrCollective op = (HdIrCollective)in->sub;
    LLVMValueRef x = in->nargs != 0 ? hd_gen_s(g, hd_ir_arg(g->f, r, 0)) : NULL;

    if (op <= HD_COLL_FMAX && ((unsigned)in->imm & 3) == HD_COLL_EXCLUSIVE)
        x = identity(g, op, (HdIrType)in->type);
    else if (op == HD_COLL_ALL_EQUAL || op == HD_COLL_ELECT)
        x = LLVMConstInt(g->i1, 1, 0);
    else if (op == HD_COLL_BALLOT)
        x = LLVMBuildZExt(g->b, x, g->i64, "");
    else if (op == HD_COLL_MATCH)
        x = hd_gen_u64(g, 1);
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
    case HD_COLL_MATCH: match(g, r, mask); break;
    case HD_COLL_BROADCAST:
    case HD_COLL_BROADCAST_FIRST: broadcast(g, r, mask); break;
    case HD_COLL_SHUFFLE:
    case HD_COLL_SHUFFLE_XOR:
    case HD_COLL_SHUFFLE_UP:
    case HD_COLL_SHUFFLE_DOWN:
    case HD_COLL_ROTATE: shuffle(g, r); break;
    default: reduce(g, r, mask); break;
    }
    return true;
}
