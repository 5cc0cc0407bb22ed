/* rt/private_atomics.h -- a thread's table of additions to global memory (codegen/private_atomics.c
 * says which).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_PRIVATE_ATOMICS_H
#define HD_RT_PRIVATE_ATOMICS_H

#include "rt/abi.h"

/* Before the first group of a launch: the table is empty, and used until it turns out to be
 * useless.
 *   items  work-items that the thread runs, about
 *   ns     that took before; 0: not known */
void hd_rt_private_atomics_open(HdRtPrivateAtomics *s, uint64_t items, uint64_t ns);
/* Add to memory what has been kept: after some groups if it is little, after the thread's last one
 * whatever it is. */
void hd_rt_private_atomics_flush_few(HdRtPrivateAtomics *s);
void hd_rt_private_atomics_flush(HdRtPrivateAtomics *s);
/* For HdRtGroup.calls: an addition to a line that the table does not have. */
HdRtCallFn hd_rt_sum;

#endif
