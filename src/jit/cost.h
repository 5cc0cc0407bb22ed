/* jit/cost.h -- do lanes pay for a kernel?
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_COST_H
#define HD_JIT_COST_H

#include "codegen/costs.h"

/* May a kernel run item by item? Not if work-items observe or wait for each other. */
bool hd_cost_may_be_alone(const HdIrFunc *f, const HdCpuCosts *costs);
/* Would all work-items do the same, so that a launch has only one of them? No ids are asked for,
 * and nothing is counted. */
bool hd_cost_is_task(const HdIrFunc *f);
/* The time that they would take so, in that of the wide function, made for `width` lanes: an
 * estimate, INFINITY where there is none.
 *   parted  what it would be if operations on the components of small vectors were one each: lanes
 *           often do those together as well */
double hd_cost_alone(const HdIrFunc *wide, unsigned width, const HdCpuCosts *costs, double *parted);

/* What iterations that run together as vectors (opt/jam.c) leave of the time of a kernel alone, as
 * a share: 1 where there are none. */
double hd_cost_jammed(HdIrFunc *kernel);

bool hd_cost_has_loops(const HdIrFunc *wide);

/* Is it unobservable whether two sub-groups of a kernel run as one? */
bool hd_cost_may_be_merged(const HdIrFunc *f);

/* Would they be done sooner so? A loop waits for its results more often than for the processor's
 * units, or values leave registers half empty; but all of them must find registers, and lanes that
 * leave a loop at different times wait for each other. */
bool hd_cost_is_better_merged(const HdIrFunc *wide, unsigned width, const HdCpuCosts *costs);

/* Cycles of so many work-items as the wide function has lanes, about, with two sub-groups as one
 * where that gains; HUGE_VAL where values find no registers, of which there are so many. */
double hd_cost_of_items(const HdIrFunc *wide, unsigned width, const HdCpuCosts *costs,
                        bool may_merge, unsigned registers);

/* Is there so much work per memory access that a mask of the existing lanes costs nothing
 * measurable, and so much code that a second version without it would cost more to compile? */
bool hd_cost_hides_mask(const HdIrFunc *wide);

#endif
