/* ops/opencl_std/opencl_std_memory_build.c -- vector loads and stores, shuffles.
 *
 * Addresses are aligned to components, not to vectors, except for the vloada and vstorea forms.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/opencl_std/std_build.h"

#include <string.h>

#include "rt/math/convert.h"

/* Address of vector number `offset` of `stride` bytes from a pointer, and how to access it. */
static HdStatus place(HdBuild *b, HdId offset, HdId pointer, const HdInst *in, uint64_t stride,
                      HdIrRef *address, HdBuildAccess *how)
{
    HdIrRef index;
    unsigned next;

    HD_TRY(hd_build_access(b, in, in->nwords, pointer, how, &next));
    HD_TRY(hd_build_use1(b, pointer, address));
    HD_TRY(hd_build_use1(b, offset, &index));
    index = hd_build_resize(b, index, HD_IR_I64, false);
    *address = hd_build_op2(
        b, HD_IR_PTRADD, HD_IR_PTR, *address,
        hd_build_op2(b, HD_IR_MUL, HD_IR_I64, index, hd_build_const(b, HD_IR_I64, stride)));
    return HD_OK;
}

/* Operands: offset, pointer, number of components. */
HdStatus hd_std_vload(HdBuild *b, const HdInst *in, unsigned what)
{
    const HdType *type;
    HdBuildAccess how;
    HdIrRef address, *refs;
    uint32_t count;
    HdIrType t;

    (void)what;
    HD_TRY(hd_build_type(b, in->w[1], &type));
    count = hd_type_lanes(type);
    t = hd_build_scalar(hd_type_scalar(type));
    if (in->nwords < HD_STD_OPERAND + 2 || t == HD_IR_VOID)
        return hd_build_bad(b, in, "too few operands or a wrong type");
    HD_TRY(place(b, in->w[HD_STD_OPERAND], in->w[HD_STD_OPERAND + 1], in,
                 (uint64_t)count * hd_ir_type_bytes(t), &address, &how));
    HD_TRY(hd_build_room(b, count, &refs));
    how.align = hd_ir_type_bytes(t);
    for (uint32_t i = 0; i < count; i++)
        refs[i] = hd_build_load1(b, address, (uint64_t)i * hd_ir_type_bytes(t), t, &how);
    return hd_build_bind(b, in->w[2], refs, count);
}

/* Operands: data, offset, pointer. */
HdStatus hd_std_vstore(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildAccess how;
    HdBuildValue v;
    HdIrRef address;
    uint64_t bytes;

    (void)what;
    if (in->nwords < HD_STD_OPERAND + 3)
        return hd_build_bad(b, in, "too few operands");
    HD_TRY(hd_build_use(b, in->w[HD_STD_OPERAND], &v));
    if (v.count == 0)
        return hd_build_bad(b, in, "data has no components");
    bytes = hd_ir_type_bytes(hd_build_type_at(b, v.at[0]));
    HD_TRY(place(b, in->w[HD_STD_OPERAND + 1], in->w[HD_STD_OPERAND + 2], in, v.count * bytes,
                 &address, &how));
    how.align = bytes;
    for (uint32_t i = 0; i < v.count; i++)
        hd_build_store1(b, address, i * bytes, v.at[i], &how);
    return HD_OK;
}

/* Bytes from one vector of halves to the next: vloada and vstorea take 4 for 3 components. */
static uint64_t half_stride(uint32_t count, bool aligned)
{
    return 2 * (aligned && count == 3 ? UINT64_C(4) : count);
}

/* Operands: offset, pointer [, number of components]. `what`: number of the instruction. */
HdStatus hd_std_vload_half(HdBuild *b, const HdInst *in, unsigned what)
{
    bool aligned = what == OpenCLstd_vloada_halfn;
    const HdType *type;
    HdBuildAccess how;
    HdIrRef address, *refs;
    uint32_t count;
    HdIrType t;

    HD_TRY(hd_build_type(b, in->w[1], &type));
    count = hd_type_lanes(type);
    t = hd_build_scalar(hd_type_scalar(type));
    if (in->nwords < HD_STD_OPERAND + 2 || !hd_ir_is_float(t))
        return hd_build_bad(b, in, "too few operands or a wrong type");
    HD_TRY(place(b, in->w[HD_STD_OPERAND], in->w[HD_STD_OPERAND + 1], in,
                 half_stride(count, aligned), &address, &how));
    how.align = aligned ? half_stride(count, true) : 2;
    HD_TRY(hd_build_room(b, count, &refs));
    for (uint32_t i = 0; i < count; i++) {
        refs[i] = hd_build_load1(b, address, i * UINT64_C(2), HD_IR_F16, &how);
        if (t != HD_IR_F16)
            refs[i] = hd_build_op1(b, HD_IR_FPEXT, t, refs[i]);
    }
    return hd_build_bind(b, in->w[2], refs, count);
}

