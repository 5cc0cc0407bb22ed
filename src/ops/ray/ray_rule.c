/* ops/ray/ray_rule.c -- rules of ray queries and ray tracing: what each operand and result is.
 *
 * The instructions differ only in that, so each is a row of letters: the result first, "-" where
 * there is none, then the operands.
 *
 *   b bool   u 32-bit integer   w unsigned one   f 32-bit float   2 3 vectors of 2, 3 such floats
 *   m 4 columns of 3 floats     t array of 3 vectors of 3 floats
 *   Q pointer to a ray query    A acceleration structure    I constant 0 or 1
 *   P payload variable          C callable data variable    a 64-bit unsigned integer, or 2 of 32
 * bits S acceleration structure (result)     R ray flags
 *
 * Spec: SPV_KHR_ray_query, SPV_KHR_ray_tracing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/shader_rules.h"

static const char *signature(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_RayQueryInitializeKHR: return "-QARu3f3f";
    case HD_OPIX_RayQueryTerminateKHR:
    case HD_OPIX_RayQueryConfirmIntersectionKHR: return "-Q";
    case HD_OPIX_RayQueryGenerateIntersectionKHR: return "-Qf";
    case HD_OPIX_RayQueryProceedKHR:
    case HD_OPIX_RayQueryGetIntersectionCandidateAABBOpaqueKHR: return "bQ";
    case HD_OPIX_RayQueryGetRayTMinKHR: return "fQ";
    case HD_OPIX_RayQueryGetRayFlagsKHR: return "uQ";
    case HD_OPIX_RayQueryGetIntersectionTypeKHR:
    case HD_OPIX_RayQueryGetIntersectionInstanceCustomIndexKHR:
    case HD_OPIX_RayQueryGetIntersectionInstanceIdKHR:
    case HD_OPIX_RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR:
    case HD_OPIX_RayQueryGetIntersectionGeometryIndexKHR:
    case HD_OPIX_RayQueryGetIntersectionPrimitiveIndexKHR: return "uQI";
    case HD_OPIX_RayQueryGetIntersectionTKHR: return "fQI";
    case HD_OPIX_RayQueryGetIntersectionBarycentricsKHR: return "2QI";
    case HD_OPIX_RayQueryGetIntersectionFrontFaceKHR: return "bQI";
    case HD_OPIX_RayQueryGetIntersectionObjectRayDirectionKHR:
    case HD_OPIX_RayQueryGetIntersectionObjectRayOriginKHR: return "3QI";
    case HD_OPIX_RayQueryGetWorldRayDirectionKHR:
    case HD_OPIX_RayQueryGetWorldRayOriginKHR: return "3Q";
    case HD_OPIX_RayQueryGetIntersectionObjectToWorldKHR:
    case HD_OPIX_RayQueryGetIntersectionWorldToObjectKHR: return "mQI";
    case HD_OPIX_RayQueryGetIntersectionTriangleVertexPositionsKHR: return "tQI";
    case HD_OPIX_ConvertUToAccelerationStructureKHR: return "Sa";
    case HD_OPIX_TraceRayKHR: return "-ARuuuu3f3fP";
    case HD_OPIX_ExecuteCallableKHR: return "-wC";
    case HD_OPIX_ReportIntersectionKHR: return "bfw";
    default: return "";
    }
}

static bool is_floats(const HdType *t, uint32_t count)
{
    return t != NULL && t->kind == HD_T_VECTOR && t->count == count && hd_is_float(t) &&
           hd_type_bits(t) == 32;
}

static bool is_ray_query(const HdType *t)
{
    return hd_is_pointer(t) &&
           (t->is_untyped || hd_type_is_other(hd_type_element(t), SpvOpTypeRayQueryKHR));
}

static bool fits(const HdType *t, char letter)
{
    switch (letter) {
    case 'b': return hd_is_bool_scalar(t);
    case 'I':
    case 'R':
    case 'u': return hd_is_int_scalar(t) && t->bits == 32;
    case 'w': return hd_is_int_scalar(t) && t->bits == 32 && !t->is_signed;
    case 'f': return hd_is_float_scalar(t) && t->bits == 32;
    case '2': return is_floats(t, 2);
    case '3': return is_floats(t, 3);
    case 'm':
        return t != NULL && t->kind == HD_T_MATRIX && t->count == 4 &&
               is_floats(hd_type_element(t), 3);
    case 't':
        return t != NULL && t->kind == HD_T_ARRAY && hd_type_length(t) == 3 &&
               is_floats(hd_type_element(t), 3);
    case 'Q': return is_ray_query(t);
    case 'S':
    case 'A': return hd_type_is_other(t, SpvOpTypeAccelerationStructureKHR);
    case 'a':
        return hd_is_int(t) && !hd_type_scalar(t)->is_signed &&
               hd_type_lanes(t) * hd_type_bits(t) == 64 && hd_type_lanes(t) <= 2;
    default: return hd_is_pointer(t);
    }
}

static const char *meaning(char letter)
{
    switch (letter) {
    case 'b': return "a bool scalar";
    case 'I':
    case 'R':
    case 'u': return "a 32-bit integer scalar";
    case 'w': return "an unsigned 32-bit integer scalar";
    case 'f': return "a 32-bit float scalar";
    case '2': return "a vector of two 32-bit floats";
    case '3': return "a vector of three 32-bit floats";
    case 'm': return "a matrix of four columns of three 32-bit floats";
    case 't': return "an array of three vectors of three 32-bit floats";
    case 'Q': return "a pointer to a ray query";
    case 'S':
    case 'A': return "an acceleration structure";
    case 'a': return "a 64-bit unsigned integer or a vector of two 32-bit ones";
    default: return "a pointer";
    }
}

/* A payload or callable data: a variable of one of two storage classes. */
static HdStatus data_variable(HdVal *v, const HdInst *in, uint32_t at, uint32_t own,
                              uint32_t incoming)
{
    const HdType *t = hd_val_operand(v, in, at);

    HD_RULE(hd_module_opix(v->m, in->w[at]) == HD_OPIX_Variable ||
                hd_module_opix(v->m, in->w[at]) == HD_OPIX_UntypedVariableKHR,
            "ray.data", "operand %u is not a variable", hd_val_number(in, at));
    HD_RULE(t->storage == own || t->storage == incoming, "ray.data",
            "the variable's storage class is not one of those for this");
    return HD_OK;
}

