/* ops/convert/convert_build.c -- conversions to lane IR.
 *
 * Plain conversions are single operations. To integers, rounding and saturation are operations
 * before it; to floats, rounding other than to nearest becomes CONVERT, for which rt/math has lane
 * functions.
 *
 * Spec: SPIR-V, "Conversion Instructions"; OpenCL SPIR-V Environment, "Rounding Modes for
 * Conversions", "Out-of-Range Conversions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "ops/build_fns.h"
#include "ops/coop/coop_build.h"
#include "ops/float/bfloat_build.h"
#include "ops/float/rounded_build.h"
#include "rt/math/convert.h"

static unsigned kind_of(HdIrType t, bool is_signed)
{
    switch (t) {
    case HD_IR_I8: return is_signed ? HD_NUM_I8 : HD_NUM_U8;
    case HD_IR_I16: return is_signed ? HD_NUM_I16 : HD_NUM_U16;
    case HD_IR_I32: return is_signed ? HD_NUM_I32 : HD_NUM_U32;
    case HD_IR_I64: return is_signed ? HD_NUM_I64 : HD_NUM_U64;
    case HD_IR_F16: return HD_NUM_F16;
    case HD_IR_F32: return HD_NUM_F32;
    case HD_IR_F64: return HD_NUM_F64;
    default: return HD_NUM_COUNT;
    }
}

/* What an opcode converts. */
typedef struct Shape {
    HdIrOp op;                   /* for the default rounding; COUNT: depends on the widths */
    bool from_signed, to_signed; /* of integers */
    unsigned round;              /* the default */
    bool saturates;              /* always */
} Shape;

static HdStatus shape_of(const HdInst *in, Shape *s)
{
    switch (in->opix) {
    case HD_OPIX_ConvertFToU:
        *s = (Shape){HD_IR_FPTOUI, false, false, HD_ROUND_RTZ, false};
        return HD_OK;
    case HD_OPIX_ConvertFToS:
        *s = (Shape){HD_IR_FPTOSI, false, true, HD_ROUND_RTZ, false};
        return HD_OK;
    case HD_OPIX_ConvertSToF:
        *s = (Shape){HD_IR_SITOFP, true, false, HD_ROUND_RTE, false};
        return HD_OK;
    case HD_OPIX_ConvertUToF:
        *s = (Shape){HD_IR_UITOFP, false, false, HD_ROUND_RTE, false};
        return HD_OK;
    case HD_OPIX_FConvert:
    case HD_OPIX_UConvert:
        *s = (Shape){HD_IR_OP_COUNT, false, false, HD_ROUND_RTE, false};
        return HD_OK;
    case HD_OPIX_SConvert:
        *s = (Shape){HD_IR_OP_COUNT, true, true, HD_ROUND_RTE, false};
        return HD_OK;
    case HD_OPIX_SatConvertSToU:
        *s = (Shape){HD_IR_OP_COUNT, true, false, HD_ROUND_RTE, true};
        return HD_OK;
    case HD_OPIX_SatConvertUToS:
        *s = (Shape){HD_IR_OP_COUNT, false, true, HD_ROUND_RTE, true};
        return HD_OK;
    default: return HD_BUG;
    }
}

/* To a whole number, according to the mode; conversions to integers truncate. */
static HdIrRef to_whole(HdBuild *b, unsigned round, HdIrRef x)
{
    static const HdIrOp ops[] = {
        [HD_ROUND_RTE] = HD_IR_FRINT, [HD_ROUND_RTP] = HD_IR_FCEIL, [HD_ROUND_RTN] = HD_IR_FFLOOR};

    return round == HD_ROUND_RTZ ? x : hd_build_op1(b, ops[round], hd_build_type_at(b, x), x);
}

/* What an integer becomes in the range of another type, still in its own. */
static HdIrRef clamp(HdBuild *b, const Shape *s, HdIrRef x, HdIrType to)
{
    HdIrType from = hd_build_type_at(b, x);
    unsigned bits = hd_ir_type_bits(from), room = hd_ir_type_bits(to) - (s->to_signed ? 1u : 0u);
    uint64_t most = UINT64_MAX >> (64 - room), least = s->to_signed ? ~most : 0;

    if (room < bits - (s->from_signed ? 1u : 0u))
        x = hd_build_op2(b, s->from_signed ? HD_IR_SMIN : HD_IR_UMIN, from, x,
                         hd_build_const(b, from, most));
    if (s->from_signed && (!s->to_signed || room < bits - 1))
        x = hd_build_op2(b, HD_IR_SMAX, from, x, hd_build_const(b, from, least));
    return x;
}

