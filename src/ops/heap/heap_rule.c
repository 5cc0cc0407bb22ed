/* ops/heap/heap_rule.c -- rules of heaps of descriptors.
 *
 * Spec: SPV_EXT_descriptor_heap.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/resource.h"
#include "ops/rules.h"

#define MAX_STEPS 64u

static bool is_of_buffer(uint32_t storage)
{
    return storage == SpvStorageClassUniform || storage == SpvStorageClassStorageBuffer;
}

/* OpTypeBufferEXT: 1 result, 2 storage class. */
HdStatus hd_rule_type_buffer(HdVal *v, const HdInst *in)
{
    HD_RULE(is_of_buffer(in->w[2]), "heap.type",
            "the storage class of a buffer is Uniform or StorageBuffer");
    return HD_OK;
}

static bool is_descriptor(const HdType *t)
{
    return t != NULL &&
           (t->kind == HD_T_IMAGE || t->kind == HD_T_SAMPLER ||
            hd_type_is_other(t, SpvOpTypeBufferEXT) || hd_type_is_other(t, SpvOpTypeTensorARM) ||
            hd_type_is_other(t, SpvOpTypeAccelerationStructureKHR));
}

/* OpConstantSizeOfEXT: 1 type, 2 result, 3 type of a descriptor. */
HdStatus hd_rule_heap_size_of(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(t != NULL && hd_is_int_scalar(t) && (t->bits == 32 || t->bits == 64), "heap.size",
            "the result type is not an integer of 32 or 64 bits");
    HD_RULE(is_descriptor(hd_module_type(v->m, in->w[3])), "heap.size-type",
            "the type is not that of a descriptor: a buffer, image, sampler, tensor or "
            "acceleration structure");
    return HD_OK;
}

/* May a pointer lead into the heap of resources? What is not seen, it may. */
static bool may_be_in_heap(const HdVal *v, HdId pointer)
{
    HdInst in;

    for (unsigned i = 0; i < MAX_STEPS && hd_module_def(v->m, pointer, &in); i++)
        switch (in.opix) {
        case HD_OPIX_UntypedVariableKHR:
        case HD_OPIX_Variable: return hd_module_heap(v->m, pointer) == SpvBuiltInResourceHeapEXT;
        case HD_OPIX_CopyObject: pointer = in.w[3]; break;
        case HD_OPIX_UntypedAccessChainKHR:
        case HD_OPIX_UntypedInBoundsAccessChainKHR: pointer = in.w[4]; break;
        default: return true;
        }
    return true;
}

/* OpBufferPointerEXT: 1 type, 2 result, 3 buffer. */
HdStatus hd_rule_buffer_pointer(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *buffer = hd_val_operand(v, in, 3);

    HD_RULE(hd_is_pointer(t) && is_of_buffer(t->storage), "heap.pointer-result",
            "the result type is not a pointer of storage class Uniform or StorageBuffer");
    HD_RULE(hd_is_pointer(buffer) && buffer->is_untyped, "heap.pointer-buffer",
            "Buffer is not an untyped pointer");
    HD_RULE(may_be_in_heap(v, in->w[3]), "heap.pointer-heap",
            "Buffer does not point into a variable with the built-in ResourceHeapEXT");
    return HD_OK;
}
