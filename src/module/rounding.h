/* module/rounding.h -- how constants of shaders are rounded.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_ROUNDING_H
#define HD_MODULE_ROUNDING_H

#include "module/module.h"

/* Widths of floats, 16, 32 and 64 together, that every entry point rounds towards zero: constants
 * are computed once for all of them. 0 without entry points.
 * Spec: SPV_KHR_float_controls, "RoundingModeRTZ"; VK_KHR_shader_float_controls, issue 3. */
uint32_t hd_module_truncated_widths(const HdModule *m);
/* The first OpSpecConstantOp that rounds to a float of one of these widths; 0: none. */
uint32_t hd_module_rounded_constant(const HdModule *m, uint32_t widths);

#endif
