/* cl/kernel.h -- kernels: arguments, queries, launches.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_KERNEL_H
#define HD_CL_KERNEL_H

#include "cl/mem.h"
#include "cl/program.h"
#include "cl/queue.h"
#include "launch/args.h"

/* Programs alternate between two or three buffers: those are not registered again each time. */
#define HD_KERNEL_SPARE 4u

struct _cl_kernel {
    HdObject object;
    cl_program program; /* held */
    HdExecutable *executable;
    const HdKernelInfo *info;
    HdLaunchPlans *plans; /* of the executable */
    HdArgs args;
    cl_mem *mems;    /* [arg_count] buffers that are set, not held */
    cl_mem *watched; /* [arg_count + HD_KERNEL_SPARE] all of mems, and some that were set before */
    char *attributes;
};

static inline bool hd_kernel_is(cl_kernel k)
{
    return hd_object_is(k, HD_MAGIC_KERNEL);
}

/* Errors: CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME, CL_OUT_OF_RESOURCES (its code
 * cannot be made), CL_OUT_OF_HOST_MEMORY. */
cl_int hd_kernel_new(cl_program p, const char *name, cl_kernel *out);
cl_int hd_kernel_clone(cl_kernel from, cl_kernel *out);
/* Errors as clSetKernelArg. */
cl_int hd_kernel_set_arg(cl_kernel k, cl_uint index, size_t size, const void *value);
cl_int hd_kernel_set_svm(cl_kernel k, cl_uint index, const void *pointer);
/* Is the argument a pointer that SVM may be given to? */
bool hd_kernel_arg_is_pointer(const struct _cl_kernel *k, cl_uint index);

/* May execution information be so? Every host pointer may be used by every kernel, so that there is
 * nothing to keep of it. Errors: CL_INVALID_VALUE. */
cl_int hd_kernel_check_exec_info(cl_uint param_name, size_t size, const void *value);

/* Is the memory of all pointer arguments, as set now, disjoint? False if a size is unknown. */
bool hd_kernel_args_are_apart(const struct _cl_kernel *k, uint32_t *large);

bool hd_kernel_answer(cl_kernel k, cl_uint query, HdAnswer *a);
/* Errors: CL_INVALID_VALUE, CL_KERNEL_ARG_INFO_NOT_AVAILABLE. */
cl_int hd_kernel_arg_answer(cl_kernel k, cl_uint index, cl_uint query, HdAnswer *a);
bool hd_kernel_group_answer(cl_kernel k, cl_uint query, HdAnswer *a);

/* An NDRange as the host describes it; offset and local may be NULL. */
typedef struct HdRange {
    cl_uint work_dim;
    const size_t *offset, *global, *local;
} HdRange;

/* The size that a launch without one gets. */
void hd_kernel_suggest(cl_kernel k, const HdRange *r, size_t local[3]);
/* Sub-group size, and sub-groups of a local size. */
uint32_t hd_kernel_width(const struct _cl_kernel *k);

/* Is a command the launch of a kernel? Enqueue the same launch, for a queue of another device.
 * Errors: CL_INVALID_PROGRAM_EXECUTABLE, CL_OUT_OF_HOST_MEMORY. */
bool hd_kernel_is_command(const struct _cl_event *e);
cl_int hd_kernel_enqueue_like(cl_command_queue q, cl_event from, HdEnqueue how);

/* clEnqueueNDRangeKernel: checks all but the handles. */
cl_int hd_kernel_enqueue(cl_command_queue q, cl_command_type type, cl_kernel k, const HdRange *r,
                         HdEnqueue how);
/* The same checks for a launch some of whose arguments will be set later. */
cl_int hd_kernel_check_unset(cl_command_queue q, cl_kernel k, const HdRange *r);

#endif
