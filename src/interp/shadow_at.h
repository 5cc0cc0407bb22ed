/* interp/shadow_at.h -- where the bytes are that say which bits of memory have no value.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_SHADOW_AT_H
#define HD_INTERP_SHADOW_AT_H

#include "interp/eval.h"

/* The bytes that say which bits at an address have no value; *flip is xored. NULL:
 * none of them has, unless flip says all. `create`: there will be some. */
unsigned char *hd_shadow_at(HdEval *e, uint64_t address, bool create, unsigned char *flip);

#endif
