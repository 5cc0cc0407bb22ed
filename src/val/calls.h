/* val/calls.h -- which functions call which, for the rules of entry points.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_VAL_CALLS_H
#define HD_VAL_CALLS_H

#include "module/calls.h"
#include "val/rule.h"

/* Walks over what entry points reach are not quadratic: they stop after so many steps. */
#define HD_VAL_MAX_STEPS ((uint64_t)1 << 24)
/* What a finding counts as there: as many findings would take gigabytes. */
#define HD_VAL_FINDING_STEPS 256u

/* The number of the function that contains or precedes the word; UINT32_MAX: before all. */
uint32_t hd_val_function_holding(const HdVal *v, uint32_t word);
/* Which instructions an execution model may reach, and what an entry point's modes ask of the
 * functions that it reaches. */
HdStatus hd_val_reach(HdVal *v, const HdCalls *c);
/* What entry points list, against what they reach. */
HdStatus hd_val_interfaces(HdVal *v, const HdCalls *c);

#endif
