/* interp/coherence.h -- what a load or store lacks for other invocations to see what it moves.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_COHERENCE_H
#define HD_INTERP_COHERENCE_H

#include "interp/interp.h"

/* Memory semantics that make all that a barrier or atomic operation orders available, visible. */
#define HD_SHOWS \
    ((uint32_t)(SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask))

typedef enum HdCoherence {
    HD_COHERENT,
    HD_COHERENT_NOT,   /* it concerns no other invocation: not Coherent, not NonPrivatePointer */
    HD_COHERENT_GROUP, /* the work-group's alone: a narrower scope than the device's */
    HD_COHERENT_HIDDEN /* a barrier has to make it available or visible */
} HdCoherence;
/* HdCoherence of an instruction. */
uint8_t hd_coherence_of(const HdInterpProgram *p, const HdInst *in);

#endif
