/* ops/glsl/glsl_rule.c -- rules of GLSL.std.450, as used by shader modules.
 *
 * Each instruction belongs to a shape: what the result is and how the operands relate to it.
 *
 * Spec: SPIR-V Extended Instructions for GLSL.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/glsl/glsl_rule.h"

#include "gen/extinst.h"

#define FIRST 5 /* word of the first operand after the instruction's number */

typedef HdStatus Shape(HdVal *v, const HdInst *in, const HdType *t);

static HdStatus same_operands(HdVal *v, const HdInst *in, uint32_t from, uint32_t to,
                              const HdType *t)
{
    for (uint32_t i = from; i < to; i++)
        HD_RULE(hd_val_operand(v, in, i) == t, "glsl.operand",
                "the type of operand %u differs from the result type", hd_val_number(in, i));
    return HD_OK;
}

static HdStatus floats(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_RULE(hd_is_float(t), "glsl.result", "the result is not a float scalar or vector");
    return same_operands(v, in, FIRST, in->nwords, t);
}

/* Angles, powers and logarithms: 16 or 32 bits. */
static HdStatus small_floats(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_RULE(hd_is_float(t) && hd_type_bits(t) <= 32, "glsl.result",
            "the result is not a 16- or 32-bit float scalar or vector");
    return same_operands(v, in, FIRST, in->nwords, t);
}

/* Integers, whose signedness is the instruction's. */
static HdStatus ints(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_RULE(hd_is_int(t), "glsl.result", "the result is not an integer scalar or vector");
    for (uint32_t i = FIRST; i < in->nwords; i++) {
        const HdType *o = hd_val_operand(v, in, i);

        HD_RULE(o != NULL && hd_is_int(o), "glsl.operand",
                "operand %u is not an integer scalar or vector", hd_val_number(in, i));
        HD_RULE(hd_type_lanes(o) == hd_type_lanes(t) && hd_type_bits(o) == hd_type_bits(t),
                "glsl.operand", "operand %u has another width or size than the result",
                hd_val_number(in, i));
    }
    return HD_OK;
}

static HdStatus find_bits(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_TRY(ints(v, in, t));
    HD_RULE(hd_type_bits(t) == 32, "glsl.result", "the result has not 32 bits");
    return HD_OK;
}

static HdStatus matrix(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *x = hd_val_operand(v, in, FIRST);

    HD_RULE(x != NULL && x->kind == HD_T_MATRIX && x->count == hd_type_element(x)->count,
            "glsl.operand", "the operand is not a square matrix");
    if (in->w[4] == GLSLstd450Determinant)
        HD_RULE(t == hd_type_element(hd_type_element(x)), "glsl.result",
                "the result is not the matrix' component type");
    else
        HD_RULE(t == x, "glsl.result", "the result is not of the matrix' type");
    return HD_OK;
}

/* A pointer whose pointee is checked by the caller; *out NULL when it is untyped. */
static HdStatus pointer(HdVal *v, const HdInst *in, uint32_t at, const HdType **out)
{
    const HdType *p = hd_val_operand(v, in, at);

    HD_RULE(hd_is_pointer(p), "glsl.pointer", "operand %u is not a pointer", hd_val_number(in, at));
    *out = p->is_untyped ? NULL : hd_type_element(p);
    return HD_OK;
}

static HdStatus modf_(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *to;

    HD_RULE(hd_is_float(t), "glsl.result", "the result is not a float scalar or vector");
    HD_TRY(same_operands(v, in, FIRST, FIRST + 1, t));
    HD_TRY(pointer(v, in, FIRST + 1, &to));
    HD_RULE(to == NULL || to == t, "glsl.pointer",
            "the pointer points to another type than the result's");
    return HD_OK;
}

/* 32-bit integers, as many as the float has components. */
static bool is_exponent(const HdVal *v, const HdType *e, const HdType *x)
{
    return e != NULL && hd_is_int(e) && hd_type_lanes(e) == hd_type_lanes(x) &&
           (hd_type_bits(e) == 32 ||
            (hd_type_bits(e) == 16 && hd_module_has_extension(v->m, "SPV_AMD_gpu_shader_int16")));
}

