/* codegen/mathcode.c -- inlined mathematical functions.
 *
 * The kernels of rt/math are operations in a table here (gen/mathcode.h, made by translate.py), and
 * become straight-line code for as many lanes as the kernel has, on any target: constants and
 * registers are shared with the surrounding code, and nothing is saved for a call. Operands that a
 * kernel does not cover, huge angles for example, take the runtime's function for all lanes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/mathcode.h"

#include <stdio.h>
#include <string.h>

#include "codegen/access.h"
#include "codegen/values.h"
#include "rt/abi.h"

typedef struct HdMathOp {
    uint8_t op, type;
    uint16_t args[3]; /* earlier operations; ARG: which; CONST: place in mathcode_constants */
} HdMathOp;

typedef struct HdMathProgram {
    uint16_t first, count, result;
    uint16_t covered; /* the operation that decides it, NONE: everything is */
} HdMathProgram;

#define NONE 0xffffu

enum { HD_MATHTYPE_B, HD_MATHTYPE_I32, HD_MATHTYPE_I64, HD_MATHTYPE_F32, HD_MATHTYPE_F64 };
enum { FULL, PLAIN, FAST }; /* see rt/math/inline.def */

#include "gen/mathcode.h"

#define PROGRAMS (sizeof mathcode_programs / sizeof *mathcode_programs)
#define TABLES   (sizeof mathcode_tables / sizeof *mathcode_tables)

typedef struct HdGenMath {
    uint32_t uses[PROGRAMS];
    LLVMValueRef made[PROGRAMS][2]; /* for one lane, for all */
    LLVMValueRef tables[TABLES];    /* in memory */
} HdGenMath;

/* If a kernel uses a function more often than this, and with so many operations in total, it
 * becomes a separate LLVM function. */
#define MANY_USES 2u
#define MANY_OPS  400u

/* ---- values ---- */

static LLVMTypeRef type_of(HdGen *g, unsigned type, bool wide)
{
    static const HdIrType types[] = {HD_IR_BOOL, HD_IR_I32, HD_IR_I64, HD_IR_F32, HD_IR_F64};
    HdIrType t = types[type];

    if (type == HD_MATHTYPE_B)
        return wide ? LLVMVectorType(g->i1, g->width) : g->i1;
    return wide ? g->vector[t] : g->scalar[t];
}

static LLVMValueRef constant(HdGen *g, unsigned type, uint64_t bits, bool wide)
{
    LLVMTypeRef t = type_of(g, type, false);
    unsigned width = type == HD_MATHTYPE_F32 ? 32 : 64;
    LLVMValueRef c;

    if (type == HD_MATHTYPE_F32 || type == HD_MATHTYPE_F64)
        c = LLVMConstBitCast(LLVMConstInt(LLVMIntTypeInContext(g->c, width), bits, false), t);
    else
        c = LLVMConstInt(t, bits, false);
    return wide ? hd_gen_splat(g, c) : c;
}

static LLVMValueRef intrinsic(HdGen *g, const char *name, LLVMValueRef x, LLVMValueRef y,
                              LLVMValueRef z)
{
    LLVMTypeRef over = LLVMTypeOf(x);
    LLVMValueRef args[3] = {x, y, z};

    return hd_gen_intrinsic(g, name, &over, 1, args, z != NULL ? 3 : (y != NULL ? 2 : 1));
}

/* ---- AVX-512's own instructions ---- */

typedef struct Native {
    const char *name;
    bool has_operand, is_rounding; /* a constant after the operands, a rounding mode at the end */
    unsigned operand;
} Native;

/* Lanes first … of x as a vector of n, beyond its end anything. */
static LLVMValueRef lanes_at(HdGen *g, LLVMValueRef x, unsigned first, unsigned n)
{
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(x));
    LLVMValueRef pick[HD_MAX_WIDTH];

    for (unsigned i = 0; i < n; i++)
        pick[i] = first + i < lanes ? hd_gen_u32(g, first + i) : LLVMGetUndef(g->i32);
    return LLVMBuildShuffleVector(g->b, x, LLVMGetUndef(LLVMTypeOf(x)), LLVMConstVector(pick, n),
                                  "");
}

