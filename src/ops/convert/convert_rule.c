/* ops/convert/convert_rule.c -- rules of conversions.
 *
 * Spec: SPIR-V, "Conversion Instructions"; OpBitcast as SPV_KHR_untyped_pointers has it;
 * SPV_INTEL_bfloat16_conversion, SPV_INTEL_tensor_float32_conversion.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/coop/coop_rule.h"
#include "ops/rules.h"

typedef bool Test(const HdType *t);

/* Result and operand pass their tests and have as many components. */
static HdStatus shapes(HdVal *v, const HdInst *in, Test *result, const char *result_name,
                       Test *operand, const char *operand_name)
{
    const HdType *t = hd_val_result(v, in), *o = hd_val_operand(v, in, 3);

    HD_RULE(result(t), "convert.result", "the result is not %s scalar or vector", result_name);
    HD_RULE(o != NULL && operand(o), "convert.operand", "the operand is not %s scalar or vector",
            operand_name);
    HD_RULE(hd_type_lanes(t) == hd_type_lanes(o), "convert.components",
            "operand and result have different numbers of components");
    return HD_OK;
}

static bool is_single(const HdType *t)
{
    return hd_is_float(t) && hd_type_bits(t) == 32;
}

static bool is_short(const HdType *t)
{
    return hd_is_int(t) && hd_type_bits(t) == 16;
}

/* OpConvertFToBF16INTEL, OpConvertBF16ToFINTEL. */
HdStatus hd_rule_bfloat16(HdVal *v, const HdInst *in)
{
    if (in->opix == HD_OPIX_ConvertBF16ToFINTEL)
        return shapes(v, in, is_single, "a 32-bit float", is_short, "a 16-bit integer");
    return shapes(v, in, is_short, "a 16-bit integer", is_single, "a 32-bit float");
}

/* OpRoundFToTF32INTEL: 3 value. */
HdStatus hd_rule_tf32(HdVal *v, const HdInst *in)
{
    HD_RULE(is_single(hd_val_result(v, in)), "convert.result",
            "the result is not a scalar or vector of 32-bit floats");
    HD_RULE(hd_val_operand(v, in, 3) == hd_val_result(v, in), "convert.operand",
            "the type of the operand differs from the result type");
    return HD_OK;
}

static bool is_uint(const HdType *t)
{
    return hd_is_int(t) && !hd_type_scalar(t)->is_signed;
}

static bool is_matrix_like(const HdVal *v, const HdInst *in)
{
    return hd_val_result(v, in)->kind == HD_T_OTHER; /* cooperative matrices */
}

static HdStatus other_width(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_type_bits(hd_val_result(v, in)) != hd_type_bits(hd_val_operand(v, in, 3)) ||
                (hd_is_float(hd_val_result(v, in)) &&
                 hd_type_scalar(hd_val_result(v, in))->encoding !=
                     hd_type_scalar(hd_val_operand(v, in, 3))->encoding),
            "convert.width", "operand and result have the same width");
    return HD_OK;
}

HdStatus hd_rule_convert_f_to_u(HdVal *v, const HdInst *in)
{
    return is_matrix_like(v, in)
               ? hd_rule_coop_convert(v, in, is_uint, hd_is_float)
               : shapes(v, in, is_uint, "an unsigned integer", hd_is_float, "a float");
}

HdStatus hd_rule_convert_f_to_s(HdVal *v, const HdInst *in)
{
    return is_matrix_like(v, in) ? hd_rule_coop_convert(v, in, hd_is_int, hd_is_float)
                                 : shapes(v, in, hd_is_int, "an integer", hd_is_float, "a float");
}

/* OpConvertSToF, OpConvertUToF. */
HdStatus hd_rule_convert_to_f(HdVal *v, const HdInst *in)
{
    return is_matrix_like(v, in) ? hd_rule_coop_convert(v, in, hd_is_float, hd_is_int)
                                 : shapes(v, in, hd_is_float, "a float", hd_is_int, "an integer");
}

HdStatus hd_rule_convert_u(HdVal *v, const HdInst *in)
{
    if (is_matrix_like(v, in))
        return hd_rule_coop_convert(v, in, is_uint, hd_is_int);
    HD_TRY(shapes(v, in, is_uint, "an unsigned integer", hd_is_int, "an integer"));
    return other_width(v, in);
}

HdStatus hd_rule_convert_s(HdVal *v, const HdInst *in)
{
    if (is_matrix_like(v, in))
        return hd_rule_coop_convert(v, in, hd_is_int, hd_is_int);
    HD_TRY(shapes(v, in, hd_is_int, "an integer", hd_is_int, "an integer"));
    return other_width(v, in);
}

HdStatus hd_rule_convert_f(HdVal *v, const HdInst *in)
{
    if (is_matrix_like(v, in))
        return hd_rule_coop_convert(v, in, hd_is_float, hd_is_float);
    HD_TRY(shapes(v, in, hd_is_float, "a float", hd_is_float, "a float"));
    return other_width(v, in);
}

HdStatus hd_rule_quantize(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_float(t) && hd_type_bits(t) == 32, "convert.result",
            "the result is not a 32-bit float scalar or vector");
    HD_RULE(hd_val_operand(v, in, 3) == t, "convert.operand",
            "the type of the operand differs from the result type");
    return HD_OK;
}