static HdIrRef to_half(HdBuild *b, HdIrRef x, unsigned mode)
{
    HdIrType t = hd_build_type_at(b, x);
    unsigned from = t == HD_IR_F64 ? HD_NUM_F64 : HD_NUM_F32;

    if (t == HD_IR_F16)
        return x;
    if (mode == HD_ROUND_RTE)
        return hd_build_op1(b, HD_IR_FPTRUNC, HD_IR_F16, x);
    return hd_ir_emit_sub(b->fn, b->block, HD_IR_CONVERT, HD_IR_F16,
                          HD_IR_CONVERT(from, HD_NUM_F16, mode), 0, &x, 1);
}

static HdStatus rounding(HdBuild *b, const HdInst *in, uint32_t mode, unsigned *out)
{
    switch (mode) {
    case SpvFPRoundingModeRTE: *out = HD_ROUND_RTE; return HD_OK;
    case SpvFPRoundingModeRTZ: *out = HD_ROUND_RTZ; return HD_OK;
    case SpvFPRoundingModeRTP: *out = HD_ROUND_RTP; return HD_OK;
    case SpvFPRoundingModeRTN: *out = HD_ROUND_RTN; return HD_OK;
    default: return hd_build_bad(b, in, "unknown rounding mode");
    }
}

/* Operands: data, offset, pointer [, rounding mode]. `what`: number of the instruction. */
HdStatus hd_std_vstore_half(HdBuild *b, const HdInst *in, unsigned what)
{
    bool aligned = what == OpenCLstd_vstorea_halfn || what == OpenCLstd_vstorea_halfn_r;
    bool rounded = what == OpenCLstd_vstore_half_r || what == OpenCLstd_vstore_halfn_r ||
                   what == OpenCLstd_vstorea_halfn_r;
    unsigned mode = HD_ROUND_RTE;
    HdBuildAccess how;
    HdBuildValue v;
    HdIrRef address;

    if (in->nwords < HD_STD_OPERAND + (rounded ? 4 : 3))
        return hd_build_bad(b, in, "too few operands");
    if (rounded)
        HD_TRY(rounding(b, in, in->w[HD_STD_OPERAND + 3], &mode));
    HD_TRY(hd_build_use(b, in->w[HD_STD_OPERAND], &v));
    if (v.count == 0 || !hd_ir_is_float(hd_build_type_at(b, v.at[0])))
        return hd_build_bad(b, in, "data is not a float");
    HD_TRY(place(b, in->w[HD_STD_OPERAND + 1], in->w[HD_STD_OPERAND + 2], in,
                 half_stride(v.count, aligned), &address, &how));
    how.align = aligned ? half_stride(v.count, true) : 2;
    for (uint32_t i = 0; i < v.count; i++)
        hd_build_store1(b, address, i * UINT64_C(2), to_half(b, v.at[i], mode), &how);
    return HD_OK;
}

/* One of `count` values, a power of two, by the low bits of an index: each bit halves their number,
 * which takes as many tests as there are bits. */
static HdIrRef pick(HdBuild *b, const HdIrRef *from, uint32_t count, HdIrRef index)
{
    HdIrType t = hd_build_type_at(b, index);
    HdIrRef left[32];

    memcpy(left, from, count * sizeof *left);
    for (uint32_t bit = 1; count > 1; bit *= 2) {
        HdIrRef is = hd_build_op2(b, HD_IR_AND, t, index, hd_build_const(b, t, bit));

        is = hd_build_icmp(b, HD_IR_NE, is, hd_build_const(b, t, 0));
        count /= 2;
        for (uint32_t i = 0; i < count; i++)
            left[i] =
                hd_build_select(b, hd_build_type_at(b, left[0]), is, left[2 * i + 1], left[2 * i]);
    }
    return left[0];
}

/* Components that a mask of variable indexes picks from one or two vectors; only as many low bits
 * of an index count as there are components. `what`: number of vectors. */
HdStatus hd_std_shuffle(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v[2], mask;
    HdIrRef from[32], *refs;
    uint32_t count;

    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, what, v));
    HD_TRY(hd_build_use(b, in->w[HD_STD_OPERAND + what], &mask));
    count = v[0].count * what;
    if (v[0].count < 1 || v[0].count > 16 || (count & (count - 1)) != 0)
        return hd_build_bad(b, in, "vectors have a wrong number of components");
    for (uint32_t i = 0; i < count; i++)
        from[i] = v[i / v[0].count].at[i % v[0].count];
    HD_TRY(hd_build_room(b, mask.count, &refs));
    for (uint32_t i = 0; i < mask.count; i++)
        refs[i] = pick(b, from, count, mask.at[i]);
    return hd_build_bind(b, in->w[2], refs, mask.count);
}

/* A hint that nothing here needs. */
HdStatus hd_std_prefetch(HdBuild *b, const HdInst *in, unsigned what)
{
    (void)b;
    (void)in;
    (void)what;
    return HD_OK;
}