static LLVMValueRef native(HdGen *g, const Native *how, LLVMValueRef x, LLVMValueRef y,
                           bool is_double);

/* For a vector larger or smaller than a register: register by register, the last one with unused
 * lanes. */
static LLVMValueRef native_parts(HdGen *g, const Native *how, LLVMValueRef x, LLVMValueRef y,
                                 bool is_double)
{
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(x)), each = is_double ? 2 : 4, count = 1;
    LLVMValueRef part[HD_GEN_MOST_LANES / 8];

    while (each < lanes && each < (is_double ? 8u : 16u))
        each *= 2;
    while (count * each < lanes)
        count *= 2;
    for (unsigned i = 0; i < count; i++)
        part[i] = i * each >= lanes
                      ? LLVMGetPoison(LLVMTypeOf(part[0]))
                      : native(g, how, lanes_at(g, x, i * each, each),
                               y != NULL ? lanes_at(g, y, i * each, each) : NULL, is_double);
    for (; count > 1; count /= 2)
        for (unsigned i = 0; i < count / 2; i++)
            part[i] = hd_gen_joined(g, part[2 * i], part[2 * i + 1]);
    return hd_gen_lanes_of(g, part[0], 0, lanes);
}

/* AVX-512's instruction of one operand, or of two (y), for any number of lanes: scalars go as
 * vectors, too, so that results do not depend on the width. */
static LLVMValueRef native(HdGen *g, const Native *how, LLVMValueRef x, LLVMValueRef y,
                           bool is_double)
{
    LLVMTypeRef t = LLVMTypeOf(x),
                element = is_double ? g->scalar[HD_IR_F64] : g->scalar[HD_IR_F32];
    bool is_vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
    unsigned lanes = is_vector ? LLVMGetVectorSize(t) : (is_double ? 2 : 4);
    unsigned bits = lanes * (is_double ? 64 : 32), n = 0;
    LLVMValueRef args[6], at = hd_gen_u32(g, 0);
    char full[64];

    if (!is_vector) {
        LLVMValueRef none = LLVMConstNull(LLVMVectorType(element, lanes));

        x = LLVMBuildInsertElement(g->b, none, x, at, "");
        y = y != NULL ? LLVMBuildInsertElement(g->b, none, y, at, "") : NULL;
        return LLVMBuildExtractElement(g->b, native(g, how, x, y, is_double), at, "");
    }
    if (bits != 128 && bits != 256 && bits != 512)
        return native_parts(g, how, x, y, is_double);
    snprintf(full, sizeof full, "llvm.x86.avx512.%s.p%c.%u", how->name, is_double ? 'd' : 's',
             bits);
    args[n++] = x;
    if (y != NULL)
        args[n++] = y;
    if (how->has_operand)
        args[n++] = hd_gen_u32(g, how->operand);
    args[n++] = x;
    args[n++] = LLVMConstAllOnes(LLVMIntTypeInContext(g->c, lanes < 8 ? 8 : lanes));
    if (how->is_rounding && bits == 512)
        args[n++] = hd_gen_u32(g, 4); /* and exceptions as the thread has them */
    return hd_gen_intrinsic(g, full, NULL, 0, args, n);
}

static const Native rsqrt14 = {"rsqrt14", false, false, 0};
static const Native rcp14 = {"rcp14", false, false, 0};
/* p 2^n, rounded once; takes the whole part of n itself. */
static const Native scalef = {"mask.scalef", false, true, 0};
/* Of |x|, between 3/4 and 3/2. */
static const Native getmant = {"mask.getmant", true, true, 7};
static const Native getexp = {"mask.getexp", false, true, 0};
/* The lesser in size, with the first one's sign. */
static const Native range = {"mask.range", true, true, 2};
static const Native lesser = {"mask.range", true, true, 4};
static const Native greater = {"mask.range", true, true, 5};
/* Less the nearest multiple of 1, of 1/16. */
static const Native reduce = {"mask.reduce", true, true, 0};
static const Native reduce_16 = {"mask.reduce", true, true, 4 << 4};