/* Flags that are known have the capabilities that the grammar names for them. */
static HdStatus ray_flags(HdVal *v, const HdInst *in, uint32_t at)
{
    uint64_t flags;

    if (!hd_val_known_part(v, in->w[at], 0, &flags))
        return HD_OK;
    for (uint32_t bit = 1; bit != 0 && bit <= flags; bit <<= 1) {
        const HdEnumerant *e = (flags & bit) != 0 ? hd_gram_enumerant(HD_KIND_RayFlags, bit) : NULL;

        HD_RULE(e == NULL || hd_val_any_cap(v, &e->needs), "ray.flags",
                "ray flag %s needs a capability that is not declared", e->name);
    }
    return HD_OK;
}

static HdStatus operand(HdVal *v, const HdInst *in, uint32_t at, char letter)
{
    uint64_t which;

    HD_RULE(fits(hd_val_operand(v, in, at), letter), "ray.operand", "operand %u is not %s",
            hd_val_number(in, at), meaning(letter));
    switch (letter) {
    case 'Q':
        switch (hd_module_opix(v->m, in->w[at])) {
        case HD_OPIX_Variable:
        case HD_OPIX_UntypedVariableKHR:
        case HD_OPIX_FunctionParameter:
        case HD_OPIX_AccessChain:
        case HD_OPIX_InBoundsAccessChain:
        case HD_OPIX_UntypedAccessChainKHR:
        case HD_OPIX_UntypedInBoundsAccessChainKHR: return HD_OK;
        default: return hd_val_fail(v, in, "ray.query", "the ray query is not a memory object");
        }
    case 'I':
        HD_RULE(hd_val_is_constant(v, in->w[at]), "ray.intersection",
                "Intersection is not a constant");
        HD_RULE(!hd_val_known_part(v, in->w[at], 0, &which) || which <= 1, "ray.intersection",
                "Intersection must be 0 or 1");
        return HD_OK;
    case 'R': return ray_flags(v, in, at);
    case 'P':
        return data_variable(v, in, at, SpvStorageClassRayPayloadKHR,
                             SpvStorageClassIncomingRayPayloadKHR);
    case 'C':
        return data_variable(v, in, at, SpvStorageClassCallableDataKHR,
                             SpvStorageClassIncomingCallableDataKHR);
    default: return HD_OK;
    }
}

HdStatus hd_rule_ray(HdVal *v, const HdInst *in)
{
    const char *letters = signature(in->opix);
    uint32_t at = 1;

    if (letters[0] != '-') {
        HD_RULE(fits(hd_val_result(v, in), letters[0]), "ray.result", "the result is not %s",
                meaning(letters[0]));
        at = 3;
    }
    for (letters++; *letters != '\0' && at < in->nwords; letters++, at++)
        HD_TRY(operand(v, in, at, *letters));
    return HD_OK;
}
