/* cl/svm.h -- shared virtual memory: allocations of a context. Any other host pointer works as
 * well (fine-grained system SVM); the list is for clSVMFree and for queries.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_SVM_H
#define HD_CL_SVM_H

#include "cl/context.h"

/* NULL on any error, as clSVMAlloc. */
void *hd_svm_alloc(cl_context c, cl_svm_mem_flags flags, size_t size, cl_uint alignment);
/* Free one of the context's; other pointers are left alone. */
void hd_svm_free(cl_context c, void *pointer);
/* Does an address lie in one of the context's allocations? */
bool hd_svm_contains(cl_context c, const void *pointer);

#endif
