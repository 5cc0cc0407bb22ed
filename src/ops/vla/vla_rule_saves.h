/* ops/vla/vla_rule_saves.h -- saves and restores of the stack in one function, by what dominates
 * them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_VLA_RULE_SAVES_H
#define HD_OPS_VLA_RULE_SAVES_H

#include "val/rule.h"

/* What an earlier restore has freed of a restored state. */
typedef enum HdVlaFreed {
    HD_VLA_KEPT,
    HD_VLA_RESTORED, /* the same state was restored before */
    HD_VLA_POPPED    /* a state saved earlier was restored before */
} HdVlaFreed;

/* Does an OpSaveMemoryINTEL dominate the instruction? In unreachable blocks everything does. v->cfg
 * and v->block are set. Errors: HD_NO_MEMORY. */
HdStatus hd_vla_is_saved(HdVal *v, const HdInst *in, bool *out);
/* What happened to the state that the OpRestoreMemoryINTEL restores, an OpSaveMemoryINTEL's.
 * Errors: as above. */
HdStatus hd_vla_freed(HdVal *v, const HdInst *in, HdVlaFreed *out);

#endif
