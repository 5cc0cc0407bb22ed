/* codegen/arith.c -- arithmetic, comparisons, selection: pure operations, scalar or W wide.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/arith.h"

#include "codegen/divide.h"
#include "codegen/dot.h"
#include "codegen/emit.h"
#include "codegen/half.h"
#include "codegen/mathcode.h"
#include "codegen/minmax.h"
#include "codegen/values.h"
#include "ir/edit.h"

/* Operand i in the form that the result has. */
static LLVMValueRef arg(HdGen *g, HdIrRef r, unsigned i, bool wide)
{
    HdIrRef x = hd_ir_arg(g->f, r, i);

    return wide ? hd_gen_v(g, x) : hd_gen_s(g, x);
}

static LLVMValueRef zero_of(LLVMValueRef x)
{
    return LLVMConstNull(LLVMTypeOf(x));
}

/* Upper halves of 64-bit products from those of 32-bit halves; LLVM would scalarise them. */
static LLVMValueRef mul_high_words(HdGen *g, bool is_signed, LLVMValueRef x, LLVMValueRef y)
{
    LLVMValueRef by = hd_gen_like(g, x, 32), low = hd_gen_like(g, x, UINT32_MAX), zero = zero_of(x);
    LLVMValueRef x0 = LLVMBuildAnd(g->b, x, low, ""), x1 = LLVMBuildLShr(g->b, x, by, "");
    LLVMValueRef y0 = LLVMBuildAnd(g->b, y, low, ""), y1 = LLVMBuildLShr(g->b, y, by, "");
    LLVMValueRef carry = LLVMBuildLShr(g->b, LLVMBuildMul(g->b, x0, y0, ""), by, ""), mid, high;

    mid = LLVMBuildAdd(g->b, LLVMBuildMul(g->b, x1, y0, ""), carry, "");
    carry = LLVMBuildLShr(g->b, mid, by, "");
    mid = LLVMBuildAdd(g->b, LLVMBuildMul(g->b, x0, y1, ""), LLVMBuildAnd(g->b, mid, low, ""), "");
    high = LLVMBuildAdd(g->b, LLVMBuildMul(g->b, x1, y1, ""), carry, "");
    high = LLVMBuildAdd(g->b, high, LLVMBuildLShr(g->b, mid, by, ""), "");
    if (!is_signed)
        return high;
    /* A negative factor represents itself + 2^64. */
    carry = LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, x, zero, ""), y, zero, "");
    high = LLVMBuildSub(g->b, high, carry, "");
    carry = LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, y, zero, ""), x, zero, "");
    return LLVMBuildSub(g->b, high, carry, "");
}

/* Upper half of a product, through the double width. */
static LLVMValueRef mul_high(HdGen *g, HdIrRef r, bool is_signed, bool wide, LLVMValueRef x,
                             LLVMValueRef y)
{
    unsigned bits = hd_ir_type_bits((HdIrType)g->f->insts.at[r].type);
    LLVMTypeRef narrow = LLVMTypeOf(x), twice = LLVMIntTypeInContext(g->c, bits * 2);
    LLVMValueRef p, shift;

    if (wide && bits == 64)
        return mul_high_words(g, is_signed, x, y);
    if (wide)
        twice = LLVMVectorType(twice, g->width);
    x = is_signed ? LLVMBuildSExt(g->b, x, twice, "") : LLVMBuildZExt(g->b, x, twice, "");
    y = is_signed ? LLVMBuildSExt(g->b, y, twice, "") : LLVMBuildZExt(g->b, y, twice, "");
    p = LLVMBuildMul(g->b, x, y, "");
    shift = hd_gen_like(g, p, bits);
    return LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, p, shift, ""), narrow, "");
}

/* Shift amounts are modulo the width. */
static LLVMValueRef amount(HdGen *g, HdIrRef r, LLVMValueRef y)
{
    unsigned bits = hd_ir_type_bits((HdIrType)g->f->insts.at[r].type);

    return LLVMBuildAnd(g->b, y, hd_gen_like(g, y, bits - 1), "");
}

