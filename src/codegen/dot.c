/* codegen/dot.c -- dot products of four bytes in a word.
 *
 * The processor's instruction (VPDPBUSD) multiplies unsigned bytes by signed ones and adds the four
 * products to a word. Other signs use a bias: for signed x, x = (x + 128) - 128, and x + 128 is x
 * with its highest bit flipped; so the sum is too large by 128 times the other bytes' sum, which is
 * a dot product with ones. Processors without it multiply pairs of 16 bits.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/dot.h"

#include "codegen/access.h"
#include "codegen/values.h"
#include "codegen/version.h"

#define TURNED 0x80808080u
#define ONES   0x01010101u

/* One register's: words of unsigned and of signed bytes. */
static LLVMValueRef instruction(HdGen *g, LLVMValueRef sum, LLVMValueRef u, LLVMValueRef s)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(sum));
    LLVMTypeRef type = HD_LLVM_DOTS_BYTES ? LLVMVectorType(g->i8, 4 * n) : LLVMTypeOf(sum);
    LLVMValueRef args[3] = {sum, LLVMBuildBitCast(g->b, u, type, ""),
                            LLVMBuildBitCast(g->b, s, type, "")};

    return hd_gen_intrinsic(g,
                            n == 16  ? "llvm.x86.avx512.vpdpbusd.512"
                            : n == 8 ? "llvm.x86.avx512.vpdpbusd.256"
                                     : "llvm.x86.avx512.vpdpbusd.128",
                            NULL, 0, args, 3);
}

/* Sums of products of a register's words. */
typedef LLVMValueRef OfRegister(HdGen *g, LLVMValueRef sum, LLVMValueRef x, LLVMValueRef y);

/* Vectors of several registers, of `most` words each, half by half; those of other numbers of rows
 * fill up registers. */
static LLVMValueRef by_registers(HdGen *g, OfRegister *of, unsigned most, LLVMValueRef sum,
                                 LLVMValueRef x, LLVMValueRef y)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(sum)), half = n / 2, whole = 1;
    LLVMValueRef part[2];

    while (whole < n)
        whole *= 2;
    if (whole > n) /* elements past the end are undefined */
        return hd_gen_lanes_of(g,
                               by_registers(g, of, most, hd_gen_lanes_of(g, sum, 0, whole),
                                            hd_gen_lanes_of(g, x, 0, whole),
                                            hd_gen_lanes_of(g, y, 0, whole)),
                               0, n);
    if (n <= most)
        return of(g, sum, x, y);
    for (unsigned i = 0; i < 2; i++)
        part[i] = by_registers(g, of, most, hd_gen_lanes_of(g, sum, i * half, half),
                               hd_gen_lanes_of(g, x, i * half, half),
                               hd_gen_lanes_of(g, y, i * half, half));
    return hd_gen_joined(g, part[0], part[1]);
}

static LLVMValueRef add_products(HdGen *g, LLVMValueRef sum, LLVMValueRef u, LLVMValueRef s)
{
    return by_registers(g, instruction, 16, sum, u, s);
}

static LLVMValueRef by_instruction(HdGen *g, unsigned signs, LLVMValueRef x, LLVMValueRef y,
                                   LLVMValueRef sum)
{
    LLVMValueRef zero = hd_gen_like(g, x, 0), turned = hd_gen_like(g, x, TURNED);
    LLVMValueRef ones = hd_gen_like(g, x, ONES), bias;

    switch (signs) {
    case HD_IR_DOT_RIGHT: return add_products(g, sum, x, y);
    case HD_IR_DOT_LEFT: return add_products(g, sum, y, x);
    case 0:
        bias = add_products(g, zero, x, ones);
        sum = add_products(g, sum, x, LLVMBuildXor(g->b, y, turned, ""));
        return LLVMBuildAdd(g->b, sum, LLVMBuildShl(g->b, bias, hd_gen_like(g, x, 7), ""), "");
    default:
        bias = add_products(g, zero, ones, y);
        sum = add_products(g, sum, LLVMBuildXor(g->b, x, turned, ""), y);
        return LLVMBuildSub(g->b, sum, LLVMBuildShl(g->b, bias, hd_gen_like(g, x, 7), ""), "");
    }
}

