/* ir/text.h -- lane IR's textual form (docs/lane-ir.md).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_TEXT_H
#define HD_IR_TEXT_H

#include "base/strbuf.h"
#include "ir/ir.h"

/* Print and parse; parse(print(f)) is f. */
void hd_ir_print(const HdIrFunc *f, HdStrbuf *out);
HdStatus hd_ir_parse(HdArena *a, const char *text, size_t len, HdDiags *d, HdIrModule **out);

/* ---- names, shared by printer and parser ---------------------------------------------------- */
/* Name of an instruction's `sub`; NULL when it is printed as a number. */
const char *hd_ir_sub_name(unsigned op, unsigned sub);
/* Name of flag bit `bit`, below HD_IR_FLAG_COUNT. */
const char *hd_ir_flag_name(unsigned bit);
const char *hd_ir_shape_name(unsigned shape);

#endif