LLVMValueRef hd_gen_range(HdGen *g, bool is_max, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMValueRef at = hd_gen_u32(g, 0), none;

    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
        return native(g, is_max ? &greater : &lesser, x, y,
                      LLVMGetTypeKind(LLVMGetElementType(t)) == LLVMDoubleTypeKind);
    none = LLVMGetPoison(LLVMVectorType(t, LLVMGetTypeKind(t) == LLVMDoubleTypeKind ? 2 : 4));
    x = LLVMBuildInsertElement(g->b, none, x, at, "");
    y = LLVMBuildInsertElement(g->b, none, y, at, "");
    return LLVMBuildExtractElement(g->b, hd_gen_range(g, is_max, x, y), at, "");
}

/* ---- p 2^n, rounded once ---- */

/* In two factors: the first product is exact. */
static LLVMValueRef scale(HdGen *g, LLVMValueRef p, LLVMValueRef n, unsigned type, bool wide,
                          bool is_whole)
{
    bool is_double = type == HD_MATHTYPE_F64;
    unsigned whole = is_double ? HD_MATHTYPE_I64 : HD_MATHTYPE_I32;
    LLVMTypeRef t = type_of(g, whole, wide), f = LLVMTypeOf(p);
    LLVMValueRef rounder = constant(g, type, is_double ? 0x4338000000000000u : 0x4b400000u, wide);
    LLVMValueRef bias = constant(g, whole, is_double ? 1023 : 127, wide);
    LLVMValueRef places = constant(g, whole, is_double ? 52 : 23, wide), i, half;

    if (g->has_avx512 && (!wide || g->width * (is_double ? 64 : 32) >= 128))
        return native(g, &scalef, p, n, is_double);
    n = is_whole ? n : hd_gen_one(g, "llvm.floor", n);
    i = LLVMBuildBitCast(g->b, LLVMBuildFAdd(g->b, n, rounder, ""), t, "");
    i = LLVMBuildSub(g->b, i, LLVMBuildBitCast(g->b, rounder, t, ""), "");
    half = LLVMBuildAShr(g->b, i, constant(g, whole, 1, wide), "");
    i = LLVMBuildSub(g->b, i, half, "");
    half = LLVMBuildShl(g->b, LLVMBuildAdd(g->b, half, bias, ""), places, "");
    i = LLVMBuildShl(g->b, LLVMBuildAdd(g->b, i, bias, ""), places, "");
    p = LLVMBuildFMul(g->b, p, LLVMBuildBitCast(g->b, half, f, ""), "");
    return LLVMBuildFMul(g->b, p, LLVMBuildBitCast(g->b, i, f, ""), "");
}

/* ---- tables of sixteen ---- */

static LLVMValueRef table_vector(HdGen *g, const uint64_t *bits, unsigned first, unsigned n,
                                 unsigned type)
{
    LLVMValueRef c[16];

    for (unsigned i = 0; i < n; i++)
        c[i] = constant(g, type, bits[first + i], false);
    return LLVMConstVector(c, n);
}

/* A register of lanes by the processor's permutation: AVX-512, or eight floats with AVX2. */
static LLVMValueRef lookup_native(HdGen *g, const uint64_t *bits, LLVMValueRef at, unsigned type)
{
    LLVMValueRef args[3], low, high, top;

    args[1] = at;
    if (type == HD_MATHTYPE_F64) {
        args[0] = table_vector(g, bits, 0, 8, type);
        args[2] = table_vector(g, bits, 8, 8, type);
        return hd_gen_intrinsic(g, "llvm.x86.avx512.vpermi2var.pd.512", NULL, 0, args, 3);
    }
    if (g->has_avx512) {
        args[0] = table_vector(g, bits, 0, 16, type);
        return hd_gen_intrinsic(g, "llvm.x86.avx512.permvar.sf.512", NULL, 0, args, 2);
    }
    args[0] = table_vector(g, bits, 0, 8, type);
    low = hd_gen_intrinsic(g, "llvm.x86.avx2.permps", NULL, 0, args, 2);
    args[0] = table_vector(g, bits, 8, 8, type);
    high = hd_gen_intrinsic(g, "llvm.x86.avx2.permps", NULL, 0, args, 2);
    /* The index's fourth bit, brought to the sign. */
    top = LLVMConstInt(g->i32, 28, false);
    top = LLVMConstVector((LLVMValueRef[]){top, top, top, top, top, top, top, top}, 8);
    top = LLVMBuildShl(g->b, at, top, "");
    top = LLVMBuildICmp(g->b, LLVMIntSLT, top, LLVMConstNull(LLVMTypeOf(top)), "");
    return LLVMBuildSelect(g->b, top, high, low, "");
}

