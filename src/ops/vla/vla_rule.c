/* ops/vla/vla_rule.c -- rules of variable-length arrays.
 *
 * Spec: SPV_INTEL_variable_length_array, "Validation Rules".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"
#include "ops/vla/vla_rule_saves.h"

HdStatus hd_rule_vla(HdVal *v, const HdInst *in)
{
    bool untyped = in->opix == HD_OPIX_UntypedVariableLengthArrayINTEL;
    const HdType *t = hd_val_result(v, in);
    uint64_t length;
    bool saved = true;
    const HdType *element =
        untyped ? hd_module_type(v->m, in->w[3]) : (hd_is_pointer(t) ? hd_type_element(t) : NULL);

    HD_RULE(hd_is_pointer(t) && t->is_untyped == untyped, "vla.result",
            untyped ? "the result type is not an OpTypeUntypedPointerKHR"
                    : "the result type is not an OpTypePointer");
    HD_RULE(t->storage == SpvStorageClassFunction, "vla.storage",
            "the storage class must be Function");
    HD_RULE(element != NULL && hd_is_concrete(v, element), "vla.element",
            "the element type is not a concrete type");
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, untyped ? 4 : 3)), "vla.length",
            "the length is not an integer scalar");
    if (v->cfg != NULL && v->block != UINT32_MAX)
        HD_TRY(hd_vla_is_saved(v, in, &saved));
    HD_RULE(saved, "vla.save", "no OpSaveMemoryINTEL dominates the array");
    if (hd_val_known_part(v, in->w[untyped ? 4 : 3], 0, &length) && length == 0)
        return hd_val_warn(v, in, "vla.zero-length",
                           "the length is 0: every access to the array is undefined");
    return HD_OK;
}

HdStatus hd_rule_vla_save(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_pointer(t) && t->storage == SpvStorageClassFunction, "vla.save-result",
            "the result type is not a pointer of storage class Function");
    return HD_OK;
}

/* What an earlier restore has freed already: the same save, or one that came after. */
static HdStatus restore_order(HdVal *v, const HdInst *in)
{
    HdVlaFreed freed;

    HD_TRY(hd_vla_freed(v, in, &freed));
    switch (freed) {
    case HD_VLA_KEPT: break;
    case HD_VLA_RESTORED:
        return hd_val_warn(v, in, "vla.restore-twice",
                           "this state was restored before: the behaviour is undefined");
    case HD_VLA_POPPED:
        return hd_val_warn(v, in, "vla.restore-order",
                           "an earlier state was restored before this one: the behaviour is "
                           "undefined");
    }
    return HD_OK;
}

/* Producers keep a saved state in a variable, and choose between several: such values may be one.
 */
static bool may_be_saved(const HdVal *v, HdId id)
{
    switch (hd_module_opix(v->m, id)) {
    case HD_OPIX_SaveMemoryINTEL:
    case HD_OPIX_Load:
    case HD_OPIX_Phi:
    case HD_OPIX_Select:
    case HD_OPIX_CopyObject:
    case HD_OPIX_Bitcast:
    case HD_OPIX_FunctionCall:
    case HD_OPIX_FunctionParameter:
    case HD_OPIX_ConvertUToPtr:
    case HD_OPIX_CompositeExtract: return true;
    default: return false;
    }
}

HdStatus hd_rule_vla_restore(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_operand(v, in, 1);

    HD_RULE(hd_is_pointer(t) && t->storage == SpvStorageClassFunction, "vla.restore-operand",
            "the operand is not a pointer of storage class Function");
    HD_RULE(may_be_saved(v, in->w[1]), "vla.restore-save",
            "the operand is not the result of OpSaveMemoryINTEL");
    if (hd_module_opix(v->m, in->w[1]) != HD_OPIX_SaveMemoryINTEL)
        return HD_OK;
    return v->cfg != NULL && v->block != UINT32_MAX ? restore_order(v, in) : HD_OK;
}
