/* module/flush.h -- which results DenormFlushToZero concerns.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_FLUSH_H
#define HD_MODULE_FLUSH_H

#include "module/module.h"

/* Is the result, if it is of floats, never denormal where they are flushed: that of arithmetic,
 * conversions and functions, not of what moves bits?
 * Spec: SPV_KHR_float_controls, "DenormFlushToZero"; VK_KHR_shader_float_controls, issues 1 and 2.
 */
bool hd_module_flushes(const HdModule *m, const HdInst *in);

#endif
