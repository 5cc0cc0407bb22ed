/* cl/svm.h -- shared virtual memory: allocations of a context. Any other host pointer works as
 * well (fine-grained system SVM); the list is for clSVMFree and for queries.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_SVM_H
#define HD_CL_SVM_H

#include "cl/context.h"

typedef struct HdAllocation {
    unsigned char *at;
    size_t size, alignment;                       /* the latter 0: that of buffers */
    cl_unified_shared_memory_type_intel usm_type; /* 0: clSVMAlloc's */
    cl_mem_alloc_flags_intel usm_flags;
    cl_device_id usm_device; /* that it belongs to; NULL: all */
} HdAllocation;

/* NULL on any error, as clSVMAlloc. */
void *hd_svm_alloc(cl_context c, cl_svm_mem_flags flags, size_t size, cl_uint alignment);
/* Free one of the context's; other pointers are left alone. */
void hd_svm_free(cl_context c, void *pointer);
/* Memory for an allocation that was checked, `at` aside; NULL when there is none. */
void *hd_svm_take(cl_context c, HdAllocation is);
/* Free one of cl_intel_unified_shared_memory's; false when the pointer is none. */
bool hd_svm_free_usm(cl_context c, const void *pointer);
/* The allocation that an address is in. */
bool hd_svm_find(cl_context c, const void *pointer, HdAllocation *out);
/* Bytes from an address in it on. */
static inline size_t hd_svm_rest(const HdAllocation *is, const void *pointer)
{
    return is->size - (size_t)((const unsigned char *)pointer - is->at);
}
/* Does an address lie in one of the context's allocations? */
bool hd_svm_contains(cl_context c, const void *pointer);
/* Notification to checked runs: a launch is given an address, of an allocation that may be older
 * than the check. */
void hd_svm_note_used(cl_context c, const void *pointer);

#endif
