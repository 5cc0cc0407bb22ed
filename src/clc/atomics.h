/* clc/atomics.h -- atomic functions without an order or scope, which clang's SPIR-V back end
 * weakens.
 *
 * Without an order it writes relaxed ones of the work-group, where OpenCL C says sequentially
 * consistent ones of the device; with an order alone, ones of the work-group. So both are spelt
 * out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_ATOMICS_H
#define HD_CLC_ATOMICS_H

#include "base/strbuf.h"
#include "clc/clc.h"

/* Macros for those that the source, a header or an option names, and none of them declares.
 * Spec: OpenCL C, "Order and Consistency", "Memory Scope". */
void hd_clc_atomics(const HdClcSource *source, const HdClcOptions *o, HdStrbuf *out);

#endif