/* Each word's sum of the products of two signed numbers of 16 bits (PMADDWD). */
static LLVMValueRef add_pairs(HdGen *g, LLVMValueRef sum, LLVMValueRef x, LLVMValueRef y)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(sum));
    const char *name = n == 16  ? "llvm.x86.avx512.pmaddw.d.512"
                       : n == 8 ? "llvm.x86.avx2.pmadd.wd"
                                : "llvm.x86.sse2.pmadd.wd";
    LLVMValueRef args[2] = {x, y};

    for (unsigned i = 0; i < 2; i++)
        args[i] = LLVMBuildBitCast(g->b, args[i],
                                   LLVMVectorType(LLVMIntTypeInContext(g->c, 16), 2 * n), "");
    return LLVMBuildAdd(g->b, sum, hd_gen_intrinsic(g, name, NULL, 0, args, 2), "");
}

/* Bytes 0 and 2 of each word, or 1 and 3, as numbers of 16 bits. */
static LLVMValueRef pair_of(HdGen *g, LLVMValueRef x, bool is_odd, bool is_signed)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(x));
    LLVMTypeRef type = LLVMTypeOf(x), halves;
    LLVMValueRef eight;

    halves = LLVMVectorType(LLVMIntTypeInContext(g->c, 16), 2 * n);
    x = LLVMBuildBitCast(g->b, x, halves, "");
    eight = hd_gen_like(g, x, 8);
    if (!is_odd)
        x = LLVMBuildShl(g->b, x, eight, "");
    x = is_signed ? LLVMBuildAShr(g->b, x, eight, "") : LLVMBuildLShr(g->b, x, eight, "");
    return LLVMBuildBitCast(g->b, x, type, "");
}

static LLVMValueRef by_pairs(HdGen *g, unsigned signs, LLVMValueRef x, LLVMValueRef y,
                             LLVMValueRef sum)
{
    for (unsigned i = 0; i < 2; i++)
        sum = by_registers(g, add_pairs,
                           g->has_avx512 ? 16
                           : g->has_avx2 ? 8
                                         : 4,
                           sum, pair_of(g, x, i != 0, (signs & HD_IR_DOT_LEFT) != 0),
                           pair_of(g, y, i != 0, (signs & HD_IR_DOT_RIGHT) != 0));
    return sum;
}

/* Byte i of each word. */
static LLVMValueRef byte_of(HdGen *g, LLVMValueRef x, unsigned i, bool is_signed)
{
    if (is_signed) {
        x = LLVMBuildShl(g->b, x, hd_gen_like(g, x, 24 - 8 * i), "");
        return LLVMBuildAShr(g->b, x, hd_gen_like(g, x, 24), "");
    }
    x = LLVMBuildLShr(g->b, x, hd_gen_like(g, x, 8 * i), "");
    return LLVMBuildAnd(g->b, x, hd_gen_like(g, x, 0xff), "");
}

LLVMValueRef hd_gen_dot4_of(HdGen *g, unsigned signs, LLVMValueRef x, LLVMValueRef y,
                            LLVMValueRef sum)
{
    LLVMTypeRef type = LLVMTypeOf(x);

    if (g->is_x86 && LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetVectorSize(type) >= 4)
        return g->has_vnni ? by_instruction(g, signs, x, y, sum) : by_pairs(g, signs, x, y, sum);
    for (unsigned i = 0; i < 4; i++) {
        LLVMValueRef a = byte_of(g, x, i, (signs & HD_IR_DOT_LEFT) != 0);
        LLVMValueRef b = byte_of(g, y, i, (signs & HD_IR_DOT_RIGHT) != 0);

        sum = LLVMBuildAdd(g->b, sum, LLVMBuildMul(g->b, a, b, ""), "");
    }
    return sum;
}

LLVMValueRef hd_gen_dot4(HdGen *g, HdIrRef r, bool wide)
{
    LLVMValueRef v[3];

    for (unsigned i = 0; i < 3; i++)
        v[i] = wide ? hd_gen_v(g, hd_ir_arg(g->f, r, i)) : hd_gen_s(g, hd_ir_arg(g->f, r, i));
    return hd_gen_dot4_of(g, g->f->insts.at[r].sub, v[0], v[1], v[2]);
}
