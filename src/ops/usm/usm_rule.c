/* ops/usm/usm_rule.c -- rules of the casts of SPV_INTEL_usm_storage_classes.
 *
 * Spec: SPV_INTEL_usm_storage_classes, "OpPtrCastToCrossWorkgroupINTEL",
 * "OpCrossWorkgroupCastToPtrINTEL".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

static bool is_usm(uint32_t storage)
{
    return storage == SpvStorageClassDeviceOnlyINTEL || storage == SpvStorageClassHostOnlyINTEL;
}

static HdStatus cast(HdVal *v, const HdInst *in, bool to_cross)
{
    const HdType *t = hd_val_result(v, in), *o = hd_val_operand(v, in, 3);

    HD_RULE(hd_is_pointer(t) && !t->is_untyped, "usm.result",
            "the result type is not an OpTypePointer");
    HD_RULE(hd_is_pointer(o) && !o->is_untyped, "usm.operand",
            "the operand is not a typed pointer");
    HD_RULE(to_cross ? t->storage == SpvStorageClassCrossWorkgroup : is_usm(t->storage),
            "usm.result-storage", "the result has the wrong storage class");
    HD_RULE(to_cross ? is_usm(o->storage) : o->storage == SpvStorageClassCrossWorkgroup,
            "usm.operand-storage", "the operand has the wrong storage class");
    HD_RULE(hd_type_element(t) == hd_type_element(o), "usm.pointee",
            "the pointers point to different types");
    return HD_OK;
}

HdStatus hd_rule_usm_to_cross(HdVal *v, const HdInst *in)
{
    return cast(v, in, true);
}

HdStatus hd_rule_usm_from_cross(HdVal *v, const HdInst *in)
{
    return cast(v, in, false);
}