/* Vectors of any number of lanes. */
static LLVMValueRef lookup_wide(HdGen *g, const uint64_t *bits, LLVMValueRef at, unsigned type)
{
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(at));
    unsigned n = type == HD_MATHTYPE_F64 || !g->has_avx512 ? 8 : 16;
    LLVMValueRef v;

    if (lanes > n)
        return hd_gen_joined(g, lookup_wide(g, bits, lanes_at(g, at, 0, lanes / 2), type),
                             lookup_wide(g, bits, lanes_at(g, at, lanes / 2, lanes / 2), type));
    v = lookup_native(g, bits, lanes == n ? at : lanes_at(g, at, 0, n), type);
    return lanes == n ? v : lanes_at(g, v, 0, lanes);
}

/* Through memory, lane by lane. */
static LLVMValueRef lookup_loads(HdGen *g, unsigned table, LLVMValueRef at, unsigned type,
                                 bool wide)
{
    LLVMTypeRef element = type_of(g, type, false), t = LLVMArrayType2(element, 16);
    LLVMValueRef *place = &g->math->tables[table], c[16], i, p, v;

    if (*place == NULL) {
        for (unsigned k = 0; k < 16; k++)
            c[k] = constant(g, type, mathcode_tables[table][k], false);
        *place = LLVMAddGlobal(g->m, t, "table");
        LLVMSetInitializer(*place, LLVMConstArray2(element, c, 16));
        LLVMSetLinkage(*place, LLVMPrivateLinkage);
        LLVMSetGlobalConstant(*place, true);
        LLVMSetUnnamedAddress(*place, LLVMGlobalUnnamedAddr);
    }
    at = LLVMBuildAnd(
        g->b, at,
        constant(g, type == HD_MATHTYPE_F64 ? HD_MATHTYPE_I64 : HD_MATHTYPE_I32, 15, wide), "");
    v = wide ? LLVMGetUndef(type_of(g, type, true)) : NULL;
    for (unsigned k = 0; k < (wide ? g->width : 1); k++) {
        i = wide ? LLVMBuildExtractElement(g->b, at, hd_gen_u32(g, k), "") : at;
        p = LLVMBuildInBoundsGEP2(g->b, element, *place, &i, 1, "");
        p = LLVMBuildLoad2(g->b, element, p, "");
        v = wide ? LLVMBuildInsertElement(g->b, v, p, hd_gen_u32(g, k), "") : p;
    }
    return v;
}

static LLVMValueRef lookup(HdGen *g, unsigned table, LLVMValueRef at, unsigned type, bool wide)
{
    bool is_native = g->has_avx512 || (g->has_avx2 && type == HD_MATHTYPE_F32);

    return wide && is_native && g->width >= 4 ? lookup_wide(g, mathcode_tables[table], at, type)
                                              : lookup_loads(g, table, at, type, wide);
}

/* ---- reciprocals ---- */

/* A guess of 1 / sqrt(x) or 1 / x: the processor's, else exact. */
static LLVMValueRef guess(HdGen *g, LLVMValueRef x, unsigned type, bool wide, bool is_root)
{
    bool is_double = type == HD_MATHTYPE_F64;
    LLVMValueRef one = LLVMConstReal(type_of(g, type, false), 1.0);

    if (g->has_avx512 && (!wide || g->width >= 4))
        return native(g, is_root ? &rsqrt14 : &rcp14, x, NULL, is_double);
    one = wide ? hd_gen_splat(g, one) : one;
    return LLVMBuildFDiv(g->b, one, is_root ? hd_gen_one(g, "llvm.sqrt", x) : x, "");
}

