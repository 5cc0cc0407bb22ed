/* ops/memory/memory_rule_narrow.c -- numbers that the declared capabilities only store, in the
 * storage classes that those name.
 *
 * Spec: SPIR-V, "Memory Instructions"; what SPV_KHR_untyped_pointers changes of them is here too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "ops/memory/memory_rule.h"

static bool is_byte(const HdType *t)
{
    return t->kind == HD_T_INT && t->bits == 8;
}

static bool is_short(const HdType *t)
{
    return t->kind == HD_T_INT && t->bits == 16;
}

static bool is_half(const HdType *t)
{
    return t->kind == HD_T_FLOAT && t->bits == 16 && t->encoding == 0;
}

/* Does a capability let this storage class hold numbers of that width? */
static bool stores_narrow(const HdVal *v, uint32_t storage, const HdType *t, bool byte)
{
    bool buffer = hd_val_cap(v, byte ? SpvCapabilityStorageBuffer8BitAccess
                                     : SpvCapabilityStorageBuffer16BitAccess);
    bool uniform = hd_val_cap(v, byte ? SpvCapabilityUniformAndStorageBuffer8BitAccess
                                      : SpvCapabilityUniformAndStorageBuffer16BitAccess);

    switch (storage) {
    case SpvStorageClassUniform:
        while (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY)
            t = hd_type_element(t);
        return uniform || (buffer && hd_module_decoration(v->m, t->id, SpvDecorationBufferBlock));
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassPhysicalStorageBuffer: return buffer || uniform;
    case SpvStorageClassPushConstant:
        return hd_val_cap(v, byte ? SpvCapabilityStoragePushConstant8
                                  : SpvCapabilityStoragePushConstant16);
    case SpvStorageClassInput:
    case SpvStorageClassOutput: return !byte && hd_val_cap(v, SpvCapabilityStorageInputOutput16);
    case SpvStorageClassWorkgroup:
        return hd_val_cap(v, byte ? SpvCapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR
                                  : SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR);
    default: return false;
    }
}

/* Numbers of so many bits that the type has, and the declared capabilities store elsewhere only; 0:
 * none. */
static unsigned misplaced_bits(const HdVal *v, uint32_t storage, const HdType *t)
{
    bool byte = !hd_val_cap(v, SpvCapabilityInt8) && hd_type_holds(v, t, is_byte);
    bool half = !hd_val_cap(v, SpvCapabilityFloat16) &&
                !hd_module_has_extension(v->m, "SPV_AMD_gpu_shader_half_float") &&
                hd_type_holds(v, t, is_half);

    if (byte && !stores_narrow(v, storage, t, true))
        return 8;
    if ((half || (!hd_val_cap(v, SpvCapabilityInt16) && hd_type_holds(v, t, is_short))) &&
        !stores_narrow(v, storage, t, false))
        return 16;
    return 0;
}

HdStatus hd_rule_variable_narrow(HdVal *v, const HdInst *in, uint32_t storage, const HdType *t)
{
    unsigned bits = misplaced_bits(v, storage, t);

    HD_RULE(bits == 0, "memory.variable-narrow",
            "the declared capabilities have no %u-bit numbers in this storage class", bits);
    return HD_OK;
}

HdStatus hd_rule_untyped_narrow(HdVal *v, const HdInst *in, uint32_t storage, const HdType *t)
{
    unsigned bits;

    if (!hd_bit_has(v->limited, t->id))
        return HD_OK;
    /* Of a uniform the variable tells whether it is a buffer. */
    bits = misplaced_bits(
        v, storage == SpvStorageClassUniform ? SpvStorageClassStorageBuffer : storage, t);
    HD_RULE(bits == 0, "untyped.narrow",
            "the declared capabilities have no %u-bit numbers in this storage class", bits);
    return HD_OK;
}

HdStatus hd_rule_copied_narrow(HdVal *v, const HdInst *in, const HdType *p, uint64_t bytes)
{
    bool byte = bytes % 2 != 0;

    if (!v->shader || v->kernel || bytes % 4 == 0)
        return HD_OK;
    if (byte ? hd_val_cap(v, SpvCapabilityInt8)
             : hd_val_cap(v, SpvCapabilityInt16) || hd_val_cap(v, SpvCapabilityFloat16))
        return HD_OK;
    HD_RULE(stores_narrow(v, p->storage, p, byte), "memory.copy-narrow",
            "the declared capabilities have no %s numbers in this storage class",
            byte ? "8-bit" : "16-bit");
    return HD_OK;
}
