/* tool/spec_value.h -- specialisation constants from the command line.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_SPEC_VALUE_H
#define HD_TOOL_SPEC_VALUE_H

#include "base/strbuf.h"
#include "module/constant.h"

/* Convert a value's text to the bytes that the constant with that SpecId needs.
 * *out is to be dropped whatever is returned.
 * Errors: HD_BAD_INPUT (no such SpecId, or not a value of its type). */
HdStatus hd_tool_spec_value(const HdModule *m, uint32_t spec_id, const char *text, HdDiags *d,
                            HdSpecialization *out);
/* What a constant of that type is as a number, true or false, from its bytes; false: it is neither.
 */
bool hd_tool_spec_print(const HdType *t, uint64_t bits, HdStrbuf *out);
/* Free what it holds. */
void hd_tool_spec_drop(HdSpecialization *s);

#endif
