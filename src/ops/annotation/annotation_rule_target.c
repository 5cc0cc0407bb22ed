/* ops/annotation/annotation_rule_target.c -- rules of what interfaces, arithmetic and matrices are
 * decorated with.
 *
 * Spec: SPIR-V, "Decoration".
 *
 * SPDX-License-Identifier: MIT
 */
#include "gen/extinst.h"
#include "ops/annotation/annotation_rule.h"

#define BIT(storage) (1u << SpvStorageClass##storage)

/* Classes of SPIR-V itself that a decoration is for; of others extensions say it. */
static const struct {
    uint32_t decoration, classes;
    const char *names;
} storages[] = {
    {SpvDecorationNoPerspective, BIT(Input) | BIT(Output), "Input and Output"},
    {SpvDecorationFlat, BIT(Input) | BIT(Output), "Input and Output"},
    {SpvDecorationPatch, BIT(Input) | BIT(Output), "Input and Output"},
    {SpvDecorationCentroid, BIT(Input) | BIT(Output), "Input and Output"},
    {SpvDecorationSample, BIT(Input) | BIT(Output), "Input and Output"},
    {SpvDecorationLocation, BIT(Input) | BIT(Output) | BIT(UniformConstant),
     "Input, Output and UniformConstant"},
};

HdStatus hd_rule_decorated_storage(HdVal *v, const HdInst *in, const HdType *pointer, uint32_t d)
{
    for (size_t i = 0; i < sizeof storages / sizeof *storages; i++)
        HD_RULE(storages[i].decoration != d || !hd_is_pointer(pointer) ||
                    pointer->storage > SpvStorageClassStorageBuffer ||
                    hd_val_cap(v, SpvCapabilityBindlessTextureNV) ||
                    (storages[i].classes >> pointer->storage & 1) != 0,
                "decorate.storage", "this is for variables of storage class %s", storages[i].names);
    return HD_OK;
}

static bool computes(enum HdOpix opix)
{
    switch (hd_gram_insts[opix].klass) {
    case HD_CLASS_Constant_Creation: return opix == HD_OPIX_SpecConstantOp;
    case HD_CLASS_Type_Declaration:
    case HD_CLASS_Memory:
    case HD_CLASS_Function:
    case HD_CLASS_Debug: return false;
    default: return opix != HD_OPIX_Undef && opix != HD_OPIX_CopyObject && opix != HD_OPIX_Label;
    }
}

/* Of extended instructions those that their sets name: absolute values. NoUnsignedWrap, which the
 * sets do not name, is always true of them.
 * Spec: SPV_KHR_no_integer_wrap_decoration, "Validation Rules" and what it adds to the sets. */
static bool may_not_wrap(const HdVal *v, HdId target, uint32_t d)
{
    HdInst in;

    if (!hd_module_def(v->m, target, &in))
        return false;
    switch (in.opix) {
    case HD_OPIX_IAdd:
    case HD_OPIX_ISub:
    case HD_OPIX_IMul:
    case HD_OPIX_ShiftLeftLogical: return true;
    case HD_OPIX_SNegate: return d == SpvDecorationNoSignedWrap;
    case HD_OPIX_ExtInst:
        switch (hd_module_extset(v->m, in.w[3])) {
        case HD_EXTSET_OpenCL_std: return in.w[4] == OpenCLstd_s_abs;
        case HD_EXTSET_GLSL_std_450: return in.w[4] == GLSLstd450SAbs;
        default: return true;
        }
    default: return false;
    }
}

/* Producers put NoContraction and FPFastMathMode on everything that they generate for arithmetic in
 * sources: comparisons, conversions, extended instructions. */
HdStatus hd_rule_decorated_arithmetic(HdVal *v, const HdInst *in, HdId target, uint32_t d)
{
    enum HdOpix opix = hd_module_opix(v->m, target);
    const HdType *t = hd_module_type_of(v->m, target);

    if ((d == SpvDecorationNoContraction || d == SpvDecorationFPFastMathMode) && !computes(opix))
        return hd_val_warn(v, in, "decorate.arithmetic", "this is for arithmetic instructions");
    if (d == SpvDecorationFPFastMathMode)
        HD_RULE(!hd_is_int(t) || hd_gram_insts[opix].klass != HD_CLASS_Arithmetic,
                "decorate.fast-math-integer",
                "FPFastMathMode is for instructions of floating-point numbers");
    if (d == SpvDecorationNoSignedWrap || d == SpvDecorationNoUnsignedWrap)
        HD_RULE(may_not_wrap(v, target, d), "decorate.wrap",
                "this is for OpIAdd, OpISub, OpIMul%s, OpShiftLeftLogical and absolute values",
                d == SpvDecorationNoSignedWrap ? ", OpSNegate" : "");
    return HD_OK;
}

HdStatus hd_rule_decorated_matrix(HdVal *v, const HdInst *in, const HdType *member, uint32_t d)
{
    if (d != SpvDecorationRowMajor && d != SpvDecorationColMajor && d != SpvDecorationMatrixStride)
        return HD_OK;
    while (member != NULL && (member->kind == HD_T_ARRAY || member->kind == HD_T_RUNTIME_ARRAY))
        member = hd_type_element(member);
    HD_RULE(member == NULL || member->kind == HD_T_MATRIX, "decorate.matrix",
            "this is for members that are matrices or arrays of matrices");
    return HD_OK;
}
