/* xform/zero.h -- zero-initialises a module's private memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_ZERO_H
#define HD_XFORM_ZERO_H

#include "module/module.h"

/* Give null initialisers to variables of functions that have none, and make undefined values null.
 * Lifetimes go, since where one begins the content would be undefined again.
 *   words  heap, hd_free'd by the caller
 * Errors: HD_NO_MEMORY. Spec: OpenCL, cl_khr_initialize_memory. */
HdStatus hd_xform_zero(const HdModule *m, uint32_t **words, size_t *nwords);

#endif
