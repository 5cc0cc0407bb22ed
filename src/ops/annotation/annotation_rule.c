/* ops/annotation/annotation_rule.c -- rules of decorations: what may be decorated, with what.
 *
 * Capabilities, versions and the number of operands are checked by the grammar. Built-ins' types
 * and linkage are in val/decorate.c, which sees groups expanded.
 *
 * Spec: SPIR-V, "Annotation Instructions", "Decoration".
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "base/memory.h"
#include "gen/extinst.h"
#include "ops/annotation/annotation_rule.h"
#include "module/decoration.h"
#include "ops/coop/coop_rule.h"
#include "val/calls.h"

/* Decorations that only structure members take. */
static bool member_only(uint32_t d)
{
    switch (d) {
    case SpvDecorationRowMajor:
    case SpvDecorationColMajor:
    case SpvDecorationMatrixStride:
    case SpvDecorationOffset: return true;
    default: return false;
    }
}

/* Outputs that transform feedback captures have an offset in its buffer. */
static bool is_captured(const HdVal *v, HdId id, uint32_t d)
{
    const HdType *p = hd_module_type_of(v->m, id);

    return d == SpvDecorationOffset && hd_val_cap(v, SpvCapabilityTransformFeedback) &&
           hd_is_pointer(p) && p->storage == SpvStorageClassOutput;
}

/* Decorations that structure members do not take. */
static bool never_member(uint32_t d)
{
    switch (d) {
    case SpvDecorationSpecId:
    case SpvDecorationBlock:
    case SpvDecorationBufferBlock:
    case SpvDecorationArrayStride:
    case SpvDecorationGLSLShared:
    case SpvDecorationGLSLPacked:
    case SpvDecorationCPacked:
    case SpvDecorationAliased:
    case SpvDecorationConstant:
    case SpvDecorationUniform:
    case SpvDecorationUniformId:
    case SpvDecorationSaturatedConversion:
    case SpvDecorationIndex:
    case SpvDecorationBinding:
    case SpvDecorationDescriptorSet:
    case SpvDecorationFuncParamAttr:
    case SpvDecorationFPRoundingMode:
    case SpvDecorationFPFastMathMode:
    case SpvDecorationLinkageAttributes:
    case SpvDecorationNoContraction:
    case SpvDecorationInputAttachmentIndex:
    case SpvDecorationAlignment:
    case SpvDecorationMaxByteOffset:
    case SpvDecorationAlignmentId:
    case SpvDecorationMaxByteOffsetId:
    case SpvDecorationNoSignedWrap:
    case SpvDecorationNoUnsignedWrap:
    case SpvDecorationNonUniform:
    case SpvDecorationRestrictPointer:
    case SpvDecorationAliasedPointer: return true;
    default: return false;
    }
}

/* Is some operand of the decoration an id? What is not known is not. */
static bool has_ids(uint32_t d)
{
    const HdEnumerant *e = hd_gram_enumerant(HD_KIND_Decoration, d);

    for (unsigned i = 0; e != NULL && i < e->parameter_count; i++)
        if (e->parameters[i].klass == HD_OPERAND_ID ||
            e->parameters[i].klass == HD_OPERAND_SCOPE_ID)
            return true;
    return false;
}

static bool takes_string(uint32_t d)
{
    return d == SpvDecorationUserSemantic || d == SpvDecorationUserTypeGOOGLE;
}

static bool is_variable(enum HdOpix opix)
{
    return opix == HD_OPIX_Variable || opix == HD_OPIX_UntypedVariableKHR;
}

/* A variable of the module, no function's own. */
static bool is_module_variable(const HdVal *v, HdId id)
{
    return is_variable(hd_module_opix(v->m, id)) && v->m->def[id] < v->m->first_function;
}

static bool is_spec_scalar(enum HdOpix opix)
{
    return opix == HD_OPIX_SpecConstant || opix == HD_OPIX_SpecConstantTrue ||
           opix == HD_OPIX_SpecConstantFalse || opix == HD_OPIX_SpecConstantDataKHR;
}

