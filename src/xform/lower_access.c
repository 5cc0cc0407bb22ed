/* xform/lower_access.c -- what instructions access, and where it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/lower_state.h"

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

HdId hd_lower_pointee_of_none(HdLower *l)
{
    return hd_lower_int(l, hd_module_is_opencl(l->m) ? 8 : 32);
}

HdId hd_lower_operation(HdLower *l, HdId result, uint32_t opcode, HdId type,
                        const uint32_t *operands, uint32_t count)
{
    HdId id = result != 0 ? result : l->next++;
    bool is_global = l->at == &l->globals;

    hd_writer_begin(l->at, is_global ? SpvOpSpecConstantOp : opcode);
    hd_writer_word(l->at, type);
    hd_writer_word(l->at, id);
    if (is_global)
        hd_writer_word(l->at, opcode);
    hd_writer_words(l->at, operands, count);
    hd_writer_end(l->at);
    return id;
}

HdId hd_lower_cast(HdLower *l, HdId pointer, HdId pointee)
{
    HdId type = hd_lower_pointer(l, hd_lower_storage(l, hd_module_type_of(l->m, pointer)->storage),
                                 pointee);
    HdId value = hd_lower_use(l, pointer);
    HdInst def;

    /* A variable is one to its data already. */
    if (hd_module_def(l->m, pointer, &def) && def.opix == HD_OPIX_UntypedVariableKHR &&
        (def.nwords > 4 ? hd_lower_use(l, def.w[4]) : hd_lower_pointee_of_none(l)) == pointee)
        return pointer;
    if (hd_lower_use(l, hd_module_type_id(l->m, pointer)) == type)
        return value;
    return hd_lower_operation(l, 0, SpvOpBitcast, type, &value, 1);
}
