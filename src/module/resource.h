/* module/resource.h -- what a shader's pointers lead back to: variables that the host binds memory
 * to.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_RESOURCE_H
#define HD_MODULE_RESOURCE_H

#include "base/strbuf.h"
#include "module/type.h"

/* Does the module follow OpenCL's memory model? Otherwise its entry points may be shaders, and
 * explicit decorations alone lay out memory that is shared with the host. */
static inline bool hd_module_is_opencl(const HdModule *m)
{
    return m->memory_model == SpvMemoryModelOpenCL;
}

/* Has the host to give such a variable a buffer: StorageBuffer, Uniform, PushConstant? */
static inline bool hd_storage_is_bound(uint32_t storage)
{
    return storage == SpvStorageClassStorageBuffer || storage == SpvStorageClassUniform ||
           storage == SpvStorageClassPushConstant;
}

/* What a variable holds: the pointee, or the data type of an untyped one. NULL: none. */
const HdType *hd_module_content(const HdModule *m, const HdInst *variable);

/* Is t an array of descriptors, each the place of one buffer? A pointer to it, in a storage class
 * that the host binds, holds the address of the first descriptor; an index selects one, and with it
 * the address of its buffer. */
bool hd_module_is_descriptors(const HdModule *m, uint32_t storage, const HdType *t);

/* The variable that a pointer to a whole block leads back to; 0: that is not known.
 *   index  where the block is one of an array of descriptors: the id that selects it, else 0 */
HdId hd_module_block_variable(const HdModule *m, HdId pointer, HdId *index);

/* Bytes of a descriptor in a heap, of whatever kind (SPV_EXT_descriptor_heap). */
#define HD_DESCRIPTOR_BYTES 16u

/* The heap of descriptors that a variable is the base of: ResourceHeapEXT or SamplerHeapEXT; 0:
 * none. */
uint32_t hd_module_heap(const HdModule *m, HdId variable);

/* The pointer into a heap whose descriptor leads to a block; 0: that is not known.
 *   pointer  to the whole block */
HdId hd_module_block_descriptor(const HdModule *m, HdId pointer);

/* What OpMemberName says; NULL: nothing. Searches the module. */
const char *hd_module_member_name(const HdModule *m, HdId type, uint32_t member);

/* The members and indexes that lead to `bytes` bytes at an offset of a type: ".b[3].pos.y". Members
 * without a name have their number. */
void hd_module_path(const HdModule *m, const HdType *t, uint64_t offset, uint64_t bytes,
                    HdStrbuf *out);

#endif