/* Is a pointer's storage class part of a pipeline's interface? */
static bool is_interface(const HdType *p)
{
    return hd_is_pointer(p) &&
           (p->storage == SpvStorageClassInput || p->storage == SpvStorageClassOutput);
}

static bool is_type_inst(enum HdOpix opix)
{
    return hd_gram_insts[opix].klass == HD_CLASS_Type_Declaration;
}

static bool is_conversion(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_ConvertFToS:
    case HD_OPIX_ConvertFToU:
    case HD_OPIX_ConvertSToF:
    case HD_OPIX_ConvertUToF:
    case HD_OPIX_UConvert:
    case HD_OPIX_SConvert:
    case HD_OPIX_FConvert:
    case HD_OPIX_QuantizeToF16:
    case HD_OPIX_SatConvertSToU:
    case HD_OPIX_SatConvertUToS: return true;
    default: return false;
    }
}

/* Lines may be between a function and its parameters. */
static bool is_first_parameter(const HdVal *v, HdId id)
{
    uint32_t word = v->m->def[id], function = hd_val_function_holding(v, word);

    return function != UINT32_MAX && v->m->functions[function].param_count != 0 &&
           hd_function_param(v->m, &v->m->functions[function], 0).word == word;
}

/* Extension applies to integers, the rest to pointers. A function represents its return value. */
static HdStatus parameter_attribute(HdVal *v, const HdInst *in, HdId target, uint32_t attribute)
{
    const HdType *t = hd_module_type_of(v->m, target);

    if (t == NULL)
        return HD_OK;
    switch (attribute) {
    case SpvFunctionParameterAttributeZext:
    case SpvFunctionParameterAttributeSext:
        HD_RULE(hd_is_int(t) || hd_is_bool(t), "decorate.func-param-type",
                "Zext and Sext are for integers");
        return HD_OK;
    case SpvFunctionParameterAttributeByVal:
    case SpvFunctionParameterAttributeSret:
    case SpvFunctionParameterAttributeNoAlias:
    case SpvFunctionParameterAttributeNoCapture:
    case SpvFunctionParameterAttributeNoWrite:
    case SpvFunctionParameterAttributeNoReadWrite:
    case SpvFunctionParameterAttributeRuntimeAlignedALTERA:
        /* Images, samplers and the like were pointers to llvm-spirv before LLVM 16. */
        if (t->kind >= HD_T_IMAGE && t->kind <= HD_T_OPAQUE)
            return hd_val_warn(v, in, "decorate.func-param-opaque",
                               "this attribute is for pointers, not for what has no address");
        HD_RULE(hd_is_pointer(t), "decorate.func-param-type", "this attribute is for pointers");
        HD_RULE(hd_module_opix(v->m, target) != HD_OPIX_Function, "decorate.func-param-result",
                "this attribute is for parameters, not for what a function returns");
        HD_RULE(attribute != SpvFunctionParameterAttributeSret ||
                    in->w[2] != SpvDecorationFuncParamAttr || is_first_parameter(v, target),
                "decorate.func-param-first", "Sret is for a function's first parameter");
        return HD_OK;
    default: return HD_OK;
    }
}

/* Of an argument of a call through a function pointer. Spec: SPV_INTEL_function_pointers. */
static HdStatus argument_attribute(HdVal *v, const HdInst *in, HdId target)
{
    HdInst call;

    HD_RULE(hd_module_def(v->m, target, &call) && call.opix == HD_OPIX_FunctionPointerCallINTEL,
            "decorate.argument", "ArgumentAttributeINTEL is for calls through function pointers");
    HD_RULE(in->w[3] < call.nwords - 4u, "decorate.argument",
            "the call has no argument of this number");
    return parameter_attribute(v, in, call.w[4 + in->w[3]], in->w[4]);
}

