/* opt/dependence.h -- are two addresses different in every iteration of a loop?
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPT_DEPENDENCE_H
#define HD_OPT_DEPENDENCE_H

#include "ir/graph.h"

/* Are p and q at least `bytes` apart whenever the single block b of a loop runs? Proved from the
 * branches before it and at its end. False: unknown. */
bool hd_opt_are_independent(const HdIrFunc *f, const HdIrGraph *g, uint32_t b, HdIrRef p, HdIrRef q,
                            unsigned bytes);

#endif
