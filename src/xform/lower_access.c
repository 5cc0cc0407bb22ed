/* xform/lower_access.c -- what instructions access, and where it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/lower_private.h"

static bool is_usm(uint32_t storage)
{
    return storage == SpvStorageClassDeviceOnlyINTEL || storage == SpvStorageClassHostOnlyINTEL;
}

uint32_t hd_lower_storage(const HdLower *l, uint32_t storage)
{
    return (l->o->what & HD_LOWER_USM) != 0 && is_usm(storage) ? SpvStorageClassCrossWorkgroup
                                                               : storage;
}

bool hd_lower_is_float_atomic(const HdInst *in)
{
    return in->opix == HD_OPIX_AtomicFMinEXT || in->opix == HD_OPIX_AtomicFMaxEXT ||
           in->opix == HD_OPIX_AtomicFAddEXT;
}

static HdId scalar_of(const HdLower *l, HdId type)
{
    const HdType *t = hd_module_type(l->m, type);

    return t != NULL ? hd_type_scalar(t)->id : 0;
}

uint32_t hd_lower_access(HdLower *l, const HdInst *in, HdId *pointee)
{
    switch (in->opix) {
    case HD_OPIX_Store: *pointee = hd_module_type_id(l->m, in->w[2]); return 1;
    case HD_OPIX_AtomicStore: *pointee = hd_module_type_id(l->m, in->w[4]); return 1;
    case HD_OPIX_AtomicFlagClear: *pointee = hd_lower_int(l, 32); return 1;
    case HD_OPIX_AtomicFlagTestAndSet: *pointee = hd_lower_int(l, 32); return 3;
    case HD_OPIX_GroupWaitEvents:
        *pointee = hd_declared_type(&l->declared, SpvOpTypeEvent, NULL, 0);
        return 3;
    case HD_OPIX_SubgroupBlockReadINTEL: *pointee = scalar_of(l, in->w[1]); return 3;
    case HD_OPIX_SubgroupBlockWriteINTEL:
        *pointee = scalar_of(l, hd_module_type_id(l->m, in->w[2]));
        return 1;
    case HD_OPIX_Subgroup2DBlockLoadTransformINTEL: *pointee = hd_lower_int(l, 32); return 10;
    case HD_OPIX_PredicatedStoreINTEL: *pointee = hd_module_type_id(l->m, in->w[2]); return 1;
    case HD_OPIX_PredicatedLoadINTEL:
    case HD_OPIX_Load:
    case HD_OPIX_AtomicLoad:
    case HD_OPIX_AtomicExchange:
    case HD_OPIX_AtomicCompareExchange:
    case HD_OPIX_AtomicCompareExchangeWeak:
    case HD_OPIX_AtomicIIncrement:
    case HD_OPIX_AtomicIDecrement:
    case HD_OPIX_AtomicIAdd:
    case HD_OPIX_AtomicISub:
    case HD_OPIX_AtomicSMin:
    case HD_OPIX_AtomicUMin:
    case HD_OPIX_AtomicSMax:
    case HD_OPIX_AtomicUMax:
    case HD_OPIX_AtomicAnd:
    case HD_OPIX_AtomicOr:
    case HD_OPIX_AtomicXor:
    case HD_OPIX_AtomicFAddEXT:
    case HD_OPIX_AtomicFMinEXT:
    case HD_OPIX_AtomicFMaxEXT: *pointee = in->w[1]; return 3;
    default: return 0;
    }
}