static LLVMValueRef rotate(HdGen *g, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef over = LLVMTypeOf(x);
    LLVMValueRef args[3] = {x, x, y};

    return hd_gen_intrinsic(g, "llvm.fshl", &over, 1, args, 3);
}

static LLVMValueRef count_zeros(HdGen *g, const char *name, LLVMValueRef x)
{
    LLVMTypeRef over = LLVMTypeOf(x);
    LLVMValueRef args[2] = {x, LLVMConstInt(g->i1, 0, 0)};

    return hd_gen_intrinsic(g, name, &over, 1, args, 2);
}

LLVMIntPredicate hd_gen_int_predicate(unsigned sub)
{
    static const LLVMIntPredicate map[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntULT, LLVMIntULE,
                                           LLVMIntUGT, LLVMIntUGE, LLVMIntSLT, LLVMIntSLE,
                                           LLVMIntSGT, LLVMIntSGE};

    return map[sub % (sizeof map / sizeof *map)];
}

static LLVMRealPredicate real_predicate(unsigned sub)
{
    static const LLVMRealPredicate map[] = {
        LLVMRealOEQ, LLVMRealOGT, LLVMRealOGE, LLVMRealOLT, LLVMRealOLE, LLVMRealONE, LLVMRealORD,
        LLVMRealUEQ, LLVMRealUGT, LLVMRealUGE, LLVMRealULT, LLVMRealULE, LLVMRealUNE, LLVMRealUNO};

    return map[sub % (sizeof map / sizeof *map)];
}

static LLVMValueRef compare(HdGen *g, HdIrRef r, LLVMValueRef x, LLVMValueRef y)
{
    const HdIrInst *in = &g->f->insts.at[r];

    if (in->op == HD_IR_ICMP)
        return LLVMBuildICmp(g->b, hd_gen_int_predicate(in->sub), x, y, "");
    return LLVMBuildFCmp(g->b, real_predicate(in->sub), x, y, "");
}

/* Of a shared comparison's operand all lanes. Bits of it are taken there, where others of the same
 * number are taken as well. */
static LLVMValueRef spread_operand(HdGen *g, HdIrRef cond, unsigned i)
{
    HdIrRef x = hd_ir_arg(g->f, cond, i);

    if (g->f->insts.at[x].op != HD_IR_AND || g->f->insts.at[x].type == HD_IR_BOOL)
        return hd_gen_v(g, x);
    return LLVMBuildAnd(g->b, arg(g, x, 0, true), arg(g, x, 1, true), "");
}

/* The condition of a select between vectors is a vector too, even if it is uniform: for a scalar
 * one LLVM emits a branch, which is unpredictable if the condition is a bit of a loop counter. A
 * comparison is emitted on vectors as well if their elements are not wider than what it selects. */
static LLVMValueRef wide_condition(HdGen *g, HdIrRef r)
{
    HdIrRef cond = hd_ir_arg(g->f, r, 0);
    const HdIrInst *in = &g->f->insts.at[cond];

    if (in->shape == HD_SHAPE_UNIFORM && (in->op == HD_IR_ICMP || in->op == HD_IR_FCMP) &&
        hd_ir_type_bits(g->f->insts.at[hd_ir_arg(g->f, cond, 0)].type) <=
            hd_ir_type_bits(g->f->insts.at[r].type))
        return compare(g, cond, spread_operand(g, cond, 0), spread_operand(g, cond, 1));
    return hd_gen_v(g, cond);
}

static LLVMValueRef choose(HdGen *g, HdIrRef r, bool wide)
{
    LLVMValueRef cond = wide ? wide_condition(g, r) : hd_gen_s(g, hd_ir_arg(g->f, r, 0));

    return LLVMBuildSelect(g->b, cond, arg(g, r, 1, wide), arg(g, r, 2, wide), "");
}