LLVMValueRef hd_gen_divide_fast(HdGen *g, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMValueRef guess, one, args[3] = {y, y, NULL}, q, v;

    args[2] = LLVMConstAllOnes(LLVMIntTypeInContext(g->c, 16));
    guess = hd_gen_intrinsic(g, "llvm.x86.avx512.rcp14.ps.512", NULL, 0, args, 3);
    one = hd_gen_splat(g, LLVMConstReal(g->scalar[HD_IR_F32], 1.0));
    args[0] = LLVMBuildFNeg(g->b, y, "");
    args[1] = guess;
    args[2] = one;
    args[0] = hd_gen_intrinsic(g, "llvm.fma", &t, 1, args, 3);
    args[2] = guess;
    args[1] = hd_gen_intrinsic(g, "llvm.fma", &t, 1, args, 3);
    v = args[1]; /* 1 / y to 2^-23 or so */
    q = LLVMBuildFMul(g->b, x, v, "");
    args[0] = LLVMBuildFNeg(g->b, y, "");
    args[1] = q;
    args[2] = x;
    args[0] = hd_gen_intrinsic(g, "llvm.fma", &t, 1, args, 3);
    args[1] = v;
    args[2] = q;
    v = hd_gen_intrinsic(g, "llvm.fma", &t, 1, args, 3);
    /* Zero and infinite divisors, and quotients beyond the range. */
    q = LLVMBuildFMul(g->b, x, guess, "");
    return LLVMBuildSelect(g->b, LLVMBuildFCmp(g->b, LLVMRealORD, v, v, ""), v, q, "");
}

/* Of the guess's error e each step leaves e * e. */
LLVMValueRef hd_gen_inverse(HdGen *g, LLVMValueRef y)
{
    LLVMTypeRef t = LLVMTypeOf(y);
    LLVMValueRef one = hd_gen_splat(g, LLVMConstReal(g->scalar[HD_IR_F64], 1.0));
    LLVMValueRef v = guess(g, y, HD_MATHTYPE_F64, true, false), minus, error;

    if (!g->has_avx512 || g->width < 4) /* not a guess */
        return v;
    minus = LLVMBuildFNeg(g->b, y, "");
    for (unsigned step = 0; step < 2; step++) {
        error = hd_gen_intrinsic(g, "llvm.fma", &t, 1, (LLVMValueRef[]){minus, v, one}, 3);
        v = hd_gen_intrinsic(g, "llvm.fma", &t, 1, (LLVMValueRef[]){error, v, v}, 3);
    }
    return v;
}

/* ---- one operation ---- */

static LLVMValueRef run(HdGen *g, const HdMathProgram *p, const LLVMValueRef *args, bool wide,
                        LLVMValueRef *covered);

/* Rounded once, or where that does not matter, as the machine is quick at. */
static LLVMValueRef fused(HdGen *g, const HdMathOp *op, bool wide, LLVMValueRef x, LLVMValueRef y,
                          LLVMValueRef z)
{
    LLVMValueRef args[3] = {x, y, z}, covered;
    unsigned soft = op->type == HD_MATHTYPE_F64 ? SOFT_FMA_W : SOFT_FMA_S;

    if (g->has_fma)
        return intrinsic(g, "llvm.fma", x, y, z);
    if (op->op == HD_MATHOP_MAD)
        return LLVMBuildFAdd(g->b, LLVMBuildFMul(g->b, x, y, ""), z, "");
    return run(g, &mathcode_programs[soft], args, wide, &covered);
}

