/* cl/mutable.h -- handles of recorded kernels, by which the host changes them.
 *
 * Spec: cl_khr_command_buffer_mutable_dispatch.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_MUTABLE_H
#define HD_CL_MUTABLE_H

#include "cl/command_buffer_state.h"

static inline bool hd_mutable_command_is(HdMutableCommand m)
{
    return hd_object_is(m, HD_MAGIC_MUTABLE_COMMAND);
}

/* A copy of a handle for a copy of its buffer; NULL: no memory. */
HdMutableCommand hd_mutable_copy(HdCommandBuffer b, const struct _cl_mutable_command_khr *m,
                                 cl_uint place);

/* What clCommandNDRangeKernelKHR's properties say. Errors: CL_INVALID_VALUE, CL_INVALID_OPERATION.
 *   fields, asserts  unchanged if the properties do not specify them; *says_fields: they do
 *   count            words, the closing 0 among them */
cl_int hd_mutable_properties(const cl_properties *properties, cl_ulong *fields, bool *says_fields,
                             cl_ulong *asserts, size_t *count);
/* Make a handle of command `index` of a buffer whose lock is held. NULL: no memory. */
HdMutableCommand hd_mutable_new(HdCommandBuffer b, size_t index, cl_kernel k, const HdRange *r,
                                const cl_properties *properties, size_t property_count,
                                cl_ulong fields);
void hd_mutable_free(HdMutableCommand m);
/* Change commands of a final buffer: all of the configurations or, on an error, none.
 * Errors: as clUpdateMutableCommandsKHR. */
cl_int hd_mutable_update(HdCommandBuffer b, cl_uint count, const void *const *configs);
bool hd_mutable_answer(HdMutableCommand m, cl_uint query, HdAnswer *a);

#endif