/* OpSatConvertSToU, OpSatConvertUToS. */
HdStatus hd_rule_sat_convert(HdVal *v, const HdInst *in)
{
    return shapes(v, in, hd_is_int, "an integer", hd_is_int, "an integer");
}

/* ---- pointers ------------------------------------------------------------------------------ */

static bool physical(const HdVal *v, const HdType *pointer)
{
    return v->m->addressing != SpvAddressingModelLogical &&
           (v->m->addressing != SpvAddressingModelPhysicalStorageBuffer64 ||
            pointer->storage == SpvStorageClassPhysicalStorageBuffer);
}

static HdStatus pointer_and_int(HdVal *v, const HdInst *in, const HdType *p, const HdType *i,
                                bool to_pointer)
{
    HD_RULE(p != NULL && hd_is_pointer(hd_type_scalar(p)),
            to_pointer ? "convert.result" : "convert.operand", "there is no pointer");
    HD_RULE(i != NULL && hd_is_int(i) && !hd_type_scalar(i)->is_signed,
            to_pointer ? "convert.operand" : "convert.result", "there is no unsigned integer");
    HD_RULE(hd_type_lanes(p) == hd_type_lanes(i), "convert.components",
            "operand and result have different numbers of components");
    HD_RULE(physical(v, hd_type_scalar(p)), "convert.addressing",
            "the pointer has no physical address");
    return HD_OK;
}

HdStatus hd_rule_ptr_to_u(HdVal *v, const HdInst *in)
{
    return pointer_and_int(v, in, hd_val_operand(v, in, 3), hd_val_result(v, in), false);
}

HdStatus hd_rule_u_to_ptr(HdVal *v, const HdInst *in)
{
    return pointer_and_int(v, in, hd_val_result(v, in), hd_val_operand(v, in, 3), true);
}

static HdStatus bitcast_pointer(HdVal *v, const HdInst *in, const HdType *p, const HdType *other)
{
    uint32_t bits = hd_module_address_bits(v->m);
    uint64_t total;

    HD_RULE(physical(v, p), "convert.addressing", "the pointer has no physical address");
    if (hd_is_pointer(other)) {
        HD_RULE(physical(v, other), "convert.addressing", "the pointer has no physical address");
        /* LLVM's back end stores pointers to functions as ones to private memory. */
        HD_RULE(p->storage == other->storage ||
                    (v->options->to_build && other->storage == SpvStorageClassCodeSectionINTEL),
                "convert.bitcast-storage", "the pointers are of different storage classes");
        return HD_OK;
    }
    HD_RULE(hd_is_int(other), "convert.bitcast-pointer",
            "a pointer can be cast to and from pointers and integers only");
    HD_RULE(hd_is_int_scalar(other) || v->m->version >= 0x10500, "convert.bitcast-vector",
            "casting between pointers and vectors needs SPIR-V 1.5");
    total = (uint64_t)hd_type_lanes(other) * hd_type_bits(other);
    /* Producers cast between 32-bit pointers and pairs of words, as there are with 64 bits. */
    HD_RULE(hd_is_int_scalar(other) || total == bits || total == 64, "convert.bitcast-size",
            "the vector has another number of bits than a pointer");
    HD_RULE(hd_is_int_scalar(other) || hd_type_bits(other) == 32, "convert.bitcast-vector",
            "pointers are cast to and from vectors of 32-bit integers only");
    /* Others take it for a conversion that extends or cuts. */
    if (total != bits)
        return hd_val_warn(v, in, "convert.pointer-width",
                           "the integer has another number of bits than a pointer");
    return HD_OK;
}

/* OpBitcast. Rule ids: convert.bitcast-…. */
HdStatus hd_rule_bitcast(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *o = hd_val_operand(v, in, 3);

    if (t->kind == HD_T_OTHER)
        return hd_rule_coop_bitcast(v, in);
    HD_RULE(o != NULL, "convert.operand", "the operand has no value");
    if (o->kind == HD_T_OTHER)
        return HD_OK;
    /* Shipping producers cast to the type that there is; those that know untyped pointers do not.
     */
    if (o == t) {
        HD_RULE(!hd_val_cap(v, SpvCapabilityUntypedPointersKHR), "convert.bitcast-same",
                "operand and result have the same type");
        return HD_OK;
    }
    /* Vectors of pointers come with SPV_INTEL_masked_gather_scatter. */
    if (t->kind == HD_T_VECTOR && o->kind == HD_T_VECTOR && t->count == o->count &&
        hd_is_pointer(hd_type_element(t)) && hd_is_pointer(hd_type_element(o)))
        return bitcast_pointer(v, in, hd_type_element(t), hd_type_element(o));
    if (hd_is_pointer(t))
        return bitcast_pointer(v, in, t, o);
    if (hd_is_pointer(o))
        return bitcast_pointer(v, in, o, t);
    HD_RULE(hd_is_numeric(t), "convert.result", "the result is not a pointer, number or vector");
    HD_RULE(hd_is_numeric(o), "convert.operand", "the operand is not a pointer, number or vector");
    HD_RULE((uint64_t)hd_type_lanes(t) * hd_type_bits(t) ==
                (uint64_t)hd_type_lanes(o) * hd_type_bits(o),
            "convert.bitcast-size", "operand and result have different numbers of bits");
    return HD_OK;
}