static LLVMValueRef compare(HdGen *g, unsigned op, LLVMValueRef x, LLVMValueRef y)
{
    switch (op) {
    case HD_MATHOP_FEQ: return LLVMBuildFCmp(g->b, LLVMRealOEQ, x, y, "");
    case HD_MATHOP_FNE: return LLVMBuildFCmp(g->b, LLVMRealUNE, x, y, "");
    case HD_MATHOP_FLT: return LLVMBuildFCmp(g->b, LLVMRealOLT, x, y, "");
    case HD_MATHOP_FLE: return LLVMBuildFCmp(g->b, LLVMRealOLE, x, y, "");
    case HD_MATHOP_IEQ: return LLVMBuildICmp(g->b, LLVMIntEQ, x, y, "");
    case HD_MATHOP_INE: return LLVMBuildICmp(g->b, LLVMIntNE, x, y, "");
    case HD_MATHOP_ULT: return LLVMBuildICmp(g->b, LLVMIntULT, x, y, "");
    case HD_MATHOP_ULE: return LLVMBuildICmp(g->b, LLVMIntULE, x, y, "");
    case HD_MATHOP_SLT: return LLVMBuildICmp(g->b, LLVMIntSLT, x, y, "");
    default: return LLVMBuildICmp(g->b, LLVMIntSLE, x, y, "");
    }
}

static LLVMValueRef floats(HdGen *g, const HdMathOp *op, bool wide, LLVMValueRef x, LLVMValueRef y,
                           LLVMValueRef z)
{
    bool is_double = op->type == HD_MATHTYPE_F64;

    switch (op->op) {
    case HD_MATHOP_FADD: return LLVMBuildFAdd(g->b, x, y, "");
    case HD_MATHOP_FSUB: return LLVMBuildFSub(g->b, x, y, "");
    case HD_MATHOP_FMUL: return LLVMBuildFMul(g->b, x, y, "");
    case HD_MATHOP_FDIV: return LLVMBuildFDiv(g->b, x, y, "");
    case HD_MATHOP_FMA:
    case HD_MATHOP_MAD: return fused(g, op, wide, x, y, z);
    case HD_MATHOP_FNEG: return LLVMBuildFNeg(g->b, x, "");
    case HD_MATHOP_FABS: return intrinsic(g, "llvm.fabs", x, NULL, NULL);
    case HD_MATHOP_SQRT: return intrinsic(g, "llvm.sqrt", x, NULL, NULL);
    case HD_MATHOP_FLOOR: return intrinsic(g, "llvm.floor", x, NULL, NULL);
    case HD_MATHOP_TRUNC: return intrinsic(g, "llvm.trunc", x, NULL, NULL);
    case HD_MATHOP_RINT: return intrinsic(g, "llvm.rint", x, NULL, NULL);
    case HD_MATHOP_COPYSIGN: return intrinsic(g, "llvm.copysign", x, y, NULL);
    case HD_MATHOP_SCALE: return scale(g, x, y, op->type, wide, true);
    case HD_MATHOP_SCALEF: return scale(g, x, y, op->type, wide, false);
    case HD_MATHOP_RSQRTE: return guess(g, x, op->type, wide, true);
    case HD_MATHOP_INVERSEE: return guess(g, x, op->type, wide, false);
    case HD_MATHOP_GETMANT: return native(g, &getmant, x, NULL, is_double);
    case HD_MATHOP_GETEXP: return native(g, &getexp, x, NULL, is_double);
    case HD_MATHOP_RANGE: return native(g, &range, x, y, is_double);
    case HD_MATHOP_REDUCE: return native(g, &reduce, x, NULL, is_double);
    case HD_MATHOP_REDUCE16: return native(g, &reduce_16, x, NULL, is_double);
    default: return compare(g, op->op, x, y);
    }
}