static HdStatus saturation(HdVal *v, const HdInst *in, HdId target, enum HdOpix opix)
{
    const HdType *t = hd_module_type_of(v->m, target), *component = hd_coop_component(v, t);

    HD_RULE(hd_is_int(component != NULL ? component : t), "decorate.saturation",
            "SaturatedConversion is for conversions to integers");
    /* Forbidden, but clang-22 does it, and it changes nothing. */
    if (opix == HD_OPIX_SatConvertSToU || opix == HD_OPIX_SatConvertUToS)
        return hd_val_warn(v, in, "decorate.saturation",
                           "SaturatedConversion is not for instructions that saturate by "
                           "themselves");
    return HD_OK;
}

/* Spec: SPV_INTEL_rounded_divide_sqrt. */
static bool is_rounded(const HdVal *v, HdId target)
{
    HdInst in;

    if (!hd_val_cap(v, SpvCapabilityRoundedDivideSqrtINTEL) || !hd_module_def(v->m, target, &in))
        return false;
    if (in.opix != HD_OPIX_ExtInst)
        return in.opix == HD_OPIX_FDiv;
    switch (hd_module_extset(v->m, in.w[3])) {
    case HD_EXTSET_OpenCL_std: return in.w[4] == OpenCLstd_sqrt;
    case HD_EXTSET_GLSL_std_450: return in.w[4] == GLSLstd450Sqrt;
    default: return false;
    }
}

/* FPRoundingMode and SaturatedConversion. */
static HdStatus conversion(HdVal *v, const HdInst *in, HdId target, enum HdOpix opix)
{
    uint32_t d = in->w[2];

    HD_RULE(is_conversion(opix) || opix == HD_OPIX_SpecConstantOp ||
                (d == SpvDecorationFPRoundingMode && is_rounded(v, target)),
            "decorate.conversion", "this is for conversions");
    if (d == SpvDecorationSaturatedConversion)
        HD_TRY(saturation(v, in, target, opix));
    else
        HD_RULE(!hd_opix_converts_integers(opix), "decorate.rounding-integer",
                "a conversion between integers does not round");
    HD_RULE(!v->shader || v->kernel || opix == HD_OPIX_SpecConstantOp ||
                (opix == HD_OPIX_FConvert && hd_module_type_of(v->m, target) != NULL &&
                 hd_type_bits(hd_module_type_of(v->m, target)) == 16),
            "decorate.rounding", "in shaders this is for conversions to 16-bit floats");
    return HD_OK;
}

static bool is_power_of_two(uint32_t a)
{
    return a != 0 && (a & (a - 1)) == 0;
}

/* What belongs to the variables of an interface or a descriptor set. */
static HdStatus variable_target(HdVal *v, const HdInst *in, HdId target, uint32_t d)
{
    enum HdOpix opix = hd_module_opix(v->m, target);
    const HdType *t = hd_module_type_of(v->m, target);

    HD_RULE(is_variable(opix) || (opix == HD_OPIX_FunctionParameter && hd_is_pointer(t)),
            "decorate.variable", "this is for variables");
    HD_RULE(d != SpvDecorationComponent || is_interface(t), "decorate.component",
            "Component is for storage classes Input and Output");
    return hd_rule_decorated_storage(v, in, t, d);
}

