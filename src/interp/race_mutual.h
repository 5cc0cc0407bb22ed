/* interp/race_mutual.h -- atomic operations that are plain accesses of each other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_RACE_MUTUAL_H
#define HD_INTERP_RACE_MUTUAL_H

#include "interp/plan.h"

/* For a launch, in *out: NULL where all atomics are mutually ordered, and in kernels. */
HdStatus hd_race_mutual_open(const HdModule *m, const HdKernelInfo *k, struct HdLastAtomics **out);
void hd_race_mutual_close(struct HdLastAtomics *s);

/* The atomic operations of lanes: do they conflict with others? Records them. Thread-safe. */
void hd_race_mutual_touch(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                          const HdEvalAtomic *a);

#endif
