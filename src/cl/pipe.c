/* cl/pipe.c -- pipe objects.
 *
 * Spec: OpenCL API, "Creating Pipe Objects", "Pipe Object Queries".
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/pipe.h"

#include <string.h>

#include "base/memory.h"
#include "cl/backing.h"
#include "cl/checked.h"
#include "cl/limits.h"
#include "rt/pipe.h"

#define FLAGS (CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS)

static cl_int place(cl_mem m, uint32_t packet_bytes, uint32_t max_packets)
{
    size_t bytes = (size_t)hd_pipe_bytes(packet_bytes, max_packets);

    m->at = hd_backing_take(bytes, 0, &m->block);
    if (m->at == NULL)
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    memset(m->at, 0, bytes);
    *(HdPipe *)(void *)m->at = (HdPipe){.packet_bytes = packet_bytes, .max_packets = max_packets};
    /* Kernels reach it by instructions of pipes alone: its packets have shadow. */
    hd_checked_memory((HdRegion){.at = (uint64_t)(uintptr_t)m->at, .bytes = bytes, .owner = m},
                      "pipe");
    return CL_SUCCESS;
}

cl_int hd_pipe_new(cl_context c, cl_mem_flags flags, cl_uint packet_bytes, cl_uint max_packets,
                   const cl_pipe_properties *properties, cl_mem *out)
{
    cl_int code;
    cl_mem m;

    *out = NULL;
    if ((flags & ~(cl_mem_flags)FLAGS) != 0 || properties != NULL)
        return CL_INVALID_VALUE;
    if (packet_bytes == 0 || packet_bytes > HD_MAX_PIPE_PACKET || max_packets == 0)
        return CL_INVALID_PIPE_SIZE;
    if (max_packets > HD_PIPE_MOST_PACKETS ||
        (uint64_t)packet_bytes * max_packets > c->devices[0]->max_alloc_bytes)
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    m = hd_mem_make(c, flags != 0 ? flags : FLAGS, (size_t)packet_bytes * max_packets, 0);
    if (m == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    m->type = CL_MEM_OBJECT_PIPE;
    code = hd_mem_take(m);
    if (code == CL_SUCCESS)
        code = place(m, packet_bytes, max_packets);
    if (code == CL_SUCCESS)
        *out = m;
    else
        hd_object_drop(&m->object);
    return code;
}

bool hd_pipe_answer(cl_mem m, cl_uint query, HdAnswer *a)
{
    const HdPipe *p = (const HdPipe *)(const void *)m->at;

    switch (query) {
    case CL_PIPE_PACKET_SIZE: hd_answer_uint(a, p->packet_bytes); break;
    case CL_PIPE_MAX_PACKETS: hd_answer_uint(a, p->max_packets); break;
    case CL_PIPE_PROPERTIES: hd_answer_bytes(a, NULL, 0); break; /* there are none to be given */
    default: return false;
    }
    return true;
}