static HdStatus check_target(HdVal *v, const HdInst *in, HdId target, uint32_t d)
{
    enum HdOpix opix = hd_module_opix(v->m, target);

    switch (d) {
    case SpvDecorationSpecId:
        HD_RULE(is_spec_scalar(opix), "decorate.spec-id",
                "SpecId is for specialisation constants of one value or of data");
        break;
    case SpvDecorationBlock:
    case SpvDecorationBufferBlock:
    case SpvDecorationGLSLShared:
    case SpvDecorationGLSLPacked:
    case SpvDecorationCPacked:
        HD_RULE(opix == HD_OPIX_TypeStruct, "decorate.struct", "this is for structure types");
        break;
    case SpvDecorationArrayStride:
        HD_RULE(opix == HD_OPIX_TypeArray || opix == HD_OPIX_TypeRuntimeArray ||
                    opix == HD_OPIX_TypePointer || opix == HD_OPIX_TypeUntypedPointerKHR,
                "decorate.array-stride", "ArrayStride is for array and pointer types");
        HD_RULE(in->w[3] != 0, "decorate.array-stride", "ArrayStride must not be 0");
        break;
    case SpvDecorationBuiltIn:
        HD_RULE(is_variable(opix) || hd_gram_insts[opix].klass == HD_CLASS_Constant_Creation,
                "decorate.built-in", "BuiltIn is for variables, members and constants");
        break;
    case SpvDecorationFuncParamAttr:
        HD_RULE(opix == HD_OPIX_FunctionParameter || opix == HD_OPIX_Function,
                "decorate.func-param", "FuncParamAttr is for function parameters");
        return parameter_attribute(v, in, target, in->w[3]);
    case SpvDecorationArgumentAttributeINTEL: return argument_attribute(v, in, target);
    case SpvDecorationFPRoundingMode:
    case SpvDecorationSaturatedConversion: HD_TRY(conversion(v, in, target, opix)); break;
    case SpvDecorationNoSignedWrap:
    case SpvDecorationNoUnsignedWrap:
    case SpvDecorationNoContraction:
    case SpvDecorationFPFastMathMode: return hd_rule_decorated_arithmetic(v, in, target, d);
    case SpvDecorationUniform:
    case SpvDecorationUniformId:
        HD_RULE(!is_type_inst(opix) && hd_module_type_of(v->m, target) != NULL &&
                    hd_module_type_of(v->m, target)->kind != HD_T_VOID,
                "decorate.uniform", "this is for values");
        break;
    case SpvDecorationRelaxedPrecision:
        HD_RULE(!is_type_inst(opix), "decorate.relaxed",
                "RelaxedPrecision is for values and members, not for types");
        break;
    case SpvDecorationLinkageAttributes:
        HD_RULE(is_module_variable(v, target) || opix == HD_OPIX_Function, "decorate.linkage",
                "LinkageAttributes is for functions and variables of the module");
        break;
    case SpvDecorationConstant:
        HD_RULE(is_module_variable(v, target), "decorate.constant",
                "Constant is for variables of the module");
        break;
    case SpvDecorationInvariant:
    case SpvDecorationLocation:
    case SpvDecorationComponent:
    case SpvDecorationIndex:
    case SpvDecorationFlat:
    case SpvDecorationNoPerspective:
    case SpvDecorationCentroid:
    case SpvDecorationSample:
    case SpvDecorationPatch:
    case SpvDecorationDescriptorSet:
    case SpvDecorationBinding:
    case SpvDecorationInputAttachmentIndex: return variable_target(v, in, target, d);
    case SpvDecorationCooperativeMatrixTransposeEXT:
        HD_RULE((is_conversion(opix) || opix == HD_OPIX_CooperativeMatrixConvertUseEXT) &&
                    hd_module_type_of(v->m, target)->kind == HD_T_OTHER,
                "decorate.transpose", "this is for conversions of cooperative matrices");
        break;
    case SpvDecorationMaxByteOffset:
    case SpvDecorationMaxByteOffsetId:
    case SpvDecorationAlignmentId:
        HD_RULE(d == SpvDecorationMaxByteOffset || hd_is_int_scalar(hd_val_operand(v, in, 3)),
                "decorate.id-type", "the operand is not an integer scalar");
        HD_RULE(hd_is_pointer(hd_module_type_of(v->m, target)), "decorate.pointer",
                "this is for pointers");
        break;
    case SpvDecorationAlignment:
        HD_RULE(!v->kernel || is_power_of_two(in->w[3]), "decorate.alignment",
                "an alignment is a power of two");
        HD_RULE(hd_is_pointer(hd_module_type_of(v->m, target)), "decorate.pointer",
                "this is for pointers");
        break;
    default: break;
    }
    return HD_OK;
}