static HdStatus frexp_(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *to;

    HD_RULE(hd_is_float(t), "glsl.result", "the result is not a float scalar or vector");
    HD_TRY(same_operands(v, in, FIRST, FIRST + 1, t));
    HD_TRY(pointer(v, in, FIRST + 1, &to));
    HD_RULE(to == NULL || is_exponent(v, to, t), "glsl.pointer",
            "the pointer does not point to 32-bit integers of the result's shape");
    return HD_OK;
}

/* ModfStruct, FrexpStruct. */
static HdStatus two_results(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *first, *second;

    HD_RULE(t->kind == HD_T_STRUCT && t->count == 2 && hd_is_float(hd_type_member(v->m, t, 0)),
            "glsl.result", "the result is not a structure of two members, the first of them float");
    first = hd_type_member(v->m, t, 0);
    second = hd_type_member(v->m, t, 1);
    if (in->w[4] == GLSLstd450ModfStruct)
        HD_RULE(second == first, "glsl.result", "the result's members are of different types");
    else
        HD_RULE(is_exponent(v, second, first), "glsl.result",
                "the second member is not a 32-bit integer of the first one's shape");
    return same_operands(v, in, FIRST, in->nwords, first);
}

static HdStatus ldexp_(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *e = hd_val_operand(v, in, FIRST + 1);

    HD_RULE(hd_is_float(t), "glsl.result", "the result is not a float scalar or vector");
    HD_TRY(same_operands(v, in, FIRST, FIRST + 1, t));
    HD_RULE(e != NULL && hd_is_int(e) && hd_type_lanes(e) == hd_type_lanes(t), "glsl.operand",
            "the exponent is not an integer of the result's shape");
    return HD_OK;
}

/* A vector of n components, float or integer, of that width. */
static bool is_vector(const HdType *t, bool is_float, uint32_t bits, uint32_t n)
{
    return t != NULL && t->kind == HD_T_VECTOR && t->count == n &&
           (is_float ? hd_is_float(t) : hd_is_int(t)) && hd_type_bits(t) == bits;
}

static HdStatus pack(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *o = hd_val_operand(v, in, FIRST);
    bool four = in->w[4] == GLSLstd450PackSnorm4x8 || in->w[4] == GLSLstd450PackUnorm4x8;

    if (in->w[4] == GLSLstd450PackDouble2x32) {
        HD_RULE(hd_is_float_scalar(t) && t->bits == 64, "glsl.result",
                "the result is not a 64-bit float scalar");
        HD_RULE(is_vector(o, false, 32, 2), "glsl.operand",
                "the operand is not a vector of two 32-bit integers");
        return HD_OK;
    }
    HD_RULE(hd_is_int_scalar(t) && t->bits == 32, "glsl.result",
            "the result is not a 32-bit integer scalar");
    HD_RULE(is_vector(o, true, 32, four ? 4 : 2), "glsl.operand",
            "the operand is not a vector of %u 32-bit floats", four ? 4u : 2u);
    return HD_OK;
}

static HdStatus unpack(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *o = hd_val_operand(v, in, FIRST);
    bool four = in->w[4] == GLSLstd450UnpackSnorm4x8 || in->w[4] == GLSLstd450UnpackUnorm4x8;

    if (in->w[4] == GLSLstd450UnpackDouble2x32) {
        HD_RULE(is_vector(t, false, 32, 2), "glsl.result",
                "the result is not a vector of two 32-bit integers");
        HD_RULE(hd_is_float_scalar(o) && o->bits == 64, "glsl.operand",
                "the operand is not a 64-bit float scalar");
        return HD_OK;
    }
    HD_RULE(is_vector(t, true, 32, four ? 4 : 2), "glsl.result",
            "the result is not a vector of %u 32-bit floats", four ? 4u : 2u);
    HD_RULE(hd_is_int_scalar(o) && o->bits == 32, "glsl.operand",
            "the operand is not a 32-bit integer scalar");
    return HD_OK;
}

/* Length, Distance. */
static HdStatus to_length(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *x = hd_val_operand(v, in, FIRST);

    HD_RULE(hd_is_float_scalar(t), "glsl.result", "the result is not a float scalar");
    for (uint32_t i = FIRST; i < in->nwords; i++) {
        const HdType *o = hd_val_operand(v, in, i);

        HD_RULE(o != NULL && hd_is_float(o) && hd_type_scalar(o) == t, "glsl.operand",
                "operand %u is not a scalar or vector of the result type", hd_val_number(in, i));
        HD_RULE(hd_type_lanes(o) == hd_type_lanes(x), "glsl.operand",
                "the operands have different numbers of components");
    }
    return HD_OK;
}

