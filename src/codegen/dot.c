/* codegen/dot.c -- dot products of four bytes in a word.
 *
 * The processor's instruction (VPDPBUSD) multiplies unsigned bytes by signed ones and adds the four
 * products to a word. Other signs use a bias: for signed x, x = (x + 128) - 128, and x + 128 is x
 * with its highest bit flipped; so the sum is too large by 128 times the other bytes' sum, which is
 * a dot product with ones.
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

/* Vectors of several registers, half by half; those of other numbers of rows fill up registers. */
static LLVMValueRef add_products(HdGen *g, LLVMValueRef sum, LLVMValueRef u, LLVMValueRef s)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(sum)), half = n / 2, whole = 1;
    LLVMValueRef part[2];

    while (whole < n)
        whole *= 2;
    if (whole > n) /* elements past the end are undefined */
        return hd_gen_lanes_of(g,
                               add_products(g, hd_gen_lanes_of(g, sum, 0, whole),
                                            hd_gen_lanes_of(g, u, 0, whole),
                                            hd_gen_lanes_of(g, s, 0, whole)),
                               0, n);
    if (n <= 16)
        return instruction(g, sum, u, s);
    for (unsigned i = 0; i < 2; i++)
        part[i] = add_products(g, hd_gen_lanes_of(g, sum, i * half, half),
                               hd_gen_lanes_of(g, u, i * half, half),
                               hd_gen_lanes_of(g, s, i * half, half));
    return hd_gen_joined(g, part[0], part[1]);
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

LLVMValueRef hd_gen_dot4(HdGen *g, HdIrRef r, bool wide)
{
    unsigned signs = g->f->insts.at[r].sub;
    LLVMValueRef v[3];

    for (unsigned i = 0; i < 3; i++)
        v[i] = wide ? hd_gen_v(g, hd_ir_arg(g->f, r, i)) : hd_gen_s(g, hd_ir_arg(g->f, r, i));
    if (wide && g->has_vnni && g->width >= 4)
        return by_instruction(g, signs, v[0], v[1], v[2]);
    for (unsigned i = 0; i < 4; i++) {
        LLVMValueRef x = byte_of(g, v[0], i, (signs & HD_IR_DOT_LEFT) != 0);
        LLVMValueRef y = byte_of(g, v[1], i, (signs & HD_IR_DOT_RIGHT) != 0);

        v[2] = LLVMBuildAdd(g->b, v[2], LLVMBuildMul(g->b, x, y, ""), "");
    }
    return v[2];
}