/* What is said of variables and parameters. */
static bool for_memory_objects(const HdVal *v, uint32_t d)
{
    switch (d) {
    case SpvDecorationRestrict:
    case SpvDecorationAliased:
    case SpvDecorationVolatile:
    case SpvDecorationCoherent:
    case SpvDecorationNonWritable:
    case SpvDecorationNonReadable: return true;
    case SpvDecorationXfbBuffer:
    case SpvDecorationXfbStride:
    case SpvDecorationStream:
    case SpvDecorationRestrictPointer:
    case SpvDecorationAliasedPointer: return !v->kernel;
    default: return false;
    }
}

static HdStatus memory_object(HdVal *v, const HdInst *in, uint32_t d, enum HdOpix opix)
{
    HD_RULE(!for_memory_objects(v, d) || ((is_variable(opix) || opix == HD_OPIX_FunctionParameter ||
                                           opix == HD_OPIX_RawAccessChainNV) &&
                                          hd_is_pointer(hd_module_type_of(v->m, in->w[1]))),
            "decorate.memory-object", "this is for variables and pointer parameters");
    return HD_OK;
}

/* A storage image, tensor, uniform block or storage buffer; variables of functions and private ones
 * from SPIR-V 1.4 on. */
static bool takes_access(const HdVal *v, const HdType *p, uint32_t d, enum HdOpix opix)
{
    const HdType *t = hd_type_element(p);

    if (p->storage == SpvStorageClassFunction || p->storage == SpvStorageClassPrivate)
        return d == SpvDecorationNonWritable && v->m->version >= 0x10400 && is_variable(opix);
    if (t == NULL || opix == HD_OPIX_RawAccessChainNV)
        return p->storage == SpvStorageClassStorageBuffer || p->storage == SpvStorageClassUniform ||
               p->storage == SpvStorageClassUniformConstant ||
               p->storage == SpvStorageClassPhysicalStorageBuffer;
    while (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY)
        t = hd_type_element(t);
    if (p->storage == SpvStorageClassUniformConstant)
        return (t->kind == HD_T_IMAGE && hd_type_words(t)[7] == 2) ||
               hd_type_is_other(t, SpvOpTypeTensorARM);
    return (p->storage == SpvStorageClassUniform || p->storage == SpvStorageClassStorageBuffer ||
            p->storage == SpvStorageClassPhysicalStorageBuffer ||
            p->storage == SpvStorageClassTileAttachmentQCOM) ||
           (t->kind == HD_T_POINTER && t->storage == SpvStorageClassPhysicalStorageBuffer);
}

static HdStatus access_target(HdVal *v, const HdInst *in, uint32_t d, enum HdOpix opix)
{
    const HdType *p = hd_module_type_of(v->m, in->w[1]);

    HD_RULE((is_variable(opix) || opix == HD_OPIX_FunctionParameter ||
             opix == HD_OPIX_BufferPointerEXT || opix == HD_OPIX_RawAccessChainNV) &&
                hd_is_pointer(p),
            "decorate.memory-object", "this is for variables and pointer parameters");
    HD_RULE(opix == HD_OPIX_BufferPointerEXT || takes_access(v, p, d, opix),
            "decorate.access-target",
            "this is for storage images, tensors, uniform blocks and storage buffers%s",
            v->m->version >= 0x10400 && d == SpvDecorationNonWritable
                ? ", and for variables of functions and private ones"
                : "");
    return HD_OK;
}

/* The operands of OpDecorateId are defined before its target. */
static HdStatus ids_before_target(HdVal *v, const HdInst *in)
{
    uint32_t target = v->m->def[in->w[1]];

    for (uint32_t i = 3; i < in->nwords; i++)
        HD_RULE(!hd_bit_has(v->m->id_words, in->word + i) || v->m->def[in->w[i]] < target,
                "decorate.id-order", "id %u must be defined before what it decorates",
                (unsigned)in->w[i]);
    return HD_OK;
}