static HdStatus cross_(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_RULE(t->kind == HD_T_VECTOR && t->count == 3 && hd_is_float(t), "glsl.result",
            "the result is not a vector of three floats");
    return same_operands(v, in, FIRST, in->nwords, t);
}

static HdStatus refract(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_RULE(hd_is_float(t), "glsl.result", "the result is not a float scalar or vector");
    HD_TRY(same_operands(v, in, FIRST, FIRST + 2, t));
    HD_RULE(hd_val_operand(v, in, FIRST + 2) == hd_type_scalar(t), "glsl.operand",
            "eta is not a scalar of the result's component type");
    return HD_OK;
}

static HdStatus interpolate(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *p = hd_val_operand(v, in, FIRST), *to;
    const HdType *how = hd_val_operand(v, in, FIRST + 1);
    bool half = hd_module_has_extension(v->m, "SPV_AMD_gpu_shader_half_float");

    HD_RULE(hd_is_float(t) && (hd_type_bits(t) == 32 || (hd_type_bits(t) == 16 && half)),
            "glsl.result", "the result is not a 32-bit float scalar or vector");
    HD_TRY(pointer(v, in, FIRST, &to));
    HD_RULE(p->storage == SpvStorageClassInput, "glsl.pointer",
            "the interpolant is not of storage class Input");
    HD_RULE(to == NULL || to == t, "glsl.pointer",
            "the interpolant is of another type than the result");
    if (in->w[4] == GLSLstd450InterpolateAtSample)
        HD_RULE(hd_is_int_scalar(how) && how->bits == 32, "glsl.operand",
                "the sample is not a 32-bit integer scalar");
    if (in->w[4] == GLSLstd450InterpolateAtOffset)
        HD_RULE(is_vector(how, true, 32, 2) || (is_vector(how, true, 16, 2) && half),
                "glsl.operand", "the offset is not a vector of two 32-bit floats");
    return HD_OK;
}

static Shape *shape_of(uint32_t number)
{
    switch (number) {
    case GLSLstd450SAbs:
    case GLSLstd450SSign:
    case GLSLstd450UMin:
    case GLSLstd450SMin:
    case GLSLstd450UMax:
    case GLSLstd450SMax:
    case GLSLstd450UClamp:
    case GLSLstd450SClamp: return ints;
    case GLSLstd450FindILsb:
    case GLSLstd450FindSMsb:
    case GLSLstd450FindUMsb: return find_bits;
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse: return matrix;
    case GLSLstd450Modf: return modf_;
    case GLSLstd450Frexp: return frexp_;
    case GLSLstd450ModfStruct:
    case GLSLstd450FrexpStruct: return two_results;
    case GLSLstd450Ldexp: return ldexp_;
    case GLSLstd450Length:
    case GLSLstd450Distance: return to_length;
    case GLSLstd450Cross: return cross_;
    case GLSLstd450Refract: return refract;
    case GLSLstd450InterpolateAtCentroid:
    case GLSLstd450InterpolateAtSample:
    case GLSLstd450InterpolateAtOffset: return interpolate;
    case GLSLstd450IMix: return NULL; /* was never specified */
    default: break;
    }
    if (number >= GLSLstd450PackSnorm4x8 && number <= GLSLstd450PackDouble2x32)
        return pack;
    if (number >= GLSLstd450UnpackSnorm2x16 && number <= GLSLstd450UnpackDouble2x32)
        return unpack;
    if (number >= GLSLstd450Radians && number <= GLSLstd450Log2)
        return small_floats;
    return floats;
}

HdStatus hd_rule_glsl(HdVal *v, const HdInst *in, const HdType *t)
{
    Shape *shape = shape_of(in->w[4]);

    HD_RULE(hd_gram_extinst(HD_EXTSET_GLSL_std_450, in->w[4]) != NULL, "glsl.number",
            "GLSL.std.450 has no instruction %u", (unsigned)in->w[4]);
    HD_RULE(shape != NULL, "glsl.number", "IMix is not an instruction that can be used");
    return shape(v, in, t);
}
