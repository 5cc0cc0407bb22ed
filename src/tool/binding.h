/* tool/binding.h -- what --bind and --push give to a shader.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_BINDING_H
#define HD_TOOL_BINDING_H

#include "tool/run_args.h"
#include "tool/value.h"

/* "bind 0.1", "bind 0.3[2]", "push"; of kernels "arg 1". */
void hd_argument_name(const HdKernelInfo *k, uint32_t i, HdStrbuf *out);

/* The same for findings: "binding 0.1 'Y'". */
void hd_binding_name(const HdKernelInfo *k, uint32_t i, HdStrbuf *out);

/* Find the arguments that "SET.BINDING=…" and "push=…" name. Errors: HD_BAD_INPUT where there is
 * none, where a binding is given twice, or where options of kernels are given for a shader or the
 * reverse. */
HdStatus hd_bindings_resolve(HdRunOptions *o, const HdKernelInfo *k, HdDiags *d);

/* What an argument is given; NULL: nothing. */
const char *hd_binding_spec(const HdRunOptions *o, const HdKernelInfo *k, uint32_t i);

/* The contents of a binding or of push constants, as the command line has them.
 *   spec  of hd_binding_spec
 * Errors: HD_BAD_INPUT where they do not fit. */
HdStatus hd_binding_parse(const HdRunOptions *o, const HdKernelInfo *k, uint32_t i,
                          const char *spec, HdDiags *d, HdData *out);

/* Is something bound to each variable that the shader uses? Errors: HD_BAD_INPUT, which lists those
 * to which nothing is. */
HdStatus hd_bindings_check(const HdRunOptions *o, const HdKernelInfo *k, HdDiags *d);

#endif
