/* ops/heap/heap_build.c -- buffers by the descriptors of a heap to lane IR.
 *
 * Spec: SPV_EXT_descriptor_heap.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"

/* OpBufferPointerEXT. Words: 1 type, 2 result, 3 buffer. */
HdStatus hd_build_buffer_pointer(HdBuild *b, const HdInst *in)
{
    HdIrRef address;

    if (!b->kernel->is_shader)
        return hd_build_unsupported(b, in, "kernels have no heap of descriptors");
    HD_TRY(hd_build_heap_field(b, in->w[3], false, &address));
    return hd_build_bind(b, in->w[2], &address, 1);
}
