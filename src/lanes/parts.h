/* lanes/parts.h -- the parts of a function in which lanes may diverge, and their chains.
 *
 * A part is a connected set of divergent blocks. Control enters it from uniform blocks and leaves
 * it to exactly one uniform block, where all lanes have reconverged. Inside, the blocks form a
 * chain in execution order; each is skipped if no lane waits for it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_PARTS_H
#define HD_LANES_PARTS_H

#include "lanes/shape.h"

typedef struct HdParts {
    uint32_t *part; /* [blocks] part of a divergent block, HD_IR_NOWHERE for uniform ones */
    uint32_t *next; /* [blocks] divergent: the next block of the chain, or the part's exit;
                       HD_IR_NOWHERE when lanes never leave */
    uint32_t *skip; /* [blocks] where to continue if no lane waits here: next, but past the loop for
                     * a loop header */
    uint32_t *common; /* [parts] nearest block that dominates all of the part */
    uint32_t *exit;   /* [parts] uniform block after it, HD_IR_NOWHERE if none */
    uint32_t count;
} HdParts;

HdStatus hd_lanes_parts(const HdShapes *s, HdArena *a, HdParts **out);

#endif
