/* ir/text.h -- names in lane IR's textual form, shared by printer and parser.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_TEXT_H
#define HD_IR_TEXT_H

#include "ir/ir.h"

/* Name of an instruction's `sub`; NULL when it is printed as a number. */
const char *hd_ir_sub_name(unsigned op, unsigned sub);
/* Name of flag bit `bit` (0 … 7). */
const char *hd_ir_flag_name(unsigned bit);
const char *hd_ir_shape_name(unsigned shape);

#endif