static LLVMValueRef fused(HdGen *g, HdIrRef r, bool wide)
{
    LLVMValueRef args[3] = {arg(g, r, 0, wide), arg(g, r, 1, wide), arg(g, r, 2, wide)};

    if (!g->has_fma && (g->f->insts.at[r].flags & HD_IR_FAST) != 0)
        return LLVMBuildFAdd(g->b, LLVMBuildFMul(g->b, args[0], args[1], ""), args[2], "");
    return hd_gen_fma(g, args[0], args[1], args[2]);
}

/* -cl-fast-relaxed-math allows 2.5 units in the last place. */
static LLVMValueRef quotient(HdGen *g, HdIrRef r, bool wide, LLVMValueRef x, LLVMValueRef y)
{
    const HdIrInst *in = &g->f->insts.at[r];

    if ((in->flags & HD_IR_FAST) != 0 && in->type == HD_IR_F32 && wide && g->has_avx512 &&
        g->width == 16)
        return hd_gen_divide_fast(g, x, y);
    return LLVMBuildFDiv(g->b, x, y, "");
}

static LLVMValueRef binary(HdGen *g, HdIrRef r, HdIrOp op, bool wide)
{
    LLVMValueRef x = arg(g, r, 0, wide), y = arg(g, r, 1, wide);

    switch (op) {
    case HD_IR_ADD: return LLVMBuildAdd(g->b, x, y, "");
    case HD_IR_SUB: return LLVMBuildSub(g->b, x, y, "");
    case HD_IR_MUL: return LLVMBuildMul(g->b, x, y, "");
    case HD_IR_UDIV:
    case HD_IR_SDIV:
    case HD_IR_UREM:
    case HD_IR_SREM: return hd_gen_divide(g, r, op, wide, x, y);
    case HD_IR_AND: return LLVMBuildAnd(g->b, x, y, "");
    case HD_IR_OR: return LLVMBuildOr(g->b, x, y, "");
    case HD_IR_XOR: return LLVMBuildXor(g->b, x, y, "");
    case HD_IR_SHL: return LLVMBuildShl(g->b, x, amount(g, r, y), "");
    case HD_IR_LSHR: return LLVMBuildLShr(g->b, x, amount(g, r, y), "");
    case HD_IR_ASHR: return LLVMBuildAShr(g->b, x, amount(g, r, y), "");
    case HD_IR_ROTL: return rotate(g, x, y);
    case HD_IR_UMIN: return hd_gen_two(g, "llvm.umin", x, y);
    case HD_IR_UMAX: return hd_gen_two(g, "llvm.umax", x, y);
    case HD_IR_SMIN: return hd_gen_two(g, "llvm.smin", x, y);
    case HD_IR_SMAX: return hd_gen_two(g, "llvm.smax", x, y);
    case HD_IR_UADDSAT: return hd_gen_two(g, "llvm.uadd.sat", x, y);
    case HD_IR_SADDSAT: return hd_gen_two(g, "llvm.sadd.sat", x, y);
    case HD_IR_USUBSAT: return hd_gen_two(g, "llvm.usub.sat", x, y);
    case HD_IR_SSUBSAT: return hd_gen_two(g, "llvm.ssub.sat", x, y);
    case HD_IR_UMULHI: return mul_high(g, r, false, wide, x, y);
    case HD_IR_SMULHI: return mul_high(g, r, true, wide, x, y);
    case HD_IR_FADD: return LLVMBuildFAdd(g->b, x, y, "");
    case HD_IR_FSUB: return LLVMBuildFSub(g->b, x, y, "");
    case HD_IR_FMUL: return LLVMBuildFMul(g->b, x, y, "");
    case HD_IR_FDIV: return quotient(g, r, wide, x, y);
    case HD_IR_FCOPYSIGN: return hd_gen_two(g, "llvm.copysign", x, y);
    case HD_IR_FMIN:
    case HD_IR_FMAX: return hd_gen_fminmax(g, r, x, y);
    default: return NULL;
    }
}