static HdStatus shader_target(HdVal *v, const HdInst *in, uint32_t d, enum HdOpix opix)
{
    HdId target = in->w[1];

    if (opix == HD_OPIX_DecorationGroup)
        return HD_OK;
    if (v->shader && (d == SpvDecorationNonWritable || d == SpvDecorationNonReadable))
        return access_target(v, in, d, opix);
    if (!v->shader || v->kernel)
        return memory_object(v, in, d, opix);
    if (d == SpvDecorationBuiltIn) {
        if (in->w[3] == SpvBuiltInWorkgroupSize)
            HD_RULE(hd_val_is_constant(v, target), "decorate.memory-object",
                    "WorkgroupSize is for constants");
        else
            HD_RULE(is_variable(opix), "decorate.memory-object", "BuiltIn is for variables");
    }
    return memory_object(v, in, d, opix);
}

HdStatus hd_rule_decorate(HdVal *v, const HdInst *in)
{
    uint32_t d = in->w[2];
    enum HdOpix opix = hd_module_opix(v->m, in->w[1]);

    HD_RULE(in->opix != HD_OPIX_Decorate || !has_ids(d), "decorate.ids",
            "a decoration whose operands are ids is declared by OpDecorateId");
    HD_RULE(in->opix != HD_OPIX_DecorateId || has_ids(d), "decorate.no-ids",
            "OpDecorateId is for decorations whose operands are ids");
    if (d == SpvDecorationUniformId && in->nwords > 3)
        HD_TRY(hd_val_scope(v, in, 3));
    if (d == SpvDecorationCounterBuffer)
        HD_RULE(is_variable(hd_module_opix(v->m, in->w[3])), "decorate.counter",
                "the counter is not a variable");
    if (in->opix == HD_OPIX_DecorateId)
        HD_TRY(ids_before_target(v, in));
    HD_TRY(shader_target(v, in, d, opix));
    HD_RULE(in->opix != HD_OPIX_DecorateString || takes_string(d), "decorate.string",
            "OpDecorateString is for decorations whose operand is a string");
    if (opix == HD_OPIX_DecorationGroup) {
        HD_RULE(in->opix != HD_OPIX_DecorateString, "decorate.group-string",
                "OpDecorateString does not decorate a group");
        /* The group's targets are checked where it is applied. */
        return in->word < v->m->def[in->w[1]]
                   ? HD_OK
                   : hd_val_warn(v, in, "decorate.group-order",
                                 "what decorates a group stands before it");
    }
    HD_RULE(!member_only(d) || is_captured(v, in->w[1], d), "decorate.member",
            "this decoration is for structure members");
    HD_TRY(check_target(v, in, in->w[1], d));
    return d > SpvDecorationMaxByteOffsetId ? hd_rule_decorated_by_vendor(v, in, in->w[1], d)
                                            : HD_OK;
}

HdStatus hd_rule_member_decorate(HdVal *v, const HdInst *in)
{
    HdInst t;

    HD_RULE(hd_module_def(v->m, in->w[1], &t) && t.opix == HD_OPIX_TypeStruct, "decorate.member",
            "id %u is not a structure type", (unsigned)in->w[1]);
    HD_RULE(in->w[2] < t.nwords - 2u, "decorate.member-index", "the structure has no member %u",
            (unsigned)in->w[2]);
    HD_RULE(in->w[3] != SpvDecorationCounterBuffer, "decorate.counter",
            "a counter belongs to a variable");
    HD_RULE(!never_member(in->w[3]), "decorate.not-member",
            "this decoration is not for structure members");
    return hd_rule_decorated_matrix(v, in, hd_module_type(v->m, t.w[2 + in->w[2]]), in->w[3]);
}

/* A group may only be decorated, named and applied; uses elsewhere are no values. */
HdStatus hd_rule_decoration_group(HdVal *v, const HdInst *in)
{
    (void)v;
    (void)in;
    return HD_OK;
}

