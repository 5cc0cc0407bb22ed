/* ops/untyped/untyped_rule.c -- rules that only untyped pointers have; variables and chains stand
 * with their typed relatives in ops/memory.
 *
 * Spec: SPV_KHR_untyped_pointers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

HdStatus hd_rule_type_untyped_pointer(HdVal *v, const HdInst *in)
{
    HD_RULE(!hd_val_opencl(v) || in->w[2] != SpvStorageClassPrivate, "untyped.storage",
            "kernels have no storage class Private");
    return HD_OK;
}

/* An optional constant integer operand in [low, high]. */
static HdStatus prefetch_operand(HdVal *v, const HdInst *in, uint32_t at, const char *name,
                                 uint64_t high)
{
    const HdConstant *c;
    uint64_t value;

    if (at >= in->nwords)
        return HD_OK;
    c = hd_module_constant(v->m, in->w[at]);
    HD_RULE(c != NULL && hd_is_int_scalar(c->type) && c->kind != HD_C_UNDEF &&
                hd_module_constant_u64(v->m, in->w[at], &value),
            "untyped.prefetch-operand", "%s is no integer constant", name);
    HD_RULE(value <= high, "untyped.prefetch-range", "%s is %llu, the highest is %llu", name,
            (unsigned long long)value, (unsigned long long)high);
    return HD_OK;
}

/* OpUntypedPrefetchKHR: Pointer, Num Bytes, RW, Locality, Cache Type. */
HdStatus hd_rule_untyped_prefetch(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_val_operand(v, in, 1);

    HD_RULE(hd_is_pointer(p), "untyped.prefetch-pointer", "the operand is no pointer");
    HD_RULE(p->storage == SpvStorageClassCrossWorkgroup ||
                p->storage == SpvStorageClassDeviceOnlyINTEL ||
                p->storage == SpvStorageClassHostOnlyINTEL,
            "untyped.prefetch-storage", "the pointer must be of storage class CrossWorkgroup");
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, 2)), "untyped.prefetch-bytes",
            "the number of bytes is no integer scalar");
    HD_TRY(prefetch_operand(v, in, 3, "RW", 1));
    HD_TRY(prefetch_operand(v, in, 4, "Locality", 3));
    return prefetch_operand(v, in, 5, "Cache Type", 1);
}