static LLVMValueRef unary(HdGen *g, HdIrRef r, HdIrOp op, bool wide)
{
    LLVMValueRef x = arg(g, r, 0, wide);

    switch (op) {
    case HD_IR_CLZ: return count_zeros(g, "llvm.ctlz", x);
    case HD_IR_CTZ: return count_zeros(g, "llvm.cttz", x);
    case HD_IR_POPCOUNT: return hd_gen_one(g, "llvm.ctpop", x);
    case HD_IR_BSWAP:
        return g->f->insts.at[r].type == HD_IR_I8 ? x : hd_gen_one(g, "llvm.bswap", x);
    case HD_IR_BITREVERSE: return hd_gen_one(g, "llvm.bitreverse", x);
    case HD_IR_FNEG: return LLVMBuildFNeg(g->b, x, "");
    case HD_IR_FABS: return hd_gen_one(g, "llvm.fabs", x);
    case HD_IR_FSQRT: return hd_gen_one(g, "llvm.sqrt", x);
    case HD_IR_FFLOOR: return hd_gen_one(g, "llvm.floor", x);
    case HD_IR_FCEIL: return hd_gen_one(g, "llvm.ceil", x);
    case HD_IR_FTRUNC: return hd_gen_one(g, "llvm.trunc", x);
    case HD_IR_FRINT: return hd_gen_one(g, "llvm.rint", x);
    default: return NULL;
    }
}

/* An i64 of all lanes as i32 that extend to it with their sign, which gathers do for nothing; NULL
 * when it may not be one. *end: it times so much is one, too. */
static LLVMValueRef short_index(HdGen *g, HdIrRef r, uint64_t *end)
{
    const HdIrInst *in = &g->f->insts.at[r];
    uint64_t mask;
    HdIrRef from;
    bool is_word;

    *end = 1;
    if (in->op != HD_IR_SEXT && in->op != HD_IR_ZEXT && in->op != HD_IR_AND)
        return NULL;
    from = hd_ir_arg(g->f, r, 0);
    is_word = g->f->insts.at[from].type == HD_IR_I32;
    if (in->op == HD_IR_SEXT && is_word)
        return hd_gen_v(g, from);
    if (in->op == HD_IR_ZEXT && is_word && hd_ir_most(g->f, from, 1) <= INT32_MAX) {
        *end = INT32_MAX / (hd_ir_most(g->f, from, 1) + 1);
        return hd_gen_v(g, from);
    }
    if (in->op != HD_IR_AND || !hd_ir_is_const(g->f, hd_ir_arg(g->f, r, 1), &mask) ||
        mask > INT32_MAX)
        return NULL;
    *end = INT32_MAX / (mask + 1);
    return LLVMBuildAnd(g->b, hd_gen_low_words(g, from),
                        hd_gen_splat(g, hd_gen_u32(g, (uint32_t)mask)), "");
}

/* Gathers address memory as one base and many offsets: index << 1, 2 or 3 becomes an index into
 * elements of that size, of 32 bits where that is known to suffice. */
static LLVMValueRef scaled_address(HdGen *g, LLVMValueRef base, HdIrRef offset)
{
    const HdIrInst *in = &g->f->insts.at[offset];
    LLVMValueRef index;
    uint64_t shift = 0, end;

    if (in->type != HD_IR_I64)
        return NULL;
    if (in->op == HD_IR_SHL && hd_ir_is_const(g->f, hd_ir_arg(g->f, offset, 1), &shift))
        offset = hd_ir_arg(g->f, offset, 0);
    index = short_index(g, offset, &end);
    if (index == NULL || shift > 3 + 31 || (shift > 3 && end >> (shift - 3) == 0))
        return NULL;
    if (shift > 3) {
        index = LLVMBuildShl(g->b, index, hd_gen_splat(g, hd_gen_u32(g, (uint32_t)shift - 3)), "");
        shift = 3;
    }
    return LLVMBuildGEP2(g->b, LLVMIntTypeInContext(g->c, 8u << shift), base, &index, 1, "");
}

static bool is_uniform(const HdGen *g, HdIrRef r)
{
    return g->f->insts.at[r].shape == HD_SHAPE_UNIFORM;
}

/* An address of a uniform base and varying offsets to which uniform offsets were added: those move
 * to the base. NULL: it does not have that form. */
