/* interp/race_size.h -- atomic operations of different sizes on the same bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_RACE_SIZE_H
#define HD_INTERP_RACE_SIZE_H

#include "interp/plan.h"

/* For a launch, in *out: NULL where atomics cannot differ, and in kernels. */
HdStatus hd_race_sizes_open(const HdModule *m, const HdKernelInfo *k, struct HdAtomicSizes **out);
void hd_race_sizes_close(struct HdAtomicSizes *s);

/* The atomic operations of lanes: do they conflict with others? Records them. Thread-safe. */
void hd_race_sizes_touch(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                         uint64_t bytes, HdEvalAccess how);

#endif