static HdIrRef convert1(HdBuild *b, const Shape *s, unsigned round, bool saturate, HdIrRef x,
                        HdIrType to)
{
    HdIrType from = hd_build_type_at(b, x);

    if (s->op == HD_IR_FPTOUI || s->op == HD_IR_FPTOSI) {
        unsigned plain = s->op == HD_IR_FPTOSI && !saturate && hd_ir_type_bits(to) >= 32;

        x = to_whole(b, round, x);
        return hd_ir_emit_sub(b->fn, b->block, s->op, to, plain, 0, &x, 1);
    }
    if (s->op != HD_IR_OP_COUNT && round == s->round)
        return hd_build_op1(b, s->op, to, x);
    if (s->op == HD_IR_OP_COUNT && !hd_ir_is_float(from))
        return hd_build_resize(b, saturate ? clamp(b, s, x, to) : x, to, s->from_signed);
    if (s->op == HD_IR_OP_COUNT) {
        if (hd_ir_type_bits(from) < hd_ir_type_bits(to))
            return hd_build_op1(b, HD_IR_FPEXT, to, x);
        if (from == to)
            return x;
        if (round == s->round)
            return hd_build_op1(b, HD_IR_FPTRUNC, to, x);
    }
    return hd_ir_emit_sub(
        b->fn, b->block, HD_IR_CONVERT, to,
        HD_IR_CONVERT(kind_of(from, s->from_signed), kind_of(to, s->to_signed), round), 0, &x, 1);
}

/* By way of a float of 32 bits where one side is bfloat16. */
typedef struct By {
    bool from, to;
} By;

static HdIrRef convert_by(HdBuild *b, const Shape *s, By by, unsigned round, bool saturate,
                          HdIrRef x, HdIrType to)
{
    if (by.from)
        x = hd_build_from_bfloat16(b, x);
    x = convert1(b, s, round, saturate, x, by.to ? HD_IR_F32 : to);
    return by.to ? hd_build_to_bfloat16(b, x) : x;
}

