/* module/resource.h -- what a shader's pointers lead back to: variables that the host binds memory
 * to.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_RESOURCE_H
#define HD_MODULE_RESOURCE_H

#include "base/strbuf.h"
#include "module/type.h"

/* Has the host to give such a variable a buffer: StorageBuffer, Uniform, PushConstant? */
static inline bool hd_storage_is_bound(uint32_t storage)
{
    return storage == SpvStorageClassStorageBuffer || storage == SpvStorageClassUniform ||
           storage == SpvStorageClassPushConstant;
}

/* What a variable holds: the pointee, or the data type of an untyped one. NULL: none. */
const HdType *hd_module_content(const HdModule *m, const HdInst *variable);

/* Opaque objects that a descriptor leads to, and that variables in UniformConstant name. */
typedef enum HdOpaque {
    HD_OPAQUE_NONE,
    HD_OPAQUE_SAMPLED_IMAGE,
    HD_OPAQUE_STORAGE_IMAGE,
    HD_OPAQUE_UNIFORM_TEXELS, /* texel buffers */
    HD_OPAQUE_STORAGE_TEXELS,
    HD_OPAQUE_SAMPLER,
    HD_OPAQUE_COMBINED /* image and sampler */
} HdOpaque;

/* What a type is of these. */
HdOpaque hd_type_opaque(const HdType *t);
/* The image type of an image or sampled image; NULL: it is none. */
const HdType *hd_type_image(const HdType *t);

static inline bool hd_opaque_has_image(HdOpaque o)
{
    return o != HD_OPAQUE_NONE && o != HD_OPAQUE_SAMPLER;
}
static inline bool hd_opaque_has_sampler(HdOpaque o)
{
    return o == HD_OPAQUE_SAMPLER || o == HD_OPAQUE_COMBINED;
}
static inline bool hd_opaque_is_texels(HdOpaque o)
{
    return o == HD_OPAQUE_UNIFORM_TEXELS || o == HD_OPAQUE_STORAGE_TEXELS;
}

/* Has the host to give a variable something, a buffer or an opaque object? content: what it holds
 */
bool hd_module_is_bound(const HdModule *m, uint32_t storage, const HdType *content);

/* Is t an array of descriptors, each the place of one buffer or opaque object? A pointer to it, in
 * a storage class that the host binds, holds the address of the first descriptor; an index selects
 * one, and with it the address of its buffer. A pointer to an opaque object is the address of its
 * descriptor. */
bool hd_module_is_descriptors(const HdModule *m, uint32_t storage, const HdType *t);

/* The variable that a pointer to a whole block leads back to; 0: that is not known.
 *   index  where the block is one of an array of descriptors: the id that selects it, else 0 */
HdId hd_module_block_variable(const HdModule *m, HdId pointer, HdId *index);

/* The heap of descriptors that a variable is the base of: ResourceHeapEXT or SamplerHeapEXT; 0:
 * none. */
uint32_t hd_module_heap(const HdModule *m, HdId variable);

/* The pointer into a heap whose descriptor leads to a block; 0: that is not known.
 *   pointer  to the whole block */
HdId hd_module_block_descriptor(const HdModule *m, HdId pointer);

/* The word of the image, or of the pointer to it, that an image, sampled image or pointer to a
 * texel is made of: by loads from descriptors, OpImage, OpSampledImage, OpImageTexelPointer; 0:
 * none. */
unsigned hd_opaque_origin(const HdModule *m, const HdInst *in);
/* "storage image"; "2D array"; "Rgba8": NULL where there is no such thing. */
const char *hd_opaque_name(HdOpaque o);
const char *hd_opaque_shape(const HdType *t);
const char *hd_opaque_format(const HdType *t);
/* All of that: "storage image, 2D array, Rgba8". */
void hd_opaque_describe(const HdType *t, HdStrbuf *out);

/* What OpMemberName says; NULL: nothing. Searches the module. */
const char *hd_module_member_name(const HdModule *m, HdId type, uint32_t member);

/* A member of a path: ".pos", its number if it has no name; nothing for the run-time array that is
 * all of a buffer in HLSL and Slang, whose sources index the buffer. */
void hd_module_member_path(const HdModule *m, const HdType *t, uint32_t i, HdStrbuf *out);
/* The members and indexes that lead to `bytes` bytes at an offset of a type: ".b[3].pos.y". Members
 * without a name have their number. */
void hd_module_path(const HdModule *m, const HdType *t, uint64_t offset, uint64_t bytes,
                    HdStrbuf *out);

#endif
