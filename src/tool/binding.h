/* tool/binding.h -- what --bind and --push give to a shader.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_BINDING_H
#define HD_TOOL_BINDING_H

#include "tool/image_arg.h"
#include "tool/run_args.h"
#include "tool/value.h"

/* What an option calls a heap of descriptors. */
const char *hd_heap_name(const HdResource *r);

/* "bind 0.1", "bind 0.3[2]", "push"; of kernels "arg 1". */
void hd_argument_name(const HdKernelInfo *k, uint32_t i, HdStrbuf *out);

/* The same for findings: "binding 0.1 'Y'". */
void hd_binding_name(const HdKernelInfo *k, uint32_t i, HdStrbuf *out);

/* Find the arguments that "SET.BINDING=…" and "push=…" name. Errors: HD_BAD_INPUT where there is
 * none, where a binding is given twice, or where options of kernels are given for a shader or the
 * reverse. */
HdStatus hd_bindings_resolve(HdRunOptions *o, const HdKernelInfo *k, HdDiags *d);

/* What an argument is given, its sampler apart; NULL: nothing. */
const char *hd_binding_spec(const HdRunOptions *o, const HdKernelInfo *k, uint32_t i);
const char *hd_binding_sampler(const HdRunOptions *o, const HdKernelInfo *k, uint32_t i);
/* A binding in words: its place, its name, what it takes. */
void hd_binding_describe(const HdKernelInfo *k, uint32_t i, HdStrbuf *out);

/* The contents of a binding or of push constants, as the command line has them.
 *   spec  of hd_binding_spec
 * Errors: HD_BAD_INPUT where they do not fit. */
HdStatus hd_binding_parse(const HdRunOptions *o, const HdKernelInfo *k, uint32_t i,
                          const char *spec, HdDiags *d, HdData *out);

/* Is a SPEC one of a sampler? */
bool hd_binding_is_sampler(const char *spec);
/* Is a SPEC of an image what argument i is given? A heap holds any descriptor. */
bool hd_binding_is_image(const HdKernelInfo *k, uint32_t i, const char *spec);
/* Does a variable with the set and binding of argument i hold an image, a sampler? */
bool hd_binding_takes_image(const HdKernelInfo *k, uint32_t i);
bool hd_binding_takes_sampler(const HdKernelInfo *k, uint32_t i);
/* Why an image does not suit argument n; NULL: it does, or is bound to nothing. */
const char *hd_binding_misfit(const HdKernelInfo *k, uint32_t n, const HdImage *im);
/* An image or texel buffer, its descriptor but for `at`: texel_bytes is 0 where nothing is bound.
 * Errors: HD_BAD_INPUT where it is not what variables there declare. */
HdStatus hd_binding_parse_image(const HdKernelInfo *k, uint32_t i, const char *spec, HdDiags *d,
                                HdImage *im, HdData *out);
HdStatus hd_binding_parse_sampler(const HdKernelInfo *k, uint32_t i, const char *spec, HdDiags *d,
                                  HdSampler *out);

/* Is something bound to each variable that the shader uses? Errors: HD_BAD_INPUT, which lists those
 * to which nothing is. */
HdStatus hd_bindings_check(const HdRunOptions *o, const HdKernelInfo *k, HdDiags *d);

#endif
