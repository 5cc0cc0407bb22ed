/* cl/external.h -- memory of others that a file descriptor stands for (cl_khr_external_memory,
 * cl_khr_external_memory_opaque_fd): mapped into the process, so that what its owner and kernels
 * write is at one place.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_EXTERNAL_H
#define HD_CL_EXTERNAL_H

#include "cl/mem.h"

/* What the properties of a new buffer or image say. */
typedef struct HdExternal {
    bool is_given;    /* memory is imported */
    bool has_address; /* of a buffer: CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT */
    int fd;
    size_t words; /* of the list, the closing 0 among them; 0: there is none */
} HdExternal;

/* Read a list of properties; p may be NULL.
 *   is_buffer  what buffers alone may be given is allowed
 * Errors: CL_INVALID_PROPERTY, CL_INVALID_DEVICE. */
cl_int hd_external_read(cl_context c, const cl_mem_properties *p, bool is_buffer, HdExternal *out);

/* Map m->size bytes: m->at and m->map. The descriptor stays the caller's.
 * Errors: CL_INVALID_PROPERTY (it is none, or has not that much memory, or none that can be read
 * and written), CL_MEM_OBJECT_ALLOCATION_FAILURE. */
cl_int hd_external_map(const HdExternal *x, cl_mem m);
void hd_external_unmap(cl_mem m);

/* Was the object imported, for this device among others? */
bool hd_external_is(const struct _cl_mem *m);
bool hd_external_is_for(const struct _cl_mem *m, cl_device_id d);

#endif