static LLVMValueRef others(HdGen *g, const HdMathOp *op, LLVMTypeRef t, LLVMValueRef x,
                           LLVMValueRef y, LLVMValueRef z)
{
    switch (op->op) {
    case HD_MATHOP_SELECT: return LLVMBuildSelect(g->b, x, y, z, "");
    case HD_MATHOP_ADD: return LLVMBuildAdd(g->b, x, y, "");
    case HD_MATHOP_SUB: return LLVMBuildSub(g->b, x, y, "");
    case HD_MATHOP_MUL: return LLVMBuildMul(g->b, x, y, "");
    case HD_MATHOP_AND: return LLVMBuildAnd(g->b, x, y, "");
    case HD_MATHOP_OR: return LLVMBuildOr(g->b, x, y, "");
    case HD_MATHOP_XOR: return LLVMBuildXor(g->b, x, y, "");
    case HD_MATHOP_SHL: return LLVMBuildShl(g->b, x, y, "");
    case HD_MATHOP_LSHR: return LLVMBuildLShr(g->b, x, y, "");
    case HD_MATHOP_ASHR: return LLVMBuildAShr(g->b, x, y, "");
    case HD_MATHOP_CAST: return LLVMBuildBitCast(g->b, x, t, "");
    case HD_MATHOP_FPEXT: return LLVMBuildFPExt(g->b, x, t, "");
    case HD_MATHOP_FPTRUNC: return LLVMBuildFPTrunc(g->b, x, t, "");
    case HD_MATHOP_SITOFP: return LLVMBuildSIToFP(g->b, x, t, "");
    case HD_MATHOP_UITOFP: return LLVMBuildUIToFP(g->b, x, t, "");
    case HD_MATHOP_SEXT: return LLVMBuildSExt(g->b, x, t, "");
    case HD_MATHOP_ZEXT: return LLVMBuildZExt(g->b, x, t, "");
    case HD_MATHOP_INARROW: return LLVMBuildTrunc(g->b, x, t, "");
    default: return NULL;
    }
}

/* ---- a program ---- */

/* Emit; *covered gets the condition, NULL if everything is. */
static LLVMValueRef run(HdGen *g, const HdMathProgram *p, const LLVMValueRef *args, bool wide,
                        LLVMValueRef *covered)
{
    LLVMValueRef at[MATHCODE_MOST];

    for (unsigned i = 0; i < p->count; i++) {
        const HdMathOp *op = &mathcode_ops[p->first + i];
        LLVMTypeRef t = type_of(g, op->type, wide);
        LLVMValueRef x, y, z;

        if (op->op == HD_MATHOP_ARG) {
            at[i] = args[op->args[0]];
            continue;
        }
        if (op->op == HD_MATHOP_CONST) {
            at[i] = constant(g, op->type, mathcode_constants[op->args[0]], wide);
            continue;
        }
        x = at[op->args[0]];
        if (op->op == HD_MATHOP_LOOKUP) {
            at[i] = lookup(g, op->args[1], x, op->type, wide);
            continue;
        }
        if (op->op == HD_MATHOP_NATIVE) {
            bool is_native = g->has_avx512 && (!wide || g->width >= 4);

            at[i] = run(g, &mathcode_programs[op->args[is_native ? 2 : 1]], &x, wide, covered);
            continue;
        }
        y = at[op->args[1]];
        z = at[op->args[2]];
        at[i] =
            op->op < HD_MATHOP_SELECT ? floats(g, op, wide, x, y, z) : others(g, op, t, x, y, z);
    }
    *covered = p->covered == NONE ? NULL : at[p->covered];
    return at[p->result];
}

/* NULL: the row has none for this target. */
static const HdMathProgram *choose(const HdGen *g, const HdIrInst *in, HdIrType t)
{
    const uint16_t *at = mathcode_chosen[in->sub][t - HD_IR_F16];
    unsigned n = (in->flags & HD_IR_FAST) != 0 ? at[FAST] : 0;

    if (t == HD_IR_F16 && !g->has_fma)
        return NULL; /* nor conversions of halves */
    n = n != 0 ? n : at[PLAIN];
    n = n != 0 ? n : at[FULL];
    return n != 0 ? &mathcode_programs[n] : NULL;
}

HdIrType hd_gen_math_type(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    if (hd_ir_is_float((HdIrType)in->type))
        return (HdIrType)in->type;
    return (HdIrType)g->f->insts.at[hd_ir_arg(g->f, r, 0)].type;
}

/* ---- functions ---- */

