/* xform/indirect.h -- calls through function pointers made direct ones.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_INDIRECT_H
#define HD_XFORM_INDIRECT_H

#include "module/edit.h"

/* Replace OpFunctionPointerCallINTEL, whose pointer can only lead to functions of the module, by a
 * call of a new function that compares the pointer with the addresses of those that it may lead to
 * (hd_module_function_address) and calls the one. What fits none of them gets to an
 * OpFunctionPointerCallINTEL in the new function: undefined behaviour. Calls that the rules forbid
 * are left as they are.
 *   out   the new module, to be freed with hd_writer_free; nothing if !*done
 * Errors: HD_NO_MEMORY; HD_UNSUPPORTED, said to `d`: the module would become too large.
 * Spec: SPV_INTEL_function_pointers. */
HdStatus hd_xform_indirect(const HdModule *m, HdDiags *d, HdWriter *out, bool *done);

#endif
