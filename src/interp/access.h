/* interp/access.h -- accesses of a checked run: looked at, then done.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_ACCESS_H
#define HD_INTERP_ACCESS_H

#include "interp/eval.h"

HdStatus hd_access_access(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                          uint64_t bytes, uint64_t align, HdEvalAccess how, void **host);
HdStatus hd_access_load(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                        const HdSlot *r, uint64_t bytes);
HdStatus hd_access_store(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                         const HdSlot *x, uint64_t bytes);
HdStatus hd_access_atomics(HdEval *e, HdEvalAtomic *a, uint64_t *good);
/* May the first lane access this? Nothing is reported or recorded. */
bool hd_access_fits(HdEval *e, const HdEvalSide *side, uint64_t bytes, HdEvalAccess how);
/* One access that has already been checked, for later ones. */
void hd_access_touch(HdEval *e, const HdEvalSide *side, uint64_t bytes, HdEvalAccess how);

#endif
