/* interp/flush.h -- results that must not be denormal.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_FLUSH_H
#define HD_INTERP_FLUSH_H

#include "interp/eval.h"

/* Flush what an instruction has computed, in an entry point that asks for it. */
HdStatus hd_flush_after(HdEval *e, const HdInst *in);

#endif