static LLVMValueRef one_base(HdGen *g, HdIrRef r)
{
    HdIrRef base = hd_ir_arg(g->f, r, 0), offset = hd_ir_arg(g->f, r, 1);
    LLVMValueRef at, scaled, added = NULL;

    while (!is_uniform(g, base) && is_uniform(g, offset) &&
           g->f->insts.at[base].op == HD_IR_PTRADD) {
        added = added == NULL ? hd_gen_s(g, offset)
                              : LLVMBuildAdd(g->b, added, hd_gen_s(g, offset), "");
        offset = hd_ir_arg(g->f, base, 1);
        base = hd_ir_arg(g->f, base, 0);
    }
    if (!is_uniform(g, base) || is_uniform(g, offset))
        return NULL;
    at = added == NULL ? hd_gen_s(g, base) : hd_gen_offset(g, hd_gen_s(g, base), added);
    scaled = scaled_address(g, at, offset);
    return scaled != NULL ? scaled : hd_gen_offset(g, at, hd_gen_v(g, offset));
}

static LLVMValueRef address(HdGen *g, HdIrRef r, bool wide)
{
    HdIrRef base = hd_ir_arg(g->f, r, 0), offset = hd_ir_arg(g->f, r, 1);
    LLVMValueRef x = wide ? one_base(g, r) : NULL;

    if (x != NULL)
        return x;
    return hd_gen_offset(g, wide ? hd_gen_v(g, base) : hd_gen_s(g, base),
                         wide ? hd_gen_v(g, offset) : hd_gen_s(g, offset));
}

static LLVMValueRef compute(HdGen *g, HdIrRef r, bool wide)
{
    HdIrOp op = (HdIrOp)g->f->insts.at[r].op;

    switch (op) {
    case HD_IR_ICMP:
    case HD_IR_FCMP: return compare(g, r, arg(g, r, 0, wide), arg(g, r, 1, wide));
    case HD_IR_SELECT: return choose(g, r, wide);
    case HD_IR_FREEZE: return LLVMBuildFreeze(g->b, arg(g, r, 0, wide), "");
    case HD_IR_FMA: return fused(g, r, wide);
    case HD_IR_DOT4: return hd_gen_dot4(g, r, wide);
    case HD_IR_PTRADD: return address(g, r, wide);
    case HD_IR_CLZ:
    case HD_IR_CTZ:
    case HD_IR_POPCOUNT:
    case HD_IR_BSWAP:
    case HD_IR_BITREVERSE:
    case HD_IR_FNEG:
    case HD_IR_FABS:
    case HD_IR_FSQRT:
    case HD_IR_FFLOOR:
    case HD_IR_FCEIL:
    case HD_IR_FTRUNC:
    case HD_IR_FRINT: return unary(g, r, op, wide);
    default: return binary(g, r, op, wide);
    }
}

/* Which operations these are, by their place in HD_IR_OPS. */
static bool is_mine(HdIrOp op)
{
    return (op >= HD_IR_ADD && op <= HD_IR_FMAX) || (op >= HD_IR_ICMP && op <= HD_IR_FREEZE) ||
           op == HD_IR_PTRADD;
}

LLVMValueRef hd_gen_arith_of_all(HdGen *g, HdIrRef r)
{
    return is_mine((HdIrOp)g->f->insts.at[r].op) ? compute(g, r, true) : NULL;
}

static bool all_have_s(const HdGen *g, HdIrRef r)
{
    for (unsigned i = 0; i < g->f->insts.at[r].nargs; i++)
        if (!hd_gen_has_s(g, hd_ir_arg(g->f, r, i)))
            return false;
    return true;
}

bool hd_gen_arith(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef s = NULL, v = NULL;

    if (!is_mine((HdIrOp)in->op))
        return false;
    if (g->width > 1 && hd_gen_is_varying(in))
        v = compute(g, r, true);
    if (v == NULL || (in->shape == HD_SHAPE_ADDRESS && all_have_s(g, r)))
        s = compute(g, r, false);
    hd_gen_set(g, r, s, v);
    if (!hd_gen_is_choice(g, r))
        hd_gen_set_ok(g, r);
    return true;
}