/* Words: 1 type, 2 result, 3 operand. */
HdStatus hd_build_convert(HdBuild *b, const HdInst *in)
{
    const HdType *type, *operand;
    const HdBuildFlat *flat;
    unsigned round;
    bool saturate;
    HdBuildValue v;
    HdIrRef *refs;
    HdIrType to;
    Shape s;
    By by;

    HD_TRY(shape_of(in, &s));
    round = hd_build_truncates(b, in) ? HD_ROUND_RTZ : s.round;
    HD_TRY(hd_build_rounding(b, in, &round));
    saturate = s.saturates ||
               hd_module_decoration(b->m, in->w[2], SpvDecorationSaturatedConversion) != NULL;
    HD_TRY(hd_build_type(b, in->w[1], &type));
    HD_TRY(hd_build_type_of(b, in->w[3], &operand));
    by = (By){hd_is_bfloat16(hd_type_scalar(operand)), hd_is_bfloat16(hd_type_scalar(type))};
    if (by.to && round != HD_ROUND_RTE)
        return hd_build_unsupported(b, in, "to bfloat16, rounded other than to nearest");
    to = hd_build_scalar(hd_type_scalar(type));
    HD_TRY(hd_build_flatten(b, type, &flat));
    HD_TRY(hd_build_operands(b, in, 3, 1, &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    if (v.count != flat->count || kind_of(to, false) == HD_NUM_COUNT)
        return hd_build_bad(b, in, "result type does not fit the operand");
    for (uint32_t i = 0; i < v.count; i++) {
        if (kind_of(hd_build_type_at(b, v.at[i]), false) == HD_NUM_COUNT)
            return hd_build_bad(b, in, "operand is not a number");
        refs[i] = convert_by(b, &s, by, round, saturate, v.at[i], to);
    }
    if (hd_is_cooperative(type) &&
        hd_module_decoration(b->m, in->w[2], SpvDecorationCooperativeMatrixTransposeEXT) != NULL)
        HD_TRY(hd_build_coop_turn(b, operand, type, refs, v.count));
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Round to half and back; halves that would be denormal become zero of that sign.
 * Words: 1 type, 2 result, 3 operand. */
HdStatus hd_build_quantize(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_operands(b, in, 3, 1, &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        HdIrRef half = hd_build_op1(b, HD_IR_FPTRUNC, HD_IR_F16, v.at[i]);
        HdIrRef back = hd_build_op1(b, HD_IR_FPEXT, HD_IR_F32, half);
        HdIrRef size = hd_build_op1(b, HD_IR_FABS, HD_IR_F32, back);
        HdIrRef zero =
            hd_build_op2(b, HD_IR_FCOPYSIGN, HD_IR_F32, hd_build_const(b, HD_IR_F32, 0), v.at[i]);
        HdIrRef small =
            hd_build_fcmp(b, HD_IR_OLT, size, hd_build_const(b, HD_IR_F32, 0x38800000)); /* 2^-14 */

        refs[i] = hd_build_select(b, HD_IR_F32, small, zero, back);
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Words: 1 type, 2 result, 3 value. */
HdStatus hd_build_bfloat16(HdBuild *b, const HdInst *in)
{
    bool back = in->opix == HD_OPIX_ConvertBF16ToFINTEL;
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_operands(b, in, 3, 1, &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++)
        refs[i] = back ? hd_build_from_bfloat16(b, v.at[i]) : hd_build_to_bfloat16(b, v.at[i]);
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Words: 1 type, 2 result, 3 value. */
HdStatus hd_build_tf32(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_operands(b, in, 3, 1, &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++)
        refs[i] = hd_build_bitcast(b,
                                   hd_build_op2(b, HD_IR_AND, HD_IR_I32,
                                                hd_build_rounded_bits(b, v.at[i], 13),
                                                hd_build_const(b, HD_IR_I32, 0xffffe000)),
                                   HD_IR_F32);
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Words: 1 type, 2 result, 3 pointer. */
HdStatus hd_build_ptr_to_u(HdBuild *b, const HdInst *in)
{
    const HdType *type;
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_type(b, in->w[1], &type));
    HD_TRY(hd_build_use(b, in->w[3], &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    type = hd_type_scalar(type);
    for (uint32_t i = 0; i < v.count; i++) {
        if (type->kind != HD_T_INT || hd_build_type_at(b, v.at[i]) != HD_IR_PTR)
            return hd_build_bad(b, in, "needs a pointer and an integer type");
        refs[i] = hd_build_resize(b, hd_build_bitcast(b, v.at[i], HD_IR_I64), hd_build_scalar(type),
                                  false);
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Words: 1 type, 2 result, 3 integer, or a vector of them. */
HdStatus hd_build_u_to_ptr(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        if (hd_ir_is_float(hd_build_type_at(b, v.at[i])))
            return hd_build_bad(b, in, "needs an integer");
        refs[i] = hd_build_bitcast(b, hd_build_resize(b, v.at[i], HD_IR_I64, false), HD_IR_PTR);
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* ---- unchanged bits --------------------------------------------------------------------- */

static HdIrType int_of(HdIrType t)
{
    return hd_ir_is_float(t) || t == HD_IR_PTR ? hd_build_int(hd_ir_type_bits(t)) : t;
}

/* One wide scalar into n narrow ones, low bits first. */
static void split(HdBuild *b, HdIrRef x, HdIrType to, uint32_t n, HdIrRef *refs)
{
    HdIrType wide = int_of(hd_build_type_at(b, x)), narrow = int_of(to);
    HdIrRef bits = hd_build_bitcast(b, x, wide);

    for (uint32_t i = 0; i < n; i++) {
        HdIrRef at = hd_build_const(b, wide, i * hd_ir_type_bits(narrow));
        HdIrRef part = i == 0 ? bits : hd_build_op2(b, HD_IR_LSHR, wide, bits, at);

        refs[i] = hd_build_bitcast(b, hd_build_resize(b, part, narrow, false), to);
    }
}

/* n narrow scalars into one wide one. */
static HdIrRef join(HdBuild *b, const HdIrRef *x, HdIrType to, uint32_t n)
{
    HdIrType narrow = int_of(hd_build_type_at(b, x[0])), wide = int_of(to);
    HdIrRef sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        HdIrRef part = hd_build_resize(b, hd_build_bitcast(b, x[i], narrow), wide, false);
        HdIrRef at = hd_build_const(b, wide, i * hd_ir_type_bits(narrow));

        if (i > 0)
            part = hd_build_op2(b, HD_IR_SHL, wide, part, at);
        sum = i == 0 ? part : hd_build_op2(b, HD_IR_OR, wide, sum, part);
    }
    return hd_build_bitcast(b, sum, to);
}

/* Any two shapes with the same number of bits.
 * Words: 1 type, 2 result, 3 operand. */
HdStatus hd_build_bitcast_value(HdBuild *b, const HdInst *in)
{
    const HdBuildFlat *flat;
    const HdType *type;
    HdBuildValue v;
    HdIrRef *refs;
    uint32_t ratio;

    HD_TRY(hd_build_type(b, in->w[1], &type));
    HD_TRY(hd_build_flatten(b, type, &flat));
    HD_TRY(hd_build_use(b, in->w[3], &v));
    HD_TRY(hd_build_room(b, flat->count, &refs));
    if (v.count == 0 || flat->count == 0 ||
        v.count * hd_ir_type_bits(hd_build_type_at(b, v.at[0])) !=
            flat->count * hd_ir_type_bits(flat->types[0]) ||
        (v.count % flat->count != 0 && flat->count % v.count != 0))
        return hd_build_bad(b, in, "types differ in their number of bits");
    if (v.count <= flat->count) {
        ratio = flat->count / v.count;
        for (uint32_t i = 0; i < v.count; i++)
            split(b, v.at[i], flat->types[0], ratio, refs + (size_t)i * ratio);
    } else {
        ratio = v.count / flat->count;
        for (uint32_t i = 0; i < flat->count; i++)
            refs[i] = join(b, v.at + (size_t)i * ratio, flat->types[0], ratio);
    }
    return hd_build_bind(b, in->w[2], refs, flat->count);
}
