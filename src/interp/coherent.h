/* interp/coherent.h -- accesses that do not concern other invocations.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_COHERENT_H
#define HD_INTERP_COHERENT_H

#include "interp/plan.h"

/* Lanes read what others may have written in a way that reads do not see. */
void hd_coherent_read(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                      uint64_t bytes);

#endif
