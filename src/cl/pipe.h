/* cl/pipe.h -- pipe objects: memory that only kernels access.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_PIPE_H
#define HD_CL_PIPE_H

#include "cl/mem.h"

static inline bool hd_pipe_is(cl_mem m)
{
    return hd_mem_is(m) && m->type == CL_MEM_OBJECT_PIPE;
}

/* Checks and makes a pipe, as clCreatePipe describes. */
cl_int hd_pipe_new(cl_context c, cl_mem_flags flags, cl_uint packet_bytes, cl_uint max_packets,
                   const cl_pipe_properties *properties, cl_mem *out);
bool hd_pipe_answer(cl_mem m, cl_uint query, HdAnswer *a);

#endif