HdStatus hd_gen_math_open(HdGen *g, HdArena *scratch)
{
    HD_TAKE(g->math, HD_NEW(scratch, HdGenMath, 1));
    for (HdIrRef r = 1; r < g->f->insts.count; r++) {
        const HdIrInst *in = &g->f->insts.at[r];
        HdIrType t = in->op == HD_IR_MATH ? hd_gen_math_type(g, r) : HD_IR_VOID;
        const HdMathProgram *p = hd_ir_is_float(t) ? choose(g, in, t) : NULL;

        if (p != NULL)
            g->math->uses[p - mathcode_programs]++;
    }
    return HD_OK;
}

/* A function of a program: its operands in registers, its result and what is covered likewise. */
static LLVMValueRef make_function(HdGen *g, const HdMathProgram *p, const LLVMValueRef *args,
                                  unsigned count, bool wide)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);
    LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(g->b);
    LLVMTypeRef types[3], results[2];
    LLVMValueRef fn, in[3] = {NULL, NULL, NULL}, out[2];
    const HdMathOp *last = &mathcode_ops[p->first + p->result];

    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    results[0] = type_of(g, last->type, wide);
    results[1] = type_of(g, HD_MATHTYPE_B, wide);
    fn = LLVMAddFunction(g->m, "math",
                         LLVMFunctionType(p->covered == NONE
                                              ? results[0]
                                              : LLVMStructTypeInContext(g->c, results, 2, false),
                                          types, count, false));
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(fn, LLVMFastCallConv);
    hd_gen_attributes(g, fn);
    LLVMSetCurrentDebugLocation2(g->b, NULL);
    LLVMPositionBuilderAtEnd(g->b, LLVMAppendBasicBlockInContext(g->c, fn, ""));
    for (unsigned i = 0; i < count; i++)
        in[i] = LLVMGetParam(fn, i);
    out[0] = run(g, p, in, wide, &out[1]);
    if (p->covered == NONE)
        LLVMBuildRet(g->b, out[0]);
    else
        LLVMBuildAggregateRet(g->b, out, 2);
    LLVMPositionBuilderAtEnd(g->b, from);
    LLVMSetCurrentDebugLocation2(g->b, place);
    return fn;
}

static LLVMValueRef call(HdGen *g, const HdMathProgram *p, LLVMValueRef *args, unsigned count,
                         bool wide, LLVMValueRef *covered)
{
    LLVMValueRef *fn = &g->math->made[p - mathcode_programs][wide], x;

    if (*fn == NULL)
        *fn = make_function(g, p, args, count, wide);
    x = LLVMBuildCall2(g->b, LLVMGlobalGetValueType(*fn), *fn, args, count, "");
    LLVMSetInstructionCallConv(x, LLVMFastCallConv);
    *covered = NULL;
    if (p->covered == NONE)
        return x;
    *covered = LLVMBuildExtractValue(g->b, x, 1, "");
    return LLVMBuildExtractValue(g->b, x, 0, "");
}

LLVMValueRef hd_gen_math(HdGen *g, HdIrRef r, HdIrType t, bool wide, LLVMValueRef *covered)
{
    const HdIrInst *in = &g->f->insts.at[r];
    const HdMathProgram *p = choose(g, in, t);
    unsigned count = hd_ir_value_args(in), uses;
    LLVMValueRef args[3] = {NULL, NULL, NULL}, x;

    if (p == NULL || count > 3)
        return NULL;
    for (unsigned i = 0; i < count; i++) {
        HdIrRef a = hd_ir_arg(g->f, r, i);

        args[i] = wide ? hd_gen_v(g, a) : hd_gen_s(g, a);
        if (g->f->insts.at[a].type == HD_IR_F16)
            args[i] = LLVMBuildFPExt(g->b, args[i],
                                     wide ? g->vector[HD_IR_F32] : g->scalar[HD_IR_F32], "");
    }
    uses = g->math->uses[p - mathcode_programs];
    if (uses > MANY_USES && uses * p->count > MANY_OPS)
        x = call(g, p, args, count, wide, covered);
    else
        x = run(g, p, args, wide, covered);
    if (in->type == HD_IR_F16)
        x = LLVMBuildFPTrunc(g->b, x, wide ? g->vector[HD_IR_F16] : g->scalar[HD_IR_F16], "");
    return x;
}