static HdStatus is_group(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_module_opix(v->m, in->w[1]) == HD_OPIX_DecorationGroup, "decorate.group",
            "id %u is not a decoration group", (unsigned)in->w[1]);
    return HD_OK;
}

static int by_id(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return a < b ? -1 : a > b;
}

/* Ids that are listed twice; mostly they are in order. */
static HdStatus check_targets_once(HdVal *v, const HdInst *in)
{
    uint32_t count = in->nwords - 2u, *sorted, twice = 0, i = 3;

    while (i < in->nwords && in->w[i - 1] < in->w[i])
        i++;
    if (i >= in->nwords)
        return HD_OK;
    HD_TAKE(sorted, hd_alloc(count * sizeof *sorted));
    memcpy(sorted, in->w + 2, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_id);
    for (i = 1; i < count; i++)
        if (sorted[i] == sorted[i - 1])
            twice = sorted[i];
    hd_free(sorted);
    HD_RULE(twice == 0, "decorate.group-twice", "id %u is a target twice", (unsigned)twice);
    return HD_OK;
}

/* Do the group's decorations suit the target, or its member? What vendors' decorations are for is
 * checked where they decorate directly only, and Constant likewise, which the conformance tests
 * group on parameters; shaders group the layout of matrices, which other validators take. */
static HdStatus check_applied(HdVal *v, const HdInst *in, HdId target, uint32_t member)
{
    if (v->shader)
        return HD_OK;
    for (HdDecorations x = hd_module_decorations(v->m, in->w[1]); x.d != NULL;
         hd_decorations_step(&x)) {
        HdInst of = hd_module_inst(v->m, x.d->word);
        uint16_t n = of.nwords > 3 ? 4 : 3;
        uint32_t w[] = {(uint32_t)n << 16 | SpvOpDecorate, target, x.d->decoration,
                        n > 3 ? of.w[3] : 0};

        if (member != HD_NO_MEMBER) {
            HD_RULE(!never_member(x.d->decoration), "decorate.not-member",
                    "a decoration of the group is not for structure members");
            continue;
        }
        HD_RULE(!member_only(x.d->decoration), "decorate.member",
                "a decoration of the group is for structure members");
        if (x.d->decoration > SpvDecorationMaxByteOffsetId ||
            x.d->decoration == SpvDecorationConstant)
            continue;
        of = *in; /* where it is reported */
        of.w = w;
        of.nwords = n;
        HD_TRY(shader_target(v, &of, x.d->decoration, hd_module_opix(v->m, target)));
        HD_TRY(check_target(v, &of, target, x.d->decoration));
    }
    return HD_OK;
}

HdStatus hd_rule_group_decorate(HdVal *v, const HdInst *in)
{
    HD_TRY(is_group(v, in));
    HD_TRY(check_targets_once(v, in));
    for (uint32_t i = 2; i < in->nwords; i++) {
        HD_RULE(hd_module_opix(v->m, in->w[i]) != HD_OPIX_DecorationGroup, "decorate.group-target",
                "a group cannot be applied to a group");
        HD_TRY(check_applied(v, in, in->w[i], HD_NO_MEMBER));
    }
    return HD_OK;
}

HdStatus hd_rule_group_member_decorate(HdVal *v, const HdInst *in)
{
    HD_TRY(is_group(v, in));
    for (uint32_t i = 2; i + 1 < in->nwords; i += 2) {
        HdInst t;

        HD_RULE(hd_module_def(v->m, in->w[i], &t) && t.opix == HD_OPIX_TypeStruct,
                "decorate.member", "id %u is not a structure type", (unsigned)in->w[i]);
        HD_RULE(in->w[i + 1] < t.nwords - 2u, "decorate.member-index",
                "the structure has no member %u", (unsigned)in->w[i + 1]);
        HD_TRY(check_applied(v, in, in->w[i], in->w[i + 1]));
    }
    return HD_OK;
}
