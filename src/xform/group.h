/* xform/group.h -- groups of decorations in a module some of whose ids go.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_GROUP_H
#define HD_XFORM_GROUP_H

#include "module/edit.h"

/* Is it one of the two that apply a group? */
static inline bool hd_group_applies(uint32_t opcode)
{
    return opcode == SpvOpGroupDecorate || opcode == SpvOpGroupMemberDecorate;
}
/* How many words it has for each target, from word 2 on: the target, and a member of it. */
static inline uint32_t hd_group_step(uint32_t opcode)
{
    return opcode == SpvOpGroupMemberDecorate ? 2 : 1;
}

/* Add to the ids that go (a set) the groups that decorated nothing else. Errors: HD_NO_MEMORY. */
HdStatus hd_groups_find_unused(const HdModule *m, uint64_t *gone);
/* Take the targets that go out of an instruction that applies a group, the last that was written;
 * all of it goes if none is left. `given` is it, with ids as they are in the set. */
void hd_groups_drop_targets(HdWriter *w, const uint32_t *given, const uint64_t *gone);

#endif
